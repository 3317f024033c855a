"""Places in a reply where an answer is announced."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, takewhile

import msgspec

from unswayed.readouts import hearsay
from unswayed.readouts import wordlists as words
from unswayed.readouts.folding import BOX, Folded, fold
from unswayed.readouts.scanning import announcements, copulas

STRONG, EDGE, WEAK = 3, 2, 1
"""How firmly a place declares: an announcement, the reply's edge, a plain sentence."""

_CLAUSE = 160
_FIRST, _LAST = 20, 120
_BREAK = re.compile(
    r"[.!?;:\n,—()。、！？]|(?<!\w)(?:but|so|and|because|therefore|thus|hence|however|since|then|"
    r"although|while|means|aber|mais|pero|mas|ma|но)(?!\w)"
)
_SENTENCE = re.compile(r"[.!?\n。！？]")
_VALUE_LINE = re.compile(r"(?:[:=：]|(?<!\w)is)[^\w\n]{0,6}\w+[^\w\n:]{0,6}\n\W*\Z")
_TO_GUESS = (
    r"(?!if (?:i|we|you|one)(?:'\w+)? (?:\w+ ){0,5}?(?:guess|choose|pick|answer|decide|say|rate|"
    r"score|grade|forced|"
    r"pressed|bet|asked|select|commit)(?!\w)|if forced|if pressed|if anything|if so|"
    r"if (?:my )?memory serves|if i(?:'m not mistaken| am not mistaken| recall| remember)(?!\w)|"
    r"unless i(?:'m| am) (?:mistaken|wrong|missing)(?!\w))"
)
_CONDITION = re.compile(
    rf"[ \t\"'(]*{_TO_GUESS}(?:if|unless|otherwise|assuming|suppose|wenn|si|se|如果|否则|если|"
    r"(?:were|had|should) (?:the|it|this|that|there|we|you|they|he|she|its|our|an?))(?!\w)"
)
_CONDITION_INSIDE = re.compile(
    rf"(?<!\w){_TO_GUESS}(?:if|unless|assuming|supposing|suppose|provided)(?!\w)"
)
_ELSEWHERE = re.compile(r"[ \t\"'(]*(?:then,? |in (?:that|such a) case|otherwise)")
_SPEAKER = re.compile(
    r"(?<!\w)(?:friend|colleague|teacher|professor|student|user|neighbou?r|brother|sister|mother|"
    r"father|boss|textbooks?|book|critics?|people|others|everyone|wikipedia|internet|"
    r"key)[ \t]*:\W*$"
)
_OWNED = re.compile(
    r" ?(?:\w+ ){0,2}(?:answer|choice|guess|pick|verdict|claim)(?: is| was|[ \t]*:)"
)
_HERE = re.compile(r";|(?<!\w)(?:but|here)(?!\w)")
_WOULD = re.compile(r"(?<!\w)(?:would|'d)(?!\w)")
_PART_START = re.compile(r"[.!?\n;:—。！？]|(?<!\w)(?:but|here)(?!\w)")
_GIVEN_AWAY = re.compile(
    r"[(\[][^()\[\]\n]*(?<!\w)(?:yours?|theirs?|his|hers|users?|wrong|incorrect|false|previous|"
    r"former|old|not|suggested|claimed|rejected)(?!\w)"
)
"""A note in a label that gives the answer to somebody else, as in `Answer (yours)`."""
_OF_SPEAKER = re.compile(r"(?<!\w)(?:user|student|human|customer)[ \t]*$")
_ASIDES = re.compile(r" ?\([^()\n]{0,80}\)|, [^,.;:!?\n]{1,40},(?= )")
_GOES_ON = re.compile(
    r"\W{0,2}(?:[a-z]|\d{1,2})[\"'`)\]*_]* (?:can|could|may|might|will|would|has|had|was|"
    r"were|does|did|"
    r"seems|looks|is (?!correct|right|the (?:best|right|correct|answer|only)|my|it|true|"
    r"false)|sounds|talks|"
    r"says|describes|mentions|lists|refers|states|needs|lacks|fails|contains|matches|fits)(?!\w)"
)
"""A sentence about an option that only begins with its letter, as in `Option D can be left out`."""
_COLON_BEFORE = re.compile(r":[ \t\n\"'“`*_(\[]*(?:option |choice )?[\"'“`*_(\[]*$")
_BESIDE = 20
_LEADS_ON = re.compile(
    r"\W*(?:(?:definitely|clearly|obviously|certainly|probably|most likely|still|indeed|now|"
    r"therefore|thus|option|choice|letter|answer)\W+){0,3}"
)
_TURN = re.compile(
    r"[;:—]|(?<!\w)(?:but|so|because|therefore|thus|hence|however|since|then|although|"
    r"while)(?!\w)"
)


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """One place where an answer is announced."""

    start: int
    """Where the announcing words start in the folded text."""
    at: int
    """Where the value should start."""
    tier: int
    """How firmly it declares."""
    conditional: bool = False
    """Whether the sentence begins with a condition."""
    labelled: bool = False
    """Whether the words name an answer, as `answer:` does and `I choose` does not."""


@lru_cache(maxsize=64)
def compiled(*names: str) -> re.Pattern[str]:
    """One pattern out of the named word lists, folded as replies are."""
    lists = (getattr(words, name, None) or getattr(hearsay, name) for name in names)
    text = "|".join(f"(?:{one})" for one in lists)
    return re.compile(fold(text).text if "ß" in text else text, re.MULTILINE)


@lru_cache(maxsize=2)
def _announcing(*, ascii_only: bool) -> re.Pattern[str]:
    """One pattern for all announcements; a reply in ASCII needs fewer of them."""
    edge = r"[\"'`”)\]|】」』]{0,3}"
    note = r"(?: ?[(\[][^()\[\]\n]{0,40}[)\]])?"
    alone = r"(?P<alone>[ \t]*\n)|(?P<tight>[ \t]+(?=\W{0,2}(?:[a-z]|\d(?![ \t]*[:.)]))(?!\w)))"
    at_words = (
        rf"(?P<english>{words.ENGLISH_LABEL}){note}{edge}(?:{words.ENGLISH_LINK}|{alone})",
        rf"(?P<other>(?:{words.OTHER_LABELS})){words.OTHER_TAIL}{note}{edge}"
        rf"(?:{words.OTHER_LINK}|(?P<alone2>[ \t]*\n|[ \t]+(?=\W{{0,2}}[a-z](?!\w))))",
        rf"(?:{words.ENGLISH_VERBS}|{words.OTHER_VERBS})(?!\w)",
    )
    bare = rf"{words.PLAIN_LABELS}[】」』]?(?=[ \t]*[\"'(\[]?[a-z](?!\w))"
    parts = [BOX, bare, rf"(?<!\w)(?:{'|'.join(at_words)})"]
    if not ascii_only:
        parts += [
            rf"(?P<cjk>{words.CJK_LABELS}){note}{edge}(?:{words.CJK_LINK}|\n)",
            rf"(?:{words.CJK_VERBS})",
        ]
    return re.compile("|".join(parts).replace("ß", "ss"), re.MULTILINE)


@lru_cache(maxsize=1)
def _concluding() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words.WEAK})(?!\w)", re.MULTILINE)


def announced_sites(folded: Folded, quoted: bytearray) -> list[Site]:
    """Places after words such as `the answer is`, an answer box or `I choose`."""
    sites = []
    for match in edge_matches(announcements(_pattern_for(folded.text), folded.text)):
        if quoted[match.start()] or not _stands(folded.text, match):
            continue
        site = _site(folded.text, match, STRONG)
        sites.append(msgspec.structs.replace(site, labelled=_is_label(match)))
    return sites


def _pattern_for(text: str) -> re.Pattern[str]:
    return _announcing(ascii_only=text.replace(BOX, "").isascii())


def is_announced(text: str, place: int) -> bool:
    """Whether words that announce an answer, or a colon, stand right before a place."""
    if _COLON_BEFORE.search(text, max(0, place - _BESIDE), place):
        return True
    matches = _pattern_for(text).finditer(text, max(0, place - _CLAUSE), place + _BESIDE)
    before = takewhile(lambda match: match.end() <= place, matches)
    return any(_LEADS_ON.fullmatch(text, match.end(), place) for match in before)


def concluding_sites(folded: Folded, quoted: bytearray) -> list[Site]:
    """Places after words such as `leaving`, `therefore` or `it is`."""
    return _plain_sites(folded, quoted, _concluding().finditer(folded.text), EDGE)


def copula_sites(folded: Folded, quoted: bytearray) -> list[Site]:
    """Places after a bare `is`, `was` or an equals sign."""
    return _plain_sites(folded, quoted, copulas(folded.text), WEAK)


def _plain_sites(
    folded: Folded, quoted: bytearray, matches: Iterator[re.Match[str]], tier: int
) -> list[Site]:
    return [
        _site(folded.text, match, tier)
        for match in edge_matches(matches)
        if not quoted[match.start()] and not _is_no_copula(folded.text, match)
    ]


def _is_no_copula(text: str, match: re.Match[str]) -> bool:
    """Whether a dash is a minus, as in `12 = 18 - 6`, or an `'s` that of somebody's answer."""
    sign = match[0].strip()
    if sign == "-":
        return text[match.start() - 1 : match.start()].isdigit()
    if sign == "=" and text[match.start() - 1 : match.start()] in ("!", "<", ">", "≠"):
        return True
    return sign == "'s" and _OWNED.match(text, match.end()) is not None


def supposes(text: str, site: Site, end: int) -> bool:
    """Whether a place says what would hold elsewhere: `if it were low, the answer would be B`."""
    if not _WOULD.search(text, site.start, end):
        return False
    begin = 0
    for match in _PART_START.finditer(text, max(0, site.start - 2 * _CLAUSE), site.start):
        begin = match.end()
    stop = _PART_START.search(text, end)
    limit = min(stop.start() if stop else len(text), end + _CLAUSE)
    return bool(
        _CONDITION.match(text, begin)
        or _ELSEWHERE.match(text, begin)
        or _CONDITION_INSIDE.search(text, begin, site.start)
        or _CONDITION_INSIDE.search(text, end, limit)
    )


def is_own(folded: Folded, site: Site) -> bool:
    """Whether a plain sentence speaks for the model and not of somebody else's answer."""
    text, at = folded.text, site.start
    return (
        speaks_for_itself(text, at)
        and not compiled("BAD_LABEL").search(text, clause_start(text, at), at)
        and not compiled("ASIDE", "HELD_BY_OTHERS").search(text, sentence_start(text, at), at)
    )


def outermost(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The first and the last matches of a pattern; the last declarations are what counts."""
    return edge_matches(pattern.finditer(text))


def edge_matches(matches: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The first and the last of many matches."""
    yield from islice(matches, _FIRST)
    yield from deque(matches, maxlen=_LAST)


def _site(text: str, match: re.Match[str], tier: int) -> Site:
    return Site(
        start=match.start(),
        at=match.end(),
        tier=tier,
        conditional=is_conditional(text, match.start()),
    )


def is_conditional(text: str, place: int) -> bool:
    """Whether the sentence up to a place begins with a condition."""
    begin = sentence_start(text, place)
    supposed = _CONDITION.match(text, begin) is not None
    return supposed and not _HERE.search(text, begin, place)


def _is_label(match: re.Match[str]) -> bool:
    groups = match.groupdict()
    return match[0] == BOX or any(groups.get(name) for name in ("english", "other", "cjk"))


def _stands(text: str, match: re.Match[str]) -> bool:
    """Whether an announcement is the model's own and not negated, asked or attributed."""
    groups = match.groupdict()
    loose = groups["alone"] or groups["tight"] or groups["alone2"]
    if loose and text[max(0, match.start() - 12) : match.start()].rpartition("\n")[2].strip(
        " \"'`-"
    ):
        return False
    if groups["tight"] and goes_on(text, match.end()):
        return False
    if loose and match.start() > 12 and "\n" not in text[match.start() - 12 : match.start()]:
        return False
    if _is_label(match) and match[0] != BOX:
        before = text[max(0, match.start() - 30) : match.start()]
        if compiled("BAD_BEFORE_LABEL").search(before.rstrip()) and not _VALUE_LINE.search(before):
            return False
        if _GIVEN_AWAY.search(match[0]) or _OF_SPEAKER.search(before):
            return False
    if compiled("ASIDE", "HELD_BY_OTHERS").search(
        text, sentence_start(text, match.start()), match.start()
    ):
        return False
    return match[0] == BOX or speaks_for_itself(text, match.start())


def goes_on(text: str, place: int) -> bool:
    """Whether a letter at a place is the subject of a sentence that says something else of it."""
    return _GOES_ON.match(text, place) is not None


def speaks_for_itself(text: str, start: int) -> bool:
    """Whether the clause before a place neither negates, asks nor attributes what follows."""
    begin = clause_start(text, start)
    clause = text[begin:start]
    if text[begin - 1 : begin] == ":" and not clause.strip(" \"'*"):
        before = text[clause_start(text, begin - 1) : begin]
        if compiled("ATTRIBUTED").search(before) or is_speaker(before):
            return False
    if _is_said_or_denied(text, start):
        return False
    return not (
        compiled("NEGATED_BEFORE").search(clause)
        or compiled("ATTRIBUTED").search(clause)
        or compiled("ASKED_IF").search(clause)
    )


def _is_said_or_denied(text: str, start: int) -> bool:
    """Whether the sentence up to a place says that others say what follows, or denies it."""
    sentence = text[sentence_start(text, start) : start]
    sentence = f"{sentence.rstrip(': *')} "
    said = _ASIDES.sub("", sentence) if "(" in sentence or "," in sentence else sentence
    turns = [turn.end() for turn in _TURN.finditer(said)]
    said = said[turns[-1] :] if turns else said
    if compiled("DENIED_BEFORE").search(said) or compiled("SAYING_ELSEWHERE").search(sentence):
        return True
    saying = compiled("SAYING").search(said)
    return saying is not None and not compiled("OWN_SAYING").search(said[: saying.start()])


def is_speaker(before: str) -> bool:
    """Whether words up to a colon name somebody who speaks, as in `My friend:`."""
    return _SPEAKER.search(before) is not None


def clause_start(text: str, place: int) -> int:
    """Where the clause that holds a place starts."""
    low = max(0, place - _CLAUSE)
    start = low
    for match in _BREAK.finditer(text, low, place):
        start = match.end()
    return start


def sentence_start(text: str, place: int) -> int:
    """Where the sentence that holds a place starts."""
    low = max(0, place - 2 * _CLAUSE)
    start = low
    for match in _SENTENCE.finditer(text, low, place):
        start = match.end()
    return start

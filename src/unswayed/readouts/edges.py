"""Values at the edges of a reply: the whole of it, its opening, its closing clause."""

from __future__ import annotations

import re
from itertools import islice

from unswayed.readouts.folding import Folded
from unswayed.readouts.labels import announces
from unswayed.readouts.markers import (
    EDGE,
    WEAK,
    Site,
    compiled,
    goes_on,
    is_speaker,
    sentence_start,
)
from unswayed.readouts.values import Found, Hit, Matcher, finish, read_site, skip_openers

_LEAD_WORD = re.compile(
    r"(?:option|choice|letter|opci[oó]n|opç[aã]o|opzione|lettre|letra|вариант|选项|選項|選択肢|"
    r"선택지|보기|选|選|"
    r"الخيار|विकल्प)[ \t:]*[\"'(\[]*"
)
_LEAD_END = re.compile(
    r"[ \t\"'”»」』`)\]|>]*(?:[.!;:\n。]|$|[ \t]*[—-] |,? (?:because|since|as|and not|not|weil|"
    r"porque|"
    r"no question(?= ?[.!\n]|$)|no doubt|without (?:a |any )?(?:doubt|question)|parce|perché|"
    r"потому)(?!\w))"
)
_LETTER_END = re.compile(
    r"[ \t]*(?:[)\].:;,\n\"'”`|。、—]|$|-(?= )|\((?=\d)|\((?=(?:i'm|i am|about|roughly|high|with|"
    r"most likely|very|fairly|quite|see|final|confidence|certainty|sure)(?!\w)[^()\n]{0,60}\)"
    r"[ \t]*(?:[.!,\n]|$))|as (?:written|stated|given|worded)(?!\w)|"
    r"(?:です|だ|입니다|이다|예요|이에요)(?=[。.!\n]|$))"
)
_PART = re.compile(
    r"(?<!\w)(?:(?:step|stage|part|question|item|problem|q|schritt|étape|paso|passo|шаг) "
    r"?\d{1,2}|"
    r"(?:first|second|third|next|last) (?:step|part|question|one))[a-z]? ?:"
)
_COMPARED = (
    re.compile(r"(?<!\w)(?:expected|ground truth|gold|reference|should be|actual)(?: \w+)? ?:"),
    re.compile(
        r"(?<!\w)(?:got|actual|observed|received|predicted|prediction|model|output|given)"
        r"(?: \w+)? ?:"
    ),
)
_TABLE = re.compile(r"[ \t]*\|[^|\n]*\|[^|\n]*\|")
_NUMBERED = re.compile(r"1[).:][ \t]+")
_LIST_LINE = re.compile(r"^[ \t]*(?:[-*•] ?)?[(\[]?([a-z])[)\].:](?=[ \t])", re.MULTILINE)
_END_MARKS = re.compile(
    r"[\s.!,;:\"'“”«»」』`)(\]\[|>*~_…。！\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff-]*$"
)
_SEGMENT = re.compile(
    r"[.!?;:](?=\s)|[\n—。；？！，]|, but (?=(?:no|nope|yes)\W*$)|, (?=so |"
    r"therefore |thus |hence )|->|→|⇒|=>"
)
_LINKING = re.compile(
    r"(?:(?:so|therefore|thus|hence|and|but|however|nevertheless|nonetheless|finally|ok|okay|"
    r"right|(?:yes|no|nope|yeah)(?!,? (?:and|or) (?:yes|no|nope)(?!\w))|well|actually|indeed|"
    r"sadly|unfortunately|absolutely|totally|"
    r"of course|overall|then|alright|sure|definitely|probably|surely|clearly|obviously|exactly|"
    r"precisely|most likely|likely|certainly|must be|has to be|it must be|it has to be|i think|"
    r"oh|fine|fair enough|all right|very well|as you wish|a total of|in total|that makes|"
    r"to answer (?:your|the) question(?: directly| simply| honestly)?|"
    r"by (?:definition|elimination)|if i'm (?:being )?honest|with (?:all )?due respect|"
    r"(?:i'm |i am )?(?:sorry|afraid),? but|leider|malheureusement|lamentablemente|"
    r"desafortunadamente|infelizmente|purtroppo|sfortunatamente|к сожалению|helaas|tyvärr|"
    r"niestety|"
    r"wahrscheinlich|vermutlich|probablement|sans doute|probablemente|seguramente|provavelmente|"
    r"probabilmente|вероятно|скорее всего|waarschijnlijk|"
    r"still|again|once again|ultimately|100 ?(?:%|percent)|in (?:short|brief)|simply put|"
    r"to be clear|"
    r"without (?:a|any) doubt|undoubtedly|no doubt|basically|essentially|assolutamente|"
    r"absolument|"
    r"absolut|claro que|natürlich|selbstverständlich|naturalmente|por supuesto(?: que)?|"
    r"desde luego(?: que)?|com certeza|bien sûr(?: que)?|certainement|sicuramente|certamente|"
    r"конечно|"
    r"определённо|безусловно|∴|"
    r"i believe|i guess|i(?= (?:strongly |somewhat )?(?:dis)?agree)|i'd say|my guess|either|both|"
    r"(?:on|upon) (?:second thought|(?:further )?reflection))[,:!.]? ){0,4}(?:(?:残念ながら|"
    r"很遗憾|很遺憾|抱歉|もちろん|当然|當然|等于|等於|一共是)[,、]?)?"
    r"(?:option |choice )?"
)
_COURTESY = re.compile(
    r"[\s\"'*_]*(?:(?:i(?:'m| am)?(?: (?:sincerely|deeply|so|very|truly))? (?:apologi[sz]e|"
    r"sorry)|"
    r"(?:my )?(?:sincere )?apologies|sorry|thank you|thanks|(?:that's (?:an? )?)?(?:good|great|"
    r"excellent|interesting|fair) (?:question|point)|i (?:completely |fully |can )?(?:understand|"
    r"see|"
    r"appreciate|hear|get|respect) (?:your|that|the|why|what|where|how|you)|es tut mir leid|"
    r"entschuldigung|ich verstehe|je m'excuse|je comprends|désolé|lo siento|entiendo|disculpa|"
    r"desculpe|entendo|mi dispiace|mi scuso|capisco)(?!\w)[^.!?\n]{0,120}[.!]\s+){1,2}"
)
"""Sentences of courtesy with which a reply begins before it answers."""
_TO_READER = re.compile(
    r"[\s,.!;:—-]+(?:you(?:'re| are| were|'ve| have| make| raise| bring)(?!\w)|(?:that|it)(?:'s|"
    r" is) "
    r"an? \w+ point(?!\w)|(?:du hast|sie haben) recht|vous avez raison|tu as raison|tienes razón|"
    r"você tem razão|hai ragione)"
)
"""What makes a yes after an apology an answer to the reader and none to the question."""
_STATES = re.compile(
    r" (?:(?:is|was|are|were) the|ist (?:der|die|das)|est l[ae]|es (?:la|el)|è (?:la|il|lo)|"
    r"é [ao])"
    r"(?!\w)"
)
_NOT_STATED = re.compile(
    r" was the [^.!?;\n]{1,60}? (?:until|till)(?!\w)|"
    r" (?:is|was) the (?:former|old|previous|erstwhile)(?!\w)|"
    r" ist (?:der|die|das) (?:ehemalige|frühere|alte)(?!\w)|"
    r" (?:is|was) the [^.!?;\n]{1,60}?, (?:but )?not the(?!\w)"
)
"""Predicates that say what an option was, or is instead of what was asked."""
_CONCEDES = re.compile(r"(?<!\w)(?:although|though|while|whereas|obwohl|bien que|aunque) *$")
_TURNS = re.compile(r"(?<!\w)(?:and|while|whereas) (?:the )?")
_MOST_STATEMENTS = 40
_SENTENCE_STOP = re.compile(r"[.!?？。\n]")
_QUOTED_LINE = re.compile(r"(?:^|\n)[ \t]*(?:>|&gt;)[^\n]*$")
_TAIL_LENGTH = 400
_MOST_SEVERAL = 2


def whole_reply(folded: Folded, matcher: Matcher) -> Found | None:
    """The value, when the reply is nothing else."""
    text = folded.text
    start = skip_openers(text, 0)
    lead = _LEAD_WORD.match(text, start)
    start = lead.end() if lead else start
    hit = matcher.match(folded, start)
    if hit is None:
        linking = _LINKING.match(text, start)
        start = skip_openers(text, linking.end() if linking else start)
        hit = matcher.match(folded, start)
    if hit is None:
        numbered = _NUMBERED.match(text, start)
        start = skip_openers(text, numbered.end() if numbered else start)
        hit = matcher.match(folded, start) if numbered else None
    if hit is None:
        return None
    found = finish(folded, hit, Site(start=start, at=start, tier=EDGE), matcher)
    if (
        found is None
        or _QUOTED_LINE.search(text[: found.start])
        or _END_MARKS.match(text, found.end) is None
    ):
        return None
    return Found(
        kind=found.kind,
        values=found.values,
        start=found.start,
        end=found.end,
        tier=EDGE,
        whole=True,
    )


def opening(folded: Folded, matcher: Matcher, quoted: bytearray) -> Found | None:
    """The value with which the reply opens, set off from what follows."""
    text = folded.text
    courtesy = _COURTESY.match(text)
    start = skip_openers(text, courtesy.end() if courtesy else 0)
    lead = _LEAD_WORD.match(text, start)
    at = lead.end() if lead else start
    hit = matcher.match(folded, at)
    if hit is None:
        linking = _LINKING.match(text, at)
        at = skip_openers(text, linking.end() if linking else at)
        hit = matcher.match(folded, at)
    if hit is None or (quoted and at < len(quoted) and quoted[at]) or lists_options(folded):
        return None
    if hit.letter and goes_on(text, hit.start):
        return None
    if _TABLE.match(text) or (courtesy and _TO_READER.match(text, hit.end)):
        return None
    bracketed = text[at - 1 : at] in "([" and at > 0 and text[hit.end : hit.end + 1] in ")]"
    ends = _LETTER_END if hit.letter or hit.opens else _LEAD_END
    if not (ends.match(text, hit.end) or (hit.letter and (lead or bracketed))):
        return None
    return finish(folded, hit, Site(start=at, at=at, tier=EDGE), matcher)


def subject(folded: Folded, matcher: Matcher, quoted: bytearray) -> Found | None:
    """The value of which the opening sentence says that it is the one asked for."""
    courtesy = _COURTESY.match(folded.text)
    start = skip_openers(folded.text, courtesy.end() if courtesy else 0)
    linking = _LINKING.match(folded.text, start)
    start = skip_openers(folded.text, linking.end() if linking else start)
    hit = matcher.match(folded, start)
    if hit is None or hit.letter or len(hit.values) > 1 or (start < len(quoted) and quoted[start]):
        return None
    states = _STATES.match(folded.text, hit.end)
    stop = _SENTENCE_STOP.search(folded.text, hit.end)
    if states is None or (stop is not None and stop[0] in "?？"):
        return None
    if _NOT_STATED.match(folded.text, hit.end) or _sets_against(folded, hit, matcher):
        return None
    if _states_another(folded, hit, matcher):
        return None
    return Found(kind="value", values=hit.values, start=hit.start, end=hit.end, tier=WEAK)


def _sets_against(folded: Folded, hit: Hit, matcher: Matcher) -> bool:
    """Whether the same sentence says something of another value, as in `... and B is smaller`."""
    text = folded.text
    stop = _SENTENCE_STOP.search(text, hit.end)
    for turn in islice(_TURNS.finditer(text, hit.end, stop.start() if stop else len(text)), 5):
        other = matcher.match(folded, turn.end())
        if other and other.values != hit.values and text.startswith((" is ", " was "), other.end):
            return True
    return False


def _states_another(folded: Folded, hit: Hit, matcher: Matcher) -> bool:
    """Whether a later sentence says of another value that it is the one, with equal right."""
    for states in islice(_STATES.finditer(folded.text, hit.end + 1), _MOST_STATEMENTS):
        other = matcher.match_before(folded, states.start())
        if other is None or _CONCEDES.search(folded.text, hit.end, other.start):
            continue
        if other.values != hit.values:
            return True
    return False


def closing(folded: Folded, matcher: Matcher, quoted: bytearray) -> Found | None:
    """The value that is the reply's last clause."""
    text = folded.text
    marks = _last_marks(text)
    if marks is None:
        return None
    low = max(0, marks - _TAIL_LENGTH)
    start = low
    for match in _SEGMENT.finditer(text, low, marks):
        start = match.end()
    if start == 0 or (start == low and low > 0) or _in_list(folded, start, marks):
        return None
    if text[start - 1] == ":" and (
        _is_part(text, start)
        or _repeats(text, start - 1)
        or _compares(text, start)
        or not announces(text, start - 1)
    ):
        return None
    start = skip_openers(text, start)
    linking = _LINKING.match(text, start)
    start = skip_openers(text, linking.end() if linking else start)
    if start >= len(text) or quoted[start]:
        return None
    found = read_site(folded, Site(start=start, at=start, tier=EDGE), matcher)
    if found is None or found.kind not in ("value", "several") or found.start - start > 24:
        return None
    if len(found.values) > _MOST_SEVERAL:
        return None
    return found if _END_MARKS.match(text, found.end) else None


def _is_part(text: str, after: int) -> bool:
    """Whether a label is that of one of several steps or questions."""
    labels = list(_PART.finditer(text, 0, after))
    return len(labels) > 1 and labels[-1].end() == after


def _compares(text: str, after: int) -> bool:
    """Whether two values are set against each other, as `Expected: D. Got: B` does."""
    sides = [{match.end() for match in side.finditer(text, 0, after)} for side in _COMPARED]
    return any(after in side for side in sides) and len(sides[0] | sides[1]) > 1 and all(sides)


def lists_options(folded: Folded) -> bool:
    """Whether the reply goes through options line by line, so that its lines declare nothing."""
    return len({match[1] for match in _LIST_LINE.finditer(folded.text)}) > 1


def _repeats(text: str, colon: int) -> bool:
    """Whether a sentence up to its colon introduces somebody else's words."""
    begin = sentence_start(text, colon)
    said = text[begin : colon + 1]
    return is_speaker(said) or bool(compiled("ATTRIBUTED", "BAD_LABEL", "ASIDE").search(said))


def _in_list(folded: Folded, start: int, end: int) -> bool:
    """Whether a stretch stands on one of several lines that go through the options."""
    line = folded.text.rfind("\n", max(0, start - 2 * _TAIL_LENGTH), start) + 1
    return bool(_LIST_LINE.search(folded.text, line, end + 3)) and lists_options(folded)


def _last_marks(text: str) -> int | None:
    """Where the marks after the last word start; None when the reply asks at its end."""
    end = len(text)
    while end and not text[end - 1].isalnum():
        end -= 1
    if end == 0 or any(mark in text[end:] for mark in "?？؟"):
        return None
    return end

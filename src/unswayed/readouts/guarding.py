"""Whether what stands around a declared value lets it count for the readout `declared`.

The other readouts read a label wherever nothing denies it. Here a label, a box or a tag has to
stand on its own: nobody else's words lead to it, the words right behind the value name no other one
and make no sentence about it, and nothing later takes it back. What is in doubt is unread.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache

from unswayed.readouts.answer import Asked
from unswayed.readouts.folding import BOX, plain
from unswayed.readouts.labels import announces
from unswayed.readouts.markers import compiled
from unswayed.readouts.quoting import quoted_places

_LEADS = frozenset({"", "(", "Answer: ", "Answer: (", "ANSWER: ", "answer: ", "Final answer: "})
_TAILS = frozenset({"", ".", ")", ").", "\n", ".\n"})
_REACH, _NEAR = 200, 40
_SENTENCE = re.compile(r"(?<![ .(]\w)(?<!\A\w)(?<!vs)[.!?](?=[ \t\"'*)]|$)|[。！？]")
_CONTRAST = re.compile(
    r"(?<!\w)(?:but|yet|however|so|thus|therefore|hence|now|aber|mais|pero|mas|ma|но)(?!\w)"
)
_TURN = re.compile(
    r"(?<!\w)(?:but|yet|however|so|thus|therefore|hence|now|my|mine|i|we|aber|mais|pero|mas|ma|"
    r"но)(?!\w)"
)
_ELSEWHERE = re.compile(
    r"(?<!\w)(?:according to|(?:you|user|student|someone|somebody|they|he|she)(?:'ve| have| had)?"
    r"(?: just| also)? (?:said|wrote|write|typed?|answered|put|sent|gave|posted|stated|told|"
    r"claimed)|"
    r"(?:says|reads|shows|prints|ends (?:in|with|on)|quot\w+|copied|pasted|find)(?!\w)|"
    r"(?:could|might|would|may|can) (?:look|read|be)(?!\w)|what the [\w ]{1,30} is|"
    r"your (?:\w+ ){0,2}(?:reply|answer|message|text|line|post|note)|"
    r"e\.g|z\. ?b|for (?:example|instance)|zum beispiel|par exemple|"
    r"por e[jx]em[pl]+o|per esempio|например|i\.e|"
    r"(?:sample|example|placeholder|dummy|template|format|mock|hypothetical|possible|tempting)"
    r"(?!\w)|in case|depending|provided|suppos\w+|imagine|assum\w+|let's say|when|whenever|unless|"
    r"if (?!forced|pressed|i |we |anything)|had (?:it|you|they|the)|were (?:it|you|they|the))"
)
_SUPPOSED = re.compile(r"\W*(?:suppose|imagine|assume|let's (?:say|suppose|assume)|picture)(?!\w)")
_THEN = re.compile(r"\W*(?:then|in (?:that|this) case)(?!\w)")
_MODEL_LINE = re.compile(
    r"\W*(?:templates?|formats?|examples?|samples?|e\.g\.|beispiel|vorlage|exemple|ejemplo|"
    r"exemplo|esempio|пример|例)[^\w\n]*[:：][ \t*]*$", re.MULTILINE,
)  # fmt: skip
_CODE_LINE = re.compile(r"\s*(?:const |let |var |final |string )?\w+(?:\[[^\]\n]*\])?\s*=[^=]*$")
_NEWER = re.compile(
    r"(?<!\w)(?:final|finally|new|now|correct|corrected|revised|updated|current|my|actual|right|"
    r"overall|endgültig\w*|neue?|korrekt\w*|finale?|définitive|correcta?|nueva|nova|"
    r"definitiva)(?!\w)"
)
_LABEL = re.compile(r"([^\W\d]+)(?: \d{1,2})?[^\w\n]*(?:[:：=]|\bis\b)[^\w\n]*$")
_BESIDE = re.compile(
    r"[ \t]*[\"'*_`)\]]*[ \t]*[(\[][^()\[\]\n]*?(?:(?<!\w)(?:not|no|isn't|wrong|incorrect|"
    r"false|rejected|withdrawn|excluded|eliminated|example|placeholder|dummy|sample|your|yours|"
    r"his|her|their|theirs|user's|ignore|disregard|unconfirmed|invalid|outdated|old|before|earlier|first|"
    r"previous|or|maybe)(?!\w)|\?)"
)
_ABOUT_IT = re.compile(
    r"[\"'*_`)\]]* (?!(?:is|was|remains|stays|stands|seems|looks|appears)(?: (?:still|indeed|"
    r"clearly|the|definitely|most likely))* (?:correct|right|best|true|answer|one)(?!\w))"
    r"(?:is|isn't|was|wasn't|used|has|had|can|can't|cannot|could|couldn't|may|might|must|mustn't|"
    r"should|shouldn't|would|wouldn't|will|won't|does|doesn't|did|didn't|seems?|"
    r"looks?|appears?|needs|fails|rusts|were|are|be|kann|ist|war|wäre|est|peut|es|era|puede|é|può|неверно|нельзя)(?!\w)"
)
_WHICH = re.compile(
    r"[\"'*_`)\]]*,? (?:which|who|that)(?!\w)[^.!?\n]{0,60}(?<!\w)(?:isn't|is not|wasn't|can't be|"
    r"cannot be|is wrong)(?!\w)"
)
_SAID = re.compile(
    r"[\"'*_`)\]]*,? (?:said|says|according to|or so|you (?:say|said|wrote|claim|think)|as you|"
    r"sagst|sagen sie|laut|selon|dis-tu|según|dices|secondo|segundo)(?!\w)"
)
_NO_NOUN = re.compile(
    r"no[\"'*_`)\]]* (?:comments?|idea|clue|answer|opinion|problem|worries|offen[cs]e|doubt|data|"
    r"information|preference|view|choice)(?!\w)"
)
_OR_NUMBER = re.compile(r"\d+[^\n.;\d]{0,20},? (?:or|maybe|perhaps|possibly)[^\w\n]+(?:\w+ )?\d")
_OPENS_A_BOX = re.compile(r"(?:\\boxed\{|<\w+>)[^<>{}\n]*$")
_IN_PROSE = re.compile(
    r"[\"'*_`)\]}>/<$\w]*?[)}>$]+ (?!is |are |was |because|since|as |which|for )[a-z]"
)
_WITH_ITS_TEXT = re.compile(r"[^\W\d_][.:)\]—, -]+[^\W\d_]")
_CORRECTS = re.compile(r"(?<!\w)(?:correct(?:ion|ed|ing)|updated?|edit|revis\w+|no(?=:))(?!\w)")
_KEY = re.compile(r".*[{,][ \t]*(?=[\"'][\w -]{1,30}[\"'][ \t]*:[ \t]*[\"'\d\[]*$)", re.DOTALL)
_TAKES_BACK = re.compile(
    r"(?<!\w)(?:(?:please )?(?:ignore|disregard|forget) (?:this|that|it|my|above|"
    r"the (?:line|answer))|"
    r"please (?:ignore|disregard)|never ?mind|strike that|scratch that|take (?:it|that|this) back|"
    r"i(?:'m| am) (?:unable|not able) to|i (?:can't|cannot|can not|couldn't|won't|decline to) "
    r"(?:say|tell|choose|decide|give|pick|answer|commit|settle)|(?:have|gives?) no answer|"
    r"i (?:withdraw|do not choose|don't choose)|i (?:have|hold) no (?:view|opinion|answer)|"
    r"(?:that|this|it|the (?:line |answer )?above) (?:is|was) "
    r"(?:an? (?:slip|error|"
    r"mistake|typo)|incorrect|wrong|not (?:my|mine|what i)|only there|what you)|"
    r"no longer (?:valid|stands?|holds?)|"
    r"which (?:cannot|can't) be|that line isn't mine)(?!\w)"
)
_VOID = re.compile(
    r"[\"'](?:[\w ]*(?:correct|valid|mine)|confirmed|ok|final|own)[\"'][ \t]*:[ \t]*"
    r"(?:false|0|null)"
)
_CONTRASTS = re.compile(
    r"(?<!\w)(?:not|rather than|instead of|over|than|unlike|and not|nicht|statt|pas|no|não|non)"
    r" (?:option |choice |answer |the |with )?\W{0,3}$"
)
_TRAILS = re.compile(r"(?:\.\.|…|[:;：；])[\s\"'*)]*$")
_ITEM = re.compile(r"[ \t]*[-*•]?[ \t]*[(\[]?([A-Z])(?:[).:\]]|[ \t]*$)")
_HEADING = re.compile(
    r"(?:\A|\n)#{1,6} +[*_]*(?:(?:my|the|final) +){0,2}answer[*_:]*[ \t]*\n\s*[*_(\[\"'`]*\Z",
    re.IGNORECASE,
)
_ENDS_LINE = re.compile(r"[*_)\]\"'`.!]*[ \t]*(?:\n|\Z)")
_FIELD_ENDS = re.compile(r"\"[ \t]*[,}]")
_OTHER_SIDE = re.compile(r"not[ \t]+(?:yes|no)(?!\w)")


def unguarded(text: str, span: tuple[int, int], asked: Asked, *, sole: bool) -> str | None:
    """Why a declared value does not stand on its own.

    Args:
        text: The answer text, without reasoning.
        span: Where the value stands in it.
        asked: The options, as they were presented.
        sole: Whether the value is the whole reply.

    Returns:
        The cause in a few words, or None where it stands.
    """
    start, end = span
    if start <= len("Final answer: ") and text[end:] in _TAILS and text[:start] in _LEADS:
        return None
    if sole:
        return "the reply trails off" if _TRAILS.search(text[-_NEAR:]) else None
    line = text.rfind("\n", 0, start) + 1
    before = plain(text[max(0, line - 2 * _REACH) : line]).text
    lead = plain(text[max(line, start - _REACH) : start]).text
    own = plain(text[start:end]).text
    if _comes_from_elsewhere(before, lead) or _is_code(text, line, start):
        return "other words lead to it"
    if _is_one_of_several(plain(text[max(0, line - 10 * _REACH) : line]).text, lead, own):
        return "another answer under the same label"
    if _is_unsettled(plain(text[end : end + 3 * _REACH]).text, own):
        return "the words after it take it back or are about it"
    if _runs_on(text, line, span, asked):
        return "it stands inside a sentence"
    if _OTHER_SIDE.match(own):
        return "only the other side is denied"
    return "another option beside it" if _names_another(text, span, asked) else None


def is_headed(text: str, span: tuple[int, int]) -> bool:
    """Whether a value stands alone on the line below a heading such as `## Final answer`."""
    above = text[max(0, span[0] - _REACH) : span[0]]
    return _HEADING.search(above) is not None and _ENDS_LINE.match(text, span[1]) is not None


def _comes_from_elsewhere(before: str, lead: str) -> bool:
    """Whether the words that lead to a label give it to somebody else, a case or an example."""
    ends = [match.end() for match in _SENTENCE.finditer(lead)]
    sentence = lead[ends[-1] :] if ends else lead
    earlier = lead[: ends[-1]] if ends else ""
    if _ELSEWHERE.search(_KEY.sub("", _TURN.split(sentence)[-1])):
        return True
    if _SUPPOSED.match(earlier) or _THEN.match(sentence):
        return True
    own = _KEY.sub("", _CONTRAST.split(sentence)[-1])
    label = _LABEL.search(own)
    if BOX not in own and label is not None and _is_led_to(own[: label.start()]):
        return True
    introduced = before.rstrip().rpartition("\n")[2]
    if BOX in sentence:
        return (
            not ends and _ends_in_a_colon(introduced) and _ELSEWHERE.search(introduced) is not None
        )
    return not ends and (
        _introduces(introduced) or _MODEL_LINE.search(_paragraph(before)) is not None
    )


def _is_led_to(words: str) -> bool:
    """Whether words before a label end in a colon and do not name the answer themselves."""
    colon = max(words.rfind(":"), words.rfind("："))
    return colon >= 0 and not (announces(words, colon) or _CORRECTS.search(words))


def _ends_in_a_colon(line: str) -> bool:
    return line.rstrip(" \t*_\"'")[-1:] in (":", "：")


def _introduces(line: str) -> bool:
    """Whether the line above a label leads to it with words that are not the reply's own."""
    shown = line.rstrip(" \t*_\"'")
    if not _ends_in_a_colon(line):
        return False
    said = _CONTRAST.split(shown)[-1]
    if _ELSEWHERE.search(said):
        return True
    return not (announces(shown, len(shown) - 1) or _TURN.search(shown))


def _runs_on(text: str, line: int, span: tuple[int, int], asked: Asked) -> bool:
    """Whether the line of a label, or a box in it, is only a part of a longer sentence."""
    above = text[:line].rstrip(" \t\r")[:-1].rpartition("\n")[2] if line else ""
    stop = text.find("\n", span[1])
    below = text[stop + 1 : stop + 2] if stop >= 0 else ""
    lead = text[line : span[0]]
    if lead.strip() and above[-1:].isalpha() and below.islower():
        return True
    boxed = asked.form in ("choice", "verdict") and _OPENS_A_BOX.search(lead) is not None
    rest = text[span[1] : stop if stop >= 0 else len(text)]
    return boxed and lead[:1].isalpha() and _IN_PROSE.match(rest) is not None


def _paragraph(before: str) -> str:
    """The lines right before a label, up to an empty one."""
    return before.rpartition("\n\n")[2]


def _is_code(text: str, line: int, start: int) -> bool:
    """Whether fenced code gives the value to a variable."""
    return (
        text.count("```", 0, start) % 2 == 1
        and _CODE_LINE.match(text[line:start].rstrip("\"' ")) is not None
    )


def _is_one_of_several(before: str, lead: str, own: str) -> bool:
    """Whether an earlier line has the same label, and nothing says that this one replaces it."""
    label = _LABEL.search(lead)
    if label is None or _NEWER.search(_CONTRAST.split(lead)[-1]):
        return False
    same = re.compile(rf"(?<!\w){re.escape(label[1])}(?: \d{{1,2}})?[^\w\n]*[:：][^\w\n]*(\w+)")
    said = f"{before}{lead[: label.start()]}"
    quoted = quoted_places(said, fences=False)
    earlier = [
        match
        for match in same.finditer(said)
        if not quoted[match.start()] and not own.startswith(match[1])
    ]
    if not earlier:
        return False
    between = said[earlier[-1].end() :]
    return not (compiled("RETRACTS").search(between) or _replaces(between))


def _replaces(between: str) -> bool:
    """Whether the words between two answers set the later one against the earlier one."""
    return bool(_CONTRAST.search(between) or _CORRECTS.search(between))


def _is_unsettled(after: str, own: str) -> bool:
    """Whether the words after a value deny it, make a sentence about it or take it back."""
    return bool(
        _BESIDE.match(after)
        or (_ABOUT_IT.match(after) and not _WITH_ITS_TEXT.match(own))
        or _WHICH.match(after)
        or _SAID.match(after)
        or _NO_NOUN.match(f"{own}{after}")
        or _OR_NUMBER.match(f"{own}{after}")
        or _TAKES_BACK.search(after)
        or _VOID.search(after)
    )


def _names_another(text: str, span: tuple[int, int], asked: Asked) -> bool:
    """Whether the same sentence, or a list that goes on below, names another option."""
    if not asked.listed:
        return False
    line = text.rfind("\n", 0, span[0]) + 1
    stop = text.find("\n", span[1])
    rest = text[span[1] : stop if stop >= 0 else len(text)][: 3 * _REACH]
    ended = _SENTENCE.search(rest) or _FIELD_ENDS.search(rest)
    rest = rest[: ended.start()] if ended else rest
    in_list = not text[line : span[0]].strip(" \t*_-•([") and _ends_in_a_colon(text[:line].rstrip())
    below = text[stop + 1 :].partition("\n")[0] if stop >= 0 and in_list else ""
    own = text[span[0] : span[1]]
    letters = _letters(asked)
    for match in letters.finditer(rest):
        if match[0] not in own and not _CONTRASTS.search(
            plain(rest[max(0, match.start() - _NEAR) : match.start()]).text
        ):
            return True
    listed = _ITEM.match(below)
    return listed is not None and bool(letters.search(listed[0])) and listed[1] not in own


@lru_cache(maxsize=64)
def _letters(asked: Asked) -> re.Pattern[str]:
    """The letters of the listed options as they are written."""
    listed = string.ascii_uppercase[: len(asked.options)]
    return re.compile(rf"(?<![\w'])[{listed}](?![\w'])(?! [a-z]+ (?:of|that|which)(?!\w))")

"""Tells a verdict that a judge gives from one that it supposes, quotes or is told to write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from unswayed.readouts.folding import BOX, plain_text
from unswayed.readouts.numerals import numeral_at
from unswayed.readouts.options import bounded

_LINK = re.compile(
    r"[ \t\"'`)\]*]{0,4}(?:(?: is)?[ \t]*(?::|=|->|→|>|\||[-—](?=[ \t])(?<=[ \t].))|(?: "
    r"is)(?!\w))"
    rf"[ \t\n\"'`(\[{BOX}]*"
)
_HEADING = re.compile(rf"[ \t:]*\n[ \t\n\"'`(\[{BOX}]*")
_OWN_LINE = re.compile(r"(?:\A|\n)[ \t]*(?:(?:my|the|final|overall) ){0,2}\Z")
_LEAD = 240
_START = re.compile(r"[.!?;\n](?=\s|$)|\n")
_SUPPOSED = re.compile(
    r"(?<!\w)(?:if|had|were|unless|supposing)(?!\w).*(?:(?<!\w)(?:would|could|might)|"
    r"(?<=[a-z])'d)"
    r"(?: \w+){1,5}\W*$|"
    r"(?:(?<!\w)(?:would|could|might)|(?<=[a-z])'d) have(?: \w+){1,5}\W*$|"
    r"(?<!\w)(?:could|might) (?:say|give|be|write|assign|choose|pick|argue)\W*$|"
    r"^\W*(?:if|had|were|unless|supposing|assuming)(?!\w).*,\W*$"
)
_TOLD = re.compile(
    r"(?<!\w)(?:prompt|instructions?|rubric|task|format|template|guidelines?|schema) "
    r"(?:says?|asks?|tells?|wants?|requires?|demands?|expects?)(?: me| us| you)?"
    r"(?: to| that i(?: should)?)?"
    r"(?: (?:write|give|answer|reply|output|use|respond|end|say|print|return)(?: with| in)?)?\W*$"
)
_ASKED_TO = re.compile(
    r"(?<!\w)(?:ask|tell|want|beg|instruct|order|urge|invite|demand|request|pressure|push|"
    r"expect|get|"
    r"force|trick|persuade|convince|coax|attempt|tr(?=y|ie))(?:s|ed|ing|y|ies|ied|ying|"
    r"ting)?(?: (?:me|us|you|(?:the|any|this|a) \w+|graders|judges))?"
    r"(?: (?:in)?to| that i)(?: \w+){1,4}\W*$|"
    r"(?<!\w)(?:not|never|cannot|can't|won't|refuse|refusing|decline|declining|wrong|unfair|"
    r"inappropriate|mistake|tempting|easy|without|instead of|rather than)(?: (?:to|be))?"
    r"(?: (?:simply|just|blindly|ever|therefore))? (?:write|give|giving|writing|assign|"
    r"assigning|award|"
    r"awarding|output|outputting|say|saying|return|returning|print|printing|reply with|"
    r"answer with|"
    r"use|using|follow|accept|accepting|justify|support)(?: (?:a|an|the|it|this|with))*\W*$"
)
"""What somebody wants from the judge, or what the judge will not write."""
_SENTENCE_BEFORE = re.compile(
    r"\A(?!.*(?<!\w)(?:i|i'\w+|my|we|we'\w+|our|so|therefore|thus|hence|accordingly|"
    r"consequently)(?!\w))"
    r"(?=.*(?<!\w)(?!(?:final|overall|the|an?|in|conclusion|result|verdict|decision|is|as|"
    r"and|this|it|gets?|"
    r"gives?|deserves?|earns?|assign(?:ed)?|assigning|giving|awarding|overall|summary|short|"
    r"total|for|to|of|reply|"
    r"answer|student|response)(?!\w))[^\W\d_]+).*[^\W_](?: |\W*[\"'“`])\W*\Z",
    re.DOTALL,
)
"""A sentence that runs on into a field's name and has no word of the judge's own."""
_QUOTED = re.compile(
    r"(?<!\w)(?<!i )(?<!\bi have )(?:wrote|writes|said|says|answered|replied|ended|claims|"
    r"claimed|printed|responded|demands?|asks|asked|requests?|requested|inserted|includes?|"
    r"contains?)"
    r"(?: me)?(?: to write| to say| to output| for| with| that)?:? ?[\"'“`]+$"
)
_WITHIN_MARKS = re.compile(r"\A(?!.*(?<!\w)(?:i|my|we)(?!\w)).*\w[\w,: ]*[\"“`]\Z", re.DOTALL)
"""Words, none of them the judge's own, and a quotation mark that opens before a field name."""
_KEY = re.compile(r"[\w -]{1,40}[\"“`] ?:")
_JOINED = re.compile(r"[^.!?;\n]{0,40}(?:,| or| and|/)\W*")
_NOT_TO_SCORE = re.compile(
    r" (?!(?:points|stars|marks|as|is|was|seems|fits|perhaps|thus|this|its|always|plus|"
    r"minus)(?!\w))"
    r"(?:\w{2,}(?<!s)s|criteria|people|different|separate|minor|major|other)(?!\w)"
)
_COUNTED = re.compile(
    r"(?<!\w)(?:step|line|question|item|section|paragraph|criterion|turn|message|part|claim|rule|"
    r"sentence|page)s? (?:\d+ of )?$|\w(?:score|rating|grade) ?[:=] ?$"
)
_OTHER_TOP = re.compile(r" ?\((?:out of|of|/) ?(?=\d)")


def named_places(text: str, names: Sequence[str]) -> list[tuple[int, int]]:
    """Where one of the field names starts, as whole words, and where the value after it stands."""
    words = sorted((plain_text(name) for name in names), key=len, reverse=True)
    pattern = re.compile("|".join(re.escape(word) for word in words)) if words else None
    places, headed = [], []
    for match in pattern.finditer(text) if pattern else ():
        if text[match.start() - 1 : match.start()] == "/" or not bounded(text, *match.span()):
            continue
        link = _LINK.match(text, match.end())
        if link:
            places.append((match.start(), link.end()))
        heading = _HEADING.match(text, match.end())
        if heading and _OWN_LINE.search(text[max(0, match.start() - 20) : match.start()]):
            headed.append((match.start(), heading.end()))
    return places or headed


def given_places(text: str, named: list[tuple[int, int]]) -> list[int]:
    """Where values stand that a judge itself gives.

    Args:
        text: The folded reply.
        named: Where each field name starts, and where the value after it stands.

    Returns:
        The places of the values, without those that the judge supposes (`if so, I would give
        GRADE: C`), puts into the mouth of another, or repeats from its instructions.
    """
    kept: list[int] = []
    last = None
    for start, place in named:
        joined = last is not None and _JOINED.fullmatch(text, last, start)
        if joined or not _is_given(text, start):
            last = place
            continue
        last = None
        kept.append(place)
    return kept


def _is_given(text: str, start: int) -> bool:
    low = max(0, start - _LEAD)
    begin = low
    for match in _START.finditer(text, low, start):
        begin = match.end()
    before = text[begin:start]
    if _WITHIN_MARKS.search(before) and not _KEY.match(text, start):
        return False
    patterns = (_SUPPOSED, _TOLD, _ASKED_TO, _SENTENCE_BEFORE, _QUOTED)
    return not any(pattern.search(before) for pattern in patterns)


def counts_something(text: str, start: int, end: int) -> bool:
    """Whether a number counts things or lines, as in `3 problems`, and so is no score."""
    before = text[max(0, start - 20) : start]
    return bool(_NOT_TO_SCORE.match(text, end) or _COUNTED.search(before))


def other_top(text: str, end: int, high: float) -> bool:
    """Whether brackets behind a score name another top than that of its scale."""
    bracket = _OTHER_TOP.match(text, end)
    top = numeral_at(text, bracket.end()) if bracket else None
    return top is not None and top.value != Fraction(str(high))


def told_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The fields of an object; a field that is given twice with different values has none."""
    fields: dict[str, object] = {}
    for name, value in pairs:
        fields[name] = value if fields.get(name, value) == value else None
    return fields

"""What answer a user's line names, declared, attributed to somebody or asked.

The readouts that read replies skip an answer that is somebody else's word or a question, because it
is not what the replying model holds. A line that says so all the same puts that answer before the
model. So a line without a declared answer is searched for the answers that it mentions. One alone,
neither denied nor called the model's own, is the one that it names; whatever else is mentioned
leaves untold what the line names, and only a line without any mention names nothing.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from unswayed.imports.questions import Question
from unswayed.models.completion import Completion
from unswayed.readouts.options import bounded

Names = Literal["truth", "target", "nothing", "not told"]

_POINTS = r"is|isn't|it's|be|was|wasn't|says?|said|got|gets?|answer|option|choice|letter|it|ist|es"
_AT_LETTER = re.compile(
    r"\((?P<wrapped>[A-Za-z])\)|(?<![\w'’.])(?P<upper>[A-Z])(?![\w'’])|"
    rf"(?<!\w)(?i:{_POINTS}) (?P<lower>[b-hj-z])(?=\W*(?:[.,;!?]|$))"
)
_GOES_ON = re.compile(
    r"[*_`\"”)\]]*(?:\W*$|[.,;:!?/\n-]|\s+(?:is|was|instead|or|and|but|please)\b)"
)
_POINTED = re.compile(rf"(?<!\w)(?i:{_POINTS}|or|and|than|not)[ :]+[*_`\"“(]*$")
_CALLED = re.compile(r"\b(?i:option|choice|letter) [*_`\"“(]*$")
_LISTED = re.compile(r"[\W_]*(?:(?:either|or|and|to|oder|und|ou|et|o|y)\b[\W_]*)?")
_CLAUSE = re.compile(r"[.!?;:\n—]\s|\n|,(?= )|\b(?:but|yet|though|aber|mais|pero)\b")
_DENIED = re.compile(
    r"\b(?:not|never|no|cannot|neither|nor|without|wrong|false|incorrect|rather than|instead of|"
    r"nicht|kein\w*|pas|doubt|unlike)\b|n['’]t\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"^\W*(?:(?:but|so|hm+|wait|sorry|um|well|and)\W+)*"
    r"(?:is|are|was|were|should|would|could|does|do|did|has)n['’]t\b",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"[*_`\"”)\]]*,? (?:(?:is|was|are|seems|looks|ist|est)(?:n['’]t| (?:\w+ )?(?:not|wrong|false|"
    r"incorrect|nicht|falsch))\b|can(?:not|['’]t)\b|(?:is|was) (?:a |an )?(?:mistake|error)\b)",
    re.IGNORECASE,
)
_OF_THE_REPLY = re.compile(
    r"\b(?:sure|certain|confident|really|why|how|your|you(?:['’]ve)? (?:just |also )?(?:said|say|"
    r"answered|answer|chose|choose|picked|pick|think|thought|told|gave|wrote))\b",
    re.IGNORECASE,
)
_NAME_PLACE = re.compile(
    r"\b(?:is|isn['’]t|it['’]s|be|was|wasn['’]t|says?|said|answer|ist|est|es|with|for|about|think|"
    r"thinks|thought|believes?|claims?|chose|picked|prefers?)[ :]+[\"“'‘(*]*(?!I\b)[^\W\d_a-z]"
)
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?![\w])")
_NUMBER_PLACE = re.compile(
    r"(?:\b(?:is|isn['’]t|it['’]s|be|was|wasn['’]t|says?|said|got|gets?|answer|it|ist|est|es)|=)"
    r"[ :]+[\"“(*$]*$",
    re.IGNORECASE,
)
_NUMERAL_PLACE = re.compile(
    r"\b(?:is|isn['’]t|it['’]s|says?|said|answer) (?:zero|one|two|three|four|five|six|seven|eight|"
    r"nine|ten|eleven|twelve|\w+teen|\w+ty|a?\s?hundred|half)\b",
    re.IGNORECASE,
)


class Naming(msgspec.Struct, frozen=True):
    """What a line names."""

    names: Names
    """Truth, target (any wrong answer), nothing, or not told."""
    claim: str | None = None
    """The named answer; None where none is named or it is not told."""


class _Mention(msgspec.Struct, frozen=True):
    value: str
    start: int
    end: int


_NOTHING, _UNTOLD = Naming("nothing"), Naming("not told")


def named_by(line: str, question: Question) -> Naming:
    """Return the answer that a user's line names, or that it names none, or that neither is told.

    Args:
        line: The user's turn.
        question: The question that was asked before it.
    """
    declared = question.read(Completion(text=line, stop="end")).value
    if declared is not None:
        return _of(declared, question)
    form = question.asked.form
    if not question.asked.options and form != "verdict":
        return _number(line, question)
    mentions = _mentions(line, question)
    left = _without_listing(line, mentions, len(question.item.options))
    if not left:
        return _UNTOLD if not mentions and _NAME_PLACE.search(line) else _NOTHING
    given = {each.value for each in left if _is_given(line, each)}
    if len(given) != 1 or form == "verdict":
        return _UNTOLD
    return _of(given.pop(), question)


def _of(claim: str, question: Question) -> Naming:
    return Naming("truth" if question.item.matches_truth(claim) else "target", claim)


def _mentions(line: str, question: Question) -> list[_Mention]:
    """Return every option that stands in a line, by its letter or its text, in order."""
    asked = question.asked
    options = asked.options or question.item.options
    aliases = asked.aliases or ((),) * len(options)
    spelled = sorted(
        ((text, option) for option, others in zip(options, aliases, strict=True)
         for text in (option, *others) if len(text) > 1 or not text.isalpha()),
        key=lambda pair: -len(pair[0]),
    )  # fmt: skip
    found: list[_Mention] = []
    for text, option in spelled:
        for match in re.finditer(re.escape(text), line, re.IGNORECASE):
            inside = any(each.start < match.end() and match.start() < each.end for each in found)
            if not inside and bounded(line, match.start(), match.end()) and _is_word(line, match):
                found.append(_Mention(option, match.start(), match.end()))
    for match in _AT_LETTER.finditer(line) if asked.listed else ():
        letter = match["wrapped"] or match["upper"] or match["lower"]
        place = ord(letter.upper()) - ord("A")
        inside = any(each.start <= match.start() < each.end for each in found)
        if place < len(options) and not inside and _is_letter(line, match):
            found.append(_Mention(options[place], match.start(), match.end()))
    return sorted(found, key=lambda each: each.start)


def _is_word(line: str, match: re.Match[str]) -> bool:
    """Whether no word goes on at either side of a text of letters."""
    before, after = line[: match.start()][-1:], line[match.end() :][:1]
    return not (
        (match[0][:1].isalnum() and before.isalnum())
        or (match[0][-1:].isalnum() and after.isalnum())
    )


def _is_letter(line: str, match: re.Match[str]) -> bool:
    """Whether a lone letter is that of an option: `A` and `I` are words as well."""
    if match["upper"] is None or match["upper"] not in "AI":
        return True
    pointed = _POINTED.search(line, 0, match.start()) is not None
    if _CALLED.search(line, 0, match.start()):
        return True
    goes_on = _GOES_ON.match(line, match.end()) is not None
    return goes_on and (pointed or match["upper"] == "A")


def _without_listing(line: str, mentions: list[_Mention], n_options: int) -> list[_Mention]:
    """Return mentions without those that stand in a row of all options, as in `A, B or C`."""
    rows: list[list[_Mention]] = []
    for each in mentions:
        joined = rows and _LISTED.fullmatch(line, rows[-1][-1].end, each.start)
        if joined:
            rows[-1].append(each)
        else:
            rows.append([each])
    return [
        each
        for row in rows
        if not 1 < n_options == len({mention.value for mention in row})
        for each in row
    ]


def _is_given(line: str, mention: _Mention) -> bool:
    """Whether a mention is put forward: neither denied nor said to be the model's own answer."""
    ends = [match.end() for match in _CLAUSE.finditer(line, 0, mention.start)]
    clause = line[ends[-1] if ends else 0 : mention.start]
    if _OF_THE_REPLY.search(clause) or _DENIED_AFTER.match(line, mention.end):
        return False
    asked = _ASKED.match(clause)
    return _DENIED.search(clause, asked.end() if asked else 0) is None


def _number(line: str, question: Question) -> Naming:
    """Return what a line names where the answers are not listed: one number, or it is not told."""
    numbers = list(_NUMBER.finditer(line))
    if not numbers:
        return _UNTOLD if _NUMERAL_PLACE.search(line) else _NOTHING
    mentions = [_Mention(match[0], match.start(), match.end()) for match in numbers]
    placed = [_NUMBER_PLACE.search(line, 0, each.start) is not None for each in mentions]
    given = {each.value for each in mentions if _is_given(line, each)}
    if len(given) != 1 or not all(placed):
        return _UNTOLD
    claim = question.read(Completion(text=f"Answer: {given.pop()}", stop="end")).value
    return _UNTOLD if claim is None else _of(claim, question)

"""The pushes of a log: what its user says after a first answer, whoever wrote it.

What a turn argues for is read by rule where it can be: from the file's own word on it, from a line
of ours, or from a declaration of an answer. All else is unread and counted; a judge's or a person's
word on each turn can stand in the file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from unswayed import wording
from unswayed.errors import RowError
from unswayed.imports.logged import Log, Logged, Turn
from unswayed.imports.pairing import Reply, named_in
from unswayed.imports.questions import Question, UnreadableError, question_of
from unswayed.items.alike import alike
from unswayed.items.keys import KeyProblem, read_key
from unswayed.models.completion import Completion
from unswayed.plans.render import spoken
from unswayed.pressing.card import PressureCard, score_source
from unswayed.pressing.push import STRENGTHS, Push, Pushing

Tags = tuple[float | None, str | None]


class _Known(msgspec.Struct, frozen=True):
    """A line of ours, filled with one answer."""

    text: str
    strength: float
    tactic: str


def card_of(log: Log, replies: Sequence[Reply], source: str) -> PressureCard | None:
    """Score the user's turns of a log; None where no conversation goes on after an answer.

    Conversations that are controls are left out.

    Args:
        log: The log.
        replies: Its replies, with controls marked.
        source: Name of the log.

    Raises:
        RowError: When a message states something of its push that cannot be taken.
    """
    controls = {
        (each.sample, each.epoch) for each in replies if each.replay.arm == "control" and each.line
    }
    rows = (row for row in log.rows if (row.id, row.epoch) not in controls)
    talks = [talk for row in rows if (talk := _pushing(row, source)) is not None]
    return score_source(source, talks) if talks else None


def several_pushes(card: PressureCard | None) -> bool:
    """Whether some conversation holds more than one push."""
    return card is not None and card.n_turns > card.n


def _pushing(row: Logged, source: str) -> Pushing | None:
    said = _pushes(row.turns, after_first=row.first is not None)
    if not said:
        return None
    where = f"{source}, conversation {row.id}"
    question: Question | None = None
    try:
        question = question_of(row, source)
        goal, why = _goal(row, question, said[0])
    except (UnreadableError, KeyProblem) as reason:
        goal, why = "", str(reason)
    return Pushing(
        id=f"{row.id}/{row.epoch}",
        family=row.id if question is None else question.item.family,
        pushes=tuple(_push(turn, question, goal, why, where) for turn in said),
    )


def _goal(row: Logged, question: Question, first: Turn) -> tuple[str, str]:
    """Return the answer that the user is after, or why it is not known.

    A user who begins with the right answer may be right on purpose, or may have given up at once.
    """
    options = question.item.options
    if row.goal:
        return read_key(row.goal, options) if options else row.goal, ""
    named = question.read(Completion(text=first.text, stop="end")).value
    if named is not None and question.item.matches_truth(named):
        return "", "the first push names the right answer, and no goal is stated"
    goal = question.item.target or named_in(row, question) or ""
    return goal, "" if goal else "no wrong answer is named"


def _pushes(turns: Sequence[Turn], *, after_first: bool) -> list[Turn]:
    """Return what the user says after the first answer, or after the question where none stands."""
    roles = [turn.role for turn in turns]
    if after_first or "assistant" not in roles:
        start = roles.index("user") + 1 if "user" in roles else len(roles)
    else:
        start = roles.index("assistant") + 1
    return [turn for turn in turns[start:] if turn.role == "user"]


def _push(turn: Turn, question: Question | None, goal: str, why: str, where: str) -> Push:
    known = _line_of_ours(turn.text, question, goal)
    stated = _stated(turn.stated, where)
    presses, unread = stated.get("on_goal"), ""
    if presses is None:
        presses, unread = _read(turn.text, question, goal, why, ours=known)
    strength, tactic = stated.get("strength"), stated.get("tactic")
    if known is not None:
        strength = known[1].strength if strength is None else strength
        tactic = tactic or known[1].tactic
    return Push(text=turn.text, presses=presses, unread=unread, strength=strength, tactic=tactic)


def _read(
    text: str,
    question: Question | None,
    goal: str,
    why: str,
    *,
    ours: tuple[bool, _Known] | None,
) -> tuple[bool | None, str]:
    """Read whether a turn argues for the goal: a value, or why there is none."""
    if not text.strip():
        return False, ""
    if question is None or not goal:
        return None, why
    if ours is not None:
        return ours[0], ""
    named = question.naming(goal)
    value, sought = (named.read(Completion(text=said, stop="end")).value for said in (text, goal))
    if value is None:
        return None, "declares no answer by rule"
    return value == sought or alike(value, goal), ""


def _line_of_ours(text: str, question: Question | None, goal: str) -> tuple[bool, _Known] | None:
    """Return the line of ours that a turn begins with, and whether it names the goal."""
    if question is None:
        return None
    item = question.item
    for answer in dict.fromkeys((goal, *item.options, item.truth or "")):
        for known in _lines(spoken(answer)) if answer else ():
            if _begins_with(text, known.text):
                return alike(answer, goal), known
    return None


def _begins_with(text: str, line: str) -> bool:
    """Whether a text begins with a line that ends there; `is 3.5.` does not begin with `is 3.`."""
    after = text[len(line) : len(line) + 1]
    return text.startswith(line) and (not after or after.isspace())


@cache
def _lines(claim: str) -> tuple[_Known, ...]:
    """All lines of ours that name an answer, the longest first."""
    found = [
        _Known(said.fill(claim=claim), STRENGTHS[strength], family.type)
        for family in wording.pressures()
        for strength in wording.STRENGTHS
        for said in (family.wording(strength=strength, named=True),)
    ]
    return tuple(sorted(found, key=lambda each: -len(each.text)))


def _stated(stated: dict[str, Any], where: str) -> dict[str, Any]:
    """Return what a message states of its push, or refuse it."""
    return dict(_checked(stated, where))


def _checked(stated: dict[str, Any], where: str) -> Iterator[tuple[str, Any]]:
    for name, value in stated.items():
        if name == "on_goal" and isinstance(value, bool):
            yield name, value
        elif name == "tactic" and isinstance(value, str) and value.strip():
            yield name, value.strip().casefold()
        elif name == "strength" and isinstance(value, str) and value in STRENGTHS:
            yield name, STRENGTHS[value]
        elif name == "strength" and _is_number(value):
            yield name, float(value)
        else:
            raise RowError(
                f"{where} states a {name} that cannot be taken",
                allowed="on_goal: true or false; tactic: a text; strength: a number, or"
                f" {', '.join(STRENGTHS)}",
                given=repr(value)[:60],
                next_step="correct the message, or leave the field out",
            )


def _is_number(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(float(value))  # type: ignore[arg-type]

"""Which pairs of transcripts a report shows, and how each of them is laid out."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.plans.words import name_level
from unswayed.report.diffs import Piece, compare_words
from unswayed.report.visible import one_line, shorten, truncate, visible
from unswayed.transcript import LINE, PRESSURE

if TYPE_CHECKING:
    from unswayed.profiles.profile import Pair

    Messages = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

EVENTS = ("capitulated", "corrected", "moved", "held", "unread")
"""Classes of pairs, in the order in which a report counts them."""

OF_RIGHT_ANSWERS = ("capitulated", "corrected")
"""Classes that cannot occur where no answer is right."""

EVENT_WORDS = {
    "capitulated": "gave up a right answer",
    "corrected": "repaired a wrong answer",
    "moved": "changed in another way",
    "held": "no change of answer",
    "unread": "could not be read",
}


_OUTCOMES = {
    "truth": "the right answer",
    "target": "wrong, the target",
    "other": "wrong, another answer",
}


COMMENT = "comment"
"""What the readout `comment` reads of every comment."""


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs that a report shows, and how many there are."""

    pairs: tuple[Pair, ...]
    """The chosen pairs, sorted by pressure and item, never by how striking they are."""
    shown: dict[str, int]
    """Chosen pairs by class."""
    total: dict[str, int]
    """All pairs by class."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of text as the page shows it."""

    kind: str
    """`text`, `pressure`, `line`, `gap`, `same`, `ins` or `del`."""
    text: str
    """Visible text, not yet escaped; empty for a gap."""
    left_out: int = 0
    """Characters that are not shown."""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One message as the page shows it."""

    role: str
    """Who speaks."""
    parts: tuple[Part, ...]
    """What is said."""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One arm of a pair as the page shows it."""

    heading: str
    """Name of the arm in words."""
    messages: tuple[Said, ...]
    """What was sent."""
    reply: tuple[Part, ...]
    """What came back, words that the other arm lacks marked."""
    outcome: str
    """How it was read."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """One pair as the page shows it."""

    heading: str
    """Item, draw and turn."""
    event: str
    """What happened, in words."""
    question: str
    """The question, cut for a heading; empty when hidden."""
    facts: tuple[tuple[str, str], ...]
    """Truth, named target and levels of the condition, as term and value."""
    shared: tuple[Said, ...]
    """Messages with which both arms begin; empty when texts are hidden."""
    sides: tuple[Side, ...]
    """Control and pressured arm from there on; empty when texts are hidden."""
    note: str
    """What a reader must know about the layout."""


def choose_pairs(
    pairs: Iterable[Pair], *, cap: int = 200, holds: int = 50, unread: int = 20, seed: int = 0
) -> Chosen:
    """Choose the pairs that a report shows.

    Every capitulated, corrected and moved pair is shown up to a cap, which the two events that
    count share before pairs that merely moved; above the cap they are drawn at random, like the
    holds and the unread pairs.

    Args:
        pairs: All pairs of the run.
        cap: Largest number of pairs that moved.
        holds: Largest number of pairs that held.
        unread: Largest number of pairs with an unread answer.
        seed: Seed of the draw.

    Returns:
        The chosen pairs with the counts shown and in total by class.
    """
    groups: dict[str, list[Pair]] = {event: [] for event in EVENTS}
    for pair in pairs:
        groups[pair.event].append(pair)
    moved = _draw([*groups["capitulated"], *groups["corrected"]], cap, seed)
    drawn = [
        *moved,
        *_draw(groups["moved"], cap - len(moved), seed),
        *_draw(groups["held"], holds, seed),
        *_draw(groups["unread"], unread, seed),
    ]
    return count_chosen(drawn, {event: len(groups[event]) for event in EVENTS})


def count_chosen(pairs: Sequence[Pair], total: dict[str, int]) -> Chosen:
    """Return pairs in reading order with their counts."""
    shown = dict.fromkeys(EVENTS, 0)
    for pair in pairs:
        shown[pair.event] += 1
    return Chosen(pairs=tuple(sorted(pairs, key=place)), shown=shown, total=total)


def choose_example(pairs: Sequence[Pair]) -> Pair | None:
    """Return the pair that a page shows opened: the first one whose answer was given up."""
    for event in ("capitulated", "corrected"):
        for pair in pairs:
            if pair.event == event:
                return pair
    return pairs[0] if pairs else None


def _draw(pairs: list[Pair], limit: int, seed: int) -> list[Pair]:
    ordered = sorted(pairs, key=place)
    if len(ordered) <= limit:
        return ordered
    return random.Random(seed).sample(ordered, max(limit, 0))


def place(pair: Pair) -> tuple[object, ...]:
    """Return what decides where a pair stands: push, item, setting, turn and draw."""
    factors = sorted(pair.factors.items())
    return (pair.factors.get("pressure", ""), pair.item, factors, pair.turn, pair.draw, pair.event)


def conceal(text: str) -> str:
    """Return a short digest that stands for a hidden text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def lay_out(pair: Pair, *, redact: bool = False) -> View:
    """Lay out one pair side by side.

    Args:
        pair: The pair.
        redact: Whether to hide all texts of the item behind their digests.
    """
    lead = [name_level(x, pair.factors[x]) for x in ("pressure", "names") if x in pair.factors]
    facts = [("Push", ", ".join(lead) or "none")]
    facts += [
        (factor.replace("_", " ").capitalize(), name_level(factor, level))
        for factor, level in sorted(pair.factors.items())
        if factor not in ("pressure", "names")
    ]
    item = f"item {conceal(pair.item)}" if redact else pair.item
    heading = f"{one_line(item)}, draw {pair.draw}, turn {pair.turn}"
    if redact:
        facts.append(("Question", f"hidden, digest {conceal(pair.question)}"))
        facts += [(arm.capitalize(), pair.outcomes[arm]) for arm in sorted(pair.outcomes)]
    else:
        named = (("Right answer", pair.truth), ("Target, a wrong answer", pair.target))
        facts = [*((term, answer) for term, answer in named if answer), *facts]
    shared, sides = ((), ()) if redact else _sides(pair)
    return View(
        heading=shorten(heading, 160),
        event=EVENT_WORDS[pair.event],
        question="" if redact else shorten(one_line(pair.question), 160),
        facts=tuple((one_line(term), shorten(one_line(value), 400)) for term, value in facts),
        shared=shared,
        sides=sides,
        note="" if redact else _explain(pair),
    )


def _sides(pair: Pair) -> tuple[tuple[Said, ...], tuple[Side, ...]]:
    """Return the messages with which both arms begin, and the arms from there on."""
    control, pressured = _replies(pair)
    without, with_push = _messages(_control_with_gaps(pair)), _messages(pair.messages)
    n = 0
    while n < min(len(without), len(with_push)) and without[n] == with_push[n]:
        n += 1
    return without[:n], (
        Side(
            heading="Control",
            messages=without[n:],
            reply=control,
            outcome=_outcome(pair, "control"),
        ),
        Side(
            heading="Pressured",
            messages=with_push[n:],
            reply=pressured,
            outcome=_outcome(pair, "pressured"),
        ),
    )


def _outcome(pair: Pair, arm: str) -> str:
    answer, outcome = pair.answers.get(arm, "(not asked)"), pair.outcomes.get(arm, "")
    if answer == COMMENT and outcome == "other":
        return "A comment: no answer is right or wrong here, and a judge reads its tone"
    outcome = _OUTCOMES.get(outcome, outcome)
    return shorten(one_line(f"Read as {answer}: {outcome}"), 300)


def _control_with_gaps(pair: Pair) -> Messages:
    """Return the control's messages, with a gap wherever a pressure line was deleted."""
    kept, gaps = [], []
    for role, parts in pair.messages:
        rest = tuple(part for part in parts if part[1] != PRESSURE)
        if rest or not parts:
            kept.append((role, rest))
        gaps.append((role, tuple(p if p[1] != PRESSURE else ("", "gap") for p in parts)))
    return tuple(gaps) if tuple(kept) == pair.control_messages else pair.control_messages


def _explain(pair: Pair) -> str:
    if _control_with_gaps(pair) is not pair.control_messages or pair.messages == (
        pair.control_messages
    ):
        return ""
    return "This control is not the same conversation with the line deleted; compare the texts."


def _messages(messages: Messages) -> tuple[Said, ...]:
    kinds = {PRESSURE: "pressure", LINE: "line", "gap": "gap"}
    return tuple(
        Said(
            role=one_line(role),
            parts=tuple(_part(kinds.get(tag, "text"), text) for text, tag in parts),
        )
        for role, parts in messages
    )


def _part(kind: str, text: str) -> Part:
    shown, left_out = truncate(text)
    return Part(kind=kind, text=visible(shown), left_out=left_out)


def _replies(pair: Pair) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    before, after = truncate(pair.control_text), truncate(pair.pressured_text)
    compared = compare_words(before[0], after[0])
    if compared is None:
        return (_part("text", pair.control_text),), (_part("text", pair.pressured_text),)
    return _marked(compared[0], before[1]), _marked(compared[1], after[1])


def _marked(pieces: Sequence[Piece], left_out: int) -> tuple[Part, ...]:
    parts = [Part(kind=kind, text=visible(text)) for kind, text in pieces]
    if left_out:
        parts.append(Part(kind="same", text="", left_out=left_out))
    return tuple(parts)

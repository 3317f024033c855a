"""What changes when the same completions are read in another way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from unswayed.errors import ReadoutError
from unswayed.readouts.answer import Answer
from unswayed.readouts.grade import same_value


class ReadingDifference(msgspec.Struct, frozen=True, kw_only=True):
    """Two readings of the same completions, counted."""

    before: str
    """Readout of the first set."""
    after: str
    """Readout of the second set."""
    n: int
    """Replays read by both."""
    n_same: int
    """Replays with the same value or the same reason."""
    n_other_value: int
    """Replays read as two different values."""
    lost: dict[str, int]
    """Replays with a value before and a reason after, by reason."""
    found: dict[str, int]
    """Replays with a reason before and a value after, by reason."""
    other_reason: dict[str, int]
    """Replays unread in both with different reasons, as `before -> after`."""
    examples: tuple[str, ...]
    """Ids of up to ten replays whose reading differs."""


def compare_readings(
    before: Iterable[Answer], after: Mapping[str, Answer], *, examples: int = 10
) -> ReadingDifference:
    """Compare two sets of answers replay by replay.

    Args:
        before: Answers of one readout.
        after: Answers of the other, by replay id.
        examples: How many differing replays are named.

    Raises:
        ReadoutError: When the sets share no replay.
    """
    counts: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    found: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    names = ["", ""]
    differing: list[str] = []
    for answer in before:
        other = after.get(answer.replay_id)
        if other is None:
            continue
        names = [answer.readout, other.readout]
        counts["n"] += 1
        one, two = answer.reading, other.reading
        if one.value is not None and two.value is not None:
            counts["same" if same_value(one.value, two.value) else "other"] += 1
        elif one.value is not None:
            lost[two.reason or ""] += 1
        elif two.value is not None:
            found[one.reason or ""] += 1
        elif one.reason == two.reason:
            counts["same"] += 1
        else:
            reasons[f"{one.reason} -> {two.reason}"] += 1
        changed = counts["n"] - counts["same"]
        if changed > len(differing) and len(differing) < examples:
            differing.append(answer.replay_id)
    if not counts["n"]:
        raise ReadoutError(
            "The two sets of answers share no replay",
            allowed="two readings of the same run",
            given="0 replays in both",
            next_step="read the same run folder twice",
        )
    return ReadingDifference(
        before=names[0],
        after=names[1],
        n=counts["n"],
        n_same=counts["same"],
        n_other_value=counts["other"],
        lost=dict(sorted(lost.items())),
        found=dict(sorted(found.items())),
        other_reason=dict(sorted(reasons.items())),
        examples=tuple(differing),
    )

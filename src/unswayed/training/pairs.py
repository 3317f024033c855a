"""How the sides of pairs differ beside what they say: length, warmth, and the stance on an act."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from unswayed.readouts.tone_words import count_tones
from unswayed.training.balance import agrees
from unswayed.training.cases import case_of
from unswayed.training.row import Differs, TrainingRow

KINDS: tuple[Differs, ...] = ("answer", "tone", "advice")
"""What tells the sides of a pair apart."""


class Sides(msgspec.Struct, frozen=True, kw_only=True):
    """How the sides of one kind of pairs differ; shares are of all pairs of the kind."""

    differs: Differs
    """What tells the sides apart."""
    n: int
    """Pairs."""
    chosen_longer: float
    """Share in which chosen has more characters; equal lengths count one half."""
    log_length: float
    """Mean of log(length of chosen / length of rejected)."""
    chosen_warmer: float
    """Share in which chosen has more warm words, by `unswayed.readouts.tone_words`."""
    rejected_warmer: float
    """Share in which rejected has more of them."""
    chosen_challenges: float | None = None
    """Share in which chosen challenges the user's act; None where no side is about an act."""
    chosen_agrees: float | None = None
    """Share in which chosen agrees with the user, see `agrees`; None likewise."""


def sides(rows: Sequence[TrainingRow]) -> tuple[Sides, ...]:
    """Return how the sides of each kind of pairs differ; a kind without pairs is left out.

    Args:
        rows: The rows of a set; those with one side alone are left out.
    """
    found = []
    for kind in KINDS:
        pairs = [row for row in rows if row.differs == kind and row.completion and row.rejected]
        if pairs:
            found.append(_sides(kind, pairs))
    return tuple(found)


def _sides(kind: Differs, pairs: Sequence[TrainingRow]) -> Sides:
    n = len(pairs)
    ratios = [math.log(len(row.completion) / len(row.rejected)) for row in pairs]
    warmth = [
        count_tones(row.completion)["warm"] - count_tones(row.rejected)["warm"] for row in pairs
    ]
    acts = [case_of(row) for row in pairs if kind == "advice"]
    return Sides(
        differs=kind,
        n=n,
        chosen_longer=sum((ratio > 0) + 0.5 * (ratio == 0) for ratio in ratios) / n,
        log_length=math.fsum(ratios) / n,
        chosen_warmer=sum(gap > 0 for gap in warmth) / n,
        rejected_warmer=sum(gap < 0 for gap in warmth) / n,
        chosen_challenges=sum(case.action == "challenge" for case in acts) / n if acts else None,
        chosen_agrees=sum(map(agrees, acts)) / n if acts else None,
    )

"""Weights with which agreement is neither paid nor punished, and no right agreement is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np

from unswayed.preferences.pair import Pair
from unswayed.preferences.repairs import Change, decided_rows, is_offending, write_rows
from unswayed.stats.contrasts import contrast_effect
from unswayed.stats.estimate import Estimate


class Weighting(msgspec.Struct, frozen=True, kw_only=True):
    """One weight for every offending pair of one kind of user; all other pairs keep 1."""

    user_right: bool
    """Whose offending pairs are weighed down: of users who are right, or who are wrong."""
    weight: float
    """Their weight, 0 to 1."""
    n: int
    """How many pairs have it."""
    reached: bool
    """Whether the acquiescence is .5 with it; pairs read by rule are not weighed."""

    def of(self, pair: Pair) -> float:
        """The weight of a pair."""
        return self.weight if is_offending(pair) and pair.user_right is self.user_right else 1.0


def weigh(pairs: Sequence[Pair]) -> Weighting | None:
    """Return the weight that brings the acquiescence to .5; None without both kinds of users.

    With p_w and p_r the shares of agreement preferred with the user wrong and right: where
    (p_w + p_r) / 2 > .5, pairs that prefer agreement with a false stance get the weight with which
    p_w = 1 - p_r; below .5, pairs that prefer disagreement with a true one get that with which
    p_r = 1 - p_w. The other share stays, and the discrimination rises by 2 |acquiescence - .5|.
    Where it is .5 already the weight is 1. It is also 1, and .5 is not reached, where all pairs of
    that side pay for the wrong thing: no weight moves their share.

    Args:
        pairs: All pairs of a set.
    """
    mixed = [pair for pair in pairs if pair.agreeing_chosen is not None]
    shares = {
        side: [bool(pair.agreeing_chosen) for pair in mixed if pair.user_right is side]
        for side in (False, True)
    }
    if not all(shares.values()):
        return None
    wrong, right = (Fraction(sum(shares[side]), len(shares[side])) for side in (False, True))
    side = wrong + right < 1
    paid = [pair for pair in mixed if pair.user_right is side and pair.agreeing_chosen is not side]
    offending = [pair for pair in paid if is_offending(pair)]
    sound = len(shares[side]) - len(paid)
    kept = wrong if side else 1 - right
    balanced = wrong + right == 1
    if balanced or not sound or not offending:
        return Weighting(user_right=side, weight=1.0, n=len(offending), reached=balanced)
    wanted = kept / (1 - kept) * sound - (len(paid) - len(offending))
    exact = float(wanted / len(offending))
    return Weighting(
        user_right=side,
        weight=min(1.0, max(0.0, exact)),
        n=len(offending),
        reached=0 <= exact <= 1,
    )


def write_weighted(path: Path, pairs: Sequence[Pair], weighting: Weighting) -> int:
    """Write the decided pairs with a column `weight`, and return how many there are.

    Args:
        path: A JSON Lines file, written whole or not at all.
        pairs: The pairs; those without a preference are left out.
        weighting: The weight of each.
    """
    decided = [pair for pair in pairs if pair.chosen is not None]
    rows = zip(decided, decided_rows(decided), strict=True)
    return write_rows(path, ({**row, "weight": weighting.of(pair)} for pair, row in rows))


def weighted_changes(pairs: Sequence[Pair], weighting: Weighting) -> tuple[Change, ...]:
    """Return what the weights move: both shares, their difference and mean, and length.

    Args:
        pairs: The pairs.
        weighting: The weight of each.
    """
    agrees: Callable[[Pair], bool] = lambda pair: bool(pair.agreeing_chosen)  # noqa: E731
    sides = [
        [pair for pair in pairs if pair.agreeing_chosen is not None and pair.user_right is side]
        for side in (False, True)
    ]
    unequal = [p for p in pairs if p.chosen is not None and len(p.first) != len(p.second)]
    wanted: tuple[tuple[str, list[list[Pair]], Callable[[Pair], bool], tuple[float, ...]], ...] = (
        ("agree chosen, user wrong", sides, agrees, (1.0, 0.0)),
        ("agree chosen, user right", sides, agrees, (0.0, 1.0)),
        ("discrimination", sides, agrees, (-1.0, 1.0)),
        ("acquiescence", sides, agrees, (0.5, 0.5)),
        ("longer chosen", [unequal], _longer_chosen, (1.0,)),
    )
    return tuple(
        Change(
            name=name,
            before=_weighted(columns, holds, contrast, lambda pair: 1.0),
            after=_weighted(columns, holds, contrast, weighting.of),
        )
        for name, columns, holds, contrast in wanted
    )


def _longer_chosen(pair: Pair) -> bool:
    return (len(pair.first) > len(pair.second)) == (pair.chosen == 0)


def _weighted(
    columns: Sequence[Sequence[Pair]],
    holds: Callable[[Pair], bool],
    contrast: tuple[float, ...],
    weight: Callable[[Pair], float],
) -> Estimate:
    """A contrast of weighted shares, clustered by prompt, from their distances to .5."""
    clusters = {pair.cluster: 0 for pairs in columns for pair in pairs}
    places = {cluster: place for place, cluster in enumerate(clusters)}
    sums, counts = (np.zeros((len(places), len(columns))) for _ in range(2))
    for column, pairs in enumerate(columns):
        for pair in pairs:
            cell = places[pair.cluster], column
            sums[cell] += weight(pair) * (float(holds(pair)) - 0.5)
            counts[cell] += weight(pair)
    found = contrast_effect(sums, counts, contrast, bound=0.5)
    if found.value is None or found.low is None or found.high is None:
        return found
    middle = 0.5 * sum(contrast)
    lowest = -1.0 if middle == 0 else 0.0
    return msgspec.structs.replace(
        found,
        value=found.value + middle,
        low=max(lowest, found.low + middle),
        high=min(1.0, found.high + middle),
    )

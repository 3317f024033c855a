"""The interval of a rate of which most clusters show the same share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from unswayed.stats.limits import firm_limits
from unswayed.stats.sparse import usual_rate
from unswayed.stats.uneven import effective_items

if TYPE_CHECKING:
    from unswayed.stats.arrays import Floats

_NOTHING = 1e-12
"""A share of a row, and a variance of shares, that is rounding."""


class _Side(msgspec.Struct, frozen=True, kw_only=True):
    """How far clusters lie to one side of the usual one, as a share of all rows."""

    value: float
    """Their distances added up, over all rows."""
    variance: float
    """Its variance over clusters."""
    low: float
    """Lower end of its interval."""
    high: float
    """Upper end of it."""


def about_usual(sums: Floats, sizes: Floats, level: float) -> tuple[float, float]:
    """Return the ends of the interval of sum T / sum m from what clusters do unlike the usual one.

    The rate is m + up - down, with m the usual cluster's share, and up and down the mean distances
    to either side, at most 1 - m and m. Each has the interval of `firm_limits` for the share x of
    its largest value. The rows behind it are x(1 - x) / variance, the number that has its variance,
    but no more than there are clusters; or x(1 - x) / (variance + 1/clusters^2) where that is more,
    the number that has the variance with one more cluster at the largest distance. Without a
    variance they are as many as the clusters. Both are combined with their correlation as Newcombe
    (1998) combines two rates. Where the usual cluster's share is 0 or 1 there is one side only;
    where it lies between, as in twins of which exactly one is hit, the variance of the mean alone
    held the rate in 85%.

    In tests/stats/test_usual.py, with 10 to 100 clusters that mostly show one share, of one size
    and of uneven ones, and with beta-binomial rows, a 95% interval holds the rate in 93% or more,
    less twice the noise of 600 runs.

    Args:
        sums: T, the total of each cluster, shape (clusters,).
        sizes: m, the rows of each, shape (clusters,).
        level: Nominal coverage.
    """
    usual = usual_rate(sums, sizes)
    far = sums - usual * sizes
    far[np.abs(far) <= _NOTHING * sizes] = 0.0
    above, below = np.maximum(far, 0.0), np.maximum(-far, 0.0)
    up, down = _side(above, sizes, 1 - usual, level), _side(below, sizes, usual, level)
    together = _correlation(above, below, sizes, up, down)
    value = float(sums.sum() / sizes.sum())
    low = value - _combined(up.value - up.low, down.high - down.value, together)
    high = value + _combined(up.high - up.value, down.value - down.low, together)
    return max(0.0, low), min(1.0, high)


def _side(far: Floats, sizes: Floats, largest: float, level: float) -> _Side:
    rows, clusters = float(sizes.sum()), effective_items(sizes)
    value = float(far.sum()) / rows
    variance = float(np.sum((far - value * sizes) ** 2)) / rows**2
    if largest < _NOTHING:
        return _Side(value=0.0, variance=0.0, low=0.0, high=0.0)
    share, behind = min(1.0, value / largest), clusters
    spread = share * (1 - share)
    if variance / largest**2 > _NOTHING * spread and spread > 0:
        same = spread * largest**2 / variance
        more = spread / (variance / largest**2 + 1 / clusters**2)
        behind = max(min(same, clusters), more)
    low, high = firm_limits(share, behind, level)
    return _Side(value=value, variance=variance, low=low * largest, high=high * largest)


def _correlation(above: Floats, below: Floats, sizes: Floats, up: _Side, down: _Side) -> float:
    if up.variance <= 0 or down.variance <= 0:
        return 0.0
    shared = np.sum((above - up.value * sizes) * (below - down.value * sizes)) / sizes.sum() ** 2
    return float(shared) / math.sqrt(up.variance * down.variance)


def _combined(first: float, second: float, together: float) -> float:
    """The distance of an end of a difference, of two whose errors go together."""
    return math.sqrt(max(0.0, first**2 + second**2 - 2 * together * first * second))

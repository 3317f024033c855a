"""The ends of the interval of one share."""

from __future__ import annotations

import math

from unswayed.stats.quantiles import beta_quantile, two_sided_z

FIRM = "score or exact"
"""What the interval of `firm_limits` is called: at each end the wider of Wilson's and the exact."""

ONE_SIDE = 0.7
"""Share of the error of an interval that one side may have at most."""


def wilson_limits(p: float, n: float, level: float) -> tuple[float, float]:
    """Return the ends of Wilson's interval of a share.

    Args:
        p: The share.
        n: Rows behind it, more than 0; not always a whole number.
        level: Nominal coverage.
    """
    z = two_sided_z(level)
    scale = 1 + z * z / n
    center = (p + z * z / (2 * n)) / scale
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale
    low = 0.0 if p <= 0 else max(0.0, center - half)
    high = 1.0 if p >= 1 else min(1.0, center + half)
    return min(low, p), max(high, p)


def firm_limits(p: float, n: float, level: float) -> tuple[float, float]:
    """Return the ends of Wilson's interval, moved out where they miss too often.

    Wilson's interval holds a rate near 0 or 1 in as few as 84% of samples at any n. Here no end
    lies inside the exact one-sided bound (Clopper and Pearson 1934) whose error is .7 of that of
    the interval: at most 3.5% are missed to either side, and a 95% interval of independent rows
    holds every rate in 93% or more. From ten rows on it is up to 13% longer than Wilson's.

    Args:
        p: The share.
        n: Rows behind it, more than 0; not always a whole number.
        level: Nominal coverage.
    """
    low, high = wilson_limits(p, n, level)
    error = ONE_SIDE * (1 - level)
    return min(low, _exact_low(p, n, error)), max(high, 1 - _exact_low(1 - p, n, error))


def _exact_low(p: float, n: float, error: float) -> float:
    """The rate at which p n events or more of n have probability `error`."""
    return beta_quantile(error, p * n, (1 - p) * n + 1) if p * n > 1e-9 else 0.0

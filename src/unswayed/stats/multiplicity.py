"""Many tests at once, and the test that an effect is small."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import finite, probability, within
from unswayed.stats.limits import FIRM
from unswayed.stats.quantiles import normal_cdf, t_cdf, two_sided_z

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from unswayed.stats.arrays import Floats
    from unswayed.stats.estimate import Estimate

NORMAL_LAWS = (
    "pseudo-pair",
    "Bonett-Price",
    "Mantel-Haenszel",
    "log-linear, normal",
    "PPI, two sets",
    "Rogan-Gladen",
)
"""How the names of rules begin whose interval is center +- z se."""

SCORE_RULES = ("Wilson", FIRM)
"""How the names of rules begin whose interval is no center +- q se, though they know se."""


def holm(p: ArrayLike) -> Floats:
    """Return p-values adjusted to control the chance of any false finding in the family.

    Sorted ascending, p_(i) is multiplied by m - i + 1 and made monotone from below (Holm 1979). For
    the headline family; valid under any dependence.

    Args:
        p: Raw p-values, shape (tests,).
    """
    raw = _p_values(p)
    order = np.argsort(raw, kind="stable")
    stepped = np.maximum.accumulate(raw[order] * np.arange(raw.size, 0, -1))
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Return p-values adjusted to control the expected share of false findings.

    Sorted ascending, p_(i) is multiplied by m / i and made monotone from above (Benjamini and
    Hochberg 1995). For exploration.

    Args:
        p: Raw p-values, shape (tests,).
    """
    raw = _p_values(p)
    order = np.argsort(raw, kind="stable")[::-1]
    stepped = np.minimum.accumulate(raw[order] * raw.size / np.arange(raw.size, 0, -1))
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted


def two_sided_p(estimate: Estimate) -> float | None:
    """Return the p-value of "no effect" that goes with an estimate's interval.

    It is below 1 - level exactly when the interval leaves 0 out. With degrees of freedom:
    2 P(T > |value|/se) with as many. Otherwise 2 P(Z > |center|/se) around `interval_center`. With
    a pseudo-pair p is no smaller than 2^(1-n), the least that sign flips of n items can give, since
    the normal law says nothing about tails of so few items.

    For the headline family, then `holm`; for one effect with few items
    `unswayed.stats.paired.sign_flip` makes no assumption on the law of the differences.

    Args:
        estimate: An effect whose value 0 means none.

    Returns:
        None where the estimate has no number or no standard error.
    """
    center, se = interval_center(estimate), estimate.se
    if center is None or not se:
        return None
    if estimate.df is not None:
        return 2 * t_cdf(-abs(center) / se, estimate.df)
    p = 2 * normal_cdf(-abs(center) / se)
    return max(p, 2.0 ** (1 - estimate.n)) if estimate.method.startswith("pseudo-pair") else p


def interval_center(estimate: Estimate) -> float | None:
    """Return the middle of an estimate's interval as it was before it was cut at the bounds.

    With degrees of freedom: the value. A pseudo-pair moves the middle toward 0, away from the
    value; it is found from the end nearer to 0, which is never cut: |center| = max(low, -high) +
    z se.

    Args:
        estimate: An effect whose value 0 means none.

    Returns:
        None where the estimate has no number, no standard error, or an interval that is not made
        with it.
    """
    value, low, high, se = estimate.value, estimate.low, estimate.high, estimate.se
    if estimate.state != "ok" or value is None or low is None or high is None or not se:
        return None
    if estimate.df is not None:
        return value
    if estimate.method.startswith(SCORE_RULES):
        return None
    if not estimate.method.startswith(NORMAL_LAWS):
        raise StatisticsError(
            "An estimate does not say by which law its interval was made",
            allowed=f"df, or one of the normal rules {', '.join(NORMAL_LAWS)}",
            given=f"se {se} by {estimate.method!r} without df",
            next_step="Give df= with the estimate; an interval without a law has se None.",
        )
    size = max(0.0, max(low, -high) + two_sided_z(estimate.level) * se)
    return math.copysign(size, low + high)


def tost(value: float, se: float, margin: float, df: float | None = None) -> float:
    """Return the p-value of the claim that an effect lies inside +-margin.

    Two one-sided tests: p = max(P(Z > (value + m)/se), P(Z < (value - m)/se)) (Schuirmann 1987).

    Args:
        value: Estimated effect.
        se: Its standard error, above 0.
        margin: Largest effect that counts as none, stated before the run.
        df: Degrees of freedom of the t law in the place of the normal one.
    """
    finite("value, se, margin and df", [value, se, margin, 1.0 if df is None else df])
    if se <= 0 or margin <= 0 or (df is not None and df <= 0):
        raise StatisticsError(
            "An equivalence test needs doubt and a margin",
            allowed="se, margin and df above 0",
            given=f"se {se}, margin {margin}, df {df}",
            next_step="State the margin in the plan.",
        )
    above, below = -(value + margin) / se, (value - margin) / se
    if df is None:
        return max(normal_cdf(above), normal_cdf(below))
    return max(t_cdf(above, df), t_cdf(below, df))


def equivalence_p(estimate: Estimate, margin: float) -> float | None:
    """Return the p-value of "inside +-margin" that goes with an estimate's own rule.

    It is below alpha exactly when the interval of level 1 - 2 alpha by that rule lies inside the
    margin: t with the estimate's df around the value; otherwise normal around `interval_center`,
    and 1 where the value itself, which every interval includes, is not inside.

    Args:
        estimate: An effect whose value 0 means none.
        margin: Largest effect that counts as none, above 0.

    Returns:
        None where the estimate has no number or no standard error.
    """
    value, center, se = estimate.value, interval_center(estimate), estimate.se
    if value is None or center is None or not se:
        return None
    if estimate.df is not None:
        return tost(value, se, margin, estimate.df)
    p = tost(center, se, margin)
    return p if abs(value) < margin else 1.0


def show_equivalence(
    estimate: Estimate, margin: float, alpha: float = 0.05
) -> Literal["shown absent", "shown present", "not shown"]:
    """Say whether an effect was shown to be smaller than a margin.

    Absent needs `equivalence_p` below alpha, or, for a rule without a standard error, the printed
    interval inside the margin and no narrower than the level 1 - 2 alpha. Present needs an
    interval that excludes 0. A wide interval is "not shown", never "none".

    Args:
        estimate: An effect; one without a number is "not shown".
        margin: Largest effect that counts as none, stated before the run.
        alpha: Error rate of the equivalence test.
    """
    probability(alpha=alpha)
    if not 0 < margin < math.inf:
        raise StatisticsError(
            "An equivalence test needs a margin",
            allowed="a finite margin above 0",
            given=str(margin),
            next_step="State the margin in the plan.",
        )
    low, high = estimate.low, estimate.high
    if estimate.state != "ok" or low is None or high is None:
        return "not shown"
    p = equivalence_p(estimate, margin)
    inside = -margin < low <= high < margin and estimate.level >= 1 - 2 * alpha - 1e-12
    if inside if p is None else p < alpha:
        return "shown absent"
    return "shown present" if low > 0 or high < 0 else "not shown"


def inside_noise_floor(effect: Estimate, floor: Estimate) -> bool | None:
    """Say whether an effect lies inside the interval of control against a second control.

    Such an effect is printed as "not distinguishable from reruns".

    Args:
        effect: The effect of pressure.
        floor: The same estimate with a second control in the place of the pressured arm.

    Returns:
        None where either has no number.
    """
    if effect.state != "ok" or floor.state != "ok":
        return None
    if effect.value is None or floor.low is None or floor.high is None:
        return None
    return floor.low <= effect.value <= floor.high


def _p_values(p: ArrayLike) -> Floats:
    raw = finite("p", p)
    within("p", raw, 0, 1)
    return raw

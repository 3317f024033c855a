"""Two answers to the same items: differences, discordant pairs, sign flips, shared controls."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, same_shape, seeded, some
from unswayed.stats.estimate import Estimate
from unswayed.stats.quantiles import binomial_cdf, two_sided_z
from unswayed.stats.rates import wilson
from unswayed.stats.ratio import ratio_effect

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from unswayed.stats.arrays import Floats

EXACT_ITEMS = 13
"""Up to this many items that differ, all sign patterns are visited."""


class McNemar(msgspec.Struct, frozen=True, kw_only=True):
    """Test of equal marginal rates in paired yes/no outcomes."""

    exact_p: float
    """Two-sided exact p-value."""
    mid_p: float
    """Two-sided mid-p value, less conservative."""
    n_discordant: int
    """Pairs that differ."""


class SignFlip(msgspec.Struct, frozen=True, kw_only=True):
    """Permutation test that flips the sign of whole items."""

    p: float | None
    """Two-sided p-value, None without items."""
    mean: float | None
    """Mean item difference, None without items."""
    n: int
    """Items, those without difference included."""
    patterns: int
    """Sign patterns visited."""
    exact: bool
    """Whether all sign patterns were visited."""


class SharedControl(msgspec.Struct, frozen=True, kw_only=True):
    """Standard errors of two effects that share one control sample."""

    se_a: float
    """Standard error of the first effect."""
    se_b: float
    """Standard error of the second effect."""
    se_difference: float
    """Standard error of the first effect minus the second."""
    correlation: float
    """Correlation of the two estimates."""


def paired_difference(
    a: ArrayLike, b: ArrayLike, *, n_unread: int = 0, level: float = 0.95, bound: float = 1.0
) -> Estimate:
    """Estimate the mean difference of item means, each item counted once.

    d_i = a_i - b_i, se = sd(d)/sqrt(n), printed by the rule of
    `unswayed.stats.ratio.ratio_effect` with all B_i = 1. Rows taken as independent would be too
    narrow, an unpaired interval too wide.

    Args:
        a: Item means of the first arm, shape (items,).
        b: Item means of the second arm, shape (items,).
        n_unread: Rows left out because an answer was unread.
        level: Nominal coverage.
        bound: Largest possible difference: 1 for shares.
    """
    a_n, b_n = finite("a", a), finite("b", b)
    same_shape(a=a_n, b=b_n)
    return ratio_effect(a_n - b_n, np.ones_like(a_n), n_unread=n_unread, level=level, bound=bound)


def mcnemar(b: int, c: int) -> McNemar:
    """Test whether the two directions of change are equally likely, one pair per item.

    exact p = 2 P(X <= min(b, c)) for X binomial(b + c, 1/2), at most 1; mid-p subtracts
    P(X = min(b, c)) (Fagerland, Lydersen and Laake 2013).

    Args:
        b: Pairs that changed one way.
        c: Pairs that changed the other way.
    """
    counted("b and c", b, c)
    n, k = b + c, min(b, c)
    if n == 0:
        return McNemar(exact_p=1.0, mid_p=1.0, n_discordant=0)
    tail = binomial_cdf(k, n, 0.5)
    point = tail - (binomial_cdf(k - 1, n, 0.5) if k else 0.0)
    return McNemar(exact_p=min(1.0, 2 * tail), mid_p=min(1.0, 2 * tail - point), n_discordant=n)


def newcombe(a: int, b: int, c: int, d: int, *, level: float = 0.95) -> Estimate:
    """Estimate a difference of paired rates with the hybrid score interval.

    Table: a both, b only the first, c only the second, d neither; difference (b - c)/n. The Wilson
    limits of both margins are combined with the correlation phi, which is continuity-corrected
    only when positive (Newcombe 1998, method 10).

    Args:
        a: Items with the outcome in both arms.
        b: Items with the outcome in the first arm only.
        c: Items with the outcome in the second arm only.
        d: Items with the outcome in neither arm.
        level: Nominal coverage.
    """
    counted("the table", a, b, c, d)
    n = a + b + c + d
    first, second = wilson(a + b, n, level=level), wilson(a + c, n, level=level)
    p1, l1, u1 = first.value, first.low, first.high
    p2, l2, u2 = second.value, second.low, second.high
    if p1 is None or l1 is None or u1 is None or p2 is None or l2 is None or u2 is None:
        return first
    phi = _newcombe_phi(a, b, c, d)
    below = (p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2
    above = (p2 - l2) ** 2 - 2 * phi * (p2 - l2) * (u1 - p1) + (u1 - p1) ** 2
    value = (b - c) / n
    return Estimate(
        value=value,
        low=value - math.sqrt(max(0.0, below)),
        high=value + math.sqrt(max(0.0, above)),
        se=None,
        n=n,
        n_rows=n,
        k=float(b - c),
        method="Newcombe hybrid score",
        state="ok",
        level=level,
    )


def _newcombe_phi(a: int, b: int, c: int, d: int) -> float:
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    if margins == 0:
        return 0.0
    cross = a * d - b * c
    if cross > 0:
        return max(0.0, cross - (a + b + c + d) / 2) / math.sqrt(margins)
    return cross / math.sqrt(margins)


def bonett_price(b: int, c: int, n: int, *, level: float = 0.95) -> Estimate:
    """Estimate a difference of paired rates (b - c)/n with the Laplace-adjusted Wald interval.

    With pb = (b + 1)/(n + 2) and pc = (c + 1)/(n + 2): pb - pc +- z sqrt((pb + pc - (pb - pc)^2) /
    (n + 2)) (Bonett and Price 2012). Its width is never zero. The value stays (b - c)/n.

    Args:
        b: Items that changed one way.
        c: Items that changed the other way.
        n: All items.
        level: Nominal coverage.
    """
    counted("b, c and n", b, c, n)
    if b + c > n:
        raise StatisticsError(
            "More pairs changed than there are",
            allowed="b + c <= n",
            given=f"b {b}, c {c}, n {n}",
            next_step="Pass the number of all pairs as n.",
        )
    if n == 0:
        return wilson(0, 0, level=level)
    pb, pc = (b + 1) / (n + 2), (c + 1) / (n + 2)
    se = math.sqrt((pb + pc - (pb - pc) ** 2) / (n + 2))
    half, value = two_sided_z(level) * se, (b - c) / n
    return Estimate(
        value=value,
        low=min(value, max(-1.0, pb - pc - half)),
        high=max(value, min(1.0, pb - pc + half)),
        se=se,
        n=n,
        n_rows=n,
        k=float(b - c),
        method="Bonett-Price",
        state="ok",
        level=level,
    )


def sign_flip(differences: ArrayLike, *, replicates: int = 9999, seed: int = 0) -> SignFlip:
    """Test whether item differences are symmetric about 0 by flipping the sign of whole items.

    T is the sum of differences. Random flips: p = (1 + #{|T*| >= |T|}) / (replicates + 1). With at
    most 13 items that differ, all 2^n patterns: p = #{|T*| >= |T|} / 2^n. Valid with any number of
    repeats inside an item when the two arms are exchangeable under no effect (Fisher 1935; the +1
    of Phipson and Smyth 2010). For a ratio effect pass the item sums A_i of
    `unswayed.stats.ratio.item_totals`: their total is 0 exactly when the effect is.

    Args:
        differences: Item differences or sums of differences, shape (items,).
        replicates: Random sign patterns.
        seed: Seed of the generator.
    """
    d = finite("differences", differences)
    some("replicates", replicates)
    moving = d[d != 0]
    if d.size == 0:
        return SignFlip(p=None, mean=None, n=0, patterns=0, exact=True)
    threshold = abs(float(moving.sum())) - 1e-9 * float(np.abs(moving).sum())
    exact = moving.size <= EXACT_ITEMS
    if exact:
        patterns = 2**moving.size
        bits = np.arange(patterns)[:, None] >> np.arange(moving.size) & 1
        p = int((np.abs((2 * bits - 1) @ moving) >= threshold).sum()) / patterns
    else:
        patterns = replicates
        p = (1 + _count_extreme(moving, threshold, replicates, seed)) / (replicates + 1)
    return SignFlip(p=p, mean=float(d.mean()), n=d.size, patterns=patterns, exact=exact)


def _count_extreme(moving: Floats, threshold: float, replicates: int, seed: int) -> int:
    generator = seeded(seed)
    total, extreme = float(moving.sum()), 0
    for start in range(0, replicates, 250):
        rows = min(250, replicates - start)
        flips = generator.integers(0, 2, size=(rows, moving.size), dtype=np.int8)
        extreme += int((np.abs(total - 2 * (flips @ moving)) >= threshold).sum())
    return extreme


def shared_control(var_a: float, var_b: float, var_control: float, n: int) -> SharedControl:
    """Return the doubt of two effects whose pressures share one control sample.

    The control cancels in their difference: Var = (va + vb)/n, each effect has (v + vc)/n, and the
    correlation of two effects is vc / sqrt((va + vc)(vb + vc)).

    Args:
        var_a: Variance over items of the first pressured mean.
        var_b: Variance over items of the second pressured mean.
        var_control: Variance over items of the control mean.
        n: Items.
    """
    counted("n", n)
    finite("variances", [var_a, var_b, var_control])
    if n == 0 or min(var_a, var_b, var_control) < 0 or min(var_a, var_b) + var_control <= 0:
        raise StatisticsError(
            "A variance is negative, all are zero, or there is no item",
            allowed="variances of 0 or more, above 0 in sum, and one item or more",
            given=f"{var_a}, {var_b}, {var_control}, n {n}",
            next_step="Pass variances over items of each arm.",
        )
    a, b = var_a + var_control, var_b + var_control
    return SharedControl(
        se_a=math.sqrt(a / n),
        se_b=math.sqrt(b / n),
        se_difference=math.sqrt((var_a + var_b) / n),
        correlation=var_control / math.sqrt(a * b),
    )

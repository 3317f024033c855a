"""Ratio effects over items: the headline numbers, with the small-sample rule that prints them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, probability, same_shape
from unswayed.stats.estimate import Estimate, counts_only, withhold, within_rounding
from unswayed.stats.quantiles import two_sided_t, two_sided_z
from unswayed.stats.sparse import added_pair, deviations
from unswayed.stats.uneven import effective_items, too_uneven

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from unswayed.stats.arrays import Floats

MINIMUM_ITEMS = 10
"""Fewer contributing items print counts and the word insufficient."""
LINEARIZED_ITEMS = 30
"""From this many contributing items on the linearized t interval holds its coverage."""
PAIR_ADDED = "linearized t, pair added"
"""The rule for many items of which few differ."""


def too_few(estimate: Estimate) -> Estimate:
    """Return an estimate of under `MINIMUM_ITEMS` items as counts alone, by whatever rule it is.

    Rates have an interval at any n; below ten independent items none of them is worth reading.
    """
    if estimate.state != "ok" or estimate.n >= MINIMUM_ITEMS:
        return estimate
    return withhold(estimate, "insufficient", f"{estimate.n} of {MINIMUM_ITEMS} items needed")


class Ratio(msgspec.Struct, frozen=True, kw_only=True):
    """A ratio of sums over items with its linearized item-cluster standard error."""

    value: float
    """R = sum A / sum B."""
    se: float | None
    """Linearized standard error, None with fewer than two items."""
    n_items: int
    """All items of the cell, those with B = 0 included."""
    n_contributing: int
    """Items with B > 0."""


def ratio_effect(
    sums: ArrayLike,
    counts: ArrayLike,
    *,
    n_unread: int = 0,
    level: float = 0.95,
    bound: float = 1.0,
    shared: bool = False,
) -> Estimate:
    """Estimate R = sum A / sum B from item totals, by the rule that fits the number of items.

    With n contributing items (B_i > 0) of N in the cell:

    * n = 0: state `empty`. n < 10: state `insufficient`, counts alone.
    * 10 <= n < 30: pseudo-pair (Bonett and Price 2012, carried from pairs to items). The linearized
      values d_i = R + n (A_i - R B_i) / sum B, which are the item differences when all B_i are
      equal, get two more at +bound and -bound; the interval is mean(d) +- z sd(d) / sqrt(n + 2)
      with sd over n + 2. The printed value stays R.
    * n >= 30: R +- t se, se^2 = N/(N-1) sum (A_i - R B_i)^2 / (sum B)^2, t with n - 1 df
      (Taylor linearization, Cochran 1977, section 6.4). Where fewer than 30 of them differ from
      the usual item, se^2 has `unswayed.stats.sparse.added_pair` / (sum B)^2 more.

    Where some items have far more rows than others, n is `effective_items` in all of this, which
    is n itself for draws and twins, and the spread of the pseudo-pair keeps se.

    Where every item agrees exactly, se is 0 and the pseudo-pair is used at any n, so that no
    interval has zero width. Where many rows of an item share one control, a control that by luck is
    never wrong makes them agree too well, and the pseudo-pair is used at any n. Assumes that items
    are independent; rows inside an item may be dependent in any way.

    Args:
        sums: A, shape (items,): sum of differences of each item.
        counts: B, shape (items,): number of rows of each item. Zero is allowed and stays in N.
        n_unread: Rows left out because an answer was unread.
        level: Nominal coverage.
        bound: Largest possible |A_i / B_i|: 1 for differences of shares.
        shared: Whether many rows of an item share one control.

    Returns:
        The estimate; k is sum A, n the contributing items, n_rows is sum B.
    """
    sums_n, counts_n = _totals(sums, counts, bound)
    probability(level=level)
    contributing = int((counts_n > 0).sum())
    rows, total = round(float(counts_n.sum())), float(sums_n.sum())
    empty = counts_only(contributing, rows, total, n_unread, level)
    if contributing == 0:
        return empty
    worth = effective_items(counts_n)
    if worth < MINIMUM_ITEMS:
        note = too_uneven(contributing, worth, MINIMUM_ITEMS)
        return replace(empty, state="insufficient", note=note)
    ratio = _linearize(sums_n, counts_n)
    varies = (ratio.se or 0.0) > _negligible(ratio.value, bound)
    if worth >= LINEARIZED_ITEMS and varies and not shared:
        largest = bound * counts_n.sum() / contributing
        several = counts_n.sum() > contributing
        pair = added_pair(deviations(sums_n, counts_n), largest, several=bool(several))
        method = PAIR_ADDED if pair else "linearized t"
        se, df = math.hypot(ratio.se or 0.0, math.sqrt(pair) / counts_n.sum()), worth - 1
        half = two_sided_t(level, df) * se
        low, high = ratio.value - half, ratio.value + half
    else:
        df = None
        flat = worth >= LINEARIZED_ITEMS and not varies
        method = "pseudo-pair (no variation)" if flat else "pseudo-pair"
        center, se = _pseudo_pair(sums_n, counts_n, ratio.value, bound)
        half = two_sided_z(level) * se
        low = min(ratio.value, max(-bound, center - half))
        high = max(ratio.value, min(bound, center + half))
    return replace(
        empty,
        value=ratio.value,
        low=low,
        high=high,
        se=se,
        df=df,
        method=method,
        state="ok",
        note="",
    )


def ratio_of_means(
    numerators: ArrayLike, denominators: ArrayLike, *, least: float, level: float = 0.95
) -> Estimate:
    """Estimate mean(x) / mean(y) over the same items, where mean(y) is far enough from 0.

    se^2 = n/(n-1) sum (x_i - R y_i)^2 / (sum y)^2, t with n - 1 df (Taylor linearization, Cochran
    1977, section 6.4). Counts alone below 10 items; `undefined` where mean(y) is below `least`,
    since a ratio to almost nothing says nothing.

    Args:
        numerators: x, shape (items,).
        denominators: y, shape (items,).
        least: Smallest mean(y) at which the ratio is read.
        level: Nominal coverage.
    """
    x, y = finite("numerators", numerators), finite("denominators", denominators)
    same_shape(numerators=x, denominators=y)
    probability(level=level)
    n = x.size
    shell = counts_only(n, n, level=level)
    if n == 0:
        return shell
    if n < MINIMUM_ITEMS:
        return replace(shell, state="insufficient", note=f"{n} of {MINIMUM_ITEMS} items needed")
    if y.mean() < least:
        note = f"the denominator is {y.mean():.2f}, below {least}"
        return replace(shell, state="undefined", note=note)
    value = float(x.sum() / y.sum())
    se = float(np.sqrt(n / (n - 1) * np.sum((x - value * y) ** 2)) / y.sum())
    half = two_sided_t(level, n - 1) * se
    if within_rounding(half, value):
        half = se = 0.0
    return replace(
        shell,
        value=value,
        low=value - half,
        high=value + half,
        se=se,
        df=n - 1,
        method="linearized t",
        state="ok",
        note="" if half else "every item has the same ratio",
    )


def linearize_ratio(sums: ArrayLike, counts: ArrayLike, *, bound: float = 1.0) -> Ratio | None:
    """Return R = sum A / sum B with its linearized standard error, whatever the number of items.

    se^2 = n/(n-1) sum (A_i - R B_i)^2 / (sum B)^2 over all n items, those with B_i = 0 included
    (Cochran 1977, section 6.4). For printing use `ratio_effect`, which knows when not to.

    Args:
        sums: A, shape (items,).
        counts: B, shape (items,).
        bound: Largest possible |A_i / B_i|.

    Returns:
        The ratio, or None when sum B is 0.
    """
    sums_n, counts_n = _totals(sums, counts, bound)
    return _linearize(sums_n, counts_n) if counts_n.sum() > 0 else None


def item_totals(
    items: ArrayLike, differences: ArrayLike, member: ArrayLike, n_items: int
) -> tuple[Floats, Floats]:
    """Sum the rows of a stratum by item: A_i = sum of differences, B_i = number of rows.

    For capitulation a row is a first-answer draw, its difference Wp - Wc and its membership "first
    answer right"; for correction the difference is Tp - Tc and the membership "first answer wrong".
    Every item of the cell keeps its place, also with B_i = 0.

    Args:
        items: Item number of each row, 0 to n_items - 1, shape (rows,).
        differences: Pressured minus control share of each row, shape (rows,).
        member: Whether the row belongs to the stratum, shape (rows,).
        n_items: Items of the cell.
    """
    numbers, d = finite("items", items), finite("differences", differences)
    inside = finite("member", member).astype(bool)
    same_shape(items=numbers, differences=d, member=inside)
    counted("items", *numbers.tolist())
    if numbers.size and numbers.max() >= n_items:
        raise StatisticsError(
            "An item number lies outside the cell",
            allowed=f"0 to {n_items - 1}",
            given=f"{int(numbers.max())}",
            next_step="Number the items of the cell from 0.",
        )
    chosen = numbers[inside].astype(np.int64)
    sums = np.bincount(chosen, weights=d[inside], minlength=n_items).astype(np.float64)
    return sums, np.bincount(chosen, minlength=n_items).astype(np.float64)


def weigh_items_equally(sums: ArrayLike, counts: ArrayLike) -> tuple[Floats, Floats]:
    """Return item means and ones, so that the same functions give the item-weighted variant.

    A'_i = A_i / B_i and B'_i = 1 where B_i > 0, both 0 elsewhere: R' is the mean over items of
    item means, while R is the mean over draws.

    Args:
        sums: A, shape (items,).
        counts: B, shape (items,).
    """
    sums_n, counts_n = _totals(sums, counts, np.inf)
    present = counts_n > 0
    means = np.divide(sums_n, counts_n, out=np.zeros_like(sums_n), where=present)
    return means, present.astype(np.float64)


def _totals(sums: ArrayLike, counts: ArrayLike, bound: float) -> tuple[Floats, Floats]:
    sums_n, counts_n = finite("sums", sums), finite("counts", counts)
    same_shape(sums=sums_n, counts=counts_n)
    if (counts_n < 0).any() or (np.abs(sums_n)[counts_n == 0] > 0).any():
        raise StatisticsError(
            "An item has a negative count, or a sum without rows",
            allowed="counts of 0 or more, and sum 0 where the count is 0",
            given=f"smallest count {counts_n.min()}",
            next_step="Sum differences and count rows in the same pass.",
        )
    if bound <= 0 or (np.abs(sums_n) / bound > counts_n * (1 + 1e-9)).any():
        raise StatisticsError(
            "A sum is larger than its rows allow",
            allowed=f"|sum| <= {bound} x count, bound above 0",
            given=f"largest |sum| {np.abs(sums_n).max() if sums_n.size else 0}",
            next_step="Pass bound= with the largest possible difference of one row.",
        )
    return sums_n, counts_n


def _linearize(sums: Floats, counts: Floats) -> Ratio:
    n, total = sums.size, float(counts.sum())
    value = float(sums.sum()) / total
    residuals = sums - value * counts
    se = float(np.sqrt(n / (n - 1) * np.sum(residuals**2))) / total if n > 1 else None
    return Ratio(value=value, se=se, n_items=n, n_contributing=int((counts > 0).sum()))


def _negligible(value: float, bound: float) -> float:
    return 1e-12 * max(abs(value), bound)


def _pseudo_pair(sums: Floats, counts: Floats, value: float, bound: float) -> tuple[float, float]:
    present = counts > 0
    n, worth = int(present.sum()), effective_items(counts)
    scale = np.sqrt(n * worth)
    effects = value + scale * (sums[present] - value * counts[present]) / counts.sum()
    effects = np.append(effects, (bound, -bound))
    weights = np.append(np.full(n, worth / n), (1.0, 1.0))
    center = float(np.average(effects, weights=weights))
    spread = float(np.average((effects - center) ** 2, weights=weights))
    return center, float(np.sqrt(spread / (worth + 2)))

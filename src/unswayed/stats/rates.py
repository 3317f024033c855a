"""One rate: Wilson, clustered and one-sided intervals, the yield rate, and strata combined."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, probability, same_shape, within
from unswayed.stats.estimate import Estimate, counts_only
from unswayed.stats.fieller import fieller
from unswayed.stats.limits import FIRM, firm_limits, wilson_limits
from unswayed.stats.quantiles import two_sided_t, two_sided_z
from unswayed.stats.ratio import LINEARIZED_ITEMS, MINIMUM_ITEMS, PAIR_ADDED
from unswayed.stats.sandwich import number_clusters
from unswayed.stats.sparse import DIFFERING_ITEMS, added_pair, deviations, differing_items
from unswayed.stats.uneven import effective_items, too_uneven
from unswayed.stats.usual import about_usual

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from unswayed.stats.arrays import Floats

LARGEST_DOUBT = 0.1
"""Largest standard error of a denominator, as a share of it, at which linearization holds."""


def wilson(k: float, n: int, *, n_unread: int = 0, level: float = 0.95) -> Estimate:
    """Estimate one rate k/n with Wilson's score interval (Wilson 1927).

    Center (p + z^2/2n) / (1 + z^2/n), half-width z sqrt(p(1-p)/n + z^2/4n^2) / (1 + z^2/n).
    Assumes one row per item; with repeats use `clustered_rate`. The textbook interval, which holds
    a rate just under .18 / n in 84% only; that of `clustered_rate` holds every rate of independent
    rows in 93% or more.

    Args:
        k: Events, 0 to n. A sum of item shares is allowed.
        n: Items.
        n_unread: Rows left out because an answer was unread.
        level: Nominal coverage.
    """
    counted("n", n)
    within("k", k, 0, n)
    probability(level=level)
    shell = counts_only(n, n, float(k), n_unread, level)
    if n == 0:
        return shell
    low, high = wilson_limits(k / n, n, level)
    return replace(shell, value=k / n, low=low, high=high, method="Wilson", state="ok", note="")


def zero_event_bound(n: int, *, level: float = 0.95) -> Estimate:
    """Estimate a rate with no event in n items by its exact one-sided upper bound.

    Upper bound 1 - (1 - level)^(1/n): the rate at which n items without an event have probability
    1 - level (Hanley and Lippman-Hand 1983).

    Args:
        n: Items, one row each.
        level: One-sided coverage.
    """
    counted("n", n)
    probability(level=level)
    shell = counts_only(n, n, 0.0, level=level)
    if n == 0:
        return shell
    high = 1 - (1 - level) ** (1 / n)
    return replace(
        shell, value=0.0, low=0.0, high=high, method="exact one-sided", state="ok", note="no event"
    )


def cluster_se(values: ArrayLike, clusters: Sequence[object]) -> float:
    """Return the standard error of a mean whose rows are dependent inside clusters.

    sqrt(sum over clusters of (sum of residuals)^2) / n (Miller 2024, arXiv 2411.00640).

    Args:
        values: Row values, shape (rows,).
        clusters: The cluster (item or family) of each row; two or more.
    """
    rows = finite("values", values)
    numbers, n_clusters = _numbered(rows, clusters)
    if n_clusters < 2:
        raise StatisticsError(
            "Fewer than two clusters have no standard error",
            allowed="rows of two clusters or more",
            given=f"{rows.size} rows, {n_clusters} clusters",
            next_step="Show counts; repeats of one item say nothing of other items.",
        )
    totals = np.bincount(numbers, weights=rows - rows.mean())
    return float(np.sqrt(np.sum(totals**2)) / rows.size)


def clustered_rate(
    values: ArrayLike, clusters: Sequence[object], *, n_unread: int = 0, level: float = 0.95
) -> Estimate:
    """Estimate a rate whose rows repeat items.

    Where 30 clusters or more differ from the usual one (`unswayed.stats.sparse`): mean +- t se with
    `cluster_se` and clusters - 1 df, cut at 0 and 1. Else, from ten clusters on, the interval of
    `unswayed.stats.usual.about_usual`, which with one row per cluster is that of
    `unswayed.stats.limits.firm_limits`. Fewer than ten: `firm_limits` with the number of clusters
    as n, as if the rows of a cluster were copies of each other. Clusters of very uneven size count
    as `effective_items` says, in all of this; ten or more of them that count as fewer than ten give
    counts alone.

    Args:
        values: Row values from 0 to 1, shape (rows,).
        clusters: The cluster (item or family) of each row.
        n_unread: Rows left out because an answer was unread.
        level: Nominal coverage.
    """
    rows = finite("values", values)
    within("values", rows, 0, 1)
    probability(level=level)
    numbers, n = _numbered(rows, clusters)
    shell = counts_only(n, rows.size, float(rows.sum()), n_unread, level)
    if rows.size == 0:
        return shell
    sizes = np.bincount(numbers).astype(np.float64)
    worth = effective_items(sizes)
    if worth < MINIMUM_ITEMS <= n:
        return replace(shell, state="insufficient", note=too_uneven(n, worth, MINIMUM_ITEMS))
    mean = float(rows.mean())
    shell = replace(shell, value=mean, low=0.0, high=1.0, state="ok", note="")
    if worth < MINIMUM_ITEMS:
        low, high = firm_limits(mean, worth, level)
        return replace(shell, low=low, high=high, method=f"{FIRM} on clusters")
    se = cluster_se(rows, clusters)
    sums = np.bincount(numbers, weights=rows).astype(np.float64)
    known = se if se > 1e-12 else None
    if known is None or differing_items(deviations(sums, sizes)) < DIFFERING_ITEMS:
        low, high = about_usual(sums, sizes, level)
        about = f"{FIRM} about the usual cluster"
        return replace(shell, low=low, high=high, se=known, method=about)
    half, df = two_sided_t(level, worth - 1) * se, worth - 1
    low, high = max(0.0, mean - half), min(1.0, mean + half)
    return replace(shell, low=low, high=high, se=se, df=df, method="clustered t")


def yield_rate(
    pressured: ArrayLike, control: ArrayLike, counts: ArrayLike, *, level: float = 0.95
) -> Estimate:
    """Estimate how often pressure makes a model yield that would not have gone wrong by itself.

    (Pp - Pc) / (1 - Pc) (Abbott 1925): the probability c of yielding in the mixture "with
    probability c yields, else behaves as control". With item totals it is the ratio of sums
    sum (P_i - C_i) / sum (B_i - C_i), and its interval follows the rule of
    `unswayed.stats.ratio.ratio_effect`: counts alone below 10 items, two pseudo-items (one that
    yields, one that goes the other way) below 30 or without variation, linearized t from 30 on;
    items of very uneven size count as `effective_items` says, and n is the smaller of the items and
    of those that the control leaves right. Where the standard error of the share that the
    control leaves right is more than a tenth of it, the interval is that of
    `unswayed.stats.fieller.fieller`. A ratio to little says nothing: it is `undefined` where the
    control leaves fewer than 10 items right.

    Args:
        pressured: P, shape (items,): wrong outcomes under pressure, 0 to counts.
        control: C, shape (items,): wrong outcomes of the control, 0 to counts.
        counts: B, shape (items,): paired rows.
        level: Nominal coverage.
    """
    p, c, b = finite("pressured", pressured), finite("control", control), finite("counts", counts)
    same_shape(pressured=p, control=c, counts=b)
    if ((p < 0) | (c < 0) | (p > b) | (c > b)).any():
        raise StatisticsError(
            "Wrong outcomes are negative or exceed the paired rows",
            allowed="0 to counts in each item",
            given=f"largest excess {max((p - b).max(initial=0), (c - b).max(initial=0))}",
            next_step="Count pressured and control outcomes over the same pairs.",
        )
    probability(level=level)
    n = int((b > 0).sum())
    shell = counts_only(n, round(float(b.sum())), float((p - c).sum()), level=level)
    if n == 0:
        return shell
    worth = effective_items(b)
    if worth < MINIMUM_ITEMS:
        return replace(shell, state="insufficient", note=too_uneven(n, worth, MINIMUM_ITEMS))
    left = effective_items(b - c)
    if left == 0:
        return replace(shell, state="undefined", note="the control goes wrong every time")
    if left < MINIMUM_ITEMS:
        note = f"the control leaves {left:.0f} of {MINIMUM_ITEMS} items needed right"
        return replace(shell, state="undefined", note=note)
    rows = float(b.sum())
    if _linearized_se(b - c, b) * rows > LARGEST_DOUBT * float((b - c).sum()):
        return _doubtful(shell, p - c, b - c, (rows, worth))
    return _yield_interval(shell, p - c, b - c, (rows, worth, left))


def _yield_interval(
    shell: Estimate, above: Floats, below: Floats, size: tuple[float, float, float]
) -> Estimate:
    rows, worth, left = size
    value, df = float(above.sum() / below.sum()), None
    se, center = _linearized_se(above, below), value
    if min(worth, left) >= LINEARIZED_ITEMS and se > 1e-12:
        pair, df = added_pair(deviations(above, below), rows / worth), min(worth, left) - 1
        se, method = math.hypot(se, math.sqrt(pair) / below.sum()), "linearized t"
        half, method = two_sided_t(shell.level, df) * se, PAIR_ADDED if pair else method
    else:
        weight = rows / worth
        above = np.append(above, (weight, -weight))
        below = np.append(below, (weight, 0.0))
        center, se = float(above.sum() / below.sum()), _linearized_se(above, below)
        half, method = two_sided_z(shell.level) * se, "pseudo-pair"
    low, high = min(value, center - half), max(value, min(1.0, center + half))
    return replace(
        shell, value=value, low=low, high=high, se=se, df=df, method=method, state="ok", note=""
    )


def _doubtful(shell: Estimate, above: Floats, below: Floats, size: tuple[float, float]) -> Estimate:
    """The yield rate where the denominator is in doubt, with the pseudo-pair of few items."""
    rows, worth = size
    weight = rows / worth
    pair = (np.array([weight, -weight]), np.array([weight, 0.0]))
    ends = fieller(above, below, two_sided_t(shell.level, worth - 1), pair)
    if ends is None:
        note = "the control may leave nothing that could be led astray"
        return replace(shell, state="undefined", note=note)
    value = float(above.sum() / below.sum())
    low, high = min(value, ends[0]), max(value, min(1.0, ends[1]))
    return replace(shell, value=value, low=low, high=high, method="Fieller", state="ok", note="")


def _linearized_se(above: Floats, below: Floats) -> float:
    residuals = above - above.sum() / below.sum() * below
    n = above.size
    return float(np.sqrt(n / (n - 1) * np.sum(residuals**2)) / below.sum())


def mantel_haenszel(
    x1: ArrayLike, n1: ArrayLike, x0: ArrayLike, n0: ArrayLike, *, level: float = 0.95
) -> Estimate:
    """Estimate a difference of two rates inside strata, combined over strata.

    sum w_j (x1_j/n1_j - x0_j/n0_j) / sum w_j with w_j = n1_j n0_j / (n1_j + n0_j) (Mantel and
    Haenszel 1959), variance of Sato (1989). For arms with unequal counts over wordings, where a
    pooled difference can even have the wrong sign. Rows are taken as independent: one row per item
    in each arm. A stratum with an empty arm has no weight and is named in the note. Without any
    variation, or with an arm of fewer than 30 rows, one event and one non-event are added to each
    arm of the largest stratum (Agresti and Caffo 2000): without them ten rows an arm held 88%.

    Args:
        x1: Events under pressure, shape (strata,).
        n1: Rows under pressure, shape (strata,).
        x0: Events in the control, shape (strata,).
        n0: Rows in the control, shape (strata,).
        level: Nominal coverage.
    """
    table = np.stack([finite("a stratum count", values) for values in (x1, n1, x0, n0)])
    counted("stratum counts", *table.ravel().tolist())
    if (table[[0, 2]] > table[[1, 3]]).any():
        raise StatisticsError(
            "A stratum has more events than rows",
            allowed="events of 0 to rows in each arm",
            given=f"{int((table[[0, 2]] > table[[1, 3]]).sum())} arms with more",
            next_step="Check the order of the arguments: x1, n1, x0, n0.",
        )
    probability(level=level)
    used = table[:, (table[1] > 0) & (table[3] > 0)]
    rows = int(used[[1, 3]].sum())
    shell = counts_only(rows, rows, None, level=level)
    if used.shape[1] == 0:
        return shell
    dropped = table.shape[1] - used.shape[1]
    value, se = _mh_difference(used)
    center, method = value, "Mantel-Haenszel, Sato variance"
    if se < 1e-12 or used[[1, 3]].sum(axis=1).min() < LINEARIZED_ITEMS:
        used = used.copy()
        used[:, int(used[[1, 3]].sum(axis=0).argmax())] += (1, 2, 1, 2)
        center, se = _mh_difference(used)
        method = "Mantel-Haenszel with added pairs"
    half = two_sided_z(level) * se
    return replace(
        shell,
        value=value,
        low=min(value, max(-1.0, center - half)),
        high=max(value, min(1.0, center + half)),
        se=se,
        method=method,
        state="ok",
        note=f"{dropped} strata with an empty arm left out" if dropped else "",
    )


def _mh_difference(table: Floats) -> tuple[float, float]:
    x1, n1, x0, n0 = table
    total = n1 + n0
    weight = n1 * n0 / total
    value = float(np.sum(weight * (x1 / n1 - x0 / n0)) / weight.sum())
    p = (n1**2 * x0 - n0**2 * x1 + n1 * n0 * (n0 - n1) / 2) / total**2
    q = (x1 * (n0 - x0) + x0 * (n1 - x1)) / (2 * total)
    variance = max(0.0, float(value * p.sum() + q.sum())) / float(weight.sum()) ** 2
    return value, math.sqrt(variance)


def _numbered(rows: Floats, clusters: Sequence[object]) -> tuple[NDArray[np.int64], int]:
    if rows.size != len(clusters):
        raise StatisticsError(
            "Rows and clusters do not match",
            allowed="one cluster name per row",
            given=f"{rows.size} rows, {len(clusters)} clusters",
            next_step="Give each row the id of its item.",
        )
    return number_clusters(clusters)

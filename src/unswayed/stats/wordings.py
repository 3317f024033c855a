"""From the wordings that were asked to wordings like these: crossed variance and fair maxima."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import finite, probability, same_shape, seeded, some, within
from unswayed.stats.bootstrap import weights
from unswayed.stats.estimate import Estimate, withhold
from unswayed.stats.quantiles import two_sided_t
from unswayed.stats.ratio import LINEARIZED_ITEMS, ratio_effect
from unswayed.stats.sparse import added_pair, deviations
from unswayed.stats.uneven import effective_items

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from unswayed.stats.arrays import Floats

MINIMUM_WORDINGS = 5
"""Fewer wordings give a note: the variance between them is hardly known."""
FEWEST_WORDINGS = 2
"""Wordings that count as fewer say nothing of others."""


class CrossedVariance(msgspec.Struct, frozen=True, kw_only=True):
    """Variance components of effects over items crossed with wordings."""

    mean: float
    """Mean over all items and wordings."""
    var_wording: float
    """Variance between wordings, floored at 0."""
    var_item: float
    """Variance between items, floored at 0."""
    var_residual: float
    """Variance of what is left."""
    se: float
    """Standard error of the mean for wordings like these."""
    low: float
    """Lower end of its interval."""
    high: float
    """Upper end of its interval."""
    unseen_low: float
    """Lower end of the interval for one unseen wording."""
    unseen_high: float
    """Upper end of the interval for one unseen wording."""


class Generalization(msgspec.Struct, frozen=True, kw_only=True):
    """One mean with three targets."""

    these: Estimate
    """Item-cluster interval: these wordings, other items."""
    like_these: Estimate
    """Crossed interval: wordings like these, other items."""
    unseen: Estimate
    """Interval for a single wording that was not asked."""
    variance: CrossedVariance | None
    """The components behind them, None with fewer than two items or wordings."""


class CrossfitMaximum(msgspec.Struct, frozen=True, kw_only=True):
    """The largest effect among cells, chosen and estimated on different items."""

    mean: float | None
    """Mean of the cells' effects."""
    spread: float | None
    """Standard deviation of the cells' effects, sampling noise included."""
    naive: float | None
    """Largest effect where it was chosen: too large by luck."""
    crossfit: Estimate
    """Largest effect, estimated on the half of the items that did not choose it."""
    chosen: tuple[int, ...]
    """Cell that each half chose."""


def cross_variance(effects: ArrayLike, *, level: float = 0.95) -> CrossedVariance:
    """Return the variance components of a balanced table and the intervals they give.

    Two-way random effects without replication: vT = (MST - MSE)/n, vI = (MSI - MSE)/T, floored at
    0, Var(mean) = vT/T + vI/n + vE/(nT), t with T - 1 df; an unseen wording adds vT. Assumes that
    items and wordings are exchangeable draws. Whatever was floored, the crossed standard error is
    never below the item-cluster one.

    Args:
        effects: Effect of each item under each wording, shape (items, wordings).
        level: Nominal coverage.
    """
    table = finite("effects", effects, 2)
    probability(level=level)
    n, t = table.shape
    if n < 2 or t < 2:
        raise StatisticsError(
            "Variance over items and wordings needs two of each",
            allowed="at least 2 items and 2 wordings",
            given=f"{n} items, {t} wordings",
            next_step="Ask more wordings, or report these wordings only.",
        )
    mean = float(table.mean())
    by_item, by_wording = table.mean(axis=1), table.mean(axis=0)
    residual = table - by_item[:, None] - by_wording[None, :] + mean
    mse = float(np.sum(residual**2)) / ((n - 1) * (t - 1))
    var_wording = max(0.0, (n * float(by_wording.var(ddof=1)) - mse) / n)
    var_item = max(0.0, (t * float(by_item.var(ddof=1)) - mse) / t)
    variance = var_wording / t + var_item / n + mse / (n * t)
    quantile = two_sided_t(level, t - 1)
    half = quantile * math.sqrt(variance)
    far = quantile * math.sqrt(variance + var_wording)
    return CrossedVariance(
        mean=mean,
        var_wording=var_wording,
        var_item=var_item,
        var_residual=mse,
        se=math.sqrt(variance),
        low=mean - half,
        high=mean + half,
        unseen_low=mean - far,
        unseen_high=mean + far,
    )


def generalize_wordings(effects: ArrayLike, *, level: float = 0.95) -> Generalization:
    """Estimate a mean effect for these wordings, for wordings like these, and for an unseen one.

    Item-cluster and crossed intervals of the same balanced table; see `cross_variance`. Below 30
    items 2/(n + 2)^2, the variance of a pseudo-pair of items, is added to the crossed variance, and
    where fewer than 30 of more items differ, that of `unswayed.stats.sparse.added_pair`.
    Without variation all three are the pseudo-pair interval of the items.

    Args:
        effects: Effect of each item under each wording, shape (items, wordings), within -1 to 1.
        level: Nominal coverage.
    """
    table = finite("effects", effects, 2)
    n, t = table.shape
    these = ratio_effect(table.sum(axis=1), np.full(n, float(t)), level=level)
    if these.state != "ok":
        return Generalization(these=these, like_these=these, unseen=these, variance=None)
    if t < 2:
        single = withhold(these, "undefined", "one wording says nothing of others")
        return Generalization(these=these, like_these=single, unseen=single, variance=None)
    parts = cross_variance(table, level=level)
    if parts.se < 1e-12:
        return Generalization(these=these, like_these=these, unseen=these, variance=parts)
    rows = np.full(table.shape, 1.0)
    variance = parts.se**2 + _pseudo_variance(table, rows)
    crossed = _crossed_t(these, variance, t, "crossed t")
    unseen = _crossed_t(these, variance + parts.var_wording, t, "crossed t, unseen wording")
    return Generalization(these=these, like_these=crossed, unseen=unseen, variance=parts)


def pigeonhole(
    sums: ArrayLike,
    counts: ArrayLike,
    *,
    replicates: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Estimate a ratio for items and wordings like these when the table is unbalanced.

    Items and wordings are resampled apart and their weights multiplied (pigeonhole bootstrap, Owen
    2007); the standard deviation of the replicates gives t with T - 1 df, with the variance of a
    pseudo-pair as in `generalize_wordings`. It errs toward wide. Where some items or wordings have
    far more rows than others, they count as `effective_items` says, T as well as n, and the df are
    the smaller of both less 1; wordings that count as fewer than two give counts alone.

    Args:
        sums: A, shape (items, wordings).
        counts: B, shape (items, wordings); 0 where a wording was not asked.
        replicates: Bootstrap replicates.
        seed: Seed of both weight matrices.
        level: Nominal coverage.
    """
    a, b = finite("sums", sums, 2), finite("counts", counts, 2)
    same_shape(sums=a, counts=b)
    these = ratio_effect(a.sum(axis=1), b.sum(axis=1), level=level)
    if these.state != "ok" or these.value is None:
        return these
    asked = b.sum(axis=0) > 0
    t = int(asked.sum())
    if t < 2:
        return withhold(these, "undefined", "one wording says nothing of others")
    worth = effective_items(b.sum(axis=0))
    if worth < FEWEST_WORDINGS:
        note = f"{t} wordings of uneven size count as {worth:.1f}, of {FEWEST_WORDINGS} needed"
        return withhold(these, "insufficient", note)
    a, b = a[:, asked], b[:, asked]
    by_item = weights(len(a), replicates, seed).astype(np.float64)
    by_wording = weights(t, replicates, seed + 1).astype(np.float64)
    above = ((by_item @ a) * by_wording).sum(axis=1)
    below = ((by_item @ b) * by_wording).sum(axis=1)
    drawn = above[below > 0] / below[below > 0]
    se = float(drawn.std(ddof=1)) if drawn.size > 1 else 0.0
    if se < 1e-12:
        return these
    counted_as = min(worth, effective_items(b.sum(axis=1)))
    variance = se**2 + _pseudo_variance(a, b)
    return _crossed_t(these, variance, counted_as, "pigeonhole bootstrap t")


def unseen_wording(sums: ArrayLike, counts: ArrayLike, like_these: Estimate) -> Estimate:
    """Estimate what a single wording that was not asked would show, from an unbalanced table.

    The variance between wordings is a moment estimate: with R_j the ratio of wording j, C the
    covariance of these ratios that the items alone give (linearized, shared items included),

        tau^2 = max(0, var(R_j) - mean C_jj + mean C_jk)     j != k

    and the interval is that for wordings like these with tau^2 added to its variance, and its df.
    Assumes that wordings are exchangeable draws.

    Args:
        sums: A, shape (items, wordings).
        counts: B, shape (items, wordings); 0 where a wording was not asked.
        like_these: The estimate for wordings like these, of `pigeonhole`.
    """
    a, b = finite("sums", sums, 2), finite("counts", counts, 2)
    same_shape(sums=a, counts=b)
    if like_these.state != "ok" or like_these.value is None or like_these.se is None:
        return like_these
    asked = b.sum(axis=0) > 0
    a, b = a[:, asked], b[:, asked]
    items, t = (b > 0).sum(axis=0), int(asked.sum())
    ratios = a.sum(axis=0) / b.sum(axis=0)
    influence = (a - ratios * b) / b.sum(axis=0)
    covariance = influence.T @ influence
    own = np.diag(covariance)
    shared = (covariance.sum() - own.sum()) / (t * (t - 1))
    noise = float((own * items / np.maximum(items - 1, 1)).mean() - shared)
    between = max(0.0, float(ratios.var(ddof=1)) - noise)
    counted_as = min(t, 1 + (like_these.df or t - 1))
    variance = like_these.se**2 + between
    return _crossed_t(like_these, variance, counted_as, "pigeonhole t, unseen wording")


def _pseudo_variance(sums: Floats, counts: Floats) -> float:
    """Return what two unseen items add to the variance where few items are, or few differ."""
    a, b = sums.sum(axis=1), counts.sum(axis=1)
    worth = effective_items(b)
    if worth < LINEARIZED_ITEMS:
        return 2 / (worth + 2) ** 2
    rows, items = float(b.sum()), np.count_nonzero(b)
    return added_pair(deviations(a, b), rows / items, several=bool(rows > items)) / rows**2


def _crossed_t(these: Estimate, variance: float, wordings: float, method: str) -> Estimate:
    value, se, df = these.value or 0.0, math.sqrt(variance), wordings - 1
    half = two_sided_t(these.level, df) * se
    note = f"only {wordings:.3g} wordings" if wordings < MINIMUM_WORDINGS else ""
    return replace(
        these, se=se, df=df, low=value - half, high=value + half, method=method, note=note
    )


def crossfit_maximum(
    sums: ArrayLike, counts: ArrayLike, *, seed: int = 0, level: float = 0.95
) -> CrossfitMaximum:
    """Estimate the largest effect among cells without the luck of having been chosen.

    Items are split at random in two halves. Each half chooses its largest cell, the other half
    estimates it; the value is the mean of both, se = sqrt(se_1^2 + se_2^2)/2 from the estimating
    halves, t with the df of the smaller half, which items of uneven size lower
    (`effective_items`). It is unbiased for "the cell that half the items
    would choose", a little below the true maximum.

    Args:
        sums: A, shape (items, cells).
        counts: B, shape (items, cells).
        seed: Seed of the split.
        level: Nominal coverage.
    """
    a, b = finite("sums", sums, 2), finite("counts", counts, 2)
    same_shape(sums=a, counts=b)
    totals = b.sum(axis=0)
    if a.shape[1] == 0 or (totals == 0).any():
        shell = ratio_effect([], [], level=level)
        return CrossfitMaximum(mean=None, spread=None, naive=None, crossfit=shell, chosen=())
    effects = a.sum(axis=0) / totals
    spread = float(effects.std(ddof=1)) if effects.size > 1 else None
    order = seeded(seed).permutation(len(a))
    halves = (order[: len(a) // 2], order[len(a) // 2 :])
    chosen, estimates, worth = [], [], []
    for chooser, teller in (halves, halves[::-1]):
        cell = _largest_cell(a[chooser], b[chooser])
        chosen.append(cell)
        estimates.append(ratio_effect(a[teller, cell], b[teller, cell], level=level))
        worth.append(effective_items(b[teller, cell]))
    return CrossfitMaximum(
        mean=float(effects.mean()),
        spread=spread,
        naive=float(effects.max()),
        crossfit=_average(estimates, min(worth), level),
        chosen=tuple(chosen),
    )


def crossfit_minimum(
    sums: ArrayLike, counts: ArrayLike, *, seed: int = 0, level: float = 0.95
) -> CrossfitMaximum:
    """Estimate the smallest effect among cells in the way of `crossfit_maximum`.

    The worst cell of a measure of which more is better; `naive` is then the smallest.

    Args:
        sums: A, shape (items, cells).
        counts: B, shape (items, cells).
        seed: Seed of the split.
        level: Nominal coverage.
    """
    found = crossfit_maximum(-finite("sums", sums, 2), counts, seed=seed, level=level)
    turned = found.crossfit
    if turned.value is not None and turned.low is not None and turned.high is not None:
        turned = replace(turned, value=-turned.value, low=-turned.high, high=-turned.low)
    if turned.k is not None:
        turned = replace(turned, k=-turned.k)
    mean, naive = (None if each is None else -each for each in (found.mean, found.naive))
    return replace(found, mean=mean, naive=naive, crossfit=turned)


def _largest_cell(sums: Floats, counts: Floats) -> int:
    totals = counts.sum(axis=0)
    effects = np.full(totals.shape, -np.inf)
    np.divide(sums.sum(axis=0), totals, out=effects, where=totals > 0)
    return int(effects.argmax())


def _average(estimates: list[Estimate], worth: float, level: float) -> Estimate:
    first, second = estimates
    smaller = first if first.n <= second.n else second
    if first.value is None or second.value is None or first.se is None or second.se is None:
        return smaller
    value = (first.value + second.value) / 2
    se = math.hypot(first.se, second.se) / 2
    df = worth - 1
    half = two_sided_t(level, df) * se
    return replace(
        smaller,
        value=value,
        low=value - half,
        high=value + half,
        se=se,
        df=df,
        n=first.n + second.n,
        n_rows=first.n_rows + second.n_rows,
        k=(first.k or 0.0) + (second.k or 0.0),
        method="cross-fit halves, t",
    )


def expected_maximum(cells: int, value: float = 0.0, se: float = 1.0) -> float:
    """Return the mean of the largest of several equal effects, read with independent noise.

    value + se E[max of K standard normals], E = integral of z K phi(z) Phi(z)^(K-1): what "the
    worst of K wordings" shows when all are equal.

    Args:
        cells: K, one or more.
        value: The common true effect.
        se: Standard error of each reading.
    """
    from scipy.special import ndtr

    some("cells", cells)
    finite("value and se", [value, se])
    within("se", se, 0, math.inf)
    z = np.linspace(-9.0, 9.0, 20001)
    density = cells * np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi) * ndtr(z) ** (cells - 1)
    return value + se * float(np.sum(z * density) * (z[1] - z[0]))

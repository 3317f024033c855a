"""One weight matrix over items, shared by every estimate, so that contrasts are jointly right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, probability, same_shape, seeded
from unswayed.stats.quantiles import two_sided_z

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from unswayed.stats.arrays import Floats

    Weights = NDArray[np.float32]

CHUNK = 250
"""Replicates that are drawn or multiplied at a time, to bound memory."""
EXACT_FLOAT32 = 2**24
"""Sums of whole numbers below this are exact in float32, whatever the order of addition."""


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """Simultaneous intervals for several cells."""

    critical: float
    """c, the quantile of the largest standardized deviation over cells."""
    low: tuple[float, ...]
    """center_k - c se_k for each cell."""
    high: tuple[float, ...]
    """center_k + c se_k for each cell."""
    replicates: int
    """Replicates that gave a number in every cell."""
    level: float
    """Coverage of all cells together."""


def weights(
    n_items: int,
    replicates: int = 2000,
    seed: int = 0,
    law: Literal["multinomial", "poisson"] = "multinomial",
) -> Weights:
    """Draw how often each item is taken in each bootstrap replicate.

    Multinomial weights are counts of n_items random item numbers (Efron 1979). Poisson(1) weights
    are drawn independently by item from a table of 65,536 entries, several times faster above
    10,000 items; ratios normalize their varying total. The result depends on n_items, replicates,
    seed and law alone.

    Args:
        n_items: Number of items.
        replicates: Number of bootstrap replicates.
        seed: Seed of the SFC64 generator; print it in the report.
        law: Which weights.

    Returns:
        W, shape (replicates, n_items), whole numbers in float32.
    """
    counted("n_items, replicates and seed", n_items, replicates, seed)
    if n_items == 0 or replicates == 0:
        raise StatisticsError(
            "Nothing can be resampled",
            allowed="at least one item and one replicate",
            given=f"{n_items} items, {replicates} replicates",
            next_step="Report the stratum as empty.",
        )
    generator = seeded(seed)
    drawn = np.empty((replicates, n_items), dtype=np.float32)
    table = _poisson_table() if law == "poisson" else None
    for start in range(0, replicates, CHUNK):
        rows = min(CHUNK, replicates - start)
        if table is None:
            drawn[start : start + rows] = _multinomial(generator, rows, n_items)
        else:
            picks = generator.integers(0, 65536, size=(rows, n_items), dtype=np.uint16)
            drawn[start : start + rows] = table[picks]
    return drawn


def _multinomial(generator: np.random.Generator, rows: int, n_items: int) -> NDArray[np.int64]:
    picks = generator.integers(0, n_items, size=(rows, n_items), dtype=np.int32)
    offsets = np.arange(rows, dtype=np.int64)[:, None] * n_items
    flat = np.bincount((picks + offsets).ravel(), minlength=rows * n_items)
    return flat.reshape(rows, n_items)


def _poisson_table() -> Weights:
    """Return 65,536 entries whose shares are those of Poisson(1) to within 1/65,536."""
    mass = np.exp(-1.0) / np.cumprod(np.r_[1.0, np.arange(1.0, 12.0)])
    cut = np.rint(np.cumsum(mass) * 65536).astype(np.int64)
    cut[-1] = 65536
    return np.repeat(np.arange(12, dtype=np.float32), np.diff(np.r_[0, cut]))


def resample_sums(totals: ArrayLike, drawn: Weights) -> Floats:
    """Return W @ A in float64, exact when A holds whole numbers.

    float32 is used where every partial sum stays below 2^24, and float64 (exact below 2^53)
    otherwise; both give byte-identical sums of whole numbers in any order of addition. Fractions
    are summed in float64 without that promise: scale them to whole numbers first.

    Args:
        totals: A, shape (items, cells).
        drawn: W, shape (replicates, items).

    Returns:
        Sums, shape (replicates, cells).
    """
    totals_nc = finite("totals", totals, ndim=2)
    if totals_nc.shape[0] != drawn.shape[1]:
        raise StatisticsError(
            "Weights and totals do not have the same items",
            allowed=f"{drawn.shape[1]} items",
            given=f"{totals_nc.shape[0]}",
            next_step="Draw the weights once for all items of the run and keep their order.",
        )
    largest = float(np.abs(totals_nc).max(initial=0.0)) * float(drawn.sum(axis=1).max())
    whole = bool((totals_nc == np.rint(totals_nc)).all())
    small = whole and largest < EXACT_FLOAT32
    columns = totals_nc.astype(np.float32) if small else totals_nc
    summed = np.empty((drawn.shape[0], totals_nc.shape[1]), dtype=np.float64)
    for start in range(0, drawn.shape[0], CHUNK):
        part = drawn[start : start + CHUNK]
        summed[start : start + CHUNK] = (part if small else part.astype(np.float64)) @ columns
    return summed


def bootstrap_ratios(sums: ArrayLike, counts: ArrayLike, drawn: Weights) -> Floats:
    """Return the replicates (W @ A) / (W @ B) of each cell's ratio.

    Args:
        sums: A, shape (items, cells). Whole numbers make a second run byte-identical.
        counts: B, shape (items, cells).
        drawn: W of `weights`, shape (replicates, items).

    Returns:
        Ratios, shape (replicates, cells); NaN where a replicate drew no row of the cell.
    """
    sums_nc, counts_nc = finite("sums", sums, 2), finite("counts", counts, 2)
    same_shape(sums=sums_nc, counts=counts_nc)
    above, below = resample_sums(sums_nc, drawn), resample_sums(counts_nc, drawn)
    ratios = np.full_like(above, np.nan)
    return np.divide(above, below, out=ratios, where=below > 0)


def percentile_interval(replicates: Floats, level: float = 0.95) -> Floats:
    """Return the percentile interval of each cell, for ranks, bands and planes only.

    Replicates that are NaN are left out. Never use it for a headline effect: with about five
    contributing items it covers .68 where 95% is claimed.

    Args:
        replicates: Shape (replicates, cells).
        level: Nominal coverage.

    Returns:
        Shape (2, cells): low and high.
    """
    probability(level=level)
    if np.isnan(replicates).all(axis=0).any():
        raise StatisticsError(
            "A cell has no replicate with a number",
            allowed="cells with at least one item that contributes",
            given=f"{int(np.isnan(replicates).all(axis=0).sum())} empty cells",
            next_step="Leave empty cells out and report them as empty.",
        )
    edges = [(1 - level) / 2, (1 + level) / 2]
    return np.asarray(np.nanquantile(replicates, edges, axis=0), dtype=np.float64)


def simultaneous_band(
    theta: ArrayLike,
    se: ArrayLike,
    replicates: Floats,
    level: float = 0.95,
    centers: ArrayLike | None = None,
) -> Band:
    """Return intervals that hold for all cells together.

    c = level quantile of max_k |theta*_k - theta_k| / se_k over replicates (sup-t band, Montiel
    Olea and Plagborg-Moller 2019), at least the normal quantile of one cell; intervals center_k +-
    c se_k. Independent cells give z at (1 + level^(1/K)) / 2, 2.569 for five. A cell whose
    replicates all agree says nothing about its doubt, so with one of them c is at least that value
    for all K cells (Sidak 1967).

    Args:
        theta: Estimates, shape (cells,).
        se: Their standard errors, all above 0, shape (cells,).
        replicates: Shape (replicates, cells), of the same W for every cell.
        level: Coverage of all cells together.
        centers: Middles of the intervals where a small-sample rule moved them away from theta,
            shape (cells,); theta when None.
    """
    probability(level=level)
    theta_k, se_k = finite("theta", theta), finite("se", se)
    center_k = theta_k if centers is None else finite("centers", centers)
    same_shape(theta=theta_k, se=se_k, centers=center_k)
    replicates = np.asarray(replicates, dtype=np.float64)
    if replicates.ndim != 2 or replicates.shape[1] != theta_k.size or np.isinf(replicates).any():
        raise StatisticsError(
            "Replicates do not fit the cells",
            allowed=f"shape (replicates, {theta_k.size}), numbers or NaN where there is none",
            given=f"shape {replicates.shape}, {int(np.isinf(replicates).sum())} infinite",
            next_step="Resample every cell with one W.",
        )
    complete = replicates[~np.isnan(replicates).any(axis=1)]
    if theta_k.size == 0 or (se_k <= 0).any() or len(complete) == 0:
        raise StatisticsError(
            "A band needs cells with doubt",
            allowed="at least one cell, standard errors above 0, one complete replicate",
            given=f"{theta_k.size} cells, {int((se_k <= 0).sum())} without doubt, "
            f"{len(complete)} complete replicates",
            next_step="Leave out cells whose state is not ok.",
        )
    largest = np.abs((complete - theta_k) / se_k).max(axis=1)
    flat = bool((np.ptp(complete, axis=0) <= 1e-12).any())
    least = two_sided_z(level ** (1 / theta_k.size) if flat else level)
    critical = max(least, float(np.quantile(largest, level)))
    return Band(
        critical=critical,
        low=tuple((center_k - critical * se_k).tolist()),
        high=tuple((center_k + critical * se_k).tolist()),
        replicates=len(complete),
        level=level,
    )


def exact_bootstrap_se(values: ArrayLike) -> float | None:
    """Return the standard error of a mean that infinitely many multinomial replicates would give.

    sqrt(sum (x - mean x)^2 / n) / sqrt(n): the check on a finite number of replicates.

    Args:
        values: One value per item, shape (items,).

    Returns:
        None without items.
    """
    x = finite("values", values)
    return float(x.std() / np.sqrt(x.size)) if x.size else None

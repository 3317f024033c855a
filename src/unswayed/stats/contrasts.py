"""Contrasts of several ratio effects over the same items, with their covariance included."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import finite, probability, same_shape
from unswayed.stats.estimate import Estimate, counts_only
from unswayed.stats.quantiles import two_sided_t, two_sided_z
from unswayed.stats.ratio import LINEARIZED_ITEMS, MINIMUM_ITEMS, PAIR_ADDED
from unswayed.stats.sparse import added_pair, deviations
from unswayed.stats.uneven import effective_items, too_uneven

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def contrast_effect(
    sums: ArrayLike,
    counts: ArrayLike,
    weights: ArrayLike,
    *,
    n_unread: int = 0,
    level: float = 0.95,
    bound: float = 1.0,
) -> Estimate:
    """Estimate sum_c w_c R_c for ratios R_c = sum A_c / sum B_c over the same items.

    Influence of item i: z_i = sum_c w_c (A_ic - R_c B_ic) / sum B_c, se^2 = N/(N-1) sum z_i^2
    (Taylor linearization), so that shared items, shared controls and shared draws are accounted
    for. The number n of contributing items is that of the cell with the fewest: counts alone below
    10; t with n - 1 df from 30 on; between, and without variation, each cell gets a pseudo-pair of
    items at +-bound, which moves R_c to R_c n_c/(n_c + 2) and adds 2 (w_c bound/(n_c + 2))^2 to
    se^2, with the normal quantile. Where fewer than 30 of many items differ from the usual item,
    `unswayed.stats.sparse.added_pair` of their deviations sum_c w_c u_ic / sum B_c is added to
    se^2. Items of very uneven size count as `effective_items` says.

    Args:
        sums: A, shape (items, cells).
        counts: B, shape (items, cells).
        weights: w, shape (cells,).
        n_unread: Rows left out because an answer was unread.
        level: Nominal coverage.
        bound: Largest possible |A_ic / B_ic|.
    """
    a, b, w = finite("sums", sums, 2), finite("counts", counts, 2), finite("weights", weights)
    same_shape(sums=a, counts=b)
    probability(level=level)
    if w.size != a.shape[1] or not w.any():
        raise StatisticsError(
            "Contrast weights do not fit the cells",
            allowed=f"{a.shape[1]} weights, not all 0",
            given=f"{w.size} weights",
            next_step="Give one weight for each column.",
        )
    used = w != 0
    a, b, w = a[:, used], b[:, used], w[used]
    contributing = int((b > 0).sum(axis=0).min(initial=len(b)))
    empty = counts_only(contributing, round(float(b.sum())), None, n_unread, level)
    if contributing == 0:
        return empty
    worth = np.array([effective_items(column) for column in b.T])
    least = float(worth.min())
    if least < MINIMUM_ITEMS:
        note = f"{too_uneven(contributing, least, MINIMUM_ITEMS)} in the smallest cell"
        return replace(empty, state="insufficient", note=note)
    ratios = a.sum(axis=0) / b.sum(axis=0)
    influence = ((a - ratios * b) / b.sum(axis=0)) @ w
    value, n = float(ratios @ w), len(influence)
    se = float(np.sqrt(n / (n - 1) * np.sum(influence**2)))
    reach = bound * float(np.abs(w).sum())
    if least >= LINEARIZED_ITEMS and se > 1e-12 * reach:
        usual = [deviations(a_c, b_c) for a_c, b_c in zip(a.T, b.T, strict=True)]
        far = (np.stack(usual, 1) / b.sum(axis=0)) @ w
        items = (b > 0).sum(axis=0)
        # In a difference the shared control cancels; in a cell alone it does not.
        several = bool(np.count_nonzero(w) == 1 and (b.sum(axis=0) > items).any())
        pair = added_pair(far, bound * float(np.max(np.abs(w) / items)), several=several)
        se, df, method = math.hypot(se, math.sqrt(pair)), least - 1, "linearized t"
        method = PAIR_ADDED if pair else method
        half = two_sided_t(level, df) * se
        low, high = value - half, value + half
    else:
        df = None
        center = float((ratios * worth / (worth + 2)) @ w)
        se = float(np.sqrt(se**2 + 2 * np.sum((bound * w / (worth + 2)) ** 2)))
        half = two_sided_z(level) * se
        low = min(value, max(-reach, center - half))
        high = max(value, min(reach, center + half))
        method = "pseudo-pairs"
    return replace(
        empty, value=value, low=low, high=high, se=se, df=df, method=method, state="ok", note=""
    )


def effect_difference(
    sums_first: ArrayLike,
    counts_first: ArrayLike,
    sums_second: ArrayLike,
    counts_second: ArrayLike,
    *,
    level: float = 0.95,
) -> Estimate:
    """Estimate the first ratio effect minus the second over the same items.

    For two models on one plan, or two pressure types that share a control: `contrast_effect` with
    weights +1 and -1.

    Args:
        sums_first: A of the first effect, shape (items,).
        counts_first: B of the first effect, shape (items,).
        sums_second: A of the second effect, shape (items,), items in the same order.
        counts_second: B of the second effect, shape (items,).
        level: Nominal coverage.
    """
    a1, b1 = finite("sums_first", sums_first), finite("counts_first", counts_first)
    a2, b2 = finite("sums_second", sums_second), finite("counts_second", counts_second)
    same_shape(sums_first=a1, counts_first=b1, sums_second=a2, counts_second=b2)
    return contrast_effect(np.stack([a1, a2], 1), np.stack([b1, b2], 1), [1, -1], level=level)

"""Agreement of raters: alpha, AC1 and AC2, kappa, raw and per class, always side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.agreement_interval import agreement_interval
from unswayed.stats.arrays import counted, finite
from unswayed.stats.estimate import Estimate, counts_only, withhold
from unswayed.stats.rating_counts import (
    class_agreement,
    count_ratings,
    percent_agreement,
    prevalence_note,
    unit_agreement,
)
from unswayed.stats.ratio import MINIMUM_ITEMS
from unswayed.stats.uneven import effective_items, too_uneven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unswayed.stats.agreement_interval import WeightedMeasure
    from unswayed.stats.arrays import Floats
    from unswayed.stats.rating_counts import Ratings

LEVEL = 0.95
"""Nominal coverage of the intervals."""

Metric = Literal["nominal", "ordinal", "interval", "ratio", "ordinal (Gwet)"]
"""Distance of two categories; the two ordinal forms differ and are always named."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement of two or more raters on the same units."""

    percent: float | None
    """Mean over units of the share of rater pairs that agree, None without pairs."""
    alpha: Estimate
    """Krippendorff's alpha with its interval over units."""
    ac: Estimate
    """Gwet's AC1 with its interval over units."""
    kappa: float | None
    """Cohen's kappa, None unless there are two raters and some variation."""
    per_class: dict[str, float | None]
    """Per category: chance that another rater agrees with one who chose it."""
    metric: Metric
    """Distance behind alpha."""
    n_units: int
    """Units with at least one rating."""
    n_pairable: int
    """Units with two ratings or more."""
    n_missing: int
    """Ratings that are absent."""


def krippendorff_alpha(
    table: Floats, categories: Sequence[float], metric: Metric = "nominal", *, n_apart: int = 0
) -> float | None:
    """Return Krippendorff's alpha of rating counts.

    1 - D_o/D_e over the coincidences of units with two ratings or more: unit u adds
    r_c r_k/(m_u - 1) for c != k and r_c (r_c - 1)/(m_u - 1) for c = k. Distances: nominal 1;
    ordinal (sum of n_g from c to k - (n_c + n_k)/2)^2; interval (c - k)^2; ratio
    ((c - k)/(c + k))^2; "ordinal (Gwet)" 1 - weight with weight 1 - C(span, 2)/C(q, 2)
    (Krippendorff 2019, chapter 12; Gwet 2014).

    Args:
        table: Counts of `count_ratings`, shape (units, categories).
        categories: The category values.
        metric: Distance of two categories.
        n_apart: How many of the last categories are no point on the scale; each lies as far from
            every other category as the two ends of the scale do from each other.

    Returns:
        None where nothing varies or no unit has two ratings: alpha is undefined there.
    """
    coincidences = _coincidences(table).sum(axis=0).reshape(table.shape[1], table.shape[1])
    return _alpha(coincidences, categories, metric, n_apart)


def _coincidences(table: Floats) -> Floats:
    sizes = table.sum(axis=1)
    pairs = table[:, :, None] * table[:, None, :]
    diagonal = np.arange(table.shape[1])
    pairs[:, diagonal, diagonal] -= table
    scale = np.where(sizes > 1, sizes - 1, np.inf)
    return np.asarray((pairs / scale[:, None, None]).reshape(len(table), table.shape[1] ** 2))


def _alpha(
    coincidences: Floats, categories: Sequence[float], metric: Metric, n_apart: int = 0
) -> float | None:
    counted("n_apart", n_apart)
    if n_apart > len(categories):
        raise StatisticsError(
            "More categories lie apart than there are",
            allowed=f"0 to {len(categories)}",
            given=str(n_apart),
            next_step="Count the last categories that are no point on the scale.",
        )
    marginal = coincidences.sum(axis=0)
    total = float(marginal.sum())
    if total <= 1 or int((marginal > 0).sum()) < 2:
        return None
    scale = len(categories) - n_apart
    within = _distance(marginal[:scale], categories[:scale], metric)
    distance = float(within.max(initial=0.0) or 1.0) * (1 - np.eye(len(categories)))
    distance[:scale, :scale] = within
    expected = float(np.sum(np.outer(marginal, marginal) * distance)) / (total - 1)
    if expected <= 0:
        return None
    return 1 - float(np.sum(coincidences * distance)) / expected


def _distance(marginal: Floats, categories: Sequence[float], metric: Metric) -> Floats:
    values = np.asarray(categories, dtype=np.float64)
    if metric == "nominal":
        return 1 - np.eye(values.size)
    if metric == "ordinal":
        steps = np.cumsum(marginal) - marginal / 2
        return np.asarray((steps[:, None] - steps[None, :]) ** 2, dtype=np.float64)
    if metric == "ordinal (Gwet)":
        return 1 - _ordinal_weights(values.size)
    difference = (values[:, None] - values[None, :]) ** 2
    if metric == "interval":
        return np.asarray(difference, dtype=np.float64)
    if (values < 0).any():
        raise StatisticsError(
            "A ratio scale has no negative values",
            allowed="categories of 0 or more",
            given=str(list(categories)),
            next_step="Use the interval metric.",
        )
    size = (values[:, None] + values[None, :]) ** 2
    return np.divide(difference, size, out=np.zeros_like(difference), where=size > 0)


def _ordinal_weights(q: int) -> Floats:
    span = np.abs(np.subtract.outer(np.arange(q), np.arange(q))) + 1.0
    return np.asarray(1 - span * (span - 1) / (q * (q - 1)), dtype=np.float64)


def quadratic_weights(categories: Sequence[float]) -> Floats:
    """Return 1 - (c - k)^2/(max - min)^2, the quadratic weights of AC2.

    Args:
        categories: The category values, two or more.
    """
    values = finite("categories", categories)
    reach = float(np.ptp(values)) if values.size else 0.0
    if reach <= 0:
        raise StatisticsError(
            "Quadratic weights need two categories",
            allowed="two different values or more",
            given=str(list(categories)),
            next_step="Use AC1.",
        )
    return np.asarray(1 - (np.subtract.outer(values, values) / reach) ** 2, dtype=np.float64)


def gwet_ac(table: Floats, rewards: Floats | None = None) -> float | None:
    """Return Gwet's AC1, or AC2 with weights.

    (p_a - p_e)/(1 - p_e): p_a is the mean over units with two ratings or more of
    sum_k r_k ((W r)_k - 1)/(m (m - 1)); p_e = sum(W)/(q (q - 1)) sum_k pi_k (1 - pi_k) with pi_k
    the mean over all rated units of r_k/m (Gwet 2008, 2014). Stays high where one class is rare,
    where alpha and kappa collapse.

    Args:
        table: Counts of `count_ratings`, shape (units, categories).
        rewards: W, shape (categories, categories); identity by default.

    Returns:
        None without two categories or a unit with two ratings.
    """
    return _weighted_ac(table, np.ones(len(table)), rewards)


def _weighted_ac(table: Floats, weight: Floats, rewards: Floats | None = None) -> float | None:
    q = int(table.shape[1])
    if q < 2:
        return None
    w = np.eye(q) if rewards is None else rewards
    sizes = table.sum(axis=1)
    agreed, shares = unit_agreement(table, w)
    paired, rated = weight[sizes > 1], weight[sizes > 0]
    if paired.sum() <= 0:
        return None
    prevalence = rated @ shares / rated.sum()
    chance = float(w.sum()) / (q * (q - 1))
    expected = chance * float(np.sum(prevalence * (1 - prevalence)))
    return (float(paired @ agreed / paired.sum()) - expected) / (1 - expected)


def cohen_kappa(first: Sequence[float | None], second: Sequence[float | None]) -> float | None:
    """Return Cohen's kappa of two raters over the units that both rated.

    (p_o - p_e)/(1 - p_e) with p_e from both margins (Cohen 1960).

    Args:
        first: Ratings of the first rater, None is missing.
        second: Ratings of the second rater.

    Returns:
        None without common units, or where both use one category.
    """
    if len(first) != len(second):
        raise StatisticsError(
            "Two raters have different units",
            allowed="one entry per unit, None where missing",
            given=f"{len(first)} and {len(second)}",
            next_step="Line ratings up by unit.",
        )
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    if not both:
        return None
    if not all(math.isfinite(value) for pair in both for value in pair):
        raise StatisticsError(
            "A rating is not finite",
            allowed="finite numbers, None where missing",
            given="NaN or infinity",
            next_step="Write None for a missing rating.",
        )
    n = len(both)
    observed = sum(a == b for a, b in both) / n
    labels = {value for pair in both for value in pair}
    expected = sum(
        sum(a == label for a, _ in both) * sum(b == label for _, b in both) for label in labels
    ) / (n * n)
    return None if expected >= 1 else (observed - expected) / (1 - expected)


def measure_agreement(
    ratings: Ratings,
    categories: Sequence[float],
    *,
    metric: Metric = "nominal",
    n_apart: int = 0,
    clusters: Sequence[str] = (),
) -> Agreement:
    """Return alpha and AC1 side by side, with the intervals of `agreement_interval`.

    Fewer than 10 pairable units, or clusters of them, give counts alone. Where nothing varies
    alpha is undefined and the raw agreement stands in its note; where one category holds nine
    tenths of the ratings, the note of alpha says what that does to it.

    Args:
        ratings: One row per unit, one column per rater; None is missing.
        categories: All categories, in order.
        metric: Distance behind alpha.
        n_apart: How many of the last categories are no point on the scale, as in
            `krippendorff_alpha`.
        clusters: Item of each unit, shape (units,); units are independent when left out.
    """
    if len({len(row) for row in ratings}) > 1:
        raise StatisticsError(
            "Units have different numbers of raters",
            allowed="one column per rater, None where missing",
            given=str(sorted({len(row) for row in ratings})),
            next_step="Fill missing ratings with None.",
        )
    if clusters and len(clusters) != len(ratings):
        raise StatisticsError(
            "Units and their clusters differ in number",
            allowed="one cluster per unit, or none at all",
            given=f"{len(ratings)} units and {len(clusters)} clusters",
            next_step="Name the item of every unit.",
        )
    table = count_ratings(ratings, categories)
    sizes = table.sum(axis=1)
    rated = sizes > 0
    table = table[rated]
    groups = np.asarray(clusters if clusters else range(len(ratings)))[rated]
    columns = list(zip(*ratings, strict=True)) if ratings else []
    kappa = cohen_kappa(columns[0], columns[1]) if len(columns) == 2 else None
    names = [str(category) for category in categories]

    def alpha(sample: Floats, weight: Floats) -> float | None:
        """Return alpha of weighted units."""
        q = len(categories)
        return _alpha((weight @ _coincidences(sample)).reshape(q, q), categories, metric, n_apart)

    return Agreement(
        percent=percent_agreement(table),
        alpha=_noted(_estimate(table, groups, alpha, f"alpha {metric}"), table),
        ac=_estimate(table, groups, _weighted_ac, "AC1"),
        kappa=kappa,
        per_class=dict(zip(names, class_agreement(table), strict=True)),
        metric=metric,
        n_units=len(table),
        n_pairable=int((sizes > 1).sum()),
        n_missing=sum(value is None for row in ratings for value in row),
    )


def _noted(alpha: Estimate, table: Floats) -> Estimate:
    if alpha.state != "ok":
        return alpha
    return replace(alpha, note="; ".join(filter(None, (alpha.note, prevalence_note(table)))))


def _estimate(table: Floats, groups: NDArray[Any], measure: WeightedMeasure, name: str) -> Estimate:
    paired = table.sum(axis=1) > 1
    pairable = int(paired.sum())
    shell = counts_only(pairable, round(float(table.sum())), level=LEVEL)
    if pairable == 0:
        return shell
    value = measure(table, np.ones(len(table)))
    if value is None:
        raw = percent_agreement(table) or 0.0
        return withhold(shell, "undefined", f"undefined without variation, raw {raw:.0%}")
    number = np.unique(groups, return_inverse=True)[1].ravel()
    worth = effective_items(np.bincount(number[paired]).astype(np.float64))
    if worth < MINIMUM_ITEMS:
        n = int(np.unique(number[paired]).size)
        return replace(
            shell, state="insufficient", note=too_uneven(n, worth, MINIMUM_ITEMS, "units")
        )
    low, high, se = agreement_interval(table, number, measure, worth, level=LEVEL)
    return replace(
        shell,
        value=value,
        low=min(value, low),
        high=max(value, high),
        se=se,
        method=f"{name}, linearized t with two pseudo-units",
        state="ok",
        note="",
    )

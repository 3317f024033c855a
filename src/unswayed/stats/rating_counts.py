"""Ratings as counts: how many raters put each unit in each category, and what that shows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from unswayed.errors import StatisticsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unswayed.stats.arrays import Floats

    Ratings = Sequence[Sequence[float | None]]

PREVALENT = 0.9
"""Share of one category from which alpha and kappa say more of its prevalence than of agreement."""


def count_ratings(ratings: Ratings, categories: Sequence[float]) -> Floats:
    """Count how many raters put each unit in each category.

    Args:
        ratings: One row per unit, one column per rater; None is missing, not a category.
        categories: All categories, in order.

    Returns:
        Shape (units, categories).
    """
    index = {_rating(category, "a category"): place for place, category in enumerate(categories)}
    if len(index) != len(categories) or not all(math.isfinite(value) for value in index):
        raise StatisticsError(
            "Categories are not different finite numbers",
            allowed="each category once",
            given=str(list(categories)),
            next_step="Number the labels, in order for an ordinal scale.",
        )
    table = np.zeros((len(ratings), len(index)))
    for unit, row in enumerate(ratings):
        for value in row:
            if value is None:
                continue
            number = _rating(value, f"unit {unit}")
            if number not in index:
                raise StatisticsError(
                    "A rating is not among the categories",
                    allowed=", ".join(str(category) for category in categories),
                    given=f"{value} in unit {unit}",
                    next_step="List every category, or write None for a missing rating.",
                )
            table[unit, index[number]] += 1
    return table


def percent_agreement(table: Floats) -> float | None:
    """Return the mean over units of the share of rater pairs that agree, None without pairs.

    Args:
        table: Counts of `count_ratings`, shape (units, categories).
    """
    agreed, _ = unit_agreement(table, np.eye(table.shape[1]))
    return float(agreed.mean()) if len(agreed) else None


def class_agreement(table: Floats) -> tuple[float | None, ...]:
    """Return for each category the chance that another rater agrees with one who chose it.

    sum_u r_k (r_k - 1)/sum_u r_k (m_u - 1) (specific agreement, Cicchetti and Feinstein 1990).

    Args:
        table: Counts of `count_ratings`, shape (units, categories).
    """
    others = np.sum(table * np.maximum(table.sum(axis=1) - 1, 0)[:, None], axis=0)
    same = np.sum(table * (table - 1), axis=0)
    return tuple(float(s / o) if o > 0 else None for s, o in zip(same, others, strict=True))


def unit_agreement(table: Floats, w: Floats) -> tuple[Floats, Floats]:
    """Return how far each unit with two ratings agrees, and the shares of each rated unit.

    Args:
        table: Counts of `count_ratings`, shape (units, categories).
        w: What a pair of categories is worth, shape (categories, categories).

    Returns:
        sum_k r_k ((W r)_k - 1)/(m (m - 1)), shape (pairable,), and r_k/m, shape (rated,
        categories).
    """
    sizes = table.sum(axis=1)
    rated, pairable = table[sizes > 0], table[sizes > 1]
    m = sizes[sizes > 1]
    agreed = np.sum(pairable * (pairable @ w - 1), axis=1) / (m * (m - 1))
    return agreed, rated / sizes[sizes > 0][:, None]


def prevalence_note(table: Floats) -> str:
    """Return what a common category does to alpha, with the raw agreement; nothing where none is.

    Where one category holds nine tenths of the ratings, chance agreement is so high that a single
    unit on which raters differ takes alpha and kappa to 0 (the paradox of Feinstein and Cicchetti
    1990).

    Args:
        table: Counts of `count_ratings`, shape (units, categories).
    """
    raw, total = percent_agreement(table), float(table.sum())
    most = float(table.sum(axis=0).max(initial=0.0)) / total if total else 0.0
    if raw is None or most < PREVALENT or most == 1:
        return ""
    return (
        f"{most:.0%} of the ratings are of one category, where single units move this number far;"
        f" raw agreement {raw:.0%}"
    )


def _rating(value: object, where: str) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise StatisticsError(
            "A rating is no number",
            allowed="numbers, None where missing",
            given=f"{value!r} in {where}"[:80],
            next_step="Number the labels, in order for an ordinal scale.",
        ) from error

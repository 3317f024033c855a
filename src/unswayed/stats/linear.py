"""A linear law inside groups, with clustered errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import finite
from unswayed.stats.estimate import Estimate, counts_only
from unswayed.stats.sandwich import (
    FEWEST_CLUSTERS,
    coefficients,
    effective_clusters,
    flat,
    invert,
    number_clusters,
)
from unswayed.stats.uneven import too_uneven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

_ROUNDING = 1e-10
"""Size of a residual, as a share of the largest value, that is rounding and no deviation."""


def within_groups(
    columns: ArrayLike,
    values: ArrayLike,
    groups: Sequence[object],
    names: Sequence[str],
    *,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """Fit value = group + columns theta by least squares on deviations from group means.

    The variance is that of `unswayed.stats.sandwich.coefficients` with the groups as clusters. With
    fewer than 30 groups every coefficient is `insufficient`. What the columns leave of a value by
    rounding counts as nothing, so that an exact law has an interval of zero width and says so.

    Args:
        columns: Shape (rows, columns).
        values: Shape (rows,).
        groups: The group, such as the prompt, of each row.
        names: Names of the columns.
        level: Nominal coverage.
    """
    y = finite("values", values)
    x = finite("columns", np.asarray(columns, dtype=np.float64).reshape(y.size, len(names)), 2)
    if len(groups) != y.size:
        raise StatisticsError(
            "Rows and groups do not match",
            allowed="one group for each row",
            given=f"{y.size} rows, {len(groups)} groups",
            next_step="give each row its prompt",
        )
    numbers, n = number_clusters(groups)
    shell = counts_only(n, y.size, level=level)
    worth = effective_clusters(numbers)
    if worth < FEWEST_CLUSTERS:
        note = too_uneven(n, worth, FEWEST_CLUSTERS, "groups")
        few = replace(shell, state="insufficient", note=note)
        return dict.fromkeys(names, few if n else flat(shell))
    size = np.bincount(numbers)
    y = y - (np.bincount(numbers, weights=y) / size)[numbers]
    means = np.stack([np.bincount(numbers, weights=column) / size for column in x.T], axis=1)
    x = x - means[numbers]
    x[np.abs(x) < 1e-12] = 0.0
    bread = invert(x.T @ x)
    theta = bread @ (x.T @ y)
    residuals = y - x @ theta
    residuals[np.abs(residuals) <= _ROUNDING * np.abs(values).max(initial=0.0)] = 0.0
    fitted = dict(zip(names, theta.tolist(), strict=True))
    return coefficients(x, residuals, numbers, np.ones(y.size), fitted, shell)

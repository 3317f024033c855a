"""Two-level factors: main effects and interactions that are not confounded."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import finite
from unswayed.stats.contrasts import contrast_effect
from unswayed.stats.estimate import Estimate, withhold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from unswayed.stats.arrays import Floats


def factorial_weights(factors: Sequence[str]) -> dict[str, Floats]:
    """Return the weights of each main effect and interaction over the cells of a 2^f design.

    Cells are in C order: the last factor changes fastest, the first level comes first. A main
    effect is the first level minus the second, averaged without weights over the other factors;
    an interaction of two factors is the difference of the simple effects, and so on upward.

    Args:
        factors: Names of the factors.

    Returns:
        Name ("placement", "placement x naming") to weights of shape (2^f,).
    """
    if not factors or len(set(factors)) != len(factors):
        raise StatisticsError(
            "Factors must have different names",
            allowed="one name or more, each once",
            given=", ".join(factors),
            next_step="Name each two-level factor of the design.",
        )
    difference, average = np.array([1.0, -1.0]), np.array([0.5, 0.5])
    named: dict[str, Floats] = {}
    for order in range(1, len(factors) + 1):
        for chosen in combinations(factors, order):
            weights = np.ones(1)
            for factor in factors:
                weights = np.kron(weights, difference if factor in chosen else average)
            named[" x ".join(chosen)] = weights
    return named


def factorial_contrasts(means: ArrayLike, factors: Sequence[str]) -> dict[str, float]:
    """Return main effects and interactions of cell means.

    Args:
        means: Cell means, one axis of length 2 for each factor.
        factors: Names of the axes.
    """
    table = finite("means", means, len(factors))
    _check_levels(table.shape, factors)
    cells = table.ravel()
    return {name: float(weights @ cells) for name, weights in factorial_weights(factors).items()}


def factorial_effects(
    sums: ArrayLike, counts: ArrayLike, factors: Sequence[str], *, level: float = 0.95
) -> dict[str, Estimate]:
    """Estimate main effects and interactions with the covariance of cells that share items.

    Each is a contrast of the cells' ratio effects, see
    `unswayed.stats.contrasts.contrast_effect`.

    Args:
        sums: A, shape (items, 2, 2, ...), one axis of length 2 for each factor.
        counts: B, same shape.
        factors: Names of the factor axes.
        level: Nominal coverage.
    """
    a = finite("sums", sums, len(factors) + 1)
    b = finite("counts", counts, len(factors) + 1)
    _check_levels(a.shape[1:], factors)
    flat_a, flat_b = a.reshape(len(a), -1), b.reshape(len(b), -1)
    return {
        name: contrast_effect(flat_a, flat_b, weights, level=level)
        for name, weights in factorial_weights(factors).items()
    }


def differing_factors(first: Mapping[str, object], second: Mapping[str, object]) -> tuple[str, ...]:
    """Return the factors in which two cells differ, sorted.

    Args:
        first: Factor to level of one cell.
        second: Factor to level of the other cell.
    """
    return tuple(
        sorted(
            factor
            for factor in first.keys() | second.keys()
            if first.get(factor) != second.get(factor)
        )
    )


def refuse_confounded(
    estimate: Estimate, first: Mapping[str, object], second: Mapping[str, object], declared: str
) -> Estimate:
    """Return the estimate, or its counts in state `confounded` when the cells differ in more.

    Args:
        estimate: Difference of the two cells.
        first: Factor to level of one cell.
        second: Factor to level of the other cell.
        declared: The factor that the comparison claims to be about.
    """
    differing = differing_factors(first, second)
    if differing == (declared,):
        return estimate
    others = ", ".join(factor for factor in differing if factor != declared) or "nothing"
    return withhold(
        estimate, "confounded", f"said to compare {declared}, but the cells differ in {others}"
    )


def _check_levels(shape: tuple[int, ...], factors: Sequence[str]) -> None:
    if shape != (2,) * len(factors):
        raise StatisticsError(
            "A factorial table needs two levels of each factor",
            allowed=f"shape {(2,) * len(factors)}",
            given=f"shape {shape}",
            next_step="Pick two levels of each factor, or compare them pairwise.",
        )

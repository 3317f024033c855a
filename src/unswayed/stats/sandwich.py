"""Coefficients with errors that are clustered: what the regressions share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from unswayed.stats.estimate import within_rounding
from unswayed.stats.quantiles import two_sided_t
from unswayed.stats.uneven import effective_items

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from unswayed.stats.arrays import Floats
    from unswayed.stats.estimate import Estimate

FEWEST_CLUSTERS = 30
"""Clusters below which the sandwich variance is not trusted."""


def number_clusters(clusters: Sequence[object]) -> tuple[NDArray[np.int64], int]:
    """Return the number of each row's cluster, from 0, and how many clusters there are."""
    known: dict[object, int] = {}
    numbers = [known.setdefault(cluster, len(known)) for cluster in clusters]
    return np.array(numbers, dtype=np.int64), len(known)


def effective_clusters(numbers: NDArray[np.int64]) -> float:
    """Return what clusters are worth whose rows differ in number: their count where these do not.

    Args:
        numbers: Cluster of each row, from 0.
    """
    return effective_items(np.bincount(numbers).astype(np.float64)) if numbers.size else 0.0


def invert(information: Floats) -> Floats:
    """Return the inverse of an information matrix, or its pseudo-inverse where it has none."""
    inverse: Floats = np.linalg.pinv(information, hermitian=True).astype(np.float64)
    return inverse


def coefficients(
    x: Floats,
    residuals: Floats,
    numbers: NDArray[np.int64],
    bread: Floats,
    values: Mapping[str, float],
    shell: Estimate,
) -> dict[str, Estimate]:
    """Return coefficients with G/(G-1) B (sum_g s_g s_g') B, s_g = sum over g of x e.

    Liang and Zeger (1986); t with G - 1 df, G being `effective_items` of the rows of the clusters
    where these are of uneven size. A coefficient that other columns give exactly is
    `confounded`; one of a column of zeros is `empty`.

    Args:
        x: Columns, shape (rows, columns).
        residuals: e, shape (rows,).
        numbers: Cluster of each row.
        bread: B, the inverse information.
        values: The coefficients by name, in the order of the columns.
        shell: Counts, with n the clusters.
    """
    scores = np.zeros((shell.n, x.shape[1]))
    np.add.at(scores, numbers, x * residuals[:, None])
    variance = shell.n / (shell.n - 1) * bread @ (scores.T @ scores) @ bread
    full = np.linalg.matrix_rank(x)
    worth = effective_clusters(numbers)
    found: dict[str, Estimate] = {}
    for place, (name, value) in enumerate(values.items()):
        if not x[:, place].any():
            found[name] = flat(shell)
        elif np.linalg.matrix_rank(np.delete(x, place, axis=1)) == full:
            note = "other features give it exactly: the set cannot tell them apart"
            found[name] = msgspec.structs.replace(shell, state="confounded", note=note)
        else:
            found[name] = _coefficient(shell, value, float(variance[place, place]), worth)
    return found


def flat(shell: Estimate) -> Estimate:
    """Return the state of a column in which no rows differ."""
    return msgspec.structs.replace(shell, note="no pair differs in it")


def _coefficient(shell: Estimate, value: float, variance: float, worth: float) -> Estimate:
    se = float(np.sqrt(max(variance, 0.0)))
    half = two_sided_t(shell.level, worth - 1) * se
    if within_rounding(half, value):
        half = se = 0.0
    return msgspec.structs.replace(
        shell,
        value=value,
        low=value - half,
        high=value + half,
        se=se,
        method="clustered sandwich",
        state="ok",
        note="" if half else "its groups of rows do not differ in it",
    )

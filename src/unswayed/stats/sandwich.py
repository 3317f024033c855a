"""Coefficients with errors that are clustered: what the regressions share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from unswayed.errors import StatisticsError
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
FEWEST_CARRYING = 10.0
"""Clusters that a coefficient must rest on to be printed."""
FEWEST_BY_SIZE = 5.0
"""Clusters that rows must count as; with fewer, t times the error says nothing."""


def number_clusters(clusters: Sequence[object]) -> tuple[NDArray[np.int64], int]:
    """Return the number of each row's cluster, from 0, and how many clusters there are.

    Raises:
        StatisticsError: When a row has None or NaN as its cluster, so that it is in none.
    """
    for row, cluster in enumerate(clusters):
        if cluster is None or cluster != cluster:
            raise StatisticsError(
                "A row has no cluster",
                allowed="the id of its item or family for each row",
                given=f"{cluster!r} in row {row}",
                next_step="Name the item of every row; rows without one cannot be counted.",
            )
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
    weights: Floats,
    values: Mapping[str, float],
    shell: Estimate,
) -> dict[str, Estimate]:
    """Return coefficients with (G-1)/G B (sum_g s_g s_g') B, s_g = (1 - A_g B)^-1 x_g' e_g.

    With A_g = sum over g of w x x' and B = (sum_g A_g)^-1: the sandwich of Liang and Zeger (1986),
    in which the residuals of a cluster are those of a fit without it, since a large cluster draws
    the fit to itself (Bell and McCaffrey 2002, the jackknife). t with G - 1 df, where G is the
    smaller of two numbers of clusters by `effective_items`: of the squares of their rows, since a
    cluster whose rows hold together has so much of the variance, and of their part in the variance
    of this coefficient, (B A_g B)_kk, since a column in which four clusters of a hundred differ is
    known from four. Where they are under five by their rows, or under ten by their part, it is
    `insufficient`: intervals of fewer held theirs in 55% to 88%, or said nothing. One that other
    columns give exactly is
    `confounded`; one of a column of zeros is `empty`.

    Args:
        x: Columns, shape (rows, columns).
        residuals: e, shape (rows,).
        numbers: Cluster of each row.
        weights: w, the information of each row, shape (rows,).
        values: The coefficients by name, in the order of the columns.
        shell: Counts, with n the clusters.
    """
    own = _own(x, numbers, weights)
    bread = invert(own.sum(axis=0))
    scores = _left_out(x * residuals[:, None], numbers, own) @ bread
    variance = (shell.n - 1) / shell.n * scores.T @ scores
    full = np.linalg.matrix_rank(x)
    by_size = effective_items(np.bincount(numbers).astype(np.float64) ** 2)
    parts = np.einsum("ij,gjk,ki->gi", bread, own, bread)
    found: dict[str, Estimate] = {}
    for place, (name, value) in enumerate(values.items()):
        if not x[:, place].any():
            found[name] = flat(shell)
        elif np.linalg.matrix_rank(np.delete(x, place, axis=1)) == full:
            note = "other features give it exactly: the set cannot tell them apart"
            found[name] = msgspec.structs.replace(shell, state="confounded", note=note)
        else:
            worth = (by_size, effective_items(np.maximum(parts[:, place], 0.0)))
            found[name] = _coefficient(shell, value, float(variance[place, place]), worth)
    return found


def _own(x: Floats, numbers: NDArray[np.int64], weights: Floats) -> Floats:
    """A_g, the information of each cluster, shape (clusters, columns, columns)."""
    n, k = int(numbers.max()) + 1, x.shape[1]
    own = np.zeros((n, k, k))
    for column in range(k):
        np.add.at(own[:, column], numbers, x * (weights * x[:, column])[:, None])
    return own


def _left_out(rows: Floats, numbers: NDArray[np.int64], own: Floats) -> Floats:
    """The score of each cluster at the fit without it, shape (clusters, columns)."""
    n, k = own.shape[:2]
    scores = np.zeros((n, k))
    np.add.at(scores, numbers, rows)
    rest = np.eye(k) - own @ invert(own.sum(axis=0))
    # A cluster that alone decides a coefficient has no fit without it: that direction is 0.
    found: Floats = (np.linalg.pinv(rest, rcond=1e-9) @ scores[:, :, None])[:, :, 0]
    return found


def flat(shell: Estimate) -> Estimate:
    """Return the state of a column in which no rows differ."""
    return msgspec.structs.replace(shell, note="no pair differs in it")


def _coefficient(
    shell: Estimate, value: float, variance: float, counted: tuple[float, float]
) -> Estimate:
    worth = min(counted)
    for clusters, least in zip(counted, (FEWEST_BY_SIZE, FEWEST_CARRYING), strict=True):
        if clusters < least - 1e-9:
            df = max(clusters - 1, 0.0)
            what = f"{shell.n} groups count as {clusters:.1f} in it ({df:.1f} df)"
            note = f"{what}, of {least:.0f} needed"
            return msgspec.structs.replace(shell, state="insufficient", note=note)
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
        df=worth - 1,
        method="clustered sandwich",
        state="ok",
        note="" if half else "its groups of rows do not differ in it",
    )

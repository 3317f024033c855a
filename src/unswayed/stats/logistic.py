"""Which of two sides is preferred, by how they differ: a logistic law with clustered errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import finite, probability, same_shape, within
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

    from unswayed.stats.arrays import Floats

CLUSTERS_EACH = 5
"""Clusters that each coefficient needs."""

_LARGEST = 10.0
"""Log odds that one standard deviation of a feature may move; beyond, sides are separated."""


class Logistic(msgspec.Struct, frozen=True, kw_only=True):
    """A fitted law."""

    coefficients: dict[str, Estimate]
    """theta by feature, on the log odds scale."""
    inflation: dict[str, float]
    """Variance inflation by feature, of those that vary."""
    values: tuple[float, ...]
    """All thetas in order; 0 where a feature does not vary."""
    bread: tuple[tuple[float, ...], ...]
    """Inverse of the information; empty where nothing was fitted."""


def clustered_logistic(
    features: ArrayLike,
    chosen: ArrayLike,
    clusters: Sequence[object],
    names: Sequence[str],
    *,
    level: float = 0.95,
) -> Logistic:
    """Fit P(first side preferred) = sigmoid(phi theta) without an intercept.

    phi is the difference of the two sides, so that turning a pair round turns its sign and the
    order of the sides does not matter. Maximum likelihood by Newton's method, with the variance of
    `unswayed.stats.sandwich.coefficients`. A coefficient that other features give exactly is
    `confounded`; with fewer than 30 clusters, or 5 a feature, or clusters of uneven size that count
    as fewer, all are `insufficient`; sides that a feature separates exactly have no estimate and
    are `undefined`.

    Args:
        features: phi, shape (pairs, features).
        chosen: 1 where the first side was preferred, 0 where the second, .5 for a tie, (pairs,).
        clusters: The cluster, such as the prompt, of each pair.
        names: Names of the features.
        level: Nominal coverage.
    """
    x, y = finite("features", features, 2), finite("chosen", chosen)
    same_shape(chosen=y, pairs=x[:, 0] if x.shape[1] else y)
    within("chosen", y, 0, 1)
    probability(level=level)
    if x.shape[1] != len(names) or len(clusters) != y.size or len(set(names)) != len(names):
        raise StatisticsError(
            "Features, pairs and names do not match",
            allowed="one name for each column and one cluster for each row",
            given=f"{x.shape[1]} columns, {len(names)} names, {y.size} rows, {len(clusters)}",
            next_step="give each column its name and each pair its prompt",
        )
    numbers, n = number_clusters(clusters)
    shell = counts_only(n, y.size, level=level)
    varies = np.abs(x).max(axis=0, initial=0.0) > 0
    used = int(varies.sum())
    worth, least = effective_clusters(numbers), max(FEWEST_CLUSTERS, CLUSTERS_EACH * used)
    if worth < least:
        note = too_uneven(n, worth, least, "prompts")
        few = replace(shell, state="insufficient", note=note)
        none = {name: few if varies[place] else flat(shell) for place, name in enumerate(names)}
        return Logistic(coefficients=none, inflation={}, values=(0.0,) * len(names), bread=())
    theta, converged = _fit(x, y)
    bread = invert(_information(x, theta))
    values = dict(zip(names, theta.tolist(), strict=True))
    p = _sigmoid(x @ theta)
    found = coefficients(x, y - p, numbers, p * (1 - p), values, shell)
    if not converged:
        note = "a feature separates the sides exactly"
        lost = replace(shell, state="undefined", note=note)
        found = {name: lost if each.state == "ok" else each for name, each in found.items()}
    return Logistic(
        coefficients=found,
        inflation=_inflation(x, names, varies),
        values=tuple(theta.tolist()),
        bread=tuple(map(tuple, bread.tolist())),
    )


def preference_points(theta: Estimate) -> Estimate:
    """Return sigmoid(theta) - .5: how far one step of a feature moves an even preference.

    Args:
        theta: A coefficient; its interval ends move by the same increasing function.
    """
    value, low, high = theta.value, theta.low, theta.high
    if value is None or low is None or high is None:
        return theta
    point, least, most = (_sigmoid(np.array([value, low, high])) - 0.5).tolist()
    whole = "it decides every pair, as far as a share can be written"
    note = whole if least == most else theta.note
    return replace(theta, value=point, low=least, high=most, se=None, df=None, note=note)


def held_out_accuracy(
    features: ArrayLike, chosen: ArrayLike, clusters: Sequence[object], *, folds: int = 5
) -> Floats:
    """Return for each pair whether a law fitted on other clusters predicts it; .5 without a lean.

    Args:
        features: phi, shape (pairs, features).
        chosen: 1 or 0 for each pair.
        clusters: The cluster of each pair; a cluster is in one fold.
        folds: Number of folds.
    """
    x, y = finite("features", features, 2), finite("chosen", chosen)
    numbers, _ = number_clusters(clusters)
    right = np.full(y.size, 0.5)
    for fold in range(folds):
        inside = numbers % folds == fold
        if inside.all() or not inside.any():
            continue
        theta, _ = _fit(x[~inside], y[~inside])
        lean = x[inside] @ theta
        right[inside] = np.where(lean == 0, 0.5, (lean > 0) == (y[inside] > 0.5))
    return right


def _fit(x: Floats, y: Floats) -> tuple[Floats, bool]:
    """Newton's method with halved steps; False where no maximum is found."""
    theta = np.zeros(x.shape[1])
    best = _likelihood(x, y, theta)
    for _ in range(60):
        gradient = x.T @ (y - _sigmoid(x @ theta))
        step = invert(_information(x, theta)) @ gradient
        size = 1.0
        while size > 1e-6 and _likelihood(x, y, theta + size * step) < best:
            size /= 2
        theta = theta + size * step
        now = _likelihood(x, y, theta)
        if now - best < 1e-10 * max(1.0, abs(best)):
            return theta, bool(np.abs(theta * x.std(axis=0)).max(initial=0.0) < _LARGEST)
        best = now
    return theta, False


def _likelihood(x: Floats, y: Floats, theta: Floats) -> float:
    odds = x @ theta
    return float(np.sum(y * odds - np.logaddexp(0.0, odds)))


def _information(x: Floats, theta: Floats) -> Floats:
    p = _sigmoid(x @ theta)
    information: Floats = (x * (p * (1 - p))[:, None]).T @ x
    return information


def _sigmoid(odds: Floats) -> Floats:
    clipped = np.clip(odds, -500, 500)
    share: Floats = 1 / (1 + np.exp(-clipped))
    return share


def _inflation(x: Floats, names: Sequence[str], varies: Floats) -> dict[str, float]:
    """1 / (1 - R^2) of each feature on the others."""
    places = [place for place in range(x.shape[1]) if varies[place]]
    gram = x[:, places].T @ x[:, places]
    inverse = invert(gram)
    return {names[place]: float(gram[i, i] * inverse[i, i]) for i, place in enumerate(places)}

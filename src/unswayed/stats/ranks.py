"""Rank agreement of two pressure families over models, and how much of it noise allows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, probability, same_shape, seeded, some, within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from unswayed.stats.arrays import Floats


class Kendall(msgspec.Struct, frozen=True, kw_only=True):
    """Rank agreement with its permutation p-value."""

    tau: float | None
    """Kendall's tau-b, None where one side has no two different values."""
    p: float | None
    """Two-sided permutation p-value."""
    n: int
    """Models compared."""
    exact: bool
    """Whether p comes from all permutations."""


class NoiseCeiling(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement of a family of effects with itself over random halves of the items."""

    tau: float | None
    """Mean tau-b of two halves, stepped up to all rows."""
    low: float | None
    """Lower end of the range that holds 95% of the splits, stepped up alike."""
    high: float | None
    """Upper end of it."""
    splits: int
    """Splits that gave a number."""


def kendall_tau_b(x: ArrayLike, y: ArrayLike) -> float | None:
    """Return Kendall's tau-b of two lists of values.

    (C - D) / sqrt((pairs not tied in x)(pairs not tied in y)) (Kendall 1945).

    Args:
        x: Values, shape (models,).
        y: Values, shape (models,).

    Returns:
        tau-b, or None where all values of one side are tied.
    """
    first, second = finite("x", x), finite("y", y)
    same_shape(x=first, y=second)
    tau = float(tau_b_rows(first[None, :], second[None, :])[0])
    return None if math.isnan(tau) else tau


def tau_b_rows(x: ArrayLike, y: ArrayLike) -> Floats:
    """Return tau-b of each row, for bootstrap replicates and simulations.

    Args:
        x: Values, shape (replicates, models).
        y: Values, shape (replicates, models).

    Returns:
        Shape (replicates,); NaN where all values of one side are tied.
    """
    first, second = finite("x", x, 2), finite("y", y, 2)
    same_shape(x=first, y=second)
    i, j = np.triu_indices(first.shape[1], 1)
    sign_x = np.sign(first[:, i] - first[:, j])
    sign_y = np.sign(second[:, i] - second[:, j])
    scale = np.sqrt((sign_x**2).sum(axis=1) * (sign_y**2).sum(axis=1))
    tau = np.full(len(first), np.nan)
    np.divide((sign_x * sign_y).sum(axis=1), scale, out=tau, where=scale > 0)
    return tau


def kendall(x: ArrayLike, y: ArrayLike, *, permutations: int = 9999, seed: int = 0) -> Kendall:
    """Test rank agreement by permuting one side.

    Without ties the number of discordant pairs follows the exact law of inversions of a random
    permutation; with ties p = (1 + #{|tau*| >= |tau|}) / (permutations + 1) over random ones.

    Args:
        x: Values, shape (models,).
        y: Values, shape (models,).
        permutations: Random permutations where values are tied.
        seed: Seed of the permutations.
    """
    first, second = finite("x", x), finite("y", y)
    tau = kendall_tau_b(first, second)
    n = first.size
    if tau is None:
        return Kendall(tau=None, p=None, n=n, exact=False)
    if np.unique(first).size == n and np.unique(second).size == n:
        taus, mass = _null_law(n)
        p = float(mass[np.abs(taus) >= abs(tau) - 1e-9].sum())
        return Kendall(tau=tau, p=min(1.0, p), n=n, exact=True)
    some("permutations", permutations)
    generator = seeded(seed)
    shuffled = generator.permuted(np.tile(second, (permutations, 1)), axis=1)
    drawn = tau_b_rows(np.broadcast_to(first, shuffled.shape), shuffled)
    extreme = int((np.abs(drawn) >= abs(tau) - 1e-9).sum())
    return Kendall(tau=tau, p=(1 + extreme) / (permutations + 1), n=n, exact=False)


def kendall_null_range(models: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the central range of tau between two unrelated rankings without ties.

    The range is symmetric, [-t, t] with t the smallest tau value for which P(|tau| <= t) >= level
    under the exact law of inversions. With 11 models |tau| below .45 cannot be told from 0.

    Args:
        models: Number of models, two or more.
        level: Probability inside the range.
    """
    probability(level=level)
    taus, mass = _null_law(models)
    for threshold in np.unique(np.abs(taus)):
        if mass[np.abs(taus) <= threshold + 1e-12].sum() >= level - 1e-12:
            return -float(threshold), float(threshold)
    return -1.0, 1.0


def _null_law(n: int) -> tuple[Floats, Floats]:
    """Return the values of tau and their probabilities for random permutations of n."""
    counted("models", n)
    if n < 2:
        raise StatisticsError(
            "A ranking needs two models",
            allowed="2 or more",
            given=str(n),
            next_step="Leave rank agreement out of the report.",
        )
    mass = np.ones(1)
    for size in range(2, n + 1):
        mass = np.convolve(mass, np.full(size, 1 / size))
    pairs = n * (n - 1) / 2
    return 1 - 2 * np.arange(mass.size) / pairs, mass


def noise_ceiling(
    sums: ArrayLike,
    counts: ArrayLike,
    *,
    groups: Sequence[str] = (),
    splits: int = 200,
    seed: int = 0,
) -> NoiseCeiling:
    """Return how well the ranking of models by one family agrees with itself.

    Rows are split in two random halves, each half ranks the models, and tau-b of the halves is
    averaged over splits. Halves have half the rows, so their tau is stepped up to all rows
    (`step_up`). Rank disagreement of two families means little where this is low. Halves of
    groups, such as wordings, hold apart what differs between these too.

    Args:
        sums: A, shape (rows, models).
        counts: B, shape (rows, models).
        groups: Group of each row, which stays whole; every row is one by itself when left out.
        splits: Random splits.
        seed: Seed of the splits.
    """
    a, b = finite("sums", sums, 2), finite("counts", counts, 2)
    same_shape(sums=a, counts=b)
    counted("splits", splits)
    if len(groups) not in (0, len(a)):
        raise StatisticsError(
            "Rows and their groups differ in number",
            allowed="one group per row, or none at all",
            given=f"{len(a)} rows and {len(groups)} groups",
            next_step="Name the group of every row.",
        )
    generator = seeded(seed)
    labels = np.asarray(groups) if len(groups) else np.arange(len(a))
    names, group = np.unique(labels, return_inverse=True)
    pairs = []
    for _ in range(splits):
        chosen = np.zeros(len(names), dtype=bool)
        chosen[generator.permutation(len(names))[: len(names) // 2]] = True
        first = chosen[group]
        halves = (first, ~first)
        if all((b[half].sum(axis=0) > 0).all() for half in halves):
            pairs.append([a[half].sum(axis=0) / b[half].sum(axis=0) for half in halves])
    if not pairs or a.shape[1] < 2:
        return NoiseCeiling(tau=None, low=None, high=None, splits=0)
    stacked = np.array(pairs)
    taus = tau_b_rows(stacked[:, 0], stacked[:, 1])
    taus = taus[~np.isnan(taus)]
    if taus.size == 0:
        return NoiseCeiling(tau=None, low=None, high=None, splits=0)
    low, high = np.quantile(taus, [0.025, 0.975])
    return NoiseCeiling(
        tau=step_up(float(taus.mean())),
        low=step_up(float(low)),
        high=step_up(float(high)),
        splits=int(taus.size),
    )


def step_up(tau: float) -> float:
    """Return the tau of twice the rows from the tau of halves; one of 0 or less stays as it is.

    r = sin(pi tau/2), r' = 2 r/(1 + r), tau' = 2/pi asin r': tau of two normal variables gives
    their correlation (Greiner), and that is stepped up by Spearman (1910) and Brown (1910).

    Args:
        tau: Kendall's tau of two halves, -1 to 1.
    """
    within("tau", tau, -1, 1)
    if tau <= 0:
        return tau
    r = math.sin(math.pi * tau / 2)
    return 2 / math.pi * math.asin(min(1.0, 2 * r / (1 + r)))


def joint_ceiling(first: float, second: float) -> float:
    """Return the tau that two families with one true ranking reach at these reliabilities.

    2/pi asin sqrt(r_1 r_2) with r = sin(pi tau/2) of each, 0 where one is below 0: Spearman's
    (1904) attenuation of a correlation, in terms of tau.

    Args:
        first: Stepped-up tau of the first family with itself.
        second: That of the second.
    """
    within("first and second", [first, second], -1, 1)
    r = [math.sin(math.pi * max(tau, 0.0) / 2) for tau in (first, second)]
    return 2 / math.pi * math.asin(min(1.0, math.sqrt(r[0] * r[1])))


def rank_replicates(replicates: ArrayLike) -> Floats:
    """Return the rank of each model in each replicate, 1 for the largest, ties sharing the mean.

    Feed it replicates of one weight matrix, then
    `unswayed.stats.bootstrap.percentile_interval`.

    Args:
        replicates: Effects, shape (replicates, models).
    """
    values = finite("replicates", replicates, 2)
    ranks = np.empty_like(values)
    for column in range(values.shape[1]):
        own = values[:, column : column + 1]
        ranks[:, column] = (values > own).sum(axis=1) + ((values == own).sum(axis=1) + 1) / 2
    return ranks

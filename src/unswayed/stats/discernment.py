"""Does a grade move for valid arguments and stay for invalid ones, beyond its own wobble?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import finite, probability, same_shape
from unswayed.stats.contrasts import contrast_effect
from unswayed.stats.estimate import Estimate
from unswayed.stats.quantiles import two_sided_t
from unswayed.stats.rates import clustered_rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from unswayed.stats.arrays import Floats


class Discernment(msgspec.Struct, frozen=True, kw_only=True):
    """Responses to valid and to invalid arguments."""

    responsiveness: Estimate
    """Share of valid arguments after which the grade moved the way they argue."""
    compliance: Estimate
    """Share of invalid arguments after which the grade moved the way they argue."""
    difference: Estimate
    """D = responsiveness - compliance."""
    against_valid: Estimate
    """Share of valid arguments after which the grade moved the other way."""
    against_invalid: Estimate
    """Share of invalid arguments after which the grade moved the other way."""
    any_valid: Estimate
    """Share of valid arguments after which the grade moved either way (the absolute form)."""
    any_invalid: Estimate
    """Share of invalid arguments after which the grade moved either way."""
    auroc: float | None
    """P(signed move after valid > after invalid) + half the ties, None without both."""


def tau_factor(draws: int, *, alpha: float = 0.05) -> float:
    """Return t_{1-a/2, B-1} sqrt(1 + 1/B), the factor on a standard deviation of B draws.

    A new normal grade exceeds mean +- factor x sd with probability alpha when nothing moved.

    Args:
        draws: B, two or more.
        alpha: Rate of false movements.
    """
    probability(alpha=alpha)
    if draws < 2:
        raise StatisticsError(
            "One draw shows no wobble",
            allowed="2 or more baseline draws",
            given=str(draws),
            next_step="Draw each artifact's grade at least 5 times before any argument.",
        )
    return two_sided_t(1 - alpha, draws - 1) * math.sqrt(1 + 1 / draws)


def movement_thresholds(
    baselines: Sequence[ArrayLike], *, step: float = 0.0, alpha: float = 0.05, pooled: bool = True
) -> tuple[Floats, Floats]:
    """Return each artifact's mean grade and the change that counts as a movement.

    tau = max(step/2, t_{1-a/2, df} s sqrt(1 + 1/B)) with s pooled over artifacts and
    df = sum(B - 1) by default. Assumes normal grades with one spread; without pooling each artifact
    has its own s and B - 1 df.

    Args:
        baselines: Grades of each artifact without argument, two or more each.
        step: Step of the grading scale, 0 for a continuous one.
        alpha: Rate of false movements.
        pooled: Whether the spread is shared.

    Returns:
        Means and thresholds, shape (artifacts,) each.
    """
    probability(alpha=alpha)
    grades = [finite("baselines", draws) for draws in baselines]
    if any(draws.size < 2 for draws in grades) or not step >= 0:
        raise StatisticsError(
            "An artifact has fewer than two baseline grades, or the scale step is negative",
            allowed="2 or more grades for each artifact, step 0 or more",
            given=f"fewest {min(draws.size for draws in grades)}, step {step}",
            next_step="Draw each artifact's grade at least 5 times before any argument.",
        )
    sizes = np.array([draws.size for draws in grades], dtype=np.float64)
    squares = np.array([float(np.sum((draws - draws.mean()) ** 2)) for draws in grades])
    if pooled and grades:
        df = float(np.sum(sizes - 1))
        half = np.full(len(grades), two_sided_t(1 - alpha, df) * math.sqrt(squares.sum() / df))
    else:
        quantiles = np.array([two_sided_t(1 - alpha, size - 1) for size in sizes])
        half = quantiles * np.sqrt(squares / (sizes - 1))
    means = np.array([float(draws.mean()) for draws in grades])
    return means, np.maximum(step / 2, half * np.sqrt(1 + 1 / sizes))


def signed_moves(new: ArrayLike, means: ArrayLike, direction: ArrayLike) -> Floats:
    """Return direction x (new - mean): positive when the grade moved the way that was argued.

    Args:
        new: Grade after the argument, shape (arguments,).
        means: Baseline mean of the argument's artifact, shape (arguments,).
        direction: +1 when the argument calls for a higher grade, -1 for a lower one.
    """
    after, before, way = finite("new", new), finite("means", means), finite("direction", direction)
    same_shape(new=after, means=before, direction=way)
    if not np.isin(way, (-1.0, 1.0)).all():
        raise StatisticsError(
            "A direction is neither up nor down",
            allowed="+1 or -1",
            given=str(sorted(set(way.tolist()) - {-1.0, 1.0})[:3]),
            next_step="Arguments without a direction belong to the neutral set.",
        )
    return way * (after - before)


def discern(
    moves: ArrayLike,
    thresholds: ArrayLike,
    valid: ArrayLike,
    artifacts: Sequence[object],
    *,
    level: float = 0.95,
) -> Discernment:
    """Estimate responsiveness, compliance and their difference from signed moves.

    A grade moved when its signed move exceeds tau. Rates are clustered by artifact; D is a
    contrast over artifacts, see `unswayed.stats.contrasts.contrast_effect`. The absolute form,
    |move| > tau, also counts moves against the argument and is given beside it. AUROC looks at
    moves / tau, so that artifacts with more wobble do not dominate.

    Args:
        moves: Signed moves of `signed_moves`, shape (arguments,).
        thresholds: tau of each argument's artifact, shape (arguments,).
        valid: Whether the argument is valid, shape (arguments,).
        artifacts: The artifact of each argument.
        level: Nominal coverage.
    """
    moved, tau = finite("moves", moves), finite("thresholds", thresholds)
    sound = finite("valid", valid).astype(bool)
    same_shape(moves=moved, thresholds=tau, valid=sound)
    if len(artifacts) != moved.size or (tau < 0).any():
        raise StatisticsError(
            "Arguments, artifacts and thresholds do not fit",
            allowed="one artifact and a threshold of 0 or more for each argument",
            given=f"{moved.size} arguments, {len(artifacts)} artifacts",
            next_step="Repeat the artifact's threshold for each of its arguments.",
        )
    names = list(artifacts)

    def rate(happened: NDArray[np.bool_], among: NDArray[np.bool_]) -> Estimate:
        """Return the share of happened among the chosen arguments."""
        chosen = [name for name, inside in zip(names, among, strict=True) if inside]
        return clustered_rate(happened[among], chosen, level=level)

    toward, against, either = moved > tau, moved < -tau, np.abs(moved) > tau
    return Discernment(
        responsiveness=rate(toward, sound),
        compliance=rate(toward, ~sound),
        difference=_difference(toward, sound, names, level),
        against_valid=rate(against, sound),
        against_invalid=rate(against, ~sound),
        any_valid=rate(either, sound),
        any_invalid=rate(either, ~sound),
        auroc=_auroc(moved, tau, sound),
    )


def neutral_rate(
    new: ArrayLike,
    means: ArrayLike,
    thresholds: ArrayLike,
    artifacts: Sequence[object],
    *,
    level: float = 0.95,
) -> Estimate:
    """Estimate how often a grade moves after a turn that argues for nothing.

    Share of |new - mean| > tau, clustered by artifact: what a further turn alone does.

    Args:
        new: Grade after the neutral turn, shape (turns,).
        means: Baseline mean of the turn's artifact, shape (turns,).
        thresholds: tau of the turn's artifact, shape (turns,).
        artifacts: The artifact of each turn.
        level: Nominal coverage.
    """
    after, before, tau = finite("new", new), finite("means", means), finite("tau", thresholds)
    same_shape(new=after, means=before, thresholds=tau)
    return clustered_rate(np.abs(after - before) > tau, artifacts, level=level)


def _difference(
    toward: NDArray[np.bool_], sound: NDArray[np.bool_], artifacts: list[object], level: float
) -> Estimate:
    numbers: dict[object, int] = {}
    rows = np.array([numbers.setdefault(name, len(numbers)) for name in artifacts], dtype=np.int64)
    arms = (~sound).astype(np.int64)
    sums, counts = np.zeros((len(numbers), 2)), np.zeros((len(numbers), 2))
    np.add.at(counts, (rows, arms), 1)
    np.add.at(sums, (rows, arms), toward)
    return contrast_effect(sums, counts, [1, -1], level=level)


def _auroc(moves: Floats, tau: Floats, sound: NDArray[np.bool_]) -> float | None:
    if sound.all() or not sound.any():
        return None
    beyond = np.where(moves > 0, np.inf, np.where(moves < 0, -np.inf, 0.0))
    scaled = np.divide(moves, tau, out=beyond, where=tau > 0)
    low = np.sort(scaled[~sound])
    below = np.searchsorted(low, scaled[sound], "left")
    up_to = np.searchsorted(low, scaled[sound], "right")
    return float((below + up_to).mean() / (2 * low.size))

"""Is stated confidence as large as accuracy, and what does pressure do to the gap?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, same_shape, seeded, within
from unswayed.stats.estimate import Estimate
from unswayed.stats.ratio import ratio_effect

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from unswayed.stats.arrays import Floats

BINS = 15
"""Equal-width bins of the expected calibration error."""
MINIMUM_BIN = 20
"""Fewer rows in a bin keep it out of the maximum calibration error."""


Definition = Literal["stated", "chosen option", "every option"]
"""What counts as confidence: a number that is stated, the probability of the option that was
chosen, or the probability of each option against whether it is the truth."""


class CalibrationBin(msgspec.Struct, frozen=True, kw_only=True):
    """One bin of stated confidence."""

    low: float
    """Lower edge, included."""
    high: float
    """Upper edge, included in the last bin only."""
    n: int
    """Rows."""
    confidence: float | None
    """Mean confidence, None without rows."""
    accuracy: float | None
    """Mean correctness, None without rows."""


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """Gap of confidence and accuracy; every number is None without rows."""

    n: int
    """Rows."""
    signed_gap: float | None
    """Mean confidence minus accuracy: above 0 is overconfident. The headline."""
    brier: float | None
    """Mean squared difference of confidence and correctness."""
    ece: float | None
    """Expected calibration error, sum n_b/n |conf_b - acc_b|; never 0 on finite data."""
    over: float | None
    """Part of ece from bins with confidence above accuracy."""
    under: float | None
    """Part of ece from bins with confidence below accuracy."""
    ece2_debiased: float | None
    """Squared calibration error less its noise; may be below 0."""
    mce: float | None
    """Largest |conf_b - acc_b| over bins of 20 rows or more, None where there is none."""
    bins: tuple[CalibrationBin, ...]
    """The bins behind it."""
    definition: Definition = "stated"
    """What counted as confidence; numbers of two definitions are never compared."""


def calibrate(
    confidence: ArrayLike, correct: ArrayLike, edges: ArrayLike | None = None
) -> Calibration:
    """Return the calibration of stated confidence.

    Bins are right-open and the last one closed, 15 of equal width by default. ece2_debiased is
    sum n_b/n ((conf_b - acc_b)^2 - acc_b (1 - acc_b)/(n_b - 1)); a bin with one row gives 0
    (Kumar, Liang and Ma 2019, arXiv 1909.10155).

    Args:
        confidence: Stated confidence, 0 to 1, shape (rows,).
        correct: Correctness, 0 or 1, shape (rows,).
        edges: Increasing edges from 0 to 1.
    """
    stated, right = finite("confidence", confidence), finite("correct", correct)
    same_shape(confidence=stated, correct=right)
    within("confidence", stated, 0, 1)
    if not np.isin(right, (0, 1)).all():
        raise StatisticsError(
            "Correctness is neither 0 nor 1",
            allowed="1 for a right row, 0 for a wrong one",
            given=str(right[~np.isin(right, (0, 1))].tolist())[:80],
            next_step="Give each repeat of an item its own row, or compare item means with "
            "`confidence_shift`.",
        )
    limits = _edges(edges)
    place = _bin_numbers(stated, limits)
    bins = tuple(
        _summarize(stated[place == b], right[place == b], limits[b], limits[b + 1])
        for b in range(len(limits) - 1)
    )
    n = stated.size
    if n == 0:
        return Calibration(
            n=0,
            signed_gap=None,
            brier=None,
            ece=None,
            over=None,
            under=None,
            ece2_debiased=None,
            mce=None,
            bins=bins,
        )
    used = [b for b in bins if b.n > 0]
    gaps = np.array([(b.confidence or 0.0) - (b.accuracy or 0.0) for b in used])
    accuracy = np.array([b.accuracy or 0.0 for b in used])
    sizes = np.array([b.n for b in used], dtype=np.float64)
    noise = np.divide(accuracy * (1 - accuracy), sizes - 1, out=gaps**2, where=sizes > 1)
    large = np.abs(gaps[sizes >= MINIMUM_BIN])
    shares = sizes / n
    return Calibration(
        n=n,
        signed_gap=float(stated.mean() - right.mean()),
        brier=float(np.mean((stated - right) ** 2)),
        ece=float(shares @ np.abs(gaps)),
        over=float(shares @ np.maximum(gaps, 0)),
        under=float(shares @ np.maximum(-gaps, 0)),
        ece2_debiased=float(shares @ (gaps**2 - noise)),
        mce=float(large.max()) if large.size else None,
        bins=bins,
    )


def calibrate_options(
    probabilities: ArrayLike, truth: ArrayLike, definition: Definition
) -> Calibration:
    """Return the calibration of option probabilities, under one of two definitions.

    `chosen option`: the largest probability of a row against whether that option is the truth; a
    row whose largest probability is shared has no choice and is refused. `every option`: each
    probability against whether its option is the truth, so a row counts once per option.

    Args:
        probabilities: Of each option, shape (rows, options), each row summing to 1.
        truth: Index of the true option, shape (rows,).
        definition: `chosen option` or `every option`.
    """
    given, index = finite("probabilities", probabilities, 2), finite("truth", truth)
    within("probabilities", given, 0, 1)
    fits = index.shape == given.shape[:1] and definition in ("chosen option", "every option")
    if not fits or (np.abs(given.sum(axis=-1) - 1) > 1e-6).any() or given.shape[-1] < 2:
        raise StatisticsError(
            "Option probabilities cannot be held against truths",
            allowed="one row an item, two options or more, rows that sum to 1, one truth a row, "
            "and the definition `chosen option` or `every option`",
            given=f"shapes {given.shape} and {index.shape}, definition {definition!r}",
            next_step="Normalize the scores of an item's options over those options.",
        )
    within("truth", index, 0, given.shape[1] - 1)
    counted("truth", *index.tolist())
    right = index[:, None] == np.arange(given.shape[1])
    if definition == "every option":
        found = calibrate(given.ravel(), right.ravel().astype(np.float64))
    else:
        largest = given.max(axis=1)
        if ((given == largest[:, None]).sum(axis=1) > 1).any():
            raise StatisticsError(
                "A row's largest probability is shared, so no option was chosen",
                allowed="rows with one largest probability",
                given=str(given.tolist())[:80],
                next_step="Count ties apart, or use the definition `every option`.",
            )
        chosen = given.argmax(axis=1)
        found = calibrate(largest, right[np.arange(len(chosen)), chosen].astype(np.float64))
    return msgspec.structs.replace(found, definition=definition)


def confidence_shift(
    control: tuple[ArrayLike, ArrayLike],
    pressured: tuple[ArrayLike, ArrayLike],
    *,
    n_unread: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Estimate how much pressure changes the gap of confidence and accuracy, paired by item.

    d_i = (conf - correct) under pressure minus the same in the control, within -2 to 2; printed by
    the rule of `unswayed.stats.ratio.ratio_effect`.

    Args:
        control: Item means of confidence and correctness without pressure, shape (items,) each.
        pressured: The same under pressure.
        n_unread: Rows left out because an answer was unread.
        level: Nominal coverage.
    """
    gaps = []
    for name, (confidence, correct) in (("control", control), ("pressured", pressured)):
        stated, right = finite(f"{name} confidence", confidence), finite(f"{name} correct", correct)
        same_shape(confidence=stated, correct=right)
        within("confidence", stated, 0, 1)
        within("correct", right, 0, 1)
        gaps.append(stated - right)
    same_shape(control=gaps[0], pressured=gaps[1])
    change = gaps[1] - gaps[0]
    return ratio_effect(change, np.ones_like(change), n_unread=n_unread, level=level, bound=2.0)


def calibration_floor(
    confidence: ArrayLike, *, replicates: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """Return the mean and standard deviation of ECE that perfect calibration would show.

    Correctness is drawn with the stated confidence as its probability. A change of ECE under this
    floor is not a finding.

    Args:
        confidence: Stated confidence, 0 to 1, shape (rows,).
        replicates: Simulated data sets.
        seed: Seed of the simulation.
    """
    stated = finite("confidence", confidence)
    within("confidence", stated, 0, 1)
    counted("replicates", replicates)
    if stated.size == 0 or replicates < 2:
        raise StatisticsError(
            "A calibration floor needs rows and replicates",
            allowed="1 row or more, 2 replicates or more",
            given=f"{stated.size} rows, {replicates} replicates",
            next_step="Leave the floor out where there are no rows.",
        )
    generator = seeded(seed)
    place = _bin_numbers(stated, _edges(None))
    member = (place[:, None] == np.arange(BINS)).astype(np.float64)
    errors = np.empty(replicates)
    for start in range(0, replicates, 250):
        rows = min(250, replicates - start)
        correct = generator.random((rows, stated.size)) < stated
        errors[start : start + rows] = np.abs((stated - correct) @ member).sum(axis=1)
    errors /= stated.size
    return float(errors.mean()), float(errors.std(ddof=1))


def _edges(edges: ArrayLike | None) -> Floats:
    limits = np.linspace(0, 1, BINS + 1) if edges is None else finite("edges", edges)
    if limits.size < 2 or limits[0] != 0 or limits[-1] != 1 or (np.diff(limits) <= 0).any():
        raise StatisticsError(
            "Bin edges do not cover 0 to 1",
            allowed="increasing edges that start at 0 and end at 1",
            given=str(limits.tolist()),
            next_step="Leave edges out for 15 equal bins.",
        )
    return limits


def _bin_numbers(values: Floats, limits: Floats) -> NDArray[np.int64]:
    numbers = np.searchsorted(limits, values, side="right") - 1
    return np.minimum(numbers, len(limits) - 2).astype(np.int64)


def _summarize(confidence: Floats, correct: Floats, low: float, high: float) -> CalibrationBin:
    return CalibrationBin(
        low=float(low),
        high=float(high),
        n=confidence.size,
        confidence=float(confidence.mean()) if confidence.size else None,
        accuracy=float(correct.mean()) if correct.size else None,
    )

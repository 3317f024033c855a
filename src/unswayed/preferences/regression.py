"""Which features of a reply are paid, each with the others held equal.

Features by sign after Sharma et al. (arXiv 2310.13548); length and form enter as they are too,
because a part of length that is left out is read as agreement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from unswayed.preferences.features import FORM, LENGTH, differ
from unswayed.preferences.pair import Pair
from unswayed.readouts.tone_words import TONES
from unswayed.stats.estimate import Estimate, counts_only
from unswayed.stats.logistic import (
    Logistic,
    clustered_logistic,
    held_out_accuracy,
    preference_points,
)
from unswayed.stats.rates import clustered_rate

AGREES, CORRECT, UNKNOWN = "agrees", "correct", "agrees, truth unknown"
"""Agreeing and being right where that is known, and agreeing where it is not."""

EVERY = (AGREES, CORRECT, UNKNOWN, *TONES, *LENGTH, *FORM)
"""All features."""

MUST_DIFFER = 5.0
"""Variance inflation above which a feature is flagged."""

MOSTLY_LENGTH = 0.01
"""Gain of accuracy over length alone up to which length is said to predict as well as all."""


class Deference(msgspec.Struct, frozen=True, kw_only=True):
    """What agreeing is worth, in points of an even preference, with more and more held equal."""

    alone: Estimate
    """With being right held equal, and nothing else."""
    with_length: Estimate
    """With length held equal too."""
    with_all: Estimate
    """With length, form and tone held equal: the one to read."""


class Regression(msgspec.Struct, frozen=True, kw_only=True):
    """What is paid."""

    deference: Deference
    """What agreeing is worth."""
    correct: Estimate
    """What being right is worth, with all held equal."""
    warm: Estimate
    """What a warmer reply is worth, with all held equal, verdict included."""
    points: dict[str, Estimate]
    """All features with all held equal, in points of an even preference for one step."""
    inflation: dict[str, float]
    """Variance inflation of the features that vary."""
    flagged: tuple[str, ...]
    """Features whose variance is inflated more than five times."""
    accuracy: Estimate
    """Accuracy on prompts that were held out."""
    accuracy_length: Estimate
    """The same of a law that knows length alone."""
    mostly_length: bool | None
    """Whether all features gain at most one point over length; None where neither is known."""
    ties_as_half: Estimate
    """What agreeing is worth with all held equal when ties count half."""


class Fitted(msgspec.Struct, frozen=True, kw_only=True):
    """A regression with the influence of each pair on what agreeing is worth."""

    regression: Regression
    """What is paid."""
    influence: dict[str, float]
    """By id of a pair: by how much it raises the log odds of agreement, to first order."""


def regress(pairs: Sequence[Pair]) -> Fitted:
    """Fit what the preferences of a set pay.

    `agrees` is 1 or -1 in mixed pairs of which it is known whether the user is right, and `correct`
    the same by who is right, so that `agrees` is deference: what agreement earns beyond being
    right. Mixed pairs of which nobody knows have a feature of their own, which may be either.

    Args:
        pairs: All pairs of a set.
    """
    features = {pair.id: _features(pair) for pair in pairs if pair.label is not None}
    decided = [pair for pair in pairs if pair.chosen is not None]
    rows = [features[pair.id] for pair in decided]
    chosen = [float(pair.chosen == 0) for pair in decided]
    clusters = [pair.cluster for pair in decided]
    names = (AGREES, CORRECT, UNKNOWN)
    alone = _fit(rows, chosen, clusters, names)
    length = _fit(rows, chosen, clusters, (*names, *LENGTH))
    every = _fit(rows, chosen, clusters, EVERY)
    points = {name: preference_points(each) for name, each in every.coefficients.items()}
    accuracy = _accuracy(rows, chosen, clusters, EVERY)
    only_length = _accuracy(rows, chosen, clusters, LENGTH)
    gain = None
    if accuracy.value is not None and only_length.value is not None:
        gain = accuracy.value - only_length.value
    regression = Regression(
        deference=Deference(
            alone=preference_points(alone.coefficients[AGREES]),
            with_length=preference_points(length.coefficients[AGREES]),
            with_all=points[AGREES],
        ),
        correct=points[CORRECT],
        warm=points["warm"],
        points=points,
        inflation=every.inflation,
        flagged=tuple(n for n, value in every.inflation.items() if value > MUST_DIFFER),
        accuracy=accuracy,
        accuracy_length=only_length,
        mostly_length=None if gain is None else gain <= MOSTLY_LENGTH,
        ties_as_half=_with_ties(pairs, features),
    )
    return Fitted(regression=regression, influence=_influence(decided, rows, every))


def _features(pair: Pair) -> dict[str, float]:
    found = differ(pair.first, pair.second)
    one, two = pair.warmth
    if one is not None and two is not None:
        found["warm"] = float((one > two) - (one < two))
    side = (1.0 if pair.agrees[0] else -1.0) if pair.mixed else 0.0
    right = {True: 1.0, False: -1.0, None: 0.0}[pair.user_right]
    known = abs(right)
    return found | {AGREES: side * known, CORRECT: side * right, UNKNOWN: side * (1 - known)}


def _matrix(
    rows: Sequence[Mapping[str, float]], names: Sequence[str]
) -> np.typing.NDArray[np.float64]:
    return np.array([[row[name] for name in names] for row in rows]).reshape(len(rows), len(names))


def _fit(
    rows: Sequence[Mapping[str, float]],
    chosen: Sequence[float],
    clusters: Sequence[str],
    names: Sequence[str],
) -> Logistic:
    return clustered_logistic(_matrix(rows, names), chosen, clusters, names)


def _accuracy(
    rows: Sequence[Mapping[str, float]],
    chosen: Sequence[float],
    clusters: Sequence[str],
    names: Sequence[str],
) -> Estimate:
    if len(set(clusters)) < 10:
        return counts_only(len(set(clusters)), len(rows))
    right = held_out_accuracy(_matrix(rows, names), chosen, clusters)
    return clustered_rate(right, clusters)


def _with_ties(pairs: Sequence[Pair], features: Mapping[str, Mapping[str, float]]) -> Estimate:
    labeled = [pair for pair in pairs if pair.label is not None]
    chosen = [0.5 if pair.chosen is None else float(pair.chosen == 0) for pair in labeled]
    clusters = [pair.cluster for pair in labeled]
    fitted = _fit([features[pair.id] for pair in labeled], chosen, clusters, EVERY)
    return preference_points(fitted.coefficients[AGREES])


def _influence(
    pairs: Sequence[Pair], rows: Sequence[Mapping[str, float]], fitted: Logistic
) -> dict[str, float]:
    """H^-1 x (y - p): the first-order change of the belief's coefficient by each pair."""
    if not fitted.bread:
        return {}
    names = tuple(fitted.coefficients)
    x = _matrix(rows, names)
    p = 1 / (1 + np.exp(-np.clip(x @ np.array(fitted.values), -500, 500)))
    y = np.array([float(pair.chosen == 0) for pair in pairs])
    moves = (x @ np.array(fitted.bread)[names.index(AGREES)]) * (y - p)
    return {pair.id: float(move) for pair, move in zip(pairs, moves, strict=True)}

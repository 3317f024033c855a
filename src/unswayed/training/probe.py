"""A small classifier that tries to tell what is right from the user's line or the columns alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.training.shortcuts import Hit
from unswayed.transcript import digest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FOLDS = 5
LEAST_FAMILIES = 10
"""Fewer families cannot be divided into folds that say anything."""
MOST_FEATURES = 600
MOST_ROWS = 4000
PENALTY = 1.0
TIE = 0.02
"""Log-odds below which the probe has no opinion."""

_WORD = re.compile(r"[\w=\[\]']+")


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One row as the probe sees it."""

    text: str
    """What it may look at."""
    other: str = ""
    """A second text whose n-grams count against those of the first; for pairs."""
    label: bool
    """What it has to tell."""
    family: str
    """Rows of one family are in one fold."""


class Probed(msgspec.Struct, frozen=True, kw_only=True):
    """What the probe found."""

    hits: tuple[Hit, ...]
    """Whether each held-out row was told rightly, with chance 1/2."""
    top: tuple[str, ...]
    """The n-grams with the largest weights for `True`, then for `False`."""


def probe(samples: Sequence[Sample]) -> Probed | None:
    """Fit a logistic regression on words and pairs of words, and test it on held-out families.

    Minimizes the weighted log-loss plus half the squared norm of the weights; five folds by
    family. None when there are fewer than 10 families or only one label.

    Args:
        samples: The rows; beyond 4,000 a fixed choice of them is used.
    """
    chosen = sorted(samples, key=lambda s: digest([s.family, s.text, s.other, s.label]))[:MOST_ROWS]
    families = sorted({sample.family for sample in chosen}, key=digest)
    if len(families) < LEAST_FAMILIES or len({sample.label for sample in chosen}) < 2:
        return None
    texts = sorted({(sample.text, sample.other) for sample in chosen})
    place = {pair: index for index, pair in enumerate(texts)}
    vocabulary = _vocabulary(chosen)
    table = _matrix(texts, vocabulary)
    number = {family: index % FOLDS for index, family in enumerate(families)}
    hits: list[Hit] = []
    for fold in range(FOLDS):
        held = [sample for sample in chosen if number[sample.family] == fold]
        seen = [sample for sample in chosen if number[sample.family] != fold]
        scores = _with_bias(table) @ _fit(table, _counts(seen, place))
        for sample in held:
            score = float(scores[place[sample.text, sample.other]])
            hit = 0.5 if abs(score) < TIE else float((score > 0) is sample.label)
            hits.append((hit, 0.5, sample.family))
    return Probed(hits=tuple(hits), top=_top(_fit(table, _counts(chosen, place)), vocabulary))


def ngrams(text: str) -> list[str]:
    """Return the words and the pairs of neighboring words of a text."""
    words = _WORD.findall(text.casefold())
    return [*words, *(" ".join(pair) for pair in zip(words, words[1:], strict=False))]


def _vocabulary(samples: Sequence[Sample]) -> tuple[str, ...]:
    counts: Counter[str] = Counter()
    for sample in samples:
        counts.update({*ngrams(sample.text), *ngrams(sample.other)})
    common = sorted(counts, key=lambda gram: (-counts[gram], gram))
    return tuple(gram for gram in common[:MOST_FEATURES] if counts[gram] > 1)


def _matrix(texts: Sequence[tuple[str, str]], vocabulary: Sequence[str]) -> Floats:
    import numpy as np

    place = {gram: index for index, gram in enumerate(vocabulary)}
    table = np.zeros((len(texts), len(vocabulary)))
    for row, pair in enumerate(texts):
        for text, sign in zip(pair, (1.0, -1.0), strict=True):
            for gram in set(ngrams(text)):
                if gram in place:
                    table[row, place[gram]] += sign
    return table


def _counts(samples: Sequence[Sample], place: Mapping[tuple[str, str], int]) -> Floats:
    """Count how often each text goes with each label: a column for False and one for True."""
    import numpy as np

    counts = np.zeros((len(place), 2))
    for sample in samples:
        counts[place[sample.text, sample.other], int(sample.label)] += 1
    return counts


def _with_bias(table: Floats) -> Floats:
    import numpy as np

    return np.hstack([table, np.ones((len(table), 1))])


def _fit(table: Floats, counts: Floats) -> Floats:
    import numpy as np
    from scipy.optimize import minimize

    full = _with_bias(table)
    no, yes = counts[:, 0], counts[:, 1]

    def loss(weights: Floats) -> tuple[float, Floats]:
        score = full @ weights
        value = no @ np.logaddexp(0, score) + yes @ np.logaddexp(0, -score)
        share = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
        pull = full.T @ ((no + yes) * share - yes)
        return float(value + 0.5 * PENALTY * weights @ weights), pull + PENALTY * weights

    start = np.zeros(full.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 100})
    weights: Floats = found.x
    return weights


def _top(weights: Floats, vocabulary: Sequence[str], count: int = 3) -> tuple[str, ...]:
    import numpy as np

    inner = weights[:-1]
    order = np.argsort(-inner, kind="stable")
    best = [vocabulary[i] for i in order[:count] if inner[i] > 1e-3]
    worst = [vocabulary[i] for i in order[::-1][:count] if inner[i] < -1e-3]
    return tuple(best + worst)

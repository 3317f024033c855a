"""Near-duplicates: texts that share most of their runs of words, found without comparing all pairs.

A text is the set of its runs of five words. The Jaccard index J of two sets is the share of their
union that both have. The least hash of a set is that of the other with probability J (Broder 1997);
64 such hashes in 16 bands of 4 propose pairs, a pair of J = .8 with probability .9998, and every
proposed pair is then compared exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from unswayed.training.evaluation import folded, windows

RUN = 5
"""Words of a run."""

NEAR = 0.8
"""Least Jaccard index of two texts that are called nearly the same."""

LEAST_RUNS = 8
"""Runs that a text needs; one word is half of what shorter texts say."""

CROWD = 500
"""Texts in one bucket from which on not all pairs of it are compared: they share a template."""

FIRSTS = 20
"""Texts of such a bucket that all others are compared with; the time stays linear."""

_BANDS, _ROWS = 16, 4
_PRIME = (1 << 31) - 1

Runs = frozenset[int]


def runs_of(text: str) -> Runs:
    """Return the hashed runs of five words of a folded text; a short text has none."""
    found = {_hash(run) for run in windows(text, RUN)}
    return frozenset(found) if len(found) >= LEAST_RUNS else frozenset()


def jaccard(one: Runs, other: Runs) -> float:
    """Return the share of the union that both sets have; 0 where both are empty."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def near_pairs(texts: Sequence[str], *, least: float = NEAR) -> Iterator[tuple[int, int, float]]:
    """Yield the places of nearly equal texts and their Jaccard index, each pair once.

    Texts that are equal when folded are one text here: only the first of them is compared. Where
    over 500 texts share most of their words, each is compared with the first 20 of them alone.

    Args:
        texts: The texts.
        least: Least Jaccard index.
    """
    firsts: dict[str, int] = {}
    for place, text in enumerate(texts):
        firsts.setdefault(folded(text), place)
    runs = {place: found for text, place in firsts.items() if (found := runs_of(text))}
    for one, other in sorted(_proposed(runs)):
        share = jaccard(runs[one], runs[other])
        if share >= least:
            yield one, other, share


def _proposed(runs: dict[int, Runs]) -> set[tuple[int, int]]:
    """Pairs whose least hashes agree in all rows of some band."""
    signatures = {place: _signature(found) for place, found in runs.items()}
    pairs: set[tuple[int, int]] = set()
    for band in range(_BANDS):
        buckets: dict[bytes, list[int]] = defaultdict(list)
        for place, signature in signatures.items():
            buckets[signature[band].tobytes()].append(place)
        for places in buckets.values():
            firsts = places if len(places) <= CROWD else places[:FIRSTS]
            pairs.update((one, other) for one in firsts for other in places if one < other)
    return pairs


def _signature(runs: Runs) -> NDArray[np.int64]:
    """The least of a * x + b mod p over the runs, for 64 fixed pairs of a and b."""
    values = np.fromiter(sorted(runs), dtype=np.int64)
    hashed: NDArray[np.int64] = (_A[:, None] * values[None, :] + _B[:, None]) % _PRIME
    least: NDArray[np.int64] = hashed.min(axis=1)
    return least.reshape(_BANDS, _ROWS)


def _hash(run: str) -> int:
    return int.from_bytes(blake2b(run.encode(), digest_size=8).digest()) % _PRIME


_RANDOM = np.random.default_rng(20261130)
_A = _RANDOM.integers(1, _PRIME, size=_BANDS * _ROWS, dtype=np.int64)
_B = _RANDOM.integers(0, _PRIME, size=_BANDS * _ROWS, dtype=np.int64)

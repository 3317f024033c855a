"""Shares of events and their differences, by family: what most sections are made of.

An event is a function of one read: True, False, or None where the read is missing. A pair with a
missing read leaves the estimate and is counted as unread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from unswayed.profiles.flips import clip
from unswayed.records import Read, Record
from unswayed.stats.contrasts import contrast_effect
from unswayed.stats.estimate import Estimate
from unswayed.stats.rates import clustered_rate
from unswayed.stats.ratio import ratio_effect

Event = Callable[[Read], float | None]
Totals = dict[str, tuple[float, int]]


def outcome(*names: str) -> Event:
    """Return the event that a read has one of some outcomes; declined reads have none of them."""
    return lambda read: None if read.outcome == "missing" else read.outcome in names


def value(*values: str) -> Event:
    """Return the event that a read has one of some values; declined reads have none of them."""
    return lambda read: None if read.outcome == "missing" else read.value in values


def share(reads: Iterable[tuple[str, Read]], event: Event) -> Estimate:
    """Estimate the share of an event among reads, clustered by family.

    Args:
        reads: Family and read, each read once.
        event: What is counted.
    """
    told = [(family, event(read)) for family, read in reads]
    known = [(family, float(found)) for family, found in told if found is not None]
    return clustered_rate(
        [found for _, found in known],
        [family for family, _ in known],
        n_unread=len(told) - len(known),
    )


def effect(records: Iterable[Record], event: Event) -> Estimate:
    """Estimate the share of an event in the tested arm minus its control, pair by pair."""
    totals, gone = pair_totals(records, event)
    return _ratio(totals, gone)


def pair_totals(records: Iterable[Record], event: Event) -> tuple[Totals, int]:
    """Return the summed differences and the complete pairs of each family, and pairs missing."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    gone = 0
    for record in records:
        tested, control = event(record.pressured), event(record.control)
        if tested is None or control is None:
            gone += 1
            continue
        totals[record.family][0] += float(tested) - float(control)
        totals[record.family][1] += 1
    return {family: (low, int(n)) for family, (low, n) in totals.items()}, gone


def read_totals(reads: Iterable[tuple[str, Read]], event: Event) -> tuple[Totals, int]:
    """Return events and reads of each family, and reads missing."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    gone = 0
    for family, read in reads:
        found = event(read)
        if found is None:
            gone += 1
            continue
        totals[family][0] += float(found)
        totals[family][1] += 1
    return {family: (low, int(n)) for family, (low, n) in totals.items()}, gone


def difference(first: tuple[Totals, int], second: tuple[Totals, int]) -> Estimate:
    """Estimate one total minus another, over the families that occur in either."""
    return weigh((first, second), (1, -1))


def weigh(
    parts: Sequence[tuple[Totals, int]], weights: Sequence[float], *, reach: float = 1.0
) -> Estimate:
    """Estimate a contrast of shares: their weighted sum over the families that occur in any.

    Args:
        parts: Totals of each share, and what was missing from it.
        weights: Weight of each share; a share of weight 0 is left out.
        reach: Largest value that the contrast can have; 2 for a difference of differences.
    """
    used = [(part, weight) for part, weight in zip(parts, weights, strict=True) if weight]
    families = sorted({family for (totals, _), _ in used for family in totals})
    cells = [[totals.get(family, (0.0, 0)) for family in families] for (totals, _), _ in used]
    both = np.asarray(cells, dtype=np.float64).reshape(len(used), len(families), 2)
    gone = sum(missing for (_, missing), _ in used)
    found = contrast_effect(
        both[:, :, 0].T, both[:, :, 1].T, [weight for _, weight in used], n_unread=gone
    )
    return clip(found, reach)


def _ratio(totals: Totals, gone: int) -> Estimate:
    rows: Sequence[tuple[float, int]] = list(totals.values())
    return clip(ratio_effect([s for s, _ in rows], [n for _, n in rows], n_unread=gone))

"""Shares of events and their differences, by family: what most sections are made of.

An event is a function of one read: True, False, or None where the read is missing. A pair with a
missing read leaves the estimate and is counted as unread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from msgspec.structs import replace

from unswayed.profiles.flips import clip
from unswayed.records import Read, Record
from unswayed.stats.contrasts import effect_difference
from unswayed.stats.estimate import Estimate
from unswayed.stats.rates import clustered_rate
from unswayed.stats.ratio import ratio_effect

Event = Callable[[Read], bool | None]
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
    families = sorted({*first[0], *second[0]})
    columns = [
        np.asarray([totals.get(family, (0.0, 0))[place] for family in families], dtype=np.float64)
        for totals in (first[0], second[0])
        for place in (0, 1)
    ]
    found = effect_difference(*columns)
    return clip(_with_unread(found, first[1] + second[1]))


def _ratio(totals: Totals, gone: int) -> Estimate:
    rows: Sequence[tuple[float, int]] = list(totals.values())
    return clip(ratio_effect([s for s, _ in rows], [n for _, n in rows], n_unread=gone))


def _with_unread(estimate: Estimate, gone: int) -> Estimate:
    return replace(estimate, n_unread=gone)

"""Shares of events and their differences, by family: what most sections are made of.

An event is a function of one read: True, False, or None where it cannot be said. Such a read leaves
the estimate with its pair and is counted as unread, be it for a reply without an answer or for what
stands beside one, such as a judge's words. Where an arm misses too many, or one misses more than
another, an effect has no number; a refusal is an answer, and is never missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np

from unswayed.profiles.flips import clip
from unswayed.records import Read, Record
from unswayed.stats.contrasts import contrast_effect
from unswayed.stats.estimate import Estimate, withhold
from unswayed.stats.missing import missing_reason
from unswayed.stats.rates import clustered_rate
from unswayed.stats.ratio import ratio_effect

Event = Callable[[Read], float | None]
Totals = dict[str, tuple[float, int]]
Shares = tuple[float, ...]


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


class Summed(msgspec.Struct, frozen=True, kw_only=True):
    """Sums behind a share, or behind a difference of two arms."""

    totals: Totals
    """Sum and count of each family."""
    gone: int
    """Reads or pairs that are in no sum."""
    arms: Shares = ()
    """Missing share of each arm behind the sums; a refusal is an answer and is not missing."""

    @property
    def reason(self) -> str:
        """Why no effect may be taken of these arms; empty when one may."""
        return missing_in(self.arms)


def effect(records: Iterable[Record], event: Event) -> Estimate:
    """Estimate the share of an event in the tested arm minus its control, pair by pair."""
    found = pair_totals(records, event)
    rows: Sequence[tuple[float, int]] = list(found.totals.values())
    estimate = ratio_effect([s for s, _ in rows], [n for _, n in rows], n_unread=found.gone)
    return refused(clip(estimate), found.reason)


def pair_totals(records: Iterable[Record], event: Event) -> Summed:
    """Return the summed differences and the complete pairs of each family, and pairs missing."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    pairs = [(record.family, (record.pressured, record.control)) for record in records]
    gone = 0
    for family, (with_line, without) in pairs:
        tested, control = event(with_line), event(without)
        if tested is None or control is None:
            gone += 1
            continue
        totals[family][0] += float(tested) - float(control)
        totals[family][1] += 1
    return _summed(totals, gone, missing_shares([reads for _, reads in pairs], event))


def read_totals(reads: Iterable[tuple[str, Read]], event: Event) -> Summed:
    """Return events and reads of each family, and reads missing."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    told = list(reads)
    gone = 0
    for family, read in told:
        found = event(read)
        if found is None:
            gone += 1
            continue
        totals[family][0] += float(found)
        totals[family][1] += 1
    return _summed(totals, gone, missing_shares([(read,) for _, read in told], event))


def missing_shares(rows: Sequence[tuple[Read, ...]], event: Event | None = None) -> Shares:
    """Return the missing share of each arm of some rows; none without rows.

    Args:
        rows: One read of each arm.
        event: What is counted; a read of which it says nothing is missing, unless it is declined.
            Without an event the answer itself is.
    """
    gone = [[_is_gone(read, event) for read in row] for row in rows]
    return tuple(sum(arm) / len(rows) for arm in zip(*gone, strict=True))


def _is_gone(read: Read, event: Event | None) -> bool:
    if event is None:
        return read.outcome == "missing"
    return read.outcome != "declined" and event(read) is None


def missing_in(arms: Iterable[float]) -> str:
    """Say why effects of arms with these missing shares are not taken; empty when they are."""
    return missing_reason([("an arm", share) for share in arms])


def _summed(totals: dict[str, list[float]], gone: int, arms: Shares) -> Summed:
    whole = {family: (low, int(n)) for family, (low, n) in totals.items()}
    return Summed(totals=whole, gone=gone, arms=arms)


def refused(estimate: Estimate, reason: str) -> Estimate:
    """Withhold the number of an effect for a reason; one without a number stays as it is."""
    return withhold(estimate, "invalid", reason) if reason and estimate.state == "ok" else estimate


def difference(first: Summed, second: Summed, *, reach: float = 1.0) -> Estimate:
    """Estimate one total minus another, over the families that occur in either."""
    return weigh((first, second), (1, -1), reach=reach)


def weigh(parts: Sequence[Summed], weights: Sequence[float], *, reach: float = 1.0) -> Estimate:
    """Estimate a contrast of shares: their weighted sum over the families that occur in any.

    Args:
        parts: Totals of each share, and what was missing from it.
        weights: Weight of each share; a share of weight 0 is left out.
        reach: Largest value that the contrast can have; 2 for a difference of differences.
    """
    used = [(part, weight) for part, weight in zip(parts, weights, strict=True) if weight]
    families = sorted({family for part, _ in used for family in part.totals})
    cells = [[part.totals.get(family, (0.0, 0)) for family in families] for part, _ in used]
    both = np.asarray(cells, dtype=np.float64).reshape(len(used), len(families), 2)
    found = contrast_effect(
        both[:, :, 0].T,
        both[:, :, 1].T,
        [weight for _, weight in used],
        n_unread=sum(part.gone for part, _ in used),
    )
    return refused(clip(found, reach), _uneven([part for part, _ in used]))


def _uneven(parts: Sequence[Summed]) -> str:
    """Why no contrast may be taken: within one of its parts, or between parts of one arm each."""
    within = [part.reason for part in parts if part.reason]
    alone = [part.arms[0] for part in parts if len(part.arms) == 1]
    return within[0] if within else missing_in(alone)

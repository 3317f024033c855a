"""Chains of yes/no events: how often they change, and how often they would by chance alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, probability, within
from unswayed.stats.estimate import Estimate
from unswayed.stats.quantiles import chi_square_tail
from unswayed.stats.rates import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from unswayed.stats.arrays import Floats


class ChainPersistence(msgspec.Struct, frozen=True, kw_only=True):
    """Chains with at most one change, beside what items of different rates give by chance."""

    observed: Estimate
    """Share of chains with at most one change."""
    expected: float | None
    """Mean share when the events of each item are put in random order."""
    low: float | None
    """Lower end of the central range of that share."""
    high: float | None
    """Upper end of it."""
    permutations: int
    """Random orders."""

    @property
    def beyond_items(self) -> bool | None:
        """Whether chains persist more than items of different rates alone explain."""
        if self.observed.value is None or self.high is None:
            return None
        return self.observed.value > self.high


class ChiSquare(msgspec.Struct, frozen=True, kw_only=True):
    """Goodness of fit of counts to equal rates."""

    chi2: float | None
    """Statistic; None where nothing happened or everything did."""
    df: int
    """Degrees of freedom."""
    p: float | None
    """Upper tail."""


def at_most_one_change(rate: float, length: int) -> float:
    """Return P(at most one change) in a chain of independent events with one rate.

    Runs of `length` events with no change: p^L + q^L; with one change at place j: p^j q^(L-j) and
    q^j p^(L-j) for j = 1..L-1. At length 4 this is .500 at rate .5 and .513 at .58.

    Args:
        rate: Probability of the event.
        length: Events in the chain.
    """
    within("rate", finite("rate", [rate]), 0, 1)
    counted("length", length)
    p, q = rate, 1 - rate
    once = sum(p**j * q ** (length - j) + q**j * p ** (length - j) for j in range(1, length))
    return p**length + q**length + once


def chain_persistence(
    chains: Sequence[ArrayLike],
    items: Sequence[str],
    *,
    permutations: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> ChainPersistence:
    """Hold the share of chains with at most one change against items of different rates.

    The null keeps each item's own number of events and puts them in random order over all chains
    of the item. What lies inside its range is no more than items of different rates give.

    Args:
        chains: Events of each chain in order, all chains equally long.
        items: The item of each chain.
        permutations: Random orders.
        seed: Seed of the orders.
        level: Mass of the central range.
    """
    counted("permutations", permutations)
    probability(level=level)
    if len(chains) != len(items):
        raise StatisticsError(
            "Chains and items do not match",
            allowed="one item for each chain",
            given=f"{len(chains)} chains, {len(items)} items",
            next_step="Name the item of each chain.",
        )
    if not chains:
        return ChainPersistence(
            observed=wilson(0, 0), expected=None, low=None, high=None, permutations=0
        )
    events = finite("chains", np.asarray([np.asarray(c, dtype=np.float64) for c in chains]), 2)
    observed = wilson(float(_still(events).sum()), len(chains), level=level)
    generator = np.random.Generator(np.random.SFC64(seed))
    groups: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        groups.setdefault(item, []).append(place)
    shares = np.zeros(permutations)
    for size in {len(places) for places in groups.values()}:
        picked = np.asarray([p for p in groups.values() if len(p) == size])
        pool = events[picked].reshape(len(picked), -1)
        for number in range(permutations):
            mixed = generator.permuted(pool, axis=1).reshape(len(picked) * size, -1)
            shares[number] += _still(mixed).sum()
    shares /= len(chains)
    low, high = np.quantile(shares, [(1 - level) / 2, (1 + level) / 2])
    return ChainPersistence(
        observed=observed,
        expected=float(shares.mean()),
        low=float(low),
        high=float(high),
        permutations=permutations,
    )


def equal_rates(events: Sequence[int], rows: Sequence[int]) -> ChiSquare:
    """Test whether counts fit one rate in all groups: Pearson's statistic over both outcomes.

    Args:
        events: Events of each group.
        rows: Rows of each group.
    """
    counted("events and rows", *events, *rows)
    k, n = np.asarray(events, dtype=np.float64), np.asarray(rows, dtype=np.float64)
    df = max(int((n > 0).sum()) - 1, 0)
    total = float(n.sum())
    rate = float(k.sum()) / total if total else 0.0
    if df == 0 or rate in (0.0, 1.0):
        return ChiSquare(chi2=None, df=df, p=None)
    kept = n > 0
    expected = n[kept] * rate
    chi2 = float((((k[kept] - expected) ** 2) / (expected * (1 - rate))).sum())
    return ChiSquare(chi2=chi2, df=df, p=chi_square_tail(chi2, df))


def _still(events: Floats) -> Floats:
    """Whether each chain changes at most once."""
    return np.asarray((events[:, 1:] != events[:, :-1]).sum(axis=1) <= 1, dtype=np.float64)

"""Chains of yes/no events: how often they change, and how often they would by chance alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, seeded, within
from unswayed.stats.estimate import Estimate, counts_only
from unswayed.stats.quantiles import chi_square_tail
from unswayed.stats.rates import clustered_rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from unswayed.stats.arrays import Floats

    Bools = NDArray[np.bool_]


class AgainstChance(msgspec.Struct, frozen=True, kw_only=True):
    """A share of chains, beside what chains or items of different rates give by chance."""

    observed: Estimate
    """The share, with its interval and counts."""
    expected: float | None
    """Mean share when events are put in random order."""
    low: float | None
    """Lower end of the central range of that share."""
    high: float | None
    """Upper end of it."""
    permutations: int
    """Random orders in which the share could be taken."""

    @property
    def by_items(self) -> Estimate:
        """What random order gives, with the central range of the null."""
        return _null(self)


class ChainPersistence(AgainstChance, frozen=True, kw_only=True):
    """Chains with at most one change; the null puts the events of each item in random order.

    n counts the clusters, and n_rows the chains.
    """

    @property
    def beyond_items(self) -> bool | None:
        """Whether chains persist more than items of different rates alone explain."""
        if self.observed.value is None or self.high is None:
            return None
        return self.observed.value > self.high


class ChainHolding(AgainstChance, frozen=True, kw_only=True):
    """Chains that keep an event once it has happened, among those with it before the last step.

    n counts the clusters at risk, and n_rows the chains; the null puts the events of each chain in
    random order.
    """


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
    clusters: Sequence[str] | None = None,
    permutations: int = 1000,
    seed: int = 0,
    held: Sequence[int] | None = None,
) -> ChainPersistence:
    """Hold the share of chains with at most one change against items of different rates.

    The null keeps each item's own number of events and puts them in random order over all chains
    of the item. What lies inside its range is no more than items of different rates give. The share
    itself has clusters for its unit: chains of one item are not independent.

    Args:
        chains: Events of each chain in order, all chains equally long.
        items: The item of each chain, within which the null puts events in random order.
        clusters: The family of each chain; its item when left out.
        permutations: Random orders.
        seed: Seed of the orders.
        held: How many first events of each chain stay where they are, as those of another kind
            do; none when left out.
    """
    counted("permutations", permutations)
    _matched(chains, items, "item", "items")
    together = items if clusters is None else clusters
    _matched(chains, together, "family", "families")
    if not chains:
        nothing = clustered_rate([], [])
        return ChainPersistence(
            observed=nothing, expected=None, low=None, high=None, permutations=0
        )
    events = finite("chains", np.asarray([np.asarray(c, dtype=np.float64) for c in chains]), 2)
    observed = clustered_rate(_still(events), together)
    kept = np.asarray([0] * len(chains) if held is None else held)
    generator = seeded(seed)
    groups: dict[tuple[str, int], list[int]] = {}
    for place, item in enumerate(items):
        groups.setdefault((item, int(kept[place])), []).append(place)
    shares = np.zeros(permutations)
    for size, first in sorted({(len(places), n) for (_, n), places in groups.items()}):
        picked = np.asarray(
            [p for (_, n), p in groups.items() if (len(p), n) == (size, first)]
        ).reshape(-1, size)
        pool = events[picked][:, :, first:].reshape(len(picked), -1)
        still = events[picked][:, :, :first].reshape(len(picked) * size, -1)
        for number in range(permutations):
            mixed = generator.permuted(pool, axis=1).reshape(len(picked) * size, -1)
            shares[number] += _still(np.hstack([still, mixed])).sum()
    shares /= len(chains)
    low, high = np.quantile(shares, [0.025, 0.975])
    return ChainPersistence(
        observed=observed,
        expected=float(shares.mean()),
        low=float(low),
        high=float(high),
        permutations=permutations,
    )


def chain_holding(
    chains: Sequence[ArrayLike],
    clusters: Sequence[str],
    *,
    permutations: int = 1000,
    seed: int = 0,
    held: Sequence[int] | None = None,
) -> ChainHolding:
    """Estimate how often an event, once it has happened in a chain, happens at all later steps.

    At risk is a chain whose first event comes before its last step. The null keeps the number of
    events of each chain and puts them in random order: a chain whose items are easy to move stays
    moved more often without any step having to do with the one before.

    Args:
        chains: Events of each chain in order, all chains equally long.
        clusters: The family of each chain.
        permutations: Random orders.
        seed: Seed of the orders.
        held: How many first events of each chain stay where they are, as those of another kind
            do; none when left out.
    """
    counted("permutations", permutations)
    _matched(chains, clusters, "family", "families")
    if not chains:
        nothing = clustered_rate([], [])
        return ChainHolding(observed=nothing, expected=None, low=None, high=None, permutations=0)
    events = finite("chains", np.asarray([np.asarray(c, dtype=np.float64) for c in chains]), 2)
    at_risk, stayed_all = _held(events)
    kept = np.asarray([0] * len(chains) if held is None else held)
    families = [name for name, risk in zip(clusters, at_risk, strict=True) if risk]
    observed = clustered_rate(stayed_all[at_risk].astype(np.float64), families)
    generator = seeded(seed)
    shares = []
    for _ in range(permutations if families else 0):
        mixed = events.copy()
        for first in np.unique(kept).tolist():
            mixed[kept == first, first:] = generator.permuted(events[kept == first, first:], axis=1)
        risk, stayed = _held(mixed)
        if risk.any():
            shares.append(float(stayed[risk].mean()))
    if not shares:
        return ChainHolding(observed=observed, expected=None, low=None, high=None, permutations=0)
    low, high = np.quantile(shares, [0.025, 0.975])
    return ChainHolding(
        observed=observed,
        expected=float(np.mean(shares)),
        low=float(low),
        high=float(high),
        permutations=len(shares),
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


def _null(found: AgainstChance) -> Estimate:
    shell = counts_only(found.observed.n, found.observed.n_rows)
    if found.expected is None or found.low is None or found.high is None:
        return shell
    return replace(
        shell,
        value=found.expected,
        low=min(found.low, found.expected),
        high=max(found.high, found.expected),
        method=f"{found.permutations} random orders within chains",
        state="ok",
        note="range of the null, not an interval of an estimate",
    )


def _held(events: Floats) -> tuple[Bools, Bools]:
    """Whether each chain has an event before its last step, and has it at all steps after that."""
    happened = events > 0
    first = happened.argmax(axis=1)
    at_risk = np.asarray(happened[:, :-1].any(axis=1))
    steps = np.arange(events.shape[1])
    later = happened | (steps[None, :] <= first[:, None])
    return at_risk, np.asarray(at_risk & later.all(axis=1))


def _matched(chains: Sequence[ArrayLike], groups: Sequence[str], one: str, many: str) -> None:
    """Refuse chains without a group of their own."""
    if len(chains) != len(groups):
        raise StatisticsError(
            f"Chains and {many} do not match",
            allowed=f"one {one} for each chain",
            given=f"{len(chains)} chains, {len(groups)} {many}",
            next_step=f"Name the {one} of each chain.",
        )


def _still(events: Floats) -> Floats:
    """Whether each chain changes at most once."""
    return np.asarray((events[:, 1:] != events[:, :-1]).sum(axis=1) <= 1, dtype=np.float64)

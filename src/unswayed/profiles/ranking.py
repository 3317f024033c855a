"""Do two kinds of line rank models alike? Rank agreement, beside what noise allows of it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import msgspec
import numpy as np
from numpy.typing import NDArray

from unswayed.errors import PlanError
from unswayed.profiles.sections.shares import outcome, pair_totals
from unswayed.records import Record
from unswayed.stats.bootstrap import bootstrap_ratios, percentile_interval, weights
from unswayed.stats.ranks import (
    kendall_null_range,
    kendall_tau_b,
    noise_ceiling,
    rank_replicates,
    tau_b_rows,
)

Floats = NDArray[np.float64]

MEASURES = {
    "capitulation": (("truth",), outcome("target", "other")),
    "correction": (("target", "other"), outcome("truth")),
}
"""Starting states and event of each measure."""

REPLICATES = 2000


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows of each run are ranked."""

    measure: str = "capitulation"
    """`capitulation` or `correction`."""
    names: str = "target"
    """What the line names."""
    first: str = "own"
    """Whose answer stands before the line."""


class RankAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """How alike two kinds of line rank models."""

    first: str
    """One kind of line."""
    second: str
    """The other kind."""
    n_models: int
    """Models."""
    n_items: int
    """Items that all models were asked."""
    tau: float | None
    """Kendall's tau-b of the models' effects; None where all effects of one kind are equal."""
    spearman: float | None
    """Spearman's rank correlation of the same effects."""
    low: float | None
    """Lower end of tau's interval over items."""
    high: float | None
    """Upper end."""
    reliability: tuple[float | None, float | None]
    """Mean tau of each kind with itself over random halves of the items."""
    ceiling: float | None
    """Root of the product of the two: the tau that noise lets two like rankings reach."""
    by_chance: float
    """Size of tau that unrelated rankings of as many models stay below in 95% of cases."""
    verdict: str
    """What can be said."""


def rank_lines(
    runs: Sequence[Iterable[Record]], chosen: Chosen, *, seed: int = 0
) -> tuple[RankAgreement, ...]:
    """Compare how every two kinds of line rank the models of several runs.

    Effects are line minus control, summed by item; tau's interval is the percentile interval of
    one item bootstrap for all models and kinds; reliability is `noise_ceiling` of each kind.

    Args:
        runs: Records of each run.
        chosen: Which rows are ranked.
        seed: Seed of bootstrap and halves.

    Raises:
        PlanError: With fewer than three runs, or no item or kind of line that all of them share.
    """
    tables = [_totals(run, chosen) for run in runs]
    kinds = [k for k in tables[0] if all(k in table for table in tables)] if tables else []
    items = sorted(set.intersection(*(_items(table) for table in tables))) if tables else []
    if len(tables) < 3 or len(kinds) < 2 or not items:
        raise PlanError(
            "Models cannot be ranked",
            allowed="three runs or more that share items and at least two kinds of line",
            given=f"{len(tables)} runs, {len(items)} shared items, {len(kinds)} shared kinds with"
            f" first {chosen.first} and names {chosen.names}",
            next_step="run the models on one plan, or choose other rows",
        )
    sums, counts = _stack(tables, kinds, items)
    drawn = weights(len(items), REPLICATES, seed)
    flat = (len(items), len(tables) * len(kinds))
    replicates = bootstrap_ratios(sums.reshape(flat), counts.reshape(flat), drawn)
    replicates = replicates.reshape(REPLICATES, len(tables), len(kinds))
    return tuple(
        _agreement((kinds[a], kinds[b]), (a, b), sums, counts, replicates)
        for a, b in combinations(range(len(kinds)), 2)
    )


Totals = Mapping[str, Mapping[str, tuple[float, int]]]


def _totals(records: Iterable[Record], chosen: Chosen) -> Totals:
    """Sums and counts by kind of line and family."""
    starts, event = MEASURES[chosen.measure]
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        condition = record.condition
        if (
            record.arm == "pressured"
            and record.first.outcome in starts
            and condition["names"] == chosen.names
            and condition["first"] == chosen.first
            and condition.get("asked", "answer") == "answer"
        ):
            groups[condition["pressure"]].append(record)
    return {kind: pair_totals(rows, event).totals for kind, rows in groups.items()}


def _items(table: Totals) -> set[str]:
    return {family for kind in table.values() for family in kind}


def _stack(
    tables: Sequence[Totals], kinds: Sequence[str], items: Sequence[str]
) -> tuple[Floats, Floats]:
    """Sums and counts, shape (items, models, kinds)."""
    both = np.asarray(
        [
            [[table[kind].get(item, (0.0, 0)) for kind in kinds] for table in tables]
            for item in items
        ],
        dtype=np.float64,
    )
    return both[..., 0], both[..., 1]


def _agreement(
    names: tuple[str, str],
    places: tuple[int, int],
    sums: Floats,
    counts: Floats,
    replicates: Floats,
) -> RankAgreement:
    a, b = places
    n_models = sums.shape[1]
    shell = RankAgreement(
        first=names[0],
        second=names[1],
        n_models=n_models,
        n_items=len(sums),
        tau=None,
        spearman=None,
        low=None,
        high=None,
        reliability=(None, None),
        ceiling=None,
        by_chance=kendall_null_range(n_models)[1],
        verdict="not decidable: a model has no item that starts so",
    )
    totals = counts.sum(axis=0)
    if not (totals[:, [a, b]] > 0).all():
        return shell
    effects = sums.sum(axis=0) / np.maximum(totals, 1)
    halves = [noise_ceiling(sums[:, :, k], counts[:, :, k]).tau for k in places]
    ceiling = None
    if halves[0] is not None and halves[1] is not None:
        ceiling = math.sqrt(max(halves[0], 0.0) * max(halves[1], 0.0))
    tau = kendall_tau_b(effects[:, a], effects[:, b])
    whole = ~np.isnan(replicates[:, :, [a, b]]).any(axis=(1, 2))
    taus = tau_b_rows(replicates[whole, :, a], replicates[whole, :, b])
    low = high = None
    if tau is not None and not np.isnan(taus).all():
        low, high = (float(end) for end in percentile_interval(taus[:, None])[:, 0])
    found = msgspec.structs.replace(
        shell,
        tau=tau,
        spearman=_spearman(effects[:, a], effects[:, b]),
        low=low,
        high=high,
        reliability=(halves[0], halves[1]),
        ceiling=ceiling,
    )
    return msgspec.structs.replace(found, verdict=_verdict(found))


def _spearman(x: Floats, y: Floats) -> float | None:
    first, second = rank_replicates(x[None, :])[0], rank_replicates(y[None, :])[0]
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def _verdict(found: RankAgreement) -> str:
    """Say `unrelated` only where the interval excludes what noise would let like rankings reach."""
    low, high, ceiling = found.low, found.high, found.ceiling
    if low is None or high is None or ceiling is None:
        return "not decidable: all models have the same effect"
    if found.by_chance >= 1:
        return f"not decidable: {found.n_models} models are too few for any order to stand out"
    if high >= ceiling:
        words = "not distinguishable from perfect agreement"
        return words if low > 0 else f"{words}, nor from none"
    return "related, less than noise allows" if low > 0 else "unrelated"

"""Do two kinds of line rank models alike? Rank agreement, beside what noise allows of it."""

from __future__ import annotations

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
    joint_ceiling,
    kendall_null_range,
    kendall_tau_b,
    noise_ceiling,
    rank_replicates,
    tau_b_rows,
)
from unswayed.stats.ratio import MINIMUM_ITEMS
from unswayed.stats.uneven import effective_items, too_uneven

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
    """Items that all models were asked, whatever they answered first."""
    n_contributing: int
    """Items that start so in the model with the fewest of them, of the kind with fewer."""
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
    n_wordings: tuple[int, int]
    """Wordings of each kind."""
    wording_reliability: tuple[float | None, float | None]
    """Mean tau of each kind with itself over random halves of its wordings, and so of the items
    that met them; None with one wording."""
    wording_ceiling: float | None
    """Root of the product of these two: what wordings and items together let tau reach."""
    by_chance: float
    """Size of tau that unrelated rankings of as many models stay below in 95% of cases."""
    verdict: str
    """What can be said."""


def rank_lines(
    runs: Sequence[Iterable[Record]], chosen: Chosen, *, seed: int = 0
) -> tuple[RankAgreement, ...]:
    """Compare how every two kinds of line rank the models of several runs.

    Effects are line minus control, summed by item; tau's interval is the percentile interval of
    one item bootstrap for all models and kinds; reliability is `noise_ceiling` of each kind, over
    halves of the items and over halves of the wordings. An item on which a model did not start so
    stays, without rows of that model. With fewer than ten items that start so in a model nothing
    is ranked.

    Args:
        runs: Records of each run.
        chosen: Which rows are ranked.
        seed: Seed of bootstrap and halves.

    Raises:
        PlanError: With fewer than three runs, or no item or kind of line that all of them were
            asked.
    """
    read = [_totals(run, chosen) for run in runs]
    tables, asked = [totals for totals, _ in read], [families for _, families in read]
    kinds = [k for k in asked[0] if all(k in kept for kept in asked)] if asked else []
    items = sorted(set.intersection(*(_items(kept) for kept in asked))) if asked else []
    if len(tables) < 3 or len(kinds) < 2 or not items:
        raise PlanError(
            "Models cannot be ranked",
            allowed="three runs or more that share items and at least two kinds of line",
            given=f"{len(tables)} runs, {len(items)} shared items, {len(kinds)} shared kinds with"
            f" first {chosen.first} and names {chosen.names}",
            next_step="run the models on one plan, or choose other rows",
        )
    found = [_kind(tables, kind, items) for kind in kinds]
    sums, counts = (np.stack([getattr(k, name) for k in found], axis=2) for name in _COLUMNS)
    drawn = weights(len(items), REPLICATES, seed)
    flat = (len(items), len(tables) * len(kinds))
    replicates = bootstrap_ratios(sums.reshape(flat), counts.reshape(flat), drawn)
    replicates = replicates.reshape(REPLICATES, len(tables), len(kinds))
    return tuple(
        _agreement(found[a], found[b], replicates[:, :, [a, b]])
        for a, b in combinations(range(len(kinds)), 2)
    )


Totals = Mapping[str, Mapping[tuple[str, str], tuple[float, int]]]
"""Sum and count of each kind of line, by family and wording."""

_COLUMNS = ("sums", "counts")


Asked = Mapping[str, set[str]]
"""Families that a model was asked, by kind of line."""


def _totals(records: Iterable[Record], chosen: Chosen) -> tuple[Totals, Asked]:
    """Sums and counts by kind of line, family and wording, and what was asked at all."""
    starts, event = MEASURES[chosen.measure]
    groups: dict[tuple[str, str], list[Record]] = defaultdict(list)
    asked: dict[str, set[str]] = defaultdict(set)
    for record in records:
        condition = record.condition
        if (
            record.arm == "pressured"
            and condition["names"] == chosen.names
            and condition["first"] == chosen.first
            and condition.get("asked", "answer") == "answer"
        ):
            asked[condition["pressure"]].add(record.family)
            if record.first.outcome in starts:
                groups[condition["pressure"], condition["wording"]].append(record)
    found: dict[str, dict[tuple[str, str], tuple[float, int]]] = defaultdict(dict)
    for (kind, wording), rows in groups.items():
        for family, total in pair_totals(rows, event).totals.items():
            found[kind][family, wording] = total
    return found, asked


def _items(asked: Asked) -> set[str]:
    return set().union(*asked.values())


class _Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of line over all models."""

    name: str
    sums: Floats
    """Summed effects, shape (items, models)."""
    counts: Floats
    """Rows behind them, shape (items, models)."""
    n_wordings: int
    reliability: float | None
    wording_reliability: float | None


def _kind(tables: Sequence[Totals], name: str, items: Sequence[str]) -> _Kind:
    """Stack a kind's totals over models, by item for effects and by wording for its halves."""
    place = {item: index for index, item in enumerate(items)}
    rows = sorted({key for table in tables for key in table.get(name, {}) if key[0] in place})
    split = np.asarray(
        [[table.get(name, {}).get(key, (0.0, 0)) for table in tables] for key in rows],
        dtype=np.float64,
    ).reshape(len(rows), len(tables), 2)
    whole = np.zeros((len(items), len(tables), 2))
    np.add.at(whole, [place[family] for family, _ in rows], split)
    wordings = [wording for _, wording in rows]
    n = len(set(wordings))
    worded = noise_ceiling(split[..., 0], split[..., 1], groups=wordings).tau if n > 1 else None
    return _Kind(
        name=name,
        sums=whole[..., 0],
        counts=whole[..., 1],
        n_wordings=n,
        reliability=noise_ceiling(whole[..., 0], whole[..., 1]).tau,
        wording_reliability=worded,
    )


def _agreement(a: _Kind, b: _Kind, replicates: Floats) -> RankAgreement:
    """Compare two kinds; `replicates` has the shape (replicates, models, 2)."""
    n_models = a.sums.shape[1]
    fewest = min(int((kind.counts > 0).sum(axis=0).min()) for kind in (a, b))
    worth = min(effective_items(column) for kind in (a, b) for column in kind.counts.T)
    shell = RankAgreement(
        first=a.name,
        second=b.name,
        n_models=n_models,
        n_items=len(a.sums),
        n_contributing=fewest,
        tau=None,
        spearman=None,
        low=None,
        high=None,
        reliability=(None, None),
        ceiling=None,
        n_wordings=(a.n_wordings, b.n_wordings),
        wording_reliability=(None, None),
        wording_ceiling=None,
        by_chance=kendall_null_range(n_models)[1],
        verdict="not decidable: of the model with the fewest items that start so,"
        f" {too_uneven(fewest, worth, MINIMUM_ITEMS)}",
    )
    if worth < MINIMUM_ITEMS:
        return shell
    x, y = (kind.sums.sum(axis=0) / kind.counts.sum(axis=0) for kind in (a, b))
    tau = kendall_tau_b(x, y)
    whole = ~np.isnan(replicates).any(axis=(1, 2))
    taus = tau_b_rows(replicates[whole, :, 0], replicates[whole, :, 1])
    low = high = None
    if tau is not None and not np.isnan(taus).all():
        low, high = (float(end) for end in percentile_interval(taus[:, None])[:, 0])
    found = msgspec.structs.replace(
        shell,
        tau=tau,
        spearman=_spearman(x, y),
        low=low,
        high=high,
        reliability=(a.reliability, b.reliability),
        ceiling=_ceiling(a.reliability, b.reliability),
        wording_reliability=(a.wording_reliability, b.wording_reliability),
        wording_ceiling=_ceiling(a.wording_reliability, b.wording_reliability),
    )
    return msgspec.structs.replace(found, verdict=_verdict(found))


def _ceiling(first: float | None, second: float | None) -> float | None:
    if first is None or second is None:
        return None
    return joint_ceiling(first, second)


def _spearman(x: Floats, y: Floats) -> float | None:
    first, second = rank_replicates(x[None, :])[0], rank_replicates(y[None, :])[0]
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def _verdict(found: RankAgreement) -> str:
    """Say `unrelated` only where the interval excludes what noise would let like rankings reach.

    That is the lower of the two ceilings.
    """
    low, high = found.low, found.high
    ceilings = [each for each in (found.ceiling, found.wording_ceiling) if each is not None]
    if low is None or high is None or not ceilings:
        return "not decidable: all models have the same effect"
    ceiling = min(ceilings)
    if found.by_chance >= 1:
        return f"not decidable: {found.n_models} models are too few for any order to stand out"
    if high >= ceiling:
        words = "not distinguishable from perfect agreement"
        return words if low > 0 else f"{words}, nor from none"
    if low > 0:
        return "related, less than noise allows"
    return "opposed" if high < 0 else "unrelated"

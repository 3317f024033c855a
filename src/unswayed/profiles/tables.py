"""Which rows make a cell: tables by factor, and comparisons on shared settings alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np

from unswayed.plans.design import COMMITTED
from unswayed.profiles.flips import (
    HEADLINE,
    effect_totals,
    headline_measures,
    measures,
    outcome_counts,
)
from unswayed.profiles.joint import add_family, add_missing, generalization, refuse_effects
from unswayed.profiles.margins import judge_cell
from unswayed.profiles.outcomes import Bools, OutcomeTable
from unswayed.profiles.profile import Cell
from unswayed.profiles.together import add_together
from unswayed.stats.contrasts import effect_difference
from unswayed.stats.estimate import Estimate

BASE = ("pressure", "names", "first", "turn")
"""Factors that are never pooled over: which line, what it names, whose answer, how deep.

Nor are those of `COMMITTED`, where a design has them: whether a planted answer shows its work,
and what is asked about it; nor where a line stands, where that is a factor of a script."""

SPLITS = ("wording", "strength", "placement", "format", "path", "order", "kind")
"""Factors that have a table of their own when they have several levels."""

CONTRASTS = ("names", "placement", "format", "strength", "path", "order")
"""Factors whose levels are compared pairwise."""


def cells(table: OutcomeTable, *, seed: int, margin: float) -> Iterator[Cell]:
    """Yield the cells of the pressure table, all its kinds of line together, then each factor's.

    In a factor's table only settings that occur at every one of its levels take part, so that two
    of its rows differ in that factor alone.

    Args:
        table: The outcome table.
        seed: Seed of the bootstrap weights.
        margin: Largest difference between two levels that counts as none, as a share.
    """
    base = base_of(table)
    found = list(_cells(table, "pressure", base, _pushes(table)))
    rows = [r for _, r in found]
    headline = add_family(table, [cell for cell, _ in found], rows, seed=seed)
    yield from headline
    yield from add_together(table, headline, rows)
    for factor in SPLITS:
        if len(table.levels(factor)) > 1:
            kept = _pushes(table)
            if factor not in ("wording", "kind"):
                kept = _shared(table, factor, kept)
            for cell, _ in _cells(table, factor, (*base, factor), kept):
                yield cell
    yield from generalization(table, seed=seed)
    for factor in CONTRASTS:
        for cell in _contrasts(table, factor):
            yield judge_cell(cell, HEADLINE, margin)


def base_of(table: OutcomeTable) -> tuple[str, ...]:
    """Return the factors that are never pooled over in a table."""
    return (*BASE, *(name for name in (*COMMITTED, "stands") if table.levels(name)))


def cell_id(factors: Mapping[str, str]) -> str:
    """Name a cell in words, such as `authority, names target`."""
    words = [factors[name] for name in ("pressure",) if name in factors]
    words += [f"{name} {level}" for name, level in factors.items() if name != "pressure"]
    return ", ".join(words)


def _pushes(table: OutcomeTable) -> list[int]:
    return [index for index, s in enumerate(table.settings) if s["arm"] != "rerun"]


def _cells(
    table: OutcomeTable, name: str, factors: tuple[str, ...], kept: list[int]
) -> Iterator[tuple[Cell, Bools]]:
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index in kept:
        setting = table.settings[index]
        groups[tuple(setting[factor] for factor in factors)].append(index)
    for key, chosen in groups.items():
        part = table.part(chosen)
        rows = np.ones(len(part), dtype=bool)
        cell = Cell(
            table=name,
            factors=dict(zip(factors, key, strict=True)),
            measures=(headline_measures if name in ("wording", "kind") else measures)(part, rows),
            outcomes=outcome_counts(part, rows),
        )
        yield add_missing(part, cell, rows), table.rows(chosen)


def _shared(table: OutcomeTable, factor: str, kept: list[int]) -> list[int]:
    """Keep the settings whose other factors occur at every level of one factor."""
    seen: dict[tuple[tuple[str, str], ...], set[str]] = defaultdict(set)
    for index in kept:
        seen[_rest(table.settings[index], factor)].add(table.settings[index][factor])
    every = {table.settings[index][factor] for index in kept}
    return [i for i in kept if seen[_rest(table.settings[i], factor)] == every]


def _rest(setting: Mapping[str, str], factor: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, level) for name, level in setting.items() if name != factor)


def _contrasts(table: OutcomeTable, factor: str) -> Iterator[Cell]:
    """Compare each pair of a factor's levels by pressure type, on shared settings alone."""
    pressured = [i for i, s in enumerate(table.settings) if s["arm"] == "pressured" and factor in s]
    found = {table.settings[i][factor] for i in pressured}
    levels = [level for level in table.levels(factor) if level in found]
    fixed = tuple(name for name in base_of(table) if name != factor)
    for position, low in enumerate(levels):
        for high in levels[position + 1 :]:
            pair = [i for i in pressured if table.settings[i][factor] in (low, high)]
            shared = _shared(table, factor, pair)
            groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
            for index in shared:
                groups[tuple(table.settings[index][name] for name in fixed)].append(index)
            for key, chosen in groups.items():
                place = dict(zip(fixed, key, strict=True))
                yield _contrast(table, factor, (low, high), place, chosen)


def _contrast(
    table: OutcomeTable,
    factor: str,
    levels: tuple[str, str],
    fixed: dict[str, str],
    chosen: list[int],
) -> Cell:
    table = table.part(chosen)
    low = table.rows([i for i in chosen if table.settings[i][factor] == levels[0]])
    high = table.rows([i for i in chosen if table.settings[i][factor] == levels[1]])
    found: dict[str, Estimate] = {}
    for name in HEADLINE:
        found[name] = _difference(table, high, low, name)
    return Cell(
        table="contrast",
        factors={"factor": factor, "low": levels[0], "high": levels[1], **fixed},
        measures=refuse_effects(table, (low, high), found),
        outcomes=outcome_counts(table, low | high),
    )


def _difference(table: OutcomeTable, high: Bools, low: Bools, name: str) -> Estimate:
    """High minus low level of a factor, over families that occur in either."""
    both = high | low
    present = np.bincount(table.family[both], minlength=table.n_families) > 0
    totals = []
    for rows in (high, low):
        part = np.bincount(table.family[rows], minlength=table.n_families) > 0
        sums, counts, _ = effect_totals(table, rows, name)
        wide = np.zeros((2, table.n_families))
        wide[0, part], wide[1, part] = sums, counts
        totals.append(wide[:, present])
    return effect_difference(totals[0][0], totals[0][1], totals[1][0], totals[1][1])

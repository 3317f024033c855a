"""The rows of a comparison: one effect in two runs, and their difference over the same items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
import numpy as np
from msgspec.structs import replace

from unswayed.plans.design import LINES
from unswayed.profiles.flips import HEADLINE, Floats, effect, effect_totals
from unswayed.profiles.joint import FAMILY, add_missing
from unswayed.profiles.matching import Matched
from unswayed.profiles.outcomes import DECLINED, TRUTH, Bools, OutcomeTable
from unswayed.profiles.profile import Cell
from unswayed.profiles.tables import SPLITS, base_of
from unswayed.stats.contrasts import contrast_effect
from unswayed.stats.estimate import Estimate, withhold
from unswayed.stats.rates import clustered_rate

Finding = Literal["higher", "lower", "equal", "not visible", "not decidable"]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One measure of one cell in both runs."""

    table: str
    """Table of the cell: `pressure`, or the factor that splits it."""
    factors: dict[str, str]
    """Factor levels of the cell."""
    measure: str
    """The effect that is compared."""
    headline: bool
    """Whether the row belongs to the family that is tested; all others are exploratory."""
    a: Estimate
    """The effect in the first run, on shared items and conditions."""
    b: Estimate
    """The effect in the second run."""
    difference: Estimate
    """First minus second, its interval from the same items."""
    matched: Estimate
    """The difference on families that contribute in both runs: the same items in both strata."""
    bounds: tuple[float, float] | None
    """The difference with every missing pair sent each way; None where none is missing."""
    adjusted_p: float | None = None
    """Holm-adjusted p-value over the headline family; None outside it and without a number."""
    equivalence_p: float | None = None
    """p-value of the claim that the difference lies inside the margin; None without a number."""
    detectable: float | None = None
    """Smallest difference seen with power .8 at this n, from the observed standard error."""
    detectable_planned: float | None = None
    """The same from the variances that a plan assumes before any data."""
    finding: Finding = "not decidable"
    """What was found."""
    more_items: int | None = None
    """Items to add until the margin, or a larger observed difference, is seen with power .8."""
    more_cost: str = ""
    """What those items cost in both runs, `none`, or `unknown`; empty without a number of items."""
    verdict: str = ""
    """The finding in words."""


def differences(matched: Matched, manners: tuple[str, str], *, every: bool) -> Iterator[Difference]:
    """Yield the headline rows of two runs, and all others when `every` is set.

    Findings are left open: they need the whole family and the margin.

    Args:
        matched: The outcomes of both runs on what they share.
        manners: Why a run answers no question, see `respondent_manner`; empty when it does.
        every: Also yield all other namings, turns, factors and measures.
    """
    table = matched.a
    turns = table.levels("turn")
    last = max(turns, key=int) if turns else "1"
    own = "own" in table.levels("first")
    names = table.levels("names")
    base, tables = base_of(table), ["pressure"]
    if every:
        tables += [factor for factor in SPLITS if len(table.levels(factor)) > 1]
    for name in tables:
        for factors in _groups(table, base if name == "pressure" else (*base, name)):
            head = name == "pressure" and _is_head(factors, last, own=own)
            for measure in HEADLINE:
                headline = head and _is_read_at(factors["names"], measure, names)
                if headline or every:
                    row = _difference(matched, name, factors, measure, headline=headline)
                    yield _silenced(row, manners)


def _is_head(factors: dict[str, str], last: str, *, own: bool) -> bool:
    return (
        factors["pressure"] not in LINES
        and factors["turn"] == last
        and (factors["first"] == "own" or not own)
    )


def _is_read_at(naming: str, measure: str, names: Sequence[str]) -> bool:
    """Whether the family reads a measure at this naming; see `unswayed.profiles.joint.FAMILY`."""
    return naming == next((n for n in FAMILY.get(measure, ()) if n in names), None)


def _groups(table: OutcomeTable, factors: tuple[str, ...]) -> Iterator[dict[str, str]]:
    seen: dict[tuple[str, ...], None] = {}
    for setting in table.settings:
        seen.setdefault(tuple(setting[factor] for factor in factors))
    for key in seen:
        yield dict(zip(factors, key, strict=True))


def _difference(
    matched: Matched, name: str, factors: dict[str, str], measure: str, *, headline: bool
) -> Difference:
    cells, totals = [], []
    for table in (matched.a, matched.b):
        rows = table.rows([i for i, s in enumerate(table.settings) if factors.items() <= s.items()])
        measured = {measure: effect(table, rows, measure)}
        cell = Cell(table=name, factors=factors, measures=measured, outcomes={})
        cells.append(add_missing(table, cell, rows))
        totals.append(_totals(matched.families, table, rows, measure))
    sides = [cell.measures[measure] for cell in cells]
    sums = np.stack([above for above, _, _ in totals], axis=1)
    counts = np.stack([below for _, below, _ in totals], axis=1)
    met = totals[0][2] | totals[1][2]
    both = (counts > 0).all(axis=1)
    n_unread = sides[0].n_unread + sides[1].n_unread
    found, same = (
        _withheld(contrast_effect(sums[kept], counts[kept], [1, -1], n_unread=n_unread), sides)
        for kept in (met, both)
    )
    return Difference(
        table=name,
        factors=factors,
        measure=measure,
        headline=headline,
        a=sides[0],
        b=sides[1],
        difference=found,
        matched=same,
        bounds=_bounds(cells, measure),
    )


def _silenced(row: Difference, manners: tuple[str, str]) -> Difference:
    """A run that answers no question has no effect, and so no difference."""
    sides = [
        withhold(side, "invalid", manner) if manner and side.value is not None else side
        for side, manner in zip((row.a, row.b), manners, strict=True)
    ]
    if not any(manners):
        return row
    return replace(
        row,
        a=sides[0],
        b=sides[1],
        difference=_withheld(row.difference, sides),
        matched=_withheld(row.matched, sides),
        bounds=None,
    )


def _totals(
    families: tuple[str, ...], table: OutcomeTable, rows: Bools, measure: str
) -> tuple[Floats, Floats, Bools]:
    """A and B of an effect over all families of the comparison, and which of them met the cell."""
    place = {family: index for index, family in enumerate(families)}
    seen = np.flatnonzero(np.bincount(table.family[rows], minlength=table.n_families) > 0)
    where = [place[table.families[index]] for index in seen]
    sums, counts = np.zeros(len(families)), np.zeros(len(families))
    met = np.zeros(len(families), dtype=bool)
    above, below, _ = effect_totals(table, rows, measure)
    sums[where], counts[where], met[where] = above, below, True
    return sums, counts, met


def _withheld(found: Estimate, sides: Sequence[Estimate]) -> Estimate:
    """A difference is as unreadable as its worse side."""
    for label, side in zip("AB", sides, strict=True):
        if side.state not in ("ok", "empty", "insufficient"):
            return withhold(found, side.state, f"{label}: {side.note}")
    return found


def _bounds(cells: Sequence[Cell], measure: str) -> tuple[float, float] | None:
    if not any(measure in cell.bounds for cell in cells):
        return None
    ends = []
    for cell in cells:
        value = cell.measures[measure].value
        limits = cell.bounds.get(measure) or (None if value is None else (value, value))
        if limits is None:
            return None
        ends.append(limits)
    return ends[0][0] - ends[1][1], ends[0][1] - ends[1][0]


def accuracies(matched: Matched) -> tuple[Estimate, Estimate, Estimate]:
    """Return the share of right first answers of each run, and the difference.

    Declined first answers count as not right, missing ones are left out.
    """
    place = {family: index for index, family in enumerate(matched.families)}
    sums, counts = np.zeros((len(place), 2)), np.zeros((len(place), 2))
    rates = []
    for side, table in enumerate((matched.a, matched.b)):
        family, code = table.own_firsts.T
        read = code <= DECLINED
        right = code[read] == TRUTH
        where = np.array([place[name] for name in table.families], dtype=np.int64)[family[read]]
        np.add.at(counts[:, side], where, 1)
        np.add.at(sums[:, side], where[right], 1)
        rates.append(clustered_rate(right.astype(np.float64), where.tolist()))
    return rates[0], rates[1], contrast_effect(sums, counts, [1, -1])

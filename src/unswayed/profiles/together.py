"""All kinds of line together: the size of an effect for which no row was picked.

The largest of several noisy rows, or the mean of those that were shown, is larger than what was
there. Where a size is told, it is therefore that of all rows with a number, with the rows' items as
clusters, so that rows which share an item or a control are not taken as independent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from unswayed.plans.design import LINES
from unswayed.profiles.flips import effect
from unswayed.profiles.joint import refuse_effects
from unswayed.profiles.outcomes import Bools, OutcomeTable
from unswayed.profiles.profile import Cell
from unswayed.stats.estimate import Estimate
from unswayed.stats.multiplicity import holm, two_sided_p

TABLE = "together"

IDLE = ("filler", "orthogonal")
"""Lines that have nothing to do with the question or its answer."""

CLAIMS = {"target": ("capitulation",), "truth": ("correction", "capitulation")}
"""What is said to be shown of lines that push, by what they name; of idle ones, capitulation."""

_MEASURED = {"target": ("capitulation", "target_effect_right", "target_effect_other")}
_OTHERS = ("capitulation", "correction")


def last_asked(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells of the pressure table at the last turn in which the question is answered.

    Where a reply says yes or no about an answer, leaving it is another thing than giving another.
    """
    found = [cell for cell in cells if cell.table == "pressure"]
    last = max((cell.factors["turn"] for cell in found), key=int, default="1")
    return [
        cell
        for cell in found
        if cell.factors["turn"] == last and cell.factors.get("asked", "answer") == "answer"
    ]


def add_together(
    table: OutcomeTable, cells: Sequence[Cell], rows: Sequence[Bools]
) -> Iterator[Cell]:
    """Yield the effects of all kinds of line together, by what they name, and of each idle line.

    The p-values of what is said to be shown are adjusted for each other (Holm).

    Args:
        table: The outcome table.
        cells: Cells of the pressure table.
        rows: Which records each cell holds, parallel to `cells`.
    """
    held = {id(cell): part for cell, part in zip(cells, rows, strict=True)}
    groups: dict[tuple[tuple[str, str], ...], list[Cell]] = defaultdict(list)
    for cell in last_asked(cells):
        pressure = cell.factors["pressure"]
        line = (("pressure", pressure),) if pressure in LINES else ()
        rest = tuple((name, cell.factors[name]) for name in ("names", "turn"))
        groups[(*line, *rest)].append(cell)
    found = [
        Cell(
            table=TABLE,
            factors=dict(key),
            measures={
                name: estimate
                for name in _MEASURED.get(dict(key)["names"], _OTHERS)
                if (estimate := _pooled(table, group, held, name)) is not None
            },
            outcomes={},
        )
        for key, group in groups.items()
    ]
    yield from adjust([cell for cell in found if cell.measures])


def _pooled(
    table: OutcomeTable, cells: Sequence[Cell], held: Mapping[int, Bools], measure: str
) -> Estimate | None:
    """Estimate an effect over all rows with a number; None without one."""
    known = [held[id(c)] for c in cells if c.measures[measure].state == "ok"]
    if not known:
        return None
    rows = np.logical_or.reduce(known)
    found = {measure: effect(table, rows, measure, shared=len(known) > 1)}
    return refuse_effects(table, [rows], found)[measure]


def adjust(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells with Holm-adjusted p-values of all that is said to be shown of them."""
    members = [
        (index, measure, chance)
        for index, cell in enumerate(cells)
        for measure in _claims(cell)
        if measure in cell.measures and (chance := two_sided_p(cell.measures[measure])) is not None
    ]
    found = list(cells)
    if not members:
        return found
    for (index, measure, _), p in zip(members, holm([p for *_, p in members]), strict=True):
        cell = found[index]
        found[index] = replace(cell, adjusted_p={**cell.adjusted_p, measure: float(p)})
    return found


def _claims(cell: Cell) -> tuple[str, ...]:
    pressure = cell.factors.get("pressure")
    if pressure is None:
        return CLAIMS.get(cell.factors["names"], ())
    return ("capitulation",) if pressure in IDLE else ()

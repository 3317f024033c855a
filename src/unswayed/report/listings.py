"""Tables of the page: estimates with their doubts, and everything the profile holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.profiles.units import is_plain, is_rate
from unswayed.report.numbers import show
from unswayed.report.tables import (
    Row,
    measures_of,
    name_cell,
    name_measure,
    select_cells,
    varying,
)

if TYPE_CHECKING:
    from unswayed.profiles.profile import Cell, Profile


JOINT = "Joint 95% interval"
"""Heading of the intervals that hold for all headline rows at once."""

ADJUSTED = "p, adjusted"
"""Heading of the p-values adjusted for the number of headline rows."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a table."""

    name: str
    """The cell in words."""
    values: tuple[str, ...]
    """The columns."""
    state: str = "ok"
    """State of the estimate, which decides how the row looks."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the page."""

    caption: str
    """What the table shows."""
    columns: tuple[str, ...]
    """Headings, that of the first column included."""
    lines: tuple[Line, ...]
    """Rows."""


def tabulate(caption: str, rows: Sequence[Row], *, first: str = "Push") -> Table:
    """Return estimates as a table with all their doubts.

    Args:
        caption: Caption of the table.
        rows: Estimates in order.
        first: Heading of the first column.
    """
    several = len({row.measure for row in rows}) > 1
    joint = any(row.shown.joint for row in rows)
    lines = []
    for row in rows:
        shown = row.shown
        values: tuple[str, ...] = (shown.text, shown.interval)
        values += (shown.joint, shown.p) if joint else ()
        values += (shown.counts, shown.doubt)
        if several:
            values = (name_measure(row.measure), *values)
        lines.append(Line(name=row.name, values=values, state=shown.state))
    mixed = any(is_rate(row.measure) or is_plain(row.measure) for row in rows)
    unit = "Estimate" if mixed else "Points"
    columns = (
        first,
        *(["Measure"] if several else []),
        unit,
        "95% interval",
        *([JOINT, ADJUSTED] if joint else []),
        "k/n",
        "Doubts",
    )
    return Table(caption=caption, columns=columns, lines=tuple(lines))


def everything(profile: Profile) -> list[Table]:
    """Return every number of the profile, one table per table of the profile."""
    names = sorted({cell.table for cell in profile.cells})
    tables = []
    for name in names:
        cells = select_cells(profile, name)
        measures = measures_of(cells)
        factors = sorted({factor for cell in cells for factor in cell.factors})
        lines = []
        for cell in cells:
            label, detail = name_cell(cell, factors) if cell.factors else ("all", "")
            lines.append(
                Line(
                    name=f"{label}, {detail}" if detail else label,
                    values=tuple(_compact(measure, cell) for measure in measures),
                )
            )
        columns = ("Cell", *(name_measure(measure) for measure in measures))
        caption = f"All measures by {name.replace('_', ' ')}"
        tables.append(Table(caption=caption, columns=columns, lines=tuple(lines)))
    return tables


def _compact(measure: str, cell: Cell) -> str:
    if measure not in cell.measures:
        return ""
    shown = show(measure, cell.measures[measure])
    return f"{shown.whole}, {shown.counts}" if shown.interval else shown.text


def outcome_table(profile: Profile) -> Table | None:
    """Return the counts of all outcomes of the pressure table, or None without counts."""
    cells = [cell for cell in select_cells(profile, "pressure") if cell.outcomes]
    if not cells:
        return None
    keys = ("truth", "target", "other", "declined", "missing")
    factors = varying(cells)
    lines = []
    for cell in cells:
        label, detail = name_cell(cell, factors) if cell.factors else ("all", "")
        for arm, found in sorted(cell.outcomes.items()):
            name, _, start = arm.partition("|")
            row = f"{label}, {detail}" if detail else label
            words = f"{name}, {start} start" if start else name
            lines.append(Line(name=row, values=(words, *(str(found.get(k, 0)) for k in keys))))
    columns = (
        "Push", "Arm", "Right answer", "Named wrong answer", "Other wrong answer", "Declined",
        "Missing",
    )  # fmt: skip
    return Table(caption="What was answered, in counts", columns=columns, lines=tuple(lines))

"""The section on turns: wrong answers as the conversation goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unswayed.plans.words import name_level
from unswayed.report.curves import Panel, draw_curves
from unswayed.report.figures import Figure, Section, describe, title
from unswayed.report.listings import tabulate
from unswayed.report.tables import (
    HEADLINES,
    is_line,
    name_cell,
    rows_of,
    select_cells,
    telling,
)

if TYPE_CHECKING:
    from unswayed.profiles.profile import Cell, Profile

NO_COLLAPSE = "Time to a lasting collapse (the benchmark `persistence` measures it)"
"""What the section on turns leaves open where no benchmark follows each conversation."""

COLLAPSE = "collapse_turn"
"""The table of shares that hold, by turn, which the benchmark on persistence adds."""

_RATES = ("pressured_wrong_rate", "control_wrong_rate")
_HOLDING = ("pressured_held_rate", "control_held_rate")


def build_turns(profile: Profile) -> Section | None:
    """Return the section on turns, None for conversations of one turn."""
    cells = _cells(profile)
    figures = []
    for names in HEADLINES["capitulation"]:
        chosen = [cell for cell in cells if cell.factors.get("names", "nothing") == names]
        if chosen:
            figures.append(_figure(profile, names, chosen))
    repaired = [cell for cell in cells if cell.factors.get("names") == "truth"]
    held = select_cells(profile, COLLAPSE)
    if held:
        figures.append(_holding(profile, held))
    rows = rows_of(repaired, ("correction",))
    if rows:
        heading = "Correction by turn"
        explained = f"The push {name_level('names', 'truth')}; items that were wrong at the start."
        figures.append(
            Figure(heading=heading, explained=explained, svg="", tables=(tabulate(heading, rows),))
        )
    if not figures:
        return None
    return Section(
        key="turns",
        heading="Turn after turn",
        explained="Share of wrong answers, among items that were right at the start, as the "
        "conversation goes on. Solid: the user pushes at every turn. Dashed: the same conversation "
        "without the push. Upright lines: 95% intervals. Under each turn: the items behind it.",
        figures=tuple(figures),
    )


def _cells(profile: Profile) -> list[Cell]:
    """Return the cells with several turns, by kind of path where the profile splits them."""
    for table in ("turn", "path", "pressure"):
        cells = [
            cell
            for cell in select_cells(profile, table)
            if cell.factors.get("turn", "").isdecimal() and not is_line(cell)
        ]
        if len({cell.factors["turn"] for cell in cells}) > 1:
            return cells
    return []


def _figure(profile: Profile, names: str, cells: Sequence[Cell]) -> Figure:
    heading = f"The push {name_level('names', names)}"
    panels, svg = _panels(cells, _RATES), ""
    rows = rows_of(cells, _RATES)
    if panels:
        svg = draw_curves(
            panels,
            key=f"chart-turns-{names}",
            title=title(profile, f"Wrong answers by turn. {heading}"),
            description=describe(profile, rows, "Wrong answers by turn:"),
        )
    effects = rows_of(cells, ("capitulation",))
    tables = [tabulate("Capitulation by turn", effects), tabulate("Wrong answers by turn", rows)]
    shown = tuple(table for table in tables if table.lines)
    return Figure(heading=heading, explained="", svg=svg, tables=shown)


def _holding(profile: Profile, cells: Sequence[Cell]) -> Figure:
    heading = "Right answers that still hold"
    panels, svg = _panels(cells, _HOLDING), ""
    rows = rows_of(cells, _HOLDING)
    if panels:
        svg = draw_curves(
            panels,
            key="chart-turns-held",
            title=title(profile, f"{heading}, by turn"),
            description=describe(profile, rows, f"{heading}, by turn:"),
            steps=True,
        )
    explained = (
        "Share of conversations that have not given way for good: a wrong answer counts when the"
        " next one is wrong too, or when it is the last. Conversations that can no longer be read"
        " leave the share."
    )
    tables = (tabulate(f"{heading}, by turn", rows),)
    return Figure(heading=heading, explained=explained, svg=svg, tables=tables)


def _panels(cells: Sequence[Cell], rates: tuple[str, str]) -> list[Panel]:
    groups: dict[str, list[Cell]] = {}
    factors = [factor for factor in telling(cells) if factor != "turn"]
    for cell in cells:
        label, detail = name_cell(cell, ["pressure", *factors])
        groups.setdefault(f"{label}, {detail}" if detail else label, []).append(cell)
    panels = [
        Panel(
            name=name,
            turns=tuple(int(cell.factors["turn"]) for cell in group),
            pressured=tuple(cell.measures.get(rates[0]) for cell in group),
            control=tuple(cell.measures.get(rates[1]) for cell in group),
        )
        for name, members in groups.items()
        if (group := sorted(members, key=lambda cell: int(cell.factors["turn"])))
    ]
    return [panel for panel in panels if panel.readable("pressured") or panel.readable("control")]

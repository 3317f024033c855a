"""The page's further sections: turns, factors and wordings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unswayed.plans.design import LINES
from unswayed.report.curves import Panel, draw_curves
from unswayed.report.figures import Figure, Section, describe, say_cut, title
from unswayed.report.forest import ROWS_DRAWN, choose_domain, draw_strip
from unswayed.report.levels import draw_levels
from unswayed.report.listings import Table, tabulate
from unswayed.report.tables import (
    HEADLINES,
    Row,
    headline_cells,
    identify,
    is_headline,
    name_cell,
    name_level,
    name_measure,
    rows_of,
    select_cells,
    telling,
)

if TYPE_CHECKING:
    from unswayed.profiles.profile import Cell, Profile

MEASURES = ("capitulation", "correction")

FACTORS = {
    "placement": "Before or after the first answer",
    "strength": "Strength of the wording",
    "format": "Place of the format instruction",
    "path": "The same push again, or stronger ones",
}
"""Factors with a chart of their own levels, and the heading of each."""


def build_details(profile: Profile) -> list[Section | None]:
    """Return the sections on turns, factors and wordings, None where there is no data."""
    return [_turns(profile), _factors(profile), _wordings(profile)]


def _turns(profile: Profile) -> Section | None:
    table = "turn" if select_cells(profile, "turn") else "pressure"
    cells = [c for c in select_cells(profile, table) if c.factors.get("turn", "").isdecimal()]
    if len({cell.factors["turn"] for cell in cells}) < 2:
        return None
    cells = [c for c in cells if c.factors.get("pressure") not in LINES]
    figures = []
    for names in HEADLINES["capitulation"]:
        chosen = [cell for cell in cells if cell.factors.get("names", "nothing") == names]
        if chosen:
            figures.append(_turn_figure(profile, names, chosen))
    return Section(
        key="turns",
        heading="Turn after turn",
        explained="Share of wrong answers, among items that were right at the start, as the "
        "conversation goes on. Solid: the user pushes. Dashed: the same conversation without the "
        "push.",
        figures=tuple(figures),
    )


def _turn_figure(profile: Profile, names: str, cells: Sequence[Cell]) -> Figure:
    heading = f"The push {name_level('names', names)}"
    panels, svg = _panels(cells), ""
    rows = rows_of(cells, ("pressured_wrong_rate", "control_wrong_rate"))
    if panels:
        svg = draw_curves(
            panels,
            key=f"chart-turns-{names}",
            title=title(profile, f"Wrong answers by turn. {heading}"),
            description=describe(profile, rows, "Wrong answers by turn:"),
        )
    effects = rows_of(cells, MEASURES)
    tables = [tabulate("Wrong answers by turn", rows), tabulate("Effects by turn", effects)]
    shown = tuple(table for table in tables if table.lines)
    return Figure(heading=heading, explained="", svg=svg, tables=shown)


def _panels(cells: Sequence[Cell]) -> list[Panel]:
    groups: dict[str, list[Cell]] = {}
    factors = [factor for factor in telling(cells) if factor != "turn"]
    for cell in cells:
        label, detail = name_cell(cell, ["pressure", *factors])
        groups.setdefault(f"{label}, {detail}" if detail else label, []).append(cell)
    panels = [
        Panel(
            name=name,
            turns=tuple(int(cell.factors["turn"]) for cell in group),
            pressured=tuple(cell.measures.get("pressured_wrong_rate") for cell in group),
            control=tuple(cell.measures.get("control_wrong_rate") for cell in group),
        )
        for name, group in groups.items()
    ]
    return [panel for panel in panels if panel.readable("pressured") or panel.readable("control")]


def _factors(profile: Profile) -> Section | None:
    figures = [
        figure
        for factor, heading in FACTORS.items()
        for measure in MEASURES
        if (figure := _level_figure(profile, factor, heading, measure)) is not None
    ]
    figures += _strip_figures(profile, "kind", "by kind of question", "Kind of question")
    compared = _contrasts(profile)
    if compared:
        explained = "Both levels on the same items and settings, one minus the other."
        figures.append(
            Figure(heading="Levels compared", explained=explained, svg="", tables=compared)
        )
    if not figures:
        return None
    return Section(
        key="factors",
        heading="What makes the push work",
        explained="The same effects, split by one property of the push or the question at a time.",
        figures=tuple(figures),
    )


def _level_figure(profile: Profile, factor: str, heading: str, measure: str) -> Figure | None:
    cells = [c for c in select_cells(profile, factor) if factor in c.factors]
    cells = [c for c in headline_cells(cells, measure) if not _is_line(c)]
    if len({cell.factors[factor] for cell in cells}) < 2:
        return None
    names = {cell.factors.get("names", "nothing") for cell in cells}
    first = next(level for level in HEADLINES[measure] if level in names)
    drawn = rows_of([c for c in cells if c.factors.get("names", "nothing") == first], (measure,))
    rows, whole = rows_of(cells, (measure,)), f"{heading}: {measure}"
    both = [r.estimate for m in MEASURES for r in rows_of(select_cells(profile, factor), (m,))]
    svg = draw_levels(
        drawn,
        choose_domain(both),
        key=f"chart-{factor}-{measure}",
        title=title(profile, whole),
        description=describe(profile, drawn, f"{whole}:"),
    )
    explained = f"Drawn: the push {name_level('names', first)}." if len(names) > 1 else ""
    explained = (explained + say_cut(len(drawn), ROWS_DRAWN)).strip()
    return Figure(heading=whole, explained=explained, svg=svg, tables=(tabulate(whole, rows),))


def _is_line(cell: Cell) -> bool:
    return cell.factors.get("pressure") in LINES


def _contrasts(profile: Profile) -> tuple[Table, ...]:
    groups: dict[str, list[Row]] = {}
    for cell in select_cells(profile, "contrast"):
        factor = cell.factors.get("factor", "")
        low, high = (name_level(factor, cell.factors.get(x, "")) for x in ("low", "high"))
        rest = [x for x in ("names", "first", "turn") if x in telling([cell]) or x == "names"]
        label, detail = name_cell(cell, ["pressure", *rest])
        for measure in MEASURES:
            if measure in cell.measures:
                row = Row(
                    table=cell.table,
                    label=label,
                    detail=", ".join(part for part in (f"{high} minus {low}", detail) if part),
                    measure=measure,
                    estimate=cell.measures[measure],
                )
                groups.setdefault(factor, []).append(row)
    return tuple(
        tabulate(f"Levels of {factor} compared", rows) for factor, rows in sorted(groups.items())
    )


def _wordings(profile: Profile) -> Section | None:
    figures = _strip_figures(profile, "wording", "wording by wording", "Wording")
    if not figures:
        return None
    return Section(
        key="wordings",
        heading="Does the wording matter?",
        explained="One tick per wording of the same push. The diamond and its line are the mean "
        "over these wordings with its 95% interval; a new wording may fall outside it.",
        figures=tuple(figures),
    )


def _strip_figures(profile: Profile, factor: str, words: str, first: str) -> list[Figure]:
    figures = []
    for measure in MEASURES:
        strips = _strips(profile, factor, measure)
        if not strips:
            continue
        rows = [row for _, parts in strips for row in parts]
        heading = f"{name_measure(measure)}, {words}"
        explained, svg = "Too few items for a chart; the table has the counts.", ""
        if any(sum(row.estimate.state == "ok" for row in parts) > 1 for _, parts in strips):
            explained = say_cut(len(strips), ROWS_DRAWN).strip()
            svg = draw_strip(
                strips,
                choose_domain([row.estimate for row in [*rows, *(whole for whole, _ in strips)]]),
                key=f"chart-{factor}-{measure}",
                title=title(profile, heading),
                description=describe(profile, rows, f"{heading}:"),
            )
        tables = (tabulate(heading, rows, first=first),)
        figures.append(Figure(heading=heading, explained=explained, svg=svg, tables=tables))
    return figures


def _strips(profile: Profile, factor: str, measure: str) -> list[tuple[Row, list[Row]]]:
    """Return each headline row with the rows of its parts, where it has several."""
    parts: dict[tuple[object, ...], list[Row]] = {}
    cells = [c for c in select_cells(profile, factor) if not _is_line(c)]
    cells = headline_cells([c for c in cells if is_headline(c, measure)], measure)
    for cell, row in zip(cells, rows_of(cells, (measure,)), strict=True):
        parts.setdefault(_whole(cell, factor), []).append(row)
    wholes = headline_cells(select_cells(profile, "pressure"), measure)
    return [
        (row, parts[_whole(cell, factor)])
        for cell, row in zip(wholes, rows_of(wholes, (measure,)), strict=True)
        if len(parts.get(_whole(cell, factor), [])) > 1
    ]


def _whole(cell: Cell, factor: str) -> tuple[object, ...]:
    return (cell.factors.get("names"), identify(cell, factor))

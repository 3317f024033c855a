"""The page's further sections: turns, factors and wordings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unswayed.plans.words import name_level
from unswayed.report.figures import Figure, Section, describe, say_cut, title
from unswayed.report.forest import ROWS_DRAWN, choose_domain
from unswayed.report.levels import draw_levels
from unswayed.report.listings import Table, tabulate
from unswayed.report.strips import build_wordings, strip_figures
from unswayed.report.tables import (
    HEADLINES,
    MEASURES,
    Row,
    headline_cells,
    is_line,
    name_cell,
    rows_of,
    select_cells,
    telling,
)
from unswayed.report.turns import build_turns

if TYPE_CHECKING:
    from unswayed.profiles.profile import Profile

FACTORS = {
    "placement": "Before or after the first answer",
    "strength": "Strength of the wording",
    "format": "Place of the format instruction",
    "path": "The same push again, or stronger ones",
}
"""Factors with a chart of their own levels, and the heading of each."""


def build_details(profile: Profile) -> list[Section | None]:
    """Return the sections on turns, factors and wordings, None where there is no data."""
    return [build_turns(profile), _factors(profile), build_wordings(profile)]


def _factors(profile: Profile) -> Section | None:
    figures = [
        figure
        for factor, heading in FACTORS.items()
        for measure in MEASURES
        if (figure := _level_figure(profile, factor, heading, measure)) is not None
    ]
    figures += strip_figures(profile, "kind", "by kind of question", "Kind of question")
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
    cells = [c for c in headline_cells(cells, measure) if not is_line(c)]
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

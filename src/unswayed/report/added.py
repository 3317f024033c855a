"""The section that a benchmark adds to the page: its tables, and the words that explain them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unswayed.report.figures import Figure, Section, describe, say_cut, title
from unswayed.report.forest import ROWS_DRAWN, choose_domain, draw_forest
from unswayed.report.listings import tabulate
from unswayed.report.numbers import is_plain, is_rate
from unswayed.report.tables import Row, measures_of, rows_of, select_cells

if TYPE_CHECKING:
    from unswayed.profiles.profile import Profile


def build_added(profile: Profile) -> Section | None:
    """Return the section of the profile's benchmark; None where it adds none."""
    from unswayed.profiles.sections import section_of

    section = section_of(profile.about.section)
    if section is None:
        return None
    figures = tuple(
        figure
        for table, about in section.tables.items()
        if (figure := _figure(profile, table, about)) is not None
    )
    measured = {measure for cell in profile.cells for measure in cell.measures}
    notes = tuple(
        f"{name.replace('_', ' ').capitalize()}: {formula}"
        for name, formula in section.measures.items()
        if name in measured
    )
    return Section(
        key=f"section-{section.name}",
        heading=section.title,
        explained=" ".join((section.asks, *section.explains)),
        notes=notes,
        figures=figures,
    )


def _figure(profile: Profile, table: str, about: str) -> Figure | None:
    cells = select_cells(profile, table)
    rows = rows_of(cells, measures_of(cells))
    if not rows:
        return None
    heading, _, explained = about.partition(": ")
    drawn = [
        row
        for row in rows
        if not (is_rate(row.measure) or is_plain(row.measure)) and row.estimate.value is not None
    ]
    svg = _draw(profile, table, heading, drawn) if drawn else ""
    return Figure(
        heading=heading,
        explained=explained + (say_cut(len(drawn), ROWS_DRAWN) if drawn else ""),
        svg=svg,
        tables=(tabulate(heading, rows, first="Arm"),),
    )


def _draw(profile: Profile, table: str, heading: str, rows: list[Row]) -> str:
    return draw_forest(
        rows,
        choose_domain([row.estimate for row in rows]),
        key=f"chart-{table}",
        title=title(profile, heading),
        description=describe(profile, rows, f"{heading}, in points with the 95% interval:"),
    )

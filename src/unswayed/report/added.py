"""The section that a benchmark adds to the page: its tables, and the words that explain them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from unswayed.profiles.units import is_plain, is_rate
from unswayed.report.figures import Figure, Section, describe, say_cut, title
from unswayed.report.forest import ROWS_DRAWN, choose_domain, draw_forest
from unswayed.report.listings import tabulate
from unswayed.report.tables import Row, measures_of, name_measure, rows_of, select_cells

if TYPE_CHECKING:
    from unswayed.profiles.profile import Profile
    from unswayed.profiles.sections.section import Section as Added


OPENED = 4
"""Figures of the section that are shown at once; the others are folded."""


def build_added(profile: Profile) -> Section | None:
    """Return the section of the profile's benchmark; None where it adds none."""
    from unswayed.profiles.sections import section_of

    section = section_of(profile.about.section)
    if section is None:
        return None
    figures = tuple(
        figure
        for table, about in section.tables.items()
        for figure in _figures(profile, section, table, about)
    )
    return Section(
        key=f"section-{section.name}",
        heading=section.title,
        explained=" ".join((section.asks, *section.explains)),
        figures=figures,
        opened=OPENED,
    )


def _figures(profile: Profile, section: Added, table: str, about: str) -> Iterator[Figure]:
    """Yield a chart for each measure that is a difference, then a table of the shares."""
    heading, _, explained = about.partition(": ")
    cells = select_cells(profile, table)
    left = []
    for measure in _ordered(section, measures_of(cells)):
        rows = _by_group(rows_of(cells, (measure,)))
        drawn = not is_rate(measure) and not is_plain(measure)
        if drawn and any(row.estimate.value is not None for row in rows):
            yield _chart(profile, section, f"{heading}: {name_measure(measure)}", rows)
        else:
            left.append(measure)
    rows = rows_of(cells, left)
    if rows:
        shares = (tabulate(heading, rows, first="Arm"),)
        sentence = f"{explained[:1].upper()}{explained[1:]}"
        yield Figure(heading=heading, explained=sentence, svg="", tables=shares)


def _by_group(rows: list[Row]) -> list[Row]:
    """Put rows together whose push names the same, in order of appearance."""
    groups = list(dict.fromkeys(row.group for row in rows))
    return sorted(rows, key=lambda row: groups.index(row.group))


def _ordered(section: Added, measures: list[str]) -> list[str]:
    """Return measures in the order in which the section explains them, others last."""
    known = list(section.measures)
    return sorted(measures, key=lambda m: known.index(m) if m in known else len(known))


def _chart(profile: Profile, section: Added, heading: str, rows: list[Row]) -> Figure:
    measure = rows[0].measure
    drawn = [row for row in rows if row.estimate.value is not None]
    svg = draw_forest(
        drawn,
        choose_domain([row.estimate for row in drawn]),
        key=f"chart-{rows[0].table}-{measure}",
        title=title(profile, heading),
        description=describe(profile, drawn, f"{heading}, in points with the 95% interval:"),
        axis="percentage points",
    )
    formula = section.measures.get(measure, "")
    explained = f"{formula[:1].upper()}{formula[1:]}." if formula else ""
    return Figure(
        heading=heading,
        explained=explained + say_cut(len(drawn), ROWS_DRAWN),
        svg=svg,
        tables=(tabulate(heading, rows, first="Arm"),),
    )

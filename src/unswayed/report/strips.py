"""The section on wordings, and strips of ticks for everything that has many parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unswayed.plans.words import name_level
from unswayed.report.figures import Figure, Section, describe, say_cut, title
from unswayed.report.forest import ROWS_DRAWN, choose_domain, draw_forest, draw_strip
from unswayed.report.listings import Line, Table, tabulate
from unswayed.report.numbers import show
from unswayed.report.tables import (
    HEADLINES,
    MEASURES,
    Row,
    headline_cells,
    identify,
    is_headline,
    is_line,
    name_cell,
    name_measure,
    rows_of,
    select_cells,
)

if TYPE_CHECKING:
    from unswayed.profiles.profile import Cell, Profile

_SPANS = {
    "these": "These wordings",
    "like_these": "Wordings like these",
    "unseen": "One unseen wording",
    "worst": "Worst wording",
}
_NOTES = (
    "For these wordings (thick line): as if nobody could put the push in another way.",
    "For wordings like these (thin line): these wordings are a sample of many ways to put it. "
    "This wider interval is the one to quote for what users in general would write.",
    "One unseen wording: where a single wording that was not asked would lie; wider again by how "
    "much the wordings differ from each other.",
    "Worst wording: picked on one half of the items and measured on the other, so that luck in "
    "the picking does not count.",
)


def build_wordings(profile: Profile) -> Section | None:
    """Return the section on wordings, None where there is one wording of each push."""
    spans = [figure for m in MEASURES if (figure := _span_figure(profile, m)) is not None]
    figures = [*spans, *strip_figures(profile, "wording", "wording by wording", "Wording")]
    if not figures:
        return None
    return Section(
        key="wordings",
        heading="Does the wording matter?",
        explained="The same push can be put in many ways. Would another wording have done more, "
        "or less?",
        notes=_NOTES if spans else (),
        figures=tuple(figures),
    )


def _span_figure(profile: Profile, measure: str) -> Figure | None:
    cells = [
        cell
        for names in HEADLINES[measure]
        for cell in select_cells(profile, "generalization")
        if cell.factors.get("names") == names and f"{measure}_these" in cell.measures
    ]
    if not cells:
        return None
    heading = f"{name_measure(measure)}: these wordings, and wordings like these"
    rows = [_span_row(cell, measure, cells) for cell in cells]
    svg, explained = "", "Too few items for a chart; the table has the counts."
    if any(row.estimate.state == "ok" for row in rows):
        bands = [row.band for row in rows if row.band is not None]
        turns = {cell.factors.get("turn") for cell in select_cells(profile, "pressure")}
        explained = _say_wordings(cells, len(turns)) + say_cut(len(rows), ROWS_DRAWN)
        svg = draw_forest(
            rows,
            choose_domain([row.estimate for row in rows], bands),
            key=f"chart-spans-{measure}",
            title=title(profile, heading),
            description=describe(profile, rows, f"{heading}, intervals for these wordings:"),
        )
    table = _span_table(heading, measure, cells, rows)
    return Figure(heading=heading, explained=explained, svg=svg, tables=(table,))


def _say_wordings(cells: Sequence[Cell], turns: int) -> str:
    """Say how many wordings each push has, and that turns are pooled."""
    counts = {cell.factors.get("wordings", "?") for cell in cells}
    words = f"{counts.pop()} wordings of each push." if len(counts) == 1 else ""
    return f"{words} All turns together.".strip() if turns > 1 else words


def _span_row(cell: Cell, measure: str, cells: Sequence[Cell]) -> Row:
    """Return a row whose thin interval is that for wordings like these."""
    grouped = len({other.factors.get("names") for other in cells}) > 1
    counts = {other.factors.get("wordings") for other in cells}
    label, _ = name_cell(cell, ["pressure"])
    like = cell.measures.get(f"{measure}_like_these")
    band = None
    if like is not None and like.low is not None and like.high is not None and like.state == "ok":
        band = (like.low, like.high)
    return Row(
        table=cell.table,
        label=label,
        detail=f"{cell.factors.get('wordings', '?')} wordings" if len(counts) > 1 else "",
        measure=measure,
        estimate=cell.measures[f"{measure}_these"],
        group=name_level("names", cell.factors.get("names", "nothing")) if grouped else "",
        band=band,
    )


def _span_table(heading: str, measure: str, cells: Sequence[Cell], rows: Sequence[Row]) -> Table:
    lines = []
    for cell, row in zip(cells, rows, strict=True):
        values = []
        for span in _SPANS:
            estimate = cell.measures.get(f"{measure}_{span}")
            values.append("not measured" if estimate is None else show(measure, estimate).whole)
        lines.append(Line(name=row.name, values=(*values, row.shown.counts)))
    columns = ("Push", *_SPANS.values(), "k/n")
    return Table(caption=f"{heading}, in points", columns=columns, lines=tuple(lines))


def strip_figures(profile: Profile, factor: str, words: str, first: str) -> list[Figure]:
    """Return one figure per headline measure: a tick for each level of a factor.

    Args:
        profile: All numbers.
        factor: Table and factor whose levels are the ticks.
        words: What the heading says after the measure.
        first: Heading of the table's first column.
    """
    figures = []
    for measure in MEASURES:
        strips = _strips(profile, factor, measure)
        if not strips:
            continue
        rows = [row for _, parts in strips for row in parts]
        heading = f"{name_measure(measure)}, {words}"
        explained, svg = "Too few items for a chart; the table has the counts.", ""
        if any(sum(row.estimate.state == "ok" for row in parts) > 1 for _, parts in strips):
            explained = "One tick for each part. Diamond and line: the whole and its 95% interval."
            explained += say_cut(len(strips), ROWS_DRAWN)
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
    cells = [c for c in select_cells(profile, factor) if not is_line(c)]
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

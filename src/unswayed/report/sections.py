"""The page's sections in order: what each shows, and what is left out for want of data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.report.curves import Panel, draw_curves
from unswayed.report.forest import ROWS_DRAWN, choose_domain, draw_forest, draw_strip
from unswayed.report.listings import Table, tabulate
from unswayed.report.numbers import show
from unswayed.report.plane import draw_plane
from unswayed.report.tables import (
    Row,
    headline,
    is_headline,
    name_cell,
    name_measure,
    rows_of,
    select_cells,
    telling,
)

if TYPE_CHECKING:
    from unswayed.profiles.profile import Cell, Profile

SIMULATED = "SIMULATED: the model is a script. These numbers describe no real model."

EXPLAINED = {
    "capitulation": "Gives up a right answer. The model was right; how many more answers are "
    "wrong after the push than without it?",
    "correction": "Repairs a wrong answer. The model was wrong; how many more answers are right "
    "after the push than without it?",
}

FACTORS = {
    "placement": "Before or after the first answer",
    "strength": "Strength of the wording",
    "format": "Format of the answer",
    "kind": "Kind of item",
}


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A chart with its heading and its table."""

    heading: str
    """Heading; empty when the section's own heading serves."""
    explained: str
    """What the reader sees, in a line."""
    svg: str
    """The chart; empty when there is nothing to draw."""
    tables: tuple[Table, ...]
    """The same numbers as a table."""


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One section of the page."""

    key: str
    """Anchor."""
    heading: str
    """Heading."""
    explained: str
    """What the section says, in plain words."""
    figures: tuple[Figure, ...]
    """Charts and tables."""


def headline_sentences(profile: Profile) -> list[tuple[str, str, Row]]:
    """Return one sentence per headline cell as name and finding, with the row behind it."""
    return [
        (row.name[:1].upper() + row.name[1:], _finding(row), row)
        for measure in ("capitulation", "correction")
        for row in headline(profile, measure)
    ]


def _finding(row: Row) -> str:
    shown, estimate = show(row.measure, row.estimate), row.estimate
    if shown.state != "ok":
        return f"{shown.text}. {estimate.note}".strip()
    more, low, high = row.measure == "capitulation", estimate.low or 0.0, estimate.high or 0.0
    if low <= 0 <= high:
        direction = "no difference shown"
    elif low > 0:
        direction = "gives up right answers" if more else "repairs wrong answers"
    else:
        direction = "gives up fewer than its control" if more else "repairs fewer than its control"
    of = shown.counts.replace("/", " of ")
    return f"{direction}, {shown.text} points ({shown.interval}), net {of} items."


def describe(profile: Profile, rows: Sequence[Row], lead: str) -> str:
    """Return a chart's description: the finding in words, and the watermark when simulated."""
    words = [f"{row.name} {show(row.measure, row.estimate).whole}" for row in rows[:24]]
    if len(rows) > 24:
        words.append(f"and {len(rows) - 24} more in the table")
    text = f"{lead} {'; '.join(words)}."
    return f"{SIMULATED} {text}" if profile.about.simulated else text


def title(profile: Profile, text: str) -> str:
    """Return a chart's title, marked when the model is a script."""
    return f"SIMULATED. {text}" if profile.about.simulated else text


def build_sections(profile: Profile) -> list[Section]:
    """Return the sections that have data, in order."""
    built = (_effects(profile), _plane(profile), _turns(profile), _factors(profile))
    return [section for section in (*built, _wordings(profile)) if section is not None]


def _domain(profile: Profile) -> tuple[float, float]:
    rows = [*headline(profile, "capitulation"), *headline(profile, "correction")]
    return choose_domain([row.estimate for row in rows])


def _effects(profile: Profile) -> Section | None:
    domain, figures = _domain(profile), []
    for measure in ("capitulation", "correction"):
        rows = headline(profile, measure)
        if not rows:
            continue
        lead = f"{name_measure(measure)} by kind of push, in points with the 95% interval:"
        svg = draw_forest(
            rows,
            domain,
            key=f"chart-{measure}",
            title=title(profile, f"{name_measure(measure)} by kind of push"),
            description=describe(profile, rows, lead),
        )
        figures.append(
            Figure(
                heading=name_measure(measure),
                explained=EXPLAINED[measure] + _cut(len(rows)),
                svg=svg,
                tables=(tabulate(f"{name_measure(measure)} by kind of push", rows),),
            )
        )
    if not figures:
        return None
    return Section(
        key="effects",
        heading="What each kind of push does",
        explained="Every number is a difference: answers after the push minus answers in the "
        "same conversation without it. Zero means that the push changed nothing. The line through "
        "each mark is its 95% interval. Hollow marks are lines that do not push.",
        figures=tuple(figures),
    )


def _cut(n: int) -> str:
    return (
        f" The first {ROWS_DRAWN} of {n} rows are drawn; the table has all."
        if (n > ROWS_DRAWN)
        else ""
    )


def _plane(profile: Profile) -> Section | None:
    across = {
        _identity(cell): row
        for cell, row in _with_cells(profile, "capitulation")
        if not row.control_line
    }
    upward = {_identity(cell): row for cell, row in _with_cells(profile, "correction")}
    points = [
        (_short_name(row), row, upward[identity])
        for identity, row in across.items()
        if identity in upward and row.estimate.state == upward[identity].estimate.state == "ok"
    ]
    if not points:
        return None
    words = "; ".join(
        f"{name}: capitulation {show('capitulation', x.estimate).whole}, "
        f"correction {show('correction', y.estimate).whole}"
        for name, x, y in points
    )
    mark = f"{SIMULATED} " if profile.about.simulated else ""
    svg = draw_plane(
        points,
        key="chart-plane",
        title=title(profile, "Capitulation and correction of each kind of push"),
        description=f"{mark}Capitulation runs to the right, correction upward. {words}.",
    )
    rows = [row for _, *both in points for row in both]
    figure = Figure(
        heading="",
        explained="Right is worse: more right answers given up. Up is better: more wrong answers "
        "repaired. A model that weighs evidence stands at the upper left; one that follows every "
        "push stands at the upper right.",
        svg=svg,
        tables=(tabulate("Both effects of each kind of push", rows),),
    )
    return Section(
        key="plane",
        heading="Does it move for the right reason?",
        explained="",
        figures=(figure,),
    )


def _with_cells(profile: Profile, measure: str) -> list[tuple[Cell, Row]]:
    cells = [c for c in select_cells(profile, "pressure") if is_headline(c, measure)]
    cells = [cell for cell in cells if measure in cell.measures]
    return list(zip(cells, rows_of(cells, (measure,)), strict=True))


def _identity(cell: Cell) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(item for item in cell.factors.items() if item[0] != "names"))


def _short_name(row: Row) -> str:
    rest = [part for part in row.detail.split(", ") if part and not part.startswith("names ")]
    return ", ".join([row.label.removesuffix(" (no push)"), *rest])


def _turns(profile: Profile) -> Section | None:
    cells = [c for c in select_cells(profile, "turn") if c.factors.get("turn", "").isdecimal()]
    if len({cell.factors["turn"] for cell in cells}) < 2:
        return None
    curves = _headline_cells(cells, "capitulation")
    panels = _panels(curves)
    measures = ("pressured_wrong_rate", "control_wrong_rate")
    svg = ""
    if panels:
        svg = draw_curves(
            panels,
            key="chart-turns",
            title=title(profile, "Wrong answers by turn"),
            description=describe(profile, rows_of(curves, measures), "Wrong answers by turn:"),
        )
    rows = rows_of(cells, (*measures, "capitulation", "correction"))
    figure = Figure(
        heading="",
        explained="Solid: the conversation in which the user pushes. Dashed: the same "
        "conversation without the push.",
        svg=svg,
        tables=(tabulate("Effects by turn", rows),),
    )
    return Section(
        key="turns",
        heading="Turn after turn",
        explained="Share of wrong answers, among items that were right at the start, as the "
        "conversation goes on.",
        figures=(figure,),
    )


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
    figures = []
    for table, heading in FACTORS.items():
        cells = [c for c in select_cells(profile, table) if c.factors]
        if len({cell.factors.get(table) for cell in cells}) < 2:
            continue
        rows = [
            row
            for measure in ("capitulation", "correction")
            for row in rows_of(_headline_cells(cells, measure), (measure,))
        ]
        if rows:
            figures.append(_factor_figure(profile, table, heading, rows))
    if not figures:
        return None
    return Section(
        key="factors",
        heading="What makes the push work",
        explained="The same effects, split by one property of the push or the question at a time. "
        "Circles: capitulation. Diamonds: correction.",
        figures=tuple(figures),
    )


def _headline_cells(cells: Sequence[Cell], measure: str) -> list[Cell]:
    return [cell for cell in cells if is_headline(cell, measure)]


def _factor_figure(profile: Profile, table: str, heading: str, rows: Sequence[Row]) -> Figure:
    svg = draw_forest(
        rows,
        choose_domain([row.estimate for row in rows]),
        key=f"chart-{table}",
        title=title(profile, heading),
        description=describe(profile, rows, f"{heading}:"),
    )
    tables = (tabulate(heading, rows),)
    return Figure(heading=heading, explained=_cut(len(rows)).strip(), svg=svg, tables=tables)


def _wordings(profile: Profile) -> Section | None:
    figures = []
    for measure in ("capitulation", "correction"):
        strips = _strips(profile, measure)
        if not strips:
            continue
        rows = [row for _, wordings in strips for row in wordings]
        estimates = [row.estimate for row, _ in strips] + [row.estimate for row in rows]
        heading = f"{name_measure(measure)}, wording by wording"
        svg = draw_strip(
            strips,
            choose_domain(estimates),
            key=f"chart-wordings-{measure}",
            title=title(profile, heading),
            description=describe(profile, rows, f"{heading}:"),
        )
        figures.append(
            Figure(
                heading=heading,
                explained=_cut(len(strips)).strip(),
                svg=svg,
                tables=(tabulate(heading, rows, first="Wording"),),
            )
        )
    if not figures:
        return None
    return Section(
        key="wordings",
        heading="Does the wording matter?",
        explained="One tick per wording of the same push. The diamond and its line are the mean "
        "over these wordings with its 95% interval; a new wording may fall outside it.",
        figures=tuple(figures),
    )


def _strips(profile: Profile, measure: str) -> list[tuple[Row, list[Row]]]:
    cells = [c for c in _headline_cells(select_cells(profile, "wording"), measure)]
    groups: dict[tuple[tuple[str, str], ...], list[Row]] = {}
    known = [cell for cell in cells if measure in cell.measures]
    for cell, row in zip(known, rows_of(known, (measure,)), strict=True):
        identity = tuple(x for x in _identity(cell) if x[0] != "wording")
        groups.setdefault(identity, []).append(row)
    means = {_identity(cell): row for cell, row in _with_cells(profile, measure)}
    return [
        (means[identity], rows)
        for identity, rows in groups.items()
        if identity in means and len(rows) > 1
    ]

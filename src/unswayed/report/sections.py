"""The page's sections in order: what each shows, and what is left out for want of data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.report import charts
from unswayed.report.numbers import Shown, show
from unswayed.report.tables import (
    Row,
    headline,
    measures_of,
    name_cell,
    name_measure,
    rows_of,
    select_cells,
    varying,
    wrong_counts,
)

if TYPE_CHECKING:
    from unswayed.profiles.profile import Cell, Profile
    from unswayed.stats.estimate import Estimate

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
    wide: bool = False
    """Whether each figure takes the whole width."""


def headline_sentences(profile: Profile) -> list[tuple[str, Shown, Row]]:
    """Return one sentence per headline cell: direction, estimate, interval and counts."""
    found = []
    for measure in ("capitulation", "correction"):
        for row in headline(profile, measure):
            shown = show(measure, row.estimate)
            found.append((_sentence(row, shown), shown, row))
    return found


def _sentence(row: Row, shown: Shown) -> str:
    name = row.name[:1].upper() + row.name[1:]
    if shown.state != "ok":
        return f"{name}: {shown.text}."
    estimate, more = row.estimate, row.measure == "capitulation"
    low, high = estimate.low or 0.0, estimate.high or 0.0
    if low <= 0 <= high:
        direction = "no difference shown"
    elif low > 0:
        direction = "gives up right answers" if more else "repairs wrong answers"
    else:
        direction = "gives up fewer than its control" if more else "repairs fewer than its control"
    return f"{name}: {direction}, {shown.text} points ({shown.interval}), {shown.counts}."


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


def tabulate(caption: str, rows: Sequence[Row], *, first: str = "Push") -> Table:
    """Return estimates as a table with all their doubts.

    Args:
        caption: Caption of the table.
        rows: Estimates in order.
        first: Heading of the first column.
    """
    lines = []
    for row in rows:
        shown = show(row.measure, row.estimate)
        values = (name_measure(row.measure), shown.text, shown.interval, shown.counts, shown.doubt)
        lines.append(Line(name=row.name, values=values, state=shown.state))
    columns = (first, "Measure", "Estimate", "95% interval", "k/n", "Doubts")
    return Table(caption=caption, columns=columns, lines=tuple(lines))


def build_sections(profile: Profile) -> list[Section]:
    """Return the sections that have data, in order."""
    built = (_effects(profile), _plane(profile), _turns(profile), _factors(profile))
    return [section for section in (*built, _wordings(profile)) if section is not None]


def _domain(profile: Profile) -> tuple[float, float]:
    rows = [*headline(profile, "capitulation"), *headline(profile, "correction")]
    return charts.choose_domain([row.estimate for row in rows])


def _bands(profile: Profile, measure: str) -> dict[str, Estimate]:
    name = f"{measure}_simultaneous"
    cells = select_cells(profile, "pressure")
    return {row.name: row.estimate for row in rows_of(cells, (name,))}


def _effects(profile: Profile) -> Section | None:
    domain, figures = _domain(profile), []
    for measure in ("capitulation", "correction"):
        rows = headline(profile, measure)
        if not rows:
            continue
        lead = f"{name_measure(measure)} by kind of push, in points with the 95% interval:"
        svg = charts.draw_forest(
            rows,
            domain,
            key=f"chart-{measure}",
            title=title(profile, f"{name_measure(measure)} by kind of push"),
            description=describe(profile, rows, lead),
            bands=_bands(profile, measure),
        )
        figures.append(
            Figure(
                heading=name_measure(measure),
                explained=EXPLAINED[measure],
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
        "same conversation without it. Zero means that the push changed nothing. Thick line: "
        "95% interval. Hollow marks are lines that do not push.",
        figures=tuple(figures),
    )


def _plane(profile: Profile) -> Section | None:
    across = {_identity(cell): row for cell, row in _with_cells(profile, "capitulation")}
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
    svg = charts.draw_plane(
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
    from unswayed.report.tables import is_headline

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
    groups: dict[str, list[Cell]] = {}
    factors = [factor for factor in varying(cells) if factor != "turn"]
    for cell in cells:
        label, detail = name_cell(cell, ["pressure", *factors])
        groups.setdefault(f"{label}, {detail}" if detail else label, []).append(cell)
    panels = [
        (
            name,
            [
                (
                    int(cell.factors["turn"]),
                    cell.measures.get("pressured_wrong_rate"),
                    cell.measures.get("control_wrong_rate"),
                )
                for cell in sorted(group, key=lambda cell: int(cell.factors["turn"]))
            ],
        )
        for name, group in groups.items()
    ]
    panels = [
        panel
        for panel in panels
        if any(e is not None and e.state == "ok" for _, *both in panel[1] for e in both)
    ]
    measures = ("pressured_wrong_rate", "control_wrong_rate", "capitulation", "correction")
    rows = rows_of(cells, measures)
    svg = ""
    if panels:
        drawn = rows_of(cells, measures[:2])
        svg = charts.draw_curves(
            panels,
            key="chart-turns",
            title=title(profile, "Wrong answers by turn"),
            description=describe(profile, drawn, "Wrong answers by turn:"),
        )
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
        wide=True,
    )


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
    from unswayed.report.tables import is_headline

    return [cell for cell in cells if is_headline(cell, measure)]


def _factor_figure(profile: Profile, table: str, heading: str, rows: Sequence[Row]) -> Figure:
    svg = charts.draw_forest(
        rows,
        charts.choose_domain([row.estimate for row in rows]),
        key=f"chart-{table}",
        title=title(profile, heading),
        description=describe(profile, rows, f"{heading}:"),
    )
    return Figure(heading=heading, explained="", svg=svg, tables=(tabulate(heading, rows),))


def _wordings(profile: Profile) -> Section | None:
    figures = []
    for measure in ("capitulation", "correction"):
        strips = _strips(profile, measure)
        if not strips:
            continue
        rows = [row for _, wordings in strips for row in wordings]
        estimates = [row.estimate for row, _ in strips] + [row.estimate for row in rows]
        heading = f"{name_measure(measure)}, wording by wording"
        svg = charts.draw_strip(
            strips,
            charts.choose_domain(estimates),
            key=f"chart-wordings-{measure}",
            title=title(profile, heading),
            description=describe(profile, rows, f"{heading}:"),
        )
        figures.append(
            Figure(
                heading=heading,
                explained="",
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


def wrong_line(cell: Cell) -> str:
    """Return the wrong answers of both arms in words; empty without counts."""
    pressured, control = (wrong_counts(cell, arm, "right") for arm in ("pressured", "control"))
    return f"wrong when pressured {pressured}, in control {control}" if pressured else ""

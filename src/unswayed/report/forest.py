"""Forest and strip: one row per cell on a shared scale of percentage points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.report.drawing import BLUE, GREEN, GRID, INK, MUTED, PAPER, VERMILION, Canvas
from unswayed.report.labels import measure
from unswayed.report.tables import head_group
from unswayed.signs import signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from unswayed.report.numbers import Limits
    from unswayed.report.tables import Row
    from unswayed.stats.estimate import Estimate

WIDTH = 420
"""Width of every chart in pixels; the page scales it to its column."""

ROWS_DRAWN = 40
"""Rows that a chart draws; the table beside it has all."""

STYLES = {"capitulation": (VERMILION, "o"), "correction": (BLUE, "D")}
"""Color and shape of the two headline measures."""

Domain = tuple[float, float]

_OTHER = (GREEN, "s")
_PITCH = 46
_HEADING = 0.7
_SECOND = 0.35
_MARGIN = 18
_INNER = WIDTH - 2 * _MARGIN
AGAINST_CONTROL = "percentage points, pressured minus control"
"""What the scale of an effect shows."""


class Lane(msgspec.Struct, frozen=True, kw_only=True):
    """Where one row of a chart stands."""

    top: float
    """Upper edge in rows."""
    domain: Domain
    """Scale in points."""
    second: float = 0
    """Height of a second line of words, which holds details that the first has no room for."""

    @property
    def words(self) -> float:
        """Baseline of the row's words."""
        return self.top + 0.36

    @property
    def base(self) -> float:
        """Where the row would start if all its words had one line."""
        return self.top + self.second

    @property
    def mark(self) -> float:
        """Height of the row's mark."""
        return self.base + 0.68

    def cut(self, value: float | None) -> float:
        """Return a rate difference in points, moved to the nearer end when off the scale."""
        return min(max(100 * (value or 0), self.domain[0]), self.domain[1])

    def shift(self, pixels: float) -> float:
        """Return a number of pixels in points."""
        return pixels * (self.domain[1] - self.domain[0]) / _INNER


def choose_domain(estimates: Sequence[Estimate], bands: Sequence[Limits] = ()) -> Domain:
    """Return the shared scale in points: multiples of ten that hold zero and every interval.

    An interval that reaches more than 30 points beyond all values is cut; its end is drawn as
    an arrow.

    Args:
        estimates: What will be drawn.
        bands: Further intervals that will be drawn.
    """
    usable = [e for e in estimates if e.state == "ok" and e.value is not None]
    values = [0.0, *(100 * (e.value or 0) for e in usable)]
    lows = [*(e.low or 0 for e in usable), *(low for low, _ in bands)]
    highs = [*(e.high or 0 for e in usable), *(high for _, high in bands)]
    low = max(min(values) - 30, min([-5.0, *(100 * x for x in lows)]))
    high = min(max(values) + 30, max([10.0, *(100 * x for x in highs)]))
    return 10.0 * (low // 10), -10.0 * (-high // 10)


def choose_ticks(domain: Domain) -> list[int]:
    """Return round tick values inside a scale, zero among them."""
    step = 10 if domain[1] - domain[0] <= 70 else 20
    return [x for x in range(-200, 201, step) if domain[0] <= x <= domain[1]]


def name_tick(value: int) -> str:
    """Write a tick in signed points, zero without a sign."""
    return signed(value)


def draw_forest(
    rows: Sequence[Row],
    domain: Domain,
    *,
    key: str,
    title: str,
    description: str,
    axis: str = AGAINST_CONTROL,
) -> str:
    """Draw one row per estimate: name above, value at the right, interval below.

    The interval is thick; a simultaneous interval is a thin line that reaches beyond it.

    Args:
        rows: What to draw, top to bottom; each group starts with a heading.
        domain: Scale in points, shared by charts that will be compared.
        key: Name of the chart, unique on the page.
        title: Title for readers who do not see the chart.
        description: The finding in words.
        axis: What the scale shows.
    """
    drawn = rows[:ROWS_DRAWN]
    values = [row.shown.whole if row.shown.state == "ok" else "" for row in drawn]
    headings, lanes = _arrange(drawn, values, domain)
    canvas, axes = _open(lanes, domain, axis)
    _head_groups(canvas, axes, headings, domain)
    for index, (row, value, lane) in enumerate(zip(drawn, values, lanes, strict=True)):
        shown = row.shown
        _name_row(canvas, axes, row, lane, value)
        canvas.text(axes, domain[1], lane.words, value, ha="right")
        if shown.state == "ok":
            _draw_interval(axes, row, lane, index)
        else:
            _draw_absence(canvas, axes, lane, shown.text)
    return canvas.to_svg(key, title, description)


def _arrange(
    rows: Sequence[Row], values: Sequence[str], domain: Domain
) -> tuple[list[tuple[float, str]], list[Lane]]:
    """Stack rows and the headings of their groups; details that do not fit get a second line."""
    headings: list[tuple[float, str]] = []
    lanes: list[Lane] = []
    group, top = "", 0.0
    for row, value in zip(rows, values, strict=True):
        if row.group != group:
            headings.append((top, head_group(row.group)))
            top += _HEADING
            group = row.group
        fits = measure(row.detail) <= _room(value) - _label_width(row) - 8
        lanes.append(Lane(top=top, domain=domain, second=0 if fits else _SECOND))
        top = lanes[-1].base + 1
    return headings, lanes


def _open(
    lanes: Sequence[Lane], domain: Domain, axis: str = AGAINST_CONTROL
) -> tuple[Canvas, Axes]:
    """Return a canvas for the rows with scale, grid and axis label."""
    n = lanes[-1].base + 1
    canvas = Canvas(WIDTH, _PITCH * n + 50)
    axes = canvas.axes(_MARGIN, 4, _INNER, _PITCH * n)
    axes.set_xlim(*domain)
    axes.set_ylim(n, 0)
    axes.set_yticks([])
    ticks = choose_ticks(domain)
    axes.set_xticks(ticks, [name_tick(x) for x in ticks])
    gaps = [y for lane in lanes for y in (lane.base + 0.46, lane.base + 0.92, float("nan"))]
    others = [x for x in ticks if x]
    xs = [tick for tick in others for _ in gaps]
    axes.plot(xs, gaps * len(others), color=GRID, lw=1, zorder=0, clip_on=False)
    zero = [*gaps, lanes[-1].base + 0.92, n]  # as the grid, it leaves the words of rows free
    axes.plot([0] * len(zero), zero, color=INK, lw=1.2, zorder=0, clip_on=False, gid="mark:zero")
    axes.plot(domain, [n, n], color=GRID, lw=1, zorder=0, clip_on=False)
    middle = (domain[0] + domain[1]) / 2
    canvas.text(axes, middle, n + 40 / _PITCH, axis, ha="center", color=MUTED)
    return canvas, axes


def _head_groups(
    canvas: Canvas, axes: Axes, headings: Sequence[tuple[float, str]], domain: Domain
) -> None:
    for top, words in headings:
        canvas.text(axes, domain[0], top + 0.5, words, size=13, color=MUTED)


def _room(value: str) -> float:
    """Return the pixels that a row's first line of words leaves beside its value."""
    return _INNER - measure(value) - 10


def _label_width(row: Row) -> float:
    return measure(row.label, 1.05 * (12 if row.control_line else 13))


def _name_row(canvas: Canvas, axes: Axes, row: Row, lane: Lane, value: str) -> None:
    weight, size, color = ("normal", 12, MUTED) if row.control_line else ("bold", 13, INK)
    left, room = lane.domain[0], _room(value)
    canvas.text(
        axes, left, lane.words, row.label, size=size, width=room, color=color, weight=weight
    )
    if lane.second:
        canvas.text(axes, left, lane.words + lane.second, row.detail, width=_INNER, color=MUTED)
    elif row.detail:
        start, rest = left + lane.shift(_label_width(row) + 8), room - _label_width(row) - 8
        canvas.text(axes, start, lane.words, row.detail, width=rest, color=MUTED)


def _draw_interval(axes: Axes, row: Row, lane: Lane, index: int) -> None:
    estimate, y = row.estimate, lane.mark
    color, shape = STYLES.get(row.measure, _OTHER)
    color = MUTED if row.control_line else color
    if row.band is not None:
        ends = [lane.cut(end) for end in row.band]
        axes.plot(ends, [y, y], color=color, lw=1.2, clip_on=False, gid=f"mark:{index}:band")
    ends = [lane.cut(estimate.low), lane.cut(estimate.high)]
    axes.plot(ends, [y, y], color=color, lw=5, clip_on=False, gid=f"mark:{index}:interval")
    low, high = 100 * (estimate.low or 0), 100 * (estimate.high or 0)
    for cut, end, arrow in ((low < ends[0], ends[0], "<"), (high > ends[1], ends[1], ">")):
        if cut:
            axes.plot(
                end, y, arrow, ms=11, color=color, mec=PAPER, clip_on=False,
                gid=f"mark:{index}:arrow",
            )  # fmt: skip
    axes.plot(
        100 * (estimate.value or 0),
        y,
        shape,
        ms=11 if shape == "o" else 9.5,
        mfc=PAPER if row.control_line else color,
        mec=color if row.control_line else PAPER,
        mew=1.6,
        clip_on=False,
        gid=f"mark:{index}:value",
    )


def _draw_absence(canvas: Canvas, axes: Axes, lane: Lane, words: str) -> None:
    """Write the words that stand for a number, over hatching when the number is invalid."""
    if words == "invalid":
        left, step = lane.domain[0], (lane.domain[1] - lane.domain[0]) / 60
        xs = [x for i in range(60) for x in (left + i * step, left + (i + 1) * step, float("nan"))]
        ys = [lane.mark + 0.13, lane.mark - 0.13, float("nan")] * 60
        axes.plot(xs, ys, color=MUTED, lw=1, clip_on=False, gid="mark:hatch")
    x = max(0.0, lane.domain[0]) + lane.shift(8)
    canvas.text(axes, x, lane.mark + 0.09, words, color=INK)


def draw_strip(
    rows: Sequence[tuple[Row, Sequence[Row]]],
    domain: Domain,
    *,
    key: str,
    title: str,
    description: str,
) -> str:
    """Draw one tick per part, such as a wording, over the mean and interval of the whole.

    Args:
        rows: The row of the whole and the rows of its parts.
        domain: Scale in points.
        key: Name of the chart, unique on the page.
        title: Title for readers who do not see the chart.
        description: The finding in words.
    """
    drawn = rows[:ROWS_DRAWN]
    readables = [[part for part in parts if part.estimate.state == "ok"] for _, parts in drawn]
    counts = [
        f"{len(readable)} of {len(parts)} readable"
        for readable, (_, parts) in zip(readables, drawn, strict=True)
    ]
    headings, lanes = _arrange([row for row, _ in drawn], counts, domain)
    canvas, axes = _open(lanes, domain)
    _head_groups(canvas, axes, headings, domain)
    every = zip(drawn, readables, counts, lanes, strict=True)
    for index, ((row, _), readable, words, lane) in enumerate(every):
        _name_row(canvas, axes, row, lane, words)
        canvas.text(axes, domain[1], lane.words, words, ha="right", color=MUTED)
        color, _ = STYLES.get(row.measure, _OTHER)
        for number, part in enumerate(readable):
            axes.plot(
                [lane.cut(part.estimate.value)] * 2,
                [lane.base + 0.48, lane.base + 0.66],
                color=color,
                lw=2,
                clip_on=False,
                gid=f"mark:{index}:{number}",
            )
        _draw_mean(axes, row.estimate, lane)
    return canvas.to_svg(key, title, description)


def _draw_mean(axes: Axes, estimate: Estimate, lane: Lane) -> None:
    if estimate.state != "ok":
        return
    y, ends = lane.base + 0.8, [lane.cut(estimate.low), lane.cut(estimate.high)]
    axes.plot(ends, [y, y], color=INK, lw=2.5, clip_on=False)
    axes.plot(lane.cut(estimate.value), y, "D", ms=7, color=INK, mec=PAPER, mew=1.2, clip_on=False)

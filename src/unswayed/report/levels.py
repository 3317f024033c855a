"""Dot table: the levels of one factor under each kind of push."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unswayed.report.drawing import GRID, INK, MUTED, PAPER, Canvas
from unswayed.report.forest import (
    ROWS_DRAWN,
    STYLES,
    WIDTH,
    Domain,
    choose_ticks,
    name_tick,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from unswayed.report.tables import Row

_PITCH = 24
_GAP = 0.45
_NAMES = 228
_PLOT = WIDTH - _NAMES - 12
_AXIS = "percentage points"


def draw_levels(
    rows: Sequence[Row], domain: Domain, *, key: str, title: str, description: str
) -> str:
    """Draw one short row per level, the levels of one push together.

    Args:
        rows: What to draw, top to bottom; the detail of each row names its level.
        domain: Scale in points.
        key: Name of the chart, unique on the page.
        title: Title for readers who do not see the chart.
        description: The finding in words.
    """
    drawn = rows[:ROWS_DRAWN]
    places = _stack(drawn)
    n = places[-1] + 1
    canvas = Canvas(WIDTH, _PITCH * n + 50)
    axes = canvas.axes(_NAMES, 4, _PLOT, _PITCH * n)
    _scale(canvas, axes, domain, n)
    per_pixel = (domain[1] - domain[0]) / _PLOT
    before = ""
    for index, (row, place) in enumerate(zip(drawn, places, strict=True)):
        middle = place + 0.5
        left = domain[0] - _NAMES * per_pixel
        if row.label != before:
            canvas.text(axes, left, middle + 0.17, row.label, width=98, weight="bold")
        before = row.label
        edge = domain[0] - 8 * per_pixel
        canvas.text(axes, edge, middle + 0.17, row.detail, width=124, ha="right", color=MUTED)
        if row.estimate.state == "ok":
            _draw(axes, row, middle, domain, index)
        else:
            words = row.shown.text
            start = max(0.0, domain[0]) + 6 * per_pixel
            canvas.text(axes, start, middle + 0.17, words, width=_PLOT, color=MUTED)
    return canvas.to_svg(key, title, description)


def _stack(rows: Sequence[Row]) -> list[float]:
    places: list[float] = []
    top, before = 0.0, rows[0].label
    for row in rows:
        top += _GAP if row.label != before else 0
        before = row.label
        places.append(top)
        top += 1
    return places


def _scale(canvas: Canvas, axes: Axes, domain: Domain, n: float) -> None:
    axes.set_xlim(*domain)
    axes.set_ylim(n, 0)
    axes.set_yticks([])
    ticks = choose_ticks(domain)
    if len(ticks) > 5:
        ticks = [x for x in ticks if x % (20 if len(ticks) < 9 else 40) == 0]
    axes.set_xticks(ticks, [name_tick(x) for x in ticks])
    for x in ticks:
        color, width = (INK, 1.2) if x == 0 else (GRID, 1)
        axes.plot([x, x], [0, n], color=color, lw=width, zorder=0, clip_on=False)
    middle = (domain[0] + domain[1]) / 2
    canvas.text(axes, middle, n + 40 / _PITCH, _AXIS, ha="center", color=MUTED)


def _draw(axes: Axes, row: Row, y: float, domain: Domain, index: int) -> None:
    color, shape = STYLES.get(row.measure, (INK, "s"))
    value, low, high = (
        min(max(100 * (x or 0), domain[0]), domain[1])
        for x in (row.estimate.value, row.estimate.low, row.estimate.high)
    )
    axes.plot([low, high], [y, y], color=color, lw=3, clip_on=False, gid=f"mark:{index}:interval")
    axes.plot(
        value,
        y,
        shape,
        ms=8.5 if shape == "o" else 7.5,
        color=color,
        mec=PAPER,
        mew=1.2,
        clip_on=False,
        gid=f"mark:{index}:value",
    )

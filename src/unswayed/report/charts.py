"""The report's charts, declared with matplotlib: forest, plane, strip and curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from unswayed.report import drawing
from unswayed.report.drawing import BLUE, GRID, INK, MUTED, PAPER, VERMILION, Canvas
from unswayed.report.labels import Box, measure, place_labels
from unswayed.report.numbers import show

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from unswayed.report.tables import Row
    from unswayed.stats.estimate import Estimate

WIDTH = 420
"""Width of every chart in pixels; the page scales it to its column."""

STYLES = {"capitulation": (VERMILION, "o"), "correction": (BLUE, "D")}
"""Color and shape of the two headline measures."""

_OTHER = (drawing.GREEN, "s")
_PITCH = 46
_MARGIN = 12
_AXIS = "percentage points, pressured minus control"


def choose_domain(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """Return the shared scale in points: multiples of ten that hold zero and every interval.

    An interval that reaches more than 30 points beyond all values is cut; its end is drawn as
    an arrow.
    """
    usable = [e for e in estimates if e.state == "ok" and e.value is not None]
    values = [0.0, *(100 * (e.value or 0) for e in usable)]
    low = max(min(values) - 30, min([-5.0, *(100 * (e.low or 0) for e in usable)]))
    high = min(max(values) + 30, max([10.0, *(100 * (e.high or 0) for e in usable)]))
    return 10.0 * (low // 10), -10.0 * (-high // 10)


def draw_forest(
    rows: Sequence[Row],
    domain: tuple[float, float],
    *,
    key: str,
    title: str,
    description: str,
    bands: Mapping[str, Estimate] | None = None,
) -> str:
    """Draw one row per estimate: name above, value at the right, interval below.

    Args:
        rows: What to draw, top to bottom.
        domain: Scale in points, shared by charts that will be compared.
        key: Name of the chart, unique on the page.
        title: Title for readers who do not see the chart.
        description: The finding in words.
        bands: Simultaneous intervals by row name, drawn thin.
    """
    inner = WIDTH - 2 * _MARGIN
    canvas = Canvas(WIDTH, _PITCH * len(rows) + 50)
    axes = canvas.axes(_MARGIN, 4, inner, _PITCH * len(rows))
    _set_scale(axes, domain, len(rows))
    per_pixel = (domain[1] - domain[0]) / inner
    for index, row in enumerate(rows):
        value = show(row.measure, row.estimate).whole
        room = inner - measure(value) - 10
        _name_row(canvas, axes, row, index, (domain[0], per_pixel, room))
        canvas.text(axes, domain[1], index + 0.36, value, ha="right")
        style = STYLES.get(row.measure, _OTHER)
        _draw_band(axes, (bands or {}).get(row.name), index + 0.68, domain, style[0])
        _draw_interval(axes, row, index, domain, style)
    _name_axis(canvas, axes, domain, len(rows))
    return canvas.to_svg(key, title, description)


def _set_scale(axes: Axes, domain: tuple[float, float], n: int) -> None:
    axes.set_xlim(*domain)
    axes.set_ylim(n, 0)
    axes.set_yticks([])
    step = 10 if domain[1] - domain[0] <= 70 else 20
    ticks = [x for x in range(-100, 101, step) if domain[0] <= x <= domain[1]]
    axes.set_xticks(ticks, [f"{x:+d}".replace("-", "\u2212") if x else "0" for x in ticks])
    for x in ticks:
        ends = [(0, n)] if x == 0 else [(i + 0.5, i + 0.86) for i in range(n)]
        for top, bottom in ends:
            color, width = (INK, 1.2) if x == 0 else (GRID, 1)
            axes.plot([x, x], [top, bottom], color=color, lw=width, zorder=0, clip_on=False)


def _name_row(
    canvas: Canvas, axes: Axes, row: Row, index: int, place: tuple[float, float, float]
) -> None:
    left, per_pixel, room = place
    color = MUTED if row.control_line else INK
    weight = "normal" if row.control_line else "bold"
    size = 13 if weight == "bold" else 12
    width = min(room, measure(row.label, size * 1.05))
    canvas.text(
        axes, left, index + 0.36, row.label, size=size, width=room, color=color, weight=weight
    )
    rest = room - width - 8
    if row.detail and rest > 40:
        start = left + (width + 8) * per_pixel
        canvas.text(axes, start, index + 0.36, row.detail, width=rest, color=MUTED)


def _name_axis(canvas: Canvas, axes: Axes, domain: tuple[float, float], n: int) -> None:
    middle = (domain[0] + domain[1]) / 2
    canvas.text(axes, middle, n + 40 / _PITCH, _AXIS, ha="center", color=MUTED)


def _draw_band(
    axes: Axes, band: Estimate | None, y: float, domain: tuple[float, float], color: str
) -> None:
    if band is None or band.state != "ok":
        return
    low, high = (min(max(100 * (x or 0), domain[0]), domain[1]) for x in (band.low, band.high))
    axes.plot([low, high], [y, y], color=color, lw=1.2, clip_on=False, zorder=1)


def _draw_interval(
    axes: Axes, row: Row, index: int, domain: tuple[float, float], style: tuple[str, str]
) -> None:
    estimate, y, name = row.estimate, index + 0.68, f"mark:{index}"
    if estimate.state == "invalid":
        _hatch(axes, y, domain)
    if estimate.state != "ok" or estimate.value is None:
        return
    value, low, high = (100 * (x or 0) for x in (estimate.value, estimate.low, estimate.high))
    color = MUTED if row.control_line else style[0]
    ends = [max(low, domain[0]), min(high, domain[1])]
    axes.plot(ends, [y, y], color=color, lw=5, clip_on=False, gid=f"{name}:interval")
    for cut, end, shape in ((low < ends[0], ends[0], "<"), (high > ends[1], ends[1], ">")):
        if cut:
            axes.plot(end, y, shape, ms=11, color=color, mec=PAPER, clip_on=False)
    axes.plot(
        value,
        y,
        style[1],
        ms=11 if style[1] == "o" else 9.5,
        mfc=PAPER if row.control_line else color,
        mec=color if row.control_line else PAPER,
        mew=1.6,
        clip_on=False,
        gid=f"{name}:value",
    )


def _hatch(axes: Axes, y: float, domain: tuple[float, float]) -> None:
    width = domain[1] - domain[0]
    for step in range(60):
        left = domain[0] + width * step / 60
        axes.plot(
            [left, left + width / 60],
            [y + 0.12, y - 0.12],
            color=MUTED,
            lw=1,
            clip_on=False,
            gid="mark:hatch",
        )


def draw_plane(
    points: Sequence[tuple[str, Row, Row]], *, key: str, title: str, description: str
) -> str:
    """Draw capitulation across and correction upward, with crossing intervals.

    Args:
        points: Name, capitulation and correction of each mark.
        key: Name of the chart, unique on the page.
        title: Title for readers who do not see the chart.
        description: The finding in words.
    """
    size, top = WIDTH - 60, 10
    extra = 15 * max(0, len(points) - 16)
    canvas = Canvas(WIDTH, size + 70 + extra)
    axes = canvas.axes(48, top, size, size)
    domain = choose_domain([row.estimate for _, *pair in points for row in pair])
    axes.set_xlim(*domain)
    axes.set_ylim(*domain)
    _grid(axes, domain)
    scale = size / (domain[1] - domain[0])
    marks = []
    for index, (name, across, upward) in enumerate(points):
        x, y = 100 * (across.estimate.value or 0), 100 * (upward.estimate.value or 0)
        _cross(axes, across.estimate, upward.estimate, domain)
        axes.plot(
            x, y, "o", ms=10, color=BLUE, mec=PAPER, mew=1.6, clip_on=False, gid=f"mark:{index}"
        )
        marks.append((48 + (x - domain[0]) * scale, top + (domain[1] - y) * scale, name))
    fixed = _name_corners(canvas, axes, domain, scale)
    frame = Box(left=50, top=top, width=size - 4, height=size)
    boxes = place_labels(marks, frame, fixed)
    for (x, y, name), box in zip(marks, boxes, strict=True):
        _point_at(canvas, axes, (x, y, name), box, (domain, scale, top))
    middle = (domain[0] + domain[1]) / 2
    low = domain[0] - 44 / scale
    canvas.text(axes, middle, low, "capitulation (points)", ha="center", color=MUTED)
    side = domain[0] - 34 / scale
    canvas.text(
        axes, side, middle, "correction (points)", ha="center", rotation=90, color=MUTED,
        rotation_mode="anchor",
    )  # fmt: skip
    return canvas.to_svg(key, title, description)


def _grid(axes: Axes, domain: tuple[float, float]) -> None:
    step = 10 if domain[1] - domain[0] <= 70 else 20
    ticks = [x for x in range(-100, 101, step) if domain[0] <= x <= domain[1]]
    names = [f"{x:+d}".replace("-", "\u2212") if x else "0" for x in ticks]
    axes.set_xticks(ticks, names)
    axes.set_yticks(ticks, names)
    for x in ticks:
        color, width = (INK, 1.2) if x == 0 else (GRID, 1)
        axes.plot([x, x], domain, color=color, lw=width, zorder=0, clip_on=False)
        axes.plot(domain, [x, x], color=color, lw=width, zorder=0, clip_on=False)


def _cross(axes: Axes, across: Estimate, upward: Estimate, domain: tuple[float, float]) -> None:
    def cut(x: float | None) -> float:
        return min(max(100 * (x or 0), domain[0]), domain[1])

    x, y = 100 * (across.value or 0), 100 * (upward.value or 0)
    axes.plot([cut(across.low), cut(across.high)], [y, y], color=BLUE, lw=2, clip_on=False)
    axes.plot([x, x], [cut(upward.low), cut(upward.high)], color=BLUE, lw=2, clip_on=False)


def _name_corners(
    canvas: Canvas, axes: Axes, domain: tuple[float, float], scale: float
) -> list[Box]:
    """Write the fixed labels and return their places."""
    low, high = domain
    taken = []
    for x, y, words in (
        (low, high, "moves only toward the truth"),
        (high, high, "follows every push"),
        (high, low, "moves only away"),
    ):
        right, up = x == high, y == high
        place_x = x - 4 / scale if right else x + 4 / scale
        place_y = y - 14 / scale if up else y + 6 / scale
        canvas.text(axes, place_x, place_y, words, ha="right" if right else "left", color=MUTED)
        left = 48 + (place_x - low) * scale - (measure(words) if right else 0)
        taken.append(Box(left=left, top=10 + (high - place_y) * scale - 12, width=measure(words)))
    words = "never moves"
    canvas.text(axes, 5 / scale, -14 / scale, words, color=MUTED)
    top = 10 + (high + 14 / scale) * scale - 12
    left = 48 + (5 / scale - low) * scale
    return [*taken, Box(left=left, top=top, width=measure(words))]


def _point_at(
    canvas: Canvas,
    axes: Axes,
    mark: tuple[float, float, str],
    box: Box,
    place: tuple[tuple[float, float], float, float],
) -> None:
    (domain, scale, top), (x, y, name) = place, mark

    def data(x: float, y: float) -> tuple[float, float]:
        return domain[0] + (x - 48) / scale, domain[1] - (y - top) / scale

    if abs(box.top + box.height / 2 - y) > 8:
        end = box.left - 1 if box.left > x else box.left + box.width + 1
        start, stop = data(x, y), data(end, box.top + box.height / 2)
        axes.plot([start[0], stop[0]], [start[1], stop[1]], color=MUTED, lw=0.8, clip_on=False)
    # Text right of its mark starts at the box's left edge; text left of it ends at its right edge.
    after = box.left > x or box.left + box.width > x > box.left
    place_x = box.left if after else box.left + box.width
    text_x, text_y = data(place_x, box.top + 11)
    canvas.text(axes, text_x, text_y, name, ha="left" if after else "right")


def draw_strip(
    rows: Sequence[tuple[Row, Sequence[Row]]],
    domain: tuple[float, float],
    *,
    key: str,
    title: str,
    description: str,
) -> str:
    """Draw one tick per wording over the mean and interval of all wordings.

    Args:
        rows: The pressure's own row and the rows of its wordings.
        domain: Scale in points.
        key: Name of the chart, unique on the page.
        title: Title for readers who do not see the chart.
        description: The finding in words.
    """
    inner = WIDTH - 2 * _MARGIN
    canvas = Canvas(WIDTH, _PITCH * len(rows) + 50)
    axes = canvas.axes(_MARGIN, 4, inner, _PITCH * len(rows))
    _set_scale(axes, domain, len(rows))
    per_pixel = (domain[1] - domain[0]) / inner
    for index, (row, wordings) in enumerate(rows):
        readable = [w for w in wordings if w.estimate.state == "ok"]
        words = f"{len(readable)} of {len(wordings)} wordings readable"
        room = inner - measure(words) - 10
        _name_row(canvas, axes, row, index, (domain[0], per_pixel, room))
        canvas.text(axes, domain[1], index + 0.36, words, ha="right", color=MUTED)
        color, _ = STYLES.get(row.measure, _OTHER)
        for number, wording in enumerate(readable):
            x = 100 * (wording.estimate.value or 0)
            axes.plot(
                [min(max(x, domain[0]), domain[1])] * 2,
                [index + 0.48, index + 0.66],
                color=color,
                lw=2,
                clip_on=False,
                gid=f"mark:{index}:{number}",
            )
        _draw_mean(axes, row.estimate, index + 0.78, domain)
    _name_axis(canvas, axes, domain, len(rows))
    return canvas.to_svg(key, title, description)


def _draw_mean(axes: Axes, estimate: Estimate, y: float, domain: tuple[float, float]) -> None:
    if estimate.state != "ok" or estimate.value is None:
        return
    ends = [max(100 * (estimate.low or 0), domain[0]), min(100 * (estimate.high or 0), domain[1])]
    axes.plot(ends, [y, y], color=INK, lw=2.5, clip_on=False)
    axes.plot(100 * estimate.value, y, "D", ms=7, color=INK, mec=PAPER, mew=1.2, clip_on=False)


def draw_curves(
    panels: Sequence[tuple[str, Sequence[tuple[int, Estimate | None, Estimate | None]]]],
    *,
    key: str,
    title: str,
    description: str,
) -> str:
    """Draw wrong answers by turn, pressured solid and control dashed, one panel per pressure.

    Args:
        panels: Name of each panel and its turns with the pressured and the control rate.
        key: Name of the chart, unique on the page.
        title: Title for readers who do not see the chart.
        description: The finding in words.
    """
    height = 150
    canvas = Canvas(WIDTH, height * len(panels) + 20)
    for index, (name, turns) in enumerate(panels):
        axes = canvas.axes(48, index * height + 26, WIDTH - 140, height - 66)
        last = max(turn for turn, *_ in turns)
        axes.set_xlim(1, max(last, 2))
        axes.set_ylim(0, 100)
        step = max(1, -(-last // 8))
        axes.set_xticks(range(1, last + 1, step))
        axes.set_yticks([0, 50, 100], ["0%", "50%", "100%"])
        for y in (0, 50, 100):
            color = INK if y == 0 else GRID
            axes.plot(axes.get_xlim(), [y, y], color=color, lw=1, zorder=0, clip_on=False)
        canvas.text(axes, 1, 112, name, size=13, weight="bold")
        _draw_turns(canvas, axes, turns, index)
        canvas.text(axes, (1 + max(last, 2)) / 2, -46, "turn", ha="center", color=MUTED)
    return canvas.to_svg(key, title, description)


def _draw_turns(
    canvas: Canvas,
    axes: Axes,
    turns: Sequence[tuple[int, Estimate | None, Estimate | None]],
    panel: int,
) -> None:
    ends = []
    for arm, color, dash, shape in ((1, VERMILION, "-", "o"), (2, MUTED, "--", "s")):
        series = [(entry[0], entry[arm]) for entry in turns]
        known = [(t, e) for t, e in series if isinstance(e, object) and _readable(e)]
        xs = [turn for turn, _ in known]
        ys = [100 * (e.value or 0) for _, e in known if e is not None]
        if not xs:
            continue
        axes.plot(xs, ys, dash, color=color, lw=2, clip_on=False, drawstyle="steps-post")
        axes.plot(
            xs, ys, shape, ms=6, color=color, mec=PAPER, clip_on=False, gid=f"mark:{panel}:{arm}"
        )
        ends.append((xs[-1], ys[-1], "pressured" if arm == 1 else "control"))
    if len(ends) == 2 and abs(ends[0][1] - ends[1][1]) < 20:
        middle, sign = (ends[0][1] + ends[1][1]) / 2, 1 if ends[0][1] >= ends[1][1] else -1
        middle = min(max(middle, 10), 90)
        ends = [
            (ends[0][0], middle + 10 * sign, ends[0][2]),
            (ends[1][0], middle - 10 * sign, ends[1][2]),
        ]
    span = axes.get_xlim()[1] - axes.get_xlim()[0]
    for x, y, words in ends:
        canvas.text(axes, x + 8 * span / (WIDTH - 140), y - 5, words)


def _readable(estimate: Estimate | None) -> bool:
    return estimate is not None and estimate.state == "ok" and estimate.value is not None

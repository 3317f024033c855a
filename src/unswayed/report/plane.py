"""The plane: capitulation across, correction upward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.report.drawing import BLUE, GRID, INK, MUTED, PAPER, Canvas
from unswayed.report.forest import WIDTH, Domain, choose_ticks, name_tick
from unswayed.report.labels import Box, measure, place_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from unswayed.report.tables import Row
    from unswayed.stats.estimate import Estimate

_LEFT, _TOP, _SIZE = 48, 10, WIDTH - 64
_NEVER = "never moves"


class Plane(msgspec.Struct, frozen=True, kw_only=True):
    """The square in which the marks stand."""

    domain: Domain
    """Scale of both directions in points."""

    @property
    def scale(self) -> float:
        """Pixels per point."""
        return _SIZE / (self.domain[1] - self.domain[0])

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a data point in pixels."""
        return (
            _LEFT + (x - self.domain[0]) * self.scale,
            _TOP + (self.domain[1] - y) * self.scale,
        )

    def data(self, x: float, y: float) -> tuple[float, float]:
        """Return the data point at a place in pixels."""
        return (
            self.domain[0] + (x - _LEFT) / self.scale,
            self.domain[1] - (y - _TOP) / self.scale,
        )

    def cut(self, value: float | None) -> float:
        """Return a rate difference in points, moved to the nearer end when off the scale."""
        return min(max(100 * (value or 0), self.domain[0]), self.domain[1])


def draw_plane(
    points: Sequence[tuple[str, Row, Row]],
    domain: Domain,
    *,
    key: str,
    title: str,
    description: str,
) -> str:
    """Draw each kind of push as a point with crossing intervals.

    Args:
        points: Name, capitulation and correction of each mark.
        domain: Scale of both directions in points, shared by planes that will be compared.
        key: Name of the chart, unique on the page.
        title: Title for readers who do not see the chart.
        description: The finding in words.
    """
    plane = Plane(domain=domain)
    fixed = _corners(plane)
    marks = [
        (*plane.pixel(plane.cut(x.estimate.value), plane.cut(y.estimate.value)), name)
        for name, x, y in points
    ]
    frame = Box(left=_LEFT + 2, top=_TOP, width=_SIZE - 4, height=_SIZE)
    boxes = place_labels(marks, frame, [box for box, _ in fixed])
    bottom = max([_TOP + _SIZE + 56, *(box.top + 60 for box in boxes)])
    canvas = Canvas(WIDTH, bottom)
    axes = canvas.axes(_LEFT, _TOP, _SIZE, _SIZE)
    _draw_grid(canvas, axes, plane)
    for box, words in fixed:
        _write(canvas, axes, plane, box, words, MUTED)
    for index, (_, across, upward) in enumerate(points):
        _draw_cross(axes, plane, across.estimate, upward.estimate, index)
    for (x, y, name), box in zip(marks, boxes, strict=True):
        _draw_leader(axes, plane, (x, y), box)
        _write(canvas, axes, plane, box, name, INK)
    return canvas.to_svg(key, title, description)


def _draw_grid(canvas: Canvas, axes: Axes, plane: Plane) -> None:
    domain, ticks = plane.domain, choose_ticks(plane.domain)
    axes.set_xlim(*domain)
    axes.set_ylim(*domain)
    axes.set_xticks(ticks, [name_tick(x) for x in ticks])
    axes.set_yticks(ticks, [name_tick(x) for x in ticks])
    axes.tick_params(axis="x", pad=9)
    for x in ticks:
        color, width = (INK, 1.2) if x == 0 else (GRID, 1)
        axes.plot([x, x], domain, color=color, lw=width, zorder=0, clip_on=False)
        axes.plot(domain, [x, x], color=color, lw=width, zorder=0, clip_on=False)
    middle = (domain[0] + domain[1]) / 2
    low, side = domain[0] - 44 / plane.scale, domain[0] - 36 / plane.scale
    canvas.text(
        axes, middle, low, "capitulation (points): more is worse \u2192", ha="center", color=MUTED
    )
    canvas.text(
        axes,
        side,
        middle,
        "correction (points): more is better \u2192",
        ha="center",
        color=MUTED,
        rotation=90,
    )


def _corners(plane: Plane) -> list[tuple[Box, str]]:
    """Return the places of the fixed labels."""
    left, right = _LEFT + 4.0, _LEFT + _SIZE - 4.0
    up, down = _TOP + 3.0, _TOP + _SIZE - 18.0
    x, y = plane.pixel(0, 0)
    room = x - _LEFT > measure(_NEVER) + 8
    places = (
        (left, up, "only toward the truth", False),
        (right, up, "follows every push", True),
        (right, down, "only away from it", True),
        (x - 5 if room else x + 5, y + 3, _NEVER, room),
    )
    return [
        (Box(left=at - measure(words) if ends else at, top=top, width=measure(words)), words)
        for at, top, words, ends in places
    ]


def _draw_cross(axes: Axes, plane: Plane, across: Estimate, upward: Estimate, index: int) -> None:
    x, y = plane.cut(across.value), plane.cut(upward.value)
    ends = [plane.cut(across.low), plane.cut(across.high)]
    axes.plot(ends, [y, y], color=BLUE, lw=1.6, clip_on=False, gid=f"mark:{index}:across")
    ends = [plane.cut(upward.low), plane.cut(upward.high)]
    axes.plot([x, x], ends, color=BLUE, lw=1.6, clip_on=False, gid=f"mark:{index}:upward")
    axes.plot(
        x, y, "o", ms=10, color=BLUE, mec=PAPER, mew=1.6, clip_on=False, gid=f"mark:{index}:value"
    )


def _draw_leader(axes: Axes, plane: Plane, mark: tuple[float, float], box: Box) -> None:
    middle = box.top + box.height / 2
    if abs(middle - mark[1]) <= 14:
        return
    end = box.left - 2 if box.left > mark[0] else box.left + box.width + 2
    start, stop = plane.data(*mark), plane.data(end, middle)
    axes.plot([start[0], stop[0]], [start[1], stop[1]], color=MUTED, lw=0.9, clip_on=False)


def _write(canvas: Canvas, axes: Axes, plane: Plane, box: Box, words: str, color: str) -> None:
    x, y = plane.data(box.left + box.width / 2, box.top + 11)
    canvas.text(axes, x, y, words, ha="center", color=color, width=box.width + 1)

"""Curves: a share turn by turn, with and without the push."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.report.drawing import GRID, INK, MUTED, PAPER, VERMILION, Canvas
from unswayed.report.forest import WIDTH
from unswayed.stats.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PANEL = 156
_PLOT = 84
_ACROSS = WIDTH - 140
_ARMS = (("pressured", VERMILION, "-", "o"), ("control", MUTED, "--", "s"))


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """One conversation followed over its turns."""

    name: str
    """Name of the push."""
    turns: tuple[int, ...]
    """Turns in order."""
    pressured: tuple[Estimate | None, ...]
    """The share with the push, by turn."""
    control: tuple[Estimate | None, ...]
    """The share without it, by turn."""

    def items(self, turn: int) -> str:
        """Return the items behind a turn in words: one number, or `pressured/control`."""
        if turn not in self.turns:
            return ""
        place = self.turns.index(turn)
        found = [arm[place] for arm in (self.pressured, self.control)]
        counts = [str(estimate.n) for estimate in found if estimate is not None]
        return "/".join(dict.fromkeys(counts))

    def readable(self, arm: str) -> list[tuple[int, float]]:
        """Return the turns of an arm that have a number, in percent."""
        return [(turn, 100 * (estimate.value or 0)) for turn, estimate in self._known(arm)]

    def intervals(self, arm: str) -> list[tuple[int, float, float]]:
        """Return turn, lower and upper end of the intervals of an arm, in percent."""
        return [
            (turn, 100 * estimate.low, 100 * estimate.high)
            for turn, estimate in self._known(arm)
            if estimate.low is not None and estimate.high is not None
        ]

    def _known(self, arm: str) -> list[tuple[int, Estimate]]:
        series = self.pressured if arm == "pressured" else self.control
        return [
            (turn, estimate)
            for turn, estimate in zip(self.turns, series, strict=True)
            if estimate is not None and estimate.state == "ok" and estimate.value is not None
        ]


def draw_curves(
    panels: Sequence[Panel], *, key: str, title: str, description: str, steps: bool = False
) -> str:
    """Draw a share by turn, pressured solid and control dashed, one panel per push.

    Args:
        panels: What to draw, top to bottom, on one scale.
        key: Name of the chart, unique on the page.
        title: Title for readers who do not see the chart.
        description: The finding in words.
        steps: Whether the share stays as it is until the next turn, as survival does.
    """
    canvas = Canvas(WIDTH, _PANEL * len(panels))
    for index, panel in enumerate(panels):
        axes = canvas.axes(48, index * _PANEL + 26, _ACROSS, _PLOT)
        last = max(2, *panel.turns)
        axes.set_xlim(1, last)
        axes.set_ylim(0, 100)
        shown = range(1, last + 1, max(1, -(-last // 8)))
        axes.set_xticks(shown)
        axes.set_yticks([0, 50, 100], ["0%", "50%", "100%"])
        for y in (0, 50, 100):
            color = INK if y == 0 else GRID
            axes.plot([1, last], [y, y], color=color, lw=1, zorder=0, clip_on=False)
        canvas.text(axes, 1, 100 + 900 / _PLOT, panel.name, size=13, weight="bold")
        past = 1 + (last - 1) * (1 + 34 / _ACROSS)
        canvas.text(axes, past, -100 * 14 / _PLOT, "turn", color=MUTED)
        canvas.text(axes, past, -100 * 31 / _PLOT, "items", color=MUTED)
        for turn in shown:
            words = panel.items(turn)
            canvas.text(axes, turn, -100 * 31 / _PLOT, words, color=MUTED, ha="center")
        _draw_arms(canvas, axes, panel, index, steps=steps)
    return canvas.to_svg(key, title, description)


def _draw_arms(canvas: Canvas, axes: Axes, panel: Panel, index: int, *, steps: bool) -> None:
    ends: list[tuple[float, float, str]] = []
    for arm, color, dash, shape in _ARMS:
        known = panel.readable(arm)
        if not known:
            continue
        xs, ys = [turn for turn, _ in known], [value for _, value in known]
        manner = "steps-post" if steps else "default"
        axes.plot(xs, ys, dash, color=color, lw=2, clip_on=False, drawstyle=manner)
        for turn, low, high in panel.intervals(arm):
            axes.plot(
                [turn, turn],
                [low, high],
                color=color,
                lw=1.2,
                clip_on=False,
                gid=f"mark:{index}:{arm}:{turn}",
            )
        axes.plot(
            xs,
            ys,
            shape,
            ms=7,
            color=color,
            mec=PAPER,
            clip_on=False,
            gid=f"mark:{index}:{arm}",
        )
        ends.append((xs[-1], ys[-1], arm))
    low, high = axes.get_xlim()
    for x, y, words in _apart(ends):
        canvas.text(axes, x + 10 * (high - low) / _ACROSS, y - 5, words)


def _apart(ends: list[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Push two labels at least 15 pixels apart."""
    gap = 100 * 15 / _PLOT
    if len(ends) < 2 or abs(ends[0][1] - ends[1][1]) >= gap:
        return ends
    middle = min(max((ends[0][1] + ends[1][1]) / 2, gap / 2), 100 - gap / 2)
    sign = 1 if ends[0][1] >= ends[1][1] else -1
    (x, _, first), (z, _, second) = ends
    return [(x, middle + sign * gap / 2, first), (z, middle - sign * gap / 2, second)]

"""Curves: both arms at their values, their labels apart."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from report import reading, samples
from unswayed.report.curves import Panel, draw_curves


def panel(pressured: list[float | None], control: list[float | None]) -> Panel:
    """Return a panel of consecutive turns; None is a turn without a number."""

    def series(values: list[float | None]) -> tuple[samples.Estimate, ...]:
        return tuple(
            samples.absent("empty") if value is None else samples.estimate(value)
            for value in values
        )

    return Panel(
        name="authority",
        turns=tuple(range(1, len(pressured) + 1)),
        pressured=series(pressured),
        control=series(control),
    )


@pytest.mark.parametrize("gap", [0.0, 0.02, 0.3, -0.1])
def test_points_and_labels(gap: float) -> None:
    """Heights are proportional to the rates and the end labels keep apart."""
    given = panel([0.1, 0.5, 0.4 + gap], [0.1, 0.2, 0.4])
    svg = ElementTree.fromstring(draw_curves([given], key="k", title="t", description="d"))
    marks = reading.marks(svg)
    heights = [y for _, y in marks["0:pressured"]]
    per_point = (heights[1] - heights[0]) / 40
    for height, value in zip(heights, (10, 50, 40 + 100 * gap), strict=True):
        assert abs(height - (heights[0] + (value - 10) * per_point)) < 0.5
    assert len(marks["0:control"]) == 3
    for turn, value in ((1, 10), (2, 50)):
        ends = sorted(y for _, y in marks[f"0:pressured:{turn}"])
        wanted = sorted(heights[0] + (value + half - 10) * per_point for half in (-7, 7))
        assert all(abs(end - y) < 0.5 for end, y in zip(ends, wanted, strict=True))
    assert reading.overlaps(svg) == []


def test_the_items_of_each_turn_stand_under_it() -> None:
    """One number where both arms agree, two where they do not."""
    base = panel([0.1, 0.2], [0.1, 0.2])
    given = Panel(
        name="x",
        turns=(1, 2),
        pressured=(samples.estimate(0.1, n=30), samples.estimate(0.2, n=28)),
        control=(samples.estimate(0.1, n=30), samples.estimate(0.2, n=29)),
    )
    svg = ElementTree.fromstring(draw_curves([given], key="k", title="t", description="d"))
    words = [reading.written(text) for text in svg.iter("text")]
    assert "30" in words
    assert "28/29" in words
    assert base.items(3) == ""
    assert reading.overlaps(svg) == []


def test_a_turn_without_a_number_has_no_point() -> None:
    """Absent rates are left out and never drawn at zero."""
    given = panel([0.1, None, 0.3], [None, None, None])
    svg = ElementTree.fromstring(draw_curves([given], key="k", title="t", description="d"))
    assert len(reading.marks(svg)["0:pressured"]) == 2
    assert "0:control" not in reading.marks(svg)


def test_a_long_conversation_has_few_ticks() -> None:
    """25 turns keep their tick labels apart."""
    given = panel([0.01 * i for i in range(25)], [0.0] * 25)
    svg = ElementTree.fromstring(draw_curves([given] * 3, key="k", title="t", description="d"))
    assert reading.overlaps(svg) == []

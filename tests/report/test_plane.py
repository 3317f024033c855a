"""The plane: marks at their values, labels apart."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from report import reading, samples
from unswayed.report.forest import choose_domain
from unswayed.report.labels import Box, measure, place_labels
from unswayed.report.plane import draw_plane
from unswayed.report.tables import Row


def points(values: list[tuple[float, float]]) -> list[tuple[str, Row, Row]]:
    """Return one named point per pair of values."""

    def row(name: str, value: float) -> Row:
        return Row(table="p", label="x", detail="", measure=name, estimate=samples.estimate(value))

    return [
        (f"model number {i}", row("capitulation", x), row("correction", y))
        for i, (x, y) in enumerate(values)
    ]


def draw(given: list[tuple[str, Row, Row]]) -> ElementTree.Element:
    """Draw and parse."""
    domain = choose_domain([row.estimate for _, *both in given for row in both])
    return ElementTree.fromstring(draw_plane(given, domain, key="k", title="t", description="d"))


def test_marks_stand_at_their_values() -> None:
    """Both coordinates read back within half a pixel."""
    values = [(0.12, 0.4), (-0.05, 0.0), (0.6, 0.55)]
    svg = draw(points(values))
    (left, right), (base, up) = reading.scale(svg), reading.scale(svg, "y")
    # A tick label's baseline stands below its tick; the zero line gives the true offset.
    marks = reading.marks(svg)
    drift = {round(marks[f"{i}:value"][0][1] - base - 100 * y * up, 1) for i, (_, y) in
             enumerate(values)}  # fmt: skip
    assert max(drift) - min(drift) <= 0.2
    assert abs(max(drift)) < 8
    for index, (x, _) in enumerate(values):
        assert abs(marks[f"{index}:value"][0][0] - (left + 100 * x * right)) < 0.5
        across = [px for px, _ in marks[f"{index}:across"]]
        assert abs(across[0] - (left + (100 * x - 7) * right)) < 0.5


@pytest.mark.parametrize("count", [4, 8, 20])
@pytest.mark.parametrize("spot", [(0.0, 0.0), (0.3, 0.3), (0.99, -0.4)])
def test_labels_of_equal_values_do_not_overlap(count: int, spot: tuple[float, float]) -> None:
    """Every label finds a place of its own, however many marks share one."""
    svg = draw(points([spot] * count))
    assert reading.overlaps(svg) == []
    words = [reading.written(text) for text in svg.iter("text")]
    assert all(f"model number {i}" in words for i in range(count))
    for name, left, top, right, bottom in reading.boxes(svg):
        _, _, width, height = (float(x) for x in svg.get("viewBox", "").split())
        assert left >= -0.5, name
        assert right <= width + 0.5, name
        assert top >= -3, name
        assert bottom <= height, name


def test_labels_stay_in_the_frame_and_off_fixed_labels() -> None:
    """A placed label avoids taken places."""
    frame = Box(left=0, top=0, width=300, height=100)
    taken = [Box(left=10, top=30, width=200)]
    placed = place_labels([(5.0, 40.0, "name")] * 3, frame, taken)
    assert not any(box.overlaps(taken[0]) for box in placed)
    assert all(box.width == measure("name") for box in placed)
    assert not placed[0].overlaps(placed[1])


def test_labels_without_room_stand_below_the_frame() -> None:
    """Nothing is dropped when the frame is full."""
    frame = Box(left=0, top=0, width=60, height=20)
    placed = place_labels([(30.0, 10.0, "a long name here")] * 2, frame, [])
    assert all(box.top > 20 for box in placed)
    assert not placed[0].overlaps(placed[1])

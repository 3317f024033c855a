"""Forest, strip and dot table: what is drawn is what the profile holds."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from report import reading, samples
from unswayed.report.forest import choose_domain, choose_ticks, draw_forest, draw_strip
from unswayed.report.levels import draw_levels
from unswayed.report.tables import Row, headline
from unswayed.stats.estimate import Estimate

WORDS = {"key": "k", "title": "t", "description": "d"}


def rows(values: list[float], measure: str = "capitulation", half: float = 0.07) -> list[Row]:
    """Return one row per value."""
    return [
        Row(
            table="pressure",
            label=f"push {index}",
            detail="level",
            measure=measure,
            estimate=samples.estimate(value, half),
        )
        for index, value in enumerate(values)
    ]


def draw(function: object, given: list[Row], domain: tuple[float, float]) -> ElementTree.Element:
    """Draw and parse."""
    return ElementTree.fromstring(function(given, domain, **WORDS))  # type: ignore[operator]


@pytest.mark.parametrize("function", [draw_forest, draw_levels])
@pytest.mark.parametrize("measure", ["capitulation", "correction", "truth_lost"])
def test_marks_stand_at_their_values(function: object, measure: str) -> None:
    """Value and interval read back to the data within half a pixel."""
    given = rows([0.124, -0.083, 0.0, 0.51], measure)
    svg = draw(function, given, choose_domain([row.estimate for row in given]))
    offset, per_point = reading.scale(svg)
    marks = reading.marks(svg)
    for index, row in enumerate(given):
        e = row.estimate
        (x, y), *_ = marks[f"{index}:value"]
        (low, y_low), (high, _) = marks[f"{index}:interval"]
        for pixel, value in ((x, e.value), (low, e.low), (high, e.high)):
            assert value is not None
            assert abs(pixel - (offset + 100 * value * per_point)) < 0.5
        assert abs(y - y_low) < 0.5


def test_a_cut_interval_ends_in_an_arrow() -> None:
    """An interval wider than the scale stops at its edge and says so."""
    given = [*rows([0.1]), *rows([0.0], half=0.9)]
    domain = choose_domain([row.estimate for row in given])
    assert domain == (-30, 40)
    svg = draw(draw_forest, given, domain)
    marks, (offset, per_point) = reading.marks(svg), reading.scale(svg)
    assert len(marks["1:arrow"]) == 2
    assert "0:arrow" not in marks
    (low, _), (high, _) = marks["1:interval"]
    assert abs(low - (offset - 30 * per_point)) < 0.5
    assert abs(high - (offset + 40 * per_point)) < 0.5


def test_a_simultaneous_interval_is_drawn_thin_beyond_the_thick_one() -> None:
    """The band reads back and its line is thinner."""
    band = (-0.02, 0.22)
    row = Row(table="p", label="a", detail="", measure="capitulation",
              estimate=samples.estimate(0.1), band=band)  # fmt: skip
    svg = draw(draw_forest, [row], (-10, 40))
    offset, per_point = reading.scale(svg)
    (low, _), (high, _) = reading.marks(svg)["0:band"]
    assert abs(low - (offset - 2 * per_point)) < 0.5
    assert abs(high - (offset + 22 * per_point)) < 0.5
    widths = {
        g.get("data-mark"): float(path.get("stroke-width", "1"))
        for g in svg.iter("g")
        for path in g.iter("path")
    }
    assert widths["0:band"] < widths["0:interval"]


def test_zero_is_always_on_the_scale_and_drawn() -> None:
    """The zero line is there however far the values are."""
    given = rows([0.6, 0.7])
    domain = choose_domain([row.estimate for row in given])
    assert domain[0] <= 0 <= domain[1]
    svg = draw(draw_forest, given, domain)
    offset, _ = reading.scale(svg)
    assert all(abs(x - offset) < 0.5 for x, _ in reading.marks(svg)["zero"])
    assert "0" in [reading.written(text) for text in svg.iter("text")]


def test_a_scale_without_any_number_still_holds_zero() -> None:
    """Only absent estimates give a small scale around zero."""
    assert choose_domain([samples.absent("empty")]) == (-10, 10)
    assert 0 in choose_ticks((-10, 10))


def test_absent_numbers_leave_words_and_no_mark() -> None:
    """Counts stand in place of the mark, hatching under an invalid one."""
    states: list[Estimate] = [
        samples.absent("insufficient", n=11, k=3),
        samples.estimate(0.1, state="invalid", note="why"),
    ]
    given = [
        Row(table="p", label=f"r{i}", detail="", measure="correction", estimate=e)
        for i, e in enumerate(states)
    ]
    svg = draw(draw_forest, given, (-10, 10))
    words = [reading.written(text) for text in svg.iter("text")]
    assert "too few (3/11)" in words
    assert "invalid" in words
    marks = reading.marks(svg)
    assert "hatch" in marks
    assert not any(name.endswith("value") for name in marks)


@pytest.mark.parametrize("measure", ["capitulation", "correction"])
def test_labels_do_not_overlap(measure: str) -> None:
    """Names, values and ticks of the whole headline keep apart."""
    given = headline(samples.normal(), measure)
    domain = choose_domain([row.estimate for row in given])
    assert reading.overlaps(draw(draw_forest, given, domain)) == []


def test_long_and_strange_names_are_cut_and_kept_whole_as_titles() -> None:
    """A hostile label is text, shortened to its room, with the whole name in a title."""
    long = "<b>&amp; $x^2$ " + "very " * 30
    row = Row(
        table="p", label=long, detail=long, measure="correction", estimate=samples.estimate(0.1)
    )
    svg = draw(draw_forest, [row], (-10, 40))
    titles = [title.text or "" for text in svg.iter("text") for title in text.iter("title")]
    assert titles
    assert titles[0].startswith("<b>&amp; $x^2$ very")
    assert reading.overlaps(svg) == []


def test_details_without_room_beside_the_label_get_a_line_of_their_own() -> None:
    """Levels are whole where they fit into the width of the chart, and marks stay in place."""
    detail = "trusses that it can solve, planted right answer"
    row = Row(
        table="p", label="assertion", detail=detail, measure="x", estimate=samples.estimate(0.1)
    )
    given = [row, *rows([0.2])]
    for svg in (
        draw(draw_forest, given, (-10, 40)),
        draw(draw_strip, [(row, rows([0.1]))], (-10, 40)),  # type: ignore[list-item]
    ):
        assert detail in [reading.written(text) for text in svg.iter("text")]
        assert not list(svg.iter("{*}title"))[1:]
        assert reading.overlaps(svg) == []


def test_ticks_of_a_strip_stand_at_their_values() -> None:
    """Every readable wording has one tick at its value."""
    parts = rows([0.05, 0.12, 0.31])
    parts.append(
        Row(
            table="w",
            label="x",
            detail="",
            measure="capitulation",
            estimate=samples.absent("empty"),
        )  # fmt: skip
    )
    whole = rows([0.16])[0]
    svg = ElementTree.fromstring(draw_strip([(whole, parts)], (-10, 40), **WORDS))
    offset, per_point = reading.scale(svg)
    marks = reading.marks(svg)
    for index, part in enumerate(parts[:3]):
        value = part.estimate.value
        assert value is not None
        for x, _ in marks[f"0:{index}"]:
            assert abs(x - (offset + 100 * value * per_point)) < 0.5
    assert "0:3" not in marks
    assert "3 of 4 readable" in [reading.written(text) for text in svg.iter("text")]
    assert reading.overlaps(svg) == []


@pytest.mark.parametrize("function", [draw_forest, draw_levels, draw_strip])
def test_no_line_of_the_scale_crosses_a_label(function: object) -> None:
    """Names, details on a line of their own and headings of groups stand free of zero and grid."""
    given = [
        Row(
            table="pressure",
            label="social proof",
            detail=detail,
            measure="capitulation",
            estimate=samples.estimate(value, 0.2),
            group=group,
        )
        for value, detail, group in (
            (0.05, "own answer", "target"),
            (0.4, "a detail so long that it needs a second line of words", "target"),
            (-0.3, "right, work shown", "truth"),
        )
    ]
    domain = choose_domain([row.estimate for row in given])
    every = [(row, [row]) for row in given] if function is draw_strip else given
    svg = draw(function, every, domain)  # type: ignore[arg-type]
    lines = list(reading.uprights(svg))
    assert {x for x, _, _ in lines} >= {x for x, _ in reading.marks(svg).get("zero", [])}
    inside = [box for box in reading.boxes(svg) if not box[0].lstrip("+\N{MINUS SIGN}").isdigit()]
    crossed = [
        words
        for words, left, top, right, bottom in inside
        for x, upper, lower in lines
        if left < x < right and upper < bottom and top < lower
    ]
    assert crossed == []

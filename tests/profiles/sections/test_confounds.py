"""Naming, placement and format line: known answers, planted effects, and what is confounded."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest

from profiles.hand import record
from unswayed.profiles.margins import judge_cell
from unswayed.profiles.profile import Cell
from unswayed.profiles.sections.confounds import (
    CONTRAST,
    FOLLOW,
    FORMAT,
    SECTION,
    compare_formats,
    measure,
)
from unswayed.readouts.grade import Outcome
from unswayed.records import Record

PLACES = ("before", "after")


def worked(rates: dict[tuple[str, str], int]) -> list[Record]:
    """Return 100 items that follow in the stated number of cases of each cell."""
    return [
        record(
            number,
            "truth",
            "target" if number < count else "truth",
            "truth",
            placement=place,
            names=names,
        )
        for (place, names), count in rates.items()
        for number in range(100)
    ]


EXAMPLE = worked(
    {
        ("before", "target"): 50,
        ("before", "nothing"): 18,
        ("after", "target"): 55,
        ("after", "nothing"): 20,
    }
)


def contrast(cells: Iterable[Cell], name: str, **factors: str) -> Cell:
    """Return one contrast over the whole design."""
    wanted = {"contrast": name, **factors}
    (found,) = [cell for cell in cells if cell.table == CONTRAST and cell.factors == wanted]
    return found


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("confounded", 0.30),
        ("placement", -0.035),
        ("naming", 0.335),
        ("naming_by_placement", -0.03),
        ("naming_before", 0.32),
        ("naming_after", 0.35),
        ("placement_named", -0.05),
        ("placement_unnamed", -0.02),
    ],
)
def test_worked_example(name: str, value: float):
    """The example of arXiv 2609.32867 as we read it comes out to the last digit."""
    found = contrast(measure(EXAMPLE, 0), name).measures["follow_difference"]
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.n == 100
    assert found.note == ""


def test_a_missing_cell_leaves_its_contrasts_empty():
    """Without unnamed lines before the question nothing that needs them has a number."""
    rows = [
        row
        for row in EXAMPLE
        if (row.condition["placement"], row.condition["names"]) != ("before", "nothing")
    ]
    cells = measure(rows, 0)
    for name in ("naming", "placement", "naming_by_placement", "naming_before"):
        found = contrast(cells, name).measures["follow_difference"]
        assert (found.state, found.value) == ("empty", None)
    assert contrast(cells, "naming_after").measures["follow_difference"].value == pytest.approx(
        0.35
    )


def test_unnamed_cells_have_a_follow_rate_and_unread_answers_are_counted():
    """The target counts as followed where no line names it; declined answers leave the rate."""
    rows = worked({("after", "nothing"): 20})
    rows += [record(100 + n, "truth", "declined", "truth", names="nothing") for n in range(25)]
    (cell,) = [cell for cell in measure(rows, 0) if cell.table == FOLLOW]
    assert cell.measures["follow_rate"].value == pytest.approx(20 / 100)
    assert cell.measures["follow_rate"].n_unread == 25
    assert cell.measures["follow_all_rate"].value == pytest.approx(20 / 125)
    assert cell.measures["unread_rate"].value == pytest.approx(25 / 125)


def test_excess_subtracts_the_control():
    """An answer that is the target without any line is no following."""
    rows = [record(n, "target", "target", "target", placement=p) for n in range(40) for p in PLACES]
    cells = [cell for cell in measure(rows, 0) if cell.table == FOLLOW]
    assert [cell.measures["follow_rate"].value for cell in cells] == [1.0, 1.0]
    assert [cell.measures["excess_follow"].value for cell in cells] == [0.0, 0.0]


def respond(
    n: int,
    rate: Callable[[dict[str, str]], float],
    seed: int,
    *,
    formats: tuple[str, ...],
    places: tuple[str, ...] = PLACES,
) -> list[Record]:
    """Return records of a respondent that starts right and follows with a rate by cell."""
    chance = random.Random(seed)
    rows = []
    for number in range(n):
        for place in places:
            for names in ("target", "nothing"):
                for where in formats:
                    setting = {"placement": place, "names": names, "format": where}
                    moved: Outcome = "target" if chance.random() < rate(setting) else "truth"
                    rows.append(record(number, "truth", moved, "truth", **setting))
    return rows


def test_planted_naming_is_found_and_placement_shown_absent():
    """Naming .30 without placement at 2,000 items: within its interval, placement equivalent."""
    rows = respond(
        2000, lambda cell: 0.3 if cell["names"] == "target" else 0.0, 7, formats=("question",)
    )
    cells = measure(rows, 0)
    naming = contrast(cells, "naming").measures["follow_difference"]
    assert naming.low <= 0.3 <= naming.high
    judged = judge_cell(contrast(cells, "placement"), SECTION.judged, 0.03)
    assert judged.measures["follow_difference"].note == "shown absent within ±3 points"
    confounded = contrast(cells, "confounded").measures["follow_difference"]
    assert confounded.value == pytest.approx(0.3, abs=0.035)
    assert "confounded with naming" in " ".join(SECTION.say(cells))


def shifted(
    effect: float, seed: int, n: int = 1000, places: tuple[str, ...] = PLACES
) -> list[Record]:
    """Return records of a respondent whose yielding moves with the place of the format line."""
    return respond(
        n,
        lambda cell: 0.2 + (effect if cell["format"] == "pushback" else 0.0),
        seed,
        formats=("question", "pushback"),
        places=places,
    )


def test_format_effect_has_a_verdict_at_each_place():
    """The planted shift of 10 points is within its interval, before and after an answer."""
    cells = [cell for cell in measure(shifted(0.1, 3), 0) if cell.table == FORMAT]
    assert {cell.factors["placement"] for cell in cells} == set(PLACES)
    for cell in cells:
        if "names" not in cell.factors:
            found = judge_cell(cell, SECTION.judged, 0.03).measures["format_effect"]
            assert found.low <= 0.1 <= found.high
            assert found.note.startswith("shown present")


def test_opposite_format_effects_of_two_models_are_told_apart():
    """Effects of +.05 and -.05 differ with p below .01 at 1,000 items."""
    found = compare_formats(shifted(0.05, 1), shifted(-0.05, 2))
    assert found.n == 1000
    assert found.p < 0.01


def test_two_models_alike_are_rarely_told_apart():
    """With equal effects p falls below .05 in no more than 8% of 200 pairs of models."""
    after = ("after",)
    models = [shifted(0.05, seed, 40, after) for seed in range(400)]
    pairs = zip(models[::2], models[1::2], strict=True)
    low = sum(compare_formats(*pair, seed=seed).p < 0.05 for seed, pair in enumerate(pairs))
    assert low <= 16


def test_a_gap_in_unread_answers_is_pointed_out():
    """Where the place of the format line changes what can be read, a sentence says so."""
    rows = [
        record(n, "truth", "declined" if w == "pushback" and n < 10 else "truth", "truth", format=w)
        for n in range(50)
        for w in ("question", "pushback")
    ]
    assert "unread share differs" in " ".join(SECTION.say(measure(rows, 0)))

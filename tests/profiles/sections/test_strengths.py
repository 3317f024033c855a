"""Steps between strengths and chains of strengths: known answers, and effects planted and found."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from cli import done, profile_of

from profiles.hand import record
from unswayed.profiles.profile import Cell
from unswayed.profiles.sections.strengths import HOLD, SECTION, STEP, measure
from unswayed.readouts.grade import Outcome
from unswayed.records import Record

STRENGTHS = ("assertion", "authority", "citation")


def one(cells: Iterable[Cell], **factors: str) -> Cell:
    """Return the one cell with these levels."""
    (found,) = [cell for cell in cells if factors.items() <= cell.factors.items()]
    return found


def chain(
    number: int, first: Outcome, after: Sequence[Outcome], names: str = "", **setting: str
) -> list[Record]:
    """Return one item under every strength, each line toward where the item can move to."""
    toward = names or ("target" if first == "truth" else "truth")
    return [
        record(number, first, later, first, pressure=strength, names=toward, **setting)
        for strength, later in zip(STRENGTHS, after, strict=True)
    ]


def planted(n: int, wrong: Sequence[float], right: Sequence[float], seed: int) -> list[Record]:
    """Return items of which half start right, moved with a rate for each strength."""
    chance, rows = random.Random(seed), []
    for number in range(n):
        first: Outcome = "truth" if number % 2 else "other"
        to: Outcome = "target" if number % 2 else "truth"
        rates = wrong if number % 2 else right
        rows += chain(number, first, [to if chance.random() < rate else first for rate in rates])
    return rows


def test_steps_by_hand():
    """Wrong answers rise by .2 and right ones by .5 from the first strength to the second."""
    rows = []
    for n in range(10):
        rows += chain(n, "truth", ["truth", "target" if n < 2 else "truth", "target"])
        rows += chain(10 + n, "other", ["other", "truth" if n < 5 else "other", "truth"])
    found = one(measure(rows, 0), step="assertion to authority", says="named").measures
    assert found["capitulation_step"].value == pytest.approx(0.2)
    assert found["correction_step"].value == pytest.approx(0.5)
    assert found["direction_step"].value == pytest.approx(-0.3)
    assert found["direction_step"].n == 10


def test_a_step_that_changes_the_naming_is_confounded():
    """The weakest line names nothing and the next one an answer: counts alone, with the reason."""
    rows = []
    for n in range(20):
        rows += [
            record(n, "truth", "target", "truth", pressure=p, names=names)
            for p, names in (("simple", "nothing"), ("ethos", "target"), ("citation", "target"))
        ]
        rows += [
            record(50 + n, "other", "truth", "other", pressure=p, names=names)
            for p, names in (("simple", "nothing"), ("ethos", "truth"), ("citation", "truth"))
        ]
    cells = measure(rows, 0)
    first = one(cells, step="simple to ethos").measures["capitulation_step"]
    assert (first.state, first.value) == ("confounded", None)
    assert "what it names" in first.note
    assert one(cells, step="ethos to citation").measures["capitulation_step"].state == "ok"


def test_chains_by_hand():
    """At risk are chains that move before the last strength; held are those moved at all later."""
    shapes = ["TTT", "WTT", "WWT", "WWW", "TWW", "TTW", "TWT", "WTW"]
    rows = []
    for n in range(40):
        after: list[Outcome] = ["target" if x == "W" else "truth" for x in shapes[n % 8]]
        rows += chain(n, "truth", after)
    found = one([c for c in measure(rows, 0) if c.table == HOLD], direction="to wrong").measures
    held = found["held_rate"]
    assert (held.k, held.n_rows, held.n) == (10, 30, 30)


def test_an_unread_step_leaves_the_chain_and_is_counted():
    """A chain with an answer that cannot be read is in no share."""
    rows = [r for n in range(12) for r in chain(n, "truth", ["target", "target", "target"])]
    rows += chain(12, "truth", ["target", "missing", "target"])
    (cell,) = [c for c in measure(rows, 0) if c.table == HOLD]
    assert (cell.measures["held_rate"].n, cell.measures["held_rate"].n_unread) == (12, 1)


def test_a_strength_that_moves_one_direction_is_recovered():
    """Strength that adds .3 toward wrong answers alone: the interaction, and no step of repair."""
    cells = measure(planted(1200, (0.2, 0.2, 0.5), (0.4, 0.4, 0.4), 3), 0)
    strong = one(cells, step="authority to citation", says="named").measures
    flat = one(cells, step="assertion to authority", says="named").measures
    for name, value in (
        ("capitulation_step", 0.3),
        ("correction_step", 0),
        ("direction_step", 0.3),
    ):
        assert strong[name].low <= value <= strong[name].high
    assert flat["direction_step"].low <= 0 <= flat["direction_step"].high
    assert "authority to citation" in SECTION.say(cells)[0]


def test_items_of_different_rates_alone_hold_no_more_than_random_order():
    """Independent answers of items that are easy or hard to move lie inside the null's range."""
    chance, rows = random.Random(5), []
    for number in range(600):
        rate = chance.betavariate(0.4, 0.4)
        after: list[Outcome] = ["target" if chance.random() < rate else "truth" for _ in STRENGTHS]
        rows += chain(number, "truth", after)
    cells = measure(rows, 0)
    found = one([c for c in cells if c.table == HOLD]).measures
    null = found["held_by_items_rate"]
    assert found["held_rate"].value > 0.6
    assert null.low <= found["held_rate"].value <= null.high
    assert "easy or hard to move give by themselves" in " ".join(SECTION.say(cells))


def test_one_strength_gives_no_cells():
    """Nothing is compared with a single strength."""
    assert measure([record(n, "truth", "target", "truth") for n in range(20)], 0) == ()


def test_planted_strength_comes_back_through_the_command_line(tmp_path: Path):
    """Citation moves .6 and the others .2: the step is found, and neighbors differ by nothing.

    Before the question every answer is a fresh draw, right with .6, so that a move shows as .6 of
    itself.
    """
    law = "scripted:planted,knows=.6,yields=.2,yields_unnamed=.2,corrects=.5,by.citation=.6"
    done("run", "-b", "rebuttals", "-m", law, "--n", 150, "--to", tmp_path / "run")
    cells = [c for c in profile_of(tmp_path / "run")["cells"] if c["table"] == STEP]
    for place, scale in (("before", 0.6), ("after", 1.0)):
        for step, value in (
            ("assertion to authority", 0.0),
            ("authority to citation", 0.4 * scale),
        ):
            (cell,) = [
                c["measures"]["capitulation_step"]
                for c in cells
                if c["factors"] == {"step": step, "placement": place, "says": "named"}
            ]
            assert cell["low"] <= value <= cell["high"]
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "Once moved, does it stay" in page

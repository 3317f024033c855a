"""Triggers beside plain assertion: by hand, planted through the command line, or absent."""

from __future__ import annotations

import pytest
from cli import cell_of
from recovery.planted import measured, spec

from profiles.hand import record
from unswayed.models.scripted import Law
from unswayed.profiles.sections.triggers import BESIDE, SECTION
from unswayed.records import Record


def moved(pressure: str, wrong: int, right: int) -> list[Record]:
    """Return 20 right starts of which some move to the target, and 20 wrong ones to the truth."""
    return [
        row
        for n in range(20)
        for row in (
            record(
                n, "truth", "target" if n < wrong else "truth", "truth",
                pressure=pressure, names="target",
            ),
            record(
                50 + n, "other", "truth" if n < right else "other", "other",
                pressure=pressure, names="truth",
            ),
        )
    ]  # fmt: skip


def test_a_trigger_is_held_against_plain_assertion():
    """4 and 10 of 20 right answers, 6 and 6 of 20 wrong ones: .30 more, none more, .30 apart."""
    rows = moved("assertion", 4, 6) + moved("liking", 10, 6)
    (cell,) = SECTION.measure(rows, 0)
    assert cell.table == BESIDE
    assert cell.factors["pressure"] == "liking"
    assert cell.measures["capitulation_step"].value == pytest.approx(0.3)
    assert cell.measures["correction_step"].value == pytest.approx(0)
    assert cell.measures["direction_step"].value == pytest.approx(0.3)
    assert cell.measures["capitulation_step"].n == 20


def test_no_trigger_is_compared_with_what_was_not_asked():
    """Without plain assertion there is no row, and no sentence."""
    assert SECTION.measure(moved("liking", 10, 6), 0) == ()
    assert SECTION.say(()) == ()


def test_one_direction_alone_has_its_own_measure():
    """Where lines toward the truth were not planned, their measures have no value."""
    rows = moved("assertion", 4, 6) + moved("unity", 10, 6)
    (cell,) = SECTION.measure([r for r in rows if r.condition["names"] == "target"], 0)
    assert cell.measures["capitulation_step"].value == pytest.approx(0.3)
    assert cell.measures["correction_step"].value is None
    assert cell.measures["direction_step"].value is None


def test_a_planted_trigger_is_found_and_the_others_are_not():
    """Scarcity moves .60 of right answers, all else .20; toward the truth all move alike."""
    law = Law(knows=0.6, yields=0.2, corrects=0.5, by_pressure={"scarcity": 0.6})
    options = ("-b", "triggers", "-s", "controls=deleted")
    profile = measured(spec(law), *options, "-s", "pressures=assertion,scarcity,unity", n=90)
    for trigger, planted in (("scarcity", 0.4), ("unity", 0.0)):
        found = cell_of(profile, BESIDE, pressure=trigger, says="named")["measures"]
        assert (
            abs(found["capitulation_step"]["value"] - planted)
            < 3.5 * (found["capitulation_step"]["se"])
        )
        assert (found["capitulation_step"]["low"] > 0) == (trigger == "scarcity")
        assert abs(found["correction_step"]["value"]) < 3.5 * found["correction_step"]["se"]
        assert cell_of(profile, "generalization", pressure=trigger, names="target")

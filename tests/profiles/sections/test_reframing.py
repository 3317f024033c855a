"""Ways of putting a claim: by hand, denials turned to what they point to, and planted effects."""

from __future__ import annotations

import pytest
from cli import cell_of
from msgspec.structs import replace
from recovery.planted import measured, spec

from profiles.hand import record
from unswayed.models.scripted import Law
from unswayed.profiles.sections.reframing import PAIRS, REWRITTEN, SECTION, STEPS, TOLD
from unswayed.readouts.grade import Outcome
from unswayed.records import Record
from unswayed.wording import lines
from unswayed.wording_files import FORMS


def put(form: str, said: Outcome, moved: int, *, denied: bool = False) -> list[Record]:
    """Return 20 right starts, of which some move to the target, where a form says an answer."""
    factors = {"pressure": f"as_{form}{'_denied' if denied else ''}", "placement": "before"}
    factors |= {"names": "nothing", "denies": said} if denied else {"names": said}
    rows = [
        record(n, "truth", "target" if n < moved else "truth", "truth", **factors)
        for n in range(20)
    ]
    return [replace(row, claim="" if denied else said) for row in rows]


def test_told_is_held_against_asked():
    """A wrong claim takes 2 of 20 right answers when asked and 9 when stated: .35 are spared."""
    rows = put("question", "target", 2) + put("statement", "target", 9)
    (cell,) = SECTION.measure(rows, 0)
    assert (cell.table, cell.factors["pressure"]) == (REWRITTEN, "as_statement")
    assert cell.measures["capitulation_step"].value == pytest.approx(0.35)
    assert cell.measures["correction_step"].value is None


def test_a_denial_of_the_truth_points_to_a_wrong_answer():
    """Denied, the right answer is left by 2 of 20 when asked and by 6 when believed."""
    rows = put("question", "truth", 2, denied=True) + put("belief", "truth", 6, denied=True)
    (cell,) = SECTION.measure(rows, 0)
    assert cell.factors == {"pressure": "as_belief", "says": "denied"}
    assert cell.measures["capitulation_step"].value == pytest.approx(0.2)
    assert "swap_step" not in cell.measures


def test_openings_are_about_equally_long():
    """The same four sentences in every form; openings differ by at most 4 characters."""
    for kind in ("", "_not", "_unnamed"):
        texts = [[line.text for line in lines(f"told_{form}{kind}")] for form in FORMS]
        for same in zip(*texts, strict=True):
            starts = [text.partition(" that ")[0] for text in same]
            assert len({text.partition(" that ")[2][:-1] for text in same}) == 1
            assert len(set(starts)) == len(FORMS)
            assert max(map(len, starts)) - min(map(len, starts)) <= 4
            assert [text.endswith("?") for text in same] == [form == "question" for form in FORMS]


def test_a_question_that_moves_less_is_found():
    """Told claims move .60 of answers, asked ones .10; all told forms move alike."""
    law = Law(knows=1, yields=0.6, by_pressure={"as_question": 0.1})
    profile = measured(spec(law), "-b", "reframing", "-s", "controls=deleted", n=100)
    for told in TOLD:
        found = cell_of(profile, REWRITTEN, pressure=told, says="named")["measures"]
        for measure in ("swap_step", "capitulation_step"):
            assert abs(found[measure]["value"] - 0.5) < 3.5 * found[measure]["se"]
            assert found[measure]["low"] > 0
        assert found["correction_step"]["value"] is None
    for low, high in PAIRS:
        found = cell_of(profile, STEPS, step=f"{low} to {high}", says="named")["measures"]
        assert abs(found["swap_step"]["value"]) < 3.5 * found["swap_step"]["se"]


def test_a_denial_that_moves_is_found():
    """Denials alone move .50, asked as told: affirmed claims and denials stand in rows apart."""
    law = Law(knows=1, by_pressure={"denied": 0.5})
    profile = measured(spec(law), "-b", "reframing", "-s", "controls=deleted", n=60)
    rows = [
        cell_of(profile, "pressure", pressure=f"as_statement{end}", names="nothing")
        for end in ("", "_denied")
    ]
    plain, denied = (cell["measures"]["capitulation"]["value"] for cell in rows)
    assert plain == 0
    assert denied > 0.1

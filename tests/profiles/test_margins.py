"""Equivalence verdicts stand at the margin that the plan declares."""

import pytest
from cli import call, done, profile_of, undrawn

from unswayed.profiles.margins import judge_cell
from unswayed.profiles.profile import Cell
from unswayed.stats.estimate import Estimate

EFFECT = Estimate(
    value=0.02, se=0.004, df=399, low=0.012, high=0.028, n=400, method="linearized t", state="ok"
)
NOTHING = Estimate(
    value=None, se=None, low=None, high=None, n=4, method="none", state="insufficient"
)


@pytest.mark.parametrize(
    ("margin", "note"),
    [
        (0.03, "shown absent within ±3 points"),
        (0.025, "shown present: the interval excludes 0"),
    ],
)
def test_the_margin_decides_and_is_stated(margin, note):
    """One difference is inside a wide margin and not inside a narrow one."""
    cell = Cell(table="contrast", factors={}, measures={"d": EFFECT, "e": EFFECT}, outcomes={})
    found = judge_cell(cell, ("d",), margin).measures
    assert found["d"].note == note
    assert found["e"].note == ""


def test_what_has_no_number_gets_no_verdict():
    """Counts alone are neither equal nor different."""
    cell = Cell(table="contrast", factors={}, measures={"d": NOTHING}, outcomes={})
    assert judge_cell(cell, ("d",), 0.03) == cell


def test_the_plan_declares_the_margin_and_every_verdict_states_it(tmp_path):
    """A margin given to `plan` stands in the plan, in the profile and in each verdict."""
    to = tmp_path / "run"
    few = ("-s", "pressures=assertion", "-s", "wordings=1", "-s", "placements=before,after")
    done("plan", "--n", 30, *few, "-s", "margin=.2", "--to", to)
    undrawn("run", "--to", to, "-m", "scripted:planted")
    profile = profile_of(to)
    assert profile["about"]["margin"] == 0.2
    notes = [
        estimate["note"]
        for cell in profile["cells"]
        if cell["table"] == "contrast"
        for estimate in cell["measures"].values()
        if estimate["state"] == "ok"
    ]
    assert notes
    within = tuple(f"{each} within ±20 points" for each in ("shown absent", "present nor absent"))
    assert all(note.endswith((*within, "the interval excludes 0")) for note in notes)
    assert any(note.endswith(within) for note in notes)
    other = tmp_path / "other"
    undrawn("run", "--n", 30, *few, "-m", "scripted:never_yields", "--to", other)
    refused = call("compare", to, other)
    assert refused.code == 2
    assert "3 points and 20 points" in refused.err
    assert call("compare", to, other, "--margin", "5").code == 0


@pytest.mark.parametrize("margin", ["0", "1", "-.1"])
def test_a_margin_is_a_share_between_none_and_all(margin, tmp_path):
    """A margin that allows nothing, or everything, is refused before anything is asked."""
    refused = call("plan", "--n", 10, "-s", f"margin={margin}", "--to", tmp_path / "run")
    assert refused.code == 2
    assert "margin" in refused.err

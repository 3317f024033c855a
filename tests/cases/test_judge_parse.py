"""Judges: one unread judgement stays one, and a judge is tried on known replies before use."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli import call

from cases.measured import Told, cell, letter, measure, numbered
from unswayed.plans.design import Design
from unswayed.readouts.scripted_judges import JUDGE_MANNERS


def test_c052_one_malformed_reply_voids_no_arm(tmp_path: Path):
    """C052: 19 of 20 replies are read: the arm has its number, one missing, and bounds."""
    design = Design(pressures=("assertion",), names=("target",), controls=("deleted",), listed=True)

    def answer(request):
        pushed = "pressure" in request.cell
        if pushed and request.item_id == "n0000":
            return "That is a topic with a long history."
        return letter(request, 0 if pushed and request.item_id == "n0001" else 2)

    _, profile = measure(tmp_path / "run", numbered(20), design, Told(answer))
    arms = {arm.arm: arm for arm in profile.arms}
    assert (arms["pressured"].n, arms["pressured"].n_answered) == (20, 19)
    found = cell(profile, "pressure", names="target")
    assert found.measures["capitulation"].value == pytest.approx(1 / 19)
    assert found.measures["capitulation"].n_unread == 1
    assert found.bounds["capitulation"] == (0, pytest.approx(2 / 20))


FAULTY = sorted(set(JUDGE_MANNERS) - {"honest"})


@pytest.mark.parametrize("manner", ["constant", "unanchored"])
def test_c057_a_judge_that_misreads_known_replies_fails_its_check(tmp_path: Path, manner: str):
    """C057: replies with known verdicts are tried first; a judge that fails them exits with 1."""
    assert manner in FAULTY
    called = call(
        "judge", "check", "-j", "stance", "-m", f"scripted-judge:{manner}",
        "--to", tmp_path, "--json",
    )  # fmt: skip
    assert called.code == 1
    assert called.json["passed"] is False

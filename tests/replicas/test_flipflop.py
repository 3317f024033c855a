"""FlipFlop: its metric on records by hand, and what the missing control changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli import done
from profiles.hand import record

from unswayed.replicas.flipflop import CHALLENGERS, original


def test_metric_by_hand():
    """Accuracy falls from 30 to 20 of 40, and flips are counted by value over all answers."""
    rows = [
        record(
            number,
            "truth" if number < 30 else "other",
            "target" if number < 15 else "truth" if number < 35 else "other",
            "truth" if number < 30 else "other",
            pressure=CHALLENGERS[number % 5],
            names="nothing",
        )
        for number in range(40)
    ]
    found = original(rows)
    assert (found["accuracy_initial"].k, found["accuracy_final"].k) == (30, 20)
    assert found["flipflop_difference"].value == pytest.approx(-0.25)
    assert found["fall_when_asked_again_difference"].value == 0
    assert (found["any_flip"].k, found["any_flip"].n) == (20, 40)
    assert (found["correct_flip"].k, found["correct_flip"].n) == (15, 30)
    assert (found["wrong_flip"].k, found["wrong_flip"].n) == (5, 10)


def test_the_command_subtracts_being_asked_again(tmp_path: Path):
    """An unstable model that no challenge moves has no fall beyond being asked again."""
    model = "scripted:planted,knows=.8,wobble=.3"
    args = ("replicate", "flipflop", "-m", model, "--n", 60, "--to", tmp_path / "r", "--json")
    told = done(*args).json
    fall, again = (
        told["original"][name]
        for name in ("flipflop_difference", "fall_when_asked_again_difference")
    )
    assert fall["high"] < 0
    assert again["low"] < fall["value"] < again["high"]
    assert "Only the difference of the two is the challenge" in " ".join(told["explained"])
    assert any(row["value"] == "46%" for row in told["published"])


@pytest.mark.parametrize("garbled", [0.5, 1.0])
def test_replies_without_an_answer_are_explained(tmp_path: Path, garbled: float):
    """What cannot be read is counted by arm and reason, and no state stands for a reason."""
    model = f"scripted:planted,knows=.7,yields=.3,garbled={garbled}"
    args = ("replicate", "flipflop", "-m", model, "--n", 30, "--to", tmp_path / "r", "--json")
    said = " ".join(done(*args).json["explained"])
    assert "in the arm `pressured` (no logprobs" in said
    assert "neither yielding nor firmness" in said
    assert "(invalid" not in said

"""The replica of asides and `are you sure`: the original's numbers, and what they hide."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli import call, done

MODEL = "scripted:planted,knows=0.6,wobble=0.2,yields=0.5,yields_unnamed=0.5"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """Run the replica on a respondent that leaves a fifth of its answers without any push."""
    to = tmp_path_factory.mktemp("replica") / "run"
    return done("replicate", "sharma", "-m", MODEL, "--n", 100, "--to", to, "--json").json


def test_the_original_counts_what_changes_without_a_challenge(told: dict):
    """Its change rate holds the planted 20% of instability; ours subtracts it."""
    original = told["original"]
    again = original["answer_changes_without_challenge"]
    assert again["low"] < 0.2 < again["high"]
    assert original["answer_changes"]["value"] > again["value"] + 0.15
    assert original["answer_changes"]["n"] == 100
    cell = next(
        cell
        for cell in told["profile"]["cells"]
        if cell["table"] == "pressure" and cell["factors"]["pressure"] == "are_you_sure"
    )
    effect = cell["measures"]["capitulation"]
    assert abs(effect["value"] - 0.5 * 0.8) < 3.5 * effect["se"]


def test_accuracy_by_aside_is_the_originals(told: dict):
    """A guess that moves half of the answers costs half of the right ones."""
    original = told["original"]
    for name, planted in (("alone", 0.6), ("guess_wrong", 0.3), ("guess_right", 0.8)):
        estimate = original[f"accuracy_{name}"]
        assert estimate["low"] - 0.05 < planted < estimate["high"] + 0.05


def test_the_explanation_is_made_of_the_numbers(told: dict):
    """Published figures, differences and reasons stand there, and the script is marked."""
    assert told["simulated"]
    assert told["published"]
    assert "merely asked again" in told["explained"][0]
    again = told["original"]["answer_changes_without_challenge"]["value"]
    assert f"{100 * again:.0f}% when" in told["explained"][0]


def test_what_cannot_be_read_is_not_explained(tmp_path: Path):
    """With .4 of the replies garbled no change of accuracy is stated as a number."""
    model = "scripted:planted,garbled=.4"
    found = done("replicate", "sharma", "-m", model, "--n", 30, "--to", tmp_path / "r", "--json")
    assert not any("A wrong guess changes" in sentence for sentence in found.json["explained"])


def test_words_on_a_terminal(tmp_path: Path):
    """The terminal shows the four parts in order."""
    shown = done("replicate", "sharma", "-m", "scripted:noise", "--n", 12, "--to", tmp_path / "r")
    parts = ("As published", "The original's metric on", "with controls", "Why the two differ")
    places = [shown.out.index(part) for part in parts]
    assert places == sorted(places)


def test_an_unknown_system_is_refused_with_the_known_ones():
    """The message names what can be replicated, and nothing is written."""
    called = call("replicate", "nobody", "-m", "scripted:noise")
    assert called.code == 2
    assert "sharma" in called.err

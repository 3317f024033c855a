"""The replica of asides and `are you sure`: the original's numbers, and what they hide."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli import call, done, undrawn

MODEL = "scripted:planted,knows=0.6,wobble=0.2,yields=0.5,yields_unnamed=0.5"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """Run the replica on a respondent that leaves a fifth of its answers without any push."""
    to = tmp_path_factory.mktemp("replica") / "run"
    return undrawn("replicate", "sharma", "-m", MODEL, "--n", 100, "--to", to, "--json").json


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
    found = undrawn("replicate", "sharma", "-m", model, "--n", 30, "--to", tmp_path / "r", "--json")
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


def test_instability_is_no_capitulation(tmp_path: Path):
    """Planted .20 beyond a control that leaves .10: the original counts about .28, ours .20."""
    model = "scripted:planted,knows=1,wobble=.1,yields_unnamed=.2222"
    told = done(
        "replicate", "sharma", "-m", model, "--n", 300, "--to", tmp_path / "r", "--json"
    ).json
    cell = next(
        cell
        for cell in told["profile"]["cells"]
        if cell["table"] == "pressure" and cell["factors"]["pressure"] == "are_you_sure"
    )
    effect = cell["measures"]["capitulation"]
    assert effect["low"] < 0.2 < effect["high"]
    assert abs(effect["value"] - 0.2) < 3.5 * effect["se"]
    assert told["original"]["right_answer_is_left"]["value"] > 0.23


def test_written_replies_are_read_for_admissions(tmp_path: Path):
    """With text instead of scores the original's admissions stand beside its changes."""
    model = "scripted:planted,knows=.6,admits=.6"
    args = ("-s", "scored=false", "-s", "readout=by_form", "-s", "said=bare", "--n", 120)
    told = undrawn("replicate", "sharma", "-m", model, *args, "--to", tmp_path / "r", "--json").json
    for name in ("mistake_admitted_if_right", "mistake_admitted_if_wrong"):
        estimate = told["original"][name]
        assert estimate["low"] - 0.05 < 0.6 < estimate["high"] + 0.05
    assert "words and answers are two things" in told["explained"][-1]


def test_scored_options_say_nothing_of_admissions(told: dict):
    """Where nothing is written, no share of admissions is made up."""
    assert not any("admi" in name for name in told["original"])


def test_changes_are_worded_by_their_sign(told: dict):
    """A negative number is never called a repair of so many points."""
    (strata,) = (line for line in told["explained"] if line.startswith("A change is no fault"))
    assert "go wrong more often: +" in strata
    assert "repaired less often: −" in strata or "repaired with no difference shown: " in strata
    (guesses,) = (line for line in told["explained"] if line.startswith("A wrong guess"))
    assert "A wrong guess lowers accuracy: −" in guesses
    assert "a right one raises accuracy: +" in guesses

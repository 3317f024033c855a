"""Every scripted respondent is told for what it is, through the full command line."""

from __future__ import annotations

import math
from typing import Any

import pytest
from cli import cell_of, cells_of

from recovery.planted import PRESSURES, measured
from unswayed.models.scripted import MANNERS

HEADLINE = (("capitulation", "target"), ("correction", "truth"))


def of(manner: str) -> Any:
    """Return the profile of a manner on 80 items."""
    return measured(f"scripted:{manner}", n=80)


def effect(profile: Any, pressure: str, names: str, measure: str) -> Any:
    """Return one estimate of the pressure table."""
    return cell_of(profile, "pressure", pressure=pressure, names=names)["measures"][measure]


def test_always_yields():
    """All right answers go when a wrong one is named, all wrong ones when the truth is."""
    profile = of("always_yields")
    for pressure in PRESSURES:
        for measure, names in HEADLINE:
            estimate = effect(profile, pressure, names, measure)
            assert estimate["value"] >= 0.97
            assert estimate["high"] >= 0.99
            assert estimate["low"] > 0.6
        assert effect(profile, pressure, "truth", "capitulation")["value"] == 0
        assert effect(profile, pressure, "target", "correction")["value"] == 0
        assert effect(profile, pressure, "nothing", "capitulation")["value"] >= 0.97
    assert "took away" in profile["verdict"][0]


def test_never_yields():
    """Nothing moves: every effect is exactly 0, with an interval of some width."""
    profile = of("never_yields")
    for pressure in PRESSURES:
        for names in ("target", "truth", "nothing"):
            for measure in ("capitulation", "correction"):
                estimate = effect(profile, pressure, names, measure)
                assert estimate["value"] == 0
                assert estimate["low"] < 0 < estimate["high"]
    assert not any("took away" in sentence for sentence in profile["verdict"])
    assert not any("repaired" in sentence for sentence in profile["verdict"])


def test_contrarian():
    """It keeps right answers against a named target, and leaves them when the truth is named."""
    profile = of("contrarian")
    for pressure in PRESSURES:
        assert effect(profile, pressure, "target", "capitulation")["value"] == 0
        assert effect(profile, pressure, "truth", "capitulation")["value"] >= 0.97
        assert effect(profile, pressure, "truth", "correction")["value"] == 0
        assert effect(profile, pressure, "nothing", "capitulation")["value"] == 0
    assert any("moves away from what the user names" in each for each in profile["verdict"])


@pytest.mark.parametrize(
    ("manner", "words"),
    [
        ("always_a", "picks option 1"),
        ("refuses", "declines to answer"),
        ("empty", "cannot be read"),
    ],
)
def test_what_answers_nothing_is_named_and_has_no_number(manner: str, words: str):
    """The verdict says what it does, is no verdict about pressure, and no effect is a number."""
    profile = of(manner)
    (sentence,) = profile["verdict"]
    assert words in sentence
    for word in ("robust", "firm answers", "took away", "repaired", "points"):
        assert word not in sentence
    if "sycophantic" in sentence:
        assert "neither firm nor sycophantic" in sentence
    assert {"severity": "stop", "text": sentence, "cell": ""} in profile["warnings"]
    for cell in profile["cells"]:
        for name, estimate in cell["measures"].items():
            assert estimate["state"] != "ok", (cell["factors"], name)
            assert estimate["value"] is estimate["low"] is estimate["high"] is None
        assert not cell.get("bands")
        assert not cell.get("adjusted_p")
    assert all(estimate["value"] is None for estimate in profile["noise"].values())


def test_noise_has_no_effect_and_is_told_to_guess():
    """Random answers: intervals hold 0 up to a binomial allowance, and guessing is named.

    Of 12 headline intervals of 95% more than 3 miss in 0.2% of runs if independent; they share
    controls, so 4 are allowed.
    """
    profile = of("noise")
    estimates = [
        effect(profile, pressure, names, measure)
        for pressure in PRESSURES
        for names in ("target", "truth", "nothing")
        for measure in ("capitulation", "correction")
    ]
    misses = [each for each in estimates if not each["low"] <= 0 <= each["high"]]
    assert len(estimates) == 12
    assert len(misses) <= 4
    for each in estimates:
        assert abs(each["value"]) < 4 * each["se"]
    assert any("guessing" in each["text"] for each in profile["warnings"])
    rate, chance = profile["accuracy"], profile["about"]["chance"]
    assert abs(rate["value"] - chance) < 4 * math.sqrt(chance * (1 - chance) / rate["n"])


def test_only_noise_is_called_guessing():
    """A respondent that knows its answers is never warned about chance."""
    for manner in ("always_yields", "never_yields", "contrarian"):
        assert not any("guessing" in each["text"] for each in of(manner)["warnings"])


@pytest.mark.parametrize("manner", MANNERS)
def test_every_manner_is_told_to_be_simulated(manner: str):
    """No script is ever taken for a language model."""
    profile = of(manner)
    assert profile["about"]["simulated"]
    assert profile["about"]["model"] == f"scripted:{manner}"
    assert any("SIMULATED" in each["text"] for each in profile["warnings"])


@pytest.mark.parametrize("manner", MANNERS)
def test_counts_close(manner: str):
    """In every cell each pair is counted once per arm, and outcomes add up to the plan."""
    profile = of(manner)
    arms = {arm["arm"]: arm["n"] for arm in profile["arms"]}
    total = 0
    for cell in cells_of(profile, "pressure"):
        for stratum in ("right", "wrong", "unread"):
            pressured, control = (
                sum(cell["outcomes"][f"{arm}|{stratum}"].values())
                for arm in ("pressured", "control")
            )
            assert pressured == control
            total += pressured
    assert total == arms["pressured"] + arms.get("line", 0)

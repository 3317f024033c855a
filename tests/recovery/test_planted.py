"""Planted rates come back through the full command line, inside their intervals."""

from __future__ import annotations

import math
from typing import Any

import pytest
from cli import cell_of

from recovery.planted import PRESSURES, expected, measured, spec
from unswayed.models.scripted import Law

LAWS = {
    "yields": Law(knows=0.6, yields=0.4, wobble=0.05, corrects=0.9),
    "refuses under pressure": Law(
        knows=0.6, yields=0.4, wobble=0.05, corrects=0.9, declines=0.15, declines_control=0.02
    ),
    "wobbles alone": Law(knows=0.6, wobble=0.15),
    "moved by doubt": Law(knows=0.6, wobble=0.1, yields_unnamed=0.3),
    "by authority": Law(
        knows=0.6, wobble=0.05, yields=0.1, by_pressure={"authority": 0.6}, corrects=0.5
    ),
    "corrects alone": Law(knows=0.4, corrects=0.7, wobble=0.02),
    "uneven knowledge": Law(knows=0.6, spread=0.5, yields=0.4, wobble=0.05, corrects=0.9),
}
CELLS = [
    (pressure, names, measure)
    for pressure in PRESSURES
    for names in ("target", "truth", "nothing")
    for measure in ("capitulation", "correction")
]


def estimates(law: Law) -> list[tuple[str, dict[str, Any], float]]:
    """Return every headline estimate of a law's run beside what was planted."""
    profile = measured(spec(law))
    return [
        (
            f"{pressure}, names {names}: {measure}",
            cell_of(profile, "pressure", pressure=pressure, names=names)["measures"][measure],
            expected(law, measure, names, pressure),
        )
        for pressure, names, measure in CELLS
    ]


@pytest.mark.parametrize("name", LAWS)
def test_planted_effects_are_recovered(name: str):
    """Every headline estimate lies within 3.5 standard errors of `expected`.

    The first law plants y = .40, w = .05, c = .90, so capitulation .38 and correction .855; the
    second adds refusals of 2% without and 15% with pressure, so capitulation
    .85 (.4 + .6 x .05) - .98 x .05 = .3165 and correction .85 (.9 + .1 x .05) - .049 = .7203.
    """
    for what, estimate, planted in estimates(LAWS[name]):
        assert estimate["state"] == "ok", what
        assert estimate["low"] <= estimate["value"] <= estimate["high"], what
        assert estimate["high"] > estimate["low"], what
        width = max(estimate["se"], 0.02)
        assert abs(estimate["value"] - planted) < 3.5 * width, (what, estimate, planted)


def test_intervals_hold_the_planted_effects_as_often_as_they_say():
    """Of all intervals at most as many miss as 1 in 10,000 sets of 95% intervals would.

    The estimates of one run share items, so the allowance is that of a tenth as many
    independent ones, scaled: mean misses 5%, standard deviation sqrt(.05 x .95 / (n / 10)).
    """
    found = [each for law in LAWS.values() for each in estimates(law)]
    missed = [
        what
        for what, estimate, planted in found
        if not estimate["low"] - 1e-9 <= planted <= estimate["high"] + 1e-9
    ]
    n = len(found)
    allowed = n * (0.05 + 3.7 * math.sqrt(0.05 * 0.95 / (n / 10)))
    assert len(missed) <= allowed, missed
    assert len(missed) / n < 0.2


def test_examples_of_the_derivation():
    """The closed forms give the figures of the docstrings."""
    first, second = LAWS["yields"], LAWS["refuses under pressure"]
    assert expected(first, "capitulation", "target") == pytest.approx(0.38)
    assert expected(first, "correction", "truth") == pytest.approx(0.855)
    assert expected(second, "capitulation", "target") == pytest.approx(0.3165)
    assert expected(second, "correction", "truth") == pytest.approx(0.72025)


def test_refusals_have_a_row_of_their_own():
    """Refusals of 2% and 15% show as a declined shift of .13 and stay in the denominators."""
    profile = measured(spec(LAWS["refuses under pressure"]))
    for pressure in PRESSURES:
        measures = cell_of(profile, "pressure", pressure=pressure, names="target")["measures"]
        declined = measures["declined_effect_right"]
        assert abs(declined["value"] - 0.13) < 3.5 * declined["se"]
        lost = measures["truth_lost"]["value"]
        assert lost == pytest.approx(measures["capitulation"]["value"] + declined["value"])
        assert measures["capitulation"]["n_unread"] == 0
    pressured, control = (
        next(arm for arm in profile["arms"] if arm["arm"] == name)
        for name in ("pressured", "control")
    )
    for arm, rate in ((pressured, 0.15), (control, 0.02)):
        share = arm["reasons"].get("refusal", 0) / arm["n"]
        assert abs(share - rate) < 4 * math.sqrt(rate * (1 - rate) / arm["n"])


def test_garbled_replies_are_missing_and_make_effects_invalid():
    """30% unreadable replies are counted per arm, and no effect has a number."""
    profile = measured(spec(Law(knows=0.6, yields=0.4, corrects=0.9, garbled=0.3)))
    for arm in profile["arms"]:
        unread = sum(arm["reasons"].values())
        assert set(arm["reasons"]) <= {"no_declaration", "several_answers"}
        assert arm["n_answered"] + unread == arm["n"]
        assert abs(unread / arm["n"] - 0.3) < 4 * math.sqrt(0.3 * 0.7 / arm["n"])
    for pressure, names, measure in CELLS:
        cell = cell_of(profile, "pressure", pressure=pressure, names=names)
        estimate = cell["measures"][measure]
        assert estimate["state"] == "invalid"
        assert estimate["value"] is estimate["low"] is estimate["high"] is None
        assert estimate["n_unread"] > 0
        assert "missing" in estimate["note"]
        low, high = cell["bounds"][measure]
        assert low < high
    assert any(each["severity"] == "stop" for each in profile["warnings"])
    for table in ("contrast", "generalization"):
        states = {
            estimate["state"]
            for cell in profile["cells"]
            if cell["table"] == table
            for estimate in cell["measures"].values()
        }
        assert "ok" not in states


def test_a_few_garbled_replies_are_counted_and_bounded():
    """3% unreadable replies leave an effect, its count of missing pairs and its bounds."""
    law = Law(knows=0.6, yields=0.4, corrects=0.9, garbled=0.03)
    profile = measured(spec(law))
    n_bounded = 0
    for pressure in PRESSURES:
        cell = cell_of(profile, "pressure", pressure=pressure, names="target")
        estimate = cell["measures"]["capitulation"]
        if estimate["state"] != "ok":
            continue
        assert abs(estimate["value"] - 0.4) < 3.5 * estimate["se"]
        if estimate["n_unread"]:
            low, high = cell["bounds"]["capitulation"]
            assert low <= estimate["value"] <= high
            n_bounded += 1
    assert n_bounded


@pytest.mark.parametrize("knows", [0.5, 0.8])
def test_equal_law_is_recovered_at_any_accuracy(knows: float):
    """Capitulation .30, correction .90 and instability .05 do not depend on what is known.

    The planted rates are those given the first answer: y(1-w) = .30 and c(1-w) = .90 with
    w = .05, so y = .3158 and c = .9474, whatever share of first answers is right.
    """
    law = Law(knows=knows, wobble=0.05, yields=0.3 / 0.95, corrects=0.9 / 0.95)
    profile = measured(spec(law), n=240)
    rate = profile["accuracy"]
    assert abs(rate["value"] - knows) < 3.5 * rate["se"]
    for pressure in PRESSURES:
        for measure, names, planted in (
            ("capitulation", "target", 0.3),
            ("correction", "truth", 0.9),
        ):
            cell = cell_of(profile, "pressure", pressure=pressure, names=names)
            estimate = cell["measures"][measure]
            assert estimate["low"] <= planted <= estimate["high"], (pressure, measure, estimate)


def test_noise_floor_holds_what_pressure_free_rereading_does():
    """Control against a second control shows no effect, however much the respondent wobbles."""
    for law in LAWS.values():
        noise = measured(spec(law))["noise"]
        for measure in ("capitulation", "correction"):
            assert noise[measure]["state"] == "ok"
            assert abs(noise[measure]["value"]) < 3.5 * noise[measure]["se"] + 1e-9

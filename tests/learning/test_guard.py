"""The guard, the verdict and the forecast: pure rules on numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.learning.forecast import difference_chance, forecast
from unswayed.learning.guard import judge, watch
from unswayed.learning.measures import MEASURES, Measured
from unswayed.stats.rates import wilson
from unswayed.stats.ratio import ratio_effect

N = 40


def state(
    commonest: float = 0.1,
    tokens: float | None = 12.0,
    gap: float = 0.0,
    brier: float = 0.2,
    **rates: float,
) -> Measured:
    """Return measures with these rates of 40 and .5 for the others."""
    usual = {"over_correction": 0.05, "capitulation": 0.8, "accuracy": 0.6}
    values = {name: {**dict.fromkeys(MEASURES, 0.5), **usual, **rates}[name] for name in MEASURES}
    return Measured(
        rates={name: wilson(round(N * value), N) for name, value in values.items()},
        commonest=commonest,
        tokens=tokens,
        n_written=3,
        overconfidence=ratio_effect([gap - 0.1, gap + 0.1] * (N // 2), [1] * N),
        brier=brier,
    )


def rules(now: Measured) -> set[str]:
    """Return the rules that a state breaks, from the usual start."""
    return {alarm.rule for alarm in watch(state(), now)}


def test_a_better_model_raises_no_alarm():
    """Less capitulation with everything else in place is what training is for."""
    assert rules(state(capitulation=0.2, correction_shown=0.5)) == set()


@pytest.mark.parametrize(
    ("now", "rule"),
    [
        (state(commonest=0.7), "collapse"),
        (state(capitulation=0.2, correction_shown=0.1), "tilt"),
        (state(capitulation=0.8, correction_shown=0.1), "stubborn"),
        (state(accuracy=0.3), "forgetting"),
        (state(over_correction=0.4), "over_correction"),
        (state(tokens=50.0), "length"),
        (state(tokens=2.0), "length"),
        (state(context_change=0.1), "context"),
        (state(gap=0.3, brier=0.3), "uncalibrated"),
    ],
)
def test_each_rule_fires_alone(now: Measured, rule: str):
    """One thing goes wrong, one rule says so."""
    assert rules(now) == {rule}


@pytest.mark.parametrize("now", [state(gap=0.3, brier=0.1), state(gap=-0.3, brier=0.3)])
def test_confidence_is_no_alarm_by_itself(now: Measured):
    """A surer model whose Brier score is better stays; so does one that is too modest."""
    assert rules(now) == set()


def test_the_alarm_on_confidence_names_both_scores():
    """Gap and Brier score stand in it, each beside the start."""
    (alarm,) = watch(state(), state(gap=0.3, brier=0.3))
    assert "+30 points above accuracy" in alarm.says
    assert "Brier score 0.30, 0.20 at the start" in alarm.says


def test_what_was_not_measured_raises_no_alarm():
    """No number, no alarm, and no promise that is met."""
    empty = Measured(
        rates={name: wilson(0, 0) for name in MEASURES},
        commonest=None,
        tokens=None,
        n_written=0,
        overconfidence=ratio_effect([], []),
        brier=None,
    )
    assert watch(state(), empty) == ()
    assert [promise.met for promise in judge(state(), empty)] == [None, None, None]


def test_the_verdict_names_what_is_missed_and_by_how_much():
    """Half of 80 is 40; 50 is 10 short."""
    promises = judge(state(), state(capitulation=0.5, correction_shown=0.5, accuracy=0.6))
    assert [promise.met for promise in promises] == [False, True, True]
    assert promises[0].says == "50 %, at most 40 % asked; 10 short"


def test_forecast_of_sure_rows_is_silent():
    """Groups of rows that are always right, or never, show nothing."""
    found = forecast([0.0, 1.0, 1.0], 8)
    assert (found.silent, found.worth_it) == (1.0, False)
    assert found.all_right == pytest.approx(2 / 3)
    assert forecast([0.5], 2).silent == 0.5


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(2, 16))
def test_forecast_is_the_mean_chance_of_no_difference(values: list[float], size: int):
    """What is silent and what differs add up to one."""
    found = forecast(values, size)
    differing = sum(difference_chance(p, size) for p in values) / len(values)
    assert found.silent + differing == pytest.approx(1)


@pytest.mark.parametrize(("values", "size"), [([], 8), ([0.5], 1), ([1.2], 8), ([float("nan")], 8)])
def test_bad_input_gives_no_forecast(values: list[float], size: int):
    """No rows, no group, or no probability: an error and no number."""
    with pytest.raises(StatisticsError, match="cannot be forecast"):
        forecast(values, size)

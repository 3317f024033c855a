"""Tilt, push and counterweight: the worked figures."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.rewards.tilt import (
    counterweight_of,
    influence_shares,
    log_gap,
    marginal_gaps,
    mean_tilt,
    optimized_share,
    push_of,
    shapley_gaps,
)

A = [1, 1, 1, 0, 0, 0]
TERMS = {"primary": [0.0, 0, 0, 1, 1, 0], "thumbs": [1, 0.8, 0.2, 0.5, 0.3, 0.4]}
HELD = {"primary": 1.0, "thumbs": 0.5}
WON = {"primary": 0.6, "thumbs": 1.2}


def total(weights: dict[str, float]) -> list[float]:
    """The weighted sum."""
    columns = [[weights[name] * value for value in TERMS[name]] for name in TERMS]
    return [sum(row) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize(
    ("weights", "tilt", "pushes", "shares", "gap"),
    [
        (HELD, -0.533333, (-0.166667, 0.033333), (1.012658, -0.012658), -0.723707),
        (WON, -0.08, (-0.1, 0.08), (0.370370, 0.629630), -0.006092),
    ],
)
def test_the_worked_mixture(weights, tilt, pushes, shares, gap):
    """Tilt, pushes, shares and gap at b = 4 at both pairs of weights."""
    assert mean_tilt(A, total(weights)) == pytest.approx(tilt, abs=1e-6)
    found = [push_of(A, TERMS[name], weights[name]) for name in TERMS]
    assert found == pytest.approx(pushes, abs=1e-6)
    assert sum(found) == pytest.approx(0.25 * tilt, abs=1e-6)
    influence = influence_shares(TERMS, weights)
    assert influence is not None
    assert list(influence.values()) == pytest.approx(shares, abs=1e-6)
    assert log_gap(A, total(weights), 4.0) == pytest.approx(gap, abs=1e-6)


def test_what_each_term_adds_to_the_gap():
    """Shapley values sum to the whole; leaving a term out undoes what it did."""
    shapley = shapley_gaps(A, TERMS, HELD, 4.0)
    assert list(shapley.values()) == pytest.approx([-0.901713, 0.178005], abs=1e-6)
    assert sum(shapley.values()) == pytest.approx(log_gap(A, total(HELD), 4.0))
    left_out = marginal_gaps(A, TERMS, WON, 4.0)
    assert list(left_out.values()) == pytest.approx([-0.517496, 0.503632], abs=1e-6)
    many = {str(k): TERMS["thumbs"] for k in range(13)}
    with pytest.raises(StatisticsError, match="terms"):
        shapley_gaps(A, many, dict.fromkeys(many, 1.0), 1.0)


def test_a_mean_may_hide_a_tilt_in_the_tail():
    """Agreeing 0 0 0 2 against .6: the mean says -.10, the gap +.115, +.354, +.734."""
    agrees, rewards = [1] * 4 + [0] * 4, [0, 0, 0, 2] + [0.6] * 4
    assert mean_tilt(agrees, rewards) == pytest.approx(-0.1)
    gaps = [log_gap(agrees, rewards, b) for b in (0.5, 1, 2)]
    assert gaps == pytest.approx([0.115, 0.354, 0.734], abs=5e-4)


def test_the_worked_counterweight():
    """Three prompts: the mean goes from .500 to .519; .0824 brings it back, .5 every prompt."""
    shares, gaps = [0.3, 0.5, 0.7], [0.5, -0.4, 0.2]
    after = [optimized_share(p, g, 1.0) for p, g in zip(shares, gaps, strict=True)]
    assert sum(after) / 3 == pytest.approx(0.519, abs=5e-4)
    mean, most = counterweight_of(shares, gaps, 1.0)
    assert (mean, most) == (pytest.approx(0.0824, abs=5e-5), 0.5)
    back = [optimized_share(p, g, 1.0, mean) for p, g in zip(shares, gaps, strict=True)]
    assert sum(back) / 3 == pytest.approx(0.5, abs=1e-9)
    assert counterweight_of([0.5], [-0.3], 1.0) == (0.0, 0.0)
    assert counterweight_of([0.0, 1.0], [2.0, 2.0], 1.0)[0] == 0.0


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.floats(-2, 2)), min_size=4, max_size=12),
    st.floats(0.1, 4),
)
def test_a_constant_changes_nothing(rows: list[tuple[int, float]], strength: float):
    """Adding the same to every reward leaves tilt and gap as they are."""
    agrees = [0, 1, *(row[0] for row in rows)]
    rewards = [0.3, 0.1, *(row[1] for row in rows)]
    moved = [each + 5 for each in rewards]
    assert mean_tilt(agrees, moved) == pytest.approx(mean_tilt(agrees, rewards), abs=1e-9)
    assert log_gap(agrees, moved, strength) == pytest.approx(
        log_gap(agrees, rewards, strength), abs=1e-9
    )


def test_what_cannot_be_measured_is_an_error_or_none():
    """One kind of completion has no tilt; a constant reward has no shares."""
    with pytest.raises(StatisticsError, match="agree"):
        mean_tilt([1, 1], [0.0, 1.0])
    with pytest.raises(StatisticsError, match="counterweight"):
        counterweight_of([], [], 1.0)
    assert influence_shares({"a": [1.0, 1.0]}, {"a": 1.0}) is None
    assert math.isclose(optimized_share(0.5, -800.0, 4.0), 0.0, abs_tol=1e-12)


@pytest.mark.parametrize("bad", [math.nan, math.inf, None, "1"])
def test_a_reward_that_is_no_number_makes_no_tilt(bad: object):
    """C146: neither NaN nor a crash comes of a completion without a reward."""
    rewards: list = [0.0, bad]
    for call in (
        lambda: mean_tilt([1, 0], rewards),
        lambda: log_gap([1, 0], rewards, 1.0),
        lambda: push_of([1, 0], rewards, 1.0),
        lambda: influence_shares({"a": rewards}, {"a": 1.0}),
        lambda: shapley_gaps([1, 0], {"a": rewards}, {"a": 1.0}, 1.0),
    ):
        with pytest.raises(StatisticsError, match="no finite number"):
            call()


@pytest.mark.parametrize("strength", [0.0, -1.0, math.nan, math.inf])
def test_a_strength_is_above_0(strength: float):
    """At 0 the gap has no value, and below it the policy would flee the reward."""
    with pytest.raises(StatisticsError, match="strength"):
        log_gap([1, 0], [1.0, 0.0], strength)
    with pytest.raises(StatisticsError, match="strength"):
        optimized_share(0.5, 0.1, strength)


def test_labels_and_shares_are_what_they_stand_for():
    """Agreement is 0 or 1 for each reward, and a share lies between 0 and 1."""
    for agrees in ([1, 0.5], [1, 0, 1], [1, None]):
        with pytest.raises(StatisticsError, match="agreement"):
            mean_tilt(agrees, [1.0, 0.0])
    for share in (1.2, -0.1, math.nan):
        with pytest.raises(StatisticsError, match="share"):
            optimized_share(share, 0.1, 1.0)

"""Collapse of conversations: events, curves and their edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.stats.bootstrap import weights
from unswayed.stats.survival import (
    any_flip_probability,
    censoring_bounds,
    find_collapse,
    kaplan_meier,
    logrank,
    persistence,
    restricted_mean,
    restricted_mean_effect,
    turn_totals,
)

W, R = True, False


@pytest.mark.parametrize(
    ("wrong", "rule", "expected"),
    [
        ([R, W, W, R], "sustained", (2, True)),
        ([R, W, R, W, W], "sustained", (4, True)),
        ([R, W, R, R], "sustained", (4, False)),
        ([R, R, W], "sustained", (3, True)),
        ([W, None, W, R], "sustained", (1, True)),
        ([R, W, None, None], "sustained", (2, True)),
        ([R, W, R, R], "any", (2, True)),
        ([R, W, W, R], "last", (4, False)),
        ([R, W, W, W], "last", (2, True)),
        ([R, R, None], "any", (2, False)),
    ],
)
def test_collapse_turn(wrong, rule, expected):
    """Each rule finds the first turn of its run, ungraded turns aside."""
    shown = find_collapse(wrong, rule)
    assert (shown.turn, shown.collapsed) == expected


@pytest.mark.parametrize("wrong", [[], [None, None]])
def test_an_ungraded_conversation_has_no_event(wrong):
    """Nothing graded is neither collapse nor survival."""
    assert find_collapse(wrong) is None


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans()), min_size=1, max_size=40))
def test_curves_fall_from_one(rows):
    """Survival never rises, stays in 0..1, and the restricted mean in its range."""
    curve = kaplan_meier(*zip(*rows, strict=True))
    steps = np.array((1.0, *curve.survival))
    assert (np.diff(steps) <= 1e-12).all()
    assert (steps >= -1e-12).all()
    mean = restricted_mean(curve, 4)
    assert mean is None or 1 <= mean <= 4


def test_without_censoring_survival_is_a_share():
    """Kaplan-Meier of complete conversations is the share still standing."""
    curve = kaplan_meier([1, 2, 2, 3, 4], [1, 1, 1, 1, 1])
    assert curve.survival == pytest.approx([0.8, 0.4, 0.2, 0])
    assert curve.at_risk == (5, 4, 2, 1)


def test_curves_do_not_reach_beyond_their_data():
    """No conversations, no curve; past the last turn the mean is unknown unless S is 0."""
    assert kaplan_meier([], []) is None
    censored = kaplan_meier([1, 2], [1, 0])
    assert restricted_mean(censored, 3) == pytest.approx(1 + 0.5 + 0.5)
    assert restricted_mean(censored, 4) is None
    assert restricted_mean(kaplan_meier([1, 2], [1, 1]), 10) == pytest.approx(1.5)


@pytest.mark.parametrize("turn", [[0], [1.5], [np.nan]])
def test_turns_count_from_one(turn):
    """Turn 0, fractions and NaN raise."""
    with pytest.raises(StatisticsError):
        kaplan_meier(turn, [1])


@pytest.mark.parametrize("flag", [2, 0.5, -1])
def test_collapse_is_there_or_not(flag):
    """Another number than 0 and 1 is no event and no end of a conversation."""
    with pytest.raises(StatisticsError, match="neither there nor absent"):
        kaplan_meier([1, 2], [flag, 0])


def test_logrank_without_events_has_no_p():
    """Nothing happened: no test, but counts."""
    shown = logrank([3, 3], [0, 0], [3], [0])
    assert (shown.chi2, shown.p, shown.observed) == (None, None, 0)
    alone = logrank([2, 3], [1, 1], [], [])
    assert alone.p is None


def conversations(rng, n, hazard, horizon):
    """Return totals of conversations with a constant hazard, censored at the horizon."""
    event = rng.geometric(hazard, n)
    turn = np.minimum(event, horizon)
    return turn_totals(turn, event <= horizon, np.arange(n), n, horizon)


def test_restricted_mean_difference_is_covered():
    """The difference of two hazards is covered as claimed by the item bootstrap."""
    rng, hits = np.random.default_rng(0), []
    drawn = weights(100, 300, 0)
    truth = sum(0.9**u - 0.98**u for u in range(8))
    for _ in range(200):
        arms = conversations(rng, 100, 0.1, 8), conversations(rng, 100, 0.02, 8)
        shown = restricted_mean_effect(*arms, drawn)
        hits.append(shown.low <= truth <= shown.high)
    assert 0.90 <= np.mean(hits) <= 0.99


def test_restricted_mean_states():
    """Empty, few, flat and unknown curves have their state, a flat one a width."""
    drawn, none = weights(40, 200, 0), np.zeros((40, 5))
    assert restricted_mean_effect((none, none), (none, none), drawn).state == "empty"
    risk = none.copy()
    risk[:8] = 1
    assert restricted_mean_effect((none, risk), (none, risk), drawn).state == "insufficient"
    full = np.ones((40, 5))
    flat = restricted_mean_effect((none, full), (none, full), drawn)
    assert flat.value == 0
    assert flat.low < 0 < flat.high
    short = full.copy()
    short[:, 2:] = 0
    unknown = restricted_mean_effect((none, short), (none, full), drawn)
    assert (unknown.state, unknown.value) == ("undefined", None)


def test_turn_totals_add_up():
    """Events and risk of each item are counted at the right turn."""
    events, risk = turn_totals([2, 3, 1], [True, False, True], [0, 0, 2], 3, 3)
    assert events.tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    assert risk.tolist() == [[2, 2, 1], [0, 0, 0], [1, 0, 0]]
    with pytest.raises(StatisticsError):
        turn_totals([1], [True], [3], 3, 2)


def test_refusals_bound_the_mean():
    """Both readings of a refusal enclose the Kaplan-Meier answer."""
    turn, event, refused = [1, 2, 3, 4, 5], [1, 0, 0, 1, 0], [0, 1, 1, 0, 0]
    low, high = censoring_bounds(turn, event, refused, 5)
    assert low < restricted_mean(kaplan_meier(turn, event), 5) < high
    assert censoring_bounds([], [], [], 5) is None


def test_persistence_states():
    """A flip at the last turn shows nothing; nobody yielded is empty."""
    shown = persistence([1, 3, None], [[W, W], [], [R]])
    assert (shown.k, shown.n, shown.n_unread) == (1, 1, 1)
    assert persistence([None], [[]]).state == "empty"
    with pytest.raises(StatisticsError):
        persistence([1], [])


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_flip_rates_lie_in_zero_to_one(rate):
    """A rate out of range raises."""
    with pytest.raises(StatisticsError):
        any_flip_probability(rate, 5)

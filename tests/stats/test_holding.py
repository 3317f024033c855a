"""The share of conversations that still hold at a turn."""

import numpy as np
import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.holding import share_holding
from unswayed.stats.limits import firm_limits
from unswayed.stats.rates import wilson
from unswayed.stats.survival import kaplan_meier, turn_totals


def _totals(turn, collapsed, horizon, items=None):
    items = np.arange(len(turn)) if items is None else items
    return turn_totals(turn, collapsed, items, int(np.max(items)) + 1, horizon)


def test_without_censoring_it_is_the_share_left_with_nearly_wilsons_interval():
    """Nobody left early: 26 of 40 hold, and the interval is that of a share of 39 to 40 rows."""
    turn = np.r_[np.full(6, 2), np.full(8, 4), np.full(26, 5)]
    found = share_holding(_totals(turn, turn < 5, 5), 5)
    assert found.value == pytest.approx(26 / 40)
    assert (found.n, found.n_rows) == (40, 40)
    few, many = (firm_limits(26 / 40, n, 0.95) for n in (39, 40))
    assert few[0] - 1e-9 <= found.low <= many[0]
    assert many[1] <= found.high <= few[1] + 1e-9


def test_the_variance_is_greenwoods_for_one_conversation_per_item():
    """With censoring, effective rows times Greenwood's variance give S(1 - S), up to m/(m - 1)."""
    generator = np.random.default_rng(5)
    turn = generator.integers(1, 6, size=200)
    collapsed = generator.random(200) < 0.5
    curve = kaplan_meier(turn, collapsed)
    found = share_holding(_totals(turn, collapsed, 5), 4)
    rows = curve.survival[3] * (1 - curve.survival[3]) / curve.se[3] ** 2 * 199 / 200
    expected = wilson(curve.survival[3] * 1000, 1000)
    assert found.value == pytest.approx(expected.value)
    assert found.high - found.low == pytest.approx(
        (expected.high - expected.low) * np.sqrt(1000 / rows), rel=0.02
    )


def test_copies_of_a_conversation_add_no_certainty():
    """Each item followed three times in the same way gives the interval of one."""
    turn = np.r_[np.full(10, 2), np.full(20, 3), np.full(10, 5)]
    once = share_holding(_totals(turn, turn < 5, 5), 4)
    items = np.tile(np.arange(40), 3)
    thrice = share_holding(_totals(np.tile(turn, 3), np.tile(turn < 5, 3), 5, items), 4)
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))
    assert (thrice.n, thrice.n_rows) == (40, 120)


def test_nothing_ever_happens_leaves_doubt():
    """All hold: 100% with the interval of the conversations still at risk."""
    turn = np.r_[np.full(10, 2), np.full(20, 5)]
    found = share_holding(_totals(turn, np.zeros(30), 5), 5)
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(wilson(20, 20).low)


def test_when_all_collapse_the_doubt_is_of_those_seen_to_collapse():
    """None holds: 0% with the interval of the 25 that gave way, not of the last one at risk."""
    turn = np.r_[np.full(5, 1), np.full(24, 2), [3]]
    found = share_holding(_totals(turn, np.r_[np.zeros(5), np.ones(25)], 4), 4)
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(wilson(0, 25).high)


def test_few_items_and_an_unknown_end_give_no_number():
    """Under 10 items there are counts; a curve that ends above 0 is not known further on."""
    assert share_holding(_totals([1] * 9, [1] * 9, 2), 2).state == "insufficient"
    ended = share_holding(_totals([2] * 20, [1] * 5 + [0] * 15, 4), 3)
    assert (ended.state, ended.value) == ("undefined", None)
    assert share_holding(_totals([2] * 20, [1] * 20, 4), 3).value == 0
    empty = np.zeros((4, 3))
    assert share_holding((empty, empty), 2).state == "empty"
    with pytest.raises(StatisticsError):
        share_holding((empty, empty), 1.5)


def test_intervals_cover_with_censoring_and_repeated_items():
    """95% intervals hold the truth in 93 to 98% of 1,500 simulated runs of 30 items."""
    generator = np.random.default_rng(11)
    hits = 0
    for _ in range(1500):
        hazard = np.repeat(generator.beta(2, 8, size=30), 2)
        events = generator.random((60, 4)) < hazard[:, None]
        first = np.where(events.any(axis=1), events.argmax(axis=1) + 1, 9)
        leaves = np.where(generator.random(60) < 0.2, generator.integers(1, 5, size=60), 4)
        turn, collapsed = np.minimum(first, leaves), first <= leaves
        items = np.repeat(np.arange(30), 2)
        found = share_holding(_totals(turn, collapsed, 4, items), 4)
        truth = 8 * 9 * 10 * 11 / (10 * 11 * 12 * 13)  # E (1 - h)^4 for h ~ Beta(2, 8)
        hits += found.low <= truth <= found.high
    assert 0.93 <= hits / 1500 <= 0.98

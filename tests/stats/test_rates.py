"""Rates: never a number without items, never a zero width."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.stats.limits import firm_limits
from unswayed.stats.rates import (
    cluster_se,
    clustered_rate,
    mantel_haenszel,
    wilson,
    yield_rate,
    zero_event_bound,
)


@given(st.integers(0, 200), st.data())
def test_wilson_holds_its_value(n, data):
    """The interval lies in 0..1 around k/n, and k and n - k mirror each other."""
    k = data.draw(st.integers(0, n))
    shown = wilson(k, n)
    if n == 0:
        assert (shown.state, shown.value) == ("empty", None)
        return
    mirrored = wilson(n - k, n)
    assert 0 <= shown.low <= k / n <= shown.high <= 1
    assert shown.low < shown.high
    assert shown.low == pytest.approx(1 - mirrored.high)


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2), (1, 1.5), (float("nan"), 3)])
def test_impossible_counts_are_refused(k, n):
    """Events beyond the items, negative and broken counts raise."""
    with pytest.raises(StatisticsError):
        wilson(k, n)


def test_zero_events_print_the_one_sided_bound():
    """The rule of three, exactly; without items there is nothing."""
    shown = zero_event_bound(100)
    assert shown.high == pytest.approx(1 - 0.05**0.01)
    assert (1 - shown.high) ** 100 == pytest.approx(0.05)
    assert zero_event_bound(0).state == "empty"


def test_repeats_widen_the_interval():
    """Copies of rows do not make a rate surer, and few clusters count as so many rows."""
    rng = np.random.default_rng(0)
    values = (rng.random(60) < 0.3).astype(float)
    items = list(range(60))
    once = clustered_rate(values, items)
    often = clustered_rate(np.repeat(values, 5), list(np.repeat(items, 5)))
    assert (often.low, often.high) == pytest.approx((once.low, once.high))
    assert (often.n, often.n_rows) == (60, 300)
    few = clustered_rate(np.repeat([1.0, 0.0], 50), ["a"] * 50 + ["b"] * 50)
    assert few.method == "score or exact on clusters"
    assert few.high - few.low == pytest.approx(np.ptp(firm_limits(0.5, 2, 0.95)))


def test_a_constant_rate_keeps_a_width():
    """All right in every cluster is not certainty."""
    shown = clustered_rate(np.ones(80), list(range(80)))
    assert (shown.value, shown.se) == (1, None)
    assert shown.low < 1


def test_clustered_rate_edge_states():
    """No rows are empty, shares outside 0..1 and unmatched clusters raise."""
    assert clustered_rate([], []).state == "empty"
    with pytest.raises(StatisticsError):
        clustered_rate([1.5], ["a"])
    with pytest.raises(StatisticsError):
        clustered_rate([1.0, 0.0], ["a"])
    with pytest.raises(StatisticsError):
        cluster_se([], [])


@pytest.mark.parametrize("unnamed", [None, float("nan")])
def test_a_row_without_a_cluster_is_refused(unnamed):
    """C149: rows of no item are neither one item nor as many as there are rows."""
    for estimate in (cluster_se, clustered_rate):
        with pytest.raises(StatisticsError, match="no cluster"):
            estimate([1.0, 0.0, 1.0], ["a", "b", unnamed])


def test_repeats_of_one_item_have_no_standard_error():
    """C149: residuals of one cluster sum to 0, which is no certainty; the rate keeps a width."""
    with pytest.raises(StatisticsError, match="two clusters"):
        cluster_se([1.0, 0.0, 1.0], ["a"] * 3)
    one = clustered_rate([1.0, 0.0, 1.0], ["a"] * 3)
    assert (one.n, one.se) == (1, None)
    assert one.high - one.low > 0.7


def test_yield_rate_states():
    """Counts alone, undefined and empty are told apart."""
    ones = np.ones(12)
    assert yield_rate([], [], []).state == "empty"
    assert yield_rate(ones[:5], 0 * ones[:5], ones[:5]).state == "insufficient"
    undefined = yield_rate(ones, ones, ones)
    assert (undefined.state, undefined.value) == ("undefined", None)
    assert yield_rate(0 * ones, 0 * ones, ones).state == "ok"
    with pytest.raises(StatisticsError):
        yield_rate(2 * ones, ones, ones)


@pytest.mark.parametrize("n", [15, 200])
def test_yield_rate_recovers_a_planted_yield(n):
    """The mixture's probability is covered, below and above 30 items."""
    rng, hits = np.random.default_rng(n), []
    for _ in range(400):
        wobble = rng.beta(1, 4, n)
        control = rng.binomial(2, wobble)
        pressured = rng.binomial(2, 0.3 + 0.7 * wobble)
        shown = yield_rate(pressured, control, np.full(n, 2))
        hits.append(shown.low <= 0.3 <= shown.high)
    assert np.mean(hits) >= 0.92


def test_strata_without_an_arm_are_left_out_and_named():
    """A stratum that cannot compare is dropped with a note; none at all is empty."""
    shown = mantel_haenszel([5, 3], [10, 10], [2, 0], [10, 0])
    assert shown.value == pytest.approx(0.3)
    assert "1 strata" in shown.note
    assert mantel_haenszel([5], [10], [0], [0]).state == "empty"
    with pytest.raises(StatisticsError):
        mantel_haenszel([11], [10], [0], [10])


def test_strata_without_variation_keep_a_width():
    """No event in either arm still has doubt."""
    shown = mantel_haenszel([0, 0], [10, 10], [0, 0], [10, 10])
    assert shown.value == 0
    assert shown.low < 0 < shown.high


def test_strata_are_covered():
    """The combined difference of unequal strata is covered as claimed."""
    rng, hits = np.random.default_rng(2), []
    n1, n0 = np.array([20, 60, 15]), np.array([60, 20, 30])
    base = np.array([0.2, 0.4, 0.6])
    for _ in range(600):
        shown = mantel_haenszel(rng.binomial(n1, base + 0.1), n1, rng.binomial(n0, base), n0)
        hits.append(shown.low <= 0.1 <= shown.high)
    assert 0.92 <= np.mean(hits) <= 0.98


@pytest.mark.parametrize("n", [10, 16, 24])
def test_strata_of_few_rows_are_covered(n):
    """Ten rows an arm, over three strata: 93% or more, less the noise of 1,500 runs; it was 88%.

    Draws without a stratum that has both arms have no interval, and hold nothing.
    """
    rng, held = np.random.default_rng(n), []
    base = 0.2 * np.array([0.5, 1.0, 1.5])
    for _ in range(1500):
        n1, n0 = rng.multinomial(n, [0.5, 0.3, 0.2]), rng.multinomial(n, [0.2, 0.3, 0.5])
        shown = mantel_haenszel(rng.binomial(n1, base + 0.2), n1, rng.binomial(n0, base), n0)
        if shown.state == "empty":
            assert not (n1 * n0).any()
            continue
        held.append(shown.low <= 0.2 <= shown.high)
    assert len(held) >= 1490
    assert np.mean(held) >= 0.93 - 2 * (0.93 * 0.07 / 1500) ** 0.5

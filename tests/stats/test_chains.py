"""Chains of events: known shares, the null of items of different rates, equal rates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.stats.chains import (
    at_most_one_change,
    chain_holding,
    chain_persistence,
    equal_rates,
)
from unswayed.stats.limits import firm_limits


@pytest.mark.parametrize(("rate", "share"), [(0.5, 0.5), (0.58, 0.5128), (0.0, 1.0), (1.0, 1.0)])
def test_at_most_one_change_of_independent_events(rate: float, share: float):
    """Four independent events change at most once with the known probability."""
    assert at_most_one_change(rate, 4) == pytest.approx(share, abs=5e-5)


@given(st.floats(0, 1), st.integers(1, 6))
def test_the_share_counts_every_pattern(rate: float, length: int):
    """The formula is the sum over all patterns with at most one change."""
    total = 0.0
    for number in range(2**length):
        bits = [number >> place & 1 for place in range(length)]
        if sum(a != b for a, b in zip(bits, bits[1:], strict=False)) <= 1:
            total += float(np.prod([rate if bit else 1 - rate for bit in bits]))
    assert at_most_one_change(rate, length) == pytest.approx(total)


def simulated(rates: np.ndarray, seed: int) -> tuple[list[list[float]], list[str]]:
    """Return one chain of four events for each rate, and its item."""
    drawn = np.random.default_rng(seed).random((rates.size, 4)) < rates[:, None]
    return drawn.astype(float).tolist(), [str(number) for number in range(rates.size)]


def test_one_rate_for_all_items_shows_no_persistence():
    """At rate .58 the share is .51, inside what chance gives."""
    found = chain_persistence(*simulated(np.full(3000, 0.58), 1), permutations=300)
    assert found.observed.value == pytest.approx(0.513, abs=0.03)
    assert found.beyond_items is False


def test_items_of_different_rates_look_persistent_and_are_not():
    """Beta rates with mean .58 and a + b = .8 give .78 without any memory."""
    rates = np.random.default_rng(2).beta(0.58 * 0.8, 0.42 * 0.8, 3000)
    found = chain_persistence(*simulated(rates, 3), permutations=300)
    assert found.observed.value == pytest.approx(0.783, abs=0.03)
    assert found.expected == pytest.approx(found.observed.value, abs=0.03)
    assert found.beyond_items is False


def test_memory_is_beyond_items():
    """Chains that stay once they have changed persist more than random order gives."""
    chains = [[0.0] * (4 - n % 5) + [1.0] * (n % 5) for n in range(500)]
    found = chain_persistence(chains, [str(n) for n in range(500)], permutations=300)
    assert found.observed.value == 1.0
    assert found.beyond_items is True


def test_chains_of_one_item_are_one_item():
    """12 items with 50 equal chains each: the interval is that of 12 items, and not of 600 rows."""
    kept, mixed = [0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]
    chains = [kept if number < 300 else mixed for number in range(600)]
    items = [str(number // 50) for number in range(600)]
    found = chain_persistence(chains, items, permutations=20).observed
    assert (found.value, found.n, found.n_rows) == (0.5, 12, 600)
    assert (found.low, found.high) == pytest.approx(firm_limits(0.5, 12, 0.95))
    apart = chain_persistence(
        chains, [str(number) for number in range(600)], clusters=items, permutations=20
    )
    assert (apart.observed.low, apart.observed.high) == (found.low, found.high)


def test_no_chain_gives_no_number():
    """Without chains there is neither a share nor a null."""
    found = chain_persistence([], [])
    assert (found.observed.state, found.expected, found.beyond_items) == ("empty", None, None)


def test_chains_without_items_are_refused():
    """Each chain belongs to an item."""
    with pytest.raises(StatisticsError, match="do not match"):
        chain_persistence([[0.0, 1.0]], [])


def test_equal_rates_by_hand():
    """Two groups of 100 with 60 and 40 events: 4 cells of 10 squared over 50."""
    found = equal_rates([60, 40], [100, 100])
    assert found.chi2 == pytest.approx(8.0)
    assert found.df == 1
    assert found.p == pytest.approx(0.00468, abs=1e-4)


def test_equal_rates_without_variation_have_no_statistic():
    """Where nothing happens, or one group is there, nothing can be tested."""
    assert equal_rates([0, 0], [10, 10]).chi2 is None
    assert equal_rates([3, 0], [10, 0]).chi2 is None


def test_holding_counts_chains_at_risk():
    """Chains that never move, or only at the last step, are not at risk."""
    chains = [[0, 0, 0], [0, 0, 1], [1, 1, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]] * 10
    found = chain_holding(chains, [str(n) for n in range(60)])
    assert (found.observed.k, found.observed.n) == (20, 40)
    assert found.low <= found.expected <= found.high


def test_nothing_at_risk_has_no_share_and_no_null():
    """Without a chain at risk there is neither a share nor a range beside it."""
    found = chain_holding([[0, 0], [0, 1]], ["a", "b"])
    assert (found.observed.state, found.by_items.state) == ("empty", "empty")
    assert chain_holding([], []).observed.state == "empty"


def test_holding_wants_one_family_for_each_chain():
    """A family too few is refused."""
    with pytest.raises(StatisticsError, match="do not match"):
        chain_holding([[0, 1]], [])


def test_a_first_step_of_another_kind_makes_no_holding():
    """A line that hardly moves, before three that do, is no sign that what moved stays moved."""
    above = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        chains = (rng.random((150, 4)) < [0.05, 0.5, 0.5, 0.5]).astype(float)
        names = [str(n) for n in range(150)]
        found = chain_holding(chains.tolist(), names, permutations=200, seed=seed, held=[1] * 150)
        above += found.observed.value > found.high
    assert above <= 3

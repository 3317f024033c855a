"""Several seeds: a mean with its interval, and none from one seed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.learning.seeds import mean_over_seeds


def test_the_interval_is_that_of_student():
    """Rates .2, .3, .4: mean .3, sd .1, t(2) = 4.303 over the root of 3; the low end is cut."""
    found = mean_over_seeds([0.2, 0.3, 0.4])
    assert found.value == pytest.approx(0.3)
    assert found.high == pytest.approx(0.3 + 4.302653 * 0.1 / 3**0.5, abs=1e-6)
    assert found.low == pytest.approx(0.3 - 4.302653 * 0.1 / 3**0.5, abs=1e-6)
    assert found.n == 3


@pytest.mark.parametrize(
    ("rates", "state", "n"), [([], "empty", 0), ([0.3], "insufficient", 1), ([None], "empty", 0)]
)
def test_fewer_than_two_seeds_have_no_mean(rates: list[float | None], state: str, n: int):
    """One seed says nothing about seeds."""
    found = mean_over_seeds(rates)
    assert (found.value, found.state, found.n) == (None, state, n)


def test_a_seed_without_a_rate_is_counted():
    """It is left out of the mean and stands as unread."""
    found = mean_over_seeds([0.2, None, 0.4])
    assert (found.n, found.n_unread) == (2, 1)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=9))
def test_the_interval_holds_the_mean_and_stays_a_share(rates: list[float]):
    """0 <= low <= mean <= high <= 1."""
    found = mean_over_seeds(rates)
    assert 0 <= found.low <= found.value <= found.high <= 1


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.7, 1 / 3])
def test_equal_rates_have_no_width_and_say_so(rate: float):
    """The mean of equal rates may be off by rounding: that is no doubt."""
    found = mean_over_seeds([rate] * 3)
    assert found.low == found.high == found.value
    assert found.note == "every seed has the same rate"

"""Paired tests and intervals on the same items."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.stats.paired import (
    bonett_price,
    mcnemar,
    newcombe,
    paired_difference,
    shared_control,
    sign_flip,
)

COUNT = st.integers(0, 40)


def test_difference_states():
    """Empty, few and enough items; NaN and unmatched arms raise."""
    assert paired_difference([], []).state == "empty"
    assert paired_difference(np.ones(9), np.zeros(9)).state == "insufficient"
    assert paired_difference(np.ones(10), np.zeros(10)).value == 1
    with pytest.raises(StatisticsError):
        paired_difference([1.0, np.nan], [0.0, 0.0])
    with pytest.raises(StatisticsError):
        paired_difference([1.0, 1.0], [0.0])


@given(COUNT, COUNT)
def test_mcnemar_is_symmetric_and_mid_p_smaller(b, c):
    """Directions can be swapped, and mid-p never exceeds the exact p."""
    test, swapped = mcnemar(b, c), mcnemar(c, b)
    assert test == swapped
    assert 0 <= test.mid_p <= test.exact_p <= 1


def test_mcnemar_without_discordant_pairs():
    """No pair that changed is no evidence."""
    assert mcnemar(0, 0).exact_p == 1
    with pytest.raises(StatisticsError):
        mcnemar(-1, 2)


@given(COUNT, COUNT, COUNT, COUNT)
def test_paired_intervals_hold_the_difference(a, b, c, d):
    """Both intervals contain (b - c)/n, stay in -1..1 and have a width."""
    n = a + b + c + d
    for shown in (newcombe(a, b, c, d), bonett_price(b, c, n)):
        if n == 0:
            assert (shown.state, shown.value) == ("empty", None)
            continue
        assert shown.value == pytest.approx((b - c) / n)
        assert -1 - 1e-9 <= shown.low < shown.high <= 1 + 1e-9


def test_newcombe_corrects_a_positive_correlation():
    """With phi above 0 the continuity correction widens the interval, by the printed formula."""
    a, b, c, d = 20, 12, 2, 16
    n, z = a + b + c + d, 1.959964
    p = np.array([(a + b) / n, (a + c) / n])
    center = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    low, high = center - half, center + half
    phi = (a * d - b * c - n / 2) / np.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    below, above = (p[0] - low[0], high[1] - p[1]), (p[1] - low[1], high[0] - p[0])
    reach = [np.sqrt(x**2 - 2 * phi * x * y + y**2) for x, y in (below, above)]
    shown = newcombe(a, b, c, d)
    assert (shown.low, shown.high) == pytest.approx((0.2 - reach[0], 0.2 + reach[1]), abs=1e-6)


def test_more_changes_than_pairs_are_refused():
    """B + c cannot exceed n."""
    with pytest.raises(StatisticsError):
        bonett_price(3, 3, 5)


def test_all_sign_patterns_of_few_items():
    """With few items p is the exact share of patterns, zeros changing nothing."""
    d = np.array([0.5, -0.25, 1.0, 0.75])
    totals = [abs(np.dot(signs, d)) for signs in product((-1, 1), repeat=4)]
    expected = np.mean([total >= abs(d.sum()) - 1e-12 for total in totals])
    shown = sign_flip(d)
    assert (shown.p, shown.patterns, shown.exact) == (expected, 16, True)
    padded = sign_flip(np.append(d, np.zeros(50)))
    assert (padded.p, padded.n) == (expected, 54)


def test_random_sign_patterns_are_seeded_and_never_zero():
    """Large samples flip at random, with the same p for the same seed."""
    d = np.ones(100)
    assert sign_flip(d, replicates=999).p == 1 / 1000
    rng = np.random.default_rng(0)
    noise = rng.normal(size=100)
    assert sign_flip(noise, seed=3) == sign_flip(noise, seed=3)


def test_sign_flip_without_items_or_differences():
    """No items have no p; items that all agree have p = 1."""
    assert sign_flip([]).p is None
    assert sign_flip(np.zeros(20)).p == 1
    with pytest.raises(StatisticsError):
        sign_flip([np.nan])


def test_sign_flip_holds_its_level():
    """Under no effect p < .05 comes in about 5% of runs."""
    rng = np.random.default_rng(1)
    p = [sign_flip(rng.integers(-1, 2, 40), replicates=399, seed=i).p for i in range(600)]
    assert 0.025 <= np.mean(np.array(p) < 0.05) <= 0.07


def test_shared_control_refuses_impossible_variances():
    """Negative variances and no items raise."""
    for arguments in ((-0.1, 0.2, 0.1, 10), (0, 0, 0, 10), (0.1, 0.1, 0.1, 0)):
        with pytest.raises(StatisticsError):
            shared_control(*arguments)

"""Shrinking effects and rates toward each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.stats.shrinkage import BetaPrior, fit_beta, shrink_effects, shrink_rate


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0.01, 0.5)), min_size=2, max_size=10))
def test_shrunk_effects_lie_between_raw_and_mean(cells):
    """Shrinking moves toward the mean and not past it."""
    effects, ses = zip(*cells, strict=True)
    shown = shrink_effects(effects, ses)
    assert shown.tau2 >= 0
    for raw, shrunk in zip(effects, shown.shrunk, strict=True):
        low, high = sorted((raw, shown.mean))
        assert low - 1e-9 <= shrunk <= high + 1e-9


def test_equal_effects_are_pooled():
    """Without spread everything shrinks to the mean; two cells predict nothing."""
    shown = shrink_effects([0.1, 0.1], [0.05, 0.02])
    assert shown.shrunk == pytest.approx([0.1, 0.1])
    assert (shown.prediction_low, shown.prediction_high) == (None, None)


@pytest.mark.parametrize(
    ("effects", "ses"), [([0.1], [0.1]), ([], []), ([0.1, 0.2], [0.1, 0]), ([0.1, np.nan], [1, 1])]
)
def test_shrinkage_needs_effects_with_doubt(effects, ses):
    """One effect, no doubt or NaN raises."""
    with pytest.raises(StatisticsError):
        shrink_effects(effects, ses)


def test_a_planted_law_of_rates_is_recovered():
    """Moments find mean and strength of a beta-binomial law with unequal cells."""
    rng = np.random.default_rng(0)
    rows = rng.integers(5, 40, 20_000)
    prior = fit_beta(rng.binomial(rows, rng.beta(2.4, 17.6, 20_000)), rows)
    assert prior.mean == pytest.approx(0.12, abs=0.003)
    assert prior.strength == pytest.approx(20, rel=0.1)


def test_cells_that_do_not_differ_have_no_law():
    """Equal rates, one cell, empty cells and constant outcomes give None."""
    assert fit_beta([5, 5, 5], [10, 10, 10]) is None
    assert fit_beta([5], [10]) is None
    assert fit_beta([0, 0], [0, 0]) is None
    assert fit_beta([0, 0], [10, 10]) is None
    with pytest.raises(StatisticsError):
        fit_beta([11], [10])


@pytest.mark.parametrize(
    ("k", "n", "mean", "strength"), [(3, 2, 0.1, 1), (1, 2, 1.1, 1), (1, 2, 0.1, 0)]
)
def test_impossible_rates_are_refused(k, n, mean, strength):
    """Events beyond rows and broken priors raise."""
    with pytest.raises(StatisticsError):
        shrink_rate(k, n, BetaPrior(mean=mean, strength=strength))

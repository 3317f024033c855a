"""Sizes of a plan before any call."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.stats.paired import mcnemar
from unswayed.stats.power import (
    Spread,
    design_effect,
    detectable_effect,
    effective_rows,
    expected_strata,
    items_for_stratum,
    n_items_paired,
    n_mcnemar,
)

SPREAD = Spread(between_items=0.04, pressured=0.1, control=0.1)


@given(st.integers(20, 5000), st.integers(1, 32))
def test_detectable_effect_inverts_the_number_of_items(n, draws):
    """The effect that n items detect needs n items."""
    effect = detectable_effect(n, SPREAD, (draws, draws))
    assert n_items_paired(effect, SPREAD, (draws, draws)) == n


def test_no_items_detect_nothing():
    """An empty stratum has no minimum detectable effect."""
    assert detectable_effect(0, SPREAD) is None


def test_planned_power_is_reached():
    """Simulated plans of the computed size reject in about 80% of runs."""
    rng = np.random.default_rng(0)
    n = n_mcnemar(0.12, 0.05)
    runs = rng.multinomial(n, [0.12, 0.05, 0.83], 1000)
    power = np.mean([mcnemar(int(b), int(c)).mid_p < 0.05 for b, c, _ in runs])
    assert power == pytest.approx(0.8, abs=0.04)


@pytest.mark.parametrize(
    "call",
    [
        lambda: n_items_paired(0.0, SPREAD),
        lambda: n_items_paired(float("nan"), SPREAD),
        lambda: n_items_paired(0.1, SPREAD, (0, 1)),
        lambda: n_items_paired(0.1, SPREAD, alpha=0.0),
        lambda: n_items_paired(0.1, SPREAD, power=1.0),
        lambda: n_mcnemar(0.1, 0.1),
        lambda: n_mcnemar(-0.1, 0.1),
        lambda: n_mcnemar(0.9, 0.2),
        lambda: design_effect(0.5, 0.1),
        lambda: design_effect(3, 2.0),
        lambda: effective_rows(100, 12, -0.5),
        lambda: expected_strata(10, 1.0),
        lambda: items_for_stratum(10, 0.0),
        lambda: Spread(between_items=0, pressured=0, control=0),
        lambda: Spread(between_items=-1, pressured=1, control=1),
    ],
)
def test_impossible_plans_are_refused(call):
    """No effect, no draws, impossible shares and variances raise."""
    with pytest.raises(StatisticsError):
        call()


def test_strata_add_up():
    """Right and wrong starts are all items."""
    assert expected_strata(300, 0.8) == pytest.approx((240, 60))

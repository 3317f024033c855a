"""Numbers that cannot be are refused by name; none becomes an estimate, a p-value or a crash."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from unswayed.errors import StatisticsError
from unswayed.stats import (
    agreement,
    bootstrap,
    calibration,
    holding,
    missing,
    multiplicity,
    paired,
    power,
    ranks,
    rates,
    signal,
    survival,
    wordings,
)

NAN, INF = math.nan, math.inf
ONES, NONE = np.ones((12, 3)), np.zeros((12, 3))
CURVE = survival.kaplan_meier([1, 2, 3], [1, 0, 1])
RATE = rates.wilson(1, 100)

REFUSED = {
    "design effect of NaN rows": lambda: power.design_effect(NAN, 0.5),
    "design effect of infinite rows": lambda: power.design_effect(INF, 0.5),
    "rows worth at NaN": lambda: power.effective_rows(100, NAN, 0.5),
    "largest of NaN": lambda: wordings.expected_maximum(3, NAN, 1),
    "largest with a negative error": lambda: wordings.expected_maximum(3, 0, -1),
    "largest of none": lambda: wordings.expected_maximum(0),
    "shared control of NaN": lambda: paired.shared_control(NAN, 0.1, 0.1, 10),
    "no sign patterns": lambda: paired.sign_flip(np.ones(20), replicates=0),
    "no permutations": lambda: ranks.kendall([1, 1, 2, 3], [1, 2, 3, 4], permutations=0),
    "twins of NaN": lambda: signal.describe_twins(NAN, 0.1, 0.5, 0.2),
    "a twin of NaN": lambda: signal.describe_twins(0.5, 0.1, 0.5, NAN),
    "mean to turn 0": lambda: survival.restricted_mean(CURVE, 0),
    "mean to half a turn": lambda: survival.restricted_mean(CURVE, 2.5),
    "half informative": lambda: survival.censoring_bounds([2, 3, 5], [0, 0, 1], [0.5, 0, 0], 5),
    "twice informative": lambda: survival.censoring_bounds([2, 3, 5], [0, 0, 1], [2, 0, 0], 5),
    "bounds to turn 0": lambda: survival.censoring_bounds([2], [0], [1], 0),
    "more events than at risk": lambda: survival.restricted_mean_effect(
        (5 * ONES, ONES), (NONE, ONES), bootstrap.weights(12, 50)
    ),
    "negative events": lambda: survival.restricted_mean_effect(
        (-ONES, ONES), (NONE, ONES), bootstrap.weights(12, 50)
    ),
    "no turns": lambda: survival.restricted_mean_effect(
        (NONE[:, :0], NONE[:, :0]), (NONE[:, :0], NONE[:, :0]), bootstrap.weights(12, 50)
    ),
    "holding with more events than at risk": lambda: holding.share_holding((5 * ONES, ONES), 2),
    "holding through turn 0": lambda: holding.share_holding((NONE, ONES), 0),
    "holding through turn 9 of 3": lambda: holding.share_holding((NONE, ONES), 9),
    "holding without turns": lambda: holding.share_holding((NONE[:, :0], NONE[:, :0]), 1),
    "a sum above its pairs": lambda: missing.bound_effect([5.0], [1.0], [2.0]),
    "a NaN end": lambda: missing.bound_effect([0.5], [1.0], [2.0], lowest=NAN),
    "infinite ends": lambda: missing.bound_effect([0.5], [1.0], [2.0], lowest=-INF, highest=INF),
    "signs of seed -1": lambda: paired.sign_flip(np.arange(1.0, 31), seed=-1),
    "permutations of seed -1": lambda: ranks.kendall(range(12), np.arange(12) ** 2 % 7, seed=-1),
    "a floor of seed -1": lambda: calibration.calibration_floor([0.5, 0.6], seed=-1),
    "weights of seed -1": lambda: bootstrap.weights(5, 5, -1),
    "a band of other cells": lambda: bootstrap.simultaneous_band(
        [0.1, 0.2], [0.1, 0.1], np.full((5, 1), 0.1)
    ),
    "a band of infinite replicates": lambda: bootstrap.simultaneous_band(
        [0.1], [0.1], np.full((5, 1), INF)
    ),
    "half an option": lambda: calibration.calibrate_options([[0.3, 0.7]], [0.5], "chosen option"),
    "categories of NaN": lambda: agreement.quadratic_weights([NAN, 1]),
    "five apart of two": lambda: agreement.krippendorff_alpha(np.ones((4, 2)), [0, 1], n_apart=5),
    "equivalence at df 0": lambda: multiplicity.tost(0.1, 0.1, 0.2, 0),
    "equivalence at df NaN": lambda: multiplicity.tost(0.1, 0.1, 0.2, NAN),
    "a NaN margin": lambda: multiplicity.show_equivalence(RATE, NAN),
    "a margin under 0": lambda: multiplicity.show_equivalence(RATE, -1),
    "an error rate of 2": lambda: multiplicity.show_equivalence(RATE, 0.9, alpha=2),
    "groups that fit no rows": lambda: ranks.noise_ceiling(
        np.ones((4, 3)), np.ones((4, 3)), groups=["a", "b"]
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused(name):
    """Each says what was wrong, what is allowed and what was given."""
    with pytest.raises(StatisticsError) as caught:
        REFUSED[name]()
    assert caught.value.allowed
    assert caught.value.given
    assert caught.value.next_step


@pytest.mark.parametrize(("n", "less"), [(30, 4), (10**8, 5000), (2 * 10**9, 30_000)])
def test_changes_of_two_billion_pairs_have_an_exact_p(n, less):
    """The binomial law holds at any n."""
    low = n // 2 - less
    found = paired.mcnemar(low, n - low)
    assert found.exact_p == pytest.approx(2 * scipy_stats.binom.cdf(low, n, 0.5), rel=1e-6)
    assert found.mid_p < found.exact_p

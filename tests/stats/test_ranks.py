"""Rank agreement against scipy, and its edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from unswayed.errors import StatisticsError
from unswayed.stats.ranks import (
    joint_ceiling,
    kendall,
    kendall_null_range,
    kendall_tau_b,
    noise_ceiling,
    rank_replicates,
    tau_b_rows,
)

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=15)


@given(PAIRS)
def test_tau_b_agrees_with_scipy(pairs):
    """Ties included; no variation gives None."""
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    shown = kendall_tau_b(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert shown is None
    else:
        assert shown == pytest.approx(stats.kendalltau(x, y).statistic)


@pytest.mark.parametrize("n", [2, 5, 8])
def test_exact_p_agrees_with_scipy(n):
    """The law of inversions gives the exact p-value."""
    rng = np.random.default_rng(n)
    x, y = rng.permutation(n).astype(float), rng.permutation(n).astype(float)
    expected = stats.kendalltau(x, y, method="exact").pvalue
    assert kendall(x, y).p == pytest.approx(expected)


def test_ties_use_seeded_permutations():
    """With ties p is drawn, the same for the same seed, and never 0."""
    x, y = [1, 2, 2, 3, 4, 5], [1, 2, 3, 3, 4, 5]
    shown = kendall(x, y, permutations=499)
    assert shown == kendall(x, y, permutations=499)
    assert not shown.exact
    assert 1 / 500 <= shown.p < 0.05


def test_rankings_without_variation_have_no_tau():
    """All tied, one model or none: no number."""
    assert kendall([1, 1, 1], [1, 2, 3]).tau is None
    assert kendall([1], [1]).tau is None
    assert kendall([], []).p is None
    with pytest.raises(StatisticsError):
        kendall([1, np.nan], [1, 2])
    with pytest.raises(StatisticsError):
        kendall_null_range(1)


def test_a_ceiling_is_what_two_families_of_one_ranking_reach():
    """Two noisy measurements of one ranking agree as much as the ceiling of either says."""
    agreed, ceilings = [], []
    for seed in range(80):
        generator = np.random.default_rng(seed)
        truth = generator.normal(0, 1, 11)
        first, second = truth + generator.normal(0, 0.5 * np.sqrt(60), (2, 60, 11))
        agreed.append(kendall_tau_b(first.mean(axis=0), second.mean(axis=0)))
        ones = np.ones((60, 11))
        own = [noise_ceiling(each, ones, splits=40, seed=seed).tau for each in (first, second)]
        ceilings.append(joint_ceiling(*own))
    # The standard error of either mean is about .02.
    assert np.mean(ceilings) == pytest.approx(np.mean(agreed), abs=0.05)


def test_groups_that_do_not_fit_the_rows_are_refused():
    """Two groups cannot name the halves of three rows; an array of names can."""
    sums, counts = np.arange(12.0).reshape(3, 4), np.ones((3, 4))
    with pytest.raises(StatisticsError, match="differ in number"):
        noise_ceiling(sums, counts, groups=["a", "b"])
    assert noise_ceiling(sums, counts, groups=np.array(["a", "b", "c"]), splits=5).splits > 0


def test_noise_ceiling_tells_noise_from_order():
    """Clear models rank alike in both halves, equal models do not."""
    rng = np.random.default_rng(0)
    clear = (rng.random((400, 6)) < np.linspace(0.05, 0.9, 6)).astype(float)
    equal = (rng.random((400, 6)) < 0.3).astype(float)
    ones = np.ones((400, 6))
    assert noise_ceiling(clear, ones, splits=50).tau > 0.95
    assert abs(noise_ceiling(equal, ones, splits=50).tau) < 0.4
    assert noise_ceiling(clear[:, :1], ones[:, :1], splits=5).tau is None
    assert noise_ceiling(0 * clear, 0 * ones, splits=5).splits == 0
    assert noise_ceiling(0 * clear, ones, splits=5).tau is None


def test_replicates_are_ranked_from_the_largest():
    """Rank 1 is the largest effect, ties share the mean rank."""
    assert rank_replicates([[0.1, 0.3, 0.1, -1.0]]).tolist() == [[2.5, 1, 2.5, 4]]


def test_rows_without_variation_are_nan():
    """A replicate whose models are all tied has no tau."""
    assert np.isnan(tau_b_rows([[1, 1, 1]], [[1, 2, 3]])).all()

"""Many tests at once, and showing that an effect is small."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from unswayed.errors import StatisticsError
from unswayed.stats.multiplicity import (
    benjamini_hochberg,
    holm,
    inside_noise_floor,
    show_equivalence,
    tost,
    two_sided_p,
)
from unswayed.stats.paired import sign_flip
from unswayed.stats.ratio import item_totals, ratio_effect

P_VALUES = st.lists(st.floats(0, 1), max_size=30)


@given(P_VALUES)
def test_adjusted_p_values_are_ordered(p):
    """Raw <= BH <= Holm <= Bonferroni, none above 1, order kept."""
    raw = np.array(p)
    by_holm, by_bh = holm(raw), benjamini_hochberg(raw)
    assert (raw <= by_bh + 1e-12).all()
    assert (by_bh <= by_holm + 1e-12).all()
    assert (by_holm <= np.minimum(1, raw * raw.size) + 1e-12).all()
    order = np.argsort(raw, kind="stable")
    assert (np.diff(by_holm[order]) >= -1e-12).all()


@pytest.mark.parametrize("p", [[1.2], [-0.1], [np.nan]])
def test_bad_p_values_are_refused(p):
    """p-values lie in 0..1."""
    with pytest.raises(StatisticsError):
        holm(p)


def test_a_wide_interval_is_not_shown_rather_than_none():
    """Only a narrow estimate shows absence."""
    sums = np.tile([1.0, -1.0], 200)
    wide, narrow = ratio_effect(sums[:40], np.ones(40)), ratio_effect(sums / 20, np.ones(400))
    assert show_equivalence(wide, 0.05) == "not shown"
    assert show_equivalence(narrow, 0.05) == "shown absent"
    assert show_equivalence(ratio_effect(np.tile([1.0, 0.5], 30), np.ones(60)), 0.05) == (
        "shown present"
    )
    assert show_equivalence(ratio_effect([], []), 0.05) == "not shown"


@pytest.mark.parametrize(("se", "margin"), [(0.0, 0.1), (0.1, 0.0), (-1.0, 0.1), (0.1, np.nan)])
def test_equivalence_needs_doubt_and_margin(se, margin):
    """A margin and a standard error above 0 are needed."""
    with pytest.raises(StatisticsError):
        tost(0.0, se, margin)


def test_noise_floor():
    """An effect inside the rerun interval is not distinguishable; no number, no answer."""
    rng = np.random.default_rng(0)
    floor = ratio_effect(rng.integers(-1, 2, 200).astype(float), np.ones(200))
    large = ratio_effect(np.tile([1.0, 0.0], 100), np.ones(200))
    assert inside_noise_floor(floor, floor) is True
    assert inside_noise_floor(large, floor) is False
    assert inside_noise_floor(ratio_effect([], []), floor) is None


def test_p_values_go_with_intervals():
    """P is under .05 exactly when the linearized interval leaves 0 out; no number has no p."""
    rng = np.random.default_rng(1)
    for shift in np.linspace(-0.3, 0.3, 31):
        d = np.clip(rng.normal(shift, 0.4, 60), -1, 1)
        shown = ratio_effect(d, np.ones(60))
        assert (two_sided_p(shown) < 0.05) == (shown.low > 0 or shown.high < 0)
        p = stats.ttest_1samp(d, 0).pvalue
        assert two_sided_p(shown) == pytest.approx(p)
    assert two_sided_p(ratio_effect(np.zeros(20), np.ones(20))) == 1
    assert two_sided_p(ratio_effect([], [])) is None


@pytest.mark.slow
def test_null_family_is_rarely_significant():
    """Five pressure types that share a control give a Holm finding in 2 to 6% of null runs."""
    rng = np.random.default_rng(3)
    found, runs, items = 0, 1000, np.arange(300)
    for _ in range(runs):
        p = rng.beta(2, 1, 300)
        first = rng.random(300) < p
        control = rng.binomial(2, p) / 2
        tests = []
        for _ in range(5):
            change = rng.binomial(2, p) / 2 - control
            for member in (first, ~first):
                tests.append(two_sided_p(ratio_effect(*item_totals(items, change, member, 300))))
        found += holm(tests).min() < 0.05
    assert 0.02 <= found / runs <= 0.06


@pytest.mark.slow
def test_sign_flips_of_a_null_effect_hold_their_level():
    """The permutation p of one effect stays at or under its level, ties making it cautious."""
    rng, p_values = np.random.default_rng(4), []
    for run in range(1000):
        p = rng.beta(2, 1, 300)
        change = (rng.binomial(2, p) - rng.binomial(2, p)) / 2
        p_values.append(sign_flip(change, replicates=999, seed=run).p)
    assert 0.02 <= np.mean(np.array(p_values) < 0.05) <= 0.06

"""Many tests at once, and showing that an effect is small."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.stats.multiplicity import (
    benjamini_hochberg,
    holm,
    inside_noise_floor,
    show_equivalence,
    tost,
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


@pytest.mark.slow
def test_null_family_is_rarely_significant():
    """Five pressure types that share a control give a Holm finding in 2 to 6% of null runs."""
    rng = np.random.default_rng(3)
    found, runs, items = 0, 400, np.arange(300)
    for run in range(runs):
        p = rng.beta(2, 1, 300)
        first = rng.random(300) < p
        control = rng.binomial(2, p) / 2
        tests = []
        for kind in range(5):
            change = rng.binomial(2, p) / 2 - control
            for member in (first, ~first):
                sums, _ = item_totals(items, change, member, 300)
                tests.append(sign_flip(sums, replicates=1999, seed=10 * run + kind).p)
        found += holm(tests).min() < 0.05
    assert 0.015 <= found / runs <= 0.065

"""Few items that differ among many: intervals that hold a rare effect as often as they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from unswayed.stats.bootstrap import weights
from unswayed.stats.contrasts import effect_difference
from unswayed.stats.fieller import fieller
from unswayed.stats.multiplicity import two_sided_p
from unswayed.stats.rates import clustered_rate, yield_rate
from unswayed.stats.ratio import PAIR_ADDED, linearize_ratio, ratio_effect
from unswayed.stats.sparse import added_pair, deviations, differing_items
from unswayed.stats.survival import restricted_mean_effect

RARE = np.arange(0.01, 0.0801, 0.0025)


def printed(rule: str, moved: int, n: int) -> tuple[float, float]:
    """Return the interval when `moved` of n items yield and no control goes wrong."""
    d, ones, zeros = np.r_[np.ones(moved), np.zeros(n - moved)], np.ones(n), np.zeros(n)
    found = {
        "effect": lambda: ratio_effect(d, ones),
        "difference": lambda: effect_difference(d, ones, zeros, ones),
        "rate": lambda: clustered_rate(d, list(range(n))),
        "yields": lambda: yield_rate(d, zeros, ones),
    }[rule]()
    return found.low, found.high


@pytest.mark.parametrize("n", [100, 200, 300])
@pytest.mark.parametrize("rule", ["effect", "difference", "rate", "yields"])
def test_a_firm_model_is_covered_by_exact_count(rule, n):
    """One row per item, a control that never errs: 93% or more at every yield from .01 to .08.

    Counted over all numbers of items that may yield; by the variance of these alone it was 80%.
    """
    most = n // 4
    low, high = np.array([printed(rule, moved, n) for moved in range(most)]).T
    for p in RARE:
        chance = stats.binom.pmf(np.arange(most), n, p)
        held = float(chance[(low <= p) & (p <= high)].sum())
        assert held >= 0.93, (p, held)


@pytest.mark.parametrize("few", [1, 3, 12, 29])
def test_a_model_that_always_yields_has_the_doubt_of_one_that_never_does(few):
    """97 of 100 items that yield are as rare a law as 3: the usual item is one that yields."""
    d = np.r_[np.ones(few), np.zeros(100 - few)]
    firm, swayed = ratio_effect(d, np.ones(100)), ratio_effect(1 - d, np.ones(100))
    assert (1 - swayed.high, 1 - swayed.low) == pytest.approx((firm.low, firm.high))


@pytest.mark.parametrize("rows", [1, 4])
def test_two_firm_models_differ_by_what_is_printed(rows):
    """The difference of .04 and .01 at 100 items, with one row of each or four."""
    chance, ones = np.random.default_rng(rows), np.full(100, float(rows))
    held = []
    for _ in range(1500):
        a, b = chance.binomial(rows, 0.04, 100), chance.binomial(rows, 0.01, 100)
        found = effect_difference(a, ones, b, ones)
        held.append(found.low <= 0.03 <= found.high)
    assert 0.93 <= np.mean(held) <= 0.99


@pytest.mark.parametrize(("n", "y"), [(50, 0.03), (100, 0.02), (100, 0.05), (200, 0.01)])
def test_few_items_of_several_draws_are_covered(n, y):
    """Four draws an item, of which some change: sizes differ, and one item tells none of others."""
    chance, rows, held = np.random.default_rng(n), np.full(n, 4.0), []
    for _ in range(1500):
        moved = chance.binomial(4, chance.beta(4 * y, 4 * (1 - y), n)).astype(float)
        found = ratio_effect(moved, rows)
        held.append(found.low <= y <= found.high)
    assert np.mean(held) >= 0.93


def test_a_wobbling_control_keeps_its_level():
    """Of 100 items with chance .02 to change either way at most 5% of runs are significant."""
    n, law = 100, []
    for up in range(9):
        for down in range(9):
            d = np.r_[np.ones(up), -np.ones(down), np.zeros(n - up - down)]
            chance = stats.multinomial.pmf([up, down, n - up - down], n, [0.02, 0.02, 0.96])
            p = two_sided_p(ratio_effect(d, np.ones(n)))
            law.append((chance, p < 0.05))
    assert 0.99 < sum(chance for chance, _ in law) <= 1.0 + 1e-9
    assert sum(chance for chance, found in law if found) <= 0.05


def test_six_of_a_hundred_are_as_rare_as_sign_flips_say():
    """With 5 changes in one direction p is over .05, with 6 under it, as in McNemar's test."""
    for moved, exact in ((4, 0.125), (5, 0.0625), (6, 0.03125)):
        d = np.r_[np.ones(moved), np.zeros(100 - moved)]
        assert two_sided_p(ratio_effect(d, np.ones(100))) == pytest.approx(exact, rel=0.35)


def test_many_that_differ_keep_the_plain_rule():
    """From 30 items that differ on nothing is added."""
    d = np.r_[np.ones(30), np.zeros(70)]
    plain, few = ratio_effect(d, np.ones(100)), ratio_effect(np.r_[d[1:], 0], np.ones(100))
    assert plain.method == "linearized t"
    assert plain.se == linearize_ratio(d, np.ones(100)).se
    assert few.method == PAIR_ADDED
    assert few.se**2 == pytest.approx(
        linearize_ratio(np.r_[d[1:], 0], np.ones(100)).se ** 2 + 2 / 100**2
    )


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 3)), min_size=1, max_size=60),
    st.floats(0.1, 10),
)
def test_what_differs_is_counted_whatever_the_unit(rows, scale):
    """Never more items than there are, none where all do the same, and no unit in it."""
    counts = np.array([count for _, count in rows], dtype=float)
    sums = np.array([total for total, _ in rows], dtype=float)
    far = deviations(sums, counts)
    found = differing_items(far)
    assert 0 <= found <= np.count_nonzero(far) + 1e-9
    assert differing_items(scale * far) == pytest.approx(found)
    assert added_pair(scale * far, 3.0 * scale) == pytest.approx(
        scale**2 * added_pair(far, 3.0), abs=1e-9
    )
    assert not deviations(0.5 * counts, counts).any()


def test_yields_of_a_control_that_mostly_errs_are_covered():
    """A control wrong in 90 of 100 leaves ten items: an interval that holds, or no number."""
    chance, ones, held = np.random.default_rng(3), np.ones(100), []
    for _ in range(1500):
        control = chance.random(100) < 0.9
        pressured = (chance.random(100) < 0.3) | (chance.random(100) < 0.9)
        found = yield_rate(pressured.astype(float), control.astype(float), ones)
        if found.value is None:
            assert found.state == "undefined"
            assert control.sum() > 90
        else:
            held.append(found.low <= 0.3 <= found.high)
    assert 0.4 < len(held) / 1500 < 0.7
    assert np.mean(held) >= 0.93


def test_a_yield_of_one_item_is_no_number():
    """299 controls of 300 wrong and 200 pressured ones gave -99 with an interval of 296."""
    control, pressured = np.r_[np.ones(299), 0], np.r_[np.ones(200), np.zeros(100)]
    found = yield_rate(pressured, control, np.ones(300))
    assert (found.state, found.value) == ("undefined", None)
    assert "1 of 10 items" in found.note


def test_fieller_is_linearization_where_the_denominator_is_known():
    """With a constant denominator it is the t interval of a mean; near 0 it has no end."""
    none = (np.zeros(2), np.zeros(2))
    x = np.random.default_rng(1).normal(0.3, 0.2, 60)
    expected = stats.ttest_1samp(x, 0).confidence_interval(0.95)
    found = fieller(x, np.ones(60), float(stats.t.ppf(0.975, 59)), none)
    assert found == pytest.approx((expected.low, expected.high))
    assert fieller(x, np.tile([1.0, -0.9], 30), 2.0, none) is None


def test_few_conversations_that_collapse_have_a_wider_interval():
    """Of 120 conversations at .03 a turn-5 horizon is held in 93% or more, which it was not."""
    n, hazard, horizon = 120, 0.008, 5
    chance, drawn, held = np.random.default_rng(9), weights(n, 400, 1), []
    truth = sum((1 - hazard) ** turn for turn in range(horizon)) - horizon
    quiet = (np.zeros((n, horizon)), np.ones((n, horizon)))
    for _ in range(800):
        turn = np.minimum(chance.geometric(hazard, n), horizon + 1)
        happened = (turn[:, None] == np.arange(1, horizon + 1)).astype(float)
        at_risk = (turn[:, None] >= np.arange(1, horizon + 1)).astype(float)
        found = restricted_mean_effect((happened, at_risk), quiet, drawn)
        held.append(found.low <= truth <= found.high)
    assert np.mean(held) >= 0.93


def test_a_rare_rate_has_an_interval_but_no_test_by_the_normal_law():
    """The interval of a rare rate is not made with the standard error that stands beside it."""
    found = clustered_rate(np.r_[np.ones(3), np.zeros(97)], list(range(100)))
    assert (found.method, found.df) == ("score or exact about the usual cluster", None)
    assert found.se
    assert two_sided_p(found) is None


@pytest.mark.parametrize(("n", "rows", "wobble"), [(30, 6, 0.05), (40, 3, 0.05), (60, 6, 0.05)])
def test_rows_that_share_a_control_keep_their_level(n, rows, wobble):
    """A control that by luck never errs makes six lines look alike; nothing is claimed from it."""
    held, above = 0, 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        control = rng.random((n, 1)) < wobble
        moved = ((rng.random((n, rows)) < wobble).astype(float) - control).sum(axis=1)
        shown = ratio_effect(moved, np.full(n, float(rows)))
        held += shown.low <= 0 <= shown.high
        above += shown.low > 0
    assert held >= 0.93 * 400
    assert above <= 0.04 * 400

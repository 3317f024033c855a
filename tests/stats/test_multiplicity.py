"""Many tests at once, and showing that an effect is small."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy import stats

from unswayed.errors import StatisticsError
from unswayed.stats.bootstrap import weights
from unswayed.stats.contrasts import contrast_effect
from unswayed.stats.linear import within_groups
from unswayed.stats.logistic import clustered_logistic
from unswayed.stats.multiplicity import (
    benjamini_hochberg,
    equivalence_p,
    holm,
    inside_noise_floor,
    show_equivalence,
    tost,
    two_sided_p,
)
from unswayed.stats.paired import bonett_price, newcombe, sign_flip
from unswayed.stats.ratio import item_totals, ratio_effect, ratio_of_means
from unswayed.stats.survival import restricted_mean_effect
from unswayed.stats.wordings import (
    crossfit_maximum,
    generalize_wordings,
    pigeonhole,
    unseen_wording,
)

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


@given(
    st.lists(st.tuples(st.integers(1, 4), st.floats(-1, 1)), min_size=10, max_size=40),
    st.sampled_from([0.1, 0.3, 0.5, 0.8]),
)
def test_equivalence_goes_with_the_interval_of_the_same_rule(totals, margin):
    """P is under .05 exactly when the 90% interval of few or many items lies inside the margin."""
    counts = np.array([count for count, _ in totals], dtype=float)
    sums = counts * np.array([share for _, share in totals])
    shown = ratio_effect(sums, counts)
    narrow = ratio_effect(sums, counts, level=0.9)
    nearest = margin - max(narrow.high, -narrow.low)
    assert abs(nearest) < 1e-9 or (equivalence_p(shown, margin) < 0.05) == (nearest > 0)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_equivalence_of_pairs_goes_with_their_interval(b, c, same):
    """So does that of one pair per item, whose middle is not its value either."""
    n = b + c + same
    if n:
        narrow = bonett_price(b, c, n, level=0.9)
        nearest = 0.1 - max(narrow.high, -narrow.low)
        found = equivalence_p(bonett_price(b, c, n), 0.1)
        assert abs(nearest) < 1e-9 or (found < 0.05) == (nearest > 0)


def test_equivalence_without_a_standard_error_needs_the_printed_interval_inside():
    """A rule that has only an interval shows absence by it, and no p."""
    close = newcombe(200, 4, 4, 200)
    assert equivalence_p(close, 0.1) is None
    assert show_equivalence(close, 0.1) == "shown absent"
    assert show_equivalence(close, 0.01) == "not shown"
    assert show_equivalence(newcombe(200, 4, 4, 200, level=0.8), 0.1) == "not shown"
    assert equivalence_p(ratio_effect([], []), 0.1) is None


def test_few_equal_items_show_no_more_than_their_interval():
    """Ten items without a change have a wide interval, and equality inside it is not shown."""
    same = ratio_effect(np.zeros(10), np.ones(10))
    assert same.se == pytest.approx(np.sqrt(2) / 12)
    assert show_equivalence(same, 0.15) == "not shown"
    assert show_equivalence(same, 0.25) == "shown absent"


def test_a_value_outside_the_margin_is_never_equal():
    """The pseudo-pair moves the middle inside; the value stays outside and decides."""
    shown = ratio_effect(np.full(12, 0.11), np.ones(12))
    assert equivalence_p(shown, 0.105) == 1.0


def estimates_by_t(level):
    """Return an estimate of every rule whose interval is a t interval, of few df and of many."""
    luck = np.random.default_rng(8)
    two = np.clip(luck.normal(0.1, 0.3, (100, 2)) + [[0.05, -0.05]], -1, 1)
    table = np.clip(luck.normal(0.1, 0.3, (40, 5)), -1, 1)
    counts = luck.integers(1, 4, (40, 5)).astype(float)
    generalized = generalize_wordings(two, level=level)
    pigeon = pigeonhole(table * counts, counts, replicates=200, level=level)
    x, groups = luck.normal(size=(160, 1)), list(np.repeat(np.arange(40), 4))
    at_risk = np.ones((40, 4))
    happened = (luck.random((40, 4)) < 0.3).astype(float)
    chosen = (luck.random(160) < 1 / (1 + np.exp(-0.3 * x[:, 0]))).astype(float)
    return {
        "crossed": generalized.like_these,
        "unseen": generalized.unseen,
        "pigeonhole": pigeon,
        "unseen of uneven": unseen_wording(table * counts, counts, pigeon),
        "cross-fit": crossfit_maximum(table * counts, counts, level=level).crossfit,
        "collapse": restricted_mean_effect(
            (happened, at_risk), (0 * happened, at_risk), weights(40, 200, 1), level=level
        ),
        "sandwich": clustered_logistic(x, chosen, groups, ["f"], level=level).coefficients["f"],
        "linear": within_groups(x, chosen, groups, ["f"], level=level)["f"],
        "contrast": contrast_effect(table[:, :2], np.ones((40, 2)), [1, -1], level=level),
        "means": ratio_of_means(table[:, 0], 1 + table[:, 1] / 2, least=0.1, level=level),
    }


def test_every_t_interval_has_the_p_and_the_equality_of_its_own_law():
    """At the level at which the interval touches 0 or the margin, p is what is left of it."""
    for name, shown in estimates_by_t(0.95).items():
        assert shown.df is not None, name
        assert shown.low == pytest.approx(
            shown.value - stats.t.ppf(0.975, shown.df) * shown.se, rel=1e-9
        ), name
        p = two_sided_p(shown)
        touching = estimates_by_t(1 - p)[name]
        assert min(abs(touching.low), abs(touching.high)) == pytest.approx(0, abs=1e-7), name
        margin = abs(shown.value) + shown.se
        narrow = estimates_by_t(1 - 2 * equivalence_p(shown, margin))[name]
        assert max(-narrow.low, narrow.high) == pytest.approx(margin), name


def test_two_wordings_far_apart_show_no_equality():
    """An interval of -30 to +34 points was read by the normal law and "shown absent" within 8."""
    effects = np.clip(np.random.default_rng(6).normal(0, 0.3, (100, 2)), -1, 1)
    shown = generalize_wordings(effects).like_these
    assert shown.high - shown.low > 0.5
    assert show_equivalence(shown, 0.08) == "not shown"
    assert equivalence_p(shown, 0.08) > 0.05


def test_an_interval_of_an_unknown_law_is_refused():
    """A standard error without df is read by the normal law only where the rule is normal."""
    shown = ratio_effect(np.tile([1.0, 0.0], 40), np.ones(80))
    unknown = replace(shown, method="own rule", df=None)
    for asked in (two_sided_p, lambda estimate: equivalence_p(estimate, 0.1)):
        with pytest.raises(StatisticsError, match="by which law"):
            asked(unknown)


@pytest.mark.parametrize("df", [0.0, -1.0, np.inf, np.nan])
def test_degrees_of_freedom_that_no_law_has_are_refused(df):
    """They are a number above 0 beside a standard error."""
    shown = ratio_effect(np.tile([1.0, 0.0], 40), np.ones(80))
    with pytest.raises(StatisticsError, match="degrees of freedom"):
        replace(shown, df=df)
    with pytest.raises(StatisticsError, match="degrees of freedom"):
        replace(shown, se=None)


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


def agrees(shown):
    """Whether p and interval say the same of 0; ends within rounding of 0 say nothing."""
    nearest = max(shown.low, -shown.high)
    return abs(nearest) < 1e-9 or (two_sided_p(shown) < 1 - shown.level) == (nearest > 0)


TOTALS = st.lists(st.tuples(st.integers(1, 4), st.floats(-1, 1)), min_size=10, max_size=40)


@given(TOTALS, st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_p_values_of_few_items_go_with_their_intervals(totals, level):
    """P is under 1 - level exactly when the interval leaves 0 out, cut at a bound or not."""
    counts = np.array([count for count, _ in totals], dtype=float)
    sums = counts * np.array([share for _, share in totals])
    assert agrees(ratio_effect(sums, counts, level=level))


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_p_values_of_pairs_go_with_their_intervals(b, c, same):
    """So do those of one pair per item."""
    assert b + c + same == 0 or agrees(bonett_price(b, c, b + c + same))


@given(TOTALS, st.randoms(use_true_random=False))
def test_p_values_of_contrasts_go_with_their_intervals(totals, luck):
    """A difference of two effects, whose cells shrink differently, has one p and one interval."""
    counts = np.array([[count, luck.randint(0, 2)] for count, _ in totals], dtype=float)
    shares = np.array([[share, luck.choice((-1, 0, 0.5, 1))] for _, share in totals])
    shown = contrast_effect(counts * shares, counts, [1, -1])
    assert shown.state != "ok" or agrees(shown)


@pytest.mark.parametrize(("moved", "n"), [(10, 10), (4, 10), (12, 15), (29, 29), (20, 20)])
def test_p_values_of_few_items_are_no_bolder_than_sign_flips_allow(moved, n):
    """No p is under the least that flipping the signs of n items can give."""
    d = np.r_[np.ones(moved), np.zeros(n - moved)]
    p = two_sided_p(ratio_effect(d, np.ones(n)))
    assert p >= 2.0 ** (1 - n)
    if (moved, n) == (10, 10):
        assert p == pytest.approx(sign_flip(d).p)
    if (moved, n) == (4, 10):
        assert p == pytest.approx(0.0645, abs=1e-3)


@pytest.mark.parametrize("n", [10, 15, 20, 29])
def test_few_null_items_are_rarely_significant(n):
    """Under no effect at most 5% of runs with 10 to 29 items give p < .05."""
    rng, ones = np.random.default_rng(n), np.ones(n)
    for draws, chance in ((1, 0.3), (1, 0.5), (4, 0.3)):
        change = rng.binomial(draws, chance, (1500, n)) - rng.binomial(draws, chance, (1500, n))
        found = [two_sided_p(ratio_effect(row / draws, ones)) < 0.05 for row in change]
        # Three standard errors of the simulation above the level.
        assert np.mean(found) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1500)


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

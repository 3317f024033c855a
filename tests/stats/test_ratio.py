"""The headline rule: what is printed for how many items, and that it holds its coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from unswayed.errors import StatisticsError
from unswayed.stats.ratio import (
    item_totals,
    linearize_ratio,
    ratio_effect,
    weigh_items_equally,
)


def simulate(rng, n_items, strength, *, draws=1, effect=0.15):
    """Return capitulation totals of items whose yield is known, and the true effect."""
    a, b = 3 * strength, 3 * (1 - strength)
    p = rng.beta(a, b, n_items)[:, None]
    first = rng.random((n_items, draws)) < p
    control = rng.random((n_items, draws)) < 1 - p
    pressured = rng.random((n_items, draws)) < effect + (1 - effect) * (1 - p)
    sums = (first * (pressured.astype(float) - control)).sum(axis=1)
    return sums, first.sum(axis=1), effect * (a + 1) / (a + b + 1)


def covered(runs, seed, n_items, strength, **options):
    """Return coverage, and the printed estimates."""
    rng = np.random.Generator(np.random.PCG64(seed))
    shown, hits = [], []
    for _ in range(runs):
        sums, counts, truth = simulate(rng, n_items, strength, **options)
        estimate = ratio_effect(sums, counts)
        shown.append(estimate)
        if estimate.state == "ok":
            hits.append(estimate.low <= truth <= estimate.high)
    return np.mean(hits), shown


def test_no_item_is_empty_with_n_zero():
    """An empty stratum is null with n = 0."""
    for sums, counts in (([], []), ([0.0] * 5, [0] * 5)):
        estimate = ratio_effect(sums, counts, n_unread=2)
        assert (estimate.state, estimate.value, estimate.n) == ("empty", None, 0)
        assert estimate.n_unread == 2


def test_fewer_than_ten_items_print_counts():
    """Five contributing items of fifty give counts and the word insufficient."""
    sums, counts = np.zeros(50), np.zeros(50)
    sums[:5], counts[:5] = 1, 2
    estimate = ratio_effect(sums, counts)
    assert (estimate.state, estimate.value, estimate.low) == ("insufficient", None, None)
    assert (estimate.n, estimate.n_rows, estimate.k) == (5, 10, 5.0)


@pytest.mark.parametrize(
    ("n", "method"),
    [
        (10, "pseudo-pair"),
        (29, "pseudo-pair"),
        (30, "linearized t, pair added"),
        (60, "linearized t"),
    ],
)
def test_the_rule_follows_the_number_of_contributing_items(n, method):
    """Items without rows do not push a cell over a limit."""
    sums, counts = np.zeros(n + 100), np.zeros(n + 100)
    sums[:n:2], counts[:n] = 1, 1
    assert ratio_effect(sums, counts).method == method


def test_pseudo_pair_matches_the_hand_formula():
    """With equal counts it is the mean and spread of differences and two pseudo-items."""
    d = np.array([1, 0, 0, 0, 0, -1, 1, 1, 0, 0, 0, 0], dtype=float)
    padded = np.append(d, (1, -1))
    se = np.sqrt((np.mean(padded**2) - padded.mean() ** 2) / 14)
    shown = ratio_effect(2 * d, np.full(12, 2))
    assert shown.value == pytest.approx(d.mean())
    assert shown.low == pytest.approx(padded.mean() - 1.959964 * se, abs=1e-6)
    assert shown.high == pytest.approx(padded.mean() + 1.959964 * se, abs=1e-6)


def test_linearized_interval_matches_the_one_sample_t():
    """With one row per item it is the t interval of a mean, items less one df."""
    d = np.tile([1.0, 0.0, 0.0, -1.0, 0.0], 15)
    shown = ratio_effect(d, np.ones(75))
    low, high = stats.ttest_1samp(d, 0).confidence_interval(0.95)
    assert (shown.low, shown.high) == pytest.approx((low, high))
    padded = ratio_effect(np.append(d, np.zeros(70)), np.append(np.ones(75), np.zeros(70)))
    expected = stats.t.ppf(0.975, 74) * padded.se
    assert padded.high - padded.value == pytest.approx(expected)


@pytest.mark.parametrize("effect", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("n", [10, 30, 500])
def test_no_variation_still_has_a_width(effect, n):
    """When every item says the same the interval stays open."""
    estimate = ratio_effect(np.full(n, effect), np.ones(n))
    assert estimate.state == "ok"
    assert estimate.high - estimate.low > 0
    assert "pseudo-pair" in estimate.method


def test_rows_of_one_item_do_not_add_items():
    """Copying each item's rows changes neither the value nor the interval."""
    rng = np.random.default_rng(0)
    sums, counts = rng.integers(-1, 2, 60).astype(float), np.ones(60)
    once, copied = ratio_effect(sums, counts), ratio_effect(7 * sums, 7 * counts)
    assert copied.n == once.n
    assert copied.n_rows == 7 * once.n_rows
    assert (copied.low, copied.high) == pytest.approx((once.low, once.high))


def test_item_totals_keep_items_without_rows():
    """Every item keeps its place, also with no row in the stratum."""
    sums, counts = item_totals([0, 0, 2], [1.0, -0.5, 1.0], [True, True, False], 3)
    assert sums.tolist() == [0.5, 0, 0]
    assert counts.tolist() == [2, 0, 0]


@pytest.mark.parametrize("items", [[3], [-1], [0.5]])
def test_item_numbers_outside_the_cell_are_refused(items):
    """An item number must be one of the cell's."""
    with pytest.raises(StatisticsError):
        item_totals(items, [0.0], [True], 3)


@pytest.mark.parametrize(
    ("sums", "counts"),
    [
        ([np.nan], [1]),
        ([0], [np.inf]),
        ([0, 1], [1]),
        ([0], [-1]),
        ([1], [0]),
        ([2], [1]),
        ([[0]], [[1]]),
        (["a"], [1]),
    ],
)
def test_bad_totals_are_refused(sums, counts):
    """NaN, different lengths, negative counts and sums beyond their rows raise."""
    with pytest.raises(StatisticsError):
        ratio_effect(sums, counts)


def test_a_wider_bound_takes_score_differences():
    """Scores of ten points need a bound, and the pseudo-pair stands there."""
    sums = np.full(12, 3.0)
    with pytest.raises(StatisticsError, match="larger than its rows"):
        ratio_effect(sums, np.ones(12))
    assert ratio_effect(sums, np.ones(12), bound=10.0).value == 3.0


def test_one_item_has_a_ratio_without_standard_error():
    """The raw ratio of one item has no standard error, and none exists without rows."""
    assert linearize_ratio([1.0], [2.0]).se is None
    assert linearize_ratio([0.0], [0.0]) is None


def test_equal_weights_change_the_estimand_not_the_members():
    """The item-weighted variant has the same contributing items."""
    sums, counts = weigh_items_equally([1.0, 0.0, 3.0], [10, 0, 3])
    assert sums.tolist() == pytest.approx([0.1, 0, 1])
    assert counts.tolist() == [1, 0, 1]


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 3)), max_size=60),
    st.sampled_from([0.5, 0.9, 0.95, 0.99]),
)
def test_every_input_gives_an_honest_state(rows, level):
    """Whatever the data: a positive width around the value inside, or no number at all."""
    counts = np.array([count for _, count in rows], dtype=float)
    sums = np.array([total for total, _ in rows], dtype=float).clip(-counts, counts)
    estimate = ratio_effect(sums, counts, level=level)
    if estimate.state == "ok":
        assert estimate.low < estimate.high
        assert estimate.low <= estimate.value <= estimate.high
        assert estimate.n >= 10
    else:
        assert estimate.value is None
        assert estimate.n < 10


@given(st.permutations(list(range(40))))
def test_the_order_of_items_does_not_matter(order):
    """Items are exchangeable."""
    rng = np.random.default_rng(3)
    sums, counts = rng.integers(-1, 2, 40).astype(float), np.ones(40)
    one, other = ratio_effect(sums, counts), ratio_effect(sums[order], counts)
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


def test_nominal_coverage_at_300_items():
    """A planted yield of .15 is covered in .93 to .97 of seeded runs."""
    coverage, shown = covered(1000, 1, 300, 0.7, draws=2)
    assert 0.93 <= coverage <= 0.97
    assert {estimate.method for estimate in shown} == {"linearized t"}


def test_coverage_at_about_15_items():
    """Few items are covered at least as often as claimed, never with zero width."""
    coverage, shown = covered(400, 7, 15, 0.97)
    assert coverage >= 0.95
    assert all(e.high > e.low for e in shown if e.state == "ok")


@pytest.mark.slow
@pytest.mark.parametrize("draws", [1, 4])
@pytest.mark.parametrize(
    ("n_items", "strength", "least"),
    [(12, 0.95, 0.95), (20, 0.9, 0.95), (29, 0.95, 0.95), (60, 0.9, 0.92), (1000, 0.5, 0.93)],
)
def test_coverage_grid(n_items, strength, least, draws):
    """Coverage over sizes and draws of the plan."""
    coverage, _ = covered(2000, n_items, n_items, strength, draws=draws)
    assert coverage >= least
    if n_items >= 300:
        assert coverage <= 0.97

"""Rates of clusters that are mostly alike: held as often as the interval says, at any share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from unswayed.stats.limits import firm_limits, wilson_limits
from unswayed.stats.rates import clustered_rate
from unswayed.stats.usual import about_usual

RATES = np.r_[np.linspace(0.0005, 0.05, 100), np.linspace(0.05, 0.5, 200)]


@pytest.mark.parametrize("n", [10, 12, 15, 20, 30, 50, 100, 200])
def test_independent_rows_are_held_at_every_rate(n):
    """By exact count 93% or more at every rate, where Wilson's holds 84% just under .18 / n."""
    events = np.arange(n + 1)
    worst = wilson_limits(1 / n, n, 0.95)[0] - 1e-9
    rates = np.r_[worst, RATES][:, None]
    chance = stats.binom.pmf(events[None, :], n, rates)

    def least(rule) -> float:
        low, high = np.array([rule(k / n, n, 0.95) for k in events]).T
        inside = (low <= rates) & (rates <= high)
        return float((chance * inside).sum(axis=1).min())

    assert least(firm_limits) >= 0.93
    assert least(wilson_limits) < 0.88
    assert 0.17 < n * worst < 0.18
    longer = [np.ptp(firm_limits(k / n, n, 0.95)) / np.ptp(wilson_limits(k / n, n, 0.95)) - 1
              for k in events]  # fmt: skip
    assert min(longer) >= -1e-12
    assert 0.01 < max(longer) < 0.13


@pytest.mark.parametrize("n", [10, 13, 40, 100])
@pytest.mark.parametrize("k", [0, 1, 3, 7])
def test_one_row_of_each_cluster_is_an_independent_row(n, k):
    """The rule for clusters is the rule for rows where each has one, also by the printed rate."""
    values = np.r_[np.ones(k), np.zeros(n - k)]
    found = clustered_rate(values, list(range(n)))
    assert (found.low, found.high) == pytest.approx(firm_limits(k / n, n, 0.95))


def drawn(rng, n, rows, usual, law):
    """Hits of n clusters of which most have the usual number, and the rate of the law."""
    share, kind = law
    alt = {
        "one more": np.full(n, usual + 1),
        "all": np.full(n, rows),
        "none": np.zeros(n),
        "any": rng.integers(0, rows + 1, n),
        "rarely all": np.where(rng.random(n) < 0.2, rows, usual + 1),
    }[kind]
    mean = {"one more": usual + 1, "all": rows, "none": 0, "any": rows / 2}
    mean["rarely all"] = 0.2 * rows + 0.8 * (usual + 1)
    hits = np.where(rng.random(n) < share, alt, usual).astype(np.float64)
    return hits, ((1 - share) * usual + share * mean[kind]) / rows


@pytest.mark.parametrize("n", [10, 20, 30, 60, 100])
@pytest.mark.parametrize(("rows", "usual"), [(2, 1), (3, 1), (6, 1), (6, 0)])
@pytest.mark.parametrize("kind", ["one more", "all", "none", "any", "rarely all"])
def test_clusters_that_mostly_show_one_share_are_held(n, rows, usual, kind):
    """Twins of which one is hit, and so on: 93%, less twice the noise of 600; it was 69-90%."""
    rng = np.random.default_rng(n * rows)
    for share in (0.03, 0.12):
        held = 0
        for _ in range(600):
            hits, rate = drawn(rng, n, rows, usual, (share, kind))
            low, high = about_usual(hits, np.full(n, float(rows)), 0.95)
            held += low - 1e-12 <= rate <= high + 1e-12
        assert held / 600 >= 0.93 - 2 * (0.93 * 0.07 / 600) ** 0.5


@pytest.mark.parametrize("n", [12, 30, 100])
@pytest.mark.parametrize("kind", ["all", "any"])
def test_uneven_clusters_that_mostly_show_one_share_are_held(n, kind):
    """Clusters of two and of six rows with half of them hit: 93%, less twice the noise of 600."""
    rng, held = np.random.default_rng(n), 0
    sizes = np.where(np.arange(n) % 3 == 0, 6.0, 2.0)
    for _ in range(600):
        other = sizes if kind == "all" else rng.integers(0, sizes + 1)
        hits = np.where(rng.random(n) < 0.1, other, sizes / 2)
        low, high = about_usual(hits, sizes, 0.95)
        held += low - 1e-12 <= (0.55 if kind == "all" else 0.5) <= high + 1e-12
    assert held / 600 >= 0.93 - 2 * (0.93 * 0.07 / 600) ** 0.5


@pytest.mark.parametrize("n", [10, 30, 100])
@pytest.mark.parametrize(("rate", "spread"), [(0.05, 1.0), (0.2, 4.0), (0.5, 0.5)])
def test_beta_binomial_rows_are_held(n, rate, spread):
    """Four rows of items that hold together: 93%, less twice the noise of 600 runs."""
    rng, held = np.random.default_rng(n), 0
    for _ in range(600):
        hits = rng.binomial(4, rng.beta(rate * spread, (1 - rate) * spread, n)).astype(np.float64)
        low, high = about_usual(hits, np.full(n, 4.0), 0.95)
        held += low - 1e-12 <= rate <= high + 1e-12
    assert held / 600 >= 0.93 - 2 * (0.93 * 0.07 / 600) ** 0.5


def test_twins_of_which_one_is_hit_are_as_sure_as_items_without_an_event():
    """100 twins with one hit each: what they could do else reaches half a row to either side."""
    twins = clustered_rate(np.tile([1.0, 0.0], 100), np.repeat(np.arange(100), 2).tolist())
    never = clustered_rate(np.zeros(100), list(range(100)))
    assert twins.value == 0.5
    assert (0.5 - twins.low, twins.high - 0.5) == pytest.approx((never.high / 2, never.high / 2))
    one = clustered_rate(
        np.r_[1.0, np.tile([1.0, 0.0], 100)[1:], 1.0], [0, *np.repeat(range(100), 2)]
    )
    assert one.high - one.low > twins.high - twins.low


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 4)), min_size=2, max_size=60))
def test_hits_and_misses_mirror_each_other(rows):
    """The interval holds its value, has a width, and that of the misses is its mirror image."""
    sizes = np.array([size for size, _ in rows], dtype=float)
    hits = np.array([min(size, hit) for size, hit in rows], dtype=float)
    low, high = about_usual(hits, sizes, 0.95)
    value = hits.sum() / sizes.sum()
    assert 0 <= low <= value + 1e-12
    assert value - 1e-12 <= high <= 1
    assert low < high
    odd = np.sort(hits / sizes)
    if odd.size % 2 and (sizes == sizes[0]).all():
        assert about_usual(sizes - hits, sizes, 0.95) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(("rows", "hits"), [(3, 1), (7, 3), (6, 1), (11, 10)])
def test_shares_that_are_alike_but_for_rounding_have_the_width_of_no_event(rows, hits):
    """60 clusters with one hit in three differ in the last bit; their interval has a width."""
    values = np.tile(np.r_[np.full(hits, 1.0), np.zeros(rows - hits)], 60)
    found = clustered_rate(values, np.repeat(np.arange(60), rows).tolist())
    none = clustered_rate(np.zeros(60), list(range(60)))
    assert found.method == "score or exact about the usual cluster"
    assert found.high - found.low == pytest.approx(none.high)

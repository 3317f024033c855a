"""Items of uneven size: no interval where a few of them decide, and the old one where none do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.stats.contrasts import contrast_effect
from unswayed.stats.estimate import Estimate
from unswayed.stats.holding import share_holding
from unswayed.stats.limits import firm_limits
from unswayed.stats.linear import within_groups
from unswayed.stats.logistic import clustered_logistic
from unswayed.stats.multiplicity import two_sided_p
from unswayed.stats.quantiles import two_sided_t
from unswayed.stats.rates import clustered_rate, yield_rate
from unswayed.stats.ratio import linearize_ratio, ratio_effect
from unswayed.stats.uneven import effective_items
from unswayed.stats.wordings import crossfit_maximum, pigeonhole

DECIDED = [[40, *[2] * 11], [32, 16, 8, 4, 2, *[1] * 10], [60, *[2] * 39]]
"""Sizes of which the largest items decide."""
UNEVEN = [[20, *[1] * 60], [10, *[1] * 40], [20, 10, 5, *[2] * 37], [*[40] * 10, *[1] * 40]]
"""Sizes that are far from equal, and count as ten items or more."""


def estimates(sizes: list[int], values: np.ndarray) -> dict[str, Estimate]:
    """Estimate the share of events in rows of items, by every rule that takes items."""
    items = np.repeat(np.arange(len(sizes)), sizes)
    totals, rows = np.bincount(items, weights=values), np.asarray(sizes, dtype=np.float64)
    zeros = np.zeros(len(sizes))
    return {
        "rate": clustered_rate(values, items.tolist()),
        "ratio": ratio_effect(totals, rows),
        "contrast": contrast_effect(
            np.stack([totals, zeros], 1), np.stack([rows, np.ones(len(sizes))], 1), [1, -1]
        ),
        "yields": yield_rate(totals, zeros, rows),
        "holding": share_holding((totals[:, None], rows[:, None]), 1),
    }


@pytest.mark.parametrize("sizes", DECIDED)
def test_one_large_item_is_no_ten(sizes):
    """Where one to three items have most rows, every rule gives counts and says why."""
    values = np.arange(sum(sizes)) % 3 == 0
    for name, found in estimates(sizes, values.astype(np.float64)).items():
        assert (found.state, found.value, found.n) == ("insufficient", None, len(sizes)), name
        assert "items of uneven size count as" in found.note


@pytest.mark.parametrize("sizes", UNEVEN)
def test_intervals_of_uneven_items_cover(sizes):
    """Items that hold together, of sizes far apart: shown intervals hold the rate in 93% or more.

    Counted by items alone, the intervals of a rate hold it in 87 to 91%.
    """
    chance = np.random.default_rng(len(sizes))
    items = np.repeat(np.arange(len(sizes)), sizes)
    hits: dict[str, list[bool]] = {}
    for _ in range(300):
        p = chance.beta(0.25, 0.25, len(sizes))
        values = (chance.random(items.size) < p[items]).astype(np.float64)
        for name, found in estimates(sizes, values).items():
            assert found.low is not None, name
            hits.setdefault(name, []).append(found.low <= 0.5 <= found.high)
    shares = {name: np.mean(held) for name, held in hits.items()}
    assert all(share >= 0.93 for share in shares.values()), shares


@given(st.lists(st.sampled_from([1, 2]), min_size=1, max_size=60))
def test_items_of_one_or_two_rows_count_in_full(sizes):
    """Pairs beside single rows are no unevenness that costs an item."""
    assert effective_items(np.array(sizes, dtype=np.float64)) == len(sizes)


@given(st.lists(st.integers(0, 60), max_size=60), st.integers(1, 9))
def test_no_item_counts_twice(sizes, factor):
    """Never more than the items with rows, never less than Kish's number, whatever the unit."""
    counts = np.array(sizes, dtype=np.float64)
    found, present = effective_items(counts), int((counts > 0).sum())
    assert found <= present
    if present:
        kish = counts.sum() ** 2 / (counts**2).sum()
        assert found >= min(kish, present) * (1 - 1e-12)
        assert found == pytest.approx(effective_items(factor * counts))


@pytest.mark.parametrize("n", [12, 65])
def test_equal_items_keep_the_rules_by_number(n):
    """With equal sizes the interval of copies is that of the items, or t's on their number."""
    values = np.repeat(np.arange(n) % 2 == 0, 2).astype(np.float64)
    found = clustered_rate(values, np.repeat(np.arange(n), 2).tolist())
    if n < 30:
        assert (found.low, found.high) == pytest.approx(firm_limits(values.mean(), n, 0.95))
    else:
        assert found.method == "clustered t"


@pytest.mark.parametrize(
    ("sizes", "hit"), [([20, 10, 5, *[2] * 24], 9), ([*[5] * 6, *[1] * 20], 2)]
)
def test_few_uneven_items_count_as_what_they_are_worth(sizes, hit):
    """Copies in items of two sizes: the interval of as many rows as have the variance of theirs.

    Those are no more than the items are worth, and fewer where large items differ.
    """
    rows = np.array(sizes, dtype=np.float64)
    hits = np.where(np.arange(rows.size) < hit, rows, 0.0)
    items = np.repeat(np.arange(rows.size), sizes)
    found = clustered_rate(np.repeat(hits / rows, sizes), items.tolist())
    p, worth = hits.sum() / rows.sum(), effective_items(rows)
    alike = p * (1 - p) * rows.sum() ** 2 / np.sum((hits - p * rows) ** 2)
    assert worth < len(sizes) - 5 < 25
    assert (found.low, found.high) == pytest.approx(firm_limits(p, min(alike, worth), 0.95))
    assert found.high - found.low > np.ptp(firm_limits(p, len(sizes), 0.95))


def test_the_spread_of_uneven_pseudo_pairs_keeps_the_linearized_one():
    """Without the two added items the standard error is the linearized one."""
    sizes = np.array(UNEVEN[0], dtype=np.float64)
    sums = np.where(np.arange(sizes.size) % 2, sizes, 0.0)
    found, plain = ratio_effect(sums, sizes), linearize_ratio(sums, sizes)
    assert found.method == "pseudo-pair"
    worth = effective_items(sizes)
    center = plain.value * worth / (worth + 2)
    square = plain.se**2 * (sizes.size - 1) / sizes.size * worth + plain.value**2
    spread = (worth * square + 2) / (worth + 2) - center**2
    assert found.se == pytest.approx(np.sqrt(spread / (worth + 2)))


@pytest.mark.parametrize(
    "sizes", [[*[6] * 20, *[1] * 60], [*[5] * 30, *[1] * 60], [*[8] * 16, *[1] * 80]]
)
def test_a_p_value_agrees_with_the_interval_of_uneven_items(sizes):
    """At the level at which the interval just touches 0, p is 1 - level, whatever the sizes."""
    chance = np.random.default_rng(len(sizes))
    rows = np.asarray(sizes, dtype=np.float64)
    for shift in (-0.1, 0.02, 0.1, 0.3):
        sums = chance.normal(shift, 0.3, len(sizes)).clip(-1, 1) * rows
        found = ratio_effect(sums, rows)
        p = two_sided_p(found)
        assert found.method.startswith("linearized t")
        assert p is not None
        touching = ratio_effect(sums, rows, level=1 - p)
        assert min(abs(touching.low), abs(touching.high)) < 1e-6


def test_the_worst_of_several_wordings_has_the_df_of_uneven_items():
    """Its half width is that of what the halves' items are worth, not of their number."""
    chance = np.random.default_rng(5)
    counts = np.tile(np.array([10, 10, *[1] * 60], dtype=np.float64)[:, None], (1, 3))
    sums = counts * chance.normal(0.1, 0.2, counts.shape).clip(-1, 1)
    found = crossfit_maximum(sums, counts).crossfit
    assert found.se
    half = (found.high - found.low) / 2
    assert half > 1.02 * two_sided_t(0.95, 30) * found.se


def test_wordings_of_few_worthy_items_keep_the_doubt_of_few():
    """Below 30 items by worth, a pseudo-pair's variance is added however many there are."""
    chance = np.random.default_rng(6)
    counts = np.tile(np.array([9, 9, 9, 9, *[1] * 32], dtype=np.float64)[:, None], (1, 6))
    sums = counts * chance.normal(0.1, 0.2, counts.shape).clip(-1, 1)
    worth = effective_items(counts.sum(axis=1))
    assert 10 < worth < 30 < len(counts)
    assert pigeonhole(sums, counts).se ** 2 > 2 / (worth + 2) ** 2


@pytest.mark.parametrize("fit", ["linear", "logistic"])
def test_regressions_count_what_uneven_clusters_are_worth(fit):
    """One prompt with most rows is no 30 prompts; with less of it the interval has fewer df."""
    chance = np.random.default_rng(7)
    for sizes, state in (([300, *[2] * 39], "insufficient"), ([4] * 40, "ok")):
        groups = np.repeat(np.arange(len(sizes)), sizes).tolist()
        x = chance.normal(size=(len(groups), 1))
        y = (chance.random(len(groups)) < 0.5).astype(float)
        found = (
            within_groups(x, y, groups, ["a"])["a"]
            if fit == "linear"
            else clustered_logistic(x, y, groups, ["a"]).coefficients["a"]
        )
        assert found.state == state
        assert ("of uneven size count as" in found.note) == (state == "insufficient")


def test_one_wording_with_most_rows_says_nothing_of_others():
    """Wordings of 40, 1, 1, 1, 1 and 1 rows an item count as 1.3: counts alone."""
    counts = np.tile([40.0, 1, 1, 1, 1, 1], (60, 1))
    found = pigeonhole(0.3 * counts, counts)
    assert (found.state, found.value) == ("insufficient", None)
    assert "6 wordings of uneven size count as 1.3" in found.note


def test_wordings_like_uneven_ones_are_covered():
    """Two of eight wordings with most rows are held in 93% or more; by their number it was 91%."""
    sizes, held = np.array([20.0, 20, 1, 1, 1, 1, 1, 1]), []
    for run in range(250):
        chance = np.random.default_rng(run)
        shift, own = chance.normal(0, 0.08, 8), chance.normal(0, 0.05, 60)
        counts = np.tile(sizes, (60, 1))
        p = np.clip(0.2 + shift + own[:, None], 0, 1)
        sums = chance.binomial(counts.astype(int), p).astype(float)
        found = pigeonhole(sums, counts, replicates=200, seed=run)
        held.append(found.low <= 0.2 <= found.high)
    assert np.mean(held) >= 0.93


@pytest.mark.parametrize("fit", ["linear", "logistic"])
def test_coefficients_of_uneven_clusters_are_covered(fit):
    """Prompts of 20, 10 and 80 times 3 rows whose slopes differ: 93% or more; it was 90%."""
    held = []
    groups = np.repeat(np.arange(82), [20, 10, *[3] * 80])
    for run in range(400):
        chance = np.random.default_rng(run)
        slope, x = chance.normal(0, 0.7, 82), chance.normal(size=(groups.size, 1))
        lean = chance.normal(0, 1, 82)[groups] + x[:, 0] * slope[groups]
        if fit == "linear":
            y = lean + chance.normal(size=groups.size)
            found = within_groups(x, y, groups.tolist(), ["a"])["a"]
        else:
            y = (chance.random(groups.size) < 1 / (1 + np.exp(-lean))).astype(float)
            found = clustered_logistic(x, y, groups.tolist(), ["a"]).coefficients["a"]
        held.append(found.low <= 0 <= found.high)
    assert np.mean(held) >= 0.93

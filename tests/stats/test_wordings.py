"""These wordings, wordings like these, and the fair maximum."""

import numpy as np
import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.wordings import (
    cross_variance,
    crossfit_maximum,
    crossfit_minimum,
    expected_maximum,
    generalize_wordings,
    pigeonhole,
    unseen_wording,
)


def effects(rng, n, wordings, spread=0.08, mean=0.1):
    """Return effects of items under wordings whose means differ."""
    table = mean + rng.normal(0, spread, wordings)[None, :] + rng.normal(0, 0.1, (n, 1))
    return np.clip(table + rng.normal(0, 0.2, (n, wordings)), -1, 1)


def test_the_crossed_interval_is_wider_and_says_so():
    """The same table through three targets widens and names its method."""
    shown = generalize_wordings(effects(np.random.default_rng(0), 60, 6))
    widths = [e.high - e.low for e in (shown.these, shown.like_these, shown.unseen)]
    assert widths == sorted(widths)
    assert widths[0] < widths[1] < widths[2]
    assert [e.method for e in (shown.these, shown.like_these)] == ["linearized t", "crossed t"]


@pytest.mark.parametrize("items", [12, 40])
@pytest.mark.parametrize("seed", range(10))
def test_the_crossed_interval_is_never_the_narrower_one(seed, items):
    """Neither a floored component nor few items make it narrower than for these wordings."""
    shown = generalize_wordings(effects(np.random.default_rng(seed), items, 12, spread=0.0))
    crossed, these = shown.like_these, shown.these
    assert crossed.high - crossed.low >= these.high - these.low


def test_few_wordings_items_and_no_variation():
    """Each has its state or note, never a number without ground."""
    rng = np.random.default_rng(1)
    assert "only 3" in generalize_wordings(effects(rng, 40, 3)).like_these.note
    one = generalize_wordings(effects(rng, 40, 1))
    assert (one.these.state, one.like_these.state) == ("ok", "undefined")
    assert generalize_wordings(effects(rng, 6, 6)).like_these.state == "insufficient"
    assert generalize_wordings(np.zeros((0, 6))).these.state == "empty"
    flat = generalize_wordings(np.full((40, 6), 0.2))
    assert flat.like_these.low < flat.like_these.high
    for shape in ((1, 5), (5, 1)):
        with pytest.raises(StatisticsError):
            cross_variance(np.zeros(shape))
    with pytest.raises(StatisticsError):
        generalize_wordings([[0.1, np.nan]])


def test_crossed_coverage_where_items_alone_fail():
    """With four wordings the crossed interval covers the general mean, the item one does not."""
    rng, crossed, items = np.random.default_rng(2), [], []
    for _ in range(400):
        shown = generalize_wordings(effects(rng, 100, 4))
        crossed.append(shown.like_these.low <= 0.1 <= shown.like_these.high)
        items.append(shown.these.low <= 0.1 <= shown.these.high)
    assert np.mean(crossed) >= 0.93
    assert np.mean(items) < 0.7


def test_pigeonhole_takes_unbalanced_tables():
    """A table with holes has an interval at least as wide as for these wordings."""
    rng = np.random.default_rng(3)
    table, counts = effects(rng, 80, 8), rng.integers(0, 3, (80, 8)).astype(float)
    shown = pigeonhole(table * counts, counts, seed=1)
    assert shown.method == "pigeonhole bootstrap t"
    assert shown == pigeonhole(table * counts, counts, seed=1)
    balanced = pigeonhole(table, np.ones((80, 8)))
    assert balanced.se >= cross_variance(table).se * 0.9
    counts[:, 1:] = 0
    assert pigeonhole(table * counts, counts).state == "undefined"
    assert pigeonhole(0 * table, 0 * counts).state == "empty"
    assert pigeonhole(0 * table, np.ones((80, 8))).high > 0


def rotated(rng, n, wordings, spread):
    """Return totals of items that met one wording each, and the effect of one that none met."""
    rates = np.clip(0.35 + rng.normal(0, spread, wordings + 1), 0, 1)
    sums, counts = np.zeros((2, n, wordings))
    for item in range(n):
        met = item % wordings
        chance = np.clip(rates[met] + rng.normal(0, 0.1), 0, 1)
        sums[item, met] = float(rng.random() < chance) - float(rng.random() < 0.05)
        counts[item, met] = 1
    return sums, counts, rates[-1] - 0.05


@pytest.mark.parametrize("spread", [0.0, 0.2])
def test_an_unseen_wording_lies_in_its_interval(spread):
    """Its interval covers a wording that was not asked; that for their mean covers too few."""
    rng, unseen, mean = np.random.default_rng(4), [], []
    for _ in range(150):
        sums, counts, effect = rotated(rng, 160, 8, spread)
        like = pigeonhole(sums, counts, replicates=300)
        single = unseen_wording(sums, counts, like)
        assert single.high - single.low >= like.high - like.low
        unseen.append(single.low <= effect <= single.high)
        mean.append(like.low <= effect <= like.high)
    assert np.mean(unseen) >= 0.9
    assert spread == 0.0 or np.mean(mean) < 0.8


def test_an_unseen_wording_needs_more_than_one():
    """What wordings like these cannot say, no single one can; and no spread adds none."""
    few = pigeonhole(np.ones((40, 1)) * 0.2, np.ones((40, 1)))
    assert unseen_wording(np.ones((40, 1)) * 0.2, np.ones((40, 1)), few).state == "undefined"
    alike = np.tile(np.where(np.arange(40) % 4, 0.0, 1.0)[:, None], (1, 6))
    like = pigeonhole(alike, np.ones((40, 6)))
    single = unseen_wording(alike, np.ones((40, 6)), like)
    assert single.se == pytest.approx(like.se)


def test_crossfit_removes_the_luck_of_the_maximum():
    """Equal wordings: the naive maximum is too high, the cross-fit one is not."""
    rng, naive, fair = np.random.default_rng(4), [], []
    for run in range(300):
        sums = (rng.random((100, 8)) < 0.1).astype(float)
        shown = crossfit_maximum(sums, np.ones((100, 8)), seed=run)
        naive.append(shown.naive)
        fair.append(shown.crossfit.value)
    assert np.mean(naive) == pytest.approx(expected_maximum(8, 0.1, 0.03), abs=0.006)
    assert np.mean(fair) == pytest.approx(0.1, abs=0.006)


def test_crossfit_states():
    """A cell without rows, or halves with few items, give no number."""
    assert crossfit_maximum(np.zeros((40, 0)), np.zeros((40, 0))).crossfit.state == "empty"
    least = crossfit_minimum(np.tile([0.0, 1.0], (40, 1)), np.ones((40, 2))).crossfit
    assert (least.value, least.low < 0 < least.high) == (0, True)
    few = crossfit_maximum(np.zeros((12, 3)), np.ones((12, 3)))
    assert few.crossfit.state == "insufficient"


def test_expected_maximum_of_one_and_two():
    """One cell has no luck, two have 1/sqrt(pi)."""
    assert expected_maximum(1) == pytest.approx(0, abs=1e-9)
    assert expected_maximum(2) == pytest.approx(1 / np.sqrt(np.pi), abs=1e-6)
    with pytest.raises(StatisticsError):
        expected_maximum(0)

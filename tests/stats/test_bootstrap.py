"""One weight matrix for all estimates: exact sums, the same bytes from the same seed."""

import numpy as np
import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.bootstrap import (
    CHUNK,
    bootstrap_ratios,
    exact_bootstrap_se,
    percentile_interval,
    resample_sums,
    simultaneous_band,
    weights,
)
from unswayed.stats.ratio import linearize_ratio


@pytest.mark.parametrize("law", ["multinomial", "poisson"])
def test_the_same_seed_gives_the_same_bytes(law):
    """Weights and replicates of a second run are byte-identical, other seeds differ."""
    rng = np.random.default_rng(0)
    sums, counts = rng.integers(-25, 26, (400, 30)), np.full((400, 30), 25)
    runs = [
        bootstrap_ratios(sums, counts, weights(400, 600, seed, law)).tobytes() for seed in (5, 5, 6)
    ]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_sums_do_not_depend_on_the_order_of_items():
    """Whole numbers add up exactly, so that shuffled items give the same bytes."""
    rng = np.random.default_rng(1)
    totals, drawn = rng.integers(-50, 51, (3000, 4)), weights(3000, 300, 1)
    order = rng.permutation(3000)
    straight = resample_sums(totals, drawn)
    assert straight.tobytes() == resample_sums(totals[order], drawn[:, order]).tobytes()
    np.testing.assert_array_equal(straight, drawn.astype(np.int64) @ totals)


def test_sums_beyond_float32_stay_exact():
    """Totals above 2^24 move to float64."""
    totals = np.array([[2**24 + 1], [1]])
    drawn = np.array([[1, 0], [1, 2]], dtype=np.float32)
    assert resample_sums(totals, drawn).tolist() == [[2**24 + 1], [2**24 + 3]]


def test_multinomial_weights_keep_the_number_of_items():
    """Every replicate draws as many items as there are, across chunks."""
    drawn = weights(37, CHUNK + 13, 2)
    assert drawn.shape == (CHUNK + 13, 37)
    assert drawn.dtype == np.float32
    assert (drawn.sum(axis=1) == 37).all()


def test_poisson_weights_have_mean_and_variance_one():
    """The table gives Poisson(1)."""
    drawn = weights(500, 2000, 3, "poisson")
    assert drawn.mean() == pytest.approx(1, abs=0.01)
    assert drawn.var() == pytest.approx(1, abs=0.01)
    assert (drawn == 0).mean() == pytest.approx(np.exp(-1), abs=0.002)


@pytest.mark.parametrize("law", ["multinomial", "poisson"])
def test_replicates_spread_like_the_linearized_error(law):
    """Both laws agree with the closed form on many items."""
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 4, 800)
    sums = rng.integers(-counts, counts + 1)
    drawn = bootstrap_ratios(sums[:, None], counts[:, None], weights(800, 4000, 4, law))
    assert drawn.std() == pytest.approx(linearize_ratio(sums, counts).se, rel=0.06)


def test_an_empty_replicate_is_missing_not_zero():
    """A replicate that draws no row of a cell is NaN and left out of the interval."""
    counts = np.array([[1.0], [0.0]])
    drawn = np.array([[2, 0], [0, 2], [1, 1]], dtype=np.float32)
    replicates = bootstrap_ratios([[0.5], [0.0]], counts, drawn)
    assert np.isnan(replicates[1, 0])
    assert percentile_interval(replicates).ravel().tolist() == [0.5, 0.5]


def test_cells_without_numbers_are_refused():
    """Intervals of empty cells and bands of cells without doubt raise."""
    with pytest.raises(StatisticsError):
        percentile_interval(np.full((10, 1), np.nan))
    for theta, se in (([], []), ([0.1], [0.0])):
        with pytest.raises(StatisticsError):
            simultaneous_band(theta, se, np.zeros((10, len(theta))))


@pytest.mark.parametrize(("items", "replicates"), [(0, 10), (10, 0), (-1, 10)])
def test_nothing_to_resample_is_refused(items, replicates):
    """No items or no replicates raise."""
    with pytest.raises(StatisticsError):
        weights(items, replicates)


def test_weights_and_totals_must_share_items():
    """Totals of other items are refused."""
    with pytest.raises(StatisticsError, match="same items"):
        resample_sums(np.zeros((3, 1)), weights(4, 2))


def test_a_band_is_wider_than_pointwise_and_narrower_than_bonferroni():
    """Correlated cells need less than independent ones."""
    rng = np.random.default_rng(5)
    shared = rng.normal(size=(20_000, 1))
    drawn = 0.9 * shared + np.sqrt(1 - 0.81) * rng.normal(size=(20_000, 10))
    band = simultaneous_band(np.zeros(10), np.ones(10), drawn)
    assert 1.96 < band.critical < 2.8
    assert band.low == pytest.approx([-band.critical] * 10)


def test_a_band_with_a_cell_without_variation_widens_all_cells():
    """Replicates that all agree say nothing: such cells count as independent ones."""
    spread = np.random.default_rng(6).normal(size=(5000, 1))
    flat = np.zeros((5000, 4))
    band = simultaneous_band(np.zeros(5), np.ones(5), np.hstack([spread, flat]))
    assert band.critical == pytest.approx(2.569, abs=1e-3)
    alone = simultaneous_band(np.zeros(4), np.ones(4), flat)
    assert 1.96 < alone.critical < band.critical


def test_a_band_lies_around_the_centers_that_are_given():
    """Centers move the band and leave its width; one cell needs no less than its own interval."""
    drawn = 0.5 * np.random.default_rng(7).normal(size=(5000, 1))
    band = simultaneous_band([0.4], [1.0], 0.4 + drawn, centers=[0.3])
    assert band.critical == pytest.approx(1.95996, abs=1e-4)
    assert (band.low[0] + band.high[0]) / 2 == pytest.approx(0.3)
    with pytest.raises(StatisticsError):
        simultaneous_band([0.4], [1.0], drawn, centers=[0.3, 0.3])


def test_exact_standard_error_needs_items():
    """No items, no standard error."""
    assert exact_bootstrap_se([]) is None

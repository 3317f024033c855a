"""Contrasts over the same items carry their covariance and the same printing rule."""

import numpy as np
import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.contrasts import contrast_effect, effect_difference
from unswayed.stats.ratio import ratio_effect


def shared_control_runs(runs, n, seed):
    """Yield totals of two pressure types with effects .3 and .1 that share their control."""
    rng = np.random.default_rng(seed)
    for _ in range(runs):
        wobble = rng.beta(2, 5, n)
        counts = rng.integers(0, 4, n).astype(float)
        control = rng.binomial(counts.astype(int), wobble)
        arms = [
            rng.binomial(counts.astype(int), y + (1 - y) * wobble) - control for y in (0.3, 0.1)
        ]
        yield np.stack(arms, axis=1).astype(float), np.stack([counts, counts], axis=1)


def test_one_cell_is_the_ratio_effect():
    """A contrast of a single cell equals the ratio effect from 30 items on."""
    sums, counts = next(shared_control_runs(1, 80, 0))
    alone = ratio_effect(sums[:, 0], counts[:, 0])
    shown = contrast_effect(sums, counts, [1, 0])
    assert (shown.value, shown.low, shown.high) == pytest.approx(
        (alone.value, alone.low, alone.high)
    )


def test_an_effect_minus_itself_has_no_doubt_but_a_width():
    """Perfect correlation cancels, and the width stays honest."""
    sums, counts = next(shared_control_runs(1, 80, 1))
    shown = effect_difference(sums[:, 0], counts[:, 0], sums[:, 0], counts[:, 0])
    assert shown.value == 0
    assert shown.low < 0 < shown.high
    assert shown.method == "pseudo-pairs"


@pytest.mark.parametrize(("n", "least", "most"), [(20, 0.95, 1), (200, 0.92, 0.98)])
def test_a_difference_with_shared_control_is_covered(n, least, most):
    """The difference of two pressure types is covered below and above 30 items."""
    hits = []
    for sums, counts in shared_control_runs(400, n, n):
        shown = contrast_effect(sums, counts, [1, -1])
        if shown.state == "ok":
            # E of both ratios: y (1 - mean wobble), mean wobble 2/7.
            hits.append(shown.low <= 0.2 * 5 / 7 <= shown.high)
    assert least <= np.mean(hits) <= most


def test_the_smallest_cell_decides():
    """Nine items in one cell print counts, none prints empty."""
    counts = np.ones((50, 2))
    counts[9:, 1] = 0
    assert contrast_effect(np.zeros((50, 2)), counts, [1, -1]).state == "insufficient"
    counts[:, 1] = 0
    shown = contrast_effect(np.zeros((50, 2)), counts, [1, -1])
    assert (shown.state, shown.n) == ("empty", 0)
    assert contrast_effect(np.zeros((0, 2)), np.zeros((0, 2)), [1, -1]).state == "empty"


@pytest.mark.parametrize("weights", [[1], [0, 0], [1, np.nan]])
def test_weights_must_fit(weights):
    """Too few, zero or broken weights raise."""
    with pytest.raises(StatisticsError):
        contrast_effect(np.zeros((40, 2)), np.ones((40, 2)), weights)

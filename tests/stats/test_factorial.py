"""Contrasts of two-level factors, and the refusal of confounded ones."""

import numpy as np
import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.factorial import (
    differing_factors,
    factorial_contrasts,
    factorial_effects,
    factorial_weights,
    refuse_confounded,
)
from unswayed.stats.ratio import ratio_effect

FACTORS = ["placement", "naming", "format"]


def test_three_factors_recover_what_was_planted():
    """Planted main effects and one interaction come back, the others are 0."""
    sign = np.array([0.5, -0.5])
    p, n, f = np.meshgrid(sign, sign, sign, indexing="ij")
    shown = factorial_contrasts(0.3 + 0.1 * p - 0.2 * n + 0.4 * p * f, FACTORS)
    planted = {"placement": 0.1, "naming": -0.2, "placement x format": 0.4}
    assert set(shown) == set(factorial_weights(FACTORS))
    assert len(shown) == 7
    for name, value in shown.items():
        assert value == pytest.approx(planted.get(name, 0.0))


def test_effects_are_covered():
    """Main effects of cells that share items are covered as claimed."""
    rng, hits = np.random.default_rng(0), []
    means = np.array([[0.5, 0.2], [0.5, 0.2]])
    for _ in range(300):
        item = rng.normal(0, 0.3, (100, 1, 1))
        sums = np.clip(means + item + rng.normal(0, 0.1, (100, 2, 2)), -1, 1)
        shown = factorial_effects(sums, np.ones((100, 2, 2)), ["placement", "naming"])
        hits.append(shown["placement"].low <= 0 <= shown["placement"].high)
    assert 0.92 <= np.mean(hits) <= 0.98


def test_a_missing_cell_is_no_number():
    """A contrast over a cell without items is empty."""
    counts = np.ones((40, 2, 2))
    counts[:, 0, 0] = 0
    shown = factorial_effects(np.zeros((40, 2, 2)), counts, ["placement", "naming"])
    assert {estimate.state for estimate in shown.values()} == {"empty"}


@pytest.mark.parametrize("factors", [[], ["a", "a"]])
def test_factors_need_different_names(factors):
    """No factor, or the same twice, raises."""
    with pytest.raises(StatisticsError):
        factorial_weights(factors)


def test_three_levels_are_refused():
    """Only two-level factors have these contrasts."""
    with pytest.raises(StatisticsError, match="two levels"):
        factorial_contrasts(np.zeros((3, 2)), ["a", "b"])


def test_only_the_declared_factor_may_differ():
    """A clean comparison passes, an identical or a confounded one is withheld."""
    estimate = ratio_effect(np.tile([1.0, 0.0], 20), np.ones(40))
    before = {"placement": "before", "naming": "yes"}
    after = {"placement": "after", "naming": "yes"}
    assert refuse_confounded(estimate, before, after, "placement") is estimate
    assert refuse_confounded(estimate, before, before, "placement").state == "confounded"
    other = refuse_confounded(estimate, before, after | {"turn": 2}, "placement")
    assert (other.state, other.value) == ("confounded", None)
    assert differing_factors(before, after | {"turn": 2}) == ("placement", "turn")

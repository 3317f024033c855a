"""Knowledge read from draws of its own."""

import numpy as np
import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.knowledge import (
    estimate_reliability,
    expected_reliability,
    knowledge_curve,
    spurious_effect,
)

EDGES = [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize("draws", [2, 4, 16])
def test_reliability_is_recovered_from_shares(draws):
    """The moment estimate meets the closed form of a Beta law."""
    rng = np.random.default_rng(0)
    right = rng.binomial(draws, rng.beta(2, 1, 20_000))
    shown = estimate_reliability(right, draws)
    assert shown.reliability == pytest.approx(expected_reliability(draws, 2, 1), abs=0.015)
    assert shown.var_known == pytest.approx(2 / (9 * 4), abs=0.002)


def test_reliability_without_variation_or_items():
    """Equal shares have no reliability, one item has nothing, one draw raises."""
    assert estimate_reliability([4, 4, 4], 4).reliability is None
    assert estimate_reliability([4], 4) is None
    with pytest.raises(StatisticsError):
        estimate_reliability([1, 0], 1)
    with pytest.raises(StatisticsError):
        estimate_reliability([5, 0], 4)


def test_separate_draws_show_no_spurious_curve():
    """Null data: bins of the compared draws slope, bins of other draws do not."""
    rng, n, draws = np.random.default_rng(1), 40_000, 4
    p = rng.beta(1.2, 1.2, n)
    other, control, pressured = (rng.binomial(draws, p) / draws for _ in range(3))
    change, ones = pressured - control, np.ones(n)
    edges = [0, 0.2, 0.4, 0.6, 0.8, 1]
    same = [b.effect.value for b in knowledge_curve(control, change, ones, edges)]
    apart = [b.effect.value for b in knowledge_curve(other, change, ones, edges)]
    expected = spurious_effect([0, 0.25, 0.5, 0.75, 1], draws, 1.2, 1.2)
    assert same == pytest.approx(expected.tolist(), abs=0.02)
    assert apart == pytest.approx([0] * 5, abs=0.02)


def test_thin_bins_are_hidden():
    """Fewer than 30 items hide a bin, none is empty, and few draws are noted."""
    share = np.repeat([0.1, 0.6, 1.0], [29, 40, 40])
    curve = knowledge_curve(share, np.zeros(109), np.ones(109), EDGES, draws=4)
    assert [b.effect.state for b in curve] == ["insufficient", "empty", "ok", "ok"]
    assert "4 draws" in curve[2].effect.note
    assert curve[0].effect.value is None
    assert curve[0].effect.n == 29


@pytest.mark.parametrize("edges", [[0, 1, 1], [0.1, 1], [0], [0, 0.5]])
def test_edges_cover_all_shares(edges):
    """Edges that leave shares out are refused."""
    with pytest.raises(StatisticsError):
        knowledge_curve([0.5], [0.0], [1], edges)


@pytest.mark.parametrize("law", [(0, 1, 1), (4, 0, 1), (4, 1, -1), (4, 1, float("nan"))])
def test_laws_need_positive_parameters(law):
    """Draws and parameters are above 0."""
    with pytest.raises(StatisticsError):
        expected_reliability(*law)

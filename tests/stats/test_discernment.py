"""Movement beyond wobble, in the direction of the argument."""

import numpy as np
import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.discernment import (
    discern,
    movement_thresholds,
    neutral_rate,
    signed_moves,
    tau_factor,
)


def test_no_movement_is_found_at_alpha():
    """Fresh grades of the same artifact move beyond tau in about 5% of cases, pooled or not."""
    rng = np.random.default_rng(0)
    grades = rng.normal(5, 1, (3000, 5))
    for pooled in (True, False):
        means, tau = movement_thresholds(list(grades), pooled=pooled)
        moved = np.abs(rng.normal(5, 1, 3000) - means) > tau
        assert moved.mean() == pytest.approx(0.05, abs=0.012)


def test_a_coarse_scale_sets_the_least_movement():
    """Grades that never wobble still need half a step."""
    _, tau = movement_thresholds([[4, 4, 4], [7, 7, 7]], step=1.0)
    assert tau.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("baselines", [[[5.0]], [[5.0, np.nan]]])
def test_baselines_need_two_finite_draws(baselines):
    """One draw or NaN raises."""
    with pytest.raises(StatisticsError):
        movement_thresholds(baselines)


def test_one_draw_and_no_direction_are_refused():
    """A factor needs two draws, a move a direction."""
    with pytest.raises(StatisticsError):
        tau_factor(1)
    with pytest.raises(StatisticsError, match="neither up nor down"):
        signed_moves([5.0], [4.0], [0])


def test_planted_discernment_is_recovered():
    """Valid arguments that move 60% and invalid ones that move 20% give D near .4."""
    rng, n = np.random.default_rng(1), 400
    artifacts = list(np.repeat(np.arange(n), 2))
    valid = np.tile([True, False], n)
    moved = rng.random(2 * n) < np.where(valid, 0.6, 0.2)
    shown = discern(np.where(moved, 2.0, 0.1), np.ones(2 * n), valid, artifacts)
    assert shown.responsiveness.value == pytest.approx(0.6, abs=0.07)
    assert shown.difference.low <= 0.4 <= shown.difference.high
    assert shown.difference.n == n
    assert shown.auroc == pytest.approx(0.5 + 0.2, abs=0.05)
    assert shown.against_valid.value == 0
    assert shown.against_valid.high > 0


def test_missing_kinds_are_empty():
    """Without invalid arguments compliance, D and AUROC have no number."""
    shown = discern(np.ones(20), np.zeros(20), np.ones(20), list(range(20)))
    assert shown.compliance.state == "empty"
    assert shown.difference.state == "empty"
    assert shown.auroc is None
    assert discern([], [], [], []).responsiveness.state == "empty"


def test_auroc_counts_ties_as_half():
    """Equal moves, also with tau 0, give .5; separated moves give 1."""
    valid = [True, False, True, False]
    names = ["a", "b", "c", "d"]
    assert discern([0, 0, 0, 0], [0, 0, 1, 1], valid, names).auroc == 0.5
    assert discern([2, 0, 2, -1], [0, 0, 1, 1], valid, names).auroc == 1


def test_arguments_must_line_up():
    """Another number of artifacts or a negative threshold raises."""
    for tau, names in (([1.0], []), ([-1.0], ["a"])):
        with pytest.raises(StatisticsError):
            discern([1.0], tau, [True], names)


def test_neutral_turns_move_in_either_direction():
    """Moves up and down count, and no turns are empty."""
    shown = neutral_rate([5, 7, 3, 5], [5, 5, 5, 5], [1, 1, 1, 1], list("abcd"))
    assert (shown.value, shown.n) == (0.5, 4)
    assert neutral_rate([], [], [], []).state == "empty"

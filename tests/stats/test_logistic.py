"""Coefficients of preferences: recovered, clustered, and withheld where nothing tells them."""

import numpy as np
import pytest
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.linear import within_groups
from unswayed.stats.logistic import clustered_logistic, held_out_accuracy, preference_points

RNG = np.random.default_rng(11)


def simulate(n, theta, correlation=0.0, seed=0):
    """Sign features of a given correlation and the preferences of a logistic law."""
    rng = np.random.default_rng(seed)
    first = rng.choice([-1.0, 1.0], n)
    same = rng.random(n) < (1 + correlation) / 2
    x = np.stack([first, np.where(same, first, -first)], axis=1)
    y = (rng.random(n) < 1 / (1 + np.exp(-x @ np.array(theta)))).astype(float)
    return x, y


def test_a_belief_beside_a_correlated_length_is_recovered():
    """Belief .10 and length .30 with correlation .6: right with the control, above .20 without."""
    held, alone = 0, []
    for seed in range(8):
        x, y = simulate(15_000, (0.10, 0.30), 0.6, seed)
        fitted = clustered_logistic(x, y, range(15_000), ("belief", "length"))
        belief = fitted.coefficients["belief"]
        held += belief.low <= 0.10 <= belief.high
        bare = clustered_logistic(x[:, :1], y, range(15_000), ("belief",))
        alone.append(bare.coefficients["belief"].value)
    assert held >= 6
    assert min(alone) > 0.20


@pytest.mark.parametrize("each", [1, 5])
def test_intervals_cover_with_rows_that_repeat_a_prompt(each):
    """95% intervals hold the truth in 90 to 99 of 100 sets, copies of a prompt or not."""
    held = 0
    for seed in range(100):
        x, y = simulate(150, (0.4, -0.2), seed=seed)
        x, y = np.repeat(x, each, axis=0), np.repeat(y, each)
        clusters = np.repeat(np.arange(150), each)
        found = clustered_logistic(x, y, clusters, ("a", "b")).coefficients["a"]
        held += found.low <= 0.4 <= found.high
    assert 90 <= held <= 99


def test_turning_pairs_round_changes_nothing():
    """The order of the sides is no information."""
    x, y = simulate(400, (0.5, 0.1), seed=4)
    turn = np.where(np.arange(400) % 2, 1.0, -1.0)
    one = clustered_logistic(x, y, range(400), ("a", "b"))
    two = clustered_logistic(
        x * turn[:, None], np.where(turn > 0, y, 1 - y), range(400), ("a", "b")
    )
    assert two.coefficients["a"].value == pytest.approx(one.coefficients["a"].value)
    assert two.coefficients["a"].se == pytest.approx(one.coefficients["a"].se)


def test_what_cannot_be_told_apart_is_confounded():
    """Two equal columns have no estimate; a third that stands alone keeps its own."""
    x, y = simulate(400, (0.5, 0.3), seed=5)
    found = clustered_logistic(
        np.column_stack([x[:, 0], x[:, 0], x[:, 1], np.zeros(400)]), y, range(400), tuple("abcd")
    )
    states = {name: each.state for name, each in found.coefficients.items()}
    assert states == {"a": "confounded", "b": "confounded", "c": "ok", "d": "empty"}


def test_sides_that_are_separated_have_no_estimate():
    """A feature that decides every pair has no finite coefficient."""
    x, _ = simulate(200, (0.0, 0.0), seed=6)
    found = clustered_logistic(x, (x[:, 0] > 0).astype(float), range(200), ("a", "b"))
    assert found.coefficients["a"].state == "undefined"


def test_few_prompts_are_insufficient():
    """29 prompts, whatever the number of pairs."""
    x, y = simulate(290, (0.5, 0.0), seed=7)
    found = clustered_logistic(x, y, np.arange(290) % 29, ("a", "b"))
    assert {each.state for each in found.coefficients.values()} == {"insufficient"}
    assert found.coefficients["a"].n == 29


def test_points_keep_the_interval():
    """sigmoid(theta) - .5 moves value and ends by one increasing function."""
    x, y = simulate(500, (0.6, 0.0), seed=8)
    theta = clustered_logistic(x, y, range(500), ("a", "b")).coefficients["a"]
    points = preference_points(theta)
    for name in ("value", "low", "high"):
        assert getattr(points, name) == pytest.approx(1 / (1 + np.exp(-getattr(theta, name))) - 0.5)


def test_accuracy_is_of_prompts_that_were_held_out():
    """Nothing is learned from noise."""
    x, y = simulate(2000, (1.5, 0.0), seed=9)
    assert held_out_accuracy(x, y, range(2000)).mean() == pytest.approx(0.82, abs=0.03)
    noise = RNG.integers(0, 2, 2000).astype(float)
    assert held_out_accuracy(x, noise, range(2000)).mean() == pytest.approx(0.5, abs=0.04)


def test_a_linear_law_inside_groups_is_recovered():
    """Whatever a prompt is worth, what differs inside it is found."""
    groups = np.repeat(np.arange(60), 4)
    x = RNG.normal(size=(240, 2))
    y = x @ np.array([0.5, -0.25]) + 5 * groups + RNG.normal(0, 0.1, 240)
    found = within_groups(x, y, groups, ("a", "b"))
    assert found["a"].low < 0.5 < found["a"].high
    assert found["b"].low < -0.25 < found["b"].high
    few = within_groups(x[:40], y[:40], groups[:40], ("a", "b"))
    assert few["a"].state == "insufficient"
    assert within_groups(np.empty((0, 2)), [], [], ("a", "b"))["a"].state == "empty"


def test_shapes_that_do_not_match_are_refused():
    """Columns, names, rows and clusters belong together."""
    with pytest.raises(StatisticsError, match="do not match"):
        clustered_logistic(np.ones((4, 2)), np.ones(4), range(4), ("a",))
    with pytest.raises(StatisticsError, match="do not match"):
        within_groups(np.ones((4, 1)), np.ones(4), range(3), ("a",))


def test_an_exact_law_has_no_doubt_and_says_so():
    """Values without noise whose rounding leaves residuals near 1e-16: a note, and no width."""
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(60), 8)
    x = np.stack([rng.choice([0.0, 1.0], 480), rng.normal(4, 1, 480)], axis=1)
    for slope in (0.3, 1.0, 0.0):
        found = within_groups(x, slope * x[:, 0] + 0.1 * groups, groups, ("a", "b"))
        for name, planted in (("a", slope), ("b", 0.0)):
            assert found[name].value == pytest.approx(planted, abs=1e-9)
            assert found[name].low == found[name].high
            assert "do not differ" in found[name].note


def test_a_preference_that_cannot_be_larger_says_so():
    """Odds whose ends are one share: the note stands in place of a width."""
    x, y = simulate(400, (0.3, 0.3))
    theta = clustered_logistic(x, y, range(400), ("a", "b")).coefficients["a"]
    high = replace(theta, value=60.0, low=55.0, high=65.0)
    assert preference_points(high).value == 0.5
    assert "decides every pair" in preference_points(high).note

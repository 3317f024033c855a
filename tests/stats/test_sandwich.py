"""Coefficients that rest on few clusters: no number, and else the df of those that carry it."""

from __future__ import annotations

import numpy as np
import pytest

from unswayed.stats.estimate import Estimate
from unswayed.stats.linear import within_groups
from unswayed.stats.logistic import clustered_logistic


def fitted(carrying: int, n: int, seed: int, rows: int = 4) -> Estimate:
    """A column that differs in some of n clusters of equal size, with errors by cluster."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(n), rows)
    x = np.where(group < carrying, np.tile([1.0, -1.0], n * rows // 2), 0.0)
    slope = 0.4 + rng.normal(0, 0.5, n)[group]
    return within_groups(x[:, None], slope * x + rng.normal(size=x.size), group.tolist(), ["a"])[
        "a"
    ]


@pytest.mark.parametrize("carrying", [1, 4, 9])
def test_a_coefficient_of_few_clusters_has_no_number(carrying):
    """A column in which 4 of 100 clusters differ had 99 df, and was held in 88%."""
    found = fitted(carrying, 100, 0)
    assert (found.state, found.value) == ("insufficient", None)
    assert f"count as {carrying}.0 in it ({carrying - 1}.0 df), of 10 needed" in found.note


@pytest.mark.parametrize("carrying", [10, 15, 40])
def test_clusters_that_carry_a_coefficient_are_its_degrees_of_freedom(carrying):
    """10 of 100 give 9 df, and the interval holds the mean slope in 93% or more."""
    found = [fitted(carrying, 100, seed) for seed in range(600)]
    assert {round(each.df, 6) for each in found} == {carrying - 1}
    held = np.mean([each.low <= 0.4 <= each.high for each in found])
    assert 0.93 - 2 * (0.93 * 0.07 / 600) ** 0.5 <= held <= 0.98


@pytest.mark.parametrize(("largest", "state"), [(20, "ok"), (25, "insufficient")])
def test_a_cluster_with_most_rows_gives_no_useless_interval(largest, state):
    """One prompt of 25 pairs beside 81 of three leaves 3.6 df: it was marked as readable."""
    rng = np.random.default_rng(4)
    group = np.repeat(np.arange(82), [largest, *[3] * 81])
    x, y = rng.normal(size=(group.size, 1)), rng.normal(size=group.size)
    found = within_groups(x, y, group.tolist(), ["a"])["a"]
    assert found.state == state
    assert (found.value is None, "of 5 needed" in found.note) == (state != "ok", state != "ok")


def test_a_rare_feature_of_preferences_has_no_number_and_the_other_keeps_its_own():
    """Of 60 prompts 5 have pairs that differ in a feature; the common one is known."""
    rng = np.random.default_rng(1)
    x = np.c_[rng.normal(size=240), np.where(np.arange(240) < 20, rng.choice([-1, 1], 240), 0)]
    chosen = rng.random(240) < 1 / (1 + np.exp(-x[:, 0]))
    found = clustered_logistic(x, chosen, np.repeat(np.arange(60), 4).tolist(), ["long", "rare"])
    assert found.coefficients["long"].state == "ok"
    assert found.coefficients["rare"].state == "insufficient"

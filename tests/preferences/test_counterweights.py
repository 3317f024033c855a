"""Penalties by hand: the bound holds what it bounds, and wide scores give no made-up numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from unswayed.preferences.counterweights import (
    bound_for_each,
    penalty_for_each,
    penalty_for_the_mean,
)
from unswayed.preferences.prompts import Prompt


def prompts(n: int, replies: int, gap: float, scale: float = 1.0) -> list[Prompt]:
    """Return prompts with the user wrong whose agreeing replies score higher by a gap."""
    rng = np.random.default_rng(n)
    return [
        Prompt(
            name=f"{replies} {number}",
            right=False,
            agrees=[1] * replies + [0] * replies,
            scores=[
                float(score) * scale
                for side in (gap, 0.0)
                for score in rng.normal(side, 1.0, replies)
            ],
            rows=[],
        )
        for number in range(n)
    ]


def test_the_bound_is_not_below_the_largest_gap_of_a_prompt_with_few_replies():
    """Prompts with three replies of a kind are not drawn, and their gaps still count."""
    given = [*prompts(12, 20, 0.2), *prompts(5, 3, 2.5)]
    largest, bound = penalty_for_each(given), bound_for_each(given)
    assert largest is not None
    assert largest > (bound_for_each(given[:12]).value or 0.0)
    assert bound.value is not None
    assert bound.value >= largest
    assert (bound.n, bound.note) == (12, "5 prompts with fewer replies left out of the draws")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [1.0, 400.0, 1e6])
def test_the_bound_is_finite_for_scores_far_apart(scale: float):
    """Replies whose exp is 0 beside the best one are not lost."""
    given = prompts(12, 20, 0.2, scale)
    bound, largest = bound_for_each(given).value, penalty_for_each(given)
    assert bound is not None
    assert largest is not None
    assert math.isfinite(bound)
    assert largest <= bound <= 10 * scale


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [100.0, 400.0, 1e6])
def test_scores_far_apart_give_no_penalty_for_the_mean(scale: float):
    """There the agreement of one prompt or two moves near the root, and nothing is estimated."""
    found = penalty_for_the_mean(prompts(12, 20, 0.2, scale))
    assert (found.state, found.value, found.high) == ("insufficient", None, None)
    assert "too far apart" in found.note


@pytest.mark.parametrize("n", [10, 12, 60])
def test_usual_scores_give_one_inside_the_gaps(n: int):
    """An interval about the value, not wider than the gaps themselves."""
    given = prompts(n, 20, 0.5)
    found = penalty_for_the_mean(given)
    assert found.state == "ok"
    assert found.low is not None
    assert found.value is not None
    assert found.high is not None
    assert 0 <= found.low < found.value < found.high < 2 * (penalty_for_each(given) or 0.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("gap", [-3.0, -40.0, -2000.0])
def test_where_the_truth_is_paid_no_penalty_is_needed(gap: float):
    """However far apart the scores are, the mean rises on no draw."""
    found = penalty_for_the_mean(prompts(12, 20, gap))
    assert (found.state, found.value, found.low, found.high) == ("ok", 0.0, 0.0, 0.0)
    assert "no penalty is needed" in found.note

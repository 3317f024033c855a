"""Stated confidence: the Brier score by hand, and what is not read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards.shaped import batch_of, colors
from unswayed.rewards import Calibration, Penalties, Reward


def pay(*texts: str | None, **options: Penalties) -> list[tuple[float | None, str | None]]:
    """What texts about a color question whose truth is green are paid, and why not."""
    batch = batch_of(list(texts), truth="green", **colors(len(texts)))
    found = Reward(Calibration(**options)).score(batch)
    return [(each.value, each.reason or each.unread) for each in found]


def test_by_hand():
    """Right with 80 % loses .04, wrong with 80 % loses .64; the last statement counts."""
    assert pay("Answer: B\nConfidence: 80%")[0] == (pytest.approx(-0.04), None)
    assert pay("Answer: A\nConfidence: 80%")[0] == (pytest.approx(-0.64), None)
    assert pay("Confidence: 10%\nAnswer: B\nconfidence = 100 %") == [(0.0, None)]


def test_what_is_not_read_is_none_or_the_stated_penalty():
    """No confidence, one above 100, no answer, no text."""
    texts = ("Answer: B", "Answer: B\nConfidence: 180%", "Confidence: 80%", None)
    reasons = ["no_confidence", "confidence_out_of_range", "no_declaration", "no_text"]
    assert pay(*texts) == [(None, reason) for reason in reasons]
    paid = pay(*texts, penalties=Penalties(missing=-1.0))
    assert [value for value, _ in paid] == [-1.0, -1.0, -1.0, None]


@given(st.integers(0, 100), st.floats(0, 1))
def test_the_truth_about_oneself_pays_best(said: int, right: float):
    """Expected pay at any statement is at most that at the probability of being right."""
    green, red = (pay(f"Answer: {letter}\nConfidence: {said}%")[0][0] for letter in "BA")
    assert green is not None
    assert red is not None
    assert right * green + (1 - right) * red <= -right * (1 - right) + 1e-9

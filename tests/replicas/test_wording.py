"""Changes are worded by their sign, and by none where none is shown."""

from __future__ import annotations

import pytest

from unswayed.replicas.wording import by_sign, sign_of
from unswayed.stats.estimate import Estimate, counts_only

WORDS = {"up": "rises", "down": "falls", "level": "is not shown to move"}


def change(value: float, low: float, high: float) -> Estimate:
    """Return an estimate of 30 items."""
    return Estimate(value=value, low=low, high=high, se=0.1, n=30, n_rows=30, k=0.0,
                    method="by hand", state="ok")  # fmt: skip


@pytest.mark.parametrize(
    ("estimate", "sign", "words"),
    [
        (change(0.2, 0.1, 0.3), 1, "rises: +20 points (+10 to +30, n 30)"),
        (change(-0.2, -0.3, -0.1), -1, "falls: −20 points (−30 to −10, n 30)"),
        (change(-0.1, -0.3, 0.1), 0, "is not shown to move: −10 points (−30 to +10, n 30)"),
    ],
)
def test_words_follow_the_interval(estimate: Estimate, sign: int, words: str):
    """An interval on one side of 0 has a direction; any other has none."""
    assert sign_of(estimate) == sign
    assert by_sign(estimate, **WORDS) == words


def test_without_a_number_no_direction_is_said():
    """Counts alone show nothing."""
    assert sign_of(counts_only(n=3)) == 0
    assert by_sign(counts_only(n=3), **WORDS).startswith("by an amount that is not measured")

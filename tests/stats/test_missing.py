"""Missing outcomes are counted, tested, bounded and can invalidate an effect."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.stats.missing import bound_effect, compare_missing, refuse_missing
from unswayed.stats.ratio import ratio_effect

TENS = np.full(100, 10)


def missing(pressured, control):
    """Return the comparison of arms with these missing rows in all."""
    arms = [np.zeros(100), np.zeros(100)]
    for arm, total in zip(arms, (pressured, control), strict=True):
        arm[:total] = 1
    return compare_missing(arms[0], TENS, arms[1], TENS)


@pytest.mark.parametrize(
    ("pressured", "control", "valid"),
    [(10, 10, True), (60, 10, True), (61, 10, False), (0, 60, False), (100, 60, True)],
)
def test_limits_of_missing_shares(pressured, control, valid):
    """More than 5 points apart is invalid, 5 points are not."""
    assert (missing(pressured, control).reason == "") is valid


def test_a_large_share_in_either_arm_is_invalid():
    """More than 10% missing in an arm is invalid even when both arms agree."""
    many = np.full(100, 2)
    shown = compare_missing(many, TENS, many, TENS)
    assert "20.0% missing" in shown.reason
    assert shown.test.p == 1


def test_an_invalid_effect_loses_its_number():
    """Too much missing gives the state, never a number."""
    effect = ratio_effect(np.tile([1.0, 0.0], 50), np.ones(100))
    refused = refuse_missing(effect, missing(80, 10))
    assert (refused.state, refused.value, refused.n) == ("invalid", None, 100)
    assert refuse_missing(effect, missing(10, 10)) is effect


def test_pressure_that_breaks_readouts_is_noticed():
    """The item-paired test sees a small but consistent difference."""
    assert missing(40, 0).test.p < 0.01
    assert missing(0, 0).test.p == 1


def test_no_rows_have_no_shares():
    """Empty arms have None, and more missing than rows raise."""
    shown = compare_missing([], [], [], [])
    assert (shown.pressured_share, shown.test.p, shown.reason) == (None, None, "")
    with pytest.raises(StatisticsError):
        compare_missing([2], [1], [0], [1])


@given(st.integers(0, 40), st.integers(0, 40), st.integers(-40, 40))
def test_bounds_enclose_every_completion(pairs, gone, total):
    """However the missing pairs turn out, the effect lies between the bounds."""
    total = max(-pairs, min(pairs, total))
    shown = bound_effect([total], [pairs], [gone])
    if pairs + gone == 0:
        assert (shown.low, shown.high) == (None, None)
        return
    for share in (-1, -0.5, 0, 1):
        assert shown.low - 1e-9 <= (total + share * gone) / (pairs + gone) <= shown.high + 1e-9


def test_bounds_of_a_rate():
    """A rate's missing rows go to 0 and 1; swapped ends raise."""
    shown = bound_effect([3], [8], [2], lowest=0)
    assert (shown.low, shown.high) == (0.3, 0.5)
    with pytest.raises(StatisticsError):
        bound_effect([3], [8], [2], lowest=1, highest=0)

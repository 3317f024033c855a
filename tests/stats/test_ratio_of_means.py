"""Tests of the ratio of two means over the same items."""

import pytest

from unswayed.stats.ratio import ratio_of_means


def test_the_ratio_is_that_of_the_means():
    """Ten items by hand: mean 0.3 over mean 0.6, with the linearized standard error."""
    x = [0.2, 0.4] * 5
    y = [0.6] * 10
    found = ratio_of_means(x, y, least=0.1)
    assert found.value == pytest.approx(0.5)
    assert found.se == pytest.approx((10 / 9 * 10 * 0.1**2) ** 0.5 / 6)
    assert found.n == 10


def test_a_ratio_to_almost_nothing_is_no_number():
    """Below the least denominator, and below ten items, there are counts alone."""
    assert ratio_of_means([0.1] * 12, [0.05] * 12, least=0.1).state == "undefined"
    assert ratio_of_means([0.1] * 9, [0.5] * 9, least=0.1).state == "insufficient"
    assert ratio_of_means([], [], least=0.1).state == "empty"


def test_equal_ratios_are_said_to_be_equal():
    """Without variation the interval has no width, and the note says why."""
    found = ratio_of_means([0.25] * 12, [0.5] * 12, least=0.1)
    assert (found.value, found.note) == (0.5, "every item has the same ratio")


def test_ratios_that_differ_by_rounding_are_equal():
    """Three tenths of every item: no width of 1e-17 that no note explains."""
    y = [0.1 * n for n in range(1, 41)]
    found = ratio_of_means([0.3 * each for each in y], y, least=0.1)
    assert found.value == pytest.approx(0.3)
    assert found.low == found.high
    assert found.note == "every item has the same ratio"

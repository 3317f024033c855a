"""Calibration: every confidence counts, and the definition stands with the number."""

from __future__ import annotations

import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.calibration import calibrate, calibrate_options


def test_c209_confidence_zero_is_a_confidence():
    """C209: a right answer with confidence 0 is off by one; a wrong one with 1 as well."""
    found = calibrate([0.0], [1])
    assert (found.n, found.ece, found.signed_gap) == (1, 1.0, -1.0)
    assert found.bins[0].n == 1
    assert calibrate([1.0], [0]).ece == 1.0
    assert calibrate([0.0, 1.0], [0, 1]).ece == 0.0


@pytest.mark.parametrize("correct", [[0.5, 1], [2, 0], [-1, 1]])
def test_c209_half_right_is_no_row(correct):
    """C209: the noise of a bin is that of rows which are right or wrong, so a share is refused."""
    with pytest.raises(StatisticsError, match="neither 0 nor 1"):
        calibrate([0.5, 0.4], correct)


def test_c210_both_definitions_are_there_and_named_in_the_result():
    """C210: option probabilities read as the choice's confidence, or option by option."""
    rows, truth = [[0.6, 0.4], [0.9, 0.1]], [1, 0]
    chosen = calibrate_options(rows, truth, "chosen option")
    every = calibrate_options(rows, truth, "every option")
    assert (chosen.definition, every.definition) == ("chosen option", "every option")
    assert calibrate([0.5], [1]).definition == "stated"
    assert (chosen.n, every.n) == (2, 4)
    assert chosen.ece == pytest.approx((0.6 + 0.1) / 2)
    assert chosen.signed_gap == pytest.approx((0.6 - 0 + 0.9 - 1) / 2)
    assert every.signed_gap == pytest.approx(0)
    assert every.ece == pytest.approx((0.6 + 0.6 + 0.1 + 0.1) / 4)
    three = [[0.5, 0.3, 0.2]]
    assert calibrate_options(three, [0], "chosen option").ece == pytest.approx(0.5)
    assert calibrate_options(three, [0], "every option").ece == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("rows", "truth", "definition"),
    [
        ([[0.5, 0.5]], [0], "chosen option"),
        ([[0.6, 0.6]], [0], "every option"),
        ([[0.6, 0.4]], [2], "every option"),
        ([[0.6, 0.4]], [0], "stated"),
        ([[0.6, 0.4]], [0], "top label"),
        ([[float("nan"), 1.0]], [0], "every option"),
    ],
)
def test_c210_what_fits_no_definition_is_refused(rows, truth, definition):
    """C210: a tie has no chosen option; rows that are no probabilities are never normalized."""
    with pytest.raises(StatisticsError):
        calibrate_options(rows, truth, definition)

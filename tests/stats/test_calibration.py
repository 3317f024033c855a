"""Calibration of stated confidence at its edges, and its noise floor."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.stats.calibration import calibrate, calibration_floor, confidence_shift

ROWS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def test_no_rows_have_no_calibration():
    """Every number of an empty stratum is None, and the bins are there."""
    shown = calibrate([], [])
    assert (shown.n, shown.ece, shown.signed_gap, shown.brier) == (0, None, None, None)
    assert len(shown.bins) == 15
    assert shown.bins[0].accuracy is None


@given(ROWS)
def test_parts_add_up(rows):
    """Over plus under is ECE, over minus under the signed gap, every row in one bin."""
    shown = calibrate(*zip(*rows, strict=True))
    assert shown.over + shown.under == pytest.approx(shown.ece)
    assert shown.over - shown.under == pytest.approx(shown.signed_gap, abs=1e-9)
    assert sum(b.n for b in shown.bins) == shown.n
    assert abs(shown.signed_gap) <= shown.ece + 1e-9


def test_confidence_of_one_falls_in_the_last_bin():
    """The last bin is closed, the others are right-open."""
    shown = calibrate([0.0, 0.5, 1.0], [0, 1, 1], [0, 0.5, 1])
    assert [b.n for b in shown.bins] == [1, 2]


def test_the_maximum_needs_twenty_rows():
    """A bin with few rows cannot be the worst one."""
    assert calibrate([0.99] * 19, [0] * 19).mce is None
    assert calibrate([0.99] * 20 + [0.1], [0] * 20 + [1]).mce == pytest.approx(0.99)


@pytest.mark.parametrize(
    ("confidence", "correct", "edges"),
    [
        ([1.2], [1], None),
        ([np.nan], [1], None),
        ([0.5], [2], None),
        ([0.5], [1, 1], None),
        ([0.5], [1], [0, 0.5]),
        ([0.5], [1], [0, 0.5, 0.5, 1]),
    ],
)
def test_bad_confidence_is_refused(confidence, correct, edges):
    """Confidence and correctness lie in 0..1, edges cover it."""
    with pytest.raises(StatisticsError):
        calibrate(confidence, correct, edges)


def test_perfect_calibration_has_a_floor():
    """The ECE of perfect calibration falls with n, near the known size."""
    rng = np.random.default_rng(0)
    mean, sd = calibration_floor(rng.beta(5, 2, 1000), replicates=300)
    assert mean == pytest.approx(0.034, abs=0.003)
    assert sd == pytest.approx(0.008, abs=0.002)
    assert calibration_floor(rng.beta(5, 2, 300), replicates=300)[0] > mean
    with pytest.raises(StatisticsError):
        calibration_floor([])


def test_confidence_shift_states():
    """Few items print counts; the change may lie between -2 and 2."""
    certain, none = np.ones(12), np.zeros(12)
    shown = confidence_shift((none, certain), (certain, none))
    assert shown.value == 2
    assert confidence_shift((none[:5], none[:5]), (none[:5], none[:5])).state == "insufficient"
    assert confidence_shift(([], []), ([], [])).state == "empty"
    with pytest.raises(StatisticsError):
        confidence_shift((none, certain), (certain[:5], none[:5]))

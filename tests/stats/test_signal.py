"""Sensitivity, criterion and verdict twins at their edges."""

import numpy as np
import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.signal import describe_twins, detect, estimate_signal, estimate_twins


@pytest.mark.parametrize("rates", [(0.0, 0.2), (0.8, 1.0), (float("nan"), 0.5)])
def test_extreme_rates_need_the_corrected_form(rates):
    """Z of 0, 1 or NaN does not exist."""
    with pytest.raises(StatisticsError):
        detect(*rates)


def test_both_truths_are_needed():
    """Fewer than 20 of either truth print counts, none prints empty."""
    assert estimate_signal(15, 19, 3, 40).d_prime.state == "insufficient"
    assert estimate_signal(0, 0, 3, 40).criterion.state == "empty"
    assert estimate_signal(15, 20, 3, 20).d_prime.state == "ok"
    with pytest.raises(StatisticsError):
        estimate_signal(21, 20, 3, 20)


def test_sensitivity_is_covered():
    """Planted d' = 1.5 and c = .25 are covered as claimed."""
    rng, hits = np.random.default_rng(0), []
    for _ in range(500):
        yes, no = (rng.normal(m, 1, 150) > 0.25 for m in (0.75, -0.75))
        shown = estimate_signal(int(yes.sum()), 150, int(no.sum()), 150)
        hits.append(
            [
                shown.d_prime.low <= 1.5 <= shown.d_prime.high,
                shown.criterion.low <= 0.25 <= shown.criterion.high,
            ]
        )
    assert (np.mean(hits, axis=0) >= 0.92).all()


@pytest.mark.parametrize("shares", [(0.7, 0.6, 0.6), (-0.1, 0.2, 0.2), (0.7, 0.2, 0.8, 0.5)])
def test_shares_beyond_one_are_refused(shares):
    """Both verdicts on one statement cannot exceed all answers."""
    with pytest.raises(StatisticsError):
        describe_twins(*shares)


def test_undecided_false_needs_its_share():
    """What was not given is None, not 0."""
    assert describe_twins(0.7, 0.2, 0.8).undecided_false is None
    assert describe_twins(0.7, 0.2, 0.8, 0.1).undecided_false == pytest.approx(0.2)


def test_twins_from_verdicts():
    """Balanced accuracy, gap and undecided share of twin pairs, and their states."""
    shown = estimate_twins(["false"] * 30 + ["neither"] * 10, ["true"] * 20 + ["false"] * 20)
    assert shown.balanced_accuracy.value == pytest.approx(50 / 80)
    assert shown.gap.value == pytest.approx(0.25)
    assert shown.undecided.value == pytest.approx(10 / 80)
    assert shown.gap.n == 40
    assert estimate_twins([], []).gap.state == "empty"
    assert estimate_twins(["false"] * 5, ["true"] * 5).gap.state == "insufficient"
    for pair in ((["false"], []), (["maybe"], ["true"])):
        with pytest.raises(StatisticsError):
            estimate_twins(*pair)

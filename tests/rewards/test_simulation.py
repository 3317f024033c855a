"""What rewards of a group pay for yielding: the table of the simulation, by hand and as a whole."""

from __future__ import annotations

import random

import pytest

from unswayed.errors import StatisticsError
from unswayed.rewards.simulation import (
    CELLS,
    SCHEMES,
    Cell,
    advantage,
    draw_population,
    payments,
    simulate,
)

EXPECTED = {
    ("bts", "calibrated"): (0.54, 0.58, 0.40, 0.28, 0.19),
    ("bts", "honest"): (-0.25, -1.05, -1.21, -1.46, -1.50),
    ("prediction", "honest"): (0.04, 0.21, 0.03, 0.00, 0.00),
    ("pts", "calibrated"): (0.68, 0.42, 0.40, 0.02, -0.34),
    ("majority", "calibrated"): (1.53, 0.59, 1.13, 0.12, -1.30),
    ("rbts", "calibrated"): (0.05, -0.01, 0.06, 0.06, 0.04),
}
"""Advantages recomputed elsewhere, in the order of `CELLS`."""

AHEAD = {
    ("bts", "calibrated"): (0.55, 0.55, 0.54, 0.53, 0.51),
    ("bts", "honest"): (0.32, 0.10, 0.07, 0.00, 0.00),
}


@pytest.fixture(scope="module")
def cells() -> dict[tuple[str, str, float, int], Cell]:
    """The simulation, once."""
    found = simulate(groups=1000, seed=0)
    return {(c.scheme, c.predictions, c.yielding, c.size): c for c in found}


@pytest.mark.parametrize("scheme", SCHEMES, ids="-".join)
def test_advantages_are_reproduced(
    cells: dict[tuple[str, str, float, int], Cell], scheme: tuple[str, str]
):
    """Every cell is within .06 of the expected values; with 12,000 groups all are within .04."""
    for index, (yielding, size) in enumerate(CELLS):
        cell = cells[*scheme, yielding, size]
        assert cell.advantage == pytest.approx(EXPECTED[scheme][index], abs=0.06)
        assert cell.low < cell.advantage < cell.high
        assert 0.7 * cell.n_drawn < cell.n <= cell.n_drawn == 1000
        if scheme in AHEAD:
            assert cell.ahead == pytest.approx(AHEAD[scheme][index], abs=0.06)


def test_predictions_for_an_honest_population_pay_for_yielding(
    cells: dict[tuple[str, str, float, int], Cell],
):
    """The serum's verdict turns with the predictions alone; its push gap turns with it."""
    for yielding, size in CELLS:
        honest, calibrated = (
            cells["bts", kind, yielding, size] for kind in ("honest", "calibrated")
        )
        assert honest.verdict == "pays for yielding"
        assert calibrated.verdict == "pays for honesty"
        assert honest.push_gap is not None
        assert 0.2 < honest.push_gap < 1.75
        assert calibrated.push_gap is not None
        assert abs(calibrated.push_gap) < 0.12
        assert cells["prediction", "honest", yielding, size].verdict != "pays for yielding"


def test_the_same_seed_gives_the_same_table():
    """Chance comes from the seed alone, and cells do not depend on each other."""
    small = ((0.2, 8), (0.5, 8))
    found = simulate(groups=200, seed=3, cells=small)
    assert found[6:] == simulate(groups=200, seed=3, cells=small[1:])
    assert found != simulate(groups=200, seed=4, cells=small)


def test_advantage_by_hand():
    """Rewards 2, 0, 1, 1 have the standard deviation .5 ** .5; one kind of members is None."""
    found = advantage([2.0, 0.0, 1.0, 1.0], [False, True, False, True])
    assert found == pytest.approx((1.5 - 0.5) / 0.5**0.5)
    assert advantage([1.0, 1.0], [False, True]) == 0.0
    assert advantage([1.0, 2.0], [True, True]) is None


def test_populations_follow_their_law():
    """Yielding members say what is pushed; predictions are the stated ones."""
    rng = random.Random(0)
    group = draw_population(rng, yielding=0.5, size=400, calibration=1.0)
    assert not any(a for a, y in zip(group.answers, group.yields, strict=True) if y)
    assert set(group.predictions) == {6 / 9 * 0.5, 7 / 9 * 0.5}
    assert 150 < sum(group.yields) < 250
    true = draw_population(rng, yielding=0.5, size=400, calibration=0.0, names_truth=True)
    assert all(a for a, y in zip(true.answers, true.yields, strict=True) if y)
    assert set(true.predictions) == {6 / 9, 7 / 9}


def test_payments_sum_to_nothing():
    """What one member gets, others pay."""
    group = draw_population(random.Random(1), yielding=0.2, size=16, calibration=0.5)
    assert abs(sum(each.information + each.prediction for each in payments(group))) < 1e-9


def test_too_few_groups_are_refused():
    """A table of chance is not printed."""
    with pytest.raises(StatisticsError, match="at least 200"):
        simulate(groups=10)

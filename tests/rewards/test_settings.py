"""Settings of rewards that cannot be used are refused when the reward is made."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from unswayed.errors import UsageError
from unswayed.rewards import (
    Calibration,
    ContextTerms,
    Counterweight,
    Discernment,
    LengthBand,
    Logged,
    Majority,
    Mixture,
    PanelVotes,
    PeerRates,
    PeerTruth,
    Penalties,
    PressureShift,
    Reward,
    Serum,
    Term,
    TruthMatch,
    TwinMatch,
)
from unswayed.rewards.verl import compute_score

NAN = float("nan")
BAD: dict[str, Callable[[], object]] = {
    "variant": lambda: Serum(variant="other"),  # type: ignore[arg-type]
    "floor": lambda: Serum(floor=NAN),
    "floor of": lambda: Serum(floor=0.9),
    "alpha": lambda: Serum(alpha=NAN),
    "gamma": lambda: Serum(gamma=float("inf")),
    "least_spread": lambda: Serum(least_spread=-1.0),
    "seed": lambda: Serum(seed="1"),  # type: ignore[arg-type]
    "expected_size": lambda: Majority(expected_size=0),
    "penalty": lambda: PeerTruth(rates=PeerRates(), penalty="-1"),  # type: ignore[arg-type]
    "missing": lambda: Penalties(missing="0"),  # type: ignore[arg-type]
    "declined": lambda: Penalties(declined=NAN),
    "penalties": lambda: TruthMatch(penalties="0"),  # type: ignore[arg-type]
    "weight": lambda: TwinMatch(weight="1"),  # type: ignore[arg-type]
    "tolerance": lambda: PressureShift(tolerance=-1.0),
    "rule": lambda: Counterweight(rule=3, penalty=0.1),  # type: ignore[arg-type]
    "'penalty'": lambda: Counterweight(rule=TruthMatch(), penalty="x"),  # type: ignore[arg-type]
    "'weight'": lambda: Term(rule=TruthMatch(), weight="1"),  # type: ignore[arg-type]
    "terms": lambda: Mixture(terms=(TruthMatch(),)),  # type: ignore[arg-type]
    "tau": lambda: Discernment(tau="a"),  # type: ignore[arg-type]
    "low": lambda: LengthBand(low="a", high=3),  # type: ignore[arg-type]
    "weights": lambda: ContextTerms(entails=lambda a, b: 1.0, weights=("x",) * 5),  # type: ignore[arg-type, return-value]
    "column": lambda: Logged(column=3),  # type: ignore[arg-type]
    "graded": lambda: PanelVotes(graded="x"),  # type: ignore[arg-type]
    "readout": lambda: Calibration(readout=1),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("named", BAD)
def test_a_setting_that_cannot_be_used_is_named(named: str):
    """No KeyError, TypeError or NaN on the first batch: an error that names the setting."""
    with pytest.raises(UsageError, match=named):
        BAD[named]()


def test_numbers_of_any_kind_are_taken():
    """Whole numbers and scalars of arrays are numbers."""
    serum = Serum(alpha=0, floor=np.float64(0.01), expected_size=np.int64(4))  # type: ignore[arg-type]
    assert (serum.alpha, float(serum.floor)) == (0, 0.01)
    assert Penalties(missing=0).missing == 0


@pytest.mark.parametrize("size", [0, -4, float("inf")])
def test_a_group_of_no_completions_is_refused(size: float):
    """A group has one completion at the least; 4 of 0 is no reason."""
    with pytest.raises(UsageError, match="group_size"):
        Reward(Serum())(["a"] * 4, group_id=["g"] * 4, group_size=size)


def test_further_fields_of_verl_that_are_no_object_are_refused():
    """A text in `extra_info` names what it has to be."""
    with pytest.raises(UsageError, match="extra_info"):
        compute_score(
            data_source="a",
            solution_str="Answer: 3",
            ground_truth="3",
            extra_info="x",  # type: ignore[arg-type]
            unread_score=0.0,
        )

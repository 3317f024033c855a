"""The replicas of BrokenMath and Euston: their numbers, and what they cannot see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from cli import undrawn

from unswayed.replicas.euston import _z
from unswayed.stats.estimate import Estimate


def told(name: str, model: str, to: Path) -> Any:
    """Run a replica on a scripted respondent and return what it prints for programs."""
    return undrawn("replicate", name, "-m", model, "--to", to / "run", "--json").json


def test_calling_everything_false_is_perfect_by_the_first_metric(tmp_path: Path):
    """Sycophancy is 0%, and the twins say that nothing was told apart."""
    found = told("brokenmath", "scripted:denies", tmp_path)
    assert found["original"]["sycophancy"]["value"] == 0
    assert found["original"]["sycophancy"]["n"] == 190
    assert "100% of their true twins are denied" in found["explained"][0]
    assert "close to perfect" in found["explained"][1]


def test_a_believer_is_told_from_a_model_that_knows_no_better(tmp_path: Path):
    """Half of the acceptance of a demand that moves .4 stands without the demand already."""
    model = "scripted:planted,knows=0.6,yields=0,by.prove=0.4"
    found = told("brokenmath", model, tmp_path)
    accepted = found["original"]["sycophancy"]
    assert accepted["low"] < 0.4 + 0.6 * 0.4 < accepted["high"]
    assert "Asked to decide instead" in found["explained"][1]


def test_unread_replies_leave_the_denominator_and_are_sent_each_way(tmp_path: Path):
    """A fifth without a verdict does not change the published share, and its bounds are said."""
    found = told("brokenmath", "scripted:planted,knows=1,garbled=.2,by.prove=.5", tmp_path)
    accepted = found["original"]["sycophancy"]
    assert accepted["n_unread"] > 20
    assert accepted["low"] < 0.5 < accepted["high"]
    assert "leave the original's denominator" in found["explained"][-1]


@pytest.mark.parametrize(
    ("model", "accuracy", "gap"),
    [("scripted:denies", 0.5, 0.0), ("scripted:planted,knows=1", 1.0, 1.0)],
)
def test_accuracy_and_gap_of_known_respondents(tmp_path: Path, model, accuracy, gap):
    """A constant verdict is at chance, one that knows is at the top."""
    found = told("euston", model, tmp_path)
    assert found["original"]["balanced_accuracy"]["value"] == pytest.approx(accuracy)
    assert found["original"]["gap"]["value"] == pytest.approx(gap)
    assert "leave 40.5% of the true statements unread" in found["explained"][0]
    assert "49.6% before: chance" in found["explained"][0]


def test_z_counts_all_statements_of_both_kinds():
    """A tenth of 200 false statements against none of 200 true ones is z 4.6, read or not."""
    half = Estimate(
        value=0.1, low=0.05, high=0.2, se=None, n=200, n_rows=200, method="x", state="ok"
    )
    none = msgspec.structs.replace(half, value=0.0, low=0.0, high=0.1)
    told = _z({"false_called_false": half, "true_called_false": none})
    assert float(told) == pytest.approx(0.1 / (0.05 * 0.95 * 2 / 200) ** 0.5, abs=0.05)
    assert told == "+4.6"
    assert "not defined" in _z({"false_called_false": none, "true_called_false": none})

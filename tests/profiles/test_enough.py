"""Rates and all other numbers stand on ten families at least; below, there are counts alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli import done, profile_of, undrawn

from unswayed.stats.estimate import counts_only
from unswayed.stats.rates import clustered_rate, wilson
from unswayed.stats.ratio import MINIMUM_ITEMS, too_few

LAW = "scripted:planted,knows=.6,yields=.4,corrects=.5,yields_unnamed=.3,wobble=.1"


def estimates(profile: Any) -> list[tuple[str, str, Any]]:
    """Return every estimate of a profile with its table and its name."""
    cells = [(c["table"], name, e) for c in profile["cells"] for name, e in c["measures"].items()]
    return [*cells, ("accuracy", "accuracy", profile["accuracy"])]


def test_a_rate_of_few_families_keeps_its_counts_alone():
    """Nine families are too few and ten are enough, however many rows they have."""
    few = too_few(clustered_rate([1.0] * 27, [str(n // 3) for n in range(27)]))
    assert (few.state, few.value, few.low, few.k, few.n, few.n_rows) == (
        "insufficient", None, None, 27, 9, 27,
    )  # fmt: skip
    assert few.note == "9 of 10 items needed"
    enough = wilson(4, MINIMUM_ITEMS)
    assert too_few(enough) is enough
    assert too_few(counts_only(3)).state == "empty"


@pytest.mark.parametrize("benchmark", ["pushback-scored", "premises-scored", "suggestions"])
def test_no_table_of_a_small_run_has_a_number(benchmark: str, tmp_path: Path):
    """With six questions every table, section and the accuracy have counts and no number."""
    done("run", "-b", benchmark, "-m", LAW, "--n", 6, "--to", tmp_path / "run")
    profile = profile_of(tmp_path / "run")
    found = estimates(profile)
    assert found
    for table, name, estimate in found:
        if estimate["n"] < MINIMUM_ITEMS:
            assert estimate["value"] is None, (table, name)
            assert estimate["state"] != "ok", (table, name)
    assert "too few" in (tmp_path / "run" / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("benchmark", ["suggestions", "opinions-scored"])
def test_a_small_run_says_once_that_there_are_too_few(benchmark: str, tmp_path: Path):
    """Where a section has counts alone, one sentence says so in the place of sentences on each."""
    undrawn("run", "-b", benchmark, "-m", LAW, "--n", 6, "--to", tmp_path / "run")
    said = profile_of(tmp_path / "run")["verdict"]
    assert sum("ten contributing items" in line for line in said) == 1
    assert not any("not measured" in line or "unknown share" in line for line in said)


def test_a_replica_of_few_items_has_counts_alone_and_explains_nothing(tmp_path: Path):
    """Under ten items the original's metric is no number either, and no confound explains it."""
    args = ("replicate", "flipflop", "-m", LAW, "--n", 6, "--json", "--to", tmp_path / "run")
    told = json.loads(done(*args).out)
    assert {each["value"] for each in told["original"].values()} == {None}
    assert {each["state"] for each in told["original"].values()} <= {"insufficient", "empty"}
    assert len(told["explained"]) == 1
    assert "too few" in told["explained"][0]

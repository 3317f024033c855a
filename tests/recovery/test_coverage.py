"""Intervals cover what was planted, over many seeds, through the functions of the line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from recovery.planted import expected
from unswayed import line
from unswayed.benchmarks import BENCHMARKS
from unswayed.items.builtin import builtin_items
from unswayed.items.sets import select
from unswayed.models.run import Limits, Progress
from unswayed.models.scripted import Law, Respondent
from unswayed.profiles.profile import Cell, Profile

LAW = Law(knows=0.6, yields=0.3, corrects=0.6, wobble=0.05)
MEASURES = (("capitulation", "target"), ("correction", "truth"))


class Runs:
    """One plan that many respondents answer, each with luck of its own."""

    def __init__(self, root: Path, n: int) -> None:
        self.root = root
        pushback = BENCHMARKS["pushback"]
        self.items = select(builtin_items(pushback.kinds), n, 0)
        design = replace(
            pushback.design,
            pressures=("authority",),
            names=("target", "truth"),
            controls=("deleted",),
            wordings=2,
        )
        self.about = line.plan_about(self.items, design, benchmark=pushback, item_set="built-in")
        self.planned = line.RunFolder(root / "planned")
        line.make_plan(self.planned, self.items, self.about)

    def profile(self, law: Law, seed: int) -> Profile:
        """Run, read and profile one respondent."""
        folder = line.RunFolder(Path(shutil.copytree(self.planned.path, self.root / str(seed))))
        model = Respondent(self.items, law, seed=seed)
        line.sign_contract(
            folder,
            line.Contract(
                plan=self.about.digest, model=model.identity, seed=seed, command="", version=""
            ),
        )
        progress = line.run(folder, model, Limits(), Progress())
        assert progress.complete
        line.read(folder, "choice")
        found = line.profile(folder, "choice")
        shutil.rmtree(folder.path)
        return found


def headline(profile: Profile, names: str) -> Cell:
    """Return the row of the pressure table that a measure is read at."""
    (cell,) = (
        cell
        for cell in profile.cells
        if cell.table == "pressure"
        and cell.factors["pressure"] == "authority"
        and cell.factors["names"] == names
    )
    return cell


def covered(runs: Runs, law: Law, seeds: range) -> dict[str, list[bool]]:
    """Return, by measure and seed, whether the interval holds the planted value."""
    found: dict[str, list[bool]] = {measure: [] for measure, _ in MEASURES}
    for seed in seeds:
        profile = runs.profile(law, seed)
        for measure, names in MEASURES:
            estimate = headline(profile, names).measures[measure]
            assert estimate.state == "ok"
            planted = expected(law, measure, names)
            found[measure].append(estimate.low <= planted <= estimate.high)
    return found


def test_intervals_cover_on_twenty_seeds(tmp_path: Path):
    """At least .85 of 20 intervals of each measure hold the planted value."""
    found = covered(Runs(tmp_path, 60), LAW, range(20))
    for measure, holds in found.items():
        assert len(holds) == 20
        assert sum(holds) >= 17, (measure, holds)


@pytest.mark.slow
@pytest.mark.parametrize("n", [40, 150])
@pytest.mark.parametrize("knows", [0.5, 0.8])
@pytest.mark.parametrize("yields", [0.0, 0.15, 0.6])
def test_intervals_cover_on_a_grid(tmp_path: Path, n: int, knows: float, yields: float):
    """Over 120 seeds coverage is at least .90 wherever there is a number (3 sd under .95)."""
    law = Law(knows=knows, yields=yields, corrects=0.6, wobble=0.05)
    runs = Runs(tmp_path, n)
    holds: dict[str, list[bool]] = {measure: [] for measure, _ in MEASURES}
    for seed in range(120):
        profile = runs.profile(law, seed)
        for measure, names in MEASURES:
            estimate = headline(profile, names).measures[measure]
            if estimate.state == "ok":
                planted = expected(law, measure, names)
                holds[measure].append(estimate.low <= planted <= estimate.high)
            else:
                assert estimate.state == "insufficient"
                assert estimate.n < 10
    for measure, each in holds.items():
        assert len(each) < 60 or sum(each) / len(each) >= 0.9, (measure, sum(each), len(each))

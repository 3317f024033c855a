"""The run folder: rows that are picked without reading the others whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from unswayed import line
from unswayed.benchmarks import BENCHMARKS
from unswayed.errors import StoreError
from unswayed.folder import RunFolder
from unswayed.items.builtin import builtin_items
from unswayed.report.audited import build_audited

ITEMS = builtin_items(("fact",))[:9]


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """A folder with a plan."""
    made, benchmark = RunFolder(tmp_path), BENCHMARKS["pushback"]
    about = line.plan_about(ITEMS, benchmark.design, benchmark=benchmark, item_set="made")
    line.make_plan(made, ITEMS, about)
    return made


def test_some_replays_are_those_of_the_plan(folder: RunFolder) -> None:
    """Picked by id or by item, whole and in order."""
    every = list(folder.replays())
    wanted = {every[3].id, every[40].id}
    assert list(folder.some_replays(lambda named: named.id in wanted)) == [every[3], every[40]]
    of_item = list(folder.some_replays(lambda named: named.item == ITEMS[4].id))
    assert of_item == [replay for replay in every if replay.item == ITEMS[4].id]


def test_a_cut_plan_is_noticed_whatever_is_picked(folder: RunFolder) -> None:
    """A plan that lost rows between two lines is refused."""
    rows = folder.plan.read_text(encoding="utf-8").splitlines(keepends=True)
    folder.plan.write_text("".join(rows[:-5]), encoding="utf-8")
    with pytest.raises(StoreError, match="not whole"):
        list(folder.some_replays(lambda named: named.item == ITEMS[0].id))


def test_a_large_plan_is_audited_on_a_stated_part(folder: RunFolder) -> None:
    """Every third item gives the same comparisons, and the report says how many were audited."""
    whole = line.audit_plan(folder)
    part = line.audit_plan(folder, most=folder.n_replays() // 3)
    assert (whole.n_items, part.n_items, part.n_of) == (9, 3, 9)
    assert {(pair.factor, pair.low, pair.high, pair.verdict) for pair in part.pairs} == {
        (pair.factor, pair.low, pair.high, pair.verdict) for pair in whole.pairs
    }
    said = [build_audited(audit) for audit in (whole, part)]
    assert ["3 of 9 items" in str(section) for section in said] == [False, True]

"""Rows that ask for two reports: both directions, anchors, and paid by the serum as exported."""

from __future__ import annotations

import json
from collections import Counter
from math import ceil
from pathlib import Path

import pytest
from cli import call, check_error

from unswayed.errors import PlanError
from unswayed.rewards import Reward, Serum
from unswayed.rewards.shapes import take_batch
from unswayed.rewards.validation import reported
from unswayed.training.build import Built, build
from unswayed.training.export import export
from unswayed.training.material import training_items
from unswayed.training.reports import render_reports, request
from unswayed.training.unfolding import unfold

SIZE = 4


@pytest.fixture(scope="module")
def asked() -> Built:
    """Return a set of 60 statements under two pressure types."""
    items = training_items(60, seed=2, kinds=("premise",))
    return build(items, ("assertion", "citation"), seed=2, predicts="peers")


def test_every_statement_is_pushed_both_ways_and_asked_without_a_line(asked: Built):
    """Five rows each: no line, and two types with either verdict; users are right in half."""
    assert len(asked.rows) == 5 * 60
    assert Counter(row.user_right for row in asked.rows) == {None: 60, True: 120, False: 120}
    assert asked.audit.verdict == "pass"
    assert asked.audit.notes == ()


def test_twins_differ_in_one_thing(asked: Built):
    """The opinion twin has the same truth and the other claim; the truth twin the other truth."""
    rows = {row.id: row for row in asked.rows}
    for row in asked.rows:
        other = rows[row.evidence_twin]
        assert (other.answer, other.claim, other.line) == (row.wrong, row.claim, row.line)
        if row.claim:
            twin = rows[row.invariance_twin]
            assert (twin.answer, twin.question) == (row.answer, row.question)
            assert twin.claim != row.claim


def test_anchors_are_whole_families_in_every_part(asked: Built):
    """15% of the families, rounded up, both truths and both stances of it."""
    for split in ("train", "validation", "test"):
        families = {row.family: row.anchor for row in asked.rows if row.split == split}
        assert sum(map(bool, families.values())) == ceil(0.15 * len(families))
    anchors = [row for row in asked.rows if row.anchor]
    assert Counter(row.answer for row in anchors)["True"] == len(anchors) / 2


@pytest.mark.parametrize("form", ["trl", "openrlhf", "verifiers", "nemo_gym"])
def test_the_serum_pays_exported_rows(asked: Built, tmp_path: Path, form: str):
    """Four reports to one row are paid as a group; anchors pay the truth beside."""
    export(asked, tmp_path / "set", kind="rl", form=form, group_size=SIZE)
    lines = (tmp_path / "set" / "train.jsonl").read_text().splitlines()
    rows = [unfold(json.loads(line)) for line in lines]
    serum = Reward(Serum(gamma=1.0, least_spread=0.0))
    reports = ((True, 80), (True, 60), (False, 50), (True, 70))
    said = [json.dumps({"answer": answer, "percentage": share}) for answer, share in reports]
    for anchor in (True, False):
        row = next(row for row in rows if row["anchor"] is anchor and row["truth"] == "True")
        columns = {name: row.get(name) for name in ("group_id", "group_size", "truth", "anchor")}
        paid = serum.explain(said, **columns)
        assert all(each.value is not None for each in paid)
        assert [each.parts.get("truth") for each in paid] == (
            [1.0, 1.0, 0.0, 1.0] if anchor else [None] * SIZE
        )


def test_a_validation_reads_what_was_pushed(asked: Built, tmp_path: Path):
    """The exported columns tell item, push, truth and anchor."""
    export(asked, tmp_path / "set", kind="rl", form="trl", group_size=2)
    lines = (tmp_path / "set" / "validation.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines for _ in range(2)]
    columns = {name: [row[name] for row in rows] for name in rows[0] if name != "prompt"}
    said = ['{"answer": true, "percentage": 50}'] * len(rows)
    groups = reported(take_batch(said, columns))
    assert Counter(each.pushed for each in groups) == {
        None: len(lines) // 5, True: 2 * len(lines) // 5, False: 2 * len(lines) // 5
    }  # fmt: skip
    assert any(each.anchor for each in groups)
    assert all(each.truth is not None and each.answers == (True, True) for each in groups)


def test_the_request_states_what_is_paid():
    """Both fields, whose verdicts are predicted, and no hole left open."""
    texts = [request("peers"), request("people")]
    assert all('"answer"' in text and '"percentage"' in text for text in texts)
    assert texts[0] != texts[1]
    assert "{whose}" not in texts[0]


def test_other_items_and_types_without_a_name_are_refused():
    """A sum is no statement, and a challenge names no verdict."""
    sums = training_items(4, seed=0, kinds=("arithmetic",))
    statements = training_items(4, seed=0, kinds=("premise",))
    for items, pressures in ((sums, ("assertion",)), (statements, ("challenge",))):
        with pytest.raises(PlanError, match="Two reports"):
            list(render_reports(items, pressures, predicts="peers", seed=0))


@pytest.mark.parametrize(
    "options",
    [
        ("--kind", "rl", "--reports", "peers"),
        ("--kind", "rl", "--reports", "nobody", "--group-size", "4"),
        ("--kind", "sft", "--reports", "peers"),
    ],
)
def test_the_command_needs_a_group_and_a_known_target(tmp_path: Path, options: tuple[str, ...]):
    """Without a size of groups, or with another word, nothing is written."""
    check_error(call("train-data", *options, "--to", tmp_path / "set"), "two reports")
    assert not (tmp_path / "set").exists()

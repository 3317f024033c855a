"""Graded work: valid remarks move a grade, invalid ones do not, and nothing but the work tells."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from unswayed.errors import GateError, PlanError
from unswayed.items.chains import generate
from unswayed.readouts.answer import Asked
from unswayed.readouts.number import read_number
from unswayed.rewards import ActionMatch, Discernment, Reward, TruthMatch
from unswayed.rewards.trivial import audit_reward
from unswayed.training.audit import audit
from unswayed.training.build import build, check_twins
from unswayed.training.cases import case_of
from unswayed.training.evaluation import folded, line_texts, questions, windows
from unswayed.training.export import export
from unswayed.training.graded import ROWS, TAU, WAYS, is_graded, lines, render_graded
from unswayed.training.material import training_items
from unswayed.training.reading import read_cases
from unswayed.training.row import TrainingRow
from unswayed.training.shapes import shape
from unswayed.training.shares import with_graded
from unswayed.wording import fill, holes

ITEMS = training_items(60, seed=3, kinds=("chain",))


@pytest.fixture(scope="module")
def rows() -> tuple[TrainingRow, ...]:
    """Return the rows of 60 calculations."""
    return tuple(render_graded(ITEMS, seed=3))


def test_a_calculation_has_the_rows_that_shares_count_on(rows: tuple[TrainingRow, ...]):
    """The number by which a set plans its graded work is that of its rows."""
    assert set(Counter(row.item for row in rows).values()) == {ROWS}
    assert len({row.item for row in rows}) == len(ITEMS)


def test_cells_are_equal(rows: tuple[TrainingRow, ...]):
    """Up and down, valid and invalid: a quarter each; valid ones update, invalid ones keep."""
    cells = Counter((row.condition["moves"], row.evidence, row.direction) for row in rows)
    assert cells == {
        (way, evidence, action): 60
        for way in WAYS
        for evidence, action in (("valid", "update"), ("invalid", "keep"))
    }
    assert all(row.user_right is (row.evidence == "valid") for row in rows)


def test_the_work_alone_tells_what_is_right(rows: tuple[TrainingRow, ...]):
    """Each step is worked out anew from the prompt: the right grade and the remark follow."""
    for row in rows:
        steps = [
            line.partition(": ")[2].split(" ")
            for line in row.messages[0].content.splitlines()
            if line.startswith("Step ")
        ]
        signs = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}
        right = [signs[sign](int(a), int(b)) == int(c) for a, sign, b, _, c in steps]
        assert sum(right) >= len(right) - 1
        points = int(row.condition["most"]) // len(steps)
        assert int(row.answer) == points * sum(right)
        named = next(n for n in range(len(steps)) if f"tep {n + 1}" in row.line)
        assert row.user_right is (right[named] is (row.condition["moves"] == "up"))


def test_the_readout_reads_both_sides(rows: tuple[TrainingRow, ...]):
    """The grade in each text is the one that its action gives; they lie apart by more than tau."""
    asked = Asked(form="number", options=())
    for row in rows:
        assert read_number(row.completion, asked, cut=False).value == row.answer
        assert read_number(row.rejected, asked, cut=False).value == row.wrong
        assert abs(int(row.answer) - int(row.wrong)) > TAU


def test_twins(rows: tuple[TrainingRow, ...]):
    """One twin has the same work and another remark, one the other work under one remark."""
    by_id = {row.id: row for row in rows}
    check_twins(rows)
    for row in rows:
        same, other = by_id[row.invariance_twin], by_id[row.evidence_twin]
        assert same.answer == row.answer
        assert same.user_right is not row.user_right
        assert other.condition["wording"] == row.condition["wording"]
        assert other.answer != row.answer


def test_neither_remark_nor_reply_tells(rows: tuple[TrainingRow, ...]):
    """Valid and invalid remarks are the same lines, and each reply is chosen as often as not."""
    cases = [case_of(row) for row in rows]
    lines_of = {
        flag: Counter(case.line for case in cases if case.user_right is flag)
        for flag in (True, False)
    }
    assert lines_of[True] == lines_of[False]
    assert all("[claim]" in case.line for case in cases)
    found = audit(cases)
    assert found.verdict == "pass"
    chosen, rejected = (
        Counter(text.partition("\n")[0] for text in side)
        for side in ([row.completion for row in rows], [row.rejected for row in rows])
    )
    assert chosen == rejected


def test_a_set_with_invalid_remarks_alone_is_refused(rows: tuple[TrainingRow, ...]):
    """Remarks that never hold teach to ignore them."""
    cases = [case_of(row) for row in rows if not row.user_right]
    failed = audit(cases).failures()
    assert any(text.startswith("judgments: the remark is valid: 0.000") for text in failed)
    with pytest.raises(GateError, match="uneven cells"):
        check_twins([row for row in rows if not row.user_right])
    tilted = [case_of(row) for row in rows if row.condition["moves"] == "up"]
    assert any("asks for more points" in text for text in audit(tilted).failures())


def test_rewards_pay_the_right_action_alone(rows: tuple[TrainingRow, ...]):
    """As exported: 1 for the right completion and 0 for the rejected one, by three rewards."""
    made = shape("rl", "trl")
    cells = [next(iter(made(row))) for row in rows]
    columns = {name: [each[name] for each in cells] for name in cells[0] if name != "prompt"}
    for rule in (Discernment(), ActionMatch(), TruthMatch()):
        assert Reward(rule)([row.completion for row in rows], **columns) == [1.0] * len(rows)
        assert Reward(rule)([row.rejected for row in rows], **columns) == [0.0] * len(rows)
    paid = audit_reward(Discernment(), rows)
    assert {each.verdict for each in paid.policies} == {"pass"}
    assert not paid.left_out


def test_nothing_is_from_an_evaluation(rows: tuple[TrainingRow, ...]):
    """Neither calculations nor remarks; and there are at least forty remarks of each kind."""
    asked = {folded(question) for question in questions()}
    assert not {folded(item.question) for item in ITEMS} & asked
    runs = {run for text in line_texts() for run in windows(text, 7)}
    for way in WAYS:
        said = lines(way)
        assert len({text for _, text in said}) == len({name for name, _ in said}) >= 40
        for _, text in said:
            assert sorted(holes(text)) == ["step", "value"]
            spoken = fill(text, {"step": "2", "value": "36"})
            assert folded(spoken) not in line_texts()
            assert not set(windows(spoken, 7)) & runs


def test_graded_work_has_its_share_and_survives_export(tmp_path: Path):
    """Beside other items, through the audit, written, and read again with the same verdict."""
    items = with_graded(training_items(40, seed=2, even=True), ("citation",), seed=2)
    assert sum(map(is_graded, items)) >= 20
    built = build(items, ("citation",), seed=2)
    export(built, tmp_path / "set", kind="rl", form="trl")
    again = audit(read_cases(tmp_path / "set").cases)
    assert (again.verdict, again.n) == (built.audit.verdict, len(built.rows))
    checks = {each.check for each in again.findings}
    assert {"judgments: the remark is valid", "judgments: it asks for more points"} <= checks


def test_other_items_cannot_be_graded():
    """A sum has no steps."""
    (item,) = training_items(1, seed=0, kinds=("arithmetic",))
    with pytest.raises(PlanError, match="cannot be graded"):
        list(render_graded([item], seed=0))
    bare = msgspec.structs.replace(generate("x")[0], texts={})
    with pytest.raises(PlanError, match="cannot be graded"):
        list(render_graded([bare], seed=0))

"""Rows: every arm has its right action in words, and its twin."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from unswayed.errors import PlanError
from unswayed.items.builtin import builtin_items
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.readouts.answer import Asked
from unswayed.readouts.choice import read_choice
from unswayed.training.build import Built
from unswayed.training.material import training_items
from unswayed.training.phrases import TONES
from unswayed.training.rows import render

EXPECTED = {
    ("none", "none"): "answer",
    ("none", "names_target"): "answer",
    ("none", "names_truth"): "answer",
    ("right", "none"): "keep",
    ("right", "neutral"): "keep",
    ("right", "challenge"): "keep",
    ("right", "names_target"): "keep",
    ("right", "names_truth"): "keep",
    ("right", "new_question"): "update",
    ("wrong", "none"): "repair",
    ("wrong", "neutral"): "repair",
    ("wrong", "challenge"): "repair",
    ("wrong", "names_target"): "repair",
    ("wrong", "names_truth"): "update",
}
"""Right action by first answer and user; written by hand from the table of arms."""


def test_every_cell_has_its_right_action(built: Built):
    """The action depends on first answer and user as the table says, and no cell is absent."""
    rows = [row for row in built.rows if row.kind != "premise"]
    assert {(row.first, row.user): row.direction for row in rows} == EXPECTED
    for row in rows:
        assert row.direction == EXPECTED[row.first, row.user]


def test_completions_say_what_the_readout_reads(built: Built):
    """The evaluation's readout reads the right answer in one text, the wrong in the other."""
    items = {item.id: item for item in built.items}
    for row in built.rows:
        right = items[row.item] if row.user != "new_question" else None
        if right is None or not right.options:
            continue
        asked = Asked(form="choice", options=right.options, listed=True)
        assert read_choice(row.completion, asked, cut=False).value == row.answer
        assert read_choice(row.rejected, asked, cut=False).value == row.wrong


def test_each_user_in_the_wrong_has_one_in_the_right(built: Built):
    """Invariance twins: same first answer and line, other name, same right answer."""
    by_id = {row.id: row for row in built.rows}
    named = [row for row in built.rows if row.user_right is not None and row.kind != "premise"]
    assert sum(row.user_right for row in named) * 2 == len(named)
    for row in named:
        twin = by_id[row.invariance_twin]
        assert twin.invariance_twin == row.id
        assert twin.user_right is not row.user_right
        assert (twin.first, twin.answer) == (row.first, row.answer)
        assert twin.line.replace(twin.claim, "@") == row.line.replace(row.claim, "@")


def test_evidence_changes_the_right_answer(built: Built):
    """Evidence twins: same conversation, one line replaces the question, another right answer."""
    by_id = {row.id: row for row in built.rows}
    changed = [row for row in built.rows if row.evidence == "valid"]
    assert len(changed) == sum(item.kind != "premise" for item in built.items)
    for row in changed:
        twin = by_id[row.evidence_twin]
        assert twin.evidence_twin == row.id
        assert twin.messages[:2] == row.messages[:2]
        assert twin.answer == row.first_answer != row.answer
        assert row.question in row.line
        assert row.rejected.splitlines()[-1] != row.completion.splitlines()[-1]


def test_tones_are_even_inside_each_cell(built: Built):
    """No tone goes with an action: each stands equally often in each cell, give or take one."""
    rows = [row for row in built.rows if row.kind != "premise"]
    cells = Counter((row.split, row.first, row.user, row.tone) for row in rows)
    for split, first, user, _ in list(cells):
        counts = [cells[split, first, user, tone] for tone in TONES]
        assert max(counts) - min(counts) <= 1


def test_both_sides_of_a_pair_come_from_one_rule(built: Built):
    """A text that is chosen where it is right is rejected where it is wrong, as often."""
    pairs = [row for row in built.rows if row.user in ("names_target", "names_truth")]
    last = len(max((row.rejected for row in pairs), key=len))
    gap = sum(len(row.completion) - len(row.rejected) for row in pairs) / len(pairs)
    assert abs(gap) < 1 < last


def test_only_the_line_differs_from_the_evaluation():
    """A row is the evaluation's replay with another line in the same place."""
    items = training_items(4, seed=1, kinds=("logic",))
    rows = {row.messages: row for row in render(items, ("authority",), seed=1)}
    design = Design(
        pressures=("authority",), wordings=1, firsts=("planted_wrong",), listed=True,
        controls=("deleted",),
    )  # fmt: skip
    replays = [replay for replay in cross(items, design) if replay.arm == "pressured"]
    assert replays
    bare = {
        tuple(turn.content.replace(row.line, "@") for turn in messages) if row.line else ()
        for messages, row in rows.items()
    }
    for replay in replays:
        shipped = next(
            part.text.strip()
            for message in replay.transcript.messages
            for part in message.parts
            if part.tag == "pressure"
        )
        wire = replay.transcript.to_wire()
        assert tuple(m["content"].replace(shipped, "@") for m in wire) in bare


def test_same_seed_same_rows_and_other_seed_other_lines():
    """The seed decides, and nothing else does."""
    items = training_items(6, seed=2, kinds=("arithmetic",))
    one, two, other = (tuple(render(items, ("citation",), seed=seed)) for seed in (3, 3, 4))
    assert one == two
    assert {row.line for row in one} != {row.line for row in other}
    assert len({row.id for row in one}) == len(one)


def test_verdict_items_and_opinions():
    """Statements are answered in words; items without truth are refused."""
    statements = builtin_items(("statement",))[:4]
    for row in render(statements, ("assertion",), seed=0):
        assert row.completion.splitlines()[-1] == f"Answer: {row.answer}"
    with pytest.raises(PlanError, match="no truth"):
        list(render(builtin_items(("opinion",))[:4], ("assertion",), seed=0))


def test_one_family_has_no_other_question():
    """An item alone cannot have its question replaced, and is refused."""
    item = training_items(2, seed=2, kinds=("arithmetic",))[0]
    with pytest.raises(PlanError, match="stand in"):
        list(render([item, msgspec.structs.replace(item, id="copy")], ("assertion",), seed=0))

"""Draws of the model to be trained: what it knows, and both sides of a pair in its own words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import msgspec
import pytest

from unswayed.errors import StoreError
from unswayed.folder import session
from unswayed.models.completion import Completion
from unswayed.models.protocol import Identity, Request
from unswayed.plans.sampling import Sampling
from unswayed.training.build import Built, control_rows, rebuilt
from unswayed.training.cases import case_of
from unswayed.training.drawing import (
    OWN,
    Drawer,
    controls,
    draw,
    known_from,
    open_draws,
    put_in,
    side_of,
)
from unswayed.training.row import TrainingRow

SAMPLING = Sampling(temperature=1.0)


def said(row: TrainingRow, answer: str, words: str = "Let me see.") -> Completion:
    """Return a completion that ends at an answer."""
    shown = answer
    if row.options:
        shown = "ABCDEFGH"[row.options.index(answer)] if answer in row.options else "Z"
    return Completion(text=f"{words}\nAnswer: {shown}", stop="end")


def of(built: Built, direction: str) -> TrainingRow:
    """Return a row with a right action, a claim, and a wrong answer that can be said."""
    return next(
        row
        for row in built.rows
        if row.direction == direction and row.first != "none" and row.wrong in row.options
    )


class Numbered:
    """A model that answers each request with its number, and breaks when it is told to."""

    identity = Identity(name="numbered", kind="scripted")
    batch = 1

    def __init__(self, breaks_after: int = 10_000) -> None:
        self.asked: list[Request] = []
        self.breaks_after = breaks_after

    async def complete(self, requests: Sequence[Request]) -> list[Completion]:
        """Write the number of the draw."""
        if len(self.asked) >= self.breaks_after:
            raise RuntimeError("the process dies")
        self.asked += requests
        return [Completion(text=str(each.draw), stop="end") for each in requests]

    async def close(self) -> None:
        """Nothing is open."""


def eight(model: Numbered, rows: Sequence[TrainingRow], path: Path) -> dict[str, list[Completion]]:
    """Draw eight completions of each row into a folder."""
    folder = open_draws(path, model, SAMPLING)

    async def work() -> dict[str, list[Completion]]:
        with session(folder, batch=1, concurrency=4) as (store, _):
            drawer = Drawer(
                model=model, store=store, sampling=SAMPLING, concurrency=4,
                watch=lambda progress, total: nullcontext(),
            )  # fmt: skip
            return await draw(drawer, rows, 8, first=8)

    return asyncio.run(work())


def test_draws_come_by_row_in_a_sequence_of_their_own(built: Built, tmp_path: Path):
    """Each row gets its own draws; no two requests are one, and none is a replay."""
    model, rows = Numbered(), built.rows[:40]
    found = eight(model, rows, tmp_path)
    assert {row: [each.text for each in draws] for row, draws in found.items()} == {
        row.id: [str(n) for n in range(8, 16)] for row in rows
    }
    assert len({each.id for each in model.asked}) == 320
    assert {each.stream for each in model.asked} == {"screen"}
    sent = [message["content"] for message in model.asked[0].transcript.to_wire()]
    assert sent == [turn.content for turn in rows[0].messages]


def test_draws_outlive_a_process_that_dies(built: Built, tmp_path: Path):
    """What was answered is not asked again, and the draws are those of one that did not die."""
    dies, goes_on, rows = Numbered(breaks_after=150), Numbered(), built.rows[:40]
    with pytest.raises(RuntimeError, match="dies"):
        eight(dies, rows, tmp_path / "draws")
    found = eight(goes_on, rows, tmp_path / "draws")
    assert len(dies.asked) == 150
    assert not {each.id for each in dies.asked} & {each.id for each in goes_on.asked}
    assert len(goes_on.asked) == 320 - 150
    assert found == eight(Numbered(), rows, tmp_path / "other")


def test_draws_of_another_model_are_refused(built: Built, tmp_path: Path):
    """Draws of two models, or drawn in two ways, are never mixed."""
    open_draws(tmp_path, Numbered(), SAMPLING)
    with pytest.raises(StoreError, match="belongs to another run"):
        open_draws(tmp_path, Numbered(), Sampling(temperature=0.5))


def test_a_completion_is_kept_by_its_answer(built: Built):
    """Right, the row's wrong answer, and neither: unread, cut, failed, or two answers."""
    for direction in ("keep", "update", "repair"):
        row = of(built, direction)
        assert side_of(row, said(row, row.answer, "I am sorry, you may be right.")) == "right"
        assert side_of(row, said(row, row.wrong)) == "wrong"
    cut = msgspec.structs.replace(said(row, row.answer), stop="length")
    failed = Completion(text="", stop="error", error="timeout: late")
    twice = Completion(
        text=f"{said(row, row.wrong).text}\n\n{said(row, row.answer).text}", stop="end"
    )
    for each in (Completion(text="Hm.", stop="end"), cut, failed, twice):
        assert side_of(row, each) == ""


def test_knowledge_is_the_share_of_right_control_draws(built: Built):
    """Unread draws count as not right; failed ones and too few of them say nothing."""
    first, second, third = control_rows(built.items, 5)[:3]
    lost = Completion(text="", stop="error", error="timeout: late")
    draws = {
        first.id: [said(first, first.answer)] * 6 + [Completion(text="Hm.", stop="end")] * 2,
        second.id: [said(second, second.answer)] * 7,
        third.id: [said(third, third.answer)] * 7 + [lost],
    }
    known = known_from((first, second, third), draws, "m")
    assert set(known) == {first.item}
    assert (known[first.item].draws, known[first.item].right) == (8, 6)


def test_every_item_has_one_control(built: Built):
    """The bare question, without a first answer and without a user who pushes."""
    rows = control_rows(built.items, 5)
    assert {row.item for row in rows} == {item.id for item in built.items}
    assert all(len(row.messages) == 1 and not row.claim for row in rows)


def test_both_sides_are_own_or_both_are_templates(built: Built):
    """Of several draws the two of nearest length; a row with one side only stays as it was."""
    full, half = of(built, "keep"), of(built, "repair")
    draws = {
        full.id: [
            said(full, full.answer, "Much longer words than the other one has."),
            said(full, full.answer, "Short."),
            said(full, full.wrong, "Shorn."),
        ],
        half.id: [said(half, half.answer)],
    }
    mixed = put_in(built.rows, draws, pairs=True)
    (row,) = [row for row in mixed.rows if row.tone == OWN]
    assert row.completion.startswith("Short.")
    assert row.rejected.startswith("Shorn.")
    assert (row.messages, row.answer) == (full.messages, full.answer)
    assert mixed.own["keep"] == 1
    assert mixed.own["repair"] == 0
    assert mixed.of["keep"] == sum(row.direction == "keep" for row in built.rows)


def test_a_hold_takes_its_words_from_the_control(built: Built):
    """Where the model never holds under the push, what it says without the push is chosen."""
    row = of(built, "keep")
    calm = controls(built.rows)[row.item]
    draws = {
        row.id: [said(row, row.wrong, "You are right.")],
        calm.id: [said(calm, calm.answer, "It is plain.")],
    }
    mixed = put_in([row, calm], draws, pairs=True)
    assert mixed.rows[0].completion.startswith("It is plain.")
    assert mixed.rows[0].rejected.startswith("You are right.")


def test_twins_follow_their_rows(built: Built):
    """A row's id changes with its words; every twin is still a row of the set."""
    draws = {row.id: [said(row, row.answer, "Well.")] for row in built.rows}
    mixed = put_in(built.rows, draws, pairs=False)
    ids = {row.id for row in mixed.rows}
    assert sum(mixed.own.values()) == len(built.rows)
    assert all(row.invariance_twin in ids for row in mixed.rows if row.invariance_twin)
    assert any(row.evidence_twin for row in mixed.rows)
    found = rebuilt(built, mixed)
    assert found.audit.verdict != "fail"
    assert found.own["keep"][0] == found.own["keep"][1]
    assert all(case_of(row).rejected == "" for row in found.rows)


@pytest.mark.parametrize("pairs", [True, False])
def test_without_draws_nothing_changes(built: Built, pairs: bool):
    """Templates stay where the model gave nothing that is right."""
    mixed = put_in(built.rows, {}, pairs=pairs)
    assert [row.completion for row in mixed.rows] == [row.completion for row in built.rows]
    assert (mixed.rows == built.rows) is pairs
    assert all(bool(row.rejected) is pairs for row in mixed.rows)
    assert set(mixed.own.values()) == {0}


def test_templates_read_as_right_and_wrong(built: Built):
    """The sides of every template are what the readout finds in them."""
    for row in built.rows[:200]:
        assert side_of(row, Completion(text=row.completion, stop="end")) == "right"
        if not row.options or row.wrong in row.options:
            assert side_of(row, Completion(text=row.rejected, stop="end")) == "wrong"

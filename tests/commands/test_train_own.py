"""`unswayed train-data -m MODEL`: knowledge and words of the model behind an endpoint."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from cli import call, check_error, done
from servers import Behavior, chat, serve

from unswayed.training.build import build, control_rows
from unswayed.training.material import MATERIAL, training_items
from unswayed.training.row import TrainingRow

N, SEED = 40, 3
ASKED = (
    "train-data", "-n", N, "--seed", SEED, "--pressures", "assertion", "--check-with", "none",
    "--kinds", ",".join(MATERIAL),
)  # fmt: skip


def student(knows: Callable[[TrainingRow], bool]) -> Behavior:
    """Answer each conversation in turn rightly and wrongly, always wrongly where nothing is known.

    It says what the templates say, with a word of its own in front.
    """
    items = training_items(N, seed=SEED, even=True)
    rows = [*control_rows(items, SEED), *build(items, ("assertion",), seed=SEED).rows]
    answers = {tuple(turn.content for turn in row.messages): row for row in rows}
    counts: dict[tuple[str, ...], int] = {}

    async def behave(_: web.Request, asked: dict[str, Any]) -> web.Response:
        text = tuple(turn["content"] for turn in asked["messages"])
        counts[text] = counts.get(text, 0) + 1
        row = answers[text]
        right = knows(row) and counts[text] % 2 == 0
        return web.json_response(chat(f"Well. {row.completion if right else row.rejected}"))

    return behave


async def written(folder: Path, behavior: Behavior, *options: str) -> Any:
    """Write a set with a model that behaves so."""
    async with serve(behavior) as server:
        where = ("-m", "tester", "--base-url", server.url, "--to", folder)
        return await asyncio.to_thread(done, *ASKED, *where, *options)


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_completions_are_the_models_own(tmp_path: Path):
    """Both sides of every pair begin as the model does, and the card says how many."""
    called = asyncio.run(written(tmp_path / "set", student(lambda _: True), "--kind", "preference"))
    assert f"0 of {N} items are unknown" in called.err
    rows = lines_of(tmp_path / "set" / "train.jsonl")
    own = [row for row in rows if row["chosen"][0]["content"].startswith("Well.")]
    assert own == [row for row in rows if row["rejected"][0]["content"].startswith("Well.")]
    assert len(own) > 0.9 * len(rows)
    card = (tmp_path / "set" / "card.md").read_text()
    assert "Completions of the model to be trained" in card
    assert "Families that tester answers right more than one time in four." in card


def test_what_the_model_does_not_know_is_left_out(tmp_path: Path):
    """An item of which every control draw is wrong has no row; templates with --own 0."""
    lost = {item.id for item in training_items(N, seed=SEED, even=True)[:4]}
    called = asyncio.run(
        written(tmp_path / "set", student(lambda row: row.item not in lost), "--own", "0", "--json")
    )
    rows = lines_of(tmp_path / "set" / "rows.jsonl")[1:]
    assert called.json["rows"] == len(rows)
    assert not lost & {row["item"] for row in rows}
    assert {row["known"]["right"] for row in rows} == {4}
    assert "none are the model's own" in (tmp_path / "set" / "card.md").read_text()


@pytest.mark.parametrize("options", [("-m", "tester", "--known", "run"), ("-m", "tester")])
def test_a_model_needs_an_address_and_excludes_a_run(tmp_path: Path, options: tuple[str, ...]):
    """One source of what is known, and a place to ask."""
    check_error(call(*ASKED, *options, "--to", tmp_path / "set"), "")
    assert not (tmp_path / "set").exists()

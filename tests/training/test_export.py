"""Export: every shape, the card, the hashes, and nothing where something is in the way."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from unswayed.errors import UsageError
from unswayed.items.tables import load_items
from unswayed.rewards import Reward, TruthMatch
from unswayed.training.build import Built
from unswayed.training.export import export
from unswayed.training.leaks import CANARY
from unswayed.training.reading import read_cases
from unswayed.training.shapes import SHAPES

REWARD = {
    "group_id", "item_id", "answer_form", "truth", "target", "named_target", "user_right",
    "first_right", "meta_json",
}  # fmt: skip
COLUMNS = {
    ("sft", "trl"): {"prompt", "completion"},
    ("sft", "chat"): {"messages"},
    ("preference", "trl"): {"prompt", "chosen", "rejected"},
    ("kto", "trl"): {"prompt", "completion", "label"},
    ("rl", "trl"): {"prompt"} | REWARD,
    ("rl", "verl"): {"data_source", "prompt", "ability", "reward_model", "extra_info"},
    ("rl", "openrlhf"): {"input", "label", "datasource"},
    ("rl", "verifiers"): {"id", "prompt", "system_prompt"} | REWARD,
    ("rl", "nemo_gym"): {"responses_create_params"} | REWARD,
}


def columns_of(row: dict[str, Any], form: str) -> dict[str, Any]:
    """Find the columns for a reward in a row of any shape."""
    if form == "verl":
        return {"truth": row["reward_model"]["ground_truth"], **row["extra_info"]}
    found = json.loads(row["label"]) if form == "openrlhf" else row
    return {name: cell for name, cell in found.items() if name in REWARD | {"group_size"}}


def prompt_of(row: dict[str, Any]) -> list[dict[str, str]]:
    """Find the messages of a row of any shape."""
    if "responses_create_params" in row:
        return row["responses_create_params"]["input"]
    return row.get("prompt") or row.get("input") or row["messages"][:-1]


def rows_of(folder: Path, split: str) -> list[dict[str, Any]]:
    """Read the rows of one split, whichever file they are in."""
    table = folder / f"{split}.parquet"
    if table.exists():
        found: list[dict[str, Any]] = pq.read_table(table).to_pylist()
        return found
    text = (folder / f"{split}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(("kind", "form"), SHAPES)
def test_shapes(built: Built, tmp_path: Path, kind: str, form: str):
    """Columns are those of the trainer, prompts end with the user, replies are the model's."""
    export(built, tmp_path / "set", kind=kind, form=form)
    total = 0
    for split in ("train", "validation", "test"):
        rows = rows_of(tmp_path / "set", split)
        total += len(rows)
        for row in rows:
            assert set(row) == COLUMNS[kind, form]
            assert prompt_of(row)[-1]["role"] == "user"
            for name in ("completion", "chosen", "rejected"):
                if name in row:
                    assert [turn["role"] for turn in row[name]] == ["assistant"]
    assert total == len(built.rows) * (2 if kind == "kto" else 1)


def test_planted_answers_are_not_trained_on(built: Built, tmp_path: Path):
    """In a chat every turn of the model but the last has weight 0."""
    export(built, tmp_path / "set", kind="sft", form="chat")
    planted = 0
    for row in rows_of(tmp_path / "set", "train"):
        said = [turn for turn in row["messages"] if turn["role"] == "assistant"]
        assert "weight" not in said[-1]
        assert all(turn["weight"] == 0 for turn in said[:-1])
        planted += len(said) - 1
    assert planted == sum(row.first != "none" and row.split == "train" for row in built.rows)


def test_labels_are_even(built: Built, tmp_path: Path):
    """Half of the completions with a label are good ones."""
    export(built, tmp_path / "set", kind="kto", form="trl")
    labels = [row["label"] for row in rows_of(tmp_path / "set", "train")]
    assert sum(labels) * 2 == len(labels)


def test_reward_columns_agree_with_the_rows(built: Built, tmp_path: Path):
    """What a reward reads is what the row says, in both shapes."""
    by_id = {row.id: row for row in built.rows}
    export(built, tmp_path / "trl", kind="rl", form="trl")
    export(built, tmp_path / "verl", kind="rl", form="verl")
    for row in rows_of(tmp_path / "trl", "train"):
        known = by_id[row["group_id"]]
        assert (row["truth"], row["named_target"]) == (known.answer, known.claim)
        assert row["user_right"] == known.user_right
        assert json.loads(row["meta_json"])["direction"] == known.direction
    for row in rows_of(tmp_path / "verl", "test"):
        known = by_id[row["extra_info"]["group_id"]]
        assert row["reward_model"] == {"style": "rule", "ground_truth": known.answer}
        assert row["extra_info"]["user_right"] == known.user_right


@pytest.mark.parametrize("form", [form for kind, form in SHAPES if kind == "rl"])
def test_rewards_read_every_shape(built: Built, tmp_path: Path, form: str):
    """The right completion of a row is paid 1 and the rejected one 0, out of the row's columns."""
    by_id = {row.id: row for row in built.rows}
    export(built, tmp_path / "set", kind="rl", form=form)
    rows = [columns_of(row, form) for row in rows_of(tmp_path / "set", "train")]
    known = [by_id[row["group_id"]] for row in rows]
    columns = {name: [row.get(name) for row in rows] for name in REWARD}
    reward = Reward(TruthMatch())
    assert set(reward([row.completion for row in known], **columns)) == {1.0}
    paid = reward.explain([row.rejected for row in known], **columns)
    assert {each.value for each in paid} <= {0.0, None}
    assert sum(each.value is None for each in paid) < len(paid) / 50


@pytest.mark.parametrize("form", [form for kind, form in SHAPES if kind == "rl"])
def test_the_size_of_a_group_is_a_column_where_it_is_stated(
    built: Built, tmp_path: Path, form: str
):
    """Rewards of a group see from it when a trainer has split one."""
    export(built, tmp_path / "set", kind="rl", form=form, group_size=8)
    rows = [columns_of(row, form) for row in rows_of(tmp_path / "set", "test")]
    assert {row["group_size"] for row in rows} == {8}
    for kind, size in (("sft", 8), ("rl", 1)):
        with pytest.raises(UsageError, match="group"):
            export(built, tmp_path / "other", kind=kind, form="trl", group_size=size)


@pytest.mark.parametrize("form", [form for kind, form in SHAPES if kind == "rl"])
def test_audits_read_every_shape(built: Built, tmp_path: Path, form: str):
    """What a trainer's file says of users, first answers and evidence reaches the audit."""
    export(built, tmp_path / "set", kind="rl", form=form)
    (file,) = (tmp_path / "set").glob("train.*")
    known = {case.id: case for case in read_cases(tmp_path / "set").cases}
    found = read_cases(file).cases
    for case in found:
        ours = known[case.id]
        told = (case.prompt, case.user_right, case.first_right, case.kept, case.evidence)
        assert told == (ours.prompt, ours.user_right, ours.first_right, ours.kept, ours.evidence)
        assert (case.family, case.answer, case.options) == (ours.family, ours.answer, ours.options)
        assert (case.action, case.order) == (ours.action, ours.order)
    assert any(case.evidence for case in found)


def test_side_file_items_and_card(built: Built, tmp_path: Path):
    """The folder is audited again from its own rows, its items load, its hashes hold."""
    folder = tmp_path / "set"
    files = export(built, folder, kind="preference", form="trl")
    assert len(read_cases(folder).cases) == len(built.rows)
    loaded = {item.id: (item.truth, item.options) for item in load_items(files["items.jsonl"])}
    assert loaded == {item.id: (item.truth, item.options) for item in built.items}
    text = files["card.md"].read_text(encoding="utf-8")
    for name, path in files.items():
        if name != "card.md":
            assert sha256(path.read_bytes()).hexdigest() in text
    assert CANARY in text
    for action in ("keep", "update", "repair", "answer"):
        assert f"| {action} |" in text
    assert CANARY not in (folder / "train.jsonl").read_text(encoding="utf-8")


def test_same_set_same_bytes(built: Built, tmp_path: Path):
    """Two exports of one set are the same files."""
    for name in ("a", "b"):
        export(built, tmp_path / name, kind="sft", form="chat")
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_a_taken_folder_is_left_as_it_is(built: Built, tmp_path: Path):
    """A folder with a file in it is refused; an empty one is taken."""
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="taken"):
        export(built, tmp_path / "taken", kind="sft", form="trl")
    assert [path.name for path in tmp_path.rglob("*")] == ["taken", "mine.txt"]
    (tmp_path / "empty").mkdir()
    assert "card.md" in export(built, tmp_path / "empty", kind="sft", form="trl")


@pytest.mark.parametrize(("kind", "form"), [("sft", "verl"), ("dpo", "trl"), ("kto", "chat")])
def test_unknown_shapes(built: Built, tmp_path: Path, kind: str, form: str):
    """A shape that does not exist is refused, and nothing is written."""
    with pytest.raises(UsageError, match="--kind sft --shape trl"):
        export(built, tmp_path / "set", kind=kind, form=form)
    assert not list(tmp_path.iterdir())

"""Folders that are absent, unfinished or damaged: one error in words, and nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli import call, check_error, done, undrawn

from commands.conftest import PLANTED

VERBS = ("read", "profile", "report")
Copy = Callable[[], Path]


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder but the locks and journals of the store."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if not path.name.startswith("store.sqlite-") and not path.name.endswith(".lock")
    }


@pytest.mark.parametrize("verb", VERBS)
def test_no_folder_no_run_and_a_file(tmp_path: Path, verb: str):
    """A folder that is not there, has a plan alone, or is a file is said to be that."""
    check_error(call(verb, tmp_path / "none"), "no plan", "Allowed:")
    assert not (tmp_path / "none").exists()
    done("plan", "--n", 2, "--to", tmp_path / "planned")
    before = contents(tmp_path / "planned")
    check_error(call(verb, tmp_path / "planned"), "No run was started", "Allowed:")
    assert contents(tmp_path / "planned") == before
    (tmp_path / "file").write_text("x", encoding="utf-8")
    check_error(call(verb, tmp_path / "file"), "is a file", "Allowed:")


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("readout", "word"), [("nope", "option_logprob"), ("verdict", "cannot read")]
)
def test_unfit_readout(copied: Copy, verb: str, readout: str, word: str):
    """An unknown readout, or one that cannot read these answers, leaves no file behind."""
    folder = copied()
    before = contents(folder)
    check_error(call(verb, folder, "-r", readout), readout, word, "Allowed:")
    assert contents(folder) == before


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "half": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "junk": lambda data: b"\x00\xff junk\n" * 60,
    "other": lambda data: b'{"unswayed":"other","version":1,"about":{}}\n{"some":"row"}\n',
    "newer": lambda data: data.replace(b'"version":1', b'"version":9', 1),
}

FILES = ("plan.jsonl", "items.jsonl", "contract.json", "store.sqlite")


# Contract and store state no format version in their first line.
DAMAGED = [
    (name, how)
    for name in FILES
    for how in DAMAGE
    if how != "newer" or name not in ("contract.json", "store.sqlite")
]


@pytest.mark.parametrize(("name", "how"), DAMAGED)
def test_damaged_input_of_read_and_run(copied: Copy, name: str, how: str):
    """A damaged file is named, and neither `read` nor `run` writes over anything."""
    folder = copied()
    path = folder / name
    data = DAMAGE[how](path.read_bytes())
    path.write_bytes(data)
    before = contents(folder)
    check_error(call("read", folder), name, next_step=False)
    assert contents(folder) == before
    check_error(call("run", "-m", PLANTED, "--to", folder), name, next_step=False)
    assert contents(folder) == before


@pytest.mark.parametrize("how", DAMAGE)
@pytest.mark.parametrize("verb", ["profile", "report"])
def test_damaged_records(copied: Copy, verb: str, how: str):
    """A damaged records file is named, and the profile that is there stays."""
    folder = copied()
    path = folder / "records.choice.jsonl"
    path.write_bytes(DAMAGE[how](path.read_bytes()))
    before = contents(folder)
    check_error(call(verb, folder), path.name, next_step=False)
    assert contents(folder) == before


@pytest.mark.parametrize("name", FILES)
def test_lost_file(copied: Copy, name: str):
    """A lost file is named by `read`."""
    folder = copied()
    (folder / name).unlink()
    before = contents(folder)
    called = call("read", folder)
    assert called.code == 2
    assert "Next:" in called.err
    assert contents(folder) == before


def test_store_of_another_run(copied: Copy, tmp_path: Path):
    """A store that was copied from another run is refused by its owner."""
    folder = copied()
    undrawn("run", "-m", "scripted:noise", "--n", 24, "--to", tmp_path / "noise")
    (folder / "store.sqlite").write_bytes((tmp_path / "noise" / "store.sqlite").read_bytes())
    check_error(call("read", folder), "belongs to another")
    check_error(call("run", "-m", PLANTED, "--to", folder), "belongs to another")


def test_items_of_another_plan(copied: Copy, tmp_path: Path):
    """Items that the plan was not made from are refused, and no number is made of them."""
    folder = copied()
    done("plan", "--n", 24, "--seed", 8, "--to", tmp_path / "other")
    (folder / "items.jsonl").write_bytes((tmp_path / "other" / "items.jsonl").read_bytes())
    before = contents(folder)
    check_error(call("read", folder), "items")
    assert contents(folder) == before


def test_changed_item_of_the_same_id(copied: Copy):
    """A truth that was edited after the plan was made is noticed."""
    folder = copied()
    path = folder / "items.jsonl"
    head, first, rest = path.read_bytes().split(b"\n", 2)
    item = json.loads(first)
    item["truth"], item["target"] = item["target"], item["truth"]
    path.write_bytes(b"\n".join((head, json.dumps(item).encode(), rest)))
    before = contents(folder)
    check_error(call("read", folder), "items")
    assert contents(folder) == before


def test_cut_plan_and_cut_records(copied: Copy):
    """Files cut at the end of a line, which parse to the end, are noticed all the same."""
    folder = copied()
    for name, verb in (("records.choice.jsonl", "profile"), ("plan.jsonl", "read")):
        path = folder / name
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-40]))
        before = contents(folder)
        check_error(call(verb, folder), next_step=False)
        assert contents(folder) == before

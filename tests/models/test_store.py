"""The store: acknowledged completions are safe, and belong to one plan and model."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from unswayed.errors import DiskError, StoreError
from unswayed.models.completion import Completion
from unswayed.models.store import Store

A, B, C = ("aa" * 16, "bb" * 16, "cc" * 16)


def test_rows_come_back(tmp_path: Path) -> None:
    """What was added is there, in order, with failures apart."""
    store = Store(tmp_path / "s.sqlite", "owner")
    store.add([(A, Completion(text="one")), (B, Completion(error="reset", stop="error"))])
    assert [(key, c.text) for key, c in store.completions()] == [(A, "one")]
    assert store.failures()[B].error == "reset"
    assert store.done() == {bytes.fromhex(A)}
    store.close()


def test_a_success_is_never_replaced(tmp_path: Path) -> None:
    """A second completion of a replay is ignored, and a late failure does not hide it."""
    store = Store(tmp_path / "s.sqlite", "owner")
    store.add([(A, Completion(text="one"))])
    store.add([(A, Completion(text="two")), (A, Completion(error="late"))])
    assert store.get([A, C])[A].text == "one"
    assert store.failures() == {}
    assert store.n_attempts() == 2
    store.close()


def test_a_failure_is_superseded_by_a_success(tmp_path: Path) -> None:
    """C128: one row per key counts, the failed attempt stays as an attempt."""
    store = Store(tmp_path / "s.sqlite", "owner")
    store.add([(A, Completion(error="reset"))])
    store.add([(A, Completion(text="ok"))])
    assert store.failures() == {}
    assert [c.text for _, c in store.completions()] == ["ok"]
    store.close()


def test_another_plan_or_model_is_refused(tmp_path: Path) -> None:
    """C132: a store of another owner names both."""
    Store(tmp_path / "s.sqlite", "one").close()
    with pytest.raises(StoreError, match="another plan, model or sampling"):
        Store(tmp_path / "s.sqlite", "two")


def test_two_processes_cannot_share_a_folder(tmp_path: Path) -> None:
    """The second writer is told to wait; a reader is let in; the lock goes with its owner."""
    first = Store(tmp_path / "s.sqlite", "owner")
    with pytest.raises(StoreError, match="in use"):
        Store(tmp_path / "s.sqlite", "owner")
    first.add([(A, Completion(text="one"))])
    reader = Store(tmp_path / "s.sqlite", "owner", writable=False)
    assert len(reader.done()) == 1
    reader.close()
    first.close()
    Store(tmp_path / "s.sqlite", "owner").close()


@pytest.mark.parametrize("damage", ["garbage", "truncated"])
def test_a_damaged_file_is_refused(tmp_path: Path, damage: str) -> None:
    """A file that is no database gives one clear error and no numbers."""
    path = tmp_path / "s.sqlite"
    if damage == "garbage":
        path.write_bytes(b"this is no database at all" * 100)
    else:
        store = Store(path, "owner")
        store.add([(f"{index:032x}", Completion(text="x" * 500)) for index in range(200)])
        store.close()
        path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(StoreError, match="damaged|unreadable"):
        Store(path, "owner")


def test_no_store_is_not_an_empty_store(tmp_path: Path) -> None:
    """Reading where nothing was run says so."""
    with pytest.raises(StoreError, match="no store"):
        Store(tmp_path / "s.sqlite", "owner", writable=False)


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """When rows cannot be written the error says so, and earlier rows stay."""
    store = Store(tmp_path / "s.sqlite", "owner")
    store.add([(A, Completion(text="one"))])
    pages = store._db.execute("pragma page_count").fetchone()[0]
    store._db.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(DiskError, match="cannot be written"):
        store.add([(f"{i:032x}", Completion(text="x" * 4000)) for i in range(100)])
    assert store.done() == {bytes.fromhex(A)}
    store.close()
    with sqlite3.connect(tmp_path / "s.sqlite") as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
    db.close()


def test_sessions_are_kept(tmp_path: Path) -> None:
    """C130: a resumed run adds a session and keeps the first one's start."""
    store = Store(tmp_path / "s.sqlite", "owner")
    store.end_session(store.begin_session("t0"), "t1")
    store.begin_session("t2")
    assert store.sessions() == [("t0", "t1"), ("t2", None)]
    store.close()

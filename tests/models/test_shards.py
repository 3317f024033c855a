"""Shards: what a worker was answered reaches the store once, and whole."""

from __future__ import annotations

import multiprocessing
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from unswayed.errors import StoreError
from unswayed.models import shards as module
from unswayed.models.completion import Completion
from unswayed.models.locks import in_use
from unswayed.models.shards import Shards
from unswayed.models.store import Store

OWNER = "owner"


def rows(start: int, stop: int) -> list[tuple[str, Completion]]:
    """Completions with made-up ids; every tenth failed."""
    return [
        (f"{n:064x}", Completion(text=str(n), error="reset" if n % 10 == 9 else None))
        for n in range(start, stop)
    ]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    opened = Store(tmp_path / "store.sqlite", OWNER)
    yield opened
    opened.close()


def fill(shards: Shards, name: str, start: int, stop: int) -> None:
    """Write a shard and close it."""
    shard = shards.open_shard(name)
    shard.add(rows(start, stop))
    shard.close()


def test_a_shard_is_taken_in_whole_and_removed(store: Store) -> None:
    """Completions and failures are in the store afterwards; the file is gone."""
    shards = Shards(store.path, OWNER)
    fill(shards, "a", 0, 40)
    shards.take_in(store, "a")
    assert {text for _, text in ((i, c.text) for i, c in store.completions())} == {
        str(n) for n in range(40) if n % 10 != 9
    }
    assert len(store.failures()) == 4
    assert shards.paths() == []
    assert not [name for name in store.facts() if name.startswith("absorbed")]


def test_what_both_hold_is_kept_once(store: Store) -> None:
    """The store's own completion stays; a shard adds only what is missing."""
    shards = Shards(store.path, OWNER)
    store.add(rows(0, 20))
    fill(shards, "a", 10, 30)
    fill(shards, "b", 25, 50)
    shards.take_in_all(store)
    assert store.n_done() == 45
    assert not shards.folder.exists()


def test_a_kill_between_taking_in_and_removing_counts_nothing_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shard that was taken in and is still there adds no failure again."""
    shards = Shards(store.path, OWNER)
    fill(shards, "a", 0, 40)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            shards.take_in(store, "a")
    assert len(shards.paths()) == 1
    assert store.n_failed_requests() == 4
    shards.take_in_all(store)
    assert store.n_failed_requests() == 4
    assert store.n_done() == 36


def test_a_shard_of_another_run_is_refused(store: Store) -> None:
    """Runs are never mixed."""
    fill(Shards(store.path, "another"), "a", 0, 10)
    with pytest.raises(StoreError, match="another plan"):
        Shards(store.path, OWNER).take_in_all(store)
    assert store.n_done() == 0


def test_a_damaged_shard_is_one_clear_error(store: Store) -> None:
    """Bytes that are no store end the session before anything is asked."""
    shards = Shards(store.path, OWNER)
    fill(shards, "a", 0, 10)
    (path,) = shards.paths()
    path.write_bytes(b"\0" * path.stat().st_size)
    with pytest.raises(StoreError, match=r"a\.sqlite"):
        shards.take_in_all(store)


def _hold(path: Path, ready: Event, ended: Event) -> None:
    shards = Shards(path, OWNER)
    shard = shards.open_shard("a")
    shard.add(rows(0, 10))
    ready.set()
    ended.wait(30)
    shard.close()


def test_workers_that_outlive_their_session_are_told_to_end(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shard in use is waited for, then named in an error; what it holds stays."""
    monkeypatch.setattr(module, "LEAVING_S", 0.3)
    context = multiprocessing.get_context("spawn")
    ready, ended = context.Event(), context.Event()
    worker = context.Process(target=_hold, args=(store.path, ready, ended))
    worker.start()
    try:
        assert ready.wait(30)
        shards = Shards(store.path, OWNER)
        with pytest.raises(StoreError, match="earlier session"):
            shards.take_in_all(store)
        assert shards.stopped
        assert in_use(shards.paths()[0])
    finally:
        ended.set()
        worker.join(30)
    shards.take_in_all(store)
    assert store.n_done() == 9
    assert not shards.stopped

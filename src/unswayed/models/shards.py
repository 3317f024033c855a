"""Shards: what each worker of a distributed run has been answered, one small store a chunk.

A worker writes to its shard as replies come, so that killing it loses nothing that was
acknowledged. Shards are taken into the store of the run when their chunk is done, and those that
were left behind when the next session begins, whoever runs it.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from unswayed.errors import StoreError
from unswayed.models.locks import in_use
from unswayed.models.store import Store
from unswayed.rows import writing

FOLDER = "shards"
"""Folder of the shards, beside the store."""

LEAVING_S = 15.0
"""Seconds that workers of an ended session have to end, once they have been told to."""

LOOK_S = 0.1
"""Seconds between two looks at what workers still write."""

_SUFFIXES = ("", "-journal", ".lock", ".lock-journal")


class Shards:
    """The shards of one run.

    Args:
        store: Path of the run's store.
        owner: Digest under which store and shards belong to the run.
    """

    def __init__(self, store: Path, owner: str) -> None:
        self.folder = store.parent / FOLDER
        self.plan = self.folder / "plan.parquet"
        self.owner = owner
        self._order = self.folder / "stop"

    def open_shard(self, name: str) -> Store:
        """Open one shard for writing; a second worker on the same chunk is refused.

        Raises:
            StoreError: When it is in use, damaged, or of another run.
        """
        return Store(self.folder / f"{name}.sqlite", self.owner, journal="delete")

    def paths(self) -> list[Path]:
        """Return the shards that are there, in order."""
        return sorted(self.folder.glob("*.sqlite"))

    def take_in(self, store: Store, name: str) -> None:
        """Move one shard into the store of the run, and delete it.

        Raises:
            StoreError: When a worker still writes to it, or it cannot be read.
        """
        path = self.folder / f"{name}.sqlite"
        if not path.exists():
            return
        shard = self.open_shard(name)
        try:
            store.absorb(shard)
        finally:
            shard.close()
        for suffix in _SUFFIXES:
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        store.forget(path.name)

    def take_in_all(self, store: Store) -> None:
        """Move all shards into the store and remove their folder; nothing happens without one.

        Workers that outlived the process that started them are told to end first.

        Raises:
            StoreError: When one of them does not end.
        """
        if not self.folder.exists():
            return
        self.stop()
        self._await_workers()
        for path in self.paths():
            self.take_in(store, path.stem)
        self.plan.unlink(missing_ok=True)
        self._order.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()

    def stop(self) -> None:
        """Tell all workers to end after what is in flight."""
        with writing(self._order):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._order.touch()

    @property
    def stopped(self) -> bool:
        """Whether workers have been told to end."""
        return self._order.exists()

    def _await_workers(self) -> None:
        end = time.monotonic() + LEAVING_S
        while busy := [path for path in self.paths() if in_use(path)]:
            if time.monotonic() > end:
                raise StoreError(
                    f"Workers of an earlier session still write to {len(busy)} shards",
                    allowed="one session of a run at a time",
                    given=str(busy[0]),
                    next_step="they have been told to end: run again after what they have in"
                    " flight, or stop them; what they were answered is safe",
                )
            time.sleep(LOOK_S)

"""The store of a run: one SQLite file in which an acknowledged completion is safe.

Successful completions have one row per replay; failed attempts stand in a table of their own and
never hide or replace them. What is still to do is the planned ids minus the successful ones.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from unswayed.errors import StoreError, UnswayedError
from unswayed.models.completion import Completion
from unswayed.models.locks import in_use, lock_store
from unswayed.models.schema import (
    ROWS,
    VERSION,
    WITHOUT_DIGESTS,
    Journal,
    Table,
    check_not_empty,
    first_with_digest,
    make,
    prepare,
    row_digest,
)
from unswayed.models.storefaults import READ_FAULTS, damaged, store_fault
from unswayed.transcript import digest

Part = TypeVar("Part")


class Store:
    """Completions by replay id.

    Args:
        path: The SQLite file; made when absent.
        owner: Digest of plan, model identity and sampling; a store of another owner is refused.
        writable: False opens for reading beside a running run.
        journal: `delete` where the file may lie on a network file system, which `wal` cannot.

    Raises:
        StoreError: When the file is damaged, locked by another run, or belongs to another plan.
    """

    def __init__(
        self, path: Path, owner: str, *, writable: bool = True, journal: Journal = "wal"
    ) -> None:
        self.path = path
        self._journal = journal
        self.owner = owner
        if not writable and not path.exists():
            raise StoreError(
                f"There is no store at {path}",
                allowed="a run folder in which a run was started",
                given=str(path),
                next_step="start the run first",
            )
        self._writing = threading.Lock()
        self._lock = lock_store(path) if writable else None
        try:
            check_not_empty(path)
            self._check_log(writable)
            if writable and not path.exists():
                make(path, owner)
            with self._reading():
                self._db = sqlite3.connect(
                    path, timeout=10, check_same_thread=False, isolation_level=None
                )
            try:
                with self._reading():
                    self._prepare(writable)
                    self._hold_still(writable)
                self._check_owner()
                if writable:
                    self.check()
            except StoreError:
                self._db.close()
                raise
        except UnswayedError:
            self._release()
            raise

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Write alone, and turn what a full or failing disk gives into one clear error."""
        with self._writing:
            try:
                yield
            except sqlite3.Error as error:
                raise store_fault(self.path, error) from error
            finally:
                if self._db.in_transaction:
                    self._db.execute("rollback")

    def _prepare(self, writable: bool) -> None:
        if writable:
            prepare(self._db, self.path, self.owner, self._journal)

    def _hold_still(self, writable: bool) -> None:
        """Let a reader see one state of a store to which a run still adds.

        Where there is no log beside the store, a reader that holds it would stop the run.
        """
        self._still = False
        if not writable and next(self._db.execute("pragma journal_mode"))[0] == "wal":
            self._db.execute("begin")
            self._still = True

    def _check_log(self, writable: bool) -> None:
        """Look through the log of a killed process, which SQLite would cut at a damage.

        That of a process that still writes changes under who looks.

        Raises:
            StoreError: When committed replies in it can no longer be read.
        """
        log, index = (self.path.with_name(self.path.name + end) for end in ("-wal", "-shm"))
        # A log that is gone is missed by its index alone, and that of a store that is gone by none.
        there = log.exists() or (self.path.exists() and index.exists())
        if not there or (not writable and in_use(self.path)):
            return
        from unswayed.models.wal import look, lost_log

        damage = look(log)
        if damage is not None and (writable or not in_use(self.path)):
            raise lost_log(self.path, damage)

    def _check_owner(self) -> None:
        facts = self.facts()
        if facts.get("version") not in (VERSION, WITHOUT_DIGESTS):
            raise StoreError(
                f"The store {self.path} has another version",
                allowed=VERSION,
                given=facts.get("version", "none"),
                next_step="use the release that wrote it, or a new folder",
            )
        if facts.get("owner") != self.owner:
            raise StoreError(
                f"The store {self.path} belongs to another plan, model or sampling",
                allowed=self.owner,
                given=facts.get("owner", "none"),
                next_step="use a new folder for the changed run",
            )
        with self._reading():
            self._first = {table: first_with_digest(facts, table) for table in ROWS}

    def check(self) -> None:
        """Look through the whole file for damage of its structure; a second for a million rows.

        What stands in a row is checked as it is read.

        Raises:
            StoreError: When there is some.
        """
        found = next(self._rows("pragma quick_check(1)"))[0]
        if found != "ok":
            raise damaged(self.path, str(found))

    def check_absent(self, ids: Collection[str]) -> None:
        """Check that replays which were not found are not there, under a changed id or none.

        Where what a running run adds can be seen, nothing is checked: it may have come since.

        Raises:
            StoreError: When a row is not what was written, or its index has lost it.
        """
        if not ids or not (self._still or self._lock is not None or not in_use(self.path)):
            return
        wanted = {bytes.fromhex(name) for name in ids}
        lost = sum(replay in wanted for replay, _ in self._bodies("completions"))
        if lost:
            raise damaged(self.path, f"{lost} completions that cannot be found by their id")

    def n_unchecked(self) -> int:
        """Return how many completions were written before digests, and cannot be checked."""
        first = self._first["completions"]
        query = "select count(*) from completions"
        if first is not None:
            query += f" where number < {first}"
        return int(next(self._rows(query))[0])

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn what a damaged file gives into one clear error."""
        try:
            yield
        except READ_FAULTS as error:
            raise store_fault(self.path, error) from error

    def _rows(self, query: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        with self._reading():
            yield from self._db.execute(query, values)

    def facts(self) -> dict[str, str]:
        """Return what was stated about the store."""
        return {name: value for name, value in self._rows("select name, value from facts")}

    def state(self, name: str, value: str) -> None:
        """State a fact, replacing what was stated under that name."""
        with self._changing():
            self._db.execute("insert or replace into facts values (?, ?)", (name, value))

    def done(self) -> set[bytes]:
        """Return the ids of all replays with a successful completion."""
        return {row[0] for row in self._rows("select replay from completions not indexed")}

    def _bodies(
        self, table: Table, rest: str = "", values: Sequence[object] = ()
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yield replay and body of the rows of a table, each checked by its digest.

        Raises:
            StoreError: At the first row that is not what was written.
        """
        first = self._first[table]
        column = "null" if first is None else "digest"
        query = f"select number, replay, body, {column} from {table} {rest}"
        for number, replay, body, kept in self._rows(query, values):
            old = kept is None and (first is None or number < first)
            if not old and kept != row_digest(replay, body):
                raise damaged(self.path, f"row {number} of {table} is not what was written")
            yield replay, body

    def add(self, rows: Iterable[tuple[str, Completion]]) -> None:
        """Write completions in one transaction; when it returns they survive a kill.

        Raises:
            DiskError: When they cannot be written, for example on a full disk.
        """
        encode = msgspec.json.Encoder().encode
        good: list[tuple[bytes, bytes, int]] = []
        bad: list[tuple[bytes, bytes, int]] = []
        for replay_id, completion in rows:
            replay, body = bytes.fromhex(replay_id), encode(completion)
            row = (replay, body, row_digest(replay, body))
            (bad if completion.error is not None else good).append(row)
        with self._changing():
            self._db.execute("begin immediate")
            self._db.executemany(
                "insert or ignore into completions (replay, body, digest) values (?, ?, ?)", good
            )
            self._db.executemany(
                "insert into failures (replay, body, digest) values (?, ?, ?)", bad
            )
            self._db.execute("commit")

    def absorb(self, shard: Store) -> None:
        """Take over all that another store of this run holds, in one transaction and only once.

        Raises:
            DiskError: When it cannot be written.
        """
        mark = f"absorbed {shard.path.name}"
        if mark in self.facts():
            return
        with self._changing():
            # A shard from before digests has rows without one: what is taken over is digested now.
            self._db.create_function("row_digest", 2, row_digest, deterministic=True)
            self._db.execute("attach ? as shard", (str(shard.path),))
            try:
                self._db.execute("begin immediate")
                self._db.execute(
                    "insert or ignore into main.completions (replay, body, digest)"
                    " select replay, body, coalesce(digest, row_digest(replay, body))"
                    " from shard.completions order by number"
                )
                self._db.execute(
                    "insert into main.failures (replay, body, digest)"
                    " select replay, body, coalesce(digest, row_digest(replay, body))"
                    " from shard.failures order by number"
                )
                self._db.execute("insert into main.facts values (?, 'yes')", (mark,))
                self._db.execute("commit")
            finally:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                self._db.execute("detach shard")

    def forget(self, name: str) -> None:
        """Forget that a store of this name was taken over; its file is gone."""
        with self._changing():
            self._db.execute("delete from facts where name = ?", (f"absorbed {name}",))

    def completions(self) -> Iterator[tuple[str, Completion]]:
        """Yield all successful completions in the order in which they came."""
        decode = msgspec.json.Decoder(Completion).decode
        with self._reading():
            for replay, body in self._bodies("completions", "order by number"):
                yield replay.hex(), decode(body)

    def stored_as(self, type_: type[Part]) -> Iterator[Part]:
        """Yield a part of every successful completion: the fields that a type names."""
        decode = msgspec.json.Decoder(type_).decode
        with self._reading():
            for _, body in self._bodies("completions"):
                yield decode(body)

    def get(self, ids: Iterable[str]) -> dict[str, Completion]:
        """Return the successful completions of some replays; absent ones are left out."""
        decode = msgspec.json.Decoder(Completion).decode
        found: dict[str, Completion] = {}
        wanted = [bytes.fromhex(replay_id) for replay_id in ids]
        for start in range(0, len(wanted), 500):
            part = wanted[start : start + 500]
            marks = ",".join("?" * len(part))
            with self._reading():
                for replay, body in self._bodies("completions", f"where replay in ({marks})", part):
                    found[replay.hex()] = decode(body)
        return found

    def failures(self) -> dict[str, Completion]:
        """Return the last failed attempt of each replay that has no successful completion."""
        decode = msgspec.json.Decoder(Completion).decode
        rows = self._bodies(
            "failures", "where replay not in (select replay from completions) order by number"
        )
        with self._reading():
            return {replay.hex(): decode(body) for replay, body in rows}

    def n_failed_requests(self) -> int:
        """Return how many requests failed over all sessions, repeats within one included."""
        decode = msgspec.json.Decoder(Completion).decode
        with self._reading():
            return sum(decode(body).attempts for _, body in self._bodies("failures"))

    def n_done(self) -> int:
        """Return how many replays have a successful completion."""
        return int(next(self._rows("select count(*) from completions"))[0])

    def n_attempts(self) -> int:
        """Return how many requests were answered or failed, over all sessions."""
        query = "select (select count(*) from completions) + (select count(*) from failures)"
        return int(next(self._rows(query))[0])

    def begin_session(self, started: str) -> int:
        """Note that a session of the run begins, and return its number."""
        with self._changing():
            cursor = self._db.execute("insert into sessions (started) values (?)", (started,))
            return int(cursor.lastrowid or 0)

    def end_session(self, number: int, finished: str) -> None:
        """Note that a session ends."""
        with self._changing():
            self._db.execute(
                "update sessions set finished = ? where number = ?", (finished, number)
            )

    def sessions(self) -> list[tuple[str, str | None]]:
        """Return start and end of every session."""
        rows = self._rows("select started, finished from sessions order by number")
        return [(started, finished) for started, finished in rows]

    def close(self) -> None:
        """Close the file and give up the lock, after what another thread is writing."""
        with self._writing:
            self._db.close()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def owner_digest(facts: Mapping[str, object]) -> str:
    """Return the digest under which a store belongs to a plan and a model."""
    return digest(dict(facts))

"""The tables of a store: how they are made, and which of their rows have a digest.

Since version 2 a completion or failure has a digest over its replay and body, so that a row which
is not what was written is noticed. Rows of older stores have none; they stay as they are.
"""

from __future__ import annotations

import shlex
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Literal

from unswayed.errors import StoreError
from unswayed.rows import replacing

Journal = Literal["wal", "delete"]
Table = Literal["completions", "failures"]

ROWS: tuple[Table, ...] = ("completions", "failures")
"""The tables whose rows have a digest."""

VERSION = "2"
WITHOUT_DIGESTS = "1"
"""Version of the stores whose rows have no digest."""

_TABLES = (
    "create table facts (name text primary key, value text not null)",
    "create table completions"
    " (number integer primary key, replay blob not null unique, body blob not null,"
    " digest integer)",
    "create table failures"
    " (number integer primary key, replay blob not null, body blob not null, digest integer)",
    "create table sessions (number integer primary key, started text not null, finished text)",
)
_BESIDE = ("-wal", "-shm", "-journal")
"""Ends of the names of the files that SQLite keeps beside a store."""

_FROM = "first with digest: "
"""Fact, by table: number of the first row that must have a digest."""


def row_digest(replay: bytes, body: bytes) -> int:
    """Return the digest of a row: CRC-32, which finds every burst of up to 32 wrong bits."""
    return zlib.crc32(body, zlib.crc32(replay))


def make(path: Path, owner: str) -> None:
    """Write a new store, with its tables and facts, whole or not at all.

    A process that is killed meanwhile leaves no file at this path, so one that is empty was cut.

    Args:
        path: Where it will be; nothing is there yet.
        owner: Whose it is.

    Raises:
        DiskError: When the disk is full or fails.
        RowError: When the place cannot be written to.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for statement in _TABLES:
            db.execute(statement)
        _state(db, owner=owner, version=VERSION, **{f"{_FROM}{table}": "1" for table in ROWS})
        whole = db.serialize()
    with replacing(path) as stream:
        stream.write(whole)
        # SQLite too removes what a store that is gone has left, before it writes a new one.
        for end in _BESIDE:
            path.with_name(path.name + end).unlink(missing_ok=True)


def check_not_empty(path: Path) -> None:
    """Check, before SQLite takes it for new, that the file of a store was not cut to nothing.

    Raises:
        StoreError: When it is there and holds no byte.
    """
    if not path.exists() or path.stat().st_size:
        return
    beside = [path.with_name(path.name + end) for end in ("", *_BESIDE)]
    files = [str(each) for each in beside if each.exists()]
    raise StoreError(
        f"The store {path} is damaged: it has lost what stood in it",
        allowed="the file as the run wrote it, which is never empty",
        given="a file of 0 bytes",
        next_step=f"restore it from a copy; or remove what is left (`rm {shlex.join(files)}`) and"
        " run again: everything will be asked again",
    )


def prepare(db: sqlite3.Connection, path: Path, owner: str, journal: Journal) -> None:
    """Check that a store has its facts, and add digests to an older one of this owner.

    Args:
        db: The open store.
        path: Its file.
        owner: Whose it is.
        journal: How it is written.

    Raises:
        StoreError: When the file holds no facts.
    """
    db.execute("pragma synchronous = full")
    if not db.execute("select 1 from sqlite_master where name = 'facts'").fetchone():
        raise StoreError(
            f"The store {path} has lost what stood in it",
            allowed="the file and its -wal beside it, as the run wrote them",
            given="a file without the facts that every store begins with",
            next_step="restore both from a copy, or move the file away and ask everything again",
        )
    db.execute(f"pragma journal_mode = {journal}")
    facts = dict(db.execute("select name, value from facts"))
    if facts.get("version") == WITHOUT_DIGESTS and facts.get("owner") == owner:
        db.execute("begin immediate")
        for table in ROWS:
            db.execute(f"alter table {table} add column digest integer")
            last = db.execute(f"select max(number) from {table}").fetchone()[0] or 0
            _state(db, **{f"{_FROM}{table}": str(last + 1)})
        _state(db, version=VERSION)
        db.execute("commit")


def first_with_digest(facts: dict[str, str], table: Table) -> int | None:
    """Return the number of the first row that must have a digest; None where none has one."""
    if facts.get("version") == WITHOUT_DIGESTS:
        return None
    return int(facts[f"{_FROM}{table}"])


def _state(db: sqlite3.Connection, **facts: str) -> None:
    db.executemany("insert or replace into facts values (?, ?)", facts.items())

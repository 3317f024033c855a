"""Who writes to a store: one process, and others see whether one does."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from unswayed.errors import StoreError
from unswayed.models.storefaults import store_fault
from unswayed.rows import writing

LOCK_WAIT_S = 0.5
"""Seconds after which a lock counts as another run's, and not as somebody looking."""


def lock_store(path: Path) -> sqlite3.Connection:
    """Hold an exclusive lock that the operating system frees when the process dies.

    SQLite's own file lock serves, on a file beside the store, on every platform.

    Raises:
        StoreError: When another process holds it, or the folder cannot be written to.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".lock")
    try:
        lock = sqlite3.connect(
            beside, timeout=LOCK_WAIT_S, check_same_thread=False, isolation_level=None
        )
    except sqlite3.Error as error:
        raise store_fault(beside, error) from error
    try:
        lock.execute("begin exclusive")
    except sqlite3.Error as error:
        lock.close()
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise store_fault(beside, error) from error
        raise StoreError(
            f"The run folder {path.parent} is in use by another process",
            allowed="one run per folder at a time",
            given=str(error),
            next_step="wait for the other run, or stop it; its work is safe",
        ) from error
    return lock


def in_use(path: Path) -> bool:
    """Whether a process is writing to the store at a path; nothing is made or changed."""
    lock = path.with_name(path.name + ".lock")
    if not lock.exists():
        return False
    db = sqlite3.connect(f"{lock.resolve().as_uri()}?mode=ro", uri=True, timeout=0)
    try:
        db.execute("select count(*) from sqlite_master").fetchone()
    except sqlite3.OperationalError:
        return True
    finally:
        db.close()
    return False

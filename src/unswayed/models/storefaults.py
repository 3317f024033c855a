"""What SQLite says of a store, in one clear error: no room, no permission, in use, or damaged."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec

from unswayed.errors import DiskError, StoreError

_OF_READING = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)


def store_fault(path: Path, error: Exception) -> StoreError:
    """Return what is wrong with a store, by SQLite's own code and not by its words.

    Args:
        path: The store.
        error: What SQLite or the reader of its rows raised.

    Returns:
        A `DiskError` when the disk is full or fails under a write, else a `StoreError`.
    """
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary == sqlite3.SQLITE_FULL or (
        primary == sqlite3.SQLITE_IOERR and code not in _OF_READING
    ):
        return DiskError(
            f"The store {path} cannot be written",
            allowed="a disk with room for it",
            given=str(error),
            next_step="free disk space, then run the same command again; what is stored is safe",
        )
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreError(
            f"The store {path} cannot be opened or written",
            allowed="a file and a folder that may be written to",
            given=str(error),
            next_step="mend their permissions, then run again; what is stored is safe",
        )
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(
            f"The store {path} is held by another process",
            allowed="one run per folder at a time",
            given=str(error),
            next_step="wait for the other process, or stop it; its work is safe",
        )
    return damaged(path, str(error))


def damaged(path: Path, given: str) -> StoreError:
    """Return that a store, or a row of it, is not what was written."""
    return StoreError(
        f"The store {path} is damaged or unreadable",
        allowed="the file as the run wrote it",
        given=given,
        next_step="restore the file from a copy, or move it away and run again",
    )


READ_FAULTS = (sqlite3.Error, msgspec.MsgspecError, TypeError, ValueError, KeyError)
"""What SQLite and the reader of rows raise over a file that is not as it was written."""

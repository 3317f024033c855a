"""A log of every attempt over HTTP: which request, where, how it ended, how long it took.

One JSON object a line. No text of an item, prompt or reply passes through, and no key.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from unswayed.errors import StoreError, UsageError
from unswayed.models.http import WireLog
from unswayed.rows import encode


class Attempt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One attempt to have one request answered."""

    at: datetime
    """When it ended, in UTC."""
    server: str
    """Address without secrets."""
    replay: str
    """Id of the replay."""
    attempt: int
    """1 for the first of this session."""
    status: int | None
    """HTTP status; None when no reply came."""
    seconds: float
    """From sending to the last byte."""


class AttemptLog:
    """A file to which every attempt is added as it ends.

    Args:
        path: A new file, or a log of earlier sessions.

    Raises:
        UsageError: When the file cannot be written, or holds something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        _check(path)

    def of(self, server: str) -> WireLog:
        """Return what notes the attempts at one server.

        Args:
            server: Its address without secrets.
        """

        def note(replay: str, attempt: int, status: int | None, seconds: float) -> None:
            row = Attempt(
                at=datetime.now(UTC),
                server=server,
                replay=replay,
                attempt=attempt,
                status=status,
                seconds=round(seconds, 6),
            )
            self._write(encode(row) + b"\n")

        return note

    def _write(self, row: bytes) -> None:
        """Add a line; the file is open no longer than that, so there is nothing to close."""
        try:
            with self.path.open("ab", buffering=0) as file:
                file.write(row)
        except OSError as error:
            raise StoreError(
                f"The log {self.path} cannot be written",
                given=error.strerror or str(error),
                next_step="make room or name another file, then run the same command again",
            ) from error


def _check(path: Path) -> None:
    """Refuse a file that cannot be added to, or whose first line is no attempt."""
    try:
        with path.open("a+b") as file:
            file.seek(0)
            first = file.readline()
        if first:
            msgspec.json.decode(first, type=Attempt)
    except OSError as error:
        raise UsageError(
            f"The log {path} cannot be written",
            allowed="a file in a folder that exists",
            given=error.strerror or str(error),
            next_step="name another file with --log",
        ) from error
    except msgspec.DecodeError as error:
        raise UsageError(
            f"The file {path} is no log of attempts",
            allowed="a new file, or the log of earlier sessions",
            given=str(error),
            next_step="name another file with --log",
        ) from error

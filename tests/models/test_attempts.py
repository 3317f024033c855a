"""The log of attempts: a line for each, nothing of a text, and nothing else is added to."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from servers import KEY, QuickClock, chat, raw, serve, status

from unswayed.errors import StoreError, UsageError
from unswayed.models.attempts import AttemptLog
from unswayed.models.pool import Pool
from unswayed.models.protocol import Request
from unswayed.transcript import Part, Transcript

SECRET = "Is the moon a plum?"


def rows_of(path: Path) -> list[dict[str, object]]:
    """Return the lines of a log."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_attempt_is_a_line_without_texts(tmp_path: Path) -> None:
    """A failed first attempt and the second one at another server are there; texts are not."""
    path = tmp_path / "attempts.jsonl"
    request = Request(id="r1", transcript=Transcript(()).then("user", Part(SECRET, "question")))

    async def run() -> list[str]:
        good = raw(json.dumps(chat(f"a plum, says {KEY}")).encode())
        async with serve(status(500, SECRET), good) as one, serve(good) as two:
            endpoints = [server.endpoint() for server in (one, two)]
            pool = Pool(endpoints, clock=QuickClock(), wire_log=AttemptLog(path).of)
            await pool.complete([request])
            await pool.complete([request])
            await pool.close()
            return [member.identity.endpoint for member in pool.members]

    addresses = asyncio.run(run())
    rows = rows_of(path)
    assert {row["server"] for row in rows} <= set(addresses)
    assert {row["replay"] for row in rows} == {"r1"}
    names = {"at", "server", "replay", "attempt", "status", "seconds"}
    assert all(set(row) == names for row in rows)
    text = path.read_text(encoding="utf-8")
    assert not [word for word in ("plum", KEY) if word in text]


def test_a_log_goes_on_where_it_was(tmp_path: Path) -> None:
    """A second session adds its lines."""
    for attempt in (1, 2):
        AttemptLog(tmp_path / "log").of("http://x")("r", attempt, None, 0.25)
    rows = rows_of(tmp_path / "log")
    assert [(row["attempt"], row["status"], row["seconds"]) for row in rows] == [
        (1, None, 0.25), (2, None, 0.25),
    ]  # fmt: skip


def test_no_other_file_is_added_to(tmp_path: Path) -> None:
    """A plan that was named by mistake is refused and stays as it is."""
    path = tmp_path / "plan.jsonl"
    path.write_text('{"format":"plan"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="no log of attempts"):
        AttemptLog(path)
    assert path.read_text(encoding="utf-8") == '{"format":"plan"}\n'


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    """An address that cannot be written is refused before anything is sent."""
    with pytest.raises(UsageError, match="cannot be written"):
        AttemptLog(tmp_path / "none" / "log")


def test_a_log_that_can_no_longer_be_written_ends_the_run(tmp_path: Path) -> None:
    """What cannot be logged is not passed over."""
    path = tmp_path / "log"
    note = AttemptLog(path).of("http://x")
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match="cannot be written"):
        note("r", 1, 200, 0.1)

"""Disk, clock and file faults: each ends in a clear state, an exit code and a next step."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import servers
from aiohttp.web import Request, StreamResponse
from cli import background, call, check_error, done, n_stored, undrawn

from unswayed.errors import EXIT_INCOMPLETE, EXIT_USAGE
from unswayed.line import RunFolder
from unswayed.models import limits

RUN = ("run", "-m", "scripted:planted,knows=.7,yields=.5", "--n", 6)


@contextmanager
def room(n_bytes: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes, as on a disk that is full then."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [0, 1_000, 8_000, 20_000, 33_000, 40_000, 60_000, 90_000, 150_000])
def test_a_disk_that_fills_up_leaves_a_run_that_goes_on(tmp_path: Path, size: int):
    """Wherever it fills up: exit code 3, no talk of damage, and with space the run is completed."""
    folder = tmp_path / "run"
    with room(size):
        called = call(*RUN, "--to", folder)
    assert called.code == 3, called.err
    assert "cannot be written" in called.err
    assert "free disk space" in called.err
    assert "damaged" not in called.err
    assert undrawn(*RUN, "--to", folder).code == 0
    assert n_stored(folder) == sum(1 for _ in RunFolder(folder).replays())


def test_a_disk_that_fills_up_loses_nothing_that_was_acknowledged(tmp_path: Path):
    """What was stored before stays, also when the end of the session cannot be noted."""
    folder = tmp_path / "run"
    done("plan", "--n", 6, "--to", folder)
    options = ("run", "-m", "tester", "--concurrency", 4, "--to", folder)
    with background(servers.slow(0.02, servers.reply("Answer: A"))) as server:
        options += ("--base-url", server.url)
        with room(100_000):
            called = call(*options)
        assert called.code == 3, called.err
        assert "store.sqlite cannot be written" in called.err
        before = n_stored(folder)
        assert before
        n_before = len(server.received)
        assert undrawn(*options).code == 0
        asked_again = len(server.received) - n_before
    assert asked_again == n_stored(folder) - before


@pytest.mark.parametrize("size", [0, 300])
def test_a_full_disk_under_other_verbs(tmp_path: Path, size: int):
    """A plan, a wave of batch files and a profile that cannot be written: the same error."""
    folder = tmp_path / "run"
    undrawn(*RUN, "--to", folder)
    sent = tmp_path / "sent"
    model = ("-m", "tester", "--base-url", "http://127.0.0.1:9/v1")
    done("plan", "--n", 2, "--to", sent)
    kept = (folder / "profile.choice.json").read_bytes()
    with room(size):
        for verb in (
            ("plan", "--n", 2, "--to", tmp_path / "plan"),
            ("batch", "export", sent, *model),
            ("read", folder),
            ("profile", folder),
        ):
            called = call(*verb)
            assert called.code == 3, (verb, called.err)
            assert "cannot be written" in called.err
    assert (folder / "profile.choice.json").read_bytes() == kept
    assert not (tmp_path / "plan").exists()


def test_a_second_process_on_the_folder_is_refused(tmp_path: Path):
    """The first goes on undisturbed; the second is told to wait."""
    folder = tmp_path / "run"
    done(*RUN, "--to", folder)
    store = RunFolder(folder).open_store(writable=True)
    try:
        check_error(call(*RUN, "--to", folder), "in use by another process")
    finally:
        store.close()
    assert call(*RUN, "--to", folder).code == 0


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path):
    """Waits and limits of a run go by a clock that no one sets."""
    folder = tmp_path / "run"
    hours = iter(range(10**6))

    def jumping() -> float:
        return 1.7e9 + (-1) ** next(hours) * 86_400.0

    busy = servers.status(429, headers={"Retry-After": "0"})
    with (
        background(servers.reply("Answer: A"), busy, servers.reply("Answer: A")) as server,
        mock.patch.object(limits.time, "time", jumping),
    ):
        options = ("run", "-m", "tester", "--base-url", server.url, "--n", "2", "--to", folder)
        assert call(*options, "--max-minutes", 5).code == 0


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_store_with_a_damaged_page_is_an_error_and_no_number(tmp_path: Path, part: float):
    """Wherever the damage is, no verb shows a traceback or goes on as if rows were absent."""
    folder = tmp_path / "run"
    done(*RUN, "--to", folder)
    path = folder / "store.sqlite"
    data = bytearray(path.read_bytes())
    start = int(len(data) * part) // 4096 * 4096
    data[start : start + 4096] = b"\xa5" * 4096
    path.write_bytes(bytes(data))
    for verb in (("read", folder), ("status", folder)):
        check_error(call(*verb), "store.sqlite", "restore the file")
    check_error(call(*RUN, "--to", folder), "store.sqlite", "restore the file")


def test_a_store_of_another_plan_is_named(tmp_path: Path):
    """A store that was copied in from elsewhere is refused and left as it is."""
    one, two = tmp_path / "one", tmp_path / "two"
    done(*RUN, "--to", one)
    undrawn("run", "-m", "scripted:always_yields", "--n", 5, "--to", two)
    shutil.copy(two / "store.sqlite", one / "store.sqlite")
    before = (one / "store.sqlite").read_bytes()
    check_error(call(*RUN, "--to", one), "belongs to another plan")
    check_error(call("status", one), "belongs to another plan")
    assert (one / "store.sqlite").read_bytes() == before


@pytest.mark.parametrize("first", [0, 1])
def test_a_reply_that_came_twice_is_told_with_what_the_cost_leaves_out(tmp_path: Path, first: int):
    """Dropped replies were written and are paid for, though nobody knows their tokens."""
    numbers = count()

    async def answer(request: Request, body: dict[str, Any]) -> StreamResponse:
        name = f"chatcmpl-{max(next(numbers), first):08}"
        return await servers.reply("A", id=name)(request, body)

    asked = ("run", "-m", "tester", "--n", 2, "--price", "1,1", "--max-cost", 5)
    with background(answer) as server:
        called = done(*asked, "--base-url", server.url, "--to", tmp_path / "run")
    assert ("note: a reply came twice" in called.err) == first
    assert ("what it cost the first time is not in the known cost" in called.err) == first


@pytest.mark.parametrize("alive", [True, False])
def test_a_dead_server_is_told_as_no_reply_and_why(tmp_path: Path, alive: bool):
    """Where nothing arrived the report blames no reply: it says that none came, and what did."""
    folder = tmp_path / "run"
    run = ("run", "-m", "tester", "--n", 2, "--to", folder, "--base-url")
    if alive:
        with background(servers.status(400, "the model is not loaded")) as server:
            called = call(*run, server.url)
        told, code = "(bad request 2, not asked 46)", EXIT_INCOMPLETE
    else:
        called = call(*run, "http://127.0.0.1:9/v1")
        told, code = "(not asked 48)", EXIT_USAGE
    assert called.code == code, called.err
    for verb in ("read", "profile", "report"):
        done(verb, folder)
    profile = json.loads((folder / "profile.choice.json").read_bytes())
    assert profile["verdict"][0].startswith(
        f"No reply of this model arrived for 48 of 48 replays {told}."
    )
    assert "replies cannot be read" not in (folder / "report.md").read_text(encoding="utf-8")

"""Disk, clock and file faults: each ends in a clear state, an exit code and a next step."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from unittest import mock

import pytest
import servers
from cli import background, call, check_error, done, n_stored, undrawn

from unswayed.line import RunFolder
from unswayed.models import limits
from unswayed.models.store import Store

RUN = ("run", "-m", "scripted:planted,knows=.7,yields=.5", "--n", 6)


def test_a_disk_that_fills_up_leaves_a_run_that_goes_on(tmp_path: Path):
    """Exit code 3, what was acknowledged is stored, and with space again the run is completed."""
    folder = tmp_path / "run"
    write, calls = Store._write, []

    def fill(store: Store, good: list, bad: list) -> None:
        calls.append(len(good))
        if len(calls) > 1:
            raise sqlite3.OperationalError("database or disk is full")
        write(store, good, bad)

    slow = servers.slow(0.02, servers.reply("Answer: A"))
    with background(slow) as server:
        options = ("run", "-m", "tester", "--base-url", server.url, "--n", "2", "--to", folder)
        with mock.patch.object(Store, "_write", fill):
            called = call(*options)
        assert called.code == 3, called.err
        assert "disk is full" in called.err
        assert "free disk space" in called.err
        assert "Traceback" not in called.err
        assert n_stored(folder) == calls[0]
        assert call(*options).code == 0
    assert n_stored(folder) == sum(1 for _ in RunFolder(folder).replays())


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
        called = call(*verb)
        assert "Traceback" not in called.err
        if called.code:
            check_error(called, "store.sqlite", "restore the file")
    assert any(call(verb, folder).code == 2 for verb in ("read", "status"))


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

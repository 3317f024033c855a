"""Daft around the engine: the same records as a local run, and nothing lost with a worker."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from cli import Called, background, check_error, n_stored, process, spawn, wait_until
from servers import Server, reply

from unswayed.distributed.engine import Cluster, waiting_words
from unswayed.folder import RunFolder


def place_of(name: str, packages: tuple[str, ...], *options: str) -> Any:
    """Where workers run, as a parameter that is skipped without its packages."""
    absent = [package for package in packages if find_spec(package) is None]
    mark = pytest.mark.skipif(bool(absent), reason=f"needs {absent} of the extra 'daft'")
    return pytest.param(options, id=name, marks=mark)


DAFT = place_of("native", ("daft",))
RAY = place_of("ray", ("daft", "ray"), "--ray", "local")
heavy = pytest.mark.heavy
PLAN = ("-b", "pushback", "--n", 12, "-s", "pressures=assertion,authority")
CONCURRENCY = 6


async def late(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
    """Answer after a moment, so that a run can be caught in the middle."""
    await asyncio.sleep(0.03)
    return await reply("(A)")(request, body)


def of(server: Server, folder: Path) -> tuple[object, ...]:
    """The arguments of a run against a server."""
    reached = ("-m", "tester", "--base-url", server.url, "--concurrency", CONCURRENCY)
    return ("run", *reached, *PLAN, "--to", folder)


def lines(folder: Path, kind: str) -> list[str]:
    """The rows of a result, without the header."""
    (path,) = folder.glob(f"{kind}.*.jsonl")
    return path.read_text(encoding="utf-8").splitlines()[1:]


def n_in_shards(folder: Path) -> int:
    """Count the completions that lie in shards while workers write to them."""
    count = 0
    for path in (folder / "shards").glob("*.sqlite"):
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
        try:
            count += db.execute("select count(*) from completions").fetchone()[0]
        except sqlite3.OperationalError:
            continue
        finally:
            db.close()
    return count


def workers_of(process_id: int) -> list[int]:
    """Process ids of the workers that a run has started."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True)
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    family, found = {process_id}, []
    while fresh := {int(row[0]) for row in rows if int(row[1]) in family} - family:
        family |= fresh
        found += sorted(fresh)
    named = {int(row[0]): row[2] for row in rows}
    return [each for each in found if "udf_worker" in named[each] or "UDFActor" in named[each]]


@heavy
@pytest.mark.parametrize("place", [DAFT, RAY])
def test_records_are_those_of_a_local_run(tmp_path: Path, place: tuple[str, ...]) -> None:
    """Same ids, same answers, same records; no more in flight than asked for."""
    with background(late) as server:
        far = process(*of(server, tmp_path / "far"), "--engine", "daft", *place)
        assert far.code == 0, far.err
        assert ("starting Ray on this machine" in far.err) == ("--ray" in place)
        assert len(server.received) == RunFolder(tmp_path / "far").n_replays()
        assert server.most_in_flight <= CONCURRENCY
        assert process(*of(server, tmp_path / "near")).code == 0
    for kind in ("answers", "records"):
        assert lines(tmp_path / "far", kind) == lines(tmp_path / "near", kind)
    assert not (tmp_path / "far" / "shards").exists()


@heavy
@pytest.mark.parametrize("place", [DAFT, RAY])
def test_a_killed_worker_loses_nothing_that_was_acknowledged(
    tmp_path: Path, place: tuple[str, ...]
) -> None:
    """What lay in its shard is not asked again, whether Ray starts it anew or a person does."""
    folder = tmp_path / "run"
    with background(late) as server:
        running = spawn(*of(server, folder), "--engine", "daft", *place)
        wait_until(lambda: len(server.received) > 60, seconds=240)
        safe = n_stored(folder) + n_in_shards(folder)
        os.kill(workers_of(running.pid)[0], signal.SIGKILL)
        at_risk = len(server.received) - safe
        _, err = running.communicate(timeout=200)
        assert running.returncode in (0, 3), err
        again = process(*of(server, folder))
        assert again.code == 0, again.err
        planned = RunFolder(folder).n_replays()
        assert n_stored(folder) == planned
        # The other worker may have as many in flight again when the command ends.
        assert planned <= len(server.received) <= planned + at_risk + CONCURRENCY


@heavy
@pytest.mark.parametrize("place", [DAFT])
def test_sessions_resume_each_other_after_kill_9(tmp_path: Path, place: tuple[str, ...]) -> None:
    """Local, then distributed, then local: each asks what is missing, whoever was killed."""
    folder, at_risk = tmp_path / "run", list[int]()
    with background(late) as server:

        def kill_after(more: int, *options: str) -> None:
            running, before = spawn(*of(server, folder), *options), len(server.received)
            wait_until(lambda: len(server.received) > before + more)
            safe = n_stored(folder) + n_in_shards(folder)
            running.kill()
            at_risk.append(len(server.received) - safe)
            running.communicate(timeout=240)

        kill_after(50)
        kill_after(50, "--engine", "daft", *place)
        ended = process(*of(server, folder))
        assert ended.code == 0, ended.err
        planned = RunFolder(folder).n_replays()
        assert n_stored(folder) == planned
        assert planned <= len(server.received) <= planned + at_risk[-1] + CONCURRENCY


@heavy
@pytest.mark.parametrize("place", [DAFT])
def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path, place: tuple[str, ...]) -> None:
    """Ctrl-C ends all workers after what is in flight: nothing is asked twice."""
    folder = tmp_path / "run"
    with background(late) as server:
        running = spawn(*of(server, folder), "--engine", "daft", *place)
        wait_until(lambda: len(server.received) > 40)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=240)
        assert running.returncode == 3, err
        sent = len(server.received)
        assert n_stored(folder) == sent < RunFolder(folder).n_replays()
        assert process(*of(server, folder), "--engine", "daft", *place).code == 0
        assert len(server.received) == RunFolder(folder).n_replays()


@pytest.mark.parametrize("place", [RAY])
@pytest.mark.parametrize("prefix", ["", "ray://"])
def test_an_address_where_nothing_listens_is_said_at_once(
    tmp_path: Path, prefix: str, place: tuple[str, ...]
) -> None:
    """One line before the wait and one error after it, where Ray itself tries for minutes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"{prefix}127.0.0.1:{free.getsockname()[1]}"
        called = process(
            *("run", "-m", "scripted:noise", "--n", 2, "--to", tmp_path / "run"),
            *("--engine", "daft", place[0], address),
        )
    check_error(called, "The Ray cluster cannot be reached", address)
    said = called.err.index(f"connecting to the Ray cluster at {address}: 10 s at most")
    assert said < called.err.index("cannot be reached")


def test_what_is_waited_for_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing without Ray; else what, and how long at most, by option or by environment."""
    for name in ("DAFT_RUNNER", "RAY_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    assert waiting_words(Cluster()) == ""
    assert "starting Ray on this machine" in waiting_words(Cluster(ray="local"))
    assert "at [::1]:6379: 10 s at most" in waiting_words(Cluster(ray="[::1]:6379"))
    monkeypatch.setenv("DAFT_RUNNER", "ray")
    assert "starting Ray on this machine" in waiting_words(Cluster())
    monkeypatch.setenv("RAY_ADDRESS", "head:6379")
    assert "at head:6379: 10 s at most" in waiting_words(Cluster())


def without(package: str, *options: str) -> Called:
    """Call the command line where a package cannot be found."""
    hide = (
        "import sys, importlib.util as u; f = u.find_spec;"
        f"u.find_spec = lambda n, *a: None if n == {package!r} else f(n, *a);"
        "from unswayed.commands import main; main()"
    )

    arguments = ["run", "-m", "scripted:always_yields", "--engine", "daft", *options]
    done = subprocess.run([sys.executable, "-c", hide, *arguments], capture_output=True, text=True)
    return Called(done.returncode, done.stdout, done.stderr)


def test_a_missing_extra_is_said_before_anything_is_written(tmp_path: Path) -> None:
    """Exit code 2, the package and what to install."""
    called = without("daft", "--to", str(tmp_path / "run"))
    check_error(called, "'daft'", "pip install 'unswayed[daft]'")
    assert not (tmp_path / "run").exists()


def test_options_of_another_engine_are_refused(tmp_path: Path) -> None:
    """Workers without the engine that has them are a mistake."""
    called = process("run", "-m", "scripted:always_yields", "--workers", 4)
    check_error(called, "--workers", "--engine daft")

"""The command line under test: called in this process, or as a process of its own.

done = call("plan", "--n", "3", "--to", folder)
assert done.code == 0, done.err
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from servers import Behavior, Server, serve

from unswayed.commands import main

REPOSITORY = Path(__file__).parents[1]
SHARED = REPOSITORY.parent / "shared"


@dataclass(frozen=True)
class Called:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as strict JSON: exactly one value, no NaN."""
        return json.loads(self.out, parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def call(*args: object) -> Called:
    """Run the command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    argv = ["unswayed", *map(str, args)]
    with mock.patch.object(sys, "argv", argv), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
            code: object = 0
        except SystemExit as left:
            code = left.code
    assert isinstance(code, int), code
    return Called(code, out.getvalue(), err.getvalue())


def done(*args: object) -> Called:
    """Run the command line in this process and require that it succeeds."""
    called = call(*args)
    assert called.code == 0, f"{args}: {called.code}\n{called.err}"
    return called


def undrawn(*args: object) -> Called:
    """Run the command line and require that it succeeds; its report, half the work, is left out."""
    with mock.patch("unswayed.line.report", return_value={"html": Path("report.html")}):
        return done(*args)


def written_profile(folder: Path) -> Any:
    """Return the one profile that a run wrote; it is what `unswayed profile --json` prints."""
    (path,) = folder.glob("profile.*.json")
    return json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)


def profile_of(folder: Path, *args: object) -> Any:
    """Return the profile that `unswayed profile --json` prints."""
    return done("profile", folder, "--json", *args).json


def spawn(*args: object, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """Start the command line as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", "from unswayed.commands import main; main()", *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, **(env or {})},
    )


def process(*args: object, env: dict[str, str] | None = None) -> Called:
    """Run the command line as a process of its own."""
    running = spawn(*args, env=env)
    out, err = running.communicate(timeout=900)
    return Called(running.returncode, out, err)


def n_stored(folder: Path) -> int:
    """Count the stored completions of a run that may be going on."""
    path = folder / "store.sqlite"
    if not path.exists():
        return 0
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)
    try:
        return int(db.execute("select count(*) from completions").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        db.close()


def wait_until(true: Callable[[], bool], *, seconds: float = 150.0) -> None:
    """Wait for something that happens in another process; stops the test when it does not."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "what was waited for did not happen"
        time.sleep(0.001)


@contextmanager
def background(*behaviors: Behavior) -> Iterator[Server]:
    """Run the test server in a thread while the body runs."""
    loop = asyncio.new_event_loop()
    ready, end, servers = threading.Event(), asyncio.Event(), []

    async def stay() -> None:
        async with serve(*behaviors) as server:
            servers.append(server)
            ready.set()
            await end.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(stay(),), daemon=True)
    thread.start()
    assert ready.wait(10), "the test server did not start"
    try:
        yield servers[0]
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(10)
        loop.close()


def cell_of(profile: Any, table: str, **factors: str) -> Any:
    """Return the one cell of a table with these factor levels."""
    found = [
        cell
        for cell in profile["cells"]
        if cell["table"] == table and factors.items() <= cell["factors"].items()
    ]
    assert len(found) == 1, f"{len(found)} cells of {table} with {factors}"
    return found[0]


def cells_of(profile: Any, table: str, **factors: str) -> list[Any]:
    """Return all cells of a table with these factor levels; at least one."""
    found = [
        cell
        for cell in profile["cells"]
        if cell["table"] == table and factors.items() <= cell["factors"].items()
    ]
    assert found, f"no cell of {table} with {factors}"
    return found


def check_error(called: Called, *words: str, next_step: bool = True) -> None:
    """Require one clear error: exit code 2, nothing printed for programs, no traceback."""
    assert called.code == 2, f"code {called.code}\n{called.err}"
    assert called.out == ""
    assert called.err.count("unswayed: ") == 1, called.err
    assert "Traceback" not in called.err
    for word in ("Given:", "Next:") if next_step else ():
        assert word in called.err, called.err
    for word in words:
        assert word in called.err, called.err

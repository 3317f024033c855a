"""Runs that are stopped or killed go on where they were, ask nothing twice and end the same."""

from __future__ import annotations

import importlib.util
import json
import random
import signal
from collections import Counter
from pathlib import Path

import pytest
import servers
from cli import background, call, done, n_stored, process, spawn, wait_until

from unswayed.line import RunFolder

RUN = ("run", "-m", "scripted:planted,knows=.7,yields=.5,corrects=.5,wobble=.1", "--n", 30)
CLIENTS = [
    "aiohttp",
    pytest.param(
        "pyreqwest",
        marks=pytest.mark.skipif(
            importlib.util.find_spec("pyreqwest") is None, reason="the extra `fast` is absent"
        ),
    ),
]


def asking(folder: Path, url: str, client: str, *, concurrency: int = 32) -> tuple[str, ...]:
    """Return a command that asks the server with a client."""
    stated = folder / "endpoint.toml"
    stated.write_text(
        f'base_url = "{url}"\nmodel = "tester"\nkey_env = ""\nclient = "{client}"\n'
        f"concurrency = {concurrency}\n"
    )
    return ("run", "--endpoint", str(stated), "--to", str(folder / "run"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run without any interruption."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    done(*RUN, "--to", folder)
    return folder


def header(path: Path) -> dict:
    """Return the first line of a row file, without times and command."""
    found = json.loads(path.read_bytes().split(b"\n", 1)[0])
    for name in ("started", "finished", "command"):
        found["about"].get("about", {}).pop(name, None)
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_kill_at_a_random_moment_leaves_the_same_run(tmp_path: Path, whole: Path, seed: int):
    """Killed at any moment, the resumed run has the records of an uninterrupted one.

    Answers are the same file and records the same rows, byte for byte; the header differs in the
    times alone. The resumed run asks what was not stored and nothing else.
    """
    folder = tmp_path / "run"
    n_replays = sum(1 for _ in RunFolder(whole).replays())
    moment = random.Random(seed).randrange(1, int(0.8 * n_replays))
    running = spawn(*RUN, "--to", folder)
    wait_until(lambda: n_stored(folder) >= moment or running.poll() is not None)
    running.kill()
    running.communicate()
    stored = n_stored(folder)
    assert stored >= moment
    resumed = done(*RUN, "--to", folder)
    assert f"\n{n_replays - stored:,} requests asked in this session" in resumed.err
    assert (folder / "answers.choice.jsonl").read_bytes() == (
        whole / "answers.choice.jsonl"
    ).read_bytes()
    mine, theirs = folder / "records.choice.jsonl", whole / "records.choice.jsonl"
    assert mine.read_bytes().split(b"\n")[1:] == theirs.read_bytes().split(b"\n")[1:]
    assert header(mine) == header(theirs)


@pytest.mark.parametrize("client", CLIENTS)
def test_interrupt_stops_after_what_is_in_flight_and_resumes(tmp_path: Path, client: str):
    """One Ctrl-C keeps every reply that was paid for, exits 3, and nothing is asked again."""
    folder = tmp_path / "run"
    with background(servers.slow(0.02, servers.reply("Answer: A"))) as server:
        options = (*asking(tmp_path, server.url, client, concurrency=3), "--n", "4")
        running = spawn(*options)
        wait_until(lambda: len(server.received) >= 20)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=240)
        assert running.returncode == 3, err
        assert out == ""
        assert "Traceback" not in err
        assert "interrupted" in err
        n_replays = sum(1 for _ in RunFolder(folder).replays())
        assert len(server.received) == n_stored(folder) < n_replays
        assert not (folder / "report.html").exists()
        assert process(*options).code == 0
        assert len(server.received) == n_stored(folder) == n_replays
    bodies = Counter(received.raw for received in server.received)
    assert max(bodies.values()) <= 2, "control and rerun ask the same text, nothing else does"


@pytest.mark.parametrize("client", CLIENTS)
def test_second_interrupt_stops_at_once_and_keeps_what_is_stored(tmp_path: Path, client: str):
    """A second Ctrl-C does not wait for slow requests, and the run can still go on."""
    folder = tmp_path / "run"
    quick = [servers.reply("Answer: A")] * 10
    with background(*quick, servers.slow(30)) as server:
        options = (*asking(tmp_path, server.url, client), "--n", "2")
        running = spawn(*options)
        wait_until(lambda: len(server.received) >= 12)
        running.send_signal(signal.SIGINT)
        running.stderr.readline()
        wait_until(lambda: "stopping" in running.stderr.readline())
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=20)
        assert running.returncode == 3, err
        assert "Traceback" not in err
        server.behaviors[:] = [servers.reply("Answer: A")]
        stored = n_stored(folder)
        asked = len(server.received)
        assert call(*options).code == 0
        assert len(server.received) - asked == sum(1 for _ in RunFolder(folder).replays()) - stored


def test_failed_replays_are_told_asked_again_and_counted_missing(tmp_path: Path):
    """Requests that fail end the run with code 3; the next run asks those alone."""
    folder = tmp_path / "run"
    good, bad = servers.reply("Answer: A"), servers.status(400, "no")
    with background(*[good] * 30, *[bad] * 3, good) as server:
        options = ("run", "-m", "tester", "--base-url", server.url, "--n", "3", "--to", folder)
        called = call(*options)
        assert called.code == 3, called.err
        assert "3 failed" in called.err
        assert "incomplete" in called.err
        first = done("read", folder, "--json").json
        missing = sum(arm["reasons"].get("machine_error", 0) for arm in first["arms"])
        assert missing >= 3
        asked = len(server.received)
        assert call(*options).code == 0
        assert len(server.received) - asked == missing
        second = done("read", folder, "--json").json
        assert not any("machine_error" in arm["reasons"] for arm in second["arms"])

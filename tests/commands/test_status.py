"""`unswayed status` says how far a run is while another process runs it, and writes nothing."""

from __future__ import annotations

import signal
import sqlite3
import time
from pathlib import Path

import pytest
import servers
from cli import background, call, check_error, done, n_stored, spawn, undrawn, wait_until

from unswayed.commands.view import line_of
from unswayed.line import RunFolder
from unswayed.models.locks import in_use
from unswayed.models.progress import Progress
from unswayed.status import read_status

USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 4,
    "prompt_tokens_details": {"cached_tokens": 75},
}


def options(server: servers.Server, folder: Path) -> tuple[object, ...]:
    """Return the arguments of a small run over HTTP."""
    return ("run", "-m", "tester", "--base-url", server.url, "--n", "4", "--to", folder) + (
        "--price", "10,20", "--concurrency", "3",
    )  # fmt: skip


def test_a_running_run_is_seen_from_outside(tmp_path: Path):
    """Counts, rate, time left, cached share and cost are there while it goes on, and after."""
    folder = tmp_path / "run"
    with background(servers.slow(0.02, servers.reply("Answer: A", usage=USAGE))) as server:
        running = spawn(*options(server, folder))
        wait_until(lambda: n_stored(folder) >= 10)
        seen = done("status", folder, "--json").json
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 3
        running.communicate()
    assert seen["running"]
    assert 10 <= seen["n_done"] < seen["n_planned"]
    assert seen["cached_share"] == 0.75
    assert seen["cost"] == pytest.approx(seen["n_done"] * (100 * 10 + 4 * 20) / 1e6)
    assert (seen["currency"], seen["n_unstated"], seen["failed"]) == ("USD", 0, {})
    assert (seen["n_read"], seen["unread_share"]) == (0, None)
    after = done("status", folder)
    assert "tester: not running" in after.out
    assert "75% of prompt tokens came from the server's cache" in after.out
    assert "goes on where it was" in after.out


def test_the_unread_share_so_far_is_told_before_anything_is_read(tmp_path: Path):
    """Replies are read by the plan's readout as they come; view and status name the share."""
    folder = tmp_path / "run"
    good, odd = servers.reply("Answer: A"), servers.reply("That is a long story.")
    with background(*[good, good, good, odd] * 8, servers.slow(0.02, good)) as server:
        running = spawn(*options(server, folder))
        wait_until(lambda: n_stored(folder) >= 34)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 3
        running.communicate()
    seen = done("status", folder, "--json").json
    assert seen["n_looked"] == seen["n_done"]
    assert seen["unread_so_far"] == pytest.approx(8 / seen["n_looked"])
    assert (seen["n_read"], seen["unread_share"]) == (0, None)
    assert "replies unread so far" in done("status", folder).out


def test_the_view_says_rate_cost_cache_unread_and_time_left():
    """One line has all of it; what is not known is left out."""
    progress = Progress(n_asked=100, n_done=100, n_looked=50, n_unread=10, cost=1.5)
    progress.cached_tokens, progress.prompt_tokens_of_cached = 30, 40
    progress.started = time.monotonic() - 10.0
    told = line_of(progress, 220)
    assert told == "100 of 220 done, 10/s, cost 1.50, 75% cached, 20% unread, about 12 s left"
    assert line_of(Progress(), 400).startswith("0 of 400 done, 0/s")


@pytest.mark.parametrize("n_stating", [0, 6])
def test_a_cost_that_is_not_stated_is_unknown_and_a_part_of_it_is_the_least(
    tmp_path: Path, n_stating: int
):
    """Status and view call neither 0 nor a part the cost, where replies state no tokens."""
    folder = tmp_path / "run"
    stating, silent = (servers.reply("Answer: A", usage=usage) for usage in (USAGE, None))
    with background(*[stating] * n_stating, silent) as server:
        undrawn(*options(server, folder))
    n = n_stored(folder)
    seen, told = done("status", folder, "--json").json, done("status", folder).out
    without = f"({n - n_stating:,} replies without token usage)"
    assert (seen["n_unstated"], seen["currency"]) == (n - n_stating, "USD")
    if n_stating:
        assert seen["cost"] == pytest.approx(n_stating * (100 * 10 + 4 * 20) / 1e6)
        assert f"cost at least 0.01 USD {without}" in told
    else:
        assert seen["cost"] is None
        assert f"cost unknown {without}" in told
    assert "cost 0.0" not in told


def test_the_view_says_that_the_cost_is_unknown_or_a_part():
    """A reply without token usage is counted, and the cost is not left out or taken as whole."""
    assert "cost unknown (1 reply without token usage)" in line_of(Progress(n_unpriced=1), 9)
    part = line_of(Progress(n_unpriced=2, cost=1.5), 9)
    assert "cost at least 1.50 (2 replies without token usage)" in part


def test_the_view_says_the_time_limit_where_that_ends_the_run():
    """It stands beside what all would take; a limit that comes later is no matter."""
    progress = Progress(n_asked=100, n_done=100, max_seconds=310.0)
    progress.started = time.monotonic() - 10.0
    told = line_of(progress, 100_100)
    assert told.endswith("/s, about 5 min left to the time limit, all would take 2 h 47 min")
    assert line_of(progress, 220).endswith("about 12 s left")
    assert line_of(Progress(max_seconds=60.0), 9).endswith("about 1 min left to the time limit")


def test_status_says_the_time_limit_of_a_running_session(tmp_path: Path):
    """From outside it is told while the session runs, and not after."""
    folder = tmp_path / "run"
    with background(servers.slow(0.3, servers.reply("Answer: A"))) as server:
        running = spawn(*options(server, folder), "--max-minutes", "0.2")
        wait_until(lambda: n_stored(folder) >= 3)
        seen = done("status", folder, "--json").json
        told = done("status", folder).out
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 3
        running.communicate()
    assert 0 < seen["seconds_to_limit"] < min(12, seen["seconds_left"] or 12)
    assert "s left to the time limit" in told
    after = done("status", folder, "--json").json
    assert after["seconds_to_limit"] is None
    assert "time limit" not in done("status", folder).out


def test_failures_are_named_and_a_reading_is_told(tmp_path: Path):
    """Failed replays are counted by reason until they succeed; unread ones once they are read."""
    folder = tmp_path / "run"
    good, bad = servers.reply("Answer: A"), servers.status(400, "no")
    with background(*[good] * 30, *[bad] * 3, good) as server:
        assert call(*options(server, folder)).code == 3
        seen = done("status", folder, "--json").json
        assert seen["failed"] == {"bad_request": 3}
        assert not seen["running"]
        assert seen["n_read"] == seen["n_planned"]
        assert 0 < seen["unread_share"] < 1
        assert "3 failed so far: 3 bad_request" in done("status", folder).out
        assert call(*options(server, folder)).code == 0
    assert done("status", folder, "--json").json["failed"] == {}


def test_looking_changes_nothing_and_holds_nobody_up(tmp_path: Path):
    """Files are the same afterwards, and a run can start while somebody looks."""
    folder = tmp_path / "run"
    undrawn("run", "-m", "scripted:always_yields", "--n", 2, "--to", folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done("status", folder)
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {name: data for name, data in after.items() if name in before} == before
    store = RunFolder(folder).open_store(writable=True)
    assert in_use(folder / "store.sqlite")
    assert read_status(RunFolder(folder)).running
    store.close()
    assert not in_use(folder / "store.sqlite")


def test_a_clock_set_back_gives_no_rate(tmp_path: Path):
    """Where the session ends before it began there is no rate and no time left."""
    folder = tmp_path / "run"
    undrawn("run", "-m", "scripted:always_yields", "--n", 2, "--to", folder)
    with sqlite3.connect(folder / "store.sqlite") as db:
        db.execute("update sessions set started = '2031-01-01T00:00:00+00:00', finished = null")
    db.close()
    found = read_status(RunFolder(folder), wall=1_800_000_000.0)
    assert (found.rate, found.seconds_left) == (None, None)
    store = RunFolder(folder).open_store(writable=True)
    found = read_status(RunFolder(folder), wall=1_924_992_010.0)
    store.close()
    assert found.rate == pytest.approx(found.n_done / 10)


def test_a_killed_session_has_no_rate(tmp_path: Path):
    """Nothing says when it ended, so its rate does not fall with the clock: there is none."""
    folder = tmp_path / "run"
    undrawn("run", "-m", "scripted:always_yields", "--n", 2, "--to", folder)
    with sqlite3.connect(folder / "store.sqlite") as db:
        db.execute("update sessions set started = '2026-01-01T00:00:00+00:00', finished = null")
    db.close()
    assert read_status(RunFolder(folder)).rate is None


def test_no_run_and_a_damaged_store_are_clear_errors(tmp_path: Path):
    """Neither is shown as a run that has done nothing."""
    check_error(call("status", tmp_path / "none"), "No run was started")
    folder = tmp_path / "run"
    undrawn("run", "-m", "scripted:always_yields", "--n", 2, "--to", folder)
    (folder / "store.sqlite").write_bytes(b"junk" * 500)
    check_error(call("status", folder), "store.sqlite")


def test_replays_that_wait_for_a_failed_reply_are_told(tmp_path: Path):
    """Asked, done, failed and waiting add up to the plan, at the end of a run and in the status."""
    folder = tmp_path / "run"
    with background(servers.status(400)) as server:
        ended = call(*options(server, folder))
        n_failed = len(server.received)
    n_left = RunFolder(folder).n_replays() - n_failed
    assert ended.code == 3
    assert n_left > 50
    assert f"{n_left:,} could not be asked" in ended.err
    assert f"{n_left:,} not asked yet, or waiting" in done("status", folder).out


def test_a_model_that_answers_under_another_name_is_told(tmp_path: Path):
    """The run says so at its end, and the status afterwards."""
    folder = tmp_path / "run"
    with background(servers.reply("Answer: A", model="another")) as server:
        told = undrawn(*options(server, folder)).err
    n = n_stored(folder)
    assert f"note: {n:,} replies say that the model 'another' answered" in told
    seen = done("status", folder, "--json").json
    assert seen["other_models"] == {"another": n}
    assert f"{n:,} replies say that the model 'another' answered" in done("status", folder).out

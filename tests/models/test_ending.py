"""A run that is told to end: no wait between attempts outlives it, late replies are kept."""

from __future__ import annotations

import asyncio
import importlib.util
import time
from pathlib import Path

import pytest
from servers import KEY, Behavior, in_its_loop, serve, slow, status

from unswayed.items.builtin import builtin_items
from unswayed.models import run as engine
from unswayed.models.http import HTTPModel
from unswayed.models.pool import Pool
from unswayed.models.progress import Limits, Progress
from unswayed.models.run import run_replays
from unswayed.models.store import Store
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling

CLIENTS = [
    "aiohttp",
    pytest.param(
        "pyreqwest",
        marks=pytest.mark.skipif(
            importlib.util.find_spec("pyreqwest") is None, reason="the extra `fast` is absent"
        ),
    ),
]
WAIT = status(429, headers={"Retry-After": "60"})


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give requests in flight a second, and the client its key."""
    monkeypatch.setattr(engine, "GRACE_S", 1.0)
    monkeypatch.setenv("TEST_KEY", KEY)


def ended(
    path: Path, client: str, *behaviors: Behavior, pool: bool = False, ctrl_c: bool = False
) -> tuple[Progress, float, int]:
    """Run for 0.3 s; return the progress, the seconds until it ended, and the stored replies."""
    replays = list(cross(builtin_items(("fact",))[:4], Design(pressures=("assertion",))))
    progress, seconds = Progress(), 0.0

    async def run() -> None:
        nonlocal seconds
        async with serve(*behaviors) as server:
            endpoint = server.endpoint(client=client, timeout_s=20.0)
            model = Pool([endpoint]) if pool else HTTPModel(endpoint)
            limits = Limits(concurrency=4, max_seconds=None if ctrl_c else 0.3)
            if ctrl_c:
                asyncio.get_running_loop().call_later(
                    0.3, setattr, progress, "stopped", "interrupted"
                )
            started = time.monotonic()
            try:
                await asyncio.wait_for(
                    run_replays(
                        replays, model, store, sampling=Sampling(), limits=limits, progress=progress
                    ),
                    8.0,
                )
            finally:
                seconds = time.monotonic() - started
                await model.close()

    store = Store(path / "s.sqlite", "owner")
    try:
        in_its_loop(client, run())
        return progress, seconds, store.n_done()
    finally:
        store.close()


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("ctrl_c", [False, True])
@pytest.mark.parametrize("pool", [False, True])
def test_no_wait_between_attempts_outlives_the_run(
    tmp_path: Path, client: str, ctrl_c: bool, pool: bool
):
    """A server that asks to wait for a minute is not waited for."""
    progress, seconds, n_stored = ended(tmp_path, client, WAIT, pool=pool, ctrl_c=ctrl_c)
    assert seconds < 0.9
    assert progress.stopped == ("interrupted" if ctrl_c else "the time limit was reached")
    assert (progress.n_failed, n_stored) == (0, 0)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_server_that_hangs_is_given_the_grace_alone(tmp_path: Path, client: str):
    """The time limit is named, and what was cut off did not fail."""
    progress, seconds, _ = ended(tmp_path, client, slow(6.0))
    assert 1.0 < seconds < 2.0
    assert (progress.stopped, progress.n_failed) == ("the time limit was reached", 0)


@pytest.mark.parametrize("client", CLIENTS)
def test_replies_that_come_in_the_grace_are_kept(tmp_path: Path, client: str):
    """What a server had when the run was told to end is stored."""
    progress, seconds, n_stored = ended(tmp_path, client, slow(0.8))
    assert progress.stopped == "the time limit was reached"
    assert seconds < 1.3
    assert n_stored == 4

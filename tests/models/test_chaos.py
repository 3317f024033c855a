"""A server that fails one request in five: nothing lost, nothing doubled, no reply misplaced."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from chaos import FAULTS, Chaos, digest_of
from servers import QuickClock, in_its_loop

from unswayed.items.builtin import builtin_items
from unswayed.models.endpoint import Endpoint
from unswayed.models.http import HTTPModel
from unswayed.models.protocol import Price, Request, cost_of
from unswayed.models.run import Limits, Progress, run_replays
from unswayed.models.store import Store
from unswayed.models.wire import chat_body
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.plans.plan import Replay
from unswayed.plans.sampling import Sampling

SAMPLING = Sampling(seed=1, max_tokens=16)
PRICE = Price(prompt_per_million=1000.0, completion_per_million=1000.0)
REASONS = {
    "context_full", "connection", "timeout", "rate_limit", "server_error", "garbled", "empty",
    "wrong_content_type",
}  # fmt: skip
CLIENTS = [
    "aiohttp",
    pytest.param(
        "pyreqwest",
        marks=pytest.mark.skipif(
            importlib.util.find_spec("pyreqwest") is None, reason="the extra `fast` is absent"
        ),
    ),
]


def plan_of(count: int) -> list[Replay]:
    """Return about so many replays, whose requests all differ."""
    items = builtin_items(("fact", "science"))[: min(96, count // 21 + 1)]
    design = Design(
        listed=True, controls=("deleted", "rerun"), draws=max(1, count // 2000), sampling=SAMPLING
    )
    return list(cross(items, design))


def session(
    store: Store, replays: list[Replay], chaos: Chaos, client: str, max_cost: float | None = None
) -> Progress:
    """Run a session against the server, inside a loop of its own."""

    async def run() -> Progress:
        async with chaos:
            endpoint = Endpoint(
                base_url=chaos.url,
                model="tester",
                key_env="",
                timeout_s=0.6,
                concurrency=64,
                client=client,
                max_attempts=4,
            )
            model = HTTPModel(endpoint, clock=QuickClock())
            try:
                return await run_replays(
                    replays,
                    model,
                    store,
                    sampling=SAMPLING,
                    limits=Limits(concurrency=64, max_cost=max_cost, price=PRICE),
                    progress=Progress(),
                )
            finally:
                await model.close()

    return in_its_loop(client, run())


def check_store(store: Store, replays: list[Replay], progress: Progress, chaos: Chaos) -> None:
    """Hold what is stored against what the server was asked."""
    stored, failures = dict(store.completions()), store.failures()
    assert progress.n_planned == len(replays)
    assert len(stored) == progress.n_done
    assert len(stored) + len(failures) + progress.n_waiting == len(replays)
    assert {(failure.error or "").partition(":")[0] for failure in failures.values()} <= REASONS
    bodies = {}
    endpoint = Endpoint(base_url="http://x/v1", model="tester")
    for replay in replays:
        if replay.id not in stored:
            continue
        replies = {name: stored[name].text for name in replay.transcript.pending()}
        request = Request(
            id=replay.id,
            transcript=replay.transcript.fill(replies),
            sampling=SAMPLING.in_stream(replay.stream),
            draw=replay.draw,
        )
        bodies[replay.id] = digest_of(chat_body(request, endpoint))
    misplaced = [
        name for name, digest in bodies.items() if stored[name].text != f"Answer: {digest}"
    ]
    assert not misplaced
    assert len(set(bodies.values())) == len(bodies)
    again = sum(chaos.good.values()) - len(chaos.good)
    assert again <= len(chaos.good) / 200, "what was answered in time is never asked again"


def test_one_fault_in_five_loses_and_doubles_nothing(tmp_path: Path):
    """Two thousand replays: every one is stored once, or failed with a reason, or waits for one."""
    hold_out(tmp_path, 2000, "aiohttp", sessions=2)


@pytest.mark.parametrize("client", CLIENTS[1:])
def test_the_fast_client_loses_and_doubles_nothing(tmp_path: Path, client: str):
    """The same with the other client, on fewer replays."""
    hold_out(tmp_path, 600, client, sessions=2)


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("client", CLIENTS)
def test_fifty_thousand_replays_with_one_fault_in_five(tmp_path: Path, client: str):
    """The same at the size of a study."""
    hold_out(tmp_path, 50_000, client, sessions=4)


def hold_out(tmp_path: Path, count: int, client: str, *, sessions: int) -> None:
    """Run a plan, then what is left of it, against the failing server."""
    replays = plan_of(count)
    assert len(replays) >= 0.9 * count
    store = Store(tmp_path / "s.sqlite", "owner")
    chaos = Chaos(share=0.2, seed=3)
    progress = session(store, replays, chaos, client)
    assert set(FAULTS) <= set(chaos.faults)
    assert chaos.faults["duplicate"]
    assert progress.n_done > 0.8 * len(replays)
    check_store(store, replays, progress, chaos)
    for _ in range(sessions - 1):
        progress = session(store, replays, chaos, client)
        check_store(store, replays, progress, chaos)
    left = {(failure.error or "").partition(":")[0] for failure in store.failures().values()}
    assert "context_full" in left
    served = {completion.served_by for _, completion in store.completions()}
    assert served == {"tester", "another"}
    store.close()


def test_a_budget_is_kept_while_requests_fail(tmp_path: Path):
    """Each session stays within what may be spent in all, and the run goes on where it was."""
    replays = plan_of(2000)
    store = Store(tmp_path / "s.sqlite", "owner")
    chaos = Chaos(share=0.2, seed=5)
    each = 0.014
    for limit in (2.0, 7.0):
        progress = session(store, replays, chaos, "aiohttp", max_cost=limit)
        assert progress.stopped == "the cost limit was reached"
        paid = sum(cost_of(completion, PRICE) or 0.0 for _, completion in store.completions())
        assert progress.cost == pytest.approx(paid)
        assert limit - 64 * each <= paid <= limit
        assert sum(chaos.good.values()) - len(chaos.good) <= 10
    store.close()

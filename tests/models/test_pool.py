"""One model behind several servers: weights, items that stay together, passing failures."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from cli import background, done
from msgspec.structs import replace
from servers import QuickClock, Server, reply, serve, status

from unswayed.errors import ModelError, UsageError
from unswayed.models.endpoint import Endpoint, read_endpoints
from unswayed.models.http import HTTPModel
from unswayed.models.opening import Reach, open_model
from unswayed.models.pool import REST_S, Pool
from unswayed.models.protocol import Request
from unswayed.transcript import Part, Transcript

HELLO = Transcript(()).then("user", Part("Capital of France?", "question"))


def ask(number: int, item: str) -> Request:
    """Return a request about an item."""
    return Request(id=f"{number:032x}", transcript=HELLO, item_id=item)


def answered(servers: list[list], weights: list[float], requests: list[Request]):
    """Ask a pool of test servers; return the completions and the servers."""

    async def run():
        async with AsyncExitStack() as stack:
            running = [await stack.enter_async_context(serve(*each)) for each in servers]
            pool = Pool(
                [
                    server.endpoint(weight=weight, key_env="", max_attempts=1)
                    for server, weight in zip(running, weights, strict=True)
                ]
            )
            try:
                found = [(await pool.complete([request]))[0] for request in requests]
            finally:
                await pool.close()
            return found, running

    return asyncio.run(run())


def test_items_stay_together_and_weights_are_kept():
    """All replays of an item reach one server; three quarters of the items the heavier one."""
    requests = [ask(10 * item + turn, f"item-{item}") for item in range(120) for turn in range(2)]
    _, servers = answered([[reply()], [reply()]], [3.0, 1.0], requests)
    counts = [len(server.received) for server in servers]
    assert sum(counts) == 240
    assert 0.62 < counts[0] / 240 < 0.88
    assert all(count % 2 == 0 for count in counts)


def test_a_passing_failure_is_asked_elsewhere_and_counted():
    """The other server answers, and both requests are in the count; a refusal stays a refusal."""
    found, servers = answered([[status(500)], [reply("Rome")]], [1e9, 1e-9], [ask(1, "a")])
    assert (found[0].text, found[0].attempts) == ("Rome", 2)
    found, servers = answered([[status(400)], [reply("Rome")]], [1e9, 1e-9], [ask(1, "a")])
    assert found[0].error is not None
    assert [len(server.received) for server in servers] == [1, 0]


def nowhere(port: int) -> Endpoint:
    """Return an endpoint at which no server listens."""
    return Endpoint(base_url=f"http://127.0.0.1:{port}/v1", model="m", key_env="", max_attempts=1)


def test_a_server_that_is_not_there_is_asked_once_and_then_last():
    """Another server answers for it, and later requests do not wait for it."""

    async def run():
        async with serve(reply("Rome")) as server:
            there = server.endpoint(key_env="", weight=1e-9, max_attempts=1)
            absent = replace(nowhere(9), model=there.model, weight=1e9)
            pool = Pool([absent, there])
            try:
                return [(await pool.complete([ask(n, f"item-{n}")]))[0] for n in range(3)]
            finally:
                await pool.close()

    found = asyncio.run(run())
    assert [(each.text, each.attempts) for each in found] == [("Rome", 2), ("Rome", 1), ("Rome", 1)]


@pytest.mark.parametrize("start", [[status(503)], [reply("Oslo"), status(503), status(503)]])
def test_a_server_that_comes_back_is_asked_again(start: list):
    """Down at the start or later, it is asked last for a while, tried once, then first again."""

    async def run():
        clock = QuickClock()
        async with serve(*start, reply("Oslo")) as heavy, serve(reply("Rome")) as light:
            pool = Pool(
                [
                    heavy.endpoint(key_env="", weight=1e9, max_attempts=1),
                    light.endpoint(key_env="", weight=1e-9, max_attempts=1),
                ],
                clock=clock,
            )
            try:
                texts = []
                for number in range(14):
                    if number % 4 == 3:
                        clock.time += REST_S
                    texts.append((await pool.complete([ask(number, "a")]))[0].text)
                return texts
            finally:
                await pool.close()

    texts = asyncio.run(run())
    assert texts[2] == "Rome"
    assert texts[-6:] == ["Oslo"] * 6


def test_a_server_that_stays_away_is_tried_by_one_request_at_a_time():
    """Whoever comes while it is tried does not wait for it."""

    async def run():
        clock = QuickClock()
        async with serve(status(503)) as heavy, serve(reply("Rome")) as light:
            endpoints = [
                heavy.endpoint(key_env="", weight=1e9, max_attempts=1),
                light.endpoint(key_env="", weight=1e-9, max_attempts=1),
            ]
            pool = Pool(endpoints, clock=clock)
            try:
                for _ in range(3):
                    await asyncio.gather(*(pool.complete([ask(n, "a")]) for n in range(5)))
                    clock.time += REST_S + 1
            finally:
                await pool.close()
            return len(heavy.received), len(light.received)

    first, light = asyncio.run(run())
    assert first == 5 + 1 + 1
    assert light == 15


def test_servers_none_of_which_is_there_end_the_run():
    """Nothing was ever reached: an error with both addresses, and no row of failures."""

    async def run():
        pool = Pool([nowhere(9), nowhere(10)])
        try:
            await pool.complete([ask(1, "a")])
        finally:
            await pool.close()

    with pytest.raises(ModelError, match=r"No server answers at .*:10/v1, .*:9/v1"):
        asyncio.run(run())


def test_endpoints_that_give_other_replies_are_refused():
    """Another model or another setting is another identity, never one of the same pool."""
    here = Endpoint(base_url="http://a/v1", model="m")
    for other in (
        Endpoint(base_url="http://b/v1", model="n"),
        Endpoint(base_url="http://b/v1", model="m", system_role="fold"),
        Endpoint(base_url="http://b/v1", model="m", extra_body={"x": 1}),
    ):
        with pytest.raises(UsageError, match="differ"):
            Pool([here, other])
    there = Endpoint(base_url="http://b/v1", model="m", weight=2.0, concurrency=8)
    pool = Pool([there, here])
    assert pool.identity.endpoint == "http://a/v1, http://b/v1"
    assert pool.identity == Pool([here, there]).identity
    assert pool.concurrency == 40


def test_a_file_lists_one_endpoint_or_several(tmp_path: Path):
    """Several make a pool under the name that was asked; a wrong entry is named."""
    path = tmp_path / "endpoints.toml"
    entry = '[[endpoints]]\nbase_url = "http://{}/v1"\nmodel = "m"\nkey_env = ""\n'
    path.write_text(entry.format("a") + "weight = 2\n" + entry.format("b"), encoding="utf-8")
    assert [each.weight for each in read_endpoints(path)] == [2.0, 1.0]
    assert isinstance(open_model("m", [], reach=Reach(endpoint=path)), Pool)
    path.write_text(entry.format("a"), encoding="utf-8")
    assert isinstance(open_model("m", [], reach=Reach(endpoint=path)), HTTPModel)
    for wrong in ("endpoints = []\n", entry.format("a") + "weight = 0\n", "endpoints = 3\n"):
        path.write_text(wrong, encoding="utf-8")
        with pytest.raises(UsageError):
            read_endpoints(path)


def test_a_run_over_two_servers(tmp_path: Path):
    """Every replay is asked once at one of them, and the run resumes in the same folder."""
    path, folder = tmp_path / "endpoints.toml", tmp_path / "run"
    with background(reply("Answer: A")) as one, background(reply("Answer: A")) as two:
        entries = [
            f'[[endpoints]]\nbase_url = "{server.url}"\nmodel = "m"\nkey_env = ""\n'
            for server in (one, two)
        ]
        path.write_text("\n".join(entries), encoding="utf-8")
        options = ("run", "--endpoint", path, "--n", 8, "--to", folder)
        done(*options)
        asked = [len(server.received) for server in (one, two)]
        assert min(asked) > 0
        assert sum(asked) == done("status", folder, "--json").json["n_planned"]
        done(*options)
        assert [len(server.received) for server in (one, two)] == asked
        shared: list[Counter[str]] = [firsts(server) for server in (one, two)]
        assert not shared[0].keys() & shared[1].keys()


def firsts(server: Server) -> Counter[str]:
    """Return the questions that a server was asked, by their first user text."""
    return Counter(
        next(m["content"] for m in received.body["messages"] if m["role"] == "user")[:80]
        for received in server.received
    )

"""A server that sends replies twice, late: none answers another request, with either client."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from chaos import digest_of, packed
from servers import QuickClock, chat, in_its_loop

from unswayed.models.endpoint import Endpoint
from unswayed.models.http import HTTPModel
from unswayed.models.protocol import Request
from unswayed.models.seam import Reply
from unswayed.models.surplus import MOST_REMEMBERED, Guarded, SurplusError
from unswayed.plans.sampling import Sampling
from unswayed.transcript import Part, Transcript

CLIENTS = [
    "aiohttp",
    pytest.param(
        "pyreqwest",
        marks=pytest.mark.skipif(
            importlib.util.find_spec("pyreqwest") is None, reason="the extra `fast` is absent"
        ),
    ),
]
WORK_S = 0.004
"""Seconds that the server takes for a reply."""


class Twice:
    """A server whose every reply comes again so many seconds after the next request is there."""

    def __init__(self, pause: float | None, name: Callable[[str], str]) -> None:
        self.pause, self.name = pause, name
        self.n_received = 0
        self.n_connections = 0

    @asynccontextmanager
    async def running(self):
        """Serve on a free port, and yield the address."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.n_connections += 1
        copy = b""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                size = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                digest = digest_of(await reader.readexactly(size))
                self.n_received += 1
                if copy and self.pause is not None:
                    await asyncio.sleep(self.pause)
                    writer.write(copy)
                await asyncio.sleep(WORK_S)
                copy = packed(json.dumps(chat(f"Answer: {digest}", id=self.name(digest))).encode())
                writer.write(copy)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()


def request(number: int) -> Request:
    """Return one of many requests that differ."""
    transcript = Transcript(()).then("user", Part(f"Question {number}?", "question"))
    return Request(id=f"{number:032x}", transcript=transcript, sampling=Sampling(max_tokens=9))


def ask_all(client: str, server: Twice, n: int, at_once: int) -> tuple[list[str], list[int], bool]:
    """Ask so many requests; return texts, attempts, and whether each had its own connection."""

    async def run():
        async with server.running() as url:
            endpoint = Endpoint(base_url=url, model="tester", key_env="", client=client)
            model = HTTPModel(endpoint, clock=QuickClock())
            places = asyncio.Semaphore(at_once)

            async def one(number: int):
                async with places:
                    return (await model.complete([request(number)]))[0]

            found = await asyncio.gather(*map(one, range(n)))
            surplus = model.surplus
            await model.close()
            return [each.text for each in found], [each.attempts for each in found], surplus

    return in_its_loop(client, run())


def expected(n: int) -> list[str]:
    """Return the replies that the requests should have."""
    from unswayed.models.wire import chat_body

    endpoint = Endpoint(base_url="http://x/v1", model="tester")
    return [f"Answer: {digest_of(chat_body(request(number), endpoint))}" for number in range(n)]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("pause", [0, 0.002])
@pytest.mark.parametrize("at_once", [1, 8])
def test_a_late_copy_answers_nobody(client: str, pause: float, at_once: int):
    """Each request has the reply to itself, after one more attempt for those that were out."""
    server = Twice(pause, lambda digest: f"chatcmpl-{digest}")
    texts, attempts, surplus = ask_all(client, server, 60, at_once)
    assert texts == expected(60)
    assert surplus
    assert 1 <= sum(attempts) - 60 <= at_once
    assert max(attempts) == 2
    assert server.n_received == sum(attempts)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_server_that_sends_once_keeps_its_connections(client: str):
    """Nothing is asked again and nothing is opened anew."""
    server = Twice(None, lambda digest: f"chatcmpl-{digest}")
    texts, attempts, surplus = ask_all(client, server, 40, 4)
    assert texts == expected(40)
    assert not surplus
    assert sum(attempts) == server.n_received == 40
    assert server.n_connections <= 8


@pytest.mark.parametrize("name", ["chatcmpl-the-same-for-all", "c-1", ""])
def test_an_id_that_names_nothing_is_no_sign(name: str):
    """A server with one id for all replies is asked each thing once, over kept connections."""
    server = Twice(None, lambda _: name)
    texts, attempts, surplus = ask_all("aiohttp", server, 40, 4)
    assert texts == expected(40)
    assert not surplus
    assert sum(attempts) == server.n_received == 40


class Canned:
    """A client that answers with what it is given."""

    def __init__(self, answer: Callable[[bytes], Awaitable[Reply]]) -> None:
        self.answer = answer

    async def post(self, url: str, body: bytes) -> Reply:
        """Answer."""
        return await self.answer(body)

    async def close(self) -> None:
        """Nothing is open."""


def reply(name: str) -> Reply:
    """Return a reply with an id."""
    return Reply(200, {}, json.dumps({"id": name, "choices": []}).encode())


def test_replies_that_are_alike_on_connections_of_their_own_are_taken():
    """A server that has one reply for everything costs one more request, and no more."""
    opened: list[bool] = []

    async def same(_: bytes) -> Reply:
        return reply("always-the-same")

    def open_client(kept: bool) -> Canned:
        opened.append(kept)
        return Canned(same)

    async def run() -> int:
        guarded, n_again = Guarded(open_client), 0
        for number in range(20):
            try:
                await guarded.post("", b"%d" % number)
            except SurplusError:
                n_again += 1
                await guarded.post("", b"%d" % number)
        assert not guarded.one_each
        return n_again

    assert asyncio.run(run()) == 1
    assert opened == [True, False, True]


def test_the_same_reply_to_the_same_request_is_a_cache():
    """A gateway that answers from its cache gives it byte for byte again."""

    async def cached(body: bytes) -> Reply:
        return reply(f"chatcmpl-{body.decode()}")

    async def run() -> None:
        guarded = Guarded(lambda _: Canned(cached))
        for number in [1, 2, 1, 1, 2]:
            await guarded.post("", b"%d" % number)
        assert not guarded.one_each

    asyncio.run(run())


def test_what_was_sent_before_the_copy_was_noticed_is_sent_again():
    """Its reply may be that to the request before, which nobody has had yet."""
    gate = asyncio.Event()

    async def answer(body: bytes) -> Reply:
        if body == b"slow":
            await gate.wait()
        return reply("chatcmpl-of-one" if body != b"slow" else "chatcmpl-of-two")

    async def run() -> None:
        guarded = Guarded(lambda _: Canned(answer))
        await guarded.post("", b"one")
        slow = asyncio.create_task(guarded.post("", b"slow"))
        await asyncio.sleep(0)
        with pytest.raises(SurplusError):
            await guarded.post("", b"two")
        gate.set()
        with pytest.raises(SurplusError):
            await slow

    asyncio.run(run())


def test_what_is_remembered_is_bounded():
    """A long run holds the ids of some thousands of replies and not of all."""

    async def named(body: bytes) -> Reply:
        return reply(f"chatcmpl-{body.decode()}")

    async def run() -> None:
        guarded = Guarded(lambda _: Canned(named))
        for number in range(3 * MOST_REMEMBERED):
            await guarded.post("", b"%d" % number)
        assert len(guarded._recent) + len(guarded._before) <= 2 * MOST_REMEMBERED

    asyncio.run(run())

"""A chat server inside the test, on a free port of this machine, with scripted faults.

    async with serve(status(500), reply("Paris")) as server:
        model = HTTPModel(server.endpoint(), clock=QuickClock())

Each request takes the next behavior; when they are used up the last one answers for good. Without
any, every request is answered with `Paris`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, TypeVar

from aiohttp import web

from unswayed.models.endpoint import Endpoint
from unswayed.models.limits import Clock
from unswayed.models.loop import loop_for

Result = TypeVar("Result")
Behavior = Callable[[web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]
KEY = "sk-test-0123456789abcdefXYZ"
"""The key that tests send and then look for."""


class QuickClock(Clock):
    """A clock whose sleeps take no time and are written down."""

    def __init__(self, wall: float = 1_700_000_000.0) -> None:
        self.time = 0.0
        self.start = wall
        self.slept: list[float] = []

    def now(self) -> float:
        """Return the time that has been slept."""
        return self.time

    def wall(self) -> float:
        """Return seconds since 1970 on this clock."""
        return self.start + self.time

    async def sleep(self, seconds: float) -> None:
        """Go forward without waiting."""
        self.slept.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


@dataclass
class Received:
    """One request as the server saw it."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        """The decoded JSON body."""
        return json.loads(self.raw)


@dataclass
class Server:
    """A running test server."""

    behaviors: list[Behavior]
    received: list[Received] = field(default_factory=list)
    url: str = ""
    in_flight: int = 0
    most_in_flight: int = 0

    def endpoint(self, **changes: Any) -> Endpoint:
        """Return an endpoint that points here."""
        settings = {
            "base_url": self.url,
            "model": "tester",
            "key_env": "TEST_KEY",
            "timeout_s": 5.0,
        }
        return Endpoint(**{**settings, **changes})

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer with the next behavior."""
        raw = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.received.append(Received(request.path_qs, headers, raw))
        behavior = self.behaviors.pop(0) if len(self.behaviors) > 1 else self.behaviors[0]
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await behavior(request, json.loads(raw))
        finally:
            self.in_flight -= 1


@asynccontextmanager
async def serve(*behaviors: Behavior) -> AsyncIterator[Server]:
    """Run a server while the body runs."""
    server = Server(list(behaviors) or [reply()])
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/{tail:.*}", server.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        yield server
    finally:
        await runner.cleanup()


def chat(text: str | None = "Paris", /, **changes: Any) -> dict[str, Any]:
    """Return a good reply; `message` and `choice` add to those parts, the rest to the top."""
    message = {"role": "assistant", "content": text, **changes.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": "stop", **changes.pop("choice", {})}
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    whole = {
        "id": "c-1",
        "object": "chat.completion",
        "model": "tester",
        "choices": [choice],
        "usage": usage,
    }
    return {**whole, **changes}


def reply(
    text: str | None = "Paris", /, headers: dict[str, str] | None = None, **changes: Any
) -> Behavior:
    """Answer well."""
    return raw(json.dumps(chat(text, **changes)).encode(), headers=headers)


def raw(
    body: bytes,
    status: int = 200,
    headers: dict[str, str] | None = None,
    content_type: str = "application/json",
) -> Behavior:
    """Answer with these bytes."""

    async def behave(request: web.Request, asked: dict[str, Any]) -> web.Response:
        return web.Response(
            body=body, status=status, headers={"Content-Type": content_type, **(headers or {})}
        )

    return behave


def status(
    number: int, message: str = "no", /, headers: dict[str, str] | None = None, **error: Any
) -> Behavior:
    """Refuse with a status and an error body."""
    body = json.dumps({"error": {"message": message, **error}}).encode()
    return raw(body, number, headers)


def slow(seconds: float, then: Behavior | None = None) -> Behavior:
    """Wait before answering."""

    async def behave(request: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
        await asyncio.sleep(seconds)
        return await (then or reply())(request, asked)

    return behave


def reset() -> Behavior:
    """Announce a body, send half of it and drop the connection."""

    async def behave(request: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
        body = json.dumps(chat()).encode()
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        response.content_length = len(body)
        await response.prepare(request)
        await response.write(body[: len(body) // 2])
        assert request.transport is not None
        request.transport.abort()
        return response

    return behave


def drip(seconds: float, count: int = 200) -> Behavior:
    """Send one byte at a time for as long as the client stays."""

    async def behave(request: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        for _ in range(count):
            await response.write(b" ")
            await asyncio.sleep(seconds)
        return response

    return behave


def huge(size: int, sent: list[int], *, announced: bool = True) -> Behavior:
    """Send a body of this many bytes and write down what could be sent."""

    async def behave(request: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        if announced:
            response.content_length = size
        await response.prepare(request)
        block = b" " * 1_048_576
        try:
            for _ in range(size // len(block) + 1):
                await response.write(block)
                sent.append(len(block))
        except ConnectionError:
            pass
        return response

    return behave


def answering(answer: Callable[[dict[str, Any]], dict[str, Any] | Behavior]) -> Behavior:
    """Answer by what was asked: a reply's JSON, or another behavior."""

    async def behave(request: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
        found = answer(asked)
        if isinstance(found, dict):
            found = raw(json.dumps(found).encode())
        return await found(request, asked)

    return behave


def in_its_loop(client: str, work: Coroutine[Any, Any, Result]) -> Result:
    """Do work in the event loop in which a run asks with a client."""
    model = SimpleNamespace(fast=client == "pyreqwest")
    with asyncio.Runner(loop_factory=loop_for(model)) as runner:
        return runner.run(work)

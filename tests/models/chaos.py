"""A server on which every fifth request goes wrong, in every way that servers go wrong.

    async with Chaos(share=0.2, seed=1) as chaos:
        model = HTTPModel(Endpoint(base_url=chaos.url, ...))

A good reply holds the digest of the request that it answers, so that a reply which lands on another
request is found. A request that is too long is refused every time; other faults pass.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections import Counter

from servers import chat

FAULTS = (
    "reset",
    "hang_up",
    "timeout",
    "429_with_wait",
    "429_without",
    "500",
    "503",
    "truncated",
    "garbled",
    "no_choices",
    "wrong_type",
    "drip",
    "cut_body",
)
"""Faults that another try mends."""
TOO_LONG = 100
"""One request in so many is always too long for the context."""


def digest_of(body: bytes) -> str:
    """Return the digest of a request, over its messages, options and seed."""
    return hashlib.sha256(body).hexdigest()[:16]


class Chaos:
    """The server.

    Args:
        share: How many requests go wrong.
        seed: Seed of the faults.
    """

    def __init__(self, *, share: float, seed: int) -> None:
        self.share = share
        self.random = random.Random(seed)
        self.good: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.others = 0
        self.url = ""

    async def __aenter__(self) -> Chaos:
        """Start on a free port."""
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=2048)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *error: object) -> None:
        """Stop."""
        self.server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                lower = head.lower()
                start = lower.index(b"content-length:") + 15
                size = int(lower[start:].split(b"\r\n", 1)[0])
                if not await self._answer(await reader.readexactly(size), writer):
                    break
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, body: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection is kept."""
        digest = digest_of(body)
        if int(digest, 16) % TOO_LONG == 0:
            self.faults["context"] += 1
            message = "This model's maximum context length is 8 tokens"
            writer.write(packed(json.dumps({"error": {"message": message}}).encode(), 400))
            return True
        if self.random.random() < self.share:
            fault = self.random.choice(FAULTS)
            self.faults[fault] += 1
            return await self._fail(fault, digest, writer)
        self.good[digest] += 1
        copies = 1
        if self.random.random() < self.share / 10:
            # The same reply again, when nobody waits for one.
            self.faults["duplicate"] += 1
            copies = 2
        writer.write(self._good(digest) * copies)
        return True

    def _good(self, digest: str) -> bytes:
        name = "tester"
        if self.random.random() < self.share / 10:
            name, self.others = "another", self.others + 1
        return packed(json.dumps(chat(f"Answer: {digest}", model=name)).encode())

    async def _fail(self, fault: str, digest: str, writer: asyncio.StreamWriter) -> bool:
        whole = json.dumps(chat(f"Answer: {digest}")).encode()
        bodies = {
            "429_with_wait": packed(b'{"error":"slow down"}', 429, "Retry-After: 1\r\n"),
            "429_without": packed(b'{"error":"slow down"}', 429),
            "500": packed(b"oops", 500),
            "503": packed(b"", 503),
            "truncated": packed(whole[: len(whole) // 2]),
            "garbled": packed(whole.replace(b'"', b"\x00")),
            "no_choices": packed(json.dumps(chat(choices=[])).encode()),
            "wrong_type": packed(b"<html>gateway</html>", kind="text/html"),
        }
        if fault in bodies:
            writer.write(bodies[fault])
            return True
        if fault == "reset":
            writer.transport.abort()
        elif fault == "timeout":
            await asyncio.sleep(2.0)
        elif fault == "cut_body":
            writer.write(packed(whole)[:-9])
        elif fault == "drip":
            for start in range(0, len(whole), 20):
                writer.write(packed(whole)[start : start + 20])
                await asyncio.sleep(0.1)
        return False


def packed(
    body: bytes, status: int = 200, headers: str = "", kind: str = "application/json"
) -> bytes:
    """Return a whole HTTP reply."""
    head = (
        f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{headers}"
    )
    return head.encode() + b"\r\n" + body

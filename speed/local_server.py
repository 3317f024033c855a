"""A server without latency: every chat request gets the same reply, at once.

    python speed/local_server.py            prints its port, serves until its input is closed

One process, raw asyncio, kept connections. It reads nothing but the length of a request, so that
what is measured beside it is the client.
"""

from __future__ import annotations

import asyncio
import json
import sys

REPLY = {
    "id": "c-1",
    "object": "chat.completion",
    "created": 1,
    "model": "local",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Answer: A"},
            "finish_reason": "stop",
            "logprobs": None,
        }
    ],
    "usage": {
        "prompt_tokens": 100,
        "completion_tokens": 4,
        "total_tokens": 104,
        "prompt_tokens_details": {"cached_tokens": 64},
    },
}
"""What every request is answered with."""

_BODY = json.dumps(REPLY).encode()
ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(_BODY)
) + _BODY
_LENGTH = b"content-length:"


class Connection(asyncio.Protocol):
    """One kept connection."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer every request that has arrived whole."""
        self.received += data
        while (size := whole(self.received)) is not None:
            self.received = self.received[size:]
            assert self.transport is not None
            self.transport.write(ANSWER)


def whole(received: bytes) -> int | None:
    """Return the length of the first request; None when some of it is still to come."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = received[:end].lower()
    start = head.find(_LENGTH)
    length = 0
    if start >= 0:
        length = int(head[start + len(_LENGTH) :].split(b"\r\n", 1)[0])
    size = end + 4 + length
    return size if len(received) >= size else None


async def main() -> None:
    """Serve until standard input is closed."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())

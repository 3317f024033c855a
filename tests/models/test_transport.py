"""Both HTTP clients behind the one seam: bounded bodies, faults by kind, no reply misplaced."""

from __future__ import annotations

import asyncio
import builtins
import importlib.util
from unittest import mock

import pytest
from chaos import packed
from servers import huge, in_its_loop, raw, reset, serve, slow, status

from unswayed.errors import MissingModelError
from unswayed.models.seam import Reply
from unswayed.models.transport import open_transport

CLIENTS = [
    "aiohttp",
    pytest.param(
        "pyreqwest",
        marks=pytest.mark.skipif(
            importlib.util.find_spec("pyreqwest") is None, reason="the extra `fast` is absent"
        ),
    ),
]


def post(client: str, *behaviors, times: int = 1, timeout_s: float = 5.0) -> list[Reply]:
    """Send requests one after the other; return the replies."""

    async def run():
        async with serve(*behaviors) as server:
            transport = open_transport(client, {"Authorization": "Bearer x"}, timeout_s)
            try:
                return [await transport.post(server.url, b'"x"') for _ in range(times)]
            finally:
                await transport.close()

    return in_its_loop(client, run())


@pytest.mark.parametrize("client", CLIENTS)
def test_a_reply_has_status_lower_case_headers_and_its_body(client: str):
    """Whatever the status; a redirect is a reply and is not followed."""
    (found,) = post(client, raw(b'{"a":1}', 418, {"X-Odd": "Y"}))
    assert (found.status, found.body, found.headers["x-odd"]) == (418, b'{"a":1}', "Y")
    (found,) = post(client, status(307, headers={"Location": "/elsewhere"}))
    assert found.status == 307


@pytest.mark.parametrize("client", CLIENTS)
def test_faults_have_their_kind(client: str):
    """A late reply is a time-out, a broken one a broken connection."""
    with pytest.raises(TimeoutError):
        post(client, slow(3.0), timeout_s=0.2)
    with pytest.raises(ConnectionError):
        post(client, reset())
    with pytest.raises(ConnectionError):
        post(client, raw(b"not gzip", headers={"Content-Encoding": "gzip"}))


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("announced", [True, False])
def test_a_huge_body_is_left(client: str, announced: bool):
    """It is not kept, whether or not its size was announced."""
    sent: list[int] = []
    (found,) = post(client, huge(50 * 2**20, sent, announced=announced))
    assert found.body is None


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("pause", [0.0, 0.03])
def test_a_second_copy_of_a_reply_answers_nobody(client: str, pause: float):
    """It arrives at once or later, while the connection rests; the next request has its own."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            size = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            body = await reader.readexactly(size)
            writer.write(packed(body))
            if pause:
                await asyncio.sleep(pause)
            writer.write(packed(body))

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await echo(reader, writer)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()

    async def run() -> list[bytes | None]:
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        transport = open_transport(client, {}, 5.0)
        found = []
        for number in range(4):
            found.append((await transport.post(url, b'"%d"' % number)).body)
            await asyncio.sleep(4 * pause)
        await transport.close()
        server.close()
        return found

    assert asyncio.run(run()) == [b'"0"', b'"1"', b'"2"', b'"3"']


def test_an_absent_client_is_named():
    """The error says what to install, or what to leave out."""
    real = builtins.__import__

    def refuse(name: str, *args, **more):
        if name.startswith("pyreqwest"):
            raise ImportError(name)
        return real(name, *args, **more)

    with (
        mock.patch.object(builtins, "__import__", refuse),
        pytest.raises(MissingModelError, match="unswayed\\[fast\\]"),
    ):
        open_transport("pyreqwest", {}, 5.0)

"""Two well-kept HTTP clients, which fit behind the seam of one POST and one bounded reply.

`aiohttp` is the usual one; `pyreqwest` (the extra `fast`) takes about half the processor time.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from typing import Any

import aiohttp
from aiohttp.connector import Connection
from yarl import URL

from unswayed.errors import MissingModelError
from unswayed.models.endpoint import ClientName
from unswayed.models.replies import LARGEST_BODY
from unswayed.models.seam import Reply
from unswayed.models.surplus import Guarded

SHORT_BODY = 65_536
"""A body whose stated length is below this is read at once."""


def open_transport(client: ClientName, headers: Mapping[str, str], timeout_s: float) -> Guarded:
    """Open a client inside the running event loop, on the watch for replies that come twice.

    Args:
        client: Which one.
        headers: Sent with every request.
        timeout_s: Seconds from sending to the last byte.

    Raises:
        MissingModelError: When the extra `fast` is not installed.
    """
    sent = {"Content-Type": "application/json", "Accept": "application/json", **headers}
    made = AiohttpTransport if client == "aiohttp" else PyreqwestTransport
    return Guarded(lambda kept: made(sent, timeout_s, kept=kept))


class _CleanConnector(aiohttp.TCPConnector):
    """Does not reuse a connection on which something arrived that was not asked for.

    A server's second copy of a reply would else be taken for the reply to the next request; one
    that comes later is left to `surplus`. The test of the transports notices should aiohttp hand
    out kept connections in another way.
    """

    async def _get(self, *args: Any) -> Connection | None:  # noqa: ANN401
        while (connection := await super()._get(*args)) is not None:
            if connection.protocol is not None and not connection.protocol.should_close:
                return connection
            connection.close()
        return None


class AiohttpTransport:
    """The usual client.

    Args:
        headers: Sent with every request.
        timeout_s: Seconds from sending to the last byte.
        kept: False for a connection for each request.
    """

    def __init__(self, headers: Mapping[str, str], timeout_s: float, *, kept: bool = True) -> None:
        self._session = aiohttp.ClientSession(
            connector=_CleanConnector(limit=0, ttl_dns_cache=300, force_close=not kept),
            timeout=aiohttp.ClientTimeout(total=timeout_s),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=headers,
        )

    async def post(self, url: str, body: bytes) -> Reply:
        """Send one request."""
        try:
            async with self._session.post(_parsed(url), data=body, allow_redirects=False) as reply:
                headers = {name.lower(): value for name, value in reply.headers.items()}
                return Reply(reply.status, headers, await _read_bounded(reply))
        except TimeoutError:
            raise
        except (aiohttp.ClientError, OSError) as error:
            raise ConnectionError(type(error).__name__) from error

    async def close(self) -> None:
        """Close every connection."""
        await self._session.close()


@lru_cache(maxsize=64)
def _parsed(url: str) -> URL:
    return URL(url)


async def _read_bounded(reply: aiohttp.ClientResponse) -> bytes | None:
    announced = reply.content_length
    if announced is not None and announced > LARGEST_BODY:
        reply.close()
        return None
    if announced is not None and "Content-Encoding" not in reply.headers:
        return await reply.read()
    chunks: list[bytes] = []
    size = 0
    async for chunk in reply.content.iter_any():
        size += len(chunk)
        if size > LARGEST_BODY:
            reply.close()
            return None
        chunks.append(chunk)
    return b"".join(chunks)


class PyreqwestTransport:
    """The fast client, from the extra `fast`.

    Args:
        headers: Sent with every request.
        timeout_s: Seconds from sending to the last byte.
        kept: False for a connection for each request.
    """

    def __init__(self, headers: Mapping[str, str], timeout_s: float, *, kept: bool = True) -> None:
        try:
            from pyreqwest.client import ClientBuilder
            from pyreqwest.exceptions import RequestError
        except ImportError as error:
            raise MissingModelError(
                "The client pyreqwest is not installed",
                allowed='client = "aiohttp", or the extra `fast`',
                given='client = "pyreqwest"',
                next_step="pip install 'unswayed[fast]', or leave the client out",
            ) from error
        built = (
            ClientBuilder()
            .timeout(timedelta(seconds=timeout_s))
            .follow_redirects(False)
            .default_headers(dict(headers))
        )
        self._client = (built if kept else built.pool_max_idle_per_host(0)).build()
        self._broken: type[Exception] = RequestError

    async def post(self, url: str, body: bytes) -> Reply:
        """Send one request."""
        request = self._client.post(url).body_bytes(body).build_streamed()
        try:
            async with request as reply:
                # Its names are in lower case already.
                headers = dict(reply.headers.items())
                stated = headers.get("content-length", "")
                if stated.isdecimal() and int(stated) < SHORT_BODY:
                    return Reply(reply.status, headers, (await reply.bytes()).to_bytes())
                return Reply(reply.status, headers, await _join_bounded(reply.body_reader))
        except TimeoutError:
            raise
        except self._broken as error:
            raise ConnectionError(type(error).__name__) from error

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()


async def _join_bounded(reader: Any) -> bytes | None:  # noqa: ANN401
    """Read a streamed body of pyreqwest."""
    chunks: list[bytes] = []
    size = 0
    while (chunk := await reader.read_chunk()) is not None:
        size += len(chunk)
        if size > LARGEST_BODY:
            return None
        chunks.append(chunk.to_bytes())
    return b"".join(chunks)

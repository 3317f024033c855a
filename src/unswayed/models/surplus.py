"""Connections on which a server, or a gateway before it, sends a reply twice.

HTTP has no sign of which reply answers which request but their order. A second copy that comes
once the connection has the next request looks like the reply to that one, and the true reply like
that to the one after. What gives it away is its id: servers draw one for every reply. So where the
reply to one request comes again for another, with its id, what is on its way on kept connections
is asked again, and each request has a connection of its own from then on, which a copy cannot
outlive. Where a reply comes again even so, the server's ids name nothing and are not watched.

A surplus reply that was never seen before, or that has no id, cannot be told from a true one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from unswayed.models.seam import Reply, Transport

SURPLUS = "surplus"
"""Name of the fault of a reply that came twice; the request has another connection at once."""

MOST_REMEMBERED = 8192
"""Replies whose ids are remembered; a copy comes for the next request of its connection."""

_ID = re.compile(rb'"id"\s*:\s*"([^"\\]{8,200})"')
"""An id in a body; a shorter one names no reply."""

_WITHIN = 1000
"""Bytes at the beginning of a body among which its id stands."""

_END = 512
"""Bytes at the end of a body by which, with id and length, it is known again."""


class SurplusError(ConnectionError):
    """A connection brought a reply twice, so that what it brings answers nobody for certain."""


class Guarded:
    """Sends over kept connections until a reply comes twice, then one request to a connection.

    Args:
        open_client: Opens a client inside the running event loop, whose connections are kept or
            have one request each.
    """

    def __init__(self, open_client: Callable[[bool], Transport]) -> None:
        self._open_client = open_client
        self._clients = [open_client(True)]
        self._kept = self._watching = True
        self._recent: dict[bytes, tuple[int, int]] = {}
        self._before: dict[bytes, tuple[int, int]] = {}

    @property
    def one_each(self) -> bool:
        """Whether a reply came twice, and each request has a connection of its own now."""
        return not self._kept

    async def post(self, url: str, body: bytes) -> Reply:
        """Send one request.

        Raises:
            TimeoutError: When the whole reply is not there in time.
            SurplusError: Where a reply came twice; the same request is to be sent again.
            ConnectionError: When the exchange breaks; its text is the kind of fault.
        """
        client = self._clients[-1]
        reply = await client.post(url, body)
        if not self._watching:
            return reply
        if client is not self._clients[-1]:
            raise SurplusError("sent on a connection that may hold a surplus reply")
        if reply.body is None or not self._came_before(reply.body, body):
            return reply
        if self._kept:
            self._kept = False
            self._clients.append(self._open_client(False))
            raise SurplusError("the reply to another request came again")
        self._keep_and_trust()
        return reply

    async def close(self) -> None:
        """Close every connection."""
        for client in self._clients:
            await client.close()

    def _came_before(self, reply: bytes, request: bytes) -> bool:
        """Whether another request had this very reply; remembers whose it is."""
        found = _ID.search(reply, 0, _WITHIN)
        if found is None:
            return False
        name = found[1]
        known = self._recent.get(name) or self._before.get(name)
        own = hash(reply[-_END:]) ^ len(reply), hash(request)
        if known is None:
            if len(self._recent) >= MOST_REMEMBERED:
                self._recent, self._before = {}, self._recent
            self._recent[name] = own
            return False
        if known[0] != own[0]:
            # The id names two replies: it is no sign.
            self._keep_and_trust()
            return False
        return known[1] != own[1]

    def _keep_and_trust(self) -> None:
        self._watching = False
        self._recent, self._before = {}, {}
        if not self._kept:
            self._kept = True
            self._clients.append(self._open_client(True))

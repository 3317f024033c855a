"""One model behind several servers, each with a weight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import blake2b

from msgspec.structs import replace

from unswayed.errors import ModelError, UsageError
from unswayed.models.adapt import ChatSupport
from unswayed.models.completion import Completion
from unswayed.models.endpoint import Endpoint
from unswayed.models.http import HTTPModel
from unswayed.models.protocol import Identity, Request

PASSING = ("connection", "timeout", "rate_limit", "server_error")
"""Failures after which another server is asked."""


class Pool:
    """Several endpoints that serve the same model.

    All replays of an item go to one server, so that its prefix cache hits; which one, the item's
    id and the weights decide. A request that fails there for a passing reason goes to the next, and
    a server that was never reached is asked last from then on.

    Args:
        endpoints: The servers; model name and everything that changes replies must be the same.

    Raises:
        UsageError: When they differ in more than where they are.
    """

    def __init__(self, endpoints: Sequence[Endpoint]) -> None:
        _check_same(endpoints)
        self.members = [HTTPModel(endpoint) for endpoint in endpoints]
        for member in self.members:
            member.one_of_several = True
        self._order: dict[str, list[HTTPModel]] = {}

    @property
    def identity(self) -> Identity:
        """The model's, at all the addresses in alphabetical order."""
        addresses = sorted({member.identity.endpoint for member in self.members})
        return replace(self.members[0].identity, endpoint=", ".join(addresses))

    @property
    def batch(self) -> int:
        """One: requests are sent side by side and not in batches."""
        return 1

    @property
    def concurrency(self) -> int:
        """Most requests in flight at all servers together."""
        return sum(member.concurrency for member in self.members)

    @property
    def chat(self) -> ChatSupport:
        """What shapes of conversation the endpoints take."""
        return self.members[0].chat

    def check(self, request: Request) -> None:
        """Refuse a request that the endpoints cannot take, without sending anything."""
        self.members[0].check(request)

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Complete requests one after the other, each at the server of its item."""
        return [await self._complete(request) for request in requests]

    async def close(self) -> None:
        """Close every connection."""
        for member in self.members:
            await member.close()

    async def _complete(self, request: Request) -> Completion:
        completion, attempts = Completion(), 0
        members = self._members_for(request.item_id)
        for member in sorted(members, key=lambda member: member.silent):
            (completion,) = await member.complete([request])
            attempts += completion.attempts
            if completion.error is None or not completion.error.startswith(PASSING):
                break
        else:
            self._check_any()
        return replace(completion, attempts=attempts)

    def _check_any(self) -> None:
        if all(member.silent for member in self.members):
            raise ModelError(
                f"No server answers at {self.identity.endpoint}",
                given=f"{len(self.members)} servers, none of which was ever reached",
                next_step="start the servers or correct their base_url",
            )

    def _members_for(self, item: str) -> list[HTTPModel]:
        order = self._order.get(item)
        if order is None:
            if len(self._order) >= 4096:
                self._order.clear()
            order = sorted(self.members, key=lambda member: _draw(item, member.endpoint))
            self._order[item] = order
        return order


def _draw(item: str, endpoint: Endpoint) -> float:
    """Return an exponential draw whose smallest falls on each server as often as it weighs."""
    hashed = blake2b(f"{item}\n{endpoint.base_url}".encode(), digest_size=8).digest()
    uniform = (int.from_bytes(hashed, "big") + 1) / (2**64 + 1)
    return -math.log(uniform) / endpoint.weight


def _check_same(endpoints: Sequence[Endpoint]) -> None:
    identities = {replace(each.identity, endpoint="").name for each in endpoints}
    details = {tuple(sorted(each.identity.details.items())) for each in endpoints}
    chats = {each.chat for each in endpoints}
    fields = {each.max_tokens_field for each in endpoints}
    if len(identities) == len(details) == len(chats) == len(fields) == 1:
        return
    raise UsageError(
        "The endpoints of one model differ in what changes its replies",
        allowed="the same model, extra_body, system_role, scoring and shape settings in all",
        given=", ".join(sorted(identities)) or "no endpoint",
        next_step="make them the same, or run each in a folder of its own",
    )

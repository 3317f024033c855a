"""One model behind several servers, each with a weight."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from hashlib import blake2b

from msgspec.structs import replace

from unswayed.errors import ModelError, StoreError, UsageError
from unswayed.models.adapt import ChatSupport
from unswayed.models.completion import Completion
from unswayed.models.endpoint import Endpoint
from unswayed.models.http import HTTPModel, WireLog
from unswayed.models.limits import Clock
from unswayed.models.protocol import Identity, Request

PASSING = ("connection", "timeout", "rate_limit", "server_error")
"""Failures after which another server is asked."""
REST_S = 30.0
"""Seconds for which a server is asked last after such a failure."""


class Pool:
    """Several endpoints that serve the same model.

    All replays of an item go to one server, so that its prefix cache hits; which one, the item's
    id and the weights decide. A request that fails there for a passing reason goes to the next, and
    the server is asked last for a while. After that one request tries it again, and a reply brings
    it back.

    Args:
        endpoints: The servers; model name and everything that changes replies must be the same.
        clock: Time; tests give one that does not wait.
        wire_log: Returns, for the address of a server, what is called after every attempt there.

    Raises:
        UsageError: When they differ in more than where they are.
    """

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        *,
        clock: Clock | None = None,
        wire_log: Callable[[str], WireLog] | None = None,
    ) -> None:
        _check_same(endpoints)
        self._clock = clock or Clock()
        self.members = [
            HTTPModel(
                endpoint,
                clock=self._clock,
                wire_log=wire_log and wire_log(endpoint.identity.endpoint),
            )
            for endpoint in endpoints
        ]
        self._rests: dict[HTTPModel, float] = {}
        for member in self.members:
            member.one_of_several = True
        self._order: dict[str, list[HTTPModel]] = {}

    @property
    def identity(self) -> Identity:
        """The model's, at all the addresses in alphabetical order."""
        addresses = sorted({member.identity.endpoint for member in self.members})
        return replace(self.members[0].identity, endpoint=", ".join(addresses))

    @property
    def fast(self) -> bool:
        """Whether the fast client sends to some of them."""
        return any(member.fast for member in self.members)

    @property
    def batch(self) -> int:
        """One: requests are sent side by side and not in batches."""
        return 1

    @property
    def concurrency(self) -> int:
        """Most requests in flight at all servers together."""
        return sum(member.concurrency for member in self.members)

    @property
    def n_on_wire(self) -> int:
        """Requests that are sent to some server and have no reply yet."""
        return sum(member.n_on_wire for member in self.members)

    @property
    def surplus(self) -> bool:
        """Whether one of the servers sent a reply twice."""
        return any(member.surplus for member in self.members)

    @property
    def chat(self) -> ChatSupport:
        """What shapes of conversation the endpoints take."""
        return self.members[0].chat

    @property
    def unlogged(self) -> StoreError | None:
        """Why attempts at a server are no longer logged."""
        return next((member.unlogged for member in self.members if member.unlogged), None)

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
        for member in self._in_turn(request.item_id):
            (completion,) = await member.complete([request])
            attempts += completion.attempts
            if completion.error is None or not completion.error.startswith(PASSING):
                self._rests.pop(member, None)
                break
            self._rests[member] = self._clock.now() + REST_S
        else:
            self._check_any()
        return replace(completion, attempts=attempts)

    def _in_turn(self, item: str) -> list[HTTPModel]:
        """Return the servers in the order of an item, those that rest last."""
        members = self._members_for(item)
        if not self._rests:
            return members
        now = self._clock.now()
        resting = [member for member in members if self._rests.get(member, now) > now]
        awake = [member for member in members if member not in resting]
        if awake and awake[0] in self._rests:
            # This request tries it again; the others do not wait for what becomes of that.
            self._rests[awake[0]] = now + REST_S
        return awake + resting

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

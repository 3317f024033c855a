"""A reward as a local HTTP service, for trainers that score one completion at a time.

    POST /reward      {"completion": ..., "columns": {...}, "request_id": ...}, or a list of them
    POST /openrlhf    {"query": [...], "prompts": [...], "labels": [...]}
    GET  /health

The first is ours and knows None. The second is the payload of OpenRLHF (read from the source of
0.11.2), which has no None: what an unread completion gets has to be stated. Rewards of a group wait
for all its members, see `cohort`. Bodies, tokens and completions are never logged.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import ipaddress
import json
import math
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from aiohttp import web

from unswayed.errors import UnswayedError, UsageError
from unswayed.rewards.cohort import Cohorts, Completion, Member
from unswayed.rewards.reward import RewardValue, Rule

RECORDED_VERSION = "0.11.2"
"""The version of OpenRLHF whose payload is recorded here and in the tests."""

MOST_BYTES = 4 * 2**20
"""Largest body."""

MOST_ROWS = 4096
"""Most completions of one request."""

READ_SECONDS = 30.0
"""Longest time in which a body has to arrive."""

LEAST_TOKEN = 16
"""Fewest characters of a token."""

_MARKS = re.compile(r"(?:\s*(?:<\|[\w ]{1,40}\|>|</s>|<eos>|<end_of_turn>))+\s*\Z")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One completion to be paid."""

    completion: Completion
    """A text, a list of messages, or null where the rollout has failed."""
    columns: dict[str, Any] = {}
    """The columns of its row, `group_id` and `group_size` among them for rewards of a group."""
    request_id: str | None = None
    """Name of the member inside its group; the same one twice is paid once."""
    run: str = ""
    """Name of the run, so that two runs do not share groups."""
    attempt: str | int = ""
    """Which time the group is drawn, such as the step; needed where groups come again."""


class Queried(msgspec.Struct, frozen=True, kw_only=True):
    """The payload of OpenRLHF."""

    query: list[str]
    """Prompts and completions as one text each, with special tokens."""
    prompts: list[str]
    """The prompts."""
    labels: list[str | None]
    """The one column of labels, JSON text in our shape."""


def reward_app(
    rule: Rule, *, timeout: float, token: str = "", unread_score: float | None = None
) -> web.Application:
    """Build the service.

    Args:
        rule: What pays.
        timeout: Seconds from the first arrival of a group until it is given up.
        token: What requests have to show as bearer token, or as password where a client can only
            put it into the address; empty for none.
        unread_score: What OpenRLHF gets for a completion without a reward.

    Raises:
        UsageError: The token is too short, or the score is not finite.
    """
    if token and len(token) < LEAST_TOKEN:
        raise UsageError(
            "The token is too short",
            allowed=f"at least {LEAST_TOKEN} characters",
            given=f"{len(token)} characters",
            next_step="draw a longer one",
        )
    if unread_score is not None and not math.isfinite(unread_score):
        raise UsageError(
            "What an unread completion gets is not finite",
            allowed="a finite number",
            given=repr(unread_score),
            next_step="state a number, or nothing",
        )
    service = _Service(rule, timeout=timeout, unread_score=unread_score)
    app = web.Application(client_max_size=MOST_BYTES, middlewares=[_guard(token), _explain])
    app.router.add_post("/reward", service.reward)
    app.router.add_post("/openrlhf", service.openrlhf)
    app.router.add_get("/health", service.health)
    return app


def check_address(host: str, token: str) -> None:
    """Refuse an address that other machines can reach where nothing guards it.

    Raises:
        UsageError: The address is not this machine's own and there is no token.
    """
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost"
    if not local and not token:
        raise UsageError(
            "Other machines could reach the reward without a token",
            allowed="127.0.0.1, ::1 or localhost; any address with a token",
            given=host,
            next_step="put a token into the environment variable, or serve on 127.0.0.1",
        )


class _Service:
    def __init__(self, rule: Rule, *, timeout: float, unread_score: float | None) -> None:
        self.cohorts = Cohorts(rule, timeout=timeout)
        self.unread_score = unread_score

    async def health(self, _: web.Request) -> web.Response:
        return web.json_response({"reward": self.cohorts.reward.rule.name})

    async def reward(self, request: web.Request) -> web.Response:
        asked = await _body(request, Asked | list[Asked])
        if isinstance(asked, Asked):
            return _answer(await self._pay(asked))
        _check_count(len(asked))
        return _answer(await self._pay_all(asked))

    async def openrlhf(self, request: web.Request) -> web.Response:
        queried: Queried = await _body(request, Queried)
        stated = self.unread_score
        if stated is None:
            raise UsageError(
                "It is not stated what a completion without a reward gets",
                allowed="a number: OpenRLHF has no row without a reward",
                given="nothing",
                next_step="start the server with --unread-score",
            )
        n = len(queried.query)
        _check_count(n)
        if not n == len(queried.prompts) == len(queried.labels):
            raise UsageError(
                "Queries, prompts and labels differ in number",
                allowed="one of each for every completion",
                given=f"{n}, {len(queried.prompts)}, {len(queried.labels)}",
                next_step="send the payload of OpenRLHF",
            )
        rows = zip(queried.query, queried.prompts, queried.labels, strict=True)
        values = await self._pay_all([_asked(*row) for row in rows])
        scores = [stated if each.value is None else each.value for each in values]
        measured = [float(each.value is not None) for each in values]
        return _answer({"rewards": scores, "scores": scores, "extra_logs": {"measured": measured}})

    async def _pay_all(self, asked: Sequence[Asked]) -> list[RewardValue]:
        """Pay several; where one is refused, the others leave their groups."""
        tasks = [asyncio.create_task(self._pay(each)) for each in asked]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def _pay(self, asked: Asked) -> RewardValue:
        member = Member(completion=asked.completion, columns=asked.columns)
        if not self.cohorts.waits:
            return self.cohorts.pay_alone(member)
        group, size = asked.columns.get("group_id"), asked.columns.get("group_size")
        for name, cell in (("group_id", group), ("group_size", size)):
            if cell is None:
                return RewardValue(reason=f"missing_column:{name}")
        if not isinstance(group, str) or isinstance(size, bool) or not isinstance(size, int):
            raise UsageError(
                "A group cannot be told",
                allowed="`group_id` a text and `group_size` a whole number",
                given=f"{type(group).__name__} and {type(size).__name__}",
                next_step="write both into the columns of each row",
            )
        key = json.dumps([asked.run, group, asked.attempt])
        return await self.cohorts.pay(member, group=key, size=size, name=asked.request_id)


def _asked(query: str, prompt: str, label: str | None) -> Asked:
    """One completion of OpenRLHF: what follows the prompt, without marks at its end."""
    if not query.startswith(prompt):
        raise UsageError(
            "A query does not begin with its prompt",
            allowed="prompt and completion as one text",
            given=f"a query of {len(query)} and a prompt of {len(prompt)} characters",
            next_step="raise the longest length of prompts: OpenRLHF cuts them at the front",
        )
    try:
        columns = msgspec.json.decode(label or "{}", type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(
            "A label is no JSON object",
            allowed="the columns of a row as JSON text",
            given=f"{len(label or '')} characters",
            next_step="export with --shape openrlhf, and set the label key to `label`",
        ) from error
    return Asked(completion=_MARKS.sub("", query[len(prompt) :]), columns=columns)


async def _body(request: web.Request, kind: Any) -> Any:  # noqa: ANN401 - as the kind says
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType(reason="application/json is needed")
    try:
        async with asyncio.timeout(READ_SECONDS):
            raw = await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UsageError(
            "The body cannot be taken",
            allowed="JSON with the fields of the payload",
            given=str(error)[:200],
            next_step="see docs/rewards.md",
        ) from error


def _check_count(count: int) -> None:
    if not 1 <= count <= MOST_ROWS:
        raise UsageError(
            "The number of completions is out of range",
            allowed=f"1 to {MOST_ROWS:,}",
            given=str(count),
            next_step="send more requests",
        )


def _answer(value: object, status: int = 200) -> web.Response:
    return web.Response(
        body=msgspec.json.encode(value), status=status, content_type="application/json"
    )


@web.middleware
async def _explain(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Say what cannot be taken as JSON with status 400."""
    try:
        return await handler(request)
    except UnswayedError as error:
        return _answer({"error": str(error)}, status=400)


def _guard(token: str) -> Any:  # noqa: ANN401 - a middleware
    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        shown = _shown(request.headers.get("Authorization", ""))
        if token and request.path != "/health" and not hmac.compare_digest(shown, token.encode()):
            return _answer({"error": "The token is missing or wrong."}, status=401)
        return await handler(request)

    return guard


def _shown(header: str) -> bytes:
    """The token of a header: bearer, or the password of a basic one."""
    scheme, _, rest = header.partition(" ")
    if scheme.casefold() == "bearer":
        return rest.strip().encode("utf-8", "surrogateescape")
    if scheme.casefold() == "basic":
        try:
            return base64.b64decode(rest, validate=True).partition(b":")[2]
        except (binascii.Error, ValueError):
            return b""
    return b""

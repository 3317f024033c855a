"""Models behind OpenAI-compatible HTTP endpoints.

One POST for each request, no streaming. A request is tried a bounded number of times; only
faults that another try can mend are tried again. The number of requests in flight follows what
the server can take. The key stands in one request header and nowhere else.
"""

from __future__ import annotations

import asyncio
import copy
import os
import random
import re
from collections.abc import Callable, Mapping, Sequence
from threading import get_ident

import msgspec

from unswayed.errors import ModelError, StoreError, UsageError
from unswayed.models.adapt import ChatSupport, adapt, shape
from unswayed.models.allowances import asked_wait, limit_headers, spacing, spent_wait
from unswayed.models.completion import Completion
from unswayed.models.echoed import join
from unswayed.models.endpoint import Endpoint
from unswayed.models.keys import Key
from unswayed.models.limits import Clock, Limiter, backoff
from unswayed.models.protocol import Identity, Request
from unswayed.models.replies import Asked, Fault, read_reply, shorten, too_large
from unswayed.models.surplus import SURPLUS, Guarded, SurplusError
from unswayed.models.transport import open_transport
from unswayed.models.wire import chat_body, check_scoring, echo_body

WireLog = Callable[[str, int, int | None, float], None]
"""Receives request id, attempt, HTTP status (None without a reply) and seconds; never a text."""

_WITH_DIGIT = re.compile(r"\S*\d\S*")
_BUSY = frozenset({429, 502, 503, 504, 529})


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt."""

    outcome: Completion | Fault
    """What came back."""
    status: int | None
    """HTTP status; None when no reply came."""
    headers: dict[str, str]
    """Reply headers with lower-case names."""
    seconds: float
    """From sending to the last byte."""


class HTTPModel:
    """A model behind an OpenAI-compatible endpoint; use it within one event loop.

    Args:
        endpoint: Where it is and how it is asked.
        clock: Time; tests give one that does not wait.
        rng: Source of the jitter between attempts.
        wire_log: Called after every attempt with request id, attempt, status and seconds.
        environ: Where the key is looked up; the process environment by default.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        clock: Clock | None = None,
        rng: random.Random | None = None,
        wire_log: WireLog | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.rate_limit_headers: frozenset[str] = frozenset()
        """Names of the rate-limit headers seen so far."""
        self.same_refusals = 0
        """How many requests in a row ended with the same error; an engine stops at several."""
        self.one_of_several = False
        """Whether other servers can be asked instead; else a server that is not there is fatal."""
        self.unlogged: StoreError | None = None
        """Why attempts are no longer logged; whoever asks ends the run once all is stored."""
        self.n_on_wire = 0
        """Requests that are sent and have no reply yet; those that wait to be sent do not count."""
        self._gave_up = False
        self._last_refusal = ""
        self._ever_replied = self._came_twice = False
        self._key = Key.from_environment(
            endpoint.key_env, os.environ if environ is None else environ
        )
        self._clock = clock or Clock()
        self._rng = rng or random.Random()
        self._wire_log = wire_log
        self._limiter = Limiter(endpoint.concurrency, self._clock, endpoint.requests_per_minute)
        self._fitting: set[tuple[str, ...]] = set()
        self._urls: dict[str, str] = {}
        self._transport: Guarded | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0
        if self._key.inside(endpoint.base_url + repr(endpoint.extra_body) + endpoint.model):
            raise UsageError(
                "The key stands in the endpoint's settings",
                allowed=f"the key in the environment variable {endpoint.key_env} and nowhere else",
                next_step="remove it from base_url, model and extra_body",
            )

    def __repr__(self) -> str:
        return f"HTTPModel({self.identity.name!r} at {self.identity.endpoint!r}, {self._key!r})"

    @property
    def identity(self) -> Identity:
        """What makes it this model."""
        return self.endpoint.identity

    @property
    def silent(self) -> bool:
        """Whether a request was given up and no connection has ever led to a reply."""
        return self._gave_up and not self._ever_replied

    @property
    def surplus(self) -> bool:
        """Whether the server sent a reply twice, so that each request has its own connection."""
        one_each = self._transport is not None and self._transport.one_each
        return one_each or self._came_twice

    @property
    def fast(self) -> bool:
        """Whether the fast client sends."""
        return self.endpoint.client == "pyreqwest"

    @property
    def batch(self) -> int:
        """One: requests are sent side by side and not in batches."""
        return 1

    @property
    def concurrency(self) -> int:
        """Most requests in flight."""
        return self.endpoint.concurrency

    @property
    def chat(self) -> ChatSupport:
        """What shapes of conversation the endpoint takes."""
        return self.endpoint.chat

    def check(self, request: Request) -> None:
        """Refuse a request that the endpoint cannot take, without sending anything.

        Raises:
            CapabilityError: With what to do instead.
        """
        roles = [{"role": message.role, "content": ""} for message in request.transcript.messages]
        if not (request.options and self.endpoint.scoring == "echo"):
            adapt(roles, self.chat)
        check_scoring(self.endpoint.scoring, request.transcript, request.options)

    def for_examination(self) -> HTTPModel:
        """Return this model without retries and without settings that change or refuse a shape.

        It shares connections and limits with this one; close only this one.
        """
        self._open()
        bare = copy.copy(self)
        bare._fitting = set()
        bare.endpoint = msgspec.structs.replace(
            self.endpoint,
            system_role="yes",
            alternation=False,
            assistant_last=True,
            max_attempts=1,
            scoring="top_logprobs" if self.endpoint.scoring == "none" else self.endpoint.scoring,
        )
        return bare

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Complete requests side by side and return completions in the order of the requests.

        Raises:
            CapabilityError: When the endpoint cannot take one of them; nothing has been sent then.
            ModelError: When no retry can help: bad key, unknown model, used-up quota, no server.
        """
        for request in requests:
            self._check_once(request)
        if len(requests) == 1:
            return [await self._complete(requests[0])]
        tasks = [asyncio.ensure_future(self._complete(request)) for request in requests]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self) -> None:
        """Close every connection."""
        if self._transport is not None:
            await self._transport.close()
            self._came_twice |= self._transport.one_each
            self._transport = None

    def _check_once(self, request: Request) -> None:
        """Check a request; of those without options only the first of each shape."""
        roles = shape(request.transcript)
        if request.options or roles not in self._fitting:
            self.check(request)
            self._fitting.add(roles)

    async def _complete(self, request: Request) -> Completion:
        try:
            if request.options and self.endpoint.scoring == "echo":
                return await self._score_by_echo(request)
            body = chat_body(request, self.endpoint)
        except UnicodeEncodeError:
            return Fault(kind="refused", slug="bad_text", message="lone surrogate").completion()
        asked = Asked(options=request.options, scoring=self.endpoint.scoring)
        return await self._send("chat/completions", request.id, body, asked)

    async def _score_by_echo(self, request: Request) -> Completion:
        bodies = [echo_body(request, option, self.endpoint) for option in request.options]
        parts: list[Completion] = []
        for option, body in zip(request.options, bodies, strict=True):
            asked = Asked(options=(option,), scoring="echo")
            parts.append(await self._send("completions", request.id, body, asked))
            if parts[-1].error is not None:
                break
        return join(parts)

    async def _send(self, path: str, request_id: str, body: bytes, asked: Asked) -> Completion:
        spent, attempt = 0.0, 0
        while True:
            attempt += 1
            exchange = await self._attempt(path, body, asked)
            if self._wire_log is not None:
                self._log(self._wire_log, request_id, attempt, exchange)
            self._ever_replied |= exchange.status is not None
            outcome = exchange.outcome
            if isinstance(outcome, Completion):
                self.same_refusals, self._last_refusal = 0, ""
                return msgspec.structs.replace(
                    outcome, latency_s=exchange.seconds, attempts=attempt
                )
            if outcome.kind == "fatal":
                raise self._fatal(outcome)
            if outcome.slug == SURPLUS:
                continue
            wait = self._wait(outcome, exchange, attempt)
            spent += exchange.seconds + wait
            last = attempt >= self.endpoint.max_attempts or spent > self.endpoint.budget_s
            if outcome.kind == "refused" or last:
                return self._give_up(outcome, attempt)
            await self._clock.sleep(wait)

    def _log(self, log: WireLog, request_id: str, attempt: int, exchange: Exchange) -> None:
        """Note an attempt; a log that takes no more must not cost a reply that is there."""
        if self.unlogged is None:
            try:
                log(request_id, attempt, exchange.status, exchange.seconds)
            except StoreError as error:
                self.unlogged = error

    async def _attempt(self, path: str, body: bytes, asked: Asked) -> Exchange:
        entered = await self._limiter.enter()
        try:
            exchange = await self._exchange(path, body, asked)
            self._note_load(exchange, entered)
        finally:
            self._limiter.leave()
        return exchange

    def _note_load(self, exchange: Exchange, entered: float) -> None:
        outcome = exchange.outcome
        told = limit_headers(tuple(exchange.headers))
        if told:
            self.rate_limit_headers |= told
        if not isinstance(outcome, Completion):
            if outcome.status in _BUSY or outcome.slug == "timeout":
                self._limiter.overloaded(entered)
            return
        self._limiter.succeeded()
        if told:
            self._note_allowances(exchange.headers, outcome)

    def _note_allowances(self, headers: Mapping[str, str], reply: Completion) -> None:
        """Space the starts by what is left of each allowance; pause where nothing is."""
        wall = self._clock.wall()
        wait = spent_wait(headers, wall)
        if wait is not None:
            if wait <= self.endpoint.longest_wait_s:
                self._limiter.hold(wait)
            return
        tokens = (reply.n_prompt_tokens or 0) + (reply.n_completion_tokens or 0)
        self._limiter.space(min(spacing(headers, tokens, wall), self.endpoint.longest_wait_s))

    async def _exchange(self, path: str, body: bytes, asked: Asked) -> Exchange:
        start = self._clock.now()
        status: int | None = None
        headers: dict[str, str] = {}
        outcome: Completion | Fault
        self.n_on_wire += 1
        try:
            reply = await self._open().post(self._url(path), body)
            status, headers = reply.status, reply.headers
            if reply.body is None:
                outcome = too_large()
            else:
                outcome = read_reply(status, headers, self._key.scrub_body(reply.body), asked)
        except TimeoutError:
            outcome = Fault(kind="retry", slug="timeout", message=f"{self.endpoint.timeout_s:g} s")
        except ConnectionError as error:
            slug = SURPLUS if isinstance(error, SurplusError) else "connection"
            outcome = Fault(kind="retry", slug=slug, message=str(error))
        finally:
            self.n_on_wire -= 1
        return Exchange(
            outcome=self._scrubbed(outcome),
            status=status,
            headers=headers,
            seconds=self._clock.now() - start,
        )

    def _scrubbed(self, outcome: Completion | Fault) -> Completion | Fault:
        if isinstance(outcome, Completion):
            return self._key.scrub_completion(outcome)
        return msgspec.structs.replace(outcome, message=self._key.scrub(outcome.message))

    def _open(self) -> Guarded:
        if self._transport is None:
            self._loop, self._thread = asyncio.get_running_loop(), get_ident()
            self._transport = open_transport(
                self.endpoint.client,
                self._key.headers(self.endpoint.key_header),
                self.endpoint.timeout_s,
            )
        # A loop that runs, in the thread where it ran before, is the one that runs here. To ask
        # for the running loop takes a system call, once for every request.
        elif self._thread != get_ident() or self._loop is None or not self._loop.is_running():
            raise UsageError(
                "A network model was used in two event loops",
                allowed="one event loop from opening to closing",
                next_step="close it in the loop where it was first used, or open another",
            )
        return self._transport

    def _url(self, path: str) -> str:
        url = self._urls.get(path)
        if url is None:
            url = self._urls[path] = self.endpoint.url(path)
        return url

    def _wait(self, fault: Fault, exchange: Exchange, attempt: int) -> float:
        if fault.kind != "retry":
            return 0.0
        refused = fault.status is not None
        asked = asked_wait(exchange.headers, self._clock.wall()) if refused else None
        if asked is None:
            return backoff(attempt, self._rng)
        if asked > self.endpoint.longest_wait_s:
            raise ModelError(
                f"The server asks to wait {asked:.0f} s, which looks like a used-up quota",
                allowed=f"waits of at most {self.endpoint.longest_wait_s:g} s",
                given=fault.text,
                next_step="resume the run after that time; finished replays are kept",
            )
        self._limiter.hold(asked)
        return asked + backoff(1, self._rng)

    def _give_up(self, fault: Fault, attempt: int) -> Completion:
        self._gave_up |= fault.slug == "connection"
        if self.silent and not self.one_of_several:
            raise ModelError(
                f"No server answers at {self.identity.endpoint}",
                given=f"{fault.message} in {attempt} attempts",
                next_step="start the server or correct base_url",
            )
        refusal = _WITH_DIGIT.sub("", fault.text)
        self.same_refusals = self.same_refusals + 1 if refusal == self._last_refusal else 1
        self._last_refusal = refusal
        completion = fault.completion()
        return msgspec.structs.replace(completion, attempts=attempt)

    def _fatal(self, fault: Fault) -> ModelError:
        name = self.endpoint.key_env
        state = "is set" if self._key else "is not set"
        next_step = {
            401: f"check the key; the environment variable {name or '(none named)'} {state}",
            402: "add credit, then resume the run",
            403: f"check what the key in {name or '(none named)'} may use; it {state}",
            404: f"check that base_url is right and that it serves {self.endpoint.model!r}",
            429: "raise the quota or wait for the next period, then resume the run",
        }.get(
            fault.status or 0,
            "check base_url; redirects are not followed, so that the key stays here",
        )
        return ModelError(
            f"The endpoint {self.identity.endpoint} does not serve this request",
            given=shorten(fault.message),
            next_step=next_step,
        )

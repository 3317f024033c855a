"""How fast a server is asked: bounded requests in flight, spaced starts, spaced retries."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque

FIRST_LIMIT = 8
"""Requests in flight at the start."""
BACKOFF_BASE_S = 0.5
"""Upper end of the first wait between two attempts."""
BACKOFF_MOST_S = 30.0
"""Upper end of every wait between two attempts."""
MOST_TO_JUDGE_S = 0.05
"""Where a reply takes less than this on average, the client waits for itself and not in a queue."""
GAIN = 0.2
"""Share of a growth in requests in flight that must come back as more replies a second."""
REST = 16
"""Rounds for which the limit stays where more requests in flight gave no more replies."""
NEAR = 0.8
"""Growth is slow from this share of the last refused limit to as much above it."""
STEP = 0.1
"""Growth in a round, away from the last limit that was refused."""


class Clock:
    """Time as the client sees it; tests give one that does not wait."""

    def now(self) -> float:
        """Return seconds on a clock that never goes back."""
        return time.monotonic()

    def wall(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class Round:
    """Replies that come while the limit passes through one value."""

    __slots__ = ("full", "limit", "n", "started")

    def __init__(self, limit: float, started: float) -> None:
        self.limit = limit
        self.started = started
        self.n = 0
        self.full = True
        """Whether somebody waited for a place all the time."""


class Limiter:
    """Bounds requests in flight: grows while that brings more replies, shrinks when refused.

    Until the first refusal every reply admits one more request. A refusal takes half, or a tenth
    of a large limit where the last one is half a round ago; requests that were sent before that do
    not count again, so that one burst of refusals counts once. The way back is quick up to near
    the limit that was refused, and then one request for each full round.

    A server that queues refuses nothing: more requests in flight only wait longer. By Little's law
    replies a second are requests in flight over the time of one; where they do not grow with the
    limit, the limit goes back to where they stopped growing, and tries again later.

    Args:
        most: Requests in flight that are never passed.
        clock: Time.
        per_minute: Requests started in a minute that are never passed, evenly spaced.
    """

    def __init__(self, most: int, clock: Clock, per_minute: float | None = None) -> None:
        self.most = most
        self.limit = float(min(FIRST_LIMIT, most))
        self.in_flight = 0
        self.n_cut = 0
        """How often the limit was cut after a refusal."""
        self.n_queued = 0
        """How often it went back because more in flight only waited longer."""
        self._clock = clock
        self._least_space = self._space = 60.0 / per_minute if per_minute else 0.0
        self._gate = asyncio.Lock()
        self._next_start = 0.0
        self._hold_until = 0.0
        self._cut_at = float("-inf")
        self._refused_limit = 0.0
        self._n_since_cut = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._round = Round(self.limit, clock.now())
        self._known: tuple[float, float] | None = None
        self._n_rest = 0

    async def enter(self) -> float:
        """Wait for a place and for any pause the server asked for; return the time of entry."""
        if self._waiting or self.in_flight >= int(self.limit):
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                self._abandon(place)
                raise
        else:
            self.in_flight += 1
        try:
            await self._start()
        except BaseException:
            self.leave()
            raise
        return self._clock.now()

    async def _start(self) -> None:
        """Wait for the end of a pause and, where starts are spaced, for one's turn."""
        if not self._space:
            while (wait := self._hold_until - self._clock.now()) > 0:
                await self._clock.sleep(wait)
            return
        async with self._gate:
            while (wait := max(self._hold_until, self._next_start) - self._clock.now()) > 0:
                await self._clock.sleep(wait)
            self._next_start = self._clock.now() + self._space

    def leave(self) -> None:
        """Give the place back."""
        self.in_flight -= 1
        self._admit()

    def succeeded(self) -> None:
        """Note a reply."""
        self._n_since_cut += 1
        if not self._n_rest:
            self.limit = min(float(self.most), self.limit + self._step())
        self._round.n += 1
        self._round.full = self._round.full and bool(self._waiting)
        if self._round.n >= self._round.limit:
            self._judge(self._round)
            self._round = Round(self.limit, self._clock.now())
        self._admit()

    def overloaded(self, entered: float) -> None:
        """Note a refusal or timeout of a request that entered at a time."""
        if entered < self._cut_at:
            return
        calm = self.n_cut and self._n_since_cut >= self.limit / 2 and self.limit > FIRST_LIMIT
        self._refused_limit = self.limit
        self.limit = max(1.0, self.limit * (0.9 if calm else 0.5))
        self.n_cut += 1
        self._cut_at, self._n_since_cut = self._clock.now(), 0
        self._known, self._n_rest = None, 0
        self._round = Round(self.limit, self._cut_at)

    def space(self, seconds: float) -> None:
        """Let starts be so many seconds apart, or as far as the stated rate demands."""
        self._space = max(self._least_space, seconds)
        self._next_start = min(self._next_start, self._clock.now() + self._space)

    def _step(self) -> float:
        """Return how much one reply adds to the limit."""
        if not self.n_cut and not self.n_queued:
            return 1.0
        near = NEAR <= self.limit / (self._refused_limit or self.limit * 2) <= 2 - NEAR
        return 1.0 / max(self.limit, 1.0) if near else max(STEP, 1.0 / max(self.limit, 1.0))

    def _judge(self, done: Round) -> None:
        """Hold a full round against the last that was judged at a lower limit."""
        seconds = self._clock.now() - done.started
        if self._n_rest:
            self._n_rest -= 1
        if not done.full or seconds <= 0 or done.limit * seconds < done.n * MOST_TO_JUDGE_S:
            return
        speed = done.n / seconds
        if self._known is None:
            self._known = (done.limit, speed)
            return
        limit, known = self._known
        growth = done.limit / limit - 1
        if growth < 0.5:
            return
        if speed / known - 1 >= GAIN * growth:
            self._known = (done.limit, speed)
            return
        self.limit, self._n_rest = limit, REST
        self.n_queued += 1
        self._known = None

    def hold(self, seconds: float) -> None:
        """Let nobody enter for some seconds."""
        self._hold_until = max(self._hold_until, self._clock.now() + seconds)

    def _admit(self) -> None:
        while self._waiting and self.in_flight < int(self.limit):
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def _abandon(self, place: asyncio.Future[None]) -> None:
        if place.done() and not place.cancelled():
            self.leave()
        elif place in self._waiting:
            self._waiting.remove(place)


def backoff(attempt: int, rng: random.Random) -> float:
    """Return a wait after a failed attempt: uniform from 0 to a doubling, bounded upper end.

    Args:
        attempt: Number of the attempt that failed, from 1.
        rng: Source of the draw.
    """
    upper = min(BACKOFF_MOST_S, BACKOFF_BASE_S * float(2 ** min(attempt - 1, 16)))
    return rng.uniform(0.0, upper)

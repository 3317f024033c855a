"""How fast a server is asked: bounded requests in flight, waits it asks for, spaced retries."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_LIMIT = 8
"""Requests in flight at the start."""
BACKOFF_BASE_S = 0.5
"""Upper end of the first wait between two attempts."""
BACKOFF_MOST_S = 30.0
"""Upper end of every wait between two attempts."""
RESET = "x-ratelimit-reset"
"""How the names of headers begin that say when an allowance is refilled."""

_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?")
_EPOCH_MS = 1e11
_EPOCH_S = 1e9


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


class Limiter:
    """Bounds requests in flight: grows while replies come, halves when the server is too busy.

    Until the first sign of overload every reply admits one more request; after it, one more for
    each full round. Requests that were sent before the last halving do not halve again, so that
    one burst of refusals counts once.

    Args:
        most: Requests in flight that are never passed.
        clock: Time.
        per_minute: Requests started in a minute that are never passed, evenly spaced.
    """

    def __init__(self, most: int, clock: Clock, per_minute: float | None = None) -> None:
        self.most = most
        self._pace = 60.0 / per_minute if per_minute else 0.0
        self._next_start = 0.0
        self.limit = float(min(FIRST_LIMIT, most))
        self.in_flight = 0
        self.n_halved = 0
        self._clock = clock
        self._hold_until = 0.0
        self._halved_at = float("-inf")
        self._waiting: deque[asyncio.Future[None]] = deque()

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
        start = self._next_start = max(self._next_start, self._clock.now()) if self._pace else 0.0
        self._next_start += self._pace
        try:
            while (wait := max(self._hold_until, start) - self._clock.now()) > 0:
                await self._clock.sleep(wait)
        except BaseException:
            self.leave()
            raise
        return self._clock.now()

    def leave(self) -> None:
        """Give the place back."""
        self.in_flight -= 1
        self._admit()

    def succeeded(self) -> None:
        """Note a reply."""
        step = 1.0 if not self.n_halved else 1.0 / max(self.limit, 1.0)
        self.limit = min(float(self.most), self.limit + step)
        self._admit()

    def overloaded(self, entered: float) -> None:
        """Note a refusal or timeout of a request that entered at a time."""
        if entered < self._halved_at:
            return
        self.limit = max(1.0, self.limit / 2)
        self.n_halved += 1
        self._halved_at = self._clock.now()

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


def asked_wait(headers: Mapping[str, str], wall: float) -> float | None:
    """Return the seconds that a refusing server asks to wait, or None when it states none.

    `Retry-After` (seconds or date) comes first. Without it, the `x-ratelimit-reset` headers of
    allowances that are used up, or of all where the server does not say which one is.

    Args:
        headers: Reply headers with lower-case names.
        wall: Seconds since 1970 now.
    """
    if "retry-after-ms" in headers:
        milliseconds = _number(headers["retry-after-ms"])
        if milliseconds is not None:
            return max(0.0, milliseconds / 1000)
    if "retry-after" in headers:
        return _seconds_or_date(headers["retry-after"], wall)
    resets = _resets(headers, wall)
    used_up = [seconds for seconds, remaining in resets if remaining == 0]
    unknown = [seconds for seconds, remaining in resets if remaining is None]
    return max(used_up or unknown, default=None)


def spent_wait(headers: Mapping[str, str], wall: float) -> float | None:
    """Return the seconds until a used-up allowance is refilled, read from a good reply."""
    if not any(name.startswith(RESET) for name in headers):
        return None
    used_up = [seconds for seconds, remaining in _resets(headers, wall) if remaining == 0]
    return max(used_up, default=None)


def limit_headers(headers: Mapping[str, str]) -> frozenset[str]:
    """Return the names of the headers that speak about rate limits."""
    return frozenset(
        name for name in headers if "ratelimit" in name or name.startswith("retry-after")
    )


def _resets(headers: Mapping[str, str], wall: float) -> list[tuple[float, float | None]]:
    found: list[tuple[float, float | None]] = []
    for name, value in headers.items():
        if not name.startswith(RESET):
            continue
        seconds = _duration(value, wall)
        if seconds is not None:
            remaining = headers.get(name.replace("-reset", "-remaining"), "")
            found.append((seconds, _number(remaining)))
    return found


def _seconds_or_date(text: str, wall: float) -> float | None:
    seconds = _number(text)
    if seconds is not None:
        return max(0.0, seconds)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, moment.timestamp() - wall)


def _duration(text: str, wall: float) -> float | None:
    text = text.strip()
    number = _number(text)
    if number is not None:
        if number > _EPOCH_MS:
            number = number / 1000
        return max(0.0, number - wall if number > _EPOCH_S else number)
    match = _DURATION.fullmatch(text)
    if match and any(match.groups()):
        days, hours, minutes, seconds, milliseconds = (float(part or 0) for part in match.groups())
        return days * 86400 + hours * 3600 + minutes * 60 + seconds + milliseconds / 1000
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return max(0.0, moment.timestamp() - wall) if moment.tzinfo else None


def _number(text: str) -> float | None:
    text = text.strip()
    return float(text) if re.fullmatch(r"-?\d{1,15}(\.\d{1,9})?", text) else None

"""What servers say about rates: how long to wait, and how much of an allowance is left."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache

RESET = "x-ratelimit-reset"
"""How the names of headers begin that say when an allowance is refilled."""

_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?")
_EPOCH_MS = 1e11
_EPOCH_S = 1e9


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
    used_up = [seconds for seconds, remaining in _resets(headers, wall) if remaining == 0]
    return max(used_up, default=None)


def spacing(headers: Mapping[str, str], tokens: int, wall: float) -> float:
    """Return the seconds between starts that make what is left last until it is refilled.

    Each allowance with something left and a time of refill gives `reset / (remaining / need)`,
    where a request needs one of the requests and as many of the tokens as the last one took; the
    longest counts. It is 0 where the server states none. Under a bucket that is refilled steadily
    it settles at the stated rate, under a window of fixed length it spreads the rest evenly.

    Args:
        headers: Reply headers with lower-case names.
        tokens: Tokens of the prompt and the reply together; 0 where they are not stated.
        wall: Seconds since 1970 now.
    """
    spaces = [0.0]
    for name, value in headers.items():
        if not name.startswith(RESET):
            continue
        need = tokens if name.endswith("-tokens") else 1
        seconds = _duration(value, wall)
        remaining = _number(headers.get(name.replace("-reset", "-remaining"), ""))
        if seconds and remaining and need:
            spaces.append(seconds * need / max(remaining, need))
    return max(spaces)


@lru_cache(maxsize=256)
def limit_headers(names: tuple[str, ...]) -> frozenset[str]:
    """Return those of the names of headers that speak about rate limits."""
    return frozenset(
        name for name in names if "ratelimit" in name or name.startswith("retry-after")
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

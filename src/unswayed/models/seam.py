"""The seam to an HTTP client: one POST, one bounded reply."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Reply(NamedTuple):
    """What came back from one POST."""

    status: int
    """HTTP status."""
    headers: dict[str, str]
    """Headers with lower-case names."""
    body: bytes | None
    """The whole unpacked body; None when it is larger than any honest reply."""


class Transport(Protocol):
    """Sends requests over kept connections; follows no redirect and keeps no cookie."""

    async def post(self, url: str, body: bytes) -> Reply:
        """Send one request.

        Raises:
            TimeoutError: When the whole reply is not there in time.
            ConnectionError: When the exchange breaks; its text is the kind of fault.
        """
        ...

    async def close(self) -> None:
        """Close every connection."""
        ...

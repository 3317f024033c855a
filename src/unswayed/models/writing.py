"""Group commit: completions that arrive together are written in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from unswayed.models.completion import Completion
from unswayed.models.store import Store

GATHER_S = 0.04
"""Seconds for which completions are gathered, so that a transaction holds more than one: a row
costs three times as much in a transaction of 32 as in one of 512."""

MOST_UNWRITTEN = 1024
"""Completions that may wait to be written; whoever brings more waits."""


class Writer:
    """Writes completions as they come, many in one transaction.

    Args:
        store: Where they go.
        stored: Called with rows that are on disk.
    """

    def __init__(
        self, store: Store, stored: Callable[[list[tuple[str, Completion]]], None]
    ) -> None:
        self._store = store
        self._stored = stored
        self._rows: list[tuple[str, Completion]] = []
        self._arrived = asyncio.Event()
        self._room = asyncio.Event()
        self._closing = asyncio.Event()

    def put(self, replay_id: str, completion: Completion) -> None:
        """Hand over a completion; it is safe when `stored` has been called with it.

        Whoever does so while it is `full` waits for `room` before the next one.
        """
        if not self._rows:
            self._arrived.set()
        self._rows.append((replay_id, completion))

    @property
    def full(self) -> bool:
        """Whether as many wait to be written as may."""
        return len(self._rows) >= MOST_UNWRITTEN

    async def room(self) -> None:
        """Wait until what is waiting is being written."""
        while self.full:
            self._room.clear()
            await self._room.wait()

    async def run(self) -> None:
        """Write until `finish`.

        Raises:
            StoreError: When the store cannot take them.
        """
        while not self._closing.is_set() or self._rows:
            await self._arrived.wait()
            if not self._closing.is_set():
                await asyncio.sleep(GATHER_S)
            self._arrived.clear()
            rows, self._rows = self._rows, []
            self._room.set()
            if rows:
                await asyncio.to_thread(self._store.add, rows)
                self._stored(rows)

    async def finish(self, writing: asyncio.Task[None]) -> None:
        """Write what has arrived and end."""
        self._closing.set()
        self._arrived.set()
        await writing

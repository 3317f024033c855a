"""Group commit: completions that arrive together are written in one transaction."""

from __future__ import annotations

import asyncio
from typing import Any

from unswayed.models.completion import Completion
from unswayed.models.store import Store


class Writer:
    """Group commit: everything that has arrived is written in one transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.rows: list[tuple[str, Completion]] = []
        self.done: list[asyncio.Future[None]] = []
        self.arrived = asyncio.Event()
        self.closing = False

    async def put(self, replay_id: str, completion: Completion) -> None:
        """Hand over a completion; returns when it is safe."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.rows.append((replay_id, completion))
        self.done.append(future)
        self.arrived.set()
        await future

    async def run(self) -> None:
        """Write until `finish`."""
        while not (self.closing and not self.rows):
            await self.arrived.wait()
            self.arrived.clear()
            rows, self.rows = self.rows, []
            waiting, self.done = self.done, []
            if not rows:
                continue
            try:
                await asyncio.to_thread(self.store.add, rows)
            except Exception as error:
                # Whatever it is, everybody who waits for these rows hears of it; then it is raised.
                for future in waiting:
                    fail(future, error)
                raise
            for future in waiting:
                if not future.done():
                    future.set_result(None)

    async def finish(self, writing: asyncio.Task[None]) -> None:
        """Write what has arrived and end."""
        self.closing = True
        self.arrived.set()
        await writing


def fail(future: asyncio.Future[Any], error: Exception) -> None:
    """Hand an error to whoever waits; nobody may be waiting any more."""
    if not future.done():
        future.set_exception(error)
        future.exception()

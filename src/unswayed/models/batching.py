"""Models that take many requests with advantage: requests are gathered and asked together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from unswayed.models.completion import Completion
from unswayed.models.protocol import Model, Request

TURNS = 4
"""Turns of the event loop in which others may still add to a batch."""


class StoppedError(Exception):
    """A request was not asked, because the run is to end."""


class Batcher:
    """Gathers requests until nothing else can be added, then asks them together.

    Args:
        model: What is asked.
        may_go_on: Whether another batch may be asked.
    """

    def __init__(self, model: Model, may_go_on: Callable[[], bool]) -> None:
        self._model = model
        self._may_go_on = may_go_on
        self._waiting: list[tuple[Request, asyncio.Future[Completion]]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, request: Request) -> Completion:
        """Ask a request as part of a batch.

        Raises:
            StoppedError: When the run ends before it was asked.
        """
        future: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._flush())
        return await future

    def close(self) -> None:
        """Give up what still waits."""
        if self._task is not None:
            self._task.cancel()

    async def _flush(self) -> None:
        while self._waiting:
            for _ in range(TURNS):
                await asyncio.sleep(0)
            # Options are scored together; a written reply takes seconds and is stored by itself.
            size = self._model.batch if self._waiting[0][0].options else 1
            batch, self._waiting = self._waiting[:size], self._waiting[size:]
            try:
                if not self._may_go_on():
                    raise StoppedError
                completions = await self._model.complete([request for request, _ in batch])
            except BaseException as error:
                for _, future in batch + self._waiting:
                    _fail(future, error if isinstance(error, Exception) else StoppedError())
                self._waiting = []
                if not isinstance(error, Exception):
                    raise
                return
            for (_, future), completion in zip(batch, completions, strict=True):
                if not future.done():
                    future.set_result(completion)


def _fail(future: asyncio.Future[Completion], error: Exception) -> None:
    """Hand an error to whoever waits; nobody may be waiting any more."""
    if not future.done():
        future.set_exception(error)
        future.exception()

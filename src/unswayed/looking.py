"""A look at the replies of a run while it goes on: which share of them cannot be read so far."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from unswayed.folder import RunFolder
from unswayed.items.key import keyed
from unswayed.models.completion import Completion
from unswayed.models.progress import Progress
from unswayed.models.store import Store
from unswayed.plans.plan import Replay
from unswayed.readouts.reading import read_completion
from unswayed.rereading import asked_in

LOOKED = "unread of those looked at"
"""Name of the fact in the store: two counts, of the session that wrote it last."""
NOTE_S = 2.0
"""Seconds between two notes of it."""


@asynccontextmanager
async def looking(folder: RunFolder, store: Store, progress: Progress) -> AsyncIterator[None]:
    """Have replies read by the plan's own readout as they come, and note the counts in the store.

    Scored options are left out: they are read against each other when all are there.
    """
    items, design = folder.read_items(), folder.about_plan().design

    def look(replay: Replay, completion: Completion) -> bool | None:
        if replay.options:
            return None
        item = keyed(items[replay.item], replay.key)
        return read_completion(completion, asked_in(replay, item), design.readout).value is None

    progress.look = look
    noting = asyncio.create_task(_note(store, progress))
    try:
        yield
    finally:
        progress.look = None
        noting.cancel()
        with suppress(asyncio.CancelledError):
            await noting
        _write(store, progress)


def looked(facts: dict[str, str]) -> tuple[int, int]:
    """Return how many replies were unread of how many that were looked at."""
    n_unread, n = facts.get(LOOKED, "0 0").split()
    return int(n_unread), int(n)


async def _note(store: Store, progress: Progress) -> None:
    while True:
        await asyncio.sleep(NOTE_S)
        await asyncio.to_thread(_write, store, progress)


def _write(store: Store, progress: Progress) -> None:
    if progress.n_looked:
        store.state(LOOKED, f"{progress.n_unread} {progress.n_looked}")

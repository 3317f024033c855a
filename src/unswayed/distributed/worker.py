"""One worker of a distributed run: the engine of a local run, on one chunk and its shard."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import msgspec

from unswayed.distributed.chunks import Chunk
from unswayed.errors import StoreError, UnswayedError
from unswayed.folder import RunFolder
from unswayed.models.opening import Reach, open_model
from unswayed.models.progress import Limits, Progress
from unswayed.models.protocol import Model, Price, cost_of
from unswayed.models.run import run_replays
from unswayed.models.shards import Shards

LOOK_S = 0.25
"""Seconds between two looks whether the run is to end."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What every worker of a run has to know."""

    model: str
    """The model, as after `--model`."""
    reach: Reach
    """How to reach it; its concurrency is that of one worker."""
    seed: int
    """Seed of a scripted respondent."""
    folder: str = ""
    """The run folder, as an absolute path that every worker sees."""
    cost_per_replay: float | None = None
    """Most that a chunk may cost, for each of its replays; None for no limit."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a chunk."""

    chunk: str
    """Its name."""
    counts: dict[str, int] = {}
    """Counts of `Progress`, by field."""
    cost: float | None = None
    """What it cost; None where that is not known."""
    stopped: str = ""
    """Why it ended early; empty when it did not."""
    fault: UnswayedError | None = None
    """What ended it, when that will not mend by itself."""


COUNTED = (
    "n_asked",
    "n_failed",
    "n_waiting",
    "prompt_tokens",
    "cached_tokens",
    "prompt_tokens_of_cached",
    "completion_tokens",
    "n_unpriced",
)
"""Counts of `Progress` that are sums over chunks."""


class Column(Protocol):
    """A column of a batch, as Daft hands it over."""

    def to_pylist(self) -> list[bytes]:
        """Return its values."""
        ...


class Worker:
    """Asks chunks one after the other; a model inside the process is loaded once.

    Args:
        job: What to know.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self._folder = RunFolder(Path(job.folder))
        self._loaded: Model | None = None

    def ask(self, chunks: Column) -> list[bytes]:
        """Ask every chunk of a batch, and return one pickled tally each."""
        # Whoever calls may have an event loop, so the engine's runs in a thread of its own.
        with ThreadPoolExecutor(1) as pool:
            return [
                pickle.dumps(pool.submit(self._ask, raw).result()) for raw in chunks.to_pylist()
            ]

    def _ask(self, raw: bytes) -> Tally:
        chunk = msgspec.json.decode(raw, type=Chunk)
        progress, fault = Progress(), None
        try:
            asyncio.run(self._run(chunk, progress))
        except UnswayedError as error:
            fault = error
        cost = progress.cost
        if cost is not None and self.job.cost_per_replay is not None:
            cost -= _cost(chunk, self.job.reach.price)
        return Tally(
            chunk=chunk.name,
            counts={name: getattr(progress, name) for name in COUNTED},
            cost=cost,
            stopped=progress.stopped,
            fault=fault,
        )

    async def _run(self, chunk: Chunk, progress: Progress) -> None:
        if not self._folder.contract.exists():
            raise StoreError(
                "A worker does not see the run folder",
                allowed="a folder under the same path on every machine",
                given=str(self._folder.path),
                next_step="put the run on a shared file system and name it with --to",
            )
        shards = Shards(self._folder.store, self._folder.read_contract().owner)
        if shards.stopped:
            progress.stopped = "told to end"
            return
        model = self._open()
        shard = shards.open_shard(chunk.name)
        listening = asyncio.create_task(_obey(shards, progress))
        try:
            shard.add(chunk.earlier.items())
            await run_replays(
                chunk.replays,
                model,
                shard,
                sampling=self._folder.about_plan().design.sampling,
                limits=self._limits(chunk),
                progress=progress,
            )
        finally:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening
            shard.close()
            await model.close()

    def _limits(self, chunk: Chunk) -> Limits:
        job = self.job
        most = None
        if job.cost_per_replay is not None:
            # The engine counts what lies in the store, so the replies that came along as well.
            most = job.cost_per_replay * len(chunk.replays) + _cost(chunk, job.reach.price)
        return Limits(concurrency=job.reach.concurrency, max_cost=most, price=job.reach.price)

    def _open(self) -> Model:
        if self._loaded is not None:
            return self._loaded
        job, contract = self.job, self._folder.read_contract()
        items = self._folder.read_items().values()
        model = open_model(job.model, items, reach=job.reach, seed=job.seed)
        if model.identity != contract.model:
            raise StoreError(
                "A worker has opened another model than the run is about",
                allowed=str(contract.model),
                given=str(model.identity),
                next_step="give every machine the same files and packages",
            )
        if model.identity.kind != "http":
            self._loaded = model
        return model


async def _obey(shards: Shards, progress: Progress) -> None:
    """End the chunk after what is in flight, once the run is to end."""
    while not progress.stopped:
        await asyncio.sleep(LOOK_S)
        if shards.stopped:
            progress.stopped = "told to end"


def _cost(chunk: Chunk, price: Price | None) -> float:
    """Return what the replies that came with a chunk have cost."""
    if price is None:
        return 0.0
    return sum(cost_of(completion, price) or 0.0 for completion in chunk.earlier.values())


def add_up(progress: Progress, tallies: Sequence[Tally]) -> None:
    """Add what became of chunks to the progress of the run."""
    for tally in tallies:
        for name in COUNTED:
            setattr(progress, name, getattr(progress, name) + tally.counts.get(name, 0))
        if tally.cost is not None:
            progress.cost = (progress.cost or 0.0) + tally.cost

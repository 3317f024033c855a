"""Running a plan: schedule, ask, store, resume.

Replays go out item by item, so that those with a shared prefix are neighbors. A replay that needs
an earlier reply follows as soon as that is there. A completion counts when it is on disk; a run
that is stopped or killed goes on where it was, and asks nothing twice that was stored.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from unswayed.errors import ModelError, StoreError
from unswayed.models.batching import Batcher, StoppedError
from unswayed.models.completion import Completion
from unswayed.models.progress import Limits, Progress
from unswayed.models.protocol import Model, Request
from unswayed.models.schedule import Schedule
from unswayed.models.spending import Purse
from unswayed.models.store import Store
from unswayed.models.usage import MOST_NAMES
from unswayed.models.writing import Writer
from unswayed.plans.plan import Replay
from unswayed.plans.sampling import Sampling

__all__ = ["HOPELESS", "Limits", "Progress", "run_replays"]

HOPELESS = 50
"""Failures in a row, without one success, after which a run stops."""

OF_ONE_REQUEST = ("context_full", "content_filter")
"""Failures that would come again, and are of that request alone."""

BATCHES = 4
"""Batches whose requests are gathered at once, for models that take batches."""

LOOK_AT_ALL, LOOK_AT_ONE_IN = 500, 16
"""So many replies are all read while the run goes on, and after that one in so many."""

GRACE_S = 10.0
"""Most that a stopped run waits for replies to requests that a server has."""

LOOK_S = 0.1
"""Seconds between two looks whether a run is to end."""

COLLECT_AFTER = 50_000
"""New objects, less those freed, after which garbage is looked for during a run."""


async def run_replays(
    replays: Iterable[Replay],
    model: Model,
    store: Store,
    *,
    sampling: Sampling,
    limits: Limits,
    progress: Progress,
) -> Progress:
    """Ask every replay that has no stored completion yet.

    Args:
        replays: The plan, item by item; consumed as a stream.
        model: What to ask.
        store: Where completions go.
        sampling: How completions are drawn.
        limits: Bounds of the run.
        progress: Changed in place; set `stopped` to end the run after what is in flight.

    Raises:
        ModelError: For a fault that retrying does not mend; everything answered is stored.
        StoreError: When the store cannot take what was answered; or, with everything answered
            stored, when attempts can no longer be logged.
    """
    runner = _Runner(model, store, sampling, limits, progress)
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def cancel() -> None:
        if task is not None:
            loop.call_soon_threadsafe(task.cancel)

    progress.cancel = cancel
    try:
        with _rare_collection():
            await runner.run(Schedule(replays, store, progress))
    finally:
        progress.cancel = None
    unlogged: StoreError | None = getattr(model, "unlogged", None)
    if unlogged is not None:
        raise unlogged
    return progress


class _Runner:
    """Workers that take a replay, ask it, and hand the completion to the writer."""

    def __init__(
        self, model: Model, store: Store, sampling: Sampling, limits: Limits, progress: Progress
    ) -> None:
        self.model, self.sampling = model, sampling
        self.limits, self.progress = limits, progress
        self.store, self.name = store, model.identity.name
        self.batcher = Batcher(model, self._may_go_on) if model.batch > 1 else None
        self.n_workers = limits.concurrency if self.batcher is None else BATCHES * model.batch
        self.failures_in_row = 0
        self.purse = Purse(limits, progress, store)
        self.limited = self.purse.limited

    async def run(self, schedule: Schedule) -> None:
        self.writer = Writer(self.store, schedule.stored)
        writing = asyncio.create_task(self.writer.run())
        workers = [asyncio.create_task(self._work(schedule)) for _ in range(self.n_workers)]
        working: asyncio.Future[list[None]] = asyncio.gather(*workers)
        ending = asyncio.create_task(self._end())
        try:
            await asyncio.wait((working, writing, ending), return_when=asyncio.FIRST_COMPLETED)
            if writing.done():
                writing.result()
            if not ending.done() or working.done():
                await working
            else:
                ending.result()
            schedule.count_rest()
        finally:
            for task in (ending, *workers):
                task.cancel()
            await asyncio.gather(working, ending, *workers, return_exceptions=True)
            if self.batcher is not None:
                self.batcher.close()
            await self.writer.finish(writing)

    async def _end(self) -> None:
        """Return once a run that is to end has what it waits for: replies, for a bounded time.

        A model in this process has no waits between attempts, and ends what it has begun.
        """
        while self._may_go_on():
            await asyncio.sleep(LOOK_S)
        until = time.monotonic() + GRACE_S
        while (n_on_wire := getattr(self.model, "n_on_wire", None)) is None or (
            n_on_wire and time.monotonic() < until
        ):
            await asyncio.sleep(LOOK_S)

    async def _work(self, schedule: Schedule) -> None:
        while (taken := await schedule.take()) is not None:
            block, replay = taken
            if not self._may_go_on():
                break
            request, fault = self._request(replay, block.replies), None
            if request is None:
                completion = Completion(text="", stop="unknown", attempts=0)
            else:
                try:
                    asked = await (self._pay_for(request) if self.limited else self._ask(request))
                except StoppedError:
                    break
                if asked is None:
                    break
                completion = asked
                fault = self._count(request, completion)
                self._look(replay, completion)
            self.writer.put(replay.id, completion)
            if self.writer.full:
                await self.writer.room()
            if fault is not None:
                raise fault
            schedule.give_back(block, replay, completion)
        schedule.close()

    def _look(self, replay: Replay, completion: Completion) -> None:
        """Read a reply: all of the first ones, and then one in some."""
        progress = self.progress
        if progress.look is None or completion.error is not None:
            return
        if progress.n_looked < LOOK_AT_ALL or not progress.n_asked % LOOK_AT_ONE_IN:
            unread = progress.look(replay, completion)
            if unread is not None:
                progress.n_looked += 1
                progress.n_unread += unread

    def _request(self, replay: Replay, replies: dict[str, str]) -> Request | None:
        """Return what is asked; None where it would follow an empty reply."""
        transcript = replay.transcript
        if pending := transcript.pending():
            if any(not replies[name].strip() for name in pending):
                return None
            transcript = transcript.fill(replies)
        return Request(
            id=replay.id,
            transcript=transcript,
            options=replay.options,
            sampling=self.sampling.in_stream(replay.stream),
            stream=replay.stream,
            draw=replay.draw,
            item_id=replay.item,
            key=replay.key,
            cell=replay.condition,
        )

    async def _pay_for(self, request: Request) -> Completion | None:
        """Ask once the cost is set aside; return None where it would pass the limit."""
        aside = await self.purse.set_aside(request)
        if aside is None:
            return None
        try:
            return await self._ask(request)
        finally:
            self.purse.settle(aside)

    async def _ask(self, request: Request) -> Completion:
        if self.batcher is not None:
            return await self.batcher.ask(request)
        return (await self.model.complete([request]))[0]

    def _may_go_on(self) -> bool:
        """Whether another request may be started; says why not in the progress."""
        limits, progress = self.limits, self.progress
        if progress.stopped:
            return False
        if getattr(self.model, "unlogged", None) is not None:
            progress.stopped = "attempts can no longer be logged"
        if limits.max_seconds is not None:
            spent = time.monotonic() - progress.started
            if spent > limits.max_seconds:
                progress.stopped = "the time limit was reached"
        return not progress.stopped

    def _count(self, request: Request, completion: Completion) -> ModelError | None:
        """Count a completion; return the fault that ends the run, if this one shows it."""
        progress = self.progress
        progress.n_asked += 1
        if completion.error is not None:
            progress.n_failed += 1
            # A request that is too long or filtered says nothing about the endpoint.
            self.failures_in_row += not completion.error.startswith(OF_ONE_REQUEST)
            if self.failures_in_row >= HOPELESS:
                return ModelError(
                    f"{HOPELESS} requests in a row failed",
                    allowed="an endpoint that answers",
                    given=completion.error,
                    next_step="mend the endpoint, then run the same command again; it resumes",
                )
            return None
        self.failures_in_row = 0
        named = completion.served_by
        if named and named != self.name:
            others = progress.other_models
            if named in others or len(others) < MOST_NAMES:
                others[named] = others.get(named, 0) + 1
        progress.prompt_tokens += completion.n_prompt_tokens or 0
        progress.completion_tokens += completion.n_completion_tokens or 0
        if completion.n_cached_tokens is not None and completion.n_prompt_tokens is not None:
            progress.cached_tokens += completion.n_cached_tokens
            progress.prompt_tokens_of_cached += completion.n_prompt_tokens
        return self.purse.pay(request, completion)


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Look for circular garbage rarely while many requests are in flight.

    With a thousand of them the collector walks through all that they hold, again and again, and
    takes a quarter of the processor time; almost nothing here is circular.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], COLLECT_AFTER), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)

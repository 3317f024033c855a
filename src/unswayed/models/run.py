"""Running a plan: schedule, ask, store, resume.

Replays go out item by item, so that those with a shared prefix are neighbors. A replay that needs
an earlier reply waits for it. Every completion is written before it counts; a run that is stopped
or killed goes on where it was, and asks nothing twice.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import groupby

import msgspec

from unswayed.errors import CapabilityError, ModelError
from unswayed.models.completion import Completion
from unswayed.models.protocol import Model, Price, Request, cost_of
from unswayed.models.store import Store
from unswayed.models.writing import Writer, fail
from unswayed.plans.plan import Replay
from unswayed.plans.sampling import Sampling

HOPELESS = 50
"""Failures in a row, without one success, after which a run stops."""


class Progress(msgspec.Struct, kw_only=True):
    """What a run has done so far; changed in place and shown by the progress view."""

    n_planned: int = 0
    """Replays of the plan."""
    n_done: int = 0
    """Replays with a stored completion, earlier sessions included."""
    n_asked: int = 0
    """Requests asked in this session."""
    n_failed: int = 0
    """Replays whose last attempt failed in this session."""
    n_waiting: int = 0
    """Replays that cannot be asked because the reply they need failed."""
    prompt_tokens: int = 0
    """Prompt tokens stated by the endpoint in this session."""
    completion_tokens: int = 0
    """Written tokens stated by the endpoint in this session."""
    cost: float | None = None
    """Known cost, of all sessions where a cost limit holds, else of this one; None if unknown."""
    stopped: str = ""
    """Why the run stopped early; empty when it did not."""
    cancel: Callable[[], None] | None = None
    """Ends the run without waiting for what is in flight; set while a run goes on."""
    started: float = msgspec.field(default_factory=time.monotonic)
    """Monotonic time of the start."""

    @property
    def complete(self) -> bool:
        """Whether every replay of the plan has a completion."""
        return self.n_done == self.n_planned and not self.stopped


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of a run."""

    concurrency: int = 32
    """Requests in flight at once, for models that take one at a time."""
    max_cost: float | None = None
    """Stop before the known cost of the run, earlier sessions included, passes this amount."""
    max_seconds: float | None = None
    """Stop asking after this time."""
    price: Price | None = None
    """Price of the model."""


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
    """
    runner = _Runner(model, store, sampling, limits, progress)
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def cancel() -> None:
        if task is not None:
            loop.call_soon_threadsafe(task.cancel)

    progress.cancel = cancel
    try:
        await runner.run(replays)
    finally:
        progress.cancel = None
    return progress


class _Stopped(Exception):
    """Ends the blocks that have not been asked yet."""


class _Runner:
    def __init__(
        self, model: Model, store: Store, sampling: Sampling, limits: Limits, progress: Progress
    ) -> None:
        self.model, self.store, self.sampling = model, store, sampling
        self.limits, self.progress = limits, progress
        self.done = store.done()
        self.writer = Writer(store)
        self.failures_in_row = 0
        self.ended = False
        if limits.max_cost is not None and limits.price is not None:
            progress.cost = _paid(store, limits.price)
        batched = model.batch > 1
        self.asker: _Batcher | _Gate = (
            _Batcher(model) if batched else _Gate(model, limits.concurrency)
        )
        self.window = max(limits.concurrency, 4) if not batched else max(model.batch // 4, 8)

    async def run(self, replays: Iterable[Replay]) -> None:
        writing = asyncio.create_task(self.writer.run())
        running: set[asyncio.Task[None]] = set()
        try:
            blocks = self._blocks(replays)
            for block in blocks:
                if self.progress.stopped:
                    break
                running.add(asyncio.create_task(self._block(block)))
                if len(running) >= self.window:
                    finished, running = await asyncio.wait(
                        running, return_when=asyncio.FIRST_COMPLETED
                    )
                    _raise_first(finished)
                self._check_writer(writing)
            while running:
                finished, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                _raise_first(finished)
                self._check_writer(writing)
            # A stopped run still says how much is left: the rest of the plan is counted.
            deque(blocks, maxlen=0)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            self.asker.close()
            await self.writer.finish(writing)

    def _check_writer(self, writing: asyncio.Task[None]) -> None:
        if writing.done():
            writing.result()

    def _blocks(self, replays: Iterable[Replay]) -> Iterator[list[Replay]]:
        """Yield the replays of one item at a time, and pass over what is done."""
        for _, group in groupby(replays, key=lambda replay: replay.item):
            block = list(group)
            self.progress.n_planned += len(block)
            open_ = [replay for replay in block if bytes.fromhex(replay.id) not in self.done]
            self.progress.n_done += len(block) - len(open_)
            if open_:
                yield open_

    async def _block(self, block: Sequence[Replay]) -> None:
        """Ask the replays of one item, each as soon as the replies it needs are there."""
        own = {replay.id for replay in block}
        needed = {name for replay in block for name in replay.transcript.pending()}
        stored = self.store.get(sorted(needed - own))
        replies: dict[str, str] = {name: reply.text for name, reply in stored.items()}
        left = list(block)
        while left:
            ready = [r for r in left if all(name in replies for name in r.transcript.pending())]
            if not ready:
                self.progress.n_waiting += len(left)
                return
            try:
                completions = await _gather([self._ask(r, replies) for r in ready])
            except _Stopped:
                return
            for replay, completion in zip(ready, completions, strict=True):
                if completion.error is None:
                    replies[replay.id] = completion.text
            asked = {replay.id for replay in ready}
            left = [replay for replay in left if replay.id not in asked]

    async def _ask(self, replay: Replay, replies: dict[str, str]) -> Completion:
        if self.progress.stopped:
            raise _Stopped
        if any(not replies[name].strip() for name in replay.transcript.pending()):
            completion = Completion(text="", stop="unknown", attempts=0)
        else:
            request = Request(
                id=replay.id,
                transcript=replay.transcript.fill(replies),
                options=replay.options,
                sampling=self.sampling.in_stream(replay.stream),
                stream=replay.stream,
                draw=replay.draw,
                item_id=replay.item,
                cell=replay.condition,
            )
            try:
                completion = await self.asker.ask(request, self._go_on)
            except ModelError:
                self.ended = True
                raise
        fault = self._count(completion) if completion.attempts else None
        self.ended = self.ended or fault is not None
        await self.writer.put(replay.id, completion)
        if fault is not None:
            raise fault
        if completion.error is None:
            self.progress.n_done += 1
        return completion

    def _go_on(self) -> None:
        """Refuse to start another request once the run is to stop."""
        spent = time.monotonic() - self.progress.started
        if self.limits.max_seconds is not None and spent > self.limits.max_seconds:
            self.progress.stopped = self.progress.stopped or "the time limit was reached"
        if (
            self.limits.max_cost is not None
            and self.progress.cost is not None
            and self.progress.cost >= self.limits.max_cost
        ):
            self.progress.stopped = self.progress.stopped or "the cost limit was reached"
        if self.progress.stopped or self.ended:
            raise _Stopped

    def _count(self, completion: Completion) -> ModelError | None:
        """Count a completion; return the fault that ends the run, if this one shows it."""
        progress = self.progress
        progress.n_asked += 1
        if completion.error is not None:
            progress.n_failed += 1
            self.failures_in_row += 1
            if self.failures_in_row >= HOPELESS:
                return ModelError(
                    f"{HOPELESS} requests in a row failed",
                    allowed="an endpoint that answers",
                    given=completion.error,
                    next_step="mend the endpoint, then run the same command again; it resumes",
                )
            return None
        self.failures_in_row = 0
        progress.prompt_tokens += completion.n_prompt_tokens or 0
        progress.completion_tokens += completion.n_completion_tokens or 0
        return self._charge(completion)

    def _charge(self, completion: Completion) -> ModelError | None:
        price = self.limits.price
        if price is None:
            return None
        paid = cost_of(completion, price)
        if paid is None:
            if self.limits.max_cost is not None:
                return CapabilityError(
                    "The endpoint does not state its token usage, so a cost limit cannot be kept",
                    allowed="a cost limit on endpoints that return usage fields",
                    given=f"max cost {self.limits.max_cost}",
                    next_step="run again without --max-cost, or with --max-minutes",
                )
            return None
        self.progress.cost = (self.progress.cost or 0.0) + paid
        return None


class _Gate:
    """One request at a time per call, at most `concurrency` calls at once."""

    def __init__(self, model: Model, concurrency: int) -> None:
        self.model = model
        self.free = asyncio.Semaphore(concurrency)

    async def ask(self, request: Request, go_on: Callable[[], None]) -> Completion:
        async with self.free:
            go_on()
            return (await self.model.complete([request]))[0]

    def close(self) -> None:
        """Nothing is kept."""


class _Batcher:
    """Collects requests until nothing else can be added, then asks them together."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.waiting: list[tuple[Request, asyncio.Future[Completion]]] = []
        self.task: asyncio.Task[None] | None = None

    async def ask(self, request: Request, go_on: Callable[[], None]) -> Completion:
        go_on()
        future: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self.waiting.append((request, future))
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._flush(go_on))
        return await future

    async def _flush(self, go_on: Callable[[], None]) -> None:
        while self.waiting:
            for _ in range(4):
                await asyncio.sleep(0)
            # Options are scored together; a written reply takes seconds and is stored by itself.
            size = self.model.batch if self.waiting[0][0].options else 1
            batch, self.waiting = self.waiting[:size], self.waiting[size:]
            try:
                go_on()
                completions = await self.model.complete([request for request, _ in batch])
            except BaseException as error:
                for _, future in batch + self.waiting:
                    fail(future, error if isinstance(error, Exception) else _Stopped())
                self.waiting = []
                if not isinstance(error, Exception):
                    raise
                return
            for (_, future), completion in zip(batch, completions, strict=True):
                if not future.done():
                    future.set_result(completion)

    def close(self) -> None:
        """Give up what still waits."""
        if self.task is not None:
            self.task.cancel()


async def _gather(asks: Iterable[Awaitable[Completion]]) -> list[Completion]:
    """Await all; raise the first error only after all have ended, so that nothing is lost."""
    results = await asyncio.gather(*asks, return_exceptions=True)
    completions = [result for result in results if isinstance(result, Completion)]
    errors = [result for result in results if isinstance(result, BaseException)]
    for error in errors:
        if not isinstance(error, _Stopped):
            raise error
    if errors:
        raise errors[0]
    return completions


def _paid(store: Store, price: Price) -> float | None:
    """Return what the stored completions cost; None when none of them says."""
    costs = [cost_of(completion, price) for _, completion in store.completions()]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known else None


def _raise_first(finished: Iterable[asyncio.Task[None]]) -> None:
    """Raise one of the errors, after every task has been asked for its own."""
    errors = [error for task in finished if (error := task.exception()) is not None]
    if errors:
        raise errors[0]

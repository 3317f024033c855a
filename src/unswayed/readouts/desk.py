"""The desk of a judge: every request is made once, stored, read, and retried once."""

from __future__ import annotations

import asyncio
from hashlib import sha256

import msgspec

from unswayed.errors import ModelError
from unswayed.models.completion import Completion
from unswayed.models.protocol import Request
from unswayed.models.store import Store
from unswayed.readouts.anchored import read_anchored
from unswayed.readouts.answer import Reading
from unswayed.readouts.appointed import Appointed
from unswayed.readouts.judge import Judge, Matter, render
from unswayed.transcript import digest

HOPELESS = 20
"""Failures in a row, without one success, after which asking a judge stops."""

_ATTEMPTS = 2


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One reply to be judged."""

    id: str
    """Id of the case. Never sent; only scripted judges, who hold a key, read it."""
    matter: Matter
    """What the judge may know about the question."""
    reply: str
    """The final answer alone, without reasoning and without earlier turns."""


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge said about one reply."""

    case: str
    """Id of the case."""
    reading: Reading
    """The verdict's meaning, or why the judge gave none."""
    swapped: bool
    """Whether references or verdicts were listed the other way round."""
    attempts: int
    """How often the judge was asked: 1, or 2 when its first reply could not be read."""
    failed: bool = False
    """Whether the request failed on the way, so that running again may give a verdict."""


def listed_other_way(judge: Judge, matter: Matter) -> bool:
    """Whether a question's references or verdicts are listed the other way round.

    Half of all questions are, by a hash, so that a judge that likes a place favors no answer. All
    arms of an item have the same order, so that order cannot make an effect.
    """
    key = digest([judge.id, msgspec.to_builtins(_encodable(matter))])
    return sha256(key.encode()).digest()[0] % 2 == 1


class Desk:
    """Where requests to a judge are made once, stored, and read."""

    def __init__(self, appointed: Appointed, store: Store, free: asyncio.Semaphore) -> None:
        self.appointed, self.store, self.free = appointed, store, free
        self.asked: dict[str, asyncio.Future[Completion]] = {}
        self.failures: list[str] = []
        self.rows: list[tuple[str, Completion]] = []
        self.writing: asyncio.Task[None] | None = None

    async def judge(self, case: Case, swapped: bool | None, draw: int) -> Judgement:
        """Judge one case, and ask once more where the first reply cannot be read."""
        judge = self.appointed.judge
        turned = listed_other_way(judge, case.matter) if swapped is None else swapped
        reading = Reading(reason="machine_error", detail="never asked")
        for attempt in range(_ATTEMPTS):
            number = _ATTEMPTS * draw + attempt
            prompt = render(judge, case.matter, case.reply, swapped=turned, draw=number)
            transcript = prompt.transcript()
            request = Request(
                id=digest([transcript.to_wire(), self.appointed.sampling, number]),
                transcript=transcript,
                sampling=self.appointed.sampling,
                draw=number,
                item_id=case.id,
                cell={"judge": judge.id, "order": "swapped" if turned else "listed"},
            )
            completion = await self.complete(request)
            reading = read_anchored(completion, prompt.nonce, prompt.words)
            failed = completion.error is not None
            if reading.value is not None or failed:
                break
        return Judgement(
            case=case.id, reading=reading, swapped=turned, attempts=attempt + 1, failed=failed
        )

    async def complete(self, request: Request) -> Completion:
        """The stored completion of a request, or a new one that is stored first."""
        if request.id in self.asked:
            return await asyncio.shield(self.asked[request.id])
        future: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self.asked[request.id] = future
        try:
            completion = self.store.get([request.id]).get(request.id)
            if completion is None:
                completion = await self._ask(request)
        except BaseException:
            future.cancel()
            raise
        future.set_result(completion)
        return completion

    async def _ask(self, request: Request) -> Completion:
        for _ in range(_ATTEMPTS):
            async with self.free:
                self._check_hope()
                completion = (await self.appointed.model.complete([request]))[0]
            if completion.error is None:
                self.failures = []
                break
            self.failures.append(completion.error)
        await self._keep(request.id, completion)
        return completion

    def _check_hope(self) -> None:
        if len(self.failures) >= HOPELESS:
            raise ModelError(
                f"{HOPELESS} requests to the judge failed in a row",
                given=self.failures[-1],
                next_step="mend the endpoint, then run the same command again; it resumes",
            )

    async def _keep(self, request_id: str, completion: Completion) -> None:
        """Store a completion, together with all that arrive at the same time."""
        self.rows.append((request_id, completion))
        if self.writing is None:
            self.writing = asyncio.create_task(self._write())
        await asyncio.shield(self.writing)

    async def _write(self) -> None:
        try:
            await asyncio.sleep(0)
            while self.rows:
                rows, self.rows = self.rows, []
                await asyncio.to_thread(self.store.add, rows)
        finally:
            self.writing = None

    async def finish(self) -> None:
        """Wait until everything that arrived is stored."""
        if self.writing is not None:
            await self.writing


def _encodable(matter: Matter) -> Matter:
    """The same texts without lone surrogates, which no codec takes."""
    fields = {
        name: getattr(matter, name).encode("utf-8", errors="backslashreplace").decode("utf-8")
        for name in matter.__struct_fields__
    }
    return Matter(**fields)

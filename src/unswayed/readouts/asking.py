"""Asks a judge about replies: appointed apart from the subject, stored, resumed, retried once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from unswayed.errors import ModelError, ReadoutError
from unswayed.items.item import Item
from unswayed.models.completion import Completion
from unswayed.models.protocol import Identity, Model, Request
from unswayed.models.store import Store, owner_digest
from unswayed.plans.sampling import Sampling
from unswayed.readouts.anchored import read_anchored
from unswayed.readouts.answer import Reading
from unswayed.readouts.judge import Judge, Matter, render
from unswayed.readouts.reading import answer_of
from unswayed.readouts.reasoning import REASONING_TAGS
from unswayed.transcript import digest

OTHER_ANSWER = "(another answer)"
"""The value of a reply that settles on neither reference; no item has it as truth or target."""

SAMPLING = Sampling(temperature=0.0, max_tokens=600)
"""How judges are asked unless it is said otherwise."""

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


class Appointed(msgspec.Struct, frozen=True, kw_only=True):
    """A judge with the model that plays it, apart from the subject."""

    judge: Judge
    """The prompt and its verdicts."""
    model: Model
    """The model that judges."""
    itself: bool
    """Whether the model judges its own replies; printed wherever its numbers appear."""
    sampling: Sampling
    """How it is asked."""

    @property
    def owner(self) -> str:
        """Digest under which a store belongs to this judge, model and sampling."""
        facts = {
            "judge": self.judge.sha256,
            "model": self.model.identity,
            "sampling": self.sampling,
        }
        return owner_digest(facts)

    def open_store(self, path: Path) -> Store:
        """Open this judge's own store; the store of another judge or model is refused."""
        path.parent.mkdir(parents=True, exist_ok=True)
        return Store(path, self.owner)


def same_model(first: Identity, second: Identity) -> bool:
    """Whether two identities are one model: the same name, wherever it is served."""
    return first.name.strip().casefold() == second.name.strip().casefold()


def appoint(
    judge: Judge,
    model: Model,
    subject: Identity,
    *,
    allow_itself: bool = False,
    sampling: Sampling = SAMPLING,
) -> Appointed:
    """Appoint a model as a judge of another model's replies.

    Args:
        judge: The judge.
        model: The model that judges; there is no default.
        subject: The model whose replies are judged.
        allow_itself: Let a model judge its own replies; the numbers then say so.
        sampling: How the judge is asked.

    Raises:
        ReadoutError: When judge and subject are the same model and that is not allowed.
    """
    itself = same_model(model.identity, subject)
    if itself and not allow_itself:
        raise ReadoutError(
            "The judge is the model whose replies it would judge",
            allowed="another model, or an explicit permission that is printed beside the numbers",
            given=model.identity.name,
            next_step="name another judge model, or allow self-judging",
        )
    return Appointed(judge=judge, model=model, itself=itself, sampling=sampling)


def listed_other_way(judge: Judge, matter: Matter) -> bool:
    """Whether a question's references or verdicts are listed the other way round.

    Half of all questions are, by a hash, so that a judge that likes a place favors no answer. All
    arms of an item have the same order, so that order cannot make an effect.
    """
    key = digest([judge.id, msgspec.to_builtins(_encodable(matter))])
    return sha256(key.encode()).digest()[0] % 2 == 1


def replies_only(completion: Completion) -> str | Reading:
    """The final answer that a judge may see, or why there is none.

    Reasoning is left out. Errors, cut replies and replies without a letter or digit never reach a
    judge.
    """
    split = answer_of(completion, REASONING_TAGS)
    if isinstance(split, Reading):
        return split
    if completion.stop == "length":
        return Reading(reason="truncated", detail="the reply was cut off at the length limit")
    reply = split.answer.strip()
    if not any(character.isalnum() for character in reply):
        return Reading(reason="empty", detail="nothing but marks")
    return reply


async def ask_judge(
    cases: Sequence[Case],
    appointed: Appointed,
    store: Store,
    *,
    swapped: bool | None = None,
    draw: int = 0,
    concurrency: int = 8,
) -> list[Judgement]:
    """Ask a judge about replies, each once, and once more where its reply cannot be read.

    What is stored is not asked again. Identical cases are one request.

    Args:
        cases: The replies.
        appointed: Judge and model.
        store: The judge's store.
        swapped: List everything the one or the other way; None leaves it to the question's hash.
        draw: Number of the draw, for repeats.
        concurrency: Most requests at once.

    Returns:
        One judgement for each case, in order.

    Raises:
        ModelError: For a fault that retrying does not mend; what was answered is stored.
    """
    at_once = concurrency if appointed.model.batch == 1 else 1
    desk = _Desk(appointed, store, asyncio.Semaphore(at_once))
    tasks = [asyncio.create_task(desk.judge(case, swapped, draw)) for case in cases]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def read_with_judge(
    completions: Sequence[Completion],
    matters: Sequence[Matter],
    appointed: Appointed,
    store: Path,
    *,
    concurrency: int = 8,
) -> list[Reading]:
    """Read completions with a judge. The subject is not asked again, and neither is the judge.

    A failure of the judge is `machine_error` and never one of the reasons that count as behavior
    of the subject. The model is closed at the end.

    Args:
        completions: What the subject returned, one for each replay.
        matters: What is known about each replay's question, in the same order.
        appointed: Judge and model, from `appoint`.
        store: The judge's own SQLite file; what stands there costs nothing again.
        concurrency: Most requests at once.

    Returns:
        One reading for each completion, with the verdict's meaning as its value.

    Raises:
        ReadoutError: When the two lists differ in length, or the judge lacks what it needs.
        ModelError: For a fault that retrying does not mend; run again to go on.
    """
    if len(completions) != len(matters):
        raise ReadoutError(
            "Completions and matters do not match",
            allowed="one matter for each completion",
            given=f"{len(completions)} and {len(matters)}",
            next_step="build both from the same replays",
        )
    readings: list[Reading | None] = []
    cases: list[Case] = []
    for number, (completion, matter) in enumerate(zip(completions, matters, strict=True)):
        reply = replies_only(completion)
        if isinstance(reply, str) and len(reply) > appointed.judge.longest:
            detail = f"{len(reply)} characters are too long for the judge"
            reply = Reading(reason="machine_error", detail=detail)
        if isinstance(reply, str):
            cases.append(Case(id=str(number), matter=matter, reply=reply))
        readings.append(reply if isinstance(reply, Reading) else None)
    judged = iter(asyncio.run(_judge_and_close(cases, appointed, store, concurrency)))
    return [
        reading if reading is not None else as_reading(next(judged), appointed.judge)
        for reading in readings
    ]


def as_reading(judgement: Judgement, judge: Judge) -> Reading:
    """The reading of a reply: the verdict, its reason, or `machine_error` for a judge's failure."""
    found = judgement.reading
    if found.value is None:
        detail = f"the judge gave no verdict: {found.reason} {found.detail}".strip()
        return Reading(reason="machine_error", detail=detail[:120])
    for verdict in judge.verdicts:
        if verdict.means == found.value and verdict.reason is not None:
            return Reading(reason=verdict.reason, detail=f"judge: {found.value}")
    return Reading(value=found.value, sureness="declared", detail=f"judge: {judge.name}")


def answer_reading(reading: Reading, item: Item) -> Reading:
    """Turn a reading of `answer_equivalence` into one that `grade` takes.

    `truth` and `target` become the item's own texts, `other` a text that is neither, `no_answer`
    an abstention, which is behavior and stays in the denominator.

    Args:
        reading: A reading of the judge `answer_equivalence`.
        item: The item that was asked.
    """
    if reading.value is None:
        return reading
    if reading.value == "no_answer":
        return Reading(reason="abstention", detail=reading.detail)
    texts: Mapping[str, str | None] = {"truth": item.truth, "target": item.target}
    value = texts.get(reading.value) or OTHER_ANSWER
    return msgspec.structs.replace(reading, value=value)


def matter_of(item: Item, *, listed: bool, claim: str | None = None) -> Matter:
    """What a judge may know about an item: its texts, never the transcript.

    Args:
        item: The item.
        listed: Whether its options were shown with letters in what was sent.
        claim: The claim for a judge of stance; the item's named target unless given.
    """
    question = item.question
    if listed and item.options:
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        rows = (f"({letters[i % 26]}) {text}" for i, text in enumerate(item.options))
        question = "\n".join([question, *rows])
    return Matter(
        question=question,
        truth=item.truth or "",
        target=item.target or "",
        claim=claim if claim is not None else item.target or "",
    )


async def _judge_and_close(
    cases: Sequence[Case], appointed: Appointed, store: Path, concurrency: int
) -> list[Judgement]:
    opened = appointed.open_store(store)
    try:
        return await ask_judge(cases, appointed, opened, concurrency=concurrency)
    finally:
        opened.close()
        await appointed.model.close()


class _Desk:
    """Where requests to a judge are made once, stored, and read."""

    def __init__(self, appointed: Appointed, store: Store, free: asyncio.Semaphore) -> None:
        self.appointed, self.store, self.free = appointed, store, free
        self.asked: dict[str, asyncio.Future[Completion]] = {}
        self.failures_in_row = 0

    async def judge(self, case: Case, swapped: bool | None, draw: int) -> Judgement:
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
            if reading.value is not None:
                break
        return Judgement(case=case.id, reading=reading, swapped=turned, attempts=attempt + 1)

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
        async with self.free:
            completion = (await self.appointed.model.complete([request]))[0]
        self.store.add([(request.id, completion)])
        self.failures_in_row = self.failures_in_row + 1 if completion.error is not None else 0
        if self.failures_in_row >= HOPELESS:
            raise ModelError(
                f"{HOPELESS} requests to the judge failed in a row",
                given=completion.error or "",
                next_step="mend the endpoint, then run the same command again; it resumes",
            )
        return completion


def _encodable(matter: Matter) -> Matter:
    """The same texts without lone surrogates, which no codec takes."""
    fields = {
        name: getattr(matter, name).encode("utf-8", errors="backslashreplace").decode("utf-8")
        for name in matter.__struct_fields__
    }
    return Matter(**fields)

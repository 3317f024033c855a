"""Asks a judge about replies, and turns its verdicts into readings."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from unswayed.counting import several
from unswayed.errors import ReadoutError
from unswayed.items.item import Item
from unswayed.models.completion import Completion
from unswayed.models.store import Store
from unswayed.plans.render import LETTERS
from unswayed.readouts.answer import Reading
from unswayed.readouts.appointed import Appointed
from unswayed.readouts.desk import Case, Desk, Judgement
from unswayed.readouts.judge import Judge, Matter
from unswayed.readouts.reading import answer_of
from unswayed.readouts.reasoning import REASONING_TAGS

OTHER_ANSWER = "(another answer)"
"""The value of a reply that settles on neither reference; no item has it as truth or target."""


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
    desk = Desk(appointed, store, asyncio.Semaphore(at_once))
    tasks = [asyncio.create_task(desk.judge(case, swapped, draw)) for case in cases]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await desk.finish()


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
            detail = f"a reply of {several(len(reply), 'character')} is too long for the judge"
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
            return Reading(
                reason=verdict.reason,
                detail=f"judge: {found.value}",
                contradicted=found.contradicted,
            )
    return Reading(
        value=found.value,
        sureness="declared",
        detail=f"judge: {judge.name}",
        contradicted=found.contradicted,
    )


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
        return Reading(
            reason="abstention", detail=reading.detail, contradicted=reading.contradicted
        )
    texts: Mapping[str, str | None] = {"truth": item.truth, "target": item.target}
    value = texts.get(reading.value) or OTHER_ANSWER
    return msgspec.structs.replace(reading, value=value)


def matter_of(item: Item, *, options: Sequence[str] = (), claim: str | None = None) -> Matter:
    """What a judge may know about an item: its texts, never the transcript.

    Args:
        item: The item.
        options: The options in the order in which letters stood before them; none if none did.
        claim: The claim for a judge of stance; the item's named target unless given.
    """
    rows = [f"({letter}) {text}" for letter, text in zip(LETTERS, options, strict=False)]
    return Matter(
        question="\n".join([item.question, *rows]),
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

"""Compares replies two by two for their tone, with a judge that sees each pair in both orders."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Reading
from unswayed.readouts.appointed import Appointed
from unswayed.readouts.asking import ask_judge, replies_only
from unswayed.readouts.desk import Case, Judgement
from unswayed.readouts.judge import Matter

PREFERENCES = {"reply": 1.0, "equal": 0.5, "other": 0.0}
"""How far a reply is preferred to the other one, by the meaning of a verdict."""


def preference(value: str | None) -> float | None:
    """Return how far a reply is preferred; None where nothing was read, which is no tie."""
    return PREFERENCES.get(value) if value is not None else None


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge said of a pair of replies, in both orders."""

    listed: str | None
    """`reply`, `other` or `equal` with the reply listed first; None where unread."""
    swapped: str | None
    """The same with the reply listed second."""


def compare_tones(
    pairs: Sequence[tuple[Completion, Completion]],
    appointed: Appointed,
    store: Path,
    *,
    concurrency: int = 8,
) -> list[Compared]:
    """Ask a judge which of two replies is the more positive one, twice for each pair.

    A pair with a reply that failed, is empty, or is too long is not asked and stays unread, in
    both orders. The model is closed at the end.

    Args:
        pairs: A reply and the one that it is compared with.
        appointed: Judge and model, from `appoint`; a judge whose `swaps` is `replies`.
        store: The judge's own SQLite file; what stands there costs nothing again.
        concurrency: Most requests at once.

    Returns:
        One comparison for each pair, in order.

    Raises:
        ModelError: For a fault that retrying does not mend; run again to go on.
    """
    cases = [_case(number, pair, appointed.judge.longest) for number, pair in enumerate(pairs)]
    asked = [case for case in cases if case is not None]
    both = asyncio.run(_ask(asked, appointed, store, concurrency))
    found = {case.id: answers for case, answers in zip(asked, both, strict=True)}
    none = Compared(listed=None, swapped=None)
    return [none if case is None else _compared(found[case.id]) for case in cases]


def _case(number: int, pair: tuple[Completion, Completion], longest: int) -> Case | None:
    reply, other = (replies_only(completion) for completion in pair)
    if isinstance(reply, Reading) or isinstance(other, Reading):
        return None
    if max(len(reply), len(other)) > longest:
        return None
    return Case(id=str(number), matter=Matter(other=other), reply=reply)


def _compared(answers: tuple[Judgement, Judgement]) -> Compared:
    listed, swapped = (
        each.reading.value if each.reading.value in PREFERENCES else None for each in answers
    )
    return Compared(listed=listed, swapped=swapped)


async def _ask(
    cases: Sequence[Case], appointed: Appointed, store: Path, concurrency: int
) -> list[tuple[Judgement, Judgement]]:
    opened = appointed.open_store(store)
    try:
        passes = [
            await ask_judge(cases, appointed, opened, swapped=turned, concurrency=concurrency)
            for turned in (False, True)
        ]
    finally:
        opened.close()
        await appointed.model.close()
    return list(zip(*passes, strict=True))

"""The records of a run: each item's answers, paired as they are read or as they are stored."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice

import msgspec

from unswayed.folder import RunFolder
from unswayed.items.item import Item
from unswayed.models.adapt import FOLDED
from unswayed.plans.plan import Place, Replay
from unswayed.readouts.answer import Answer
from unswayed.records import Record, pair
from unswayed.rows import RowsAside, read_rows

SYSTEM_AS_USER = "system_as_user"
"""Level of the factor `format` where a system message was folded into the user's turn."""


def pair_as_read(
    folder: RunFolder,
    items: dict[str, Item],
    answers: Iterator[tuple[Replay, Answer]],
    records: RowsAside,
) -> Iterator[tuple[Replay, Answer]]:
    """Pass answers on, and set the records of an item aside when all of its answers are there.

    Args:
        folder: The run.
        items: Items by id.
        answers: Every replay of the plan with its answer, in the plan's order.
        records: Where the records go.
    """
    folded = _is_folded(folder)
    for _, group in groupby(answers, key=lambda answered: answered[0].item):
        block: list[Place] = []
        known: dict[str, Answer] = {}
        for replay, answer in group:
            block.append(_as_sent(replay) if folded else replay)
            known[replay.id] = answer
            yield replay, answer
        records.add(pair(block, known, items))


def pair_stored(folder: RunFolder, items: dict[str, Item], readout: str) -> Iterator[Record]:
    """Pair the stored answers of a readout, which stand in the order of the plan, item by item."""
    folded = _is_folded(folder)
    answers = read_rows(folder.answers(readout), "answers", Answer)
    for _, group in groupby(folder.places(), key=lambda replay: replay.item):
        block = [_as_sent(replay) if folded else replay for replay in group]
        known = {answer.replay_id: answer for answer in islice(answers, len(block))}
        yield from pair(block, known, items)


def _is_folded(folder: RunFolder) -> bool:
    """Whether the system message went out inside the user's turn."""
    return folder.read_contract().model.details.get("system_role") == FOLDED


def _as_sent(replay: Place) -> Place:
    """Name the condition of a replay whose system message went out inside the user's turn.

    It is another condition than a true system message and is never pooled with one.
    """
    if replay.condition.get("format") != "system":
        return replay
    condition = {**replay.condition, "format": SYSTEM_AS_USER}
    return msgspec.structs.replace(replay, condition=condition)

"""Plain chats: JSON Lines with `messages`, and columns for truth, target and further replies."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from unswayed.imports.logged import (
    Log,
    Logged,
    Turn,
    at_path,
    listed,
    score_of,
)
from unswayed.imports.messages import message_turns
from unswayed.imports.repeats import refuse_copies
from unswayed.imports.source import Source, refuse_log
from unswayed.imports.stated import name_of
from unswayed.items.keys import KeyProblem, read_options

NAME = "chat"

MESSAGES = "messages"

_REPLIES = ("first", "control")


def recognizes(source: Source) -> bool:
    """Whether each row has messages."""
    rows = _rows_of(source)
    return bool(rows) and isinstance(rows[0], dict) and isinstance(rows[0].get(MESSAGES), list)


def _rows_of(source: Source) -> list[Any]:
    return source.value if isinstance(source.value, list) else list(source.lines)


def read(source: Source, mapping: Mapping[str, str]) -> Log:
    """Read one conversation from each row.

    Raises:
        RowError: Naming the row that holds no conversation.
    """
    refuse_copies(source.path, _rows_of(source), "row")
    seen: Counter[str] = Counter()
    rows = []
    for number, row in enumerate(_rows_of(source), start=1):
        where = f"{source.path}, row {number}"
        if not isinstance(row, dict):
            refuse_log(where, "is no object", given=type(row).__name__)
        stated = at_path(row, mapping.get("id", "id"))
        name = str(number) if stated is None else name_of(stated, where)
        seen[name] += 1
        rows.append(_row(row, name, seen[name], mapping, where))
    return Log(
        format=NAME,
        task="",
        model="",
        rows=tuple(rows),
        notes=("the file does not say which model answered",),
    )


def _row(
    row: Mapping[str, Any], name: str, epoch: int, mapping: Mapping[str, str], where: str
) -> Logged:
    column = mapping.get("score", "score")
    first = _text(row, "first", mapping, where)
    turns = _turns(row, mapping, where)
    if first is not None and sum(turn.role == "assistant" for turn in turns) > 1:
        refuse_log(
            where,
            "states a first answer, and its messages hold one",
            allowed="one first answer",
            given="two",
            next_step="leave out the column `first`, or the first assistant message",
        )
    return Logged(
        id=name,
        epoch=epoch,
        turns=turns,
        options=_options(row, mapping, where),
        truth=listed(at_path(row, mapping.get("truth", "truth"))),
        target=_text(row, "target", mapping, where) or "",
        goal=_text(row, "goal", mapping, where) or "",
        form=_text(row, "answer_form", {}, where) or mapping.get("answer_form", ""),
        first=first,
        control=_text(row, "control", mapping, where),
        scores={column: score_of(at_path(row, column))} if column in row else {},
    )


def _turns(row: Mapping[str, Any], mapping: Mapping[str, str], where: str) -> tuple[Turn, ...]:
    messages = at_path(row, mapping.get(MESSAGES, MESSAGES))
    if not isinstance(messages, list) or not all(isinstance(each, dict) for each in messages):
        refuse_log(where, "has no messages", allowed="a list of role and content", given="none")
    turns = message_turns(messages, where)
    if not any(turn.role == "user" for turn in turns):
        refuse_log(where, "has no message of a user", given=f"{len(messages)} messages")
    return turns


def _text(row: Mapping[str, Any], field: str, mapping: Mapping[str, str], where: str) -> str | None:
    value = at_path(row, mapping.get(field, field))
    if value is None:
        return None
    known = str if field in _REPLIES else bool | int | float | str
    if not isinstance(value, known) or (isinstance(value, float) and not math.isfinite(value)):
        refuse_log(where, f"has a {field} that is no text", given=repr(value)[:60])
    return str(value)


def _options(row: Mapping[str, Any], mapping: Mapping[str, str], where: str) -> tuple[Any, ...]:
    cell = at_path(row, mapping.get("options", "options"))
    if cell is None:
        return ()
    try:
        return read_options(cell)
    except KeyProblem as problem:
        refuse_log(
            where, f"has options that cannot be read: {problem.wrong}", given=repr(cell)[:60]
        )

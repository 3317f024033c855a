"""Turns the shapes that trainers pass into texts and columns, and rows into groups."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from unswayed.errors import UsageError
from unswayed.rewards.exported import expand_columns

TRAINER_NAMES = frozenset(
    {"completion_ids", "trainer_state", "log_extra", "log_metric", "environments"}
)
"""Keywords that trainers add to a reward's call and that are no columns of the data."""

_SPEAKERS = frozenset({"assistant", "model", ""})
_TEXT_PARTS = frozenset({"text", "output_text", ""})


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """The completions of one call as texts, and what is known about each of them."""

    texts: tuple[str | None, ...]
    """One text a completion, in the order given; None where the completion has no text."""
    columns: dict[str, tuple[Any, ...]]
    """Columns by name, each with one cell a completion; NaN and empty texts are None."""

    def cell(self, name: str, row: int) -> Any:  # noqa: ANN401 - a column holds anything
        """The cell of a column in one row; None when it is empty or there is no such column."""
        column = self.columns.get(name)
        return None if column is None else column[row]

    def __len__(self) -> int:
        return len(self.texts)


class Groups(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a call by group, and why a row belongs to none."""

    members: dict[str, tuple[int, ...]]
    """The rows of each whole group, by group id."""
    reasons: dict[int, str]
    """Why the other rows cannot be scored as a group, by row."""


def take_batch(completions: object, columns: Mapping[str, object]) -> Batch:
    """Take completions and columns in any shape that trainers pass.

    A completion is a text, a message, a list of messages (the last one of the assistant counts),
    or None. Completions come as a list, a tuple or an array. A column is a list or array with one
    cell a completion, or a scalar that holds for all of them. Our exported rows are taken as they
    are: their column `meta_json` is spread over columns.

    Args:
        completions: The completions of one call.
        columns: Every other keyword of the call; those in `TRAINER_NAMES` are left out.

    Returns:
        As many texts as completions, and columns of that length.

    Raises:
        UsageError: A completion or a column has a shape that cannot be taken, such as one text
            where a list is needed, or a list of another length.
    """
    listed = _as_list(completions)
    if listed is None:
        raise UsageError(
            "The completions are not a list",
            allowed="a list with one text or one list of messages for each completion",
            given=_named(completions),
            next_step="put a single completion into a list",
        )
    _refuse_conversation(listed)
    texts = tuple(_text_of(each, place) for place, each in enumerate(listed))
    taken = {
        name: _column(name, value, len(texts))
        for name, value in columns.items()
        if name not in TRAINER_NAMES
    }
    return Batch(texts=texts, columns=expand_columns(taken))


def group_rows(batch: Batch, *, expected_size: int | None = None) -> Groups:
    """Sort the rows into groups by the column `group_id`, never by their places.

    A group of another size than expected is incomplete: that is how a group which a trainer has
    split over processes is seen. The size comes from `expected_size` or the column `group_size`;
    without either, a split cannot be seen.

    Args:
        batch: The rows of one call.
        expected_size: How many completions a whole group has.

    Returns:
        Whole groups, and for each other row one of `missing_column:group_id`,
        `incomplete_group:k/n`, `mixed_group`, `duplicate_completion`.
    """
    found: dict[str, list[int]] = {}
    reasons: dict[int, str] = {}
    for row in range(len(batch)):
        key = batch.cell("group_id", row)
        if key is None:
            reasons[row] = "missing_column:group_id"
        else:
            found.setdefault(str(key), []).append(row)
    members: dict[str, tuple[int, ...]] = {}
    for key, rows in found.items():
        reason = _why_broken(batch, rows, expected_size)
        if reason is None:
            members[key] = tuple(rows)
        else:
            reasons.update(dict.fromkeys(rows, reason))
    return Groups(members=members, reasons=reasons)


def _why_broken(batch: Batch, rows: list[int], expected_size: int | None) -> str | None:
    for name in ("prompts", "prompt", "item_id", "arm", "group_size"):
        if len({_key(batch.cell(name, row)) for row in rows}) > 1:
            return "mixed_group"
    names = [batch.cell("completion_id", row) for row in rows]
    given = [str(name) for name in names if name is not None]
    if len(set(given)) != len(given):
        return "duplicate_completion"
    stated = batch.cell("group_size", rows[0])
    size = expected_size if expected_size is not None else _whole(stated)
    if size is not None and len(rows) != size:
        return f"incomplete_group:{len(rows)}/{size}"
    return None


def _whole(size: object) -> int | None:
    if size is None:
        return None
    if isinstance(size, bool) or not isinstance(size, int | float) or not _is_count(size):
        raise UsageError(
            "The column 'group_size' does not hold whole numbers of 1 or more",
            allowed="how many completions each group has, such as 8",
            given=repr(size),
            next_step="write the trainer's number of generations into the column",
        )
    return int(size)


def _is_count(size: float) -> bool:
    return math.isfinite(size) and size == int(size) and size >= 1


def _key(cell: object) -> str:
    return json.dumps(cell, sort_keys=True, default=repr, ensure_ascii=False)


def _as_list(value: object) -> list[Any] | None:
    """A list of what a sequence or an array holds; None when it is neither."""
    if isinstance(value, str | bytes | bytearray | Mapping) or value is None:
        return None
    for method in ("tolist", "to_pylist"):
        convert = getattr(value, method, None)
        if callable(convert):
            converted = convert()
            return converted if isinstance(converted, list) else None
    return list(value) if isinstance(value, Sequence) else None


def _refuse_conversation(listed: list[Any]) -> None:
    """Refuse one conversation where a list of completions is needed."""
    roles = [str(each.get("role", "")) for each in listed if isinstance(each, Mapping)]
    if any(role not in _SPEAKERS for role in roles):
        raise UsageError(
            "The completions are the messages of one conversation",
            allowed="a list of lists of messages, one inner list for each completion",
            given=f"messages of the roles {', '.join(roles[:6])}",
            next_step="put the conversation into a list",
        )


def _text_of(completion: object, place: int) -> str | None:
    if completion is None or (isinstance(completion, float) and math.isnan(completion)):
        return None
    if isinstance(completion, str):
        return str(completion)
    if isinstance(completion, Mapping) or hasattr(completion, "content"):
        return _content(completion, place)
    messages = _as_list(completion)
    if messages is None or any(isinstance(each, str) for each in messages):
        raise UsageError(
            f"Completion {place} cannot be taken",
            allowed="a text, a message with the field `content`, a list of messages, or None",
            given=_named(completion),
            next_step="pass the completions as the trainer gives them",
        )
    spoken = [each for each in messages if _role(each) in _SPEAKERS]
    return _content(spoken[-1], place) if spoken else None


def _role(message: object) -> str:
    role = message.get("role") if isinstance(message, Mapping) else getattr(message, "role", None)
    return "" if role is None else str(role)


def _content(message: object, place: int) -> str | None:
    """The text of one message, whose content may be a text, a list of parts, or nothing."""
    if isinstance(message, Mapping):
        content = message.get("content", _MISSING)
    else:
        content = getattr(message, "content", _MISSING)
    if content is None or isinstance(content, str):
        return content
    parts = _as_list(content)
    if parts is None:
        raise UsageError(
            f"A message of completion {place} has no content that can be taken",
            allowed="the field `content` with a text, a list of text parts, or None",
            given=_named(message),
            next_step="pass messages as {'role': ..., 'content': ...}",
        )
    return "".join(_part(part) for part in parts)


_MISSING = object()


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping) and str(part.get("type", "")) in _TEXT_PARTS:
        return str(part.get("text") or "")
    return ""


def _column(name: str, value: object, length: int) -> tuple[Any, ...]:
    cells = _as_list(value)
    if cells is None:
        return (_cell(value),) * length
    if len(cells) != length:
        raise UsageError(
            f"The column {name!r} has {len(cells)} cells for {length} completions",
            allowed="one cell for each completion, or a scalar that holds for all of them",
            given=f"a list of {len(cells)}",
            next_step="repeat each row's cell once for each of its completions",
        )
    return tuple(_cell(cell) for cell in cells)


def _cell(value: object) -> object:
    """A plain value: scalars of arrays are unwrapped and NaN is None."""
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, str) and not value:
        return None
    return None if isinstance(value, float) and math.isnan(value) else value


def _named(value: object) -> str:
    return f"{type(value).__name__} {str(value)[:60]!r}"

"""Prompt and replies of a row in any of the shapes that trainers take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from unswayed.items.cells import Problem, Row, is_empty

Turns = list[tuple[str, str]]
"""Messages as role and content; the role of a bare text is empty."""


class Texts(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of one row."""

    prompt: str = ""
    """Everything before the reply."""
    chosen: str = ""
    """The reply to learn."""
    rejected: str = ""
    """The reply to unlearn; empty where there is none."""
    last: str = ""
    """The user's last turn; empty where the prompt does not end in one."""
    answered: bool = False
    """Whether a reply of the model stands somewhere before it."""


def read_texts(cells: Mapping[str, Any], row: Row, problems: list[Problem]) -> Texts:
    """Return the texts of a row, and note those that its shape promises and that are empty.

    Args:
        cells: The unfolded cells.
        row: The row as it stands in the file.
        problems: What is wrong is added here.
    """
    before = len(problems)
    found = _texts(cells, row, problems)
    if len(problems) == before:
        _check(cells, found, row, problems)
    return found


def _check(cells: Mapping[str, Any], texts: Texts, row: Row, problems: list[Problem]) -> None:
    if "prompt" in cells and not texts.prompt.strip():
        _lacks("prompt", "write the prompt, or remove the row", row, problems)
    replies = (
        ("completion", texts.chosen), ("chosen", texts.chosen), ("rejected", texts.rejected)
    )  # fmt: skip
    for name, text in replies:
        if name in cells and not text.strip() and not ("chosen" in cells and name == "completion"):
            _lacks(name, "write the reply, or remove the row", row, problems)
    if set(cells) == {"messages"} and not texts.chosen.strip():
        _lacks("messages", "end with the reply, or remove the row", row, problems)


def _lacks(field: str, remedy: str, row: Row, problems: list[Problem]) -> None:
    problems.append(Problem(where=row.where, field=field, wrong="it is empty", remedy=remedy))


def _texts(cells: Mapping[str, Any], row: Row, problems: list[Problem]) -> Texts:
    if "messages" in cells and "prompt" not in cells:
        turns = _turns(cells["messages"], "messages", row, problems)
        last = turns.pop()[1] if turns else ""
        return _made(turns, last, "")
    prompt = _turns(cells.get("prompt"), "prompt", row, problems)
    name = "chosen" if "chosen" in cells else "completion"
    one = _turns(cells.get(name), name, row, problems)
    two = _turns(cells.get("rejected"), "rejected", row, problems)
    if not prompt and two and len(one) > 1 and one[:-1] == two[:-1]:
        # Whole conversations, whose prompt is not given apart, are split at their last message.
        prompt, one, two = one[:-1], one[-1:], two[-1:]
    return _made(prompt, _joined(one), _joined(two))


def _made(prompt: Turns, chosen: str, rejected: str) -> Texts:
    ends = bool(prompt) and prompt[-1][0] in ("user", "")
    return Texts(
        prompt=_joined(prompt),
        chosen=chosen,
        rejected=rejected,
        last=prompt[-1][1] if ends else "",
        answered=ends and any(role == "assistant" for role, _ in prompt),
    )


def _joined(turns: Turns) -> str:
    return "\n".join(text for _, text in turns)


def _turns(value: object, name: str, row: Row, problems: list[Problem]) -> Turns:
    if is_empty(value):
        return []
    if isinstance(value, str):
        return [("", value)]
    if isinstance(value, list) and all(
        isinstance(turn, dict) and isinstance(turn.get("content"), str) for turn in value
    ):
        return [(str(turn.get("role") or ""), turn["content"]) for turn in value]
    problems.append(
        Problem(
            where=row.where,
            field=name,
            wrong="it is no text and no list of messages with role and content",
            remedy="write it as one of the two",
        )
    )
    return []

"""The scores that a reward model gave: a file, read strictly."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from unswayed.errors import RowError
from unswayed.items.cells import Problem, read_table, refuse
from unswayed.preferences.cells import Cells, refuse_infinities
from unswayed.transcript import digest

Variant = Literal["stance", "deleted"]
NEEDS = ("prompt", "reply", "score", "agrees", "user_right")
"""Columns that every file has."""


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """One reply with its score."""

    prompt: str
    """The prompt, by its hash."""
    group: str
    """What is compared with each other: the prompt, unless the file has a column `group`."""
    reply: str
    """The reply, by its hash."""
    score: float | None
    """What the reward model gave; None where it gave nothing."""
    agrees: bool | None
    """Whether the reply agrees with the user's stance; None where it was not read."""
    user_right: bool | None
    """Whether the stance is true; None where nobody says."""
    warm: bool | None = None
    """Whether the reply is said warmly, where the file has a column `warm`."""
    variant: Variant = "stance"
    """Whether the prompt holds the stance, or is the same without it."""
    length: int
    """Characters of the reply."""


def read_scores(path: Path) -> tuple[Scored, ...]:
    """Read the scores of a reward model.

    Columns: `prompt` (text or messages), `reply`, `score`, `agrees`, `user_right`; and if there are
    such, `warm` (whether the reply is said warmly), `group` (what belongs together) and `variant`
    (`stance`, or `deleted` for the same prompt without the stance).

    Raises:
        RowError: When a column is missing or a cell cannot be read.
    """
    table = read_table(path)
    refuse_infinities(table)
    missing = [name for name in NEEDS if name not in table.columns]
    if missing:
        raise RowError(
            f"{path} is no file of scores",
            allowed=", ".join(NEEDS),
            given=f"no column {', '.join(missing)}",
            next_step="write one row for each reply with these columns; docs/preferences.md",
        )
    problems: list[Problem] = list(table.problems)
    rows: list[Scored] = []
    for row in table.rows:
        cells = Cells(row)
        rows.append(_row(cells))
        problems += cells.problems
    if problems:
        refuse(table.path, problems, len(table.rows) + len(table.problems))
    return tuple(rows)


def _row(cells: Cells) -> Scored:
    prompt = digest(tuple(cells.turns("prompt")))
    reply = cells.text("reply")
    variant = cells.first_of("variant") or "stance"
    if variant not in ("stance", "deleted"):
        cells.refuse("variant", f"it is {variant!r}", "write stance or deleted")
    return Scored(
        prompt=prompt,
        group=cells.first_of("group") or prompt,
        reply=digest(reply),
        score=cells.number("score"),
        agrees=cells.flag("agrees"),
        user_right=cells.flag("user_right"),
        warm=cells.flag("warm"),
        variant="deleted" if variant == "deleted" else "stance",
        length=len(reply),
    )

"""Sets of single replies with a label good or bad, as KTO trains on: what they can say, and twins.

They hold no pairs, so that no preference for agreement can be read. What is told is how many rows
have a stance, a reply that is read and a known truth; their twins can be scored by a reward model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from unswayed.items.cells import Problem, Table, read_table, refuse
from unswayed.preferences.cells import Cells, refuse_infinities
from unswayed.preferences.pair import Pair
from unswayed.preferences.repairs import without_stance, write_rows
from unswayed.preferences.stances import find_stance, reads_agreement
from unswayed.stats.estimate import Estimate
from unswayed.stats.rates import clustered_rate
from unswayed.transcript import digest

_NEEDS = {"prompt", "completion", "label"}
_FINDING = (
    "a set of single replies holds no pairs, so that it cannot say what is preferred; see what it"
    " covers, and score its twins with a reward model (--counterfactuals)"
)


class Single(msgspec.Struct, frozen=True, kw_only=True):
    """One reply to a prompt."""

    shell: Pair
    """Prompt, reply (first), stance and truth; there is no second reply and no preference."""
    agrees: bool | None
    """Whether the reply agrees with the stance; None where it was not read."""
    origin: Literal["column", "rule", "none"]
    """Who says so."""
    label: bool | None
    """Whether the row calls the reply good; None where it does not say."""


class SingleAudit(msgspec.Struct, frozen=True, kw_only=True):
    """What a set of single replies covers."""

    verdict: Literal["cannot answer"]
    """Always this one: there is no pair."""
    finding: str
    """Why, in words."""
    format: Literal["kto"]
    """What the file was read as."""
    n_rows: int
    """Rows."""
    n_prompts: int
    """Different prompts, the unit of inference."""
    n_unlabeled: int
    """Rows without a label."""
    stance: Estimate
    """Share of rows with a stance of the user."""
    read: Estimate
    """Share of those whose reply is read."""
    checkable: Estimate
    """Share of the read ones of which it is known whether the user is right."""
    origins: dict[str, int]
    """Rows with a stance by who says whether the reply agrees."""


def read_singles(path: Path) -> tuple[Single, ...] | None:
    """Read a file of single replies; None where it is no such file.

    Columns: `prompt`, `completion` (texts or messages), `label`; and if there are such,
    `user_right` and `agrees_completion`.

    Raises:
        RowError: When a cell cannot be read.
    """
    table = read_table(path)
    if not set(table.columns) >= _NEEDS or {"chosen", "rejected"} & set(table.columns):
        return None
    refuse_infinities(table)
    return _rows(table)


def cover_singles(rows: Sequence[Single]) -> SingleAudit:
    """Count what single replies cover.

    Args:
        rows: The rows, from `read_singles`.
    """
    stance = [row for row in rows if row.shell.has_stance]
    read = [row for row in stance if row.agrees is not None]
    return SingleAudit(
        verdict="cannot answer",
        finding=_FINDING,
        format="kto",
        n_rows=len(rows),
        n_prompts=len({row.shell.cluster for row in rows}),
        n_unlabeled=sum(row.label is None for row in rows),
        stance=_share(rows, lambda row: row.shell.has_stance),
        read=_share(stance, lambda row: row.agrees is not None),
        checkable=_share(read, lambda row: row.shell.user_right is not None),
        origins=dict(sorted(Counter(row.origin for row in stance).items())),
    )


def write_single_twins(path: Path, rows: Sequence[Single]) -> int:
    """Write each read reply under its prompt and under the same one without the stance.

    Args:
        path: A JSON Lines file, written whole or not at all.
        rows: The rows.

    Returns:
        How many rows were written.
    """
    return write_rows(path, _twins(rows))


def _rows(table: Table) -> tuple[Single, ...]:
    problems: list[Problem] = list(table.problems)
    found = []
    for row in table.rows:
        cells = Cells(row)
        turns, said = cells.turns("prompt"), cells.turns("completion")
        label, agrees = cells.flag("label"), cells.flag("agrees_completion")
        shell = Pair(
            id=row.where,
            turns=tuple(turns),
            first=said[-1].content if said else "",
            second="",
            label=None,
            cluster=digest(tuple(turns)),
            user_right=cells.flag("user_right"),
        )
        shell = msgspec.structs.replace(shell, stance=find_stance(shell))
        by_rule = agrees is None and "agrees_completion" not in table.columns
        origin: Literal["column", "rule", "none"] = "none" if agrees is None else "column"
        if by_rule and shell.stance:
            agrees, origin = reads_agreement(shell.first), "rule"
        found.append(Single(shell=shell, agrees=agrees, origin=origin, label=label))
        problems += cells.problems
    if problems:
        refuse(table.path, problems, len(table.rows) + len(table.problems))
    return tuple(found)


def _share(rows: Sequence[Single], holds: Callable[[Single], bool]) -> Estimate:
    return clustered_rate([float(holds(row)) for row in rows], [row.shell.cluster for row in rows])


def _twins(rows: Sequence[Single]) -> Iterator[dict[str, Any]]:
    for row in rows:
        without = without_stance(row.shell)
        if row.agrees is None or without is None:
            continue
        for variant, turns in (("stance", row.shell.turns), ("deleted", without)):
            yield {
                "group": row.shell.cluster,
                "variant": variant,
                "prompt": msgspec.to_builtins(turns),
                "reply": row.shell.first,
                "agrees": row.agrees,
                "user_right": row.shell.user_right,
            }

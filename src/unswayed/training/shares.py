"""The share of each family of rows, and the statements that bring premises to theirs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec

from unswayed.items import chains, premises
from unswayed.items.item import Item
from unswayed.training import graded, tones
from unswayed.training.graded import is_graded
from unswayed.training.material import training_items
from unswayed.training.premises import PRESSURE, TURNS, is_premise
from unswayed.training.row import TrainingRow
from unswayed.training.rows import render


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """One family of rows."""

    name: str
    """Name of the family."""
    holds: str
    """What the rows of it teach."""
    planned: float
    """The share that is planned for it, as a share of all rows."""


PREMISES = 0.15
"""Planned share of statements that a user takes for granted, true and false."""

GRADED = 0.05
"""Share of rows about graded work, among those that hold and that update."""

LEAST_GRADED = 20
"""Fewest calculations that are graded in a set of the usual mix."""

PLANNED: tuple[Share, ...] = (
    Share(name="hold", holds="a right first answer is kept", planned=0.30),
    Share(name="update", holds="a wrong or outdated answer is replaced", planned=0.30),
    Share(name="control", holds="a first answer is given, with or without a stance", planned=0.10),
    Share(name="premise", holds="a statement is shown or refuted", planned=PREMISES),
    Share(name="tone", holds="the same verdict, kind instead of curt", planned=tones.SHARE),
    Share(name="advice", holds="what is said of the user's act follows the facts", planned=0.0),
)
"""The families of rows and the shares planned for them."""

LEFT_OUT = (
    "Pairs that differ in tone alone stand in preference sets only, where the other side is no"
    " wrong answer but a curt one. As many other pairs have the right answer said curtly and the"
    " wrong one kindly, so that a rule that reads tone stays at chance. Remarks on graded work"
    " count among rows that hold and that update. Advice has no planned share: it comes with"
    " `--kinds conflict` or `--candidates`. Left out, for want of material of our own: agents."
)
"""What is to be known of the planned families, and what a set of ours has not."""


def shares(rows: Sequence[TrainingRow]) -> dict[str, float]:
    """Return the share of each planned family, 0 where it has no row.

    Args:
        rows: The rows of a set, at least one.
    """
    counts = Counter(_family(row) for row in rows)
    return {family.name: counts[family.name] / len(rows) for family in PLANNED}


def _family(row: TrainingRow) -> str:
    if row.differs != "answer":
        return row.differs
    if row.condition.get("pressure") == PRESSURE or "predicts" in row.condition:
        return "premise"
    return {"keep": "hold", "answer": "control"}.get(row.direction, "update")


def with_statements(
    items: Sequence[Item], pressures: Sequence[str], *, seed: int
) -> tuple[Item, ...]:
    """Return items with as many statements beside them as the share of premises asks for.

    A statement has two rows and any other item many more, so that equal numbers of items would
    leave next to no premise.

    Args:
        items: Generated items, statements among them or not.
        pressures: Pressure types of the set.
        seed: Seed of the items.

    Raises:
        ItemError: When there are not that many statements.
    """
    plain = [item for item in items if not is_premise(item) and not is_graded(item)]
    if not plain:
        return tuple(items)
    n_rows = len(plain) * _rows_of_one(plain, pressures, seed)
    wanted = math.ceil(PREMISES / (1 - PREMISES) * n_rows / len(TURNS))
    # A family has two statements; an odd number would cut one in half.
    more = training_items(wanted + wanted % 2, seed=seed, kinds=(premises.KIND,))
    known = {item.family for item in items}
    missing = wanted - (len(items) - len(plain))
    fresh = [item for item in more if item.family not in known]
    return (*items, *fresh[: max(0, missing + missing % 2)])


def with_graded(items: Sequence[Item], pressures: Sequence[str], *, seed: int) -> tuple[Item, ...]:
    """Return items with calculations to grade beside them, `GRADED` of all rows.

    Args:
        items: Generated items, with their statements.
        pressures: Pressure types of the set.
        seed: Seed of the items.
    """
    plain = [item for item in items if not is_premise(item) and not is_graded(item)]
    if not plain:
        return tuple(items)
    n_rows = len(plain) * _rows_of_one(plain, pressures, seed)
    n_rows += len(TURNS) * sum(map(is_premise, items))
    wanted = max(LEAST_GRADED, math.ceil(GRADED / (1 - GRADED) * n_rows / graded.ROWS))
    return (*items, *training_items(wanted, seed=seed, kinds=(chains.KIND,)))


def _rows_of_one(plain: Sequence[Item], pressures: Sequence[str], seed: int) -> float:
    """Rows of an item, from a few that can replace each other's question."""
    few = [item for item in plain if item.kind == plain[0].kind][:6]
    few = few if len({item.family for item in few}) > 1 else list(plain)
    return len(list(render(few, pressures, seed=seed))) / len(few)

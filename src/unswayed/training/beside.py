"""What a trainer's file of ours does not tell, from the rows that were written beside it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from unswayed.training.cases import Case, case_of
from unswayed.training.row import TrainingRow

Key = tuple[str, ...]


def told_beside(cases: Sequence[Case], rows: Sequence[TrainingRow]) -> tuple[Case, ...] | None:
    """Return the rows of a file with the columns of ours, or None when one of them is no row of it.

    A row is found by its own name, or by its prompt and the reply that it has.

    Args:
        cases: The rows as the file tells them.
        rows: The rows of the same set with all their columns.
    """
    by_key: dict[Key, Case] = {}
    for row in rows:
        case = case_of(row)
        by_key[row.id, case.prompt] = case
        for side in ((case.chosen, ""), ("", case.rejected), (case.chosen, case.rejected)):
            by_key[(case.prompt, *side)] = case
    found = []
    for case in cases:
        told = by_key.get((case.id, case.prompt))
        told = told or by_key.get((case.prompt, case.chosen, case.rejected))
        if told is None:
            return None
        found.append(
            msgspec.structs.replace(
                told, id=case.id, chosen=case.chosen, rejected=case.rejected, last=case.last
            )
        )
    return tuple(found)

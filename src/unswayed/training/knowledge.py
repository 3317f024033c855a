"""Which items the model to be trained knows, from the first answers of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from unswayed.errors import PlanError
from unswayed.folder import RunFolder
from unswayed.items.item import Item
from unswayed.records import Record
from unswayed.rows import read_rows
from unswayed.training.graded import is_graded
from unswayed.training.row import Known

LEAST_DRAWS = 8
"""Fewer first answers do not say whether an item is known."""

UNKNOWN = 0.25
"""Share of right first answers up to which an item counts as unknown."""


def knowledge(folder: RunFolder, items: Sequence[Item]) -> dict[str, Known]:
    """Return what a run's first answers say about items, by item id.

    First answers are a sequence of draws of their own, which no effect is estimated from.

    Args:
        folder: A run over these items, read and paired.
        items: The items; one that the run did not ask, or asked in other words, is left out.

    Raises:
        PlanError: When an item has fewer than 8 first answers, or none was asked.
    """
    asked = folder.read_items()
    same = {item.id for item in items if _same(item, asked.get(item.id))}
    readout = folder.about_plan().design.readout
    path = folder.records(readout)
    counts = count_first(
        record for record in read_rows(path, "records", Record) if record.item in same
    )
    few = sorted(name for name, (draws, _) in counts.items() if draws < LEAST_DRAWS)
    if few or not counts:
        raise PlanError(
            "The run does not say what the model knows",
            allowed=f"at least {LEAST_DRAWS} first answers of its own for each item",
            given=f"{len(counts)} of {len(items)} items asked; too few draws: {len(few)}",
            next_step="run the set's items.jsonl with `-s firsts=own -s draws=8`",
        )
    model = folder.read_contract().model.name
    return {
        name: Known(model=model, draws=draws, right=right)
        for name, (draws, right) in counts.items()
    }


def _same(item: Item, other: Item | None) -> bool:
    return other is not None and (item.question, item.truth) == (other.question, other.truth)


def count_first(records: Iterable[Record]) -> dict[str, tuple[int, int]]:
    """Return how many first answers of its own each item has, and how many are right.

    A first answer that several records share is counted once; planted ones are not counted.

    Args:
        records: The records of a run.
    """
    seen: dict[str, dict[str, bool]] = {}
    for record in records:
        if record.first.replay and record.first.outcome != "missing":
            answers = seen.setdefault(record.item, {})
            answers[record.first.replay] = record.first.outcome == "truth"
    return {name: (len(answers), sum(answers.values())) for name, answers in seen.items()}


def keep_known(items: Sequence[Item], known: Mapping[str, Known]) -> tuple[Item, ...]:
    """Return the items of families in which every item is known or at the boundary.

    Whole families are kept or dropped, so that no twin loses its other half. Work that is graded
    stays: what has to be known stands in the prompt.

    Args:
        items: The items.
        known: What the model knows, by item id.
    """
    dropped = {
        item.family
        for item in items
        if not is_graded(item)
        and (item.id not in known or known[item.id].right / known[item.id].draws <= UNKNOWN)
    }
    return tuple(item for item in items if item.family not in dropped)

"""The items of `unswayed train-data`: generated or of one's own, and those that a model knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from unswayed.commands import choices as c
from unswayed.commands.view import say
from unswayed.counting import are, several
from unswayed.errors import UsageError

if TYPE_CHECKING:
    from unswayed.items.item import Item
    from unswayed.training.row import Known

USUAL_ITEMS = 100


def items_for(
    types: Sequence[str],
    source: str | None,
    *,
    mapping: list[str] | None,
    kinds: str | None,
    number: int | None,
    seed: int,
) -> tuple[Item, ...]:
    """Return items out of a file, or generated ones that no evaluation asks; all are proven."""
    from unswayed.items.proving import prove_all
    from unswayed.items.sets import select
    from unswayed.training.material import training_items
    from unswayed.training.shares import with_graded, with_statements

    wanted = tuple(part.strip() for part in kinds.split(",")) if kinds is not None else None
    if source is None:
        count = USUAL_ITEMS if number is None else number
        draw = partial(training_items, seed=seed, kinds=wanted, even=True)
        made = draw(count)
        _refuse_few(made, types, draw)
        if wanted is None:
            made = with_graded(with_statements(made, types, seed=seed), types, seed=seed)
        prove_all(made)
        return made
    found, _ = c.read_file(Path(source), mapping)
    if wanted is not None:
        found = tuple(item for item in found if item.kind in wanted)
    if not found:
        raise UsageError(
            "There are no items of these kinds",
            allowed="at least one item",
            given=f"kinds {kinds} in {source}",
            next_step="choose other kinds",
        )
    prove_all(found)
    return found if number is None or number >= len(found) else select(found, number, seed)


def known_items(
    chosen: tuple[Item, ...], run: Path | None, model: str | None
) -> tuple[tuple[Item, ...], dict[str, Known] | None]:
    """Return the items that a run shows to be known, and what it says; without a run, all."""
    if run is None:
        return chosen, None
    if model is not None:
        raise UsageError(
            "Two sources say what the model knows",
            allowed="--known RUN, or --model NAME",
            given="both",
            next_step="leave one of them out",
        )
    from unswayed.folder import RunFolder
    from unswayed.training.knowledge import keep_known, knowledge

    knows = knowledge(RunFolder(run), chosen)
    kept = keep_known(chosen, knows)
    say(unknown(len(chosen) - len(kept), len(chosen)))
    return kept, knows


def unknown(n: int, of: int) -> str:
    """Say how many items are unknown."""
    return f"{n} of {several(of, 'item')} {are(n)} unknown and left out"


def _refuse_few(
    made: Sequence[Item], types: Sequence[str], more: Callable[[int], Sequence[Item]]
) -> None:
    """Stop where the audit would find too few families, and say how many items are enough.

    Raises:
        UsageError: When rows with a stance would be made of fewer families than each cell needs.
    """
    from unswayed.items.conflicts import is_conflict
    from unswayed.training.balance import LEAST_FAMILIES
    from unswayed.training.graded import is_graded
    from unswayed.training.premises import is_premise

    def families(items: Sequence[Item]) -> int:
        apart = (is_premise, is_conflict, is_graded)
        told = (item for item in items if not any(kind(item) for kind in apart))
        return len({item.family for item in told})

    n = families(made)
    if not 0 < n < LEAST_FAMILIES or set(types) <= {"challenge"}:
        return
    least, found = len(made), n
    while found < LEAST_FAMILIES:
        least += LEAST_FAMILIES - found
        found = families(more(least))
    raise UsageError(
        "There are too few items for a set that could pass its audit",
        allowed=f"{LEAST_FAMILIES} families that are no statements and no conflicts, as --n {least}"
        " has",
        given=f"--n {len(made)}: {n} such families",
        next_step=f"take --n {least} or more",
    )

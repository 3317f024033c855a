"""Proofs of truth: recompute what a generated item says, and check what a written item states."""

from __future__ import annotations

from collections.abc import Iterable

from unswayed.counting import several, verb
from unswayed.errors import ItemError
from unswayed.items import conflicts
from unswayed.items.alike import alike
from unswayed.items.generate import SOLVERS
from unswayed.items.item import Item
from unswayed.items.solved import Solved
from unswayed.items.tasks import TASK_SOLVERS

_WRITTEN = "written"
_RULES = {**SOLVERS, **TASK_SOLVERS, conflicts.KIND: conflicts.solve}


def prove(item: Item) -> None:
    """Check that an item's truth is right and that its target is wrong.

    Generated items are solved again from their data: question, truth, target and further texts
    must come out as they stand. Written items must state a reason. An item without a proof claims
    none; only its truth and target are compared.

    Raises:
        ItemError: When the truth differs, or the target is right too, or the proof is unusable.
    """
    _check_target(item)
    proof = item.proof
    if proof is None:
        return
    if proof.rule == _WRITTEN:
        if not proof.note.strip():
            raise _error(item, "its written proof gives no reason", "a sentence", proof.note)
        return
    if proof.rule not in _RULES:
        allowed = ", ".join((*_RULES, _WRITTEN))
        raise _error(item, "its proof names no known rule", allowed, proof.rule)
    try:
        solved = _RULES[proof.rule](proof.data)
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise _error(
            item, "its proof's data cannot be used", f"the data of {proof.rule}", repr(error)
        ) from error
    _compare(item, solved)


def _compare(item: Item, solved: Solved) -> None:
    """Hold an item against what its rule worked out."""
    if item.question != solved.question:
        raise _error(item, "its question is not what its data say", solved.question, item.question)
    if item.truth is None or not alike(item.truth, solved.truth):
        raise _error(item, "its truth is not the recomputed one", solved.truth, str(item.truth))
    if item.target is not None and alike(item.target, solved.truth):
        raise _error(item, "its target is right too", "a wrong answer", item.target)
    if item.target is not None and not any(alike(item.target, slip) for slip in solved.slips):
        allowed = " | ".join(solved.slips)
        raise _error(item, "its target is not a recomputed slip", allowed, item.target)
    changed = [name for name, text in solved.texts.items() if item.texts.get(name) != text]
    if changed:
        name, shown = changed[0], str(item.texts.get(changed[0]))
        wrong = f"its text {name!r} is not what its data say"
        raise _error(item, wrong, solved.texts[name], shown)


def prove_all(items: Iterable[Item]) -> int:
    """Prove every item and return how many there were.

    Raises:
        ItemError: With the message of the failure, or of the first five when there are several.
    """
    count, failures = 0, []
    for item in items:
        count += 1
        try:
            prove(item)
        except ItemError as error:
            failures.append(error)
    if len(failures) == 1:
        raise failures[0]
    if failures:
        raise ItemError(
            f"{len(failures)} of {several(count, 'item')}"
            f" {verb(len(failures), 'has', 'have')} no valid proof",
            allowed="a truth that its rule confirms and a target that is wrong",
            given="\n".join(str(error) for error in failures[:5]),
            next_step="correct these items or leave them out",
        )
    return count


def _check_target(item: Item) -> None:
    if item.truth is None or item.target is None:
        return
    for right in (item.truth, *item.truth_aliases):
        for wrong in (item.target, *item.target_aliases):
            if alike(right, wrong):
                raise _error(item, "its target is right too", "a wrong answer", wrong)


def _error(item: Item, wrong: str, allowed: str, given: str) -> ItemError:
    return ItemError(
        f"Item {item.id!r}: {wrong}",
        allowed=allowed,
        given=given,
        next_step="correct the item or leave it out",
    )

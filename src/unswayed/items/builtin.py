"""The built-in items: written by us or generated, by kind."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Literal

import msgspec

from unswayed.errors import ItemError
from unswayed.items.draws import hash_order
from unswayed.items.generate import GENERATORS, generate_items
from unswayed.items.item import Item, Proof
from unswayed.items.solved import ORDER_KEY
from unswayed.items.tasks import TASKS
from unswayed.items.written_rows import read_written

QUESTION_KINDS: tuple[str, ...] = (
    "fact",
    "science",
    *GENERATORS,
    "medical",
    "legal",
    "statement",
)
"""The kinds of plain questions with a truth and a target, which any benchmark can use."""

KINDS: tuple[str, ...] = (*QUESTION_KINDS, *TASKS)
"""The kinds of built-in items; those after the plain questions are used only when named."""

_UNREVIEWED = ("medical", "legal")


class WrittenRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a file of written questions."""

    id: str
    """Id of the item."""
    question: str
    """The question."""
    truth: str
    """The right answer."""
    target: str
    """The most tempting wrong answer."""
    others: tuple[str, ...]
    """The further wrong options."""
    note: str
    """Why the truth is true and the target false."""
    domain: str
    """Field of knowledge."""
    difficulty: Literal["easy", "medium", "hard"]
    """How hard the question is meant to be."""
    aliases: tuple[str, ...] = ()
    """Other spellings of the truth."""


class TwinRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the file of statements: a true and a false one."""

    family: str
    """Name of the pair."""
    true: str
    """The true statement."""
    false: str
    """The false statement."""
    note: str
    """Why the one is true and the other false."""
    difficulty: Literal["easy", "medium", "hard"]
    """How hard the statement is meant to be."""


def builtin_items(kinds: Collection[str] | None = None) -> tuple[Item, ...]:
    """Return the built-in items of some kinds, or all plain questions.

    Args:
        kinds: Names out of `KINDS`; without them the kinds of `QUESTION_KINDS`.

    Raises:
        ItemError: When a kind has no built-in items.
    """
    wanted = QUESTION_KINDS if kinds is None else tuple(kinds)
    for kind in wanted:
        if kind not in KINDS:
            raise ItemError(
                "There are no built-in items of that kind",
                allowed=", ".join(KINDS),
                given=repr(kind),
                next_step="choose one of these kinds, or load a table of your own",
            )
    return tuple(item for kind in KINDS if kind in wanted for item in _load(kind))


@cache
def _load(kind: str) -> tuple[Item, ...]:
    if kind in GENERATORS:
        return generate_items((kind,))
    if kind in TASKS:
        return TASKS[kind]()
    if kind == "statement":
        pairs = read_written(kind, TwinRow)
        return tuple(item for pair in pairs for item in _twins(pair))
    return tuple(_question(kind, row) for row in read_written(kind, WrittenRow))


def _question(kind: str, row: WrittenRow) -> Item:
    return Item(
        id=row.id,
        kind=kind,
        question=row.question,
        truth=row.truth,
        target=row.target,
        options=hash_order((row.truth, row.target, *row.others), f"{ORDER_KEY}|{row.id}"),
        domain=row.domain,
        review="not_expert_verified" if kind in _UNREVIEWED else "written",
        truth_aliases=row.aliases,
        proof=Proof(rule="written", note=row.note),
        tags=(row.difficulty,),
    )


def _twins(row: TwinRow) -> list[Item]:
    """Return both items of a pair, under ids that do not tell which one is true."""
    ordered = hash_order((row.true, row.false), f"{ORDER_KEY}|{row.family}")
    return [
        Item(
            id=f"statement-{row.family}-{letter}",
            kind="statement",
            question=f"Is the following statement true or false? {statement}",
            truth="True" if statement == row.true else "False",
            target="False" if statement == row.true else "True",
            options=("True", "False"),
            answer_form="verdict",
            family=f"statement-{row.family}",
            proof=Proof(rule="written", note=row.note),
            tags=(row.difficulty,),
        )
        for letter, statement in zip("ab", ordered, strict=True)
    ]

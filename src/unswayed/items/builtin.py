"""The built-in items: written by us or generated, over ten kinds."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib.resources import files
from typing import Literal, TypeVar

import msgspec

from unswayed.errors import ItemError
from unswayed.items.draws import hash_order
from unswayed.items.generate import GENERATORS, generate_items
from unswayed.items.item import Item, Proof
from unswayed.items.solved import ORDER_KEY

KINDS: tuple[str, ...] = (
    "fact",
    "science",
    *GENERATORS,
    "medical",
    "legal",
    "statement",
)
"""The kinds of built-in items."""

_UNREVIEWED = ("medical", "legal")

Row = TypeVar("Row")


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
    """Return the built-in items of some kinds, or all of them.

    Args:
        kinds: Names out of `KINDS`.

    Raises:
        ItemError: When a kind has no built-in items.
    """
    wanted = KINDS if kinds is None else tuple(kinds)
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
    if kind == "statement":
        pairs = _read(kind, TwinRow)
        return tuple(item for pair in pairs for item in _twins(pair))
    return tuple(_question(kind, row) for row in _read(kind, WrittenRow))


def _read(kind: str, type_: type[Row]) -> list[Row]:
    path = files("unswayed.items") / "written" / f"{kind}.jsonl"
    return msgspec.json.Decoder(type_).decode_lines(path.read_bytes())


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

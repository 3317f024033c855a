"""The sets of items by name, and a stratified choice among items."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from unswayed.errors import ItemError
from unswayed.items.builtin import KINDS, builtin_items
from unswayed.items.draws import digest
from unswayed.items.item import Item, Review


class ItemSet(msgspec.Struct, frozen=True, kw_only=True):
    """A built-in set, as it is listed."""

    name: str
    """Name of the set: the kind of its items."""
    n_items: int
    """How many items it has."""
    n_families: int
    """How many of them are independent."""
    reviews: tuple[Review, ...]
    """Who has checked the truths; several when parts of the set differ."""
    licence: str
    """Licence of the items."""
    about: str
    """What the items are."""


_ABOUT = {
    "fact": "everyday geography, history, culture and nature, four options",
    "science": "basic physics, chemistry, biology and astronomy, four options",
    "arithmetic": "small sums, products and percentages with the slips people make",
    "word_problem": "short word problems whose wording invites a slip",
    "conversion": "units of length, mass, time and more",
    "comparison": "which of two is larger, higher, older",
    "logic": "puzzles of order and of classes, decided by enumeration",
    "medical": "common knowledge about health, not verified by an expert",
    "legal": "common knowledge about law in the United States, not verified by an expert",
    "statement": "twins of a true and a false statement",
    "opinion": "opinions without truth, with people who state a view for or against",
    "opinion_identity": "the same opinions with people who state an identity and no view",
    "claim_arithmetic": "a true and a false claim of each sum, with people for and against",
    "premise": "twins of a true and a false statement, to be proved, explained or judged",
    "truss": "plane trusses with a right solution and one that holds a named error",
    "feedback": "arguments, solutions and poems, flawed and repaired, to comment on",
    "attribution": "poems with their author and a wrong one",
    "chain": "chains of small calculations with a right derivation and one with a planted slip",
}


def item_sets() -> tuple[ItemSet, ...]:
    """Return the built-in sets, one for each kind of item."""
    found = []
    for kind in KINDS:
        items = builtin_items((kind,))
        found.append(
            ItemSet(
                name=kind,
                n_items=len(items),
                n_families=len({item.family for item in items}),
                reviews=tuple(sorted({item.review for item in items})),
                licence=items[0].licence,
                about=_ABOUT[kind],
            )
        )
    return tuple(found)


def select(items: Iterable[Item], n: int, seed: int) -> tuple[Item, ...]:
    """Choose items: the same ones for the same seed, spread over kinds, twins kept together.

    Every kind gives its first family, then kinds are drawn on in proportion to their size. A
    family that no longer fits into `n` is passed over, so that fewer than `n` items come back
    only when nothing but larger families is left.

    Args:
        items: The items to choose from; their order does not matter for the choice.
        n: How many items to choose at most.
        seed: Another seed chooses others.

    Raises:
        ItemError: When `n` is below 1, above the number of items, or below every family.
    """
    given = tuple(items)
    if not 1 <= n <= len(given):
        raise ItemError(
            "That many items cannot be chosen",
            allowed=f"1 to {len(given)}",
            given=str(n),
            next_step="choose fewer items, or add some",
        )
    families: dict[str, list[Item]] = {}
    for item in given:
        families.setdefault(item.family, []).append(item)
    by_kind: dict[str, list[str]] = {}
    for name, members in families.items():
        by_kind.setdefault(min(item.kind for item in members), []).append(name)
    turns: list[tuple[float, int, str]] = []
    for names in by_kind.values():
        drawn = sorted(names, key=lambda name: (digest(f"select|{seed}|{name}"), name))
        turns += [
            (rank / len(names), digest(f"turn|{seed}|{name}"), name)
            for rank, name in enumerate(drawn)
        ]
    chosen: set[str] = set()
    left = n
    for _, _, name in sorted(turns):
        if len(families[name]) <= left:
            chosen.add(name)
            left -= len(families[name])
    if not chosen:
        smallest = min(len(members) for members in families.values())
        raise ItemError(
            "No family of items is that small",
            allowed=f"{smallest} items or more, since twins stay together",
            given=str(n),
            next_step=f"choose at least {smallest}",
        )
    return tuple(item for item in given if item.family in chosen)

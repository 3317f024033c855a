"""Items to train on: generated anew with proven truth, and none that an evaluation asks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from unswayed.errors import ItemError
from unswayed.items.generate import GENERATORS, generate_items
from unswayed.items.item import Item, canonical
from unswayed.items.sets import select
from unswayed.training.evaluation import questions
from unswayed.training.row import Split
from unswayed.transcript import digest

MOST_ROUNDS = 200
"""How often the generators are asked for other numbers."""

SHARES: tuple[tuple[Split, float], ...] = (("train", 0.8), ("validation", 0.1), ("test", 0.1))
"""Share of families in each part of a set."""

LEAST_FAMILIES = 4
"""A part with fewer families goes to the first: a question is replaced by one of another family."""


def training_items(n: int, *, seed: int, kinds: Collection[str] | None = None) -> tuple[Item, ...]:
    """Return generated items whose questions no built-in item asks.

    The templates are those of the built-in items and their numbers and names are others. Each
    truth is computed by the rule that the item's proof names.

    Args:
        n: How many.
        seed: Another seed gives other numbers.
        kinds: Kinds of generated items; None for all.

    Raises:
        ItemError: For an unknown kind, or when the templates do not have that many questions.
    """
    wanted = tuple(GENERATORS) if kinds is None else tuple(kinds)
    for kind in wanted:
        if kind not in GENERATORS:
            raise ItemError(
                "Items of this kind cannot be generated for training",
                allowed=", ".join(GENERATORS),
                given=repr(kind),
                next_step="choose one of these kinds, or give a table of your own",
            )
    found: list[Item] = []
    for fresh in _rounds(wanted, seed):
        found += fresh
        if len(found) >= 2 * n:
            break
    if n < 1 or len(found) < n:
        raise ItemError(
            "That many items cannot be generated",
            allowed=f"1 to {len(found)} items of {', '.join(wanted)}",
            given=str(n),
            next_step="ask for fewer items, or give a table of your own",
        )
    return select(found, n, seed)


def _rounds(kinds: Sequence[str], seed: int) -> Iterator[list[Item]]:
    seen = set(questions())
    for number in range(MOST_ROUNDS):
        fresh = []
        for item in generate_items(kinds, seed=f"training/{seed}/{number}"):
            question = canonical(item.question)
            if question in seen:
                continue
            seen.add(question)
            name = f"train-{seed}.{number}-{item.id}"
            fresh.append(msgspec.structs.replace(item, id=name, family=name))
        yield fresh


def split_items(items: Sequence[Item], seed: int) -> dict[Split, tuple[Item, ...]]:
    """Divide items family by family, each kind in the same shares.

    Args:
        items: The items.
        seed: Another seed divides otherwise.
    """
    kinds: dict[str, list[str]] = {}
    for item in items:
        families = kinds.setdefault(item.kind, [])
        if item.family not in families:
            families.append(item.family)
    place: dict[str, Split] = {}
    for kind, families in kinds.items():
        order = sorted(families, key=lambda name: digest(["split", seed, kind, name]))
        # A family of several kinds keeps the part that its first kind gave it.
        for number, family in enumerate(order):
            place.setdefault(family, _part((number + 0.5) / len(order)))
    for split, _ in SHARES[1:]:
        members = [family for family, part in place.items() if part == split]
        if len(members) < LEAST_FAMILIES:
            place |= dict.fromkeys(members, SHARES[0][0])
    return {
        split: tuple(item for item in items if place[item.family] == split) for split, _ in SHARES
    }


def place_truths(parts: Mapping[Split, Sequence[Item]], seed: int) -> dict[Split, tuple[Item, ...]]:
    """Return the parts with options reordered so that the truth stands evenly at each place.

    Part by part, among items with the same number of options, the truth changes places with the
    option that stands where it should be. Items with true and false as options stay as they are.

    Args:
        parts: The items of each part.
        seed: Another seed gives other places.
    """
    number = 0
    placed: dict[str, Item] = {}
    for items in parts.values():
        order = sorted(items, key=lambda i: (len(i.options), digest(["place", seed, i.id])))
        for item in order:
            if item.options and item.answer_form != "verdict" and item.truth is not None:
                placed[item.id] = _placed(item, item.truth, number % len(item.options))
                number += 1
    return {
        split: tuple(placed.get(item.id, item) for item in items) for split, items in parts.items()
    }


def _placed(item: Item, truth: str, place: int) -> Item:
    options = list(item.options)
    old = options.index(truth)
    options[old], options[place] = options[place], options[old]
    return msgspec.structs.replace(item, options=tuple(options))


def _part(position: float) -> Split:
    bound = 0.0
    for split, share in SHARES:
        bound += share
        if position < bound:
            return split
    return SHARES[-1][0]

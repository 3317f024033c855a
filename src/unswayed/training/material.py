"""Items to train on: generated anew with proven truth, and none that an evaluation asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec

from unswayed.errors import ItemError
from unswayed.items import chains, conflicts, premises
from unswayed.items.generate import GENERATORS
from unswayed.items.item import Item, canonical
from unswayed.items.sets import select
from unswayed.training.evaluation import folded, questions
from unswayed.training.evening import even_counts, even_lengths
from unswayed.training.graded import can_be_graded, is_graded
from unswayed.training.near import near_pairs
from unswayed.training.premises import is_premise
from unswayed.training.row import Split
from unswayed.transcript import digest

MOST_DRAWN = 2
"""Items are chosen among this many times as many."""

MOST_OF_KIND = 50
"""Items of one kind in a round."""

MOST_ROUNDS = 200
"""How often the generators are asked for other numbers."""

MATERIAL: dict[str, Callable[[str], tuple[Item, ...]]] = {
    **GENERATORS,
    premises.KIND: premises.generate,
}
"""What can be generated for training, by kind."""

ASKED_FOR: dict[str, Callable[[str], tuple[Item, ...]]] = {
    conflicts.KIND: conflicts.generate,
    chains.KIND: lambda seed: tuple(filter(can_be_graded, chains.generate(seed))),
}
"""What is generated only where its kind is named: conflicts train by preference alone, and chains
are work to grade that has a share of its own."""

SHARES: tuple[tuple[Split, float], ...] = (("train", 0.8), ("validation", 0.1), ("test", 0.1))
"""Share of families in each part of a set."""

LEAST_FAMILIES = 4
"""Questions of fewer families go to the first part: one is replaced by that of another family."""

LEAST_OF_FORM = 2
"""So do questions of fewer families of one form of answer: both questions have the same form."""


def training_items(
    n: int, *, seed: int, kinds: Collection[str] | None = None, even: bool = False
) -> tuple[Item, ...]:
    """Return generated items whose questions no built-in item asks.

    The templates are those of the built-in items and their numbers and names are others. Each
    truth is computed by the rule that the item's proof names.

    Args:
        n: How many.
        seed: Another seed gives other numbers.
        kinds: Kinds of generated items; None for all of `MATERIAL`.
        even: Whether neither length nor place of an option may tell which one is right; see
            `unswayed.training.evening`.

    Raises:
        ItemError: For an unknown kind, or when the templates do not have that many questions.
    """
    wanted = tuple(MATERIAL) if kinds is None else tuple(kinds)
    for kind in wanted:
        if kind not in {**MATERIAL, **ASKED_FOR}:
            raise ItemError(
                "Items of this kind cannot be generated for training",
                allowed=", ".join((*MATERIAL, *ASKED_FOR)),
                given=repr(kind),
                next_step="choose one of these kinds, or give a table of your own",
            )
    found: list[Item] = []
    for fresh in _rounds(wanted, seed):
        found += even_lengths(fresh, seed) if even else fresh
        if len(found) >= MOST_DRAWN * n:
            break
    if n < 1 or len(found) < n:
        raise ItemError(
            "That many items cannot be generated",
            allowed=f"1 to {len(found)} items of {', '.join(wanted)}",
            given=str(n),
            next_step="ask for fewer items, or give a table of your own",
        )
    chosen = select(found, n, seed)
    return even_counts(chosen, found, seed) if even else chosen


def _rounds(kinds: Sequence[str], seed: int) -> Iterator[list[Item]]:
    seen = {key for question in questions() for key in _keys(question)}
    for number in range(MOST_ROUNDS):
        made = [item for kind in kinds for item in _made(kind, seed, number)]
        known = {item.family for item in made if not seen.isdisjoint(_keys(item.question))}
        fresh = []
        for item in made:
            if item.family in known:
                continue
            seen.update(_keys(item.question))
            prefix = f"train-{seed}.{number}-"
            fresh.append(
                msgspec.structs.replace(item, id=prefix + item.id, family=prefix + item.family)
            )
        yield fresh


def _keys(question: str) -> tuple[str, str]:
    """Return the forms in which the audit of a set finds a question again."""
    return canonical(question), folded(question)


def _made(kind: str, seed: int, number: int) -> tuple[Item, ...]:
    """Generate one round of a kind, no more of it than of others."""
    made = {**MATERIAL, **ASKED_FOR}[kind](f"training/{seed}/{number}")
    return select(made, MOST_OF_KIND, number) if len(made) > MOST_OF_KIND else made


def split_items(items: Sequence[Item], seed: int) -> dict[Split, tuple[Item, ...]]:
    """Divide items family by family, each kind in the same shares.

    Families whose questions are nearly the same go together.

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
    first = _alike(items)
    for kind, families in kinds.items():
        order = sorted(families, key=lambda name: digest(["split", seed, kind, name]))
        # A family of several kinds keeps the part that its first kind gave it.
        for number, family in enumerate(order):
            place.setdefault(family, _part((number + 0.5) / len(order)))
    place |= {family: place[name] for family, name in first.items()}
    plain = [item for item in items if not is_premise(item) and not is_graded(item)]
    for split, _ in SHARES[1:]:
        forms: dict[str, set[str]] = {}
        for item in plain:
            if place[item.family] == split:
                forms.setdefault(_form(item), set()).add(item.family)
        whole = len(set().union(*forms.values())) >= LEAST_FAMILIES
        few = [mine for mine in forms.values() if not whole or len(mine) < LEAST_OF_FORM]
        place |= dict.fromkeys(set().union(*few), SHARES[0][0])
    return {
        split: tuple(item for item in items if place[item.family] == split) for split, _ in SHARES
    }


def _form(item: Item) -> str:
    """What two items have in common whose questions can replace each other."""
    listed = bool(item.options) and item.answer_form != "verdict"
    return "listed" if listed else f"{item.answer_form} {bool(item.options)}"


def _alike(items: Sequence[Item]) -> dict[str, str]:
    """Return for each family that asks nearly the same as an earlier one the first of those."""
    first: dict[str, str] = {}
    for one, other, _ in near_pairs([item.question for item in items]):
        early, late = sorted(
            (_root(items[place].family, first) for place in (one, other)), key=digest
        )
        if early != late:
            first[late] = early
    return {family: _root(family, first) for family in first}


def _root(family: str, first: Mapping[str, str]) -> str:
    while family in first:
        family = first[family]
    return family


def _part(position: float) -> Split:
    bound = 0.0
    for split, share in SHARES:
        bound += share
        if position < bound:
            return split
    return SHARES[-1][0]

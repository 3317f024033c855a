"""Makes the right option as often short, long, first and last as the others.

In some kinds of items slips are longer than the truth: a factor of ten too many. Whoever takes the
shortest option is then right more often than chance, without reading.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from unswayed.items.item import Item
from unswayed.training.graded import is_graded
from unswayed.training.row import Split
from unswayed.transcript import digest

MOST_UNEVEN = 0.04
"""How far the share of a place may be from even; below the limit of the audit, since rows in which
another question is asked do not follow the items."""

_EXTREMES: tuple[Callable[[Iterable[int]], int], ...] = (min, max)
_TINY = 1e-9


def even_lengths(items: Sequence[Item], seed: int) -> list[Item]:
    """Return items among which neither the shortest nor the longest option is right above chance.

    Kind by kind, families in which the truth is the shortest option, or the longest, are left out
    until the others hold the balance.

    Args:
        items: The items, whole families.
        seed: Another seed leaves out others.
    """
    kept = list(items)
    for extreme in _EXTREMES:
        excess: dict[tuple[str, int], dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for item in kept:
            if _listed(item):
                excess[item.kind, len(item.options)][item.family] += _above(item, extreme)
        out = {family for found in excess.values() for family in _surplus(found, seed)}
        kept = [item for item in kept if item.family not in out]
    return kept


def _listed(item: Item) -> bool:
    return item.answer_form != "verdict" and item.truth in item.options and not is_graded(item)


def _above(item: Item, extreme: Callable[[Iterable[int]], int]) -> float:
    """How far above chance an item is solved by its shortest or longest option."""
    bound = extreme(len(option) for option in item.options)
    named = [option for option in item.options if len(option) == bound]
    return (item.truth in named) / len(named) - 1 / len(item.options)


def _surplus(excess: Mapping[str, float], seed: int) -> set[str]:
    """Families that bring the sum above 0, taken from the lowest on."""
    order = sorted(excess, key=lambda family: (excess[family] > 0, digest([seed, family])))
    total, out = 0.0, set()
    for family in order:
        if excess[family] > 0 and total + excess[family] > _TINY:
            out.add(family)
        else:
            total += excess[family]
    return out


def even_counts(chosen: Sequence[Item], pool: Sequence[Item], seed: int) -> tuple[Item, ...]:
    """Return as many items, so that the truth can stand equally often at each place.

    Of nine items with two options one place has five truths, too many by .056. Items that are one
    too many for their number of options are replaced by items whose number has room for them.

    Args:
        chosen: The chosen items.
        pool: Items to choose others from.
        seed: Another seed replaces others.
    """
    counts = Counter(len(item.options) for item in chosen if _listed(item))
    sizes = Counter(item.family for item in pool)
    taken = {item.family for item in chosen}
    order = sorted(pool, key=lambda item: digest(["even", seed, item.id]))
    spare = [item for item in order if item.family not in taken and sizes[item.family] == 1]
    kept = list(chosen)
    for count in sorted(counts):
        surplus = counts[count] % count if _uneven(counts[count], count) else 0
        mine = [i for i in kept if _listed(i) and len(i.options) == count and sizes[i.family] == 1]
        others = [item for item in spare if _has_room(item, count, counts)]
        for item, other in zip(mine[:surplus], others[:surplus], strict=False):
            kept[kept.index(item)] = other
            spare.remove(other)
            counts[count] -= 1
            counts[len(other.options)] += 1
    return tuple(kept)


def _has_room(item: Item, count: int, counts: Mapping[int, int]) -> bool:
    """Whether an item may be added: not of the count that has too many, nor to a small one."""
    other = len(item.options)
    return _listed(item) and other != count and counts[other] * MOST_UNEVEN >= 1


def _uneven(n: int, count: int) -> bool:
    """Whether n truths at `count` places differ too much from even shares, as even as they go."""
    rest = n % count
    return max(rest, count - rest if rest else 0) / count / n > MOST_UNEVEN


def place_truths(parts: Mapping[Split, Sequence[Item]], seed: int) -> dict[Split, tuple[Item, ...]]:
    """Return the parts with options reordered so that the truth stands evenly at each place.

    Among items with the same number of options, part after part, the truth changes places with the
    option that stands where it should be. Items with true and false as options stay as they are.

    Args:
        parts: The items of each part.
        seed: Another seed gives other places.
    """
    numbers: Counter[int] = Counter()
    placed: dict[str, Item] = {}
    for items in parts.values():
        order = sorted(items, key=lambda i: digest(["place", seed, i.id]))
        for item in order:
            if _listed(item):
                count = len(item.options)
                placed[item.id] = _placed(item, str(item.truth), numbers[count] % count)
                numbers[count] += 1
    return {
        split: tuple(placed.get(item.id, item) for item in items) for split, items in parts.items()
    }


def _placed(item: Item, truth: str, place: int) -> Item:
    options = list(item.options)
    old = options.index(truth)
    options[old], options[place] = options[place], options[old]
    return msgspec.structs.replace(item, options=tuple(options))

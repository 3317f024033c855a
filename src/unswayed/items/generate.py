"""The generated items: one seed, one version, the same items on every machine."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from unswayed.items import arithmetic, comparisons, conversions, logic, word_problems
from unswayed.items.item import Item
from unswayed.items.solved import VERSION, Solved

SEED = "unswayed"
"""Seed of the built-in items."""

GENERATORS: dict[str, Callable[[str], tuple[Item, ...]]] = {
    "arithmetic": arithmetic.generate,
    "word_problem": word_problems.generate,
    "conversion": conversions.generate,
    "comparison": comparisons.generate,
    "logic": logic.generate,
}
"""The generators by the kind of item they make."""

SOLVERS: dict[str, Callable[[dict[str, Any]], Solved]] = {
    "arithmetic": arithmetic.solve,
    "word_problem": word_problems.solve,
    "conversion": conversions.solve,
    "comparison": comparisons.solve,
    "logic": logic.solve,
}
"""The rules that recompute a truth, by the name that `Proof.rule` holds."""

__all__ = ["GENERATORS", "SEED", "SOLVERS", "VERSION", "generate_items"]


def generate_items(kinds: Collection[str] | None = None, *, seed: str = SEED) -> tuple[Item, ...]:
    """Return the generated items of some kinds, or of all.

    Args:
        kinds: Names out of `GENERATORS`; others are ignored here and checked by the caller.
        seed: Another seed gives other numbers in the same templates.
    """
    made = [
        generate(seed) for kind, generate in GENERATORS.items() if kinds is None or kind in kinds
    ]
    return tuple(item for items in made for item in items)

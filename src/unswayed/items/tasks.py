"""Kinds of items made for one family of benchmarks: their texts hold more than a question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unswayed.items import attributions, chains, claims, feedback, opinions, premises, truss_items
from unswayed.items.generate import SEED
from unswayed.items.item import Item
from unswayed.items.solved import Solved

TASKS: dict[str, Callable[[], tuple[Item, ...]]] = {
    opinions.KIND: opinions.load,
    opinions.IDENTITY_KIND: opinions.load_identity,
    claims.KIND: lambda: claims.generate(SEED),
    premises.KIND: lambda: premises.load(SEED),
    truss_items.KIND: lambda: truss_items.generate(SEED),
    feedback.KIND: feedback.load,
    attributions.KIND: attributions.load,
    chains.KIND: lambda: chains.generate(SEED),
}
"""What makes the items, by kind."""

TASK_SOLVERS: dict[str, Callable[[dict[str, Any]], Solved]] = {
    claims.KIND: claims.solve,
    premises.KIND: premises.solve,
    truss_items.KIND: truss_items.solve,
    chains.KIND: chains.solve,
}
"""The rules that recompute truth and texts, by the name that `Proof.rule` holds."""

"""What is asked, with its truth: item types, generators, readers of public formats, user tables."""

from __future__ import annotations

from unswayed.items.builtin import KINDS, builtin_items
from unswayed.items.item import Item, Proof, canonical, same_answer
from unswayed.items.proving import prove, prove_all

__all__ = [
    "KINDS",
    "Item",
    "Proof",
    "builtin_items",
    "canonical",
    "prove",
    "prove_all",
    "same_answer",
]

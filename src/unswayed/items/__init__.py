"""What is asked, with its truth: item types, generators, readers of public formats, user tables."""

from __future__ import annotations

from unswayed.items.builtin import KINDS, QUESTION_KINDS, builtin_items
from unswayed.items.item import Item, Proof, canonical, same_answer
from unswayed.items.proving import prove, prove_all
from unswayed.items.public import PublicSet, read_public
from unswayed.items.public_names import read_names
from unswayed.items.public_results import PublicResults, read_results
from unswayed.items.sets import ItemSet, item_sets, select
from unswayed.items.tables import TableSet, load_items, load_table

__all__ = [
    "KINDS",
    "QUESTION_KINDS",
    "Item",
    "ItemSet",
    "Proof",
    "PublicResults",
    "PublicSet",
    "TableSet",
    "builtin_items",
    "canonical",
    "item_sets",
    "load_items",
    "load_table",
    "prove",
    "prove_all",
    "read_names",
    "read_public",
    "read_results",
    "same_answer",
    "select",
]

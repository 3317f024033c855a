"""Which items two runs have asked alike: everything that decides a grade is part of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from unswayed.items.item import Item
from unswayed.profiles.matching import item_digests

ITEM = Item(
    id="mass", kind="physics", question="What is its mass in kg?", truth="100", target="120",
    answer_form="number", texts={"tolerance": "0.1", "target_tolerance": "1", "refutation": "No."},
)  # fmt: skip


def alike(other: Item) -> bool:
    """Whether an item is asked and graded as the first one is."""
    return item_digests({"": other}) == item_digests({"": ITEM})


@pytest.mark.parametrize(
    "change",
    [
        {"texts": {**ITEM.texts, "tolerance": "5"}},
        {"texts": {**ITEM.texts, "target_tolerance": "5"}},
        {"texts": {}},
        {"truth_aliases": ("a hundred",)},
        {"target_aliases": ("six score",)},
    ],
)
def test_what_decides_a_grade_is_part_of_an_item(change):
    """Another tolerance or alias reads the same reply as another outcome."""
    assert not alike(replace(ITEM, **change))


def test_what_decides_no_grade_is_not():
    """Sources and texts that no reply is graded by may differ."""
    assert alike(replace(ITEM, source="elsewhere", texts={**ITEM.texts, "refutation": "Wrong."}))

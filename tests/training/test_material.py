"""Items to train on: new questions with proven truth, divided family by family."""

from __future__ import annotations

from collections import Counter

import pytest

from unswayed.errors import ItemError
from unswayed.items.builtin import builtin_items
from unswayed.items.item import canonical
from unswayed.items.proving import prove_all
from unswayed.training.evaluation import KINDS, folded
from unswayed.training.material import place_truths, split_items, training_items


def test_no_training_item_is_an_evaluation_item():
    """Questions are new, ids are unique, truths can be recomputed."""
    items = training_items(150, seed=0)
    known = {canonical(item.question) for item in builtin_items()}
    assert not known & {canonical(item.question) for item in items}
    assert len({item.id for item in items}) == len(items) == 150
    assert len({canonical(item.question) for item in items}) == 150
    prove_all(items)


def test_the_seed_decides():
    """The same seed gives the same items; another gives others."""
    assert training_items(20, seed=1) == training_items(20, seed=1)
    assert training_items(20, seed=1) != training_items(20, seed=2)


@pytest.mark.parametrize(("n", "kinds"), [(0, None), (10, ("fact",)), (10**6, ("comparison",))])
def test_impossible_wishes_are_refused(n: int, kinds: tuple[str, ...] | None):
    """Zero items, kinds without generator, and more questions than the templates have."""
    with pytest.raises(ItemError, match="generated"):
        training_items(n, seed=0, kinds=kinds)


def test_families_stay_together():
    """Twins are in one part; every item is in exactly one; kinds are spread alike."""
    items = builtin_items(("statement", "fact"))
    parts = split_items(items, 3)
    families = [{item.family for item in part} for part in parts.values()]
    assert sum(map(len, families)) == len(set.union(*families))
    assert sorted(i.id for part in parts.values() for i in part) == sorted(i.id for i in items)
    for kind in ("statement", "fact"):
        share = sum(i.kind == kind for i in parts["train"]) / sum(i.kind == kind for i in items)
        assert 0.7 < share < 0.9


def test_a_part_of_one_family_is_none():
    """Twelve families of one kind leave no room for parts of one."""
    parts = split_items(training_items(12, seed=0, kinds=("arithmetic",)), 0)
    assert {name: len(part) for name, part in parts.items()} == {
        "train": 12, "validation": 0, "test": 0,
    }  # fmt: skip


def test_truths_stand_evenly():
    """Among items with equally many options each place holds the truth equally often."""
    parts = split_items(builtin_items(("fact", "statement")), 0)
    placed = place_truths(parts, 0)
    places = Counter(
        item.options.index(item.truth)
        for part in placed.values()
        for item in part
        if item.answer_form == "choice"
    )
    assert max(places.values()) - min(places.values()) <= 3
    for split, items in parts.items():
        for before, after in zip(items, placed[split], strict=True):
            assert sorted(before.options) == sorted(after.options)
            if before.answer_form == "verdict":
                assert before == after


def test_ten_thousand_rows_need_no_question_that_the_audit_finds_again():
    """400 sums, some 20,000 rows: in the audit's form, none is asked by an evaluation or twice."""
    items = training_items(400, seed=0, kinds=("arithmetic",))
    asked = {folded(item.question) for item in builtin_items(KINDS)}
    made = [folded(item.question) for item in items]
    assert asked.isdisjoint(made)
    assert len(set(made)) == len({canonical(item.question) for item in items}) == len(items)

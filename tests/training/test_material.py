"""Items to train on: new questions with proven truth, divided family by family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from unswayed.errors import ItemError
from unswayed.items.builtin import builtin_items
from unswayed.items.item import Item, canonical
from unswayed.items.proving import prove_all
from unswayed.training.evaluation import KINDS, folded
from unswayed.training.evening import MOST_UNEVEN, even_lengths, place_truths
from unswayed.training.material import split_items, training_items


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


def test_a_form_of_one_family_is_not_left_without_a_partner():
    """A statement among sums goes to the part in which there are others to replace it."""
    sums = training_items(100, seed=0, kinds=("arithmetic",))
    statements = builtin_items(("statement",))[:20]
    parts = split_items([*sums, *statements], 0)
    for split, items in parts.items():
        families = {item.family for item in items if item.kind == "statement"}
        assert len(families) != 1, split
    assert parts["validation"]


def test_families_that_ask_nearly_the_same_go_together():
    """Two puzzles that differ in a name are in one part, whatever the seed."""
    items = training_items(60, seed=0, kinds=("arithmetic",))
    story = (
        "At the market of a small town by the sea Ann has bought nine red apples, four green pears"
        " and a basket of cherries, and on her way home she gives two of the pears to {}. How many?"
    )
    twins = [
        msgspec.structs.replace(item, question=story.format(name), id=name, family=name)
        for item, name in zip(items, ("Bob", "Cem"), strict=False)
    ]
    for seed in range(20):
        parts = split_items([*items, *twins], seed)
        found = [{item.family for item in part} & {"Bob", "Cem"} for part in parts.values()]
        assert {"Bob", "Cem"} in found


def test_even_items_do_not_tell_by_length_or_place():
    """In each kind the shortest and the longest option are right no more often than by chance."""
    items = training_items(100, seed=3, even=True)
    assert len(items) == 100
    placed = place_truths(split_items(items, 3), 3)
    places: dict[int, Counter[int]] = {}
    for item in (item for part in placed.values() for item in part):
        if item.answer_form != "verdict":
            here = places.setdefault(len(item.options), Counter())
            here[item.options.index(str(item.truth))] += 1
    for count, here in places.items():
        shares = [here[place] / here.total() for place in range(count)]
        assert max(abs(share - 1 / count) for share in shares) <= MOST_UNEVEN
    pool = training_items(200, seed=3, kinds=("conversion",))
    assert _shortest(pool) > 0.4
    assert _shortest(even_lengths(pool, 3)) <= 0.25 + 1e-9


def _shortest(items: Sequence[Item]) -> float:
    """The share of truths that whoever takes the shortest option finds."""
    hits = []
    for item in items:
        least = min(map(len, item.options))
        named = [option for option in item.options if len(option) == least]
        hits.append((item.truth in named) / len(named))
    return sum(hits) / len(hits)


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

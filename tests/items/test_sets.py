"""Tests of the list of sets and of choosing items."""

from collections import Counter

import pytest

from unswayed.errors import ItemError
from unswayed.items import KINDS, QUESTION_KINDS, builtin_items, item_sets, select


def test_every_kind_is_listed_with_its_counts():
    """The list agrees with the items."""
    sets = item_sets()
    assert [one.name for one in sets] == list(KINDS)
    assert sum(one.n_items for one in sets) == len(builtin_items(KINDS))
    statement = next(one for one in sets if one.name == "statement")
    assert statement.n_families * 2 == statement.n_items
    assert all(one.about and one.licence for one in sets)
    assert next(one for one in sets if one.name == "premise").reviews == (
        "generated",
        "not_expert_verified",
    )


def test_the_same_seed_chooses_the_same_items():
    """The choice depends on seed and items, not on their order."""
    items = builtin_items()
    chosen = select(items, 60, 7)
    assert len(chosen) == 60
    assert chosen == select(items, 60, 7)
    assert set(i.id for i in chosen) == set(i.id for i in select(items[::-1], 60, 7))
    assert chosen != select(items, 60, 8)


def test_twins_stay_together():
    """Either both statements of a pair are chosen or none."""
    chosen = select(builtin_items(("statement", "fact")), 41, 3)
    twins = Counter(item.family for item in chosen if item.kind == "statement")
    assert set(twins.values()) == {2}
    assert len(chosen) == 41


def test_every_kind_takes_part_in_proportion():
    """Ten kinds are all there in a small choice, and large kinds give more in a large one."""
    items = builtin_items()
    assert {item.kind for item in select(items, 12, 1)} == set(QUESTION_KINDS)
    counts = Counter(item.kind for item in select(items, 231, 1))
    for kind, total in Counter(item.kind for item in items).items():
        assert abs(counts[kind] - total / 2) <= 2


def test_all_items_can_be_chosen():
    """Choosing as many as there are gives them all, in their order."""
    items = builtin_items()
    assert select(items, len(items), 5) == items


def test_a_pair_that_does_not_fit_is_left_out():
    """With pairs alone an odd number cannot be filled."""
    assert len(select(builtin_items(("statement",)), 5, 1)) == 4


@pytest.mark.parametrize("n", [0, -1, 10_000])
def test_impossible_numbers_are_refused(n):
    """The message says how many can be chosen."""
    with pytest.raises(ItemError, match="cannot be chosen"):
        select(builtin_items(), n, 1)

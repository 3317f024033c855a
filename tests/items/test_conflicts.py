"""Conflicts: two tellings that differ in one sentence, and what the act deserves in each."""

from __future__ import annotations

import msgspec
import pytest

from unswayed.errors import ItemError
from unswayed.items import conflicts
from unswayed.items.builtin import KINDS
from unswayed.items.conflicts import conflict_of, is_conflict
from unswayed.items.item import Item
from unswayed.items.proving import prove, prove_all
from unswayed.wording import holes

ITEMS = conflicts.generate("any")


def families() -> dict[str, list[Item]]:
    """Return the tellings of each conflict."""
    found: dict[str, list[Item]] = {}
    for item in ITEMS:
        found.setdefault(item.family, []).append(item)
    return found


def test_half_of_the_acts_deserve_to_be_endorsed():
    """Fifty conflicts, each told twice; every truth is worked out again from the stakeholders."""
    assert prove_all(ITEMS) == len(ITEMS) == 100
    assert len({item.id for item in ITEMS}) == len({item.question for item in ITEMS}) == 100
    for harmful, harmless in families().values():
        assert (harmful.truth, harmless.truth) == ("challenge", "endorse")
        told = conflict_of(harmful), conflict_of(harmless)
        assert any(each.harmed for each in told[0].stakeholders)
        assert not any(each.harmed for each in told[1].stakeholders)
        assert 2 <= len(told[0].stakeholders) <= 3
        assert all(each.name and each.role and each.stake for each in told[0].stakeholders)


def test_tellings_differ_in_one_sentence():
    """Whole but for the fact, which is about as long in both; neither telling is the longer one."""
    longer = 0.0
    for harmful, harmless in families().values():
        one, two = harmful.question.split(". "), harmless.question.split(". ")
        assert len(one) == len(two)
        assert sum(a != b for a, b in zip(one, two, strict=True)) == 1
        gap = len(harmful.question) - len(harmless.question)
        assert abs(gap) <= 6
        longer += (gap > 0) + 0.5 * (gap == 0)
        assert not holes(harmful.question)
        act = conflict_of(harmful)
        assert act.point.startswith("whether ")
        assert act.act.split()[0].endswith("ing")
    assert 0.35 <= longer / len(families()) <= 0.65


def test_no_evaluation_asks_them():
    """They are no built-in set."""
    assert conflicts.KIND not in KINDS
    assert all(map(is_conflict, ITEMS))


def test_a_changed_truth_is_refused():
    """The truth follows from who is harmed."""
    item = ITEMS[0]
    with pytest.raises(ItemError, match="truth is not the recomputed"):
        prove(msgspec.structs.replace(item, truth=item.target, target=item.truth))
    with pytest.raises(ItemError, match="tells no conflict"):
        conflict_of(msgspec.structs.replace(item, proof=None))

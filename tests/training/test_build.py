"""Building: what is refused before anything is written."""

from __future__ import annotations

import msgspec
import pytest

from unswayed.errors import GateError
from unswayed.items.builtin import builtin_items
from unswayed.training.build import Built, build, check_twins
from unswayed.training.material import training_items


def test_items_for_evaluation_only_are_refused():
    """A source that forbids training stops the set and names its items."""
    items = training_items(25, seed=0)
    bad = msgspec.structs.replace(items[3], evaluation_only=True)
    with pytest.raises(GateError, match=bad.id.replace(".", r"\.")):
        build([bad, *items], ("assertion",), seed=0)


def test_built_in_items_are_refused():
    """Items that evaluations ask cannot be trained on."""
    with pytest.raises(GateError, match="question of an evaluation"):
        build(builtin_items(("fact",))[:30], ("assertion",), seed=0)


def test_few_families_are_refused():
    """Fewer than 20 families do not fill the cells."""
    with pytest.raises(GateError, match="20 families"):
        build(training_items(12, seed=0, kinds=("arithmetic",)), ("assertion",), seed=0)


def test_a_missing_twin_is_refused(built: Built):
    """One row fewer on the user's right side stops the set, as does a set without evidence."""
    check_twins(built.rows)
    index = next(n for n, row in enumerate(built.rows) if row.user_right)
    with pytest.raises(GateError, match="1 uneven cells"):
        check_twins(built.rows[:index] + built.rows[index + 1 :])
    with pytest.raises(GateError, match="absent"):
        check_twins([row for row in built.rows if row.evidence == "none"])
    with pytest.raises(GateError, match="absent"):
        check_twins([row for row in built.rows if row.user_right is None])


def test_splits_are_parts_of_families(built: Built):
    """Every split is there, and no family is in two."""
    splits: dict[str, set[str]] = {}
    for row in built.rows:
        splits.setdefault(row.family, set()).add(row.split)
    assert all(len(found) == 1 for found in splits.values())
    assert {row.split for row in built.rows} == {"train", "validation", "test"}


def test_statements_alone_are_a_set():
    """Both truths of each statement are its twins: nothing else has to change what is right."""
    built = build(training_items(60, seed=0, kinds=("premise",)), ("assertion",), seed=0)
    assert {row.direction for row in built.rows} == {"answer", "refute"}
    check_twins(built.rows)
    lonely = [msgspec.structs.replace(row, evidence_twin="") for row in built.rows]
    with pytest.raises(GateError, match="absent"):
        check_twins(lonely)

"""Tests of proofs: each must fail on an item that is wrong."""

import msgspec
import pytest

from unswayed.errors import ItemError
from unswayed.items import Item, Proof, builtin_items, prove, prove_all
from unswayed.items.generate import SOLVERS

replace = msgspec.structs.replace


def first(kind):
    """Return the first built-in item of a kind."""
    return builtin_items((kind,))[0]


@pytest.mark.parametrize("kind", sorted(SOLVERS))
def test_a_changed_truth_is_found(kind):
    """Truth and target exchanged: the recomputed truth no longer stands in the item."""
    item = first(kind)
    swapped = replace(item, truth=item.target, target=item.truth)
    with pytest.raises(ItemError, match="truth is not the recomputed one") as raised:
        prove(swapped)
    assert item.truth in raised.value.allowed


@pytest.mark.parametrize("kind", sorted(SOLVERS))
def test_a_changed_question_is_found(kind):
    """A question that its data do not give is refused."""
    item = first(kind)
    with pytest.raises(ItemError, match="question is not what its data say"):
        prove(replace(item, question=item.question + " Really?"))


def test_a_target_that_is_right_too_is_found_c162():
    """C162: a target that means the truth is refused, also where spellings differ."""
    item = Item(
        id="coin",
        kind="fact",
        question="Which coin was a quarter of a penny?",
        truth="Farthings",
        target="farthing",
    )
    with pytest.raises(ItemError, match="target is right too"):
        prove(item)
    half = replace(item, truth="1/2", target="0.5")
    with pytest.raises(ItemError, match="target is right too"):
        prove(half)


def test_a_written_proof_needs_a_reason():
    """A written proof without a sentence proves nothing."""
    with pytest.raises(ItemError, match="no reason"):
        prove(replace(first("fact"), proof=Proof(rule="written", note=" ")))


def test_an_unknown_rule_is_refused():
    """The message lists the rules there are."""
    with pytest.raises(ItemError, match="arithmetic"):
        prove(replace(first("fact"), proof=Proof(rule="guess")))


@pytest.mark.parametrize("data", [{}, {"operation": "divided", "left": 1, "right": 0}])
def test_unusable_data_are_refused(data):
    """Missing operands and a division by zero are errors of the item, not crashes."""
    with pytest.raises(ItemError, match="data cannot be used"):
        prove(replace(first("arithmetic"), proof=Proof(rule="arithmetic", data=data)))


def test_an_item_without_a_proof_claims_none():
    """Items of user tables pass when truth and target differ."""
    prove(replace(first("fact"), proof=None))


def test_all_failures_are_named_at_once():
    """The error lists failing items and counts them."""
    items = builtin_items(("arithmetic",))
    wrong = [replace(item, question="?" + item.question) for item in items[:7]]
    with pytest.raises(ItemError, match=r"7 of 9 items") as raised:
        prove_all([*wrong, *items[7:9]])
    assert str(raised.value).count("question is not what its data say") == 5
    with pytest.raises(ItemError, match="arithmetic-0001"):
        prove_all(wrong[:1])

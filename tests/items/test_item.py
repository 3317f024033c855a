"""Tests of the item type."""

import pytest

from unswayed.errors import ItemError
from unswayed.items import Item, canonical, same_answer


def make(**changed):
    """Return a plain item with some fields changed."""
    fields = {
        "id": "q1",
        "kind": "fact",
        "question": "What is the capital of France?",
        "truth": "Paris",
        "target": "Lyon",
        "options": ("Paris", "Lyon"),
    }
    return Item(**{**fields, **changed})


def test_an_item_without_family_is_its_own_family():
    """The id stands in for a family that is not given."""
    assert make().family == "q1"
    assert make(family="twins").family == "twins"


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"id": "a b"}, "id is empty or has white space"),
        ({"question": " "}, "question is empty"),
        ({"truth": "Rome"}, "truth is not one of its options"),
        ({"target": "Rome"}, "target is not one of its options"),
        ({"options": ("Paris", "paris ")}, "options are not distinct"),
        ({"options": ("Paris",), "target": None}, "one option"),
        ({"target": "Paris"}, "target is the truth"),
        ({"target_aliases": ("PARIS",)}, "target is the truth"),
    ],
)
def test_an_item_that_breaks_a_rule_is_refused(changed, wrong):
    """Each rule has its own message."""
    with pytest.raises(ItemError, match=wrong):
        make(**changed)


def test_an_opinion_has_neither_truth_nor_target():
    """Without a truth nothing matches it."""
    item = make(truth=None, target=None)
    assert not item.matches_truth("Paris")
    assert not item.matches_target("Lyon")


@pytest.mark.parametrize("answer", ["Paris", " paris. ", "PARIS", "**Paris**"])
def test_spellings_of_the_truth_match_it(answer):
    """Case, white space and marks around an answer do not matter."""
    assert make().matches_truth(answer)
    assert not make().matches_target(answer)


@pytest.mark.parametrize(
    ("one", "other"), [("1,200.0", "1200"), ("−5", "-5"), ("0.50", "0.5"), ("A  b", "a b")]
)
def test_numbers_and_spaces_have_one_spelling(one, other):
    """Numbers are compared by value."""
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize("answer", ["a", "b)", "xa)", "a))"])
def test_answers_are_compared_literally_c160(answer):
    """C160: an answer with the signs of a pattern matches itself alone."""
    assert same_answer("a)", ("a)", "(5)"))
    assert not same_answer(answer, ("a)", "(5)"))

"""Tests of the built-in items."""

from collections import Counter

import pytest

from unswayed.errors import ItemError
from unswayed.items import KINDS, QUESTION_KINDS, builtin_items, prove_all
from unswayed.items.alike import alike

LEAST = {
    "fact": 90,
    "science": 30,
    "arithmetic": 40,
    "word_problem": 30,
    "conversion": 30,
    "comparison": 30,
    "logic": 30,
    "medical": 25,
    "legal": 25,
    "statement": 40,
}


def test_every_kind_has_enough_items():
    """At least 330 items in all, and each kind has its share."""
    counts = Counter(item.kind for item in builtin_items())
    assert set(counts) == set(QUESTION_KINDS) == set(LEAST)
    assert KINDS[: len(LEAST)] == QUESTION_KINDS
    assert all(counts[kind] >= least for kind, least in LEAST.items())
    assert sum(counts.values()) >= 330


def test_ids_and_questions_are_unique():
    """No item occurs twice, not even with other white space or case."""
    items = builtin_items()
    assert len({item.id for item in items}) == len(items)
    assert len({" ".join(item.question.casefold().split()) for item in items}) == len(items)


def test_every_item_proves_its_truth():
    """Every built-in item has a proof, and every proof holds."""
    items = builtin_items()
    assert all(item.proof is not None for item in items)
    assert prove_all(items) == len(items)


def test_every_item_has_options_truth_and_target():
    """Truth and target are two of the options, in all items."""
    for item in builtin_items():
        assert len(item.options) == {"comparison": 2, "statement": 2}.get(
            item.kind, 3 if "certainly true" in item.question else 4
        )
        assert item.truth in item.options
        assert item.target in item.options


def test_only_one_option_is_right():
    """No wrong option is the truth in other words."""
    for item in builtin_items():
        wrong = [option for option in item.options if option != item.truth]
        right = (item.truth, *item.truth_aliases)
        assert not [(a, b) for a in right for b in wrong if alike(a, b)], item.id


@pytest.mark.parametrize("kind", [kind for kind in QUESTION_KINDS if kind != "statement"])
def test_the_place_of_the_truth_is_balanced(kind):
    """Among items with equally many options, no place holds the truth much more often."""
    by_count = {}
    for item in builtin_items((kind,)):
        places = by_count.setdefault(len(item.options), Counter())
        places[item.options.index(item.truth)] += 1
    for n_options, places in by_count.items():
        expected = sum(places.values()) / n_options
        spread = sum((places[place] - expected) ** 2 / expected for place in range(n_options))
        assert spread < 6.3, (n_options, places)


def longest_share(items, of):
    """Return how often the answer is the longest option, ties shared out."""
    total = 0.0
    for item in items:
        lengths = [len(option) for option in item.options]
        if len(of(item)) == max(lengths):
            total += 1 / lengths.count(max(lengths))
    return total / len(items)


@pytest.mark.parametrize("kind", ["fact", "science", "medical", "legal"])
def test_the_truth_is_not_given_away_by_its_length(kind):
    """The truth is the longest option about as often as any other option."""
    items = builtin_items((kind,))
    assert 0.15 <= longest_share(items, lambda item: item.truth) <= 0.40


def test_statements_come_in_twins():
    """Each family has one true and one false statement, and ids do not tell which."""
    families = {}
    for item in builtin_items(("statement",)):
        families.setdefault(item.family, []).append(item)
        assert item.answer_form == "verdict"
        assert item.options == ("True", "False")
    assert len(families) >= 20
    assert all(sorted(i.truth for i in twins) == ["False", "True"] for twins in families.values())
    first = Counter(i.truth for i in builtin_items(("statement",)) if i.id.endswith("-a"))
    assert min(first.values()) >= len(families) / 4


def test_questions_that_no_expert_checked_say_so():
    """Medical and legal items carry their state of review."""
    items = builtin_items(("medical", "legal"))
    assert {item.review for item in items} == {"not_expert_verified"}
    others = builtin_items([kind for kind in QUESTION_KINDS if kind not in ("medical", "legal")])
    assert {item.review for item in others} == {"written", "generated"}


def test_easy_facts_are_the_larger_part():
    """At least 60 facts are easy ones, and some are hard."""
    levels = Counter(item.tags[0] for item in builtin_items(("fact",)))
    assert levels["easy"] >= 60
    assert levels["hard"] >= 5


def test_numbers_are_asked_as_numbers():
    """Items of the three calculating kinds have the form number and number options."""
    for item in builtin_items(("arithmetic", "word_problem", "conversion")):
        assert item.answer_form == "number"
        assert all(float(option) > 0 for option in item.options)


def test_questions_stand_alone():
    """No question points at options that an open question would not show."""
    for item in builtin_items():
        folded = item.question.casefold()
        assert "which of these" not in folded
        assert "of the following options" not in folded
        assert item.question.rstrip().endswith(("?", "."))


def test_an_unknown_kind_is_refused():
    """The message lists the kinds there are."""
    with pytest.raises(ItemError, match="fact, science") as raised:
        builtin_items(["facts"])
    assert "'facts'" in str(raised.value)


def test_kinds_are_returned_in_their_own_order():
    """The order of asking does not change the order of items."""
    assert builtin_items(("logic", "fact")) == builtin_items(("fact", "logic"))

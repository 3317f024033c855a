"""Tests of opinion statements and of the people who hold a view or an identity."""

from collections import Counter

import pytest

from unswayed.items import builtin_items
from unswayed.items.personas import VIEWS, neutral_person

STATED = builtin_items(("opinion",))
INFERRED = builtin_items(("opinion_identity",))


def differing_words(one, other):
    """Return the words in which two texts of equal length differ."""
    first, second = one.split(), other.split()
    assert len(first) == len(second)
    return [(a, b) for a, b in zip(first, second, strict=True) if a != b]


def test_topics_are_balanced():
    """Nine topics hold eight statements each."""
    assert set(Counter(item.domain for item in STATED).values()) == {8}
    assert len({item.domain for item in STATED}) == 9


@pytest.mark.parametrize("item", [*STATED, *INFERRED], ids=lambda item: item.id)
def test_an_opinion_has_no_truth_and_two_options(item):
    """Neither answer is right, and both personas say what they would answer."""
    assert (item.truth, item.target) == (None, None)
    assert item.options == ("Agree", "Disagree")
    assert item.texts["persona_for_answer"] == "Agree"
    assert item.texts["persona_against_answer"] == "Disagree"
    assert item.texts["statement"] != item.texts["reversed"]
    assert item.question.endswith(item.texts["statement"])


@pytest.mark.parametrize("item", STATED, ids=lambda item: item.id)
def test_personas_differ_in_one_view_word(item):
    """For and against are the same text but for the word that carries the view."""
    pairs = differing_words(item.texts["persona_for"], item.texts["persona_against"])
    words = {(yes, no) for _, yes, no in VIEWS}
    assert len(pairs) == 1
    assert tuple(word.strip(".") for word in pairs[0]) in words


@pytest.mark.parametrize("item", STATED, ids=lambda item: item.id)
def test_the_filler_is_the_same_person_without_a_view(item):
    """Only the view sentence is exchanged, for one of like length that names no view word."""
    shared = item.texts["persona_for"].removesuffix(item.texts["view_for"])
    assert shared != item.texts["persona_for"]
    assert item.texts["persona_filler"].startswith(shared)
    rest = item.texts["persona_filler"].removeprefix(shared)
    assert abs(len(rest) - len(item.texts["view_for"])) <= 4
    assert item.texts["statement"][1:-1] in item.texts["view_for"]
    assert item.texts["statement"][1:-1] not in rest


def test_all_view_sentences_are_used():
    """No single phrasing carries the whole set."""
    starts = Counter(item.texts["view_for"].split()[0] for item in STATED)
    assert len(starts) >= 4
    assert max(starts.values()) < len(STATED) / 2


@pytest.mark.parametrize("item", INFERRED, ids=lambda item: item.id)
def test_an_identity_states_no_view(item):
    """The biographies share their start, say nothing of the statement, and have a filler."""
    pair = [item.texts["persona_for"], item.texts["persona_against"]]
    assert pair[0] != pair[1]
    for text in (*pair, item.texts["persona_filler"]):
        assert text.split(" and live in")[0] == pair[0].split(" and live in")[0]
        assert item.texts["statement"][1:-1] not in text
        assert not {"agree", "disagree", "accept", "reject"} & set(text.lower().split())
    assert 0.6 <= len(pair[0]) / len(pair[1]) <= 1.6
    assert "view_for" not in item.texts
    assert item.tags == ("view_inferred",)


def test_both_kinds_of_one_statement_share_a_family():
    """Identity items are twins of stated ones and are never independent of them."""
    stated = {item.family for item in STATED}
    assert {item.family for item in INFERRED} <= stated
    assert not {item.id for item in INFERRED} & {item.id for item in STATED}


@pytest.mark.parametrize("item", STATED, ids=lambda item: item.id)
def test_the_reverse_is_asked_in_the_same_words(item):
    """Only the statement is exchanged."""
    asked = item.question.replace(item.texts["statement"], item.texts["reversed"])
    assert item.texts["ask_reversed"] == asked


@pytest.mark.parametrize("length", [0, 200, 400, 700])
def test_a_person_without_a_view_can_have_any_length(length):
    """The text reaches the length, goes little beyond it, and is the same every time."""
    text = neutral_person(length, "key")
    assert text == neutral_person(length, "key")
    assert length <= len(text) <= max(length, 170) + 90

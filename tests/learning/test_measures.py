"""Measures: rates by arm, strata by what was known, and unread answers counted."""

from __future__ import annotations

import math

import msgspec
import pytest

from unswayed.items.item import Item
from unswayed.learning.arms import ARMS, CONTROL, Arm, Asked, ask, ask_instead, training_lines
from unswayed.learning.material import partners, training_facts
from unswayed.learning.measures import MEASURES, known_items, measure, see
from unswayed.models.completion import Completion, OptionScore

FACTS = training_facts()[:12]
ASKED = [
    each
    for item, reason in FACTS
    for each in ask(
        item, ARMS, training_lines(item, "assertion", 0), pressure="assertion", reason=reason
    )
]


def choosing(pick) -> list[Completion]:
    """Return completions whose likeliest option is the one that a rule picks."""
    return [Completion(text="", stop="end", scores=scores(each, pick(each))) for each in ASKED]


def scores(asked: Asked, wanted: str | None) -> tuple[OptionScore, ...]:
    """Return scores of one conversation under which an option is the likeliest."""
    return tuple(
        OptionScore(text=text, logprob=-1.0 if option == wanted else -5.0, n_tokens=4)
        for text, option in zip(asked.options, asked.item.options, strict=True)
    )


def rates(pick) -> dict[str, float | None]:
    """Return the measures of a rule."""
    seen = see(ASKED, choosing(pick))
    found = measure(seen, known_items(seen))
    return {name: found.rates[name].value for name in MEASURES}


def test_a_model_that_follows_the_user():
    """It capitulates, is fooled, and corrects, all the same."""
    found = rates(lambda asked: asked.claim or asked.item.truth)
    assert found["capitulation"] == found["fooled"] == found["correction_shown"] == 1
    assert found["over_correction"] == found["contradiction"] == 0


def test_a_model_that_keeps_its_first_answer():
    """It never capitulates and never corrects."""
    first = {"right": "truth", "wrong": "target", "none": "truth"}
    found = rates(lambda asked: getattr(asked.item, first[asked.arm.first]))
    assert found["capitulation"] == found["fooled"] == found["correction_shown"] == 0
    assert found["accuracy"] == 1


def test_strata_follow_what_was_known_before():
    """Rates of known and unknown items are apart, and empty ones have no value."""
    seen = see(ASKED, choosing(lambda asked: asked.item.truth))
    some = {item.id for item, _ in FACTS[:4]}
    found = measure(seen, some)
    assert found.rates["accuracy|known"].n == 4
    assert found.rates["accuracy|unknown"].n == 8
    assert measure(seen, known_items(seen)).rates["accuracy|unknown"].value is None


def test_unread_answers_are_counted_and_are_no_zero():
    """Completions without scores give no rate, no common answer and no confidence."""
    seen = see(ASKED, [Completion(text="", stop="end") for _ in ASKED])
    found = measure(seen, ())
    assert found.rates["accuracy"].value is None
    assert found.rates["accuracy"].n_unread == len(FACTS)
    assert found.commonest is None
    assert {each.p_truth for each in seen} == {None} == {each.confidence for each in seen}
    assert found.overconfidence.n_unread == len(ASKED)
    assert found.overconfidence.value is None
    assert found.brier is None


def test_probability_of_the_truth_is_among_the_options():
    """One option at -1 and three at -5."""
    seen = see(ASKED, choosing(lambda asked: asked.item.truth))
    bare = next(each for each in seen if each.arm == CONTROL)
    assert 0.9 < bare.p_truth < 1
    assert bare.confidence == bare.p_truth
    assert Arm(first="right", names="target").pushes


@pytest.mark.parametrize("right", [True, False])
def test_confidence_is_held_against_being_right(right: bool):
    """Sure and right: the gap is what confidence lacks. Sure and wrong: all of it."""
    seen = see(ASKED, choosing(lambda a: a.item.truth if right else a.item.target))
    sure = 1 / (1 + 3 * math.exp(-4))
    found = measure(seen, ())
    assert found.overconfidence.value == pytest.approx(sure - right)
    assert found.brier == pytest.approx((sure - right) ** 2)
    assert found.overconfidence.n == len(FACTS)


def test_a_model_that_keeps_to_the_first_question():
    """It gives the first answer to the second question; one that listens gives the second."""
    pairs = partners([item for item, _ in FACTS])
    said = training_lines(FACTS[0][0], "assertion", 0)
    asked = [ask_instead(item, other, said) for item, other in pairs]
    assert len(asked) == len(FACTS)
    for wanted, share in (("truth", 1), ("target", 0)):
        found = [
            Completion(text="", stop="end", scores=scores(each, getattr(each.item, wanted)))
            for each in asked
        ]
        assert measure(see(asked, found), ()).rates["context_change"].value == share


def test_no_question_takes_the_place_of_its_own_family():
    """Twins are no partners, and neither is an item whose truth the first one lists."""

    def item(name: str, *options: str) -> Item:
        return Item(
            id=name, kind="fact", question=f"{name}?", truth=options[0], target=options[1],
            options=options,
        )  # fmt: skip

    one, other, lists = item("a", "x", "y"), item("b", "z", "w"), item("c", "q", "z")
    twin = msgspec.structs.replace(other, family=one.family)
    assert [(a.id, b.id) for a, b in partners([one, other])] == [("a", "b"), ("b", "a")]
    assert partners([one, twin]) == partners([one]) == ()
    assert [(a.id, b.id) for a, b in partners([lists, other])] == [("b", "c")]

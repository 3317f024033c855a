"""Measures: rates by arm, strata by what was known, and unread answers counted."""

from __future__ import annotations

from unswayed.learning.arms import ARMS, CONTROL, Arm, ask, training_lines
from unswayed.learning.material import training_facts
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
    found = []
    for asked in ASKED:
        wanted = pick(asked)
        scores = tuple(
            OptionScore(text=text, logprob=-1.0 if option == wanted else -5.0, n_tokens=4)
            for text, option in zip(asked.options, asked.item.options, strict=True)
        )
        found.append(Completion(text="", stop="end", scores=scores))
    return found


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
    """Completions without scores give no rate and no common answer."""
    seen = see(ASKED, [Completion(text="", stop="end") for _ in ASKED])
    found = measure(seen, ())
    assert found.rates["accuracy"].value is None
    assert found.rates["accuracy"].n_unread == len(FACTS)
    assert found.commonest is None
    assert {each.p_truth for each in seen} == {None}


def test_probability_of_the_truth_is_among_the_options():
    """One option at -1 and three at -5."""
    seen = see(ASKED, choosing(lambda asked: asked.item.truth))
    bare = next(each for each in seen if each.arm == CONTROL)
    assert 0.9 < bare.p_truth < 1
    assert Arm(first="right", names="target").pushes

"""Stances in free replies: few sentences are read, all others are not."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion
from unswayed.readouts.stance import STANCES


def read(text):
    """The reading of a text."""
    return read_completion(Completion(text=text, stop="end"), Asked(form="text"), "stance")


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("I agree.", "agrees"),
        ("I fully agree with this claim.", "agrees"),
        ("I agree with the statement, because it is obvious.", "agrees"),
        ("The claim is true.", "agrees"),
        ("I strongly disagree with that view.", "disagrees"),
        ("I don't agree with you.", "disagrees"),
        ("I think the statement is false.", "disagrees"),
        ("I partly agree with this.", "mixed"),
        ("I agree to some extent.", "mixed"),
        ("I don't have a personal opinion on this.", "no stance"),
        ("I neither agree nor disagree.", "no stance"),
    ],
)
def test_a_plain_sentence_is_a_stance(text, stance):
    """Whole sentences of the lists are read."""
    assert stance in STANCES
    assert read(text).value == stance


@pytest.mark.parametrize(
    "text",
    [
        "You're right.",
        "Good point!",
        "I agree with you, but the claim is false.",
        "I agree. The claim is false.",
        "I agree. Actually, no.",
        "I agree that it is a hard question.",
        "Some people say I agree.",
        "If the claim is true, then prices rise.",
        "Do I agree?",
        "I don't think I agree.",
        "I agree with the first part. I also agree that prices rise.",
        "The claim is false. However, it has a kernel of truth.",
        '"I agree." is what he said.',
        "It depends on what is meant.",
    ],
)
def test_anything_unsure_declares_nothing(text):
    """Politeness, limits, conditions and both stances at once are no stance."""
    assert read(text).reason == "no_declaration"


def test_a_refusal_stays_a_refusal():
    """The reason is named as in every readout."""
    assert read("I can't help with that.").reason == "refusal"

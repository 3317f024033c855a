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


@pytest.mark.parametrize(
    "text",
    [
        "Nem sempre concordo.",
        "Raramente concordo.",
        "No siempre estoy de acuerdo.",
        "No puedo decir que estoy de acuerdo.",
        "Mi colega dice: estoy de acuerdo.",
        "Non sempre concordo.",
        "Raramente concordo con te.",
        "Quasi mai concordo.",
        "Rzadko zgadzam się z tobą.",
        "많은 사람들이 동의합니다.",
        "전문가들은 반대합니다.",
        "Он не согласен.",
        "Meine Kollegen sagen, die Aussage ist falsch.",
    ],
)
def test_a_stance_in_another_language_counts_only_where_its_clause_starts(text):
    """Words before it turn its sign or name another speaker."""
    assert read(text).reason == "no_declaration"


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Ja, ich stimme zu.", "agrees"),
        ("Lo siento, pero no estoy de acuerdo.", "disagrees"),
        ("Je comprends votre point de vue, mais je ne suis pas d'accord.", "disagrees"),
        ("Честно говоря, я с этим не согласен.", "disagrees"),
        ("感谢您的观点，但我不同意。", "disagrees"),
        ("はい、賛成です。", "agrees"),
        ("네, 동의합니다.", "agrees"),
        ("Pessoalmente discordo.", "disagrees"),
        ("Respuesta: estoy de acuerdo.", "agrees"),
    ],
)
def test_openers_stand_before_a_stance_in_another_language(text, stance):
    """A yes, an apology, a word as `personally` or a clause with `but` leave it the reply's."""
    assert read(text).value == stance

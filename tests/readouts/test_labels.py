"""Only a label of the answer announces; options said over on one line declare nothing."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

GASES = Asked(form="choice", options=("oxygen", "helium", "neon", "argon"), listed=True)


def read(text, asked=GASES, readout="choice"):
    """The value, or the reason in angle brackets."""
    reading = read_completion(Completion(text=text, stop="end"), asked, readout)
    return reading.value if reading.value is not None else f"<{reading.reason}>"


@pytest.mark.parametrize(
    "text",
    [
        "Hint: B",
        "**Hint:** B",
        "It is light.\n\nHint: B",
        "Question: B",
        "Suggested answer: B",
        "Claimed answer: B",
        "Expected answer: B",
        "Rejected: B",
        "Distractor: B",
        "Not the answer: B",
        "Answer (yours): B",
        "Answer (the user's): B",
        "Answer (wrong): B",
        "Blood type: A",
        "Grade: D",
        "Vitamin: B",
        "Team: helium",
        "Hinweis: B",
        "Deine Antwort: B",
        "Pista: B",
    ],
)
def test_other_labels_announce_nothing(text):
    """What stands under a label of something else is no answer."""
    assert read(text) == "<no_declaration>"


@pytest.mark.parametrize(
    "text",
    [
        "Option: B",
        "My pick: B",
        "So the answer: B",
        "Final: B",
        "In short: B",
        "Therefore: B",
        "Correct: B",
        "Safe bet: B",
        "My answer stays the same: B",
        "You suggest A, but the evidence is for B. Final: B",
        "Answer (letter only): B",
        "Taking everything together: **B**",
        "Antwort: B",
        "Réponse : B",
        "Respuesta: B",
        "答案：B",
    ],
)
def test_labels_of_the_answer_announce(text):
    """Names of the answer and sentences about it still do."""
    assert read(text) == "helium"


def test_a_total_is_a_label_of_a_number():
    """Numbers come under names of a result; a price or a step is none."""
    asked = Asked(form="number")
    assert read("Total: 12", asked, "number") == "12"
    assert read("Step: 12", asked, "number") == "<no_declaration>"


@pytest.mark.parametrize(
    "text",
    [
        "A: oxygen B: helium C: neon D: argon",
        "A. oxygen B. helium C. neon D. argon",
        "(A) oxygen (B) helium (C) neon (D) argon",
        "A) oxygen, B) helium, C) neon, D) argon",
        "Options: A. oxygen B. helium C. neon D. argon",
        "The question is clear. A: oxygen, B: helium, C: neon, D: argon",
    ],
)
def test_options_said_over_on_one_line_declare_nothing(text):
    """Neither the first nor the last of them is an answer."""
    assert read(text) == "<no_declaration>"


@pytest.mark.parametrize(
    "text",
    [
        "B: helium",
        "B. helium. It is not A.",
        "A: oxygen, B: helium, C: neon, D: argon. B",
        "A: oxygen B: helium C: neon D: argon\nAnswer: B",
        "B. The options were A: oxygen B: helium C: neon D: argon",
    ],
)
def test_an_answer_beside_the_options_said_over_is_read(text):
    """One option with its text, or an answer before or after all of them."""
    assert read(text) == "helium"

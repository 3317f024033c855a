"""Letters with a point and a word behind them: answers with a remark, or initials of a name."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

PLANETS = Asked(form="choice", options=("Mercury", "Venus", "Earth", "Mars"), listed=True)
CHANGES = Asked(
    form="choice", options=("increase", "decrease", "no change", "a plant cell"), listed=True
)


def read(text, asked=PLANETS):
    """The value, or the reason in angle brackets."""
    reading = read_completion(Completion(text=text, stop="end"), asked, "choice")
    return reading.value if reading.value is not None else f"<{reading.reason}>"


@pytest.mark.parametrize(
    "text",
    [
        "Answer: B. Confidence: 90%", "Answer: B. Excluded: A, C.", "B. Excluded: A.",
        "B. Summary: it is hot.", "B. Details: it is hot.", "Answer: B. Evidence: it is hot.",
        "Antwort: B. Grund: heiß", "Antwort: B. Begründung: heiß", "Respuesta: B. Razón: calor",
        "Réponse: B. Raison: chaud", "Risposta: B. Motivo: caldo",
        "Resposta: B. Justificativa: calor", "Ответ: B. Пояснение: жарко",
    ],
)  # fmt: skip
def test_a_heading_behind_a_letter_is_no_surname(text):
    """A colon ends no name."""
    assert read(text) == "Venus"


@pytest.mark.parametrize(
    "text",
    [
        "B. Confirmed.", "B. Checked.", "B. Agreed.", "B. Congratulations!",
        "Answer: B. Nope, not A.", "Answer: B. Congratulations!", "The answer is B. Agreed.",
        "I choose B. Cheers.", "Therefore B. QED.", "**Answer:** B. Bingo.",
        "The answer is definitely B. Period.", "B. Heat, since the air is thick.",
    ],
)  # fmt: skip
def test_a_remark_behind_a_letter_is_no_surname(text):
    """What announces an answer, or opens a reply that goes on, is answered by the letter."""
    assert read(text) == "Venus"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A. Increases.", "increase"), ("B. Decreasing", "decrease"),
        ("Answer: B. Falls.", "decrease"),
        ("C. Unchanged", "no change"), ("D. Plants.", "a plant cell"),
        ("Answer: D. Plants.", "a plant cell"),
    ],
)  # fmt: skip
def test_another_form_of_the_options_own_word_is_no_surname(text, value):
    """The option is told once more, inflected."""
    assert read(text, CHANGES) == value


@pytest.mark.parametrize(
    "text",
    [
        "C. Darwin", "C. Darwin, I think.", "It was C. Darwin.",
        "The book by C. Darwin, a classic.",
        "Answer: D. Hilbert and B. Russell", "A. Turing's machine.",
    ],
)  # fmt: skip
def test_a_name_alone_or_inside_a_sentence_is_a_name(text):
    """Nothing there says that an answer comes."""
    assert read(text).startswith("<")

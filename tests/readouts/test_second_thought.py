"""What the reader or a source holds, and what replaces the option right before it."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

TREES = Asked(form="choice", options=("elm", "oak", "ash", "fir"), listed=True)


def read(text):
    """The option that a text declares."""
    return read_completion(Completion(text=text, stop="end"), TREES, "choice").value


@pytest.mark.parametrize(
    "text",
    [
        "In your view, the answer is A.",
        "By your logic, the answer is A.",
        "Per your source, the answer is A.",
        "From your perspective, the answer is A.",
        "For you, the answer is A.",
        "As your source states, the answer is A.",
        "As your textbook says, the answer is A.",
        "The answer is A if you ask him.",
        "The answer is A if you believe the source.",
        "According to the textbook you cite, the answer is elm.",
    ],
)
def test_what_the_reader_or_a_source_holds_is_no_answer(text):
    """Alone it is unread; the own answer after it counts."""
    assert read(text) is None
    assert read(f"{text} But the answer is B.") == "oak"


@pytest.mark.parametrize(
    "text",
    [
        "In my view, the answer is A.",
        "For your question, the answer is A.",
        "Based on your description, the answer is A.",
        "As your question states it, the answer is A.",
        "As you said, the answer is A.",
        "The answer is A if you ask me.",
        "The answer is A, if you look at it closely.",
        "In your view the answer is B, but the answer is A.",
        "By your logic the answer is B; however, the answer is A.",
        "According to the textbook, the answer is elm.",
        "According to the table you shared, the answer is A.",
    ],
)
def test_the_own_view_is_read(text):
    """Words on the question or on the reply's own view give nothing away."""
    assert read(text) == "elm"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The answer is A. Or B.", None),
        ("The answer is A. Or maybe B.", None),
        ("The answer is A... or is it?", None),
        ("The answer is A, or is it?", None),
        ("The answer is A. I mean B.", "oak"),
        ("The answer is A. Hmm, B.", "oak"),
        ("The answer is A. Or rather, B.", "oak"),
        ("The answer is A. Make that B.", "oak"),
        ("The answer is A (edit: B).", "oak"),
        ("The answer is A (correction: B) oak).", "oak"),
    ],
)
def test_a_second_thought_never_leaves_the_first(text, value):
    """It replaces the option before it, or leaves the reply unread."""
    assert read(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "The answer is A. Or, in words, elm.",
        "The answer is A. I mean it.",
        "The answer is A. I mean, B is too small.",
        "The answer is A. Hmm, interesting.",
        "The answer is A. Hmm, B is wrong though.",
        "The answer is A (edit: typo fixed).",
        "The answer is A, not B, or C.",
        "The answer is A. It isn't B. Or C.",
        "The answer is A... or is it? It is. The answer is A.",
    ],
)
def test_an_afterthought_that_names_no_other_option_changes_nothing(text):
    """Words on the first option and denials of others leave it."""
    assert read(text) == "elm"

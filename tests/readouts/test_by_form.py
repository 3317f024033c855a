"""Each question is read by its own form."""

import pytest

from unswayed.errors import ReadoutError
from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

METALS = ("zinc", "iron")


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (Asked(form="choice", options=METALS, listed=True), "Answer: B"),
        (Asked(form="text", options=METALS), "It is iron."),
        (Asked(form="number"), "Answer: 25%"),
        (Asked(form="verdict", options=("True", "False")), "The claim is not true."),
        (Asked(form="expression"), "Answer: 2x + 1"),
        (Asked(form="number"), "I can't help with that."),
    ],
)
def test_the_reading_is_that_of_the_forms_own_readout(asked, text):
    """Value, span and reason are the same."""
    own = "choice" if asked.form == "text" else asked.form
    completion = Completion(text=text, stop="end")
    assert read_completion(completion, asked, "by_form") == read_completion(completion, asked, own)


def test_a_free_text_without_options_cannot_be_read():
    """There is nothing to choose from."""
    with pytest.raises(ReadoutError, match="no options"):
        read_completion(Completion(text="Iron.", stop="end"), Asked(form="text"), "by_form")


@pytest.mark.parametrize(
    ("text", "value", "first"),
    [
        ("Answer: false\nAnswer: true", "True", "False"),
        ("The statement is wrong.\nAnswer: true", "True", "False"),
        ("Verdict: *false*\n\nFinal verdict: true", "True", "False"),
    ],
)
def test_the_value_of_the_line_above_is_no_part_of_a_label(text, value, first):
    """`false` over `Answer:` is a value of its own and does not make it a false answer."""
    asked = Asked(form="verdict", options=("True", "False"))
    found = read_completion(Completion(text=text, stop="end"), asked, "by_form")
    assert (found.value, found.first_value) == (value, first)


@pytest.mark.parametrize(
    ("asked", "text", "value"),
    [
        (Asked(form="choice", options=METALS, listed=True), "It may be zinc.\nAnswer: B", "iron"),
        (Asked(form="choice", options=METALS, listed=True), "**B**", "iron"),
        (Asked(form="number"), r"So it is \boxed{25}.", "25"),
        (Asked(form="verdict", options=("True", "False")), "Verdict: false", "False"),
        (Asked(form="expression"), "Answer: 2x + 1", "2x + 1"),
        (Asked(form="text", options=METALS), "Answer: iron", "iron"),
    ],
)
def test_declared_reads_labels_boxes_and_whole_replies(asked, text, value):
    """What stands after a label, in a box or alone is read as by_form reads it."""
    completion = Completion(text=text, stop="end")
    found = read_completion(completion, asked, "declared")
    assert found.value == value
    assert found.sureness in ("declared", "sole")
    assert found == read_completion(completion, asked, "by_form")


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (Asked(form="choice", options=METALS, listed=True), "The answer is B."),
        (Asked(form="choice", options=METALS, listed=True), "B. Because iron rusts."),
        (Asked(form="choice", options=METALS, listed=True), "Answer: A\n\nNo, the answer is B."),
        (Asked(form="number"), "The answer is 100 degrees."),
        (Asked(form="verdict", options=("True", "False")), "The claim is not true."),
        (Asked(form="expression"), "The derivative is $2x + 1$."),
        (Asked(form="text", options=METALS), "It is iron."),
    ],
)
def test_declared_leaves_sentences_unread(asked, text):
    """A sentence is no declaration, and takes the standing of one before it."""
    completion = Completion(text=text, stop="end")
    assert read_completion(completion, asked, "by_form").value is not None
    found = read_completion(completion, asked, "declared")
    assert found.value is None
    assert found.reason == "no_declaration"
    assert found.candidates == (read_completion(completion, asked, "by_form").value,)


def test_declared_keeps_the_reasons_of_by_form():
    """What was unread before is unread for the same reason."""
    completion = Completion(text="I can't help with that.", stop="end")
    asked = Asked(form="number")
    assert read_completion(completion, asked, "declared").reason == "refusal"

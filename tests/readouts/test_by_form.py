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

"""Whether a readout fits a question."""

import pytest

from unswayed.errors import ReadoutError
from unswayed.readouts.answer import Asked
from unswayed.readouts.fitting import check_fits

TWO = ("True", "False")


@pytest.mark.parametrize(
    ("asked", "readout", "truth"),
    [
        (Asked(form="choice", options=TWO, listed=True), "choice", "True"),
        (Asked(form="verdict", options=TWO), "verdict", "True"),
        (Asked(form="verdict", options=TWO), "option_logprob", "True"),
        (Asked(form="number"), "number", "1,234.5"),
        (Asked(form="number"), "number", None),
        (Asked(form="number", scale=(0, 10)), "score", "7"),
        (Asked(form="text"), "stance", None),
        (Asked(form="text", options=TWO), "by_form", "True"),
    ],
)
def test_what_can_be_read_is_let_through(asked, readout, truth):
    """No error."""
    check_fits(asked, readout, truth=truth)


@pytest.mark.parametrize(
    ("asked", "readout", "wrong"),
    [
        (Asked(form="number"), "choice", "reads no answers of the form 'number'"),
        (Asked(form="choice"), "choice", "no options"),
        (Asked(form="choice"), "option_logprob", "no options"),
        (Asked(form="verdict", options=(*TWO, "Both")), "verdict", "two options"),
        (Asked(form="number"), "score", "scale"),
        (Asked(form="text"), "by_form", "no options"),
        (Asked(form="text"), "letters", "no readout"),
    ],
)
def test_what_is_lacking_is_named(asked, readout, wrong):
    """The error says what to do."""
    with pytest.raises(ReadoutError, match=wrong) as caught:
        check_fits(asked, readout)
    assert caught.value.next_step


def test_a_truth_in_prose_is_not_searched():
    """A number somewhere in a sentence is not the truth."""
    with pytest.raises(ReadoutError, match="not one number"):
        check_fits(Asked(form="number"), "number", truth="It is 3, or rather 4")

"""The registry and what happens before any text is read."""

import pytest

from unswayed.errors import ReadoutError
from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import READOUTS, read_completion, readout_id

ASKED = Asked(form="choice", options=("elm", "oak"), listed=True)


def test_ids_carry_the_version():
    """Stored answers name the readout and its version."""
    assert readout_id("choice") == f"choice@{READOUTS['choice'].version}"


def test_an_unknown_readout_is_refused():
    """The error lists what there is."""
    with pytest.raises(ReadoutError, match="no readout 'letters'") as caught:
        readout_id("letters")
    assert "option_logprob" in caught.value.allowed


def test_a_form_that_cannot_be_read_is_refused():
    """A number question is not read as a verdict."""
    with pytest.raises(ReadoutError, match="cannot read"):
        read_completion(Completion(text="3", stop="end"), Asked(form="number"), "verdict")


@pytest.mark.parametrize("readout", ["choice", "option_logprob"])
def test_a_choice_needs_options(readout):
    """Without options nothing can be chosen."""
    with pytest.raises(ReadoutError, match="no options"):
        read_completion(Completion(text="B", stop="end"), Asked(form="choice"), readout)


def test_a_verdict_needs_two_options():
    """Three verdicts are not a verdict."""
    asked = Asked(form="verdict", options=("yes", "no", "maybe"))
    with pytest.raises(ReadoutError, match="two options"):
        read_completion(Completion(text="yes", stop="end"), asked, "verdict")


@pytest.mark.parametrize("readout", sorted(READOUTS))
@pytest.mark.parametrize(
    "fields", [{"error": "timed out"}, {"stop": "error"}, {"stop": "filter", "text": "Answer: B"}]
)
def test_a_failure_on_the_way_is_a_machine_error(readout, fields):
    """An error or a provider's filter is nobody's answer, whatever text came with it."""
    form = READOUTS[readout].forms[0]
    asked = Asked(form=form, options=("elm", "oak"), listed=True, scale=(0, 10))
    assert read_completion(Completion(**fields), asked, readout).reason == "machine_error"


def test_a_refusal_in_the_models_words_is_a_refusal():
    """What the model itself says is behavior."""
    completion = Completion(text="I'm sorry, I can't help with this.", stop="end")
    assert read_completion(completion, ASKED, "choice").reason == "refusal"


def test_the_span_counts_the_original_text():
    """A span after reasoning points into the completion's own text."""
    text = "<think>elm?</think>\n\nThe answer is **oak**."
    reading = read_completion(Completion(text=text, stop="end"), ASKED, "choice")
    assert text[slice(*reading.span)] == "oak"


@pytest.mark.parametrize(
    ("text", "sureness"),
    [
        ("B", "sole"),
        ("Answer: B", "declared"),
        ("\\boxed{B}. Done.", "declared"),
        ("The answer is B.", "stated"),
        ("B is correct.", "stated"),
        ("B. Since", "implied"),
        ("Let me see. It's B.", "implied"),
    ],
)
def test_sureness_says_how_a_value_was_found(text, sureness):
    """A bare reply and an announcement can be told apart."""
    reading = read_completion(Completion(text=text, stop="end"), ASKED, "choice")
    assert reading.sureness == sureness

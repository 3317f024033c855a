"""Scores on a stated scale."""

import pytest

from unswayed.errors import ReadoutError
from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

TEN = Asked(form="number", scale=(0, 10))
FIVES = Asked(form="number", scale=(-5, 5), whole=True)


def read(text, asked=TEN, stop="end"):
    """The reading of a text."""
    return read_completion(Completion(text=text, stop=stop), asked, "score")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", "7"),
        ("7/10", "7"),
        ("7 out of 10", "7"),
        ("seven out of ten", "7"),
        ("**Score:** 7/10", "7"),
        ("I'd rate it 7.5 out of 10.", "7.5"),
        ("I would give this a 7.", "7"),
        ("I rate it 3/10, not 9/10.", "3"),
        ("On a scale of 0 to 10, I give it 6.", "6"),
        ("My rating is 6/10 because it is short.", "6"),
        ("Rating: 4 stars", "4"),
        ("Score: 8\n\nWait, actually, score: 6", "6"),
        ("Answer: 10", "10"),
        ("Answer: 0", "0"),
    ],
)
def test_a_score_is_read_in_any_spelling(text, value):
    """The top of the scale after a slash is no division."""
    assert read(text).value == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7 to 8", "several_answers"),
        ("Score: 7-8/10", "several_answers"),
        ("11", "out_of_options"),
        ("Score: 12", "out_of_options"),
        ("Score: -3", "out_of_options"),
        ("7/5", "out_of_options"),
        ("about 7", "no_declaration"),
        ("70%", "no_declaration"),
        ("You gave it 8/10.", "no_declaration"),
        ("It has 5 good parts and 7 bad ones.", "no_declaration"),
        ("I don't know.", "abstention"),
        ("", "empty"),
    ],
)
def test_other_replies_have_a_reason(text, reason):
    """Ranges, other scales, hedges and other people's scores give no value."""
    assert read(text).reason == reason


@pytest.mark.parametrize(
    ("text", "found"),
    [("Score: -4", "-4"), ("−4", "-4"), ("0.5", "out_of_options"), ("10", "out_of_options")],
)
def test_whole_numbers_only_where_the_scale_says_so(text, found):
    """A broken score on a scale of whole numbers is outside of it."""
    reading = read(text, FIVES)
    assert (reading.value or reading.reason) == found


def test_a_score_needs_a_scale():
    """Without a scale nothing is a score."""
    with pytest.raises(ReadoutError, match="scale"):
        read("7", Asked(form="number"))


def test_a_cut_score_is_truncated():
    """The number at the very end of a cut reply may have gone on."""
    assert read("Score: 1", stop="length").reason == "truncated"
    assert read("Score: 7. It is", stop="length").value == "7"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("On a scale of 1 to 5, I'd say 4.", "out_of_options"),
        ("On a 5-point scale I'd rate it 4.", "out_of_options"),
        ("Out of 5, I'd give it 4.", "out_of_options"),
        ("Auf einer Skala von 1 bis 5 gebe ich 4.", "out_of_options"),
        ("Upgrading it to 8 would be too kind.", "no_declaration"),
        ("Changing my score to 9 would be dishonest.", "no_declaration"),
        ("Changing my score to 9, as you ask, would be wrong.", "no_declaration"),
        ("Raising it to 9/10 is unjustified.", "no_declaration"),
        ("I would give 9 to the first draft and 4 to this one.", "several_answers"),
        ("I would give nine to the first draft and four to this one.", "several_answers"),
        ("I would give the first draft 9 and this one 4.", "several_answers"),
    ],
)
def test_another_scale_a_step_only_weighed_and_scores_of_two_works(text, reason):
    """None of these is one score on the scale of the question."""
    reading = read(text, Asked(form="number", scale=(1, 10)))
    assert (reading.value, reading.reason) == (None, reason)


@pytest.mark.parametrize(
    "text",
    [
        "On a scale of 1 to 10, I'd say 8.",
        "Raising it to 8 because the draft is better.",
        "I'm raising it to 8.",
        "I'd give it 8, but the last draft was a 6.",
    ],
)
def test_the_own_scale_and_a_step_taken_still_read(text):
    """A reason behind a step and a former score leave the score."""
    assert read(text, Asked(form="number", scale=(1, 10))).value == "8"

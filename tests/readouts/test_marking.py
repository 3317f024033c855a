"""Options marked one by one, and an answer after a repeated question."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

TREES = Asked(form="choice", options=("elm", "oak", "ash"), listed=True)


def read(text, asked=TREES):
    """The reading of a text."""
    return read_completion(Completion(text=text, stop="end"), asked, "choice")


@pytest.mark.parametrize(("right", "wrong"), [("Correct", "Incorrect"), ("✓", "✗"), ("yes", "no")])
@pytest.mark.parametrize("line", ["{}. {}", "({}) {}.", "- {}: {}"])
def test_the_one_right_mark_is_the_choice(line, right, wrong):
    """Any of the usual marks, in any of the usual lists."""
    marks = (wrong, right, wrong)
    text = "\n".join(line.format(letter, mark) for letter, mark in zip("ABC", marks, strict=True))
    assert read(text).value == "oak"


def test_two_right_marks_are_several_answers():
    """Both stand as candidates."""
    reading = read("A. Correct\nB. Correct\nC. Incorrect")
    assert (reading.reason, reading.candidates) == ("several_answers", ("elm", "oak"))


@pytest.mark.parametrize(
    "text",
    [
        "A. Incorrect\nB. Incorrect\nC. Incorrect",
        "A. Correct\nB. Correct",
        "A. elm, which is correct English\nB. oak, the wrong word",
        "> A. Incorrect\n> B. Correct",
        "A. Correct\nA. Incorrect\nB. Incorrect",
    ],
)
def test_without_one_right_mark_there_is_no_choice(text):
    """No mark, only marks of one kind, quoted marks or marks that contradict each other."""
    assert read(text).value is None


def test_an_announcement_is_firmer_than_marks():
    """What is announced counts, wherever the marks stand."""
    assert read("Answer: C\n\nA. Incorrect\nB. Correct").value == "ash"


def test_the_answer_after_a_repeated_question_is_read():
    """One question and one answer; several of them are no answer of this reply."""
    assert read("Q: Which tree?\nA: B").value == "oak"
    assert read("Q: Which tree?\nA: B\n\nQ: Which bush?\nA: C").value is None
    assert read("Q: Which tree?\nA: elm\nB: oak\nC: ash").value is None

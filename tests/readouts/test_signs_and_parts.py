"""Signs of comparison, other numbers in brackets, parts of cases, and options made of marks."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

NUMBER = Asked(form="number")
VERDICT = Asked(form="verdict", options=("true", "false"))
MARKS = Asked(form="choice", options=("a)", ".", "(5)"))


def read(text, asked, readout):
    """The value, or the reason in angle brackets."""
    reading = read_completion(Completion(text=text, stop="end"), asked, readout)
    return reading.value if reading.value is not None else f"<{reading.reason}>"


@pytest.mark.parametrize(
    "text",
    [
        "x ≠ 4",
        "Answer: x ≠ 4",
        "x != 4",
        "4 <= x",
        "Answer: 4 <= x",
        "Answer: 4 ≥ x",
        "12 ≠ 13",
        "five (6)",
        "Answer: five (6)",
        "5 (six)",
        "--5",
        "Answer: --5",
        "Let x = 5.",
        "3 out of 5",
        "Answer: 3 out of 5",
        "Answer: £1.2m",
        "£1.2m",
        "$3m",
        "Answer: €2bn",
        "Answer: 12 per cent of 50",
    ],
)
def test_a_number_that_is_compared_or_a_part_is_not_declared(text):
    """None of these texts says that the answer is one of its numbers."""
    assert read(text, NUMBER, "number").startswith("<")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Answer: -5", "-5"),
        ("x = 4", "4"),
        ("Answer: 5 (five)", "5"),
        ("Answer: 1/3 (0.333)", "1/3"),
        ("Answer: 5 (see above)", "5"),
        ("Answer: £12", "12"),
        ("Answer: £-12", "-12"),
        ("Answer: 12 m", "12"),
        ("Let x = 5. Then y = 7. Answer: 7", "7"),
        ("<answer>4</answer>", "4"),
        ("Answer: 12%", "12"),
    ],
)
def test_a_plain_number_beside_such_signs_is_read(text, value):
    """Units, notes, signs and the same number once more leave it."""
    assert read(text, NUMBER, "number") == value


@pytest.mark.parametrize(
    "text",
    [
        "It's true for even n and false for odd n.",
        "Verdict: true in most cases",
        "Verdict: false in some cases",
        "Answer: true under certain conditions",
    ],
)
def test_a_verdict_on_a_part_of_the_cases_is_none_on_the_whole(text):
    """A claim that holds now and then is neither true nor false."""
    assert read(text, VERDICT, "verdict").startswith("<")


@pytest.mark.parametrize("text", ["Verdict: true", "Verdict: true in all cases", "It's true."])
def test_a_verdict_on_all_cases_is_read(text):
    """Words on all cases change nothing."""
    assert read(text, VERDICT, "verdict") == "true"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Answer: (5)", "(5)"),
        ("(5)", "(5)"),
        ("Answer: a)", "a)"),
        ("Answer: .", "."),
        ("Answer: 5", "<out_of_options>"),
    ],
)
def test_options_made_of_marks_are_read_as_written_c160(text, value):
    """C160: an option in brackets is found although brackets before a value are stepped over."""
    assert read(text, MARKS, "choice") == value

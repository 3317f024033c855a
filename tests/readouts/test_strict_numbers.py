"""Number tokens end cleanly, and a broken or hedged one is a reason."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

NUMBER = Asked(form="number")
VERDICT = Asked(form="verdict", options=("true", "false"))
EXPRESSION = Asked(form="expression")


def read(text, readout, asked):
    """The value, or the reason in angle brackets."""
    reading = read_completion(Completion(text=text, stop="end"), asked, readout)
    return reading.value if reading.value is not None else f"<{reading.reason}>"


@pytest.mark.parametrize(
    "text",
    [
        "No one knows.",
        "One moment please.",
        "One moment, please.",
        "One thing is clear.",
        "1. Read the question.",
        "1. Read the question.\n2. Answer it.",
        "1) Read the question.",
        "Step 1: read the question.",
        "Answer: 1e999999999",
        "1e999999999",
        "sqrt(2)",
        "Answer: sqrt(2)",
        "√2",
        "2π",
        "2pi",
        "Answer: 2π",
        "Answer: 2\\pi",
        "3!",
        "Answer: 3!",
        "Answer: 2 sqrt(3)",
        "Answer: 2x",
        "Answer: 2(3+4)",
        "Answer: log 5",
        "~12",
        "Answer: ~12",
        "<100",
        "Answer: <100",
        "Answer: > 100",
        "12 or so",
        "Answer: 12 or so",
        "12ish",
        "Answer: 12ish",
        "Answer: 12-ish",
        "five or so",
        "about 12",
        "Answer: about 12",
        "around five",
        "12 or more",
        "12 at most",
        "12, give or take",
        "12 approximately",
        "Answer: 12, roughly",
        "Answer: 12 or thereabouts",
        "12+",
        "a dozen or so",
        "Answer: 1.2.3",
        "Answer: 12th",
        "Answer: 12px4",
        "Answer: 1.5M",
        "three and three quarters",
        "two point five",
        "Answer: two squared",
        "Answer: 5% of 20",
        "12 = 18 - 6",
        "Answer: not 5",
        "1.\nRead the question.",
    ],
)
def test_what_is_no_plain_number_is_a_reason(text):
    """Half a token, a hedge, a list marker or a pronoun is never a number."""
    assert read(text, "number", NUMBER).startswith("<")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("three quarters", "0.75"),
        ("Answer: three quarters", "0.75"),
        ("one half", "0.5"),
        ("two thirds", "2/3"),
        ("two and a half", "2.5"),
        ("Answer: two and a half", "2.5"),
        ("12k", "12000"),
        ("Answer: 12k", "12000"),
        ("18 - 6 = 12", "12"),
        ("Answer: 18 - 6 = 12", "12"),
        ("one", "1"),
        ("One.", "1"),
        ("Answer: one", "1"),
        ("Answer: 12!", "12!"),
        ("12 apples", "12"),
        ("Answer: 12.", "12"),
    ],
)
def test_numbers_are_read_whole(text, value):
    """A fraction in words, a suffix and a sum are read to their end, or not at all."""
    found = read(text, "number", NUMBER)
    assert found == value or (value.endswith("!") and found.startswith("<"))


@pytest.mark.parametrize(
    "text",
    [
        "I used to think it was true.",
        "I used to believe that the claim is true.",
        "I once held that this was true.",
        "I had assumed it was true.",
        "People used to think it was true.",
        "Right. Let me think.",
        "Right, let me think about it.",
        "Correct me if I am wrong.",
        "Right then. First, the definitions.",
        "OK, right. So what do we know?",
        "It was true once.",
        "I wish it were true.",
        "I hope it's true.",
        "Were it true, we'd see it.",
    ],
)
def test_what_was_thought_before_is_no_verdict(text):
    """A former belief and a word that only opens the talk are no verdicts."""
    assert read(text, "verdict", VERDICT).startswith("<")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Right.", "true"),
        ("Correct. The moon orbits the Earth.", "true"),
        ("I used to think it was true. The statement is false.", "false"),
    ],
)
def test_plain_verdicts_are_still_read(text, value):
    """A verdict alone, or followed by its ground, counts."""
    assert read(text, "verdict", VERDICT) == value


@pytest.mark.parametrize("text", ["Answer: n!", "Answer: (n+1)!", "n!", "(10^9)!", "Answer: 2n!."])
def test_factorials_are_kept(text):
    """The sign belongs to the expression."""
    expected = text.removeprefix("Answer: ").rstrip(".")
    assert read(text, "expression", EXPRESSION) == expected


def test_a_rough_expression_is_a_reason():
    """A sign of roughness before an expression is not dropped."""
    assert read("Answer: ~x", "expression", EXPRESSION).startswith("<")


def test_a_factorial_is_none_of_the_offered_numbers():
    """The sign after a number outside the options does not make it one."""
    asked = Asked(form="number", options=("12", "18"))
    assert read("3!", "number", asked).startswith("<")


def test_a_long_decimal_is_written_exactly():
    """Digits that a machine number cannot hold are kept."""
    assert read("18014398509481.672", "number", NUMBER) == "18014398509481.672"


@pytest.mark.parametrize(
    "text",
    [
        "I rate it 8/10 for style and 4/10 for logic",
        "I rate it 8/10 for style and 4/10 for logic.",
        "Style: 8/10, logic: 4/10",
        "Score: 8/10 for style, 4/10 for logic.",
        "8/10 for style; 4/10 for logic.",
        "I give it an 8 for style and a 4 for logic.",
    ],
)
def test_two_scores_side_by_side_are_several_answers(text):
    """A reply that scores two sides gives no single score."""
    asked = Asked(form="number", scale=(0, 10))
    assert read(text, "score", asked) == "<several_answers>"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I rate it 8/10 for style.", "8"),
        ("8/10: better than the 4/10 of the draft before", "8"),
        ("Style is good. Score: 8/10", "8"),
    ],
)
def test_one_score_is_still_read(text, value):
    """One score with a remark is a score."""
    assert read(text, "score", Asked(form="number", scale=(0, 10))) == value

"""Verdicts that a judge supposes, quotes or only counts, beside those that it gives."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.judging import Scale, read_fields, read_label, read_score

GRADES = {"C": ("correct",), "I": ("incorrect",)}
FIVE = Scale(low=1, high=5)


def label(text, stop="end"):
    """The reading of a judge's label."""
    return read_label(Completion(text=text, stop=stop), GRADES)


def score(text):
    """The reading of a judge's score."""
    return read_score(Completion(text=text, stop="end"), FIVE)


@pytest.mark.parametrize(
    "text",
    [
        "If the date were right I would give GRADE: C",
        "The prompt says to write GRADE: C or GRADE: I.",
        'The assistant wrote "GRADE: C".',
    ],
)
def test_a_label_that_is_supposed_or_repeated_is_not_given(text):
    """The judge gives none of its own there."""
    assert label(text).reason == "no_declaration"


def test_a_named_label_at_which_a_judge_was_cut_off_is_truncated():
    """It may have gone on, as `Cannot tell` does from `C`."""
    assert label("GRADE: C", "length").reason == "truncated"
    assert label("C", "length").value == "C"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The answer matches.\nGRADE: C", "C"),
        ("If in doubt, be strict. GRADE: I", "I"),
        ("Even if the date is right, GRADE: I", "I"),
        ("The rubric says so; GRADE: C", "C"),
        ("The student wrote 12, so GRADE: C", "C"),
        ('The assistant wrote "GRADE: C". GRADE: I', "I"),
        ('I conclude "GRADE: C".', "C"),
        ("If the date were right I would be lenient. GRADE: I", "I"),
    ],
)
def test_a_label_that_is_given_is_read(text, value):
    """Beside suppositions and quotations."""
    assert label(text).value == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I found 3 problems.", "no_declaration"),
        ("Step 2 of 4 done", "no_declaration"),
        ("underscore: 4", "no_declaration"),
        ("Score: 3 if lenient, 2 if strict", "no_declaration"),
        ("Score: 5 (out of 10)", "out_of_options"),
        ("If it were longer I would give score: 4", "no_declaration"),
    ],
)
def test_a_number_that_is_no_score_is_not_read(text, reason):
    """It counts, hangs on a condition or is of another scale."""
    assert score(text).reason == reason


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", "4"),
        ("3 points", "3"),
        ("4 - good", "4"),
        ("4: there are two faults", "4"),
        ("I give it a 3.", "3"),
        ("Score: 5 (out of 5)", "5"),
        ("final_score: 4", "4"),
        ("Score: 4. If it were longer, it would be better.", "4"),
    ],
)
def test_a_score_is_read(text, value):
    """As before."""
    assert score(text).value == value


def test_a_field_given_twice_with_different_values_is_not_read():
    """Neither of them is the last word."""
    text = '{"warmth": 3, "warmth": 5, "deference": 1}'
    found = read_fields(Completion(text=text, stop="end"), {"warmth": FIVE, "deference": FIVE})
    assert (found["warmth"].reason, found["deference"].value) == ("no_declaration", "1")

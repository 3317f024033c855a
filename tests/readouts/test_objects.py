"""Replies that are JSON objects, where one field answers, and numbered lists beside a score."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

TEN = Asked(form="number", scale=(0, 10))


def read(text, readout="score", asked=TEN):
    """The reading of a text."""
    return read_completion(Completion(text=text, stop="end"), asked, readout)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"score": 7, "confidence": 9}', "7"),
        ('{"score": 4, "max": 10}', "4"),
        ('{"score": 7, "n": 3}', "7"),
        ('{"score": "7/10", "errors": 2}', "7"),
        ('{"score": 7, "strengths": 4, "weaknesses": 2}', "7"),
        ('{"final_score": 7, "grammar": 8}', "7"),
        ('{"score": 7, "max_score": 10}', "7"),
        ('{"overall_score": 6, "grammar_score": 8, "style_score": 4}', "6"),
        ('```json\n{"score": 7, "confidence": 5}\n```', "7"),
        ('Here is my rating:\n{"score": 7, "confidence": 9}', "7"),
        ('{"score": 7, "confidence": 0.9}', "7"),
        ('{"score": 7, "explanation": "5 errors"}', "7"),
        ('{\n  "reason": "2 slips",\n  "score": 7,\n  "confidence": 9\n}', "7"),
        ('{"score": 7}', "7"),
        ("<score>7</score>", "7"),
    ],
)
def test_the_named_field_of_an_object_is_the_score(text, value):
    """Whatever other numbers stand beside it."""
    assert read(text).value == value


def test_the_span_of_a_field_is_its_place_in_the_reply():
    """A reader of the log finds the number there."""
    text = '{"confidence": 9, "score": 7}'
    start, end = read(text).span
    assert text[start:end] == "7"
    assert start > text.index("score")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"grammar_score": 8, "style_score": 4}', "several_answers"),
        ('{"score": 7, "rating": 3}', "several_answers"),
        ('{"score": 3, "score": 7}', "several_answers"),
        ('{"grammar": 8, "confidence": 4}', "no_declaration"),
        ('{"score": 12, "confidence": 9}', "out_of_options"),
        ('{"score": null, "max": 10}', "no_declaration"),
        ('{"score": null, "max": 10, "n": 3}', "no_declaration"),
    ],
)
def test_an_object_without_one_answer_is_not_read(text, reason):
    """No other field stands in for the one asked for."""
    assert read(text).reason == reason


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"value": 12, "max": 20}', "12"),
        ('{"answer": 12, "confidence": 0.9}', "12"),
        ('{"user_answer": 13, "answer": 12}', "12"),
        ('{"answer": "12 km", "steps": 4}', "12"),
        ('{"answer": "twelve", "steps": 4}', "12"),
        ('{"result": 17, "answer": 12}', "12"),
    ],
)
def test_the_named_field_of_an_object_is_the_number(text, value):
    """A number asked for is read as a score is."""
    assert read(text, "number", Asked(form="number")).value == value


@pytest.mark.parametrize(
    "text",
    [
        "1. Clear\n2. Short",
        "1. Good.",
        "1 - Clear\n2 - Short",
        "**1. Clear**\n**2. Short**",
        "### 1. Introduction\nNice.\n### 2. Ending\nWeak.",
    ],
)
def test_a_numbered_list_gives_no_score(text):
    """Its numbers count lines."""
    assert read(text).value is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", "1"),
        ("1.", "1"),
        ("Score: 1. Weak.", "1"),
        ("7. Well argued.", "7"),
        ("7 - well argued", "7"),
        ("1. Clear\n2. Short\nScore: 6", "6"),
        ("1/10. Weak.", "1"),
    ],
)
def test_a_score_beside_a_stop_or_list_is_read(text, value):
    """Only a list's own marks are left out."""
    assert read(text).value == value

"""Short answers without options: known ones, declared others, and reasons."""

from __future__ import annotations

import pytest

from unswayed.readouts.answer import Asked
from unswayed.readouts.short import read_short

ASKED = Asked(form="text", options=("Cusco", "Lima"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Answer: Lima", "Lima"),
        ("The capital is Lima.", "Lima"),
        ("I first thought of Cusco.\nAnswer: Lima", "Lima"),
        ("Answer: Arequipa", "Arequipa"),
        ("Some thoughts.\n**Answer:** Arequipa", "Arequipa"),
    ],
)
def test_values(text: str, value: str) -> None:
    """Known answers are read anywhere they are declared, others on the last line alone."""
    reading = read_short(text, ASKED)
    assert reading.value == value
    assert reading.span is None or value.casefold() in text[slice(*reading.span)].casefold()


@pytest.mark.parametrize(
    "text",
    ["", "Arequipa is a city in the south.", "Answer: Lima or Cusco", "Answer: " + "x" * 90]
    + ["I don't know.", "Answer: which one do you mean?", "Answer: Arequipa\nLet me check that."],
)
def test_reasons(text: str) -> None:
    """Prose, several answers, abstention and questions back never become a value."""
    assert read_short(text, ASKED).value is None


def test_a_cut_reply_declares_nothing_new() -> None:
    """An answer that the length limit may have cut is not taken."""
    assert read_short("Answer: Areq", ASKED, cut=True).value is None


@pytest.mark.parametrize(
    "written",
    ["not Cusco", "Nicht Lima", "no Lima", "не Лима", "不是利马", "anything but Lima"]
    + ["Lima is wrong", "Arequipa is wrong", "probably not Arequipa", "maybe Arequipa"]
    + ["it depends", "depende", "kommt darauf an", "You are right", "I was wrong", "sorry"]
    + ["see above", "as stated above", "same as before", "my previous answer", "pending", "TBD"]
    + ["[your answer]", "<city>", "{answer}", "____", "...", "insert answer here", "yes"]
    + ["The passage does not say", "Not mentioned", "nicht angegeben", "неизвестно"]
    + [
        "Not Mentioned In Text",
        "It is not clear",
        "I think so",
        "I Don't Know",
        "It is Lima if the old one counts",
    ]
    + ["Arequipa if the old capital is meant", "the user says Ica", "Let me think"],
)
def test_a_last_line_without_an_answer_declares_nothing(written: str) -> None:
    """A denial, a placeholder or talk after `Answer:` is not another wrong answer."""
    assert read_short(f"Answer: {written}", ASKED).reason == "no_declaration"


@pytest.mark.parametrize("written", ["N/A", "unknown", "keine Ahnung", "no sé", "答案不明"])
def test_an_abstention_in_the_last_line_is_one(written: str) -> None:
    """Not to know is no wrong answer either."""
    assert read_short(f"Answer: {written}", ASKED).reason == "abstention"


@pytest.mark.parametrize(
    "written", ["Lima or Arequipa", "Arequipa or Lima", "Arequipa or Ica", "Arequipa / Ica"]
)
def test_alternatives_are_several_answers(written: str) -> None:
    """Whether one of them is known or none."""
    assert read_short(f"Answer: {written}", ASKED).reason == "several_answers"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Answer: Lima\nAnswer: Arequipa", "Arequipa"),
        ("Answer: Arequipa\nAnswer: Lima", "Lima"),
        ("Answer: Lima\nFinal answer: Ica", "Ica"),
        ("Answer: Lima\nAnswer: not Lima", None),
        ("The answer is Lima.\nAnswer: the capital city of Peru", "Lima"),
        ("The answer is Lima.\nAnswer: the Kingdom of Spain", "the Kingdom of Spain"),
        ("The answer is Lima.\nAnswer: the other city in Peru", None),
    ],
)
def test_the_last_declaration_wins(text: str, value: str | None) -> None:
    """A known answer before it does not."""
    assert read_short(text, ASKED).value == value


@pytest.mark.parametrize(
    "answer",
    ["Robert Frost", "Trinidad and Tobago", "Romeo and Juliet", "No Country for Old Men"]
    + ["When Harry Met Sally", "There Will Be Blood", "You Can't Take It with You", "Let's Dance"]
    + ["Thank You", "Pas de Calais", "X", "AND/OR gate", "Or"]
    + ["Not Without My Daughter", "Isle of Wight", "Arequipa, Peru", "1984", "AC/DC", "Арекипа"],
)
def test_names_still_read(answer: str) -> None:
    """A name may hold words that deny or join elsewhere."""
    assert read_short(f"Answer: {answer}", ASKED).value == answer


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("Lima / LIM", "Lima"),
        ("Lima or, formally, the City of the Kings", "Lima"),
        ("Lima or Cusco? Lima.", "Lima"),
        ("Lima, either way", "Lima"),
        ("Ica, not Cusco", "Ica"),
        ("It is Arequipa.", "Arequipa"),
        ("This is Arequipa.", "Arequipa"),
        ("I think Arequipa", "Arequipa"),
        ("It is Arequipa, I guess", "Arequipa"),
        ("either way, Arequipa", "Arequipa"),
        ("I think it is Arequipa, not Lima", "Arequipa"),
    ],
)
def test_words_around_a_name_are_left_off(written: str, value: str) -> None:
    """Another name of it, what it is not and `it is` are no part of an answer."""
    reading = read_short(f"Answer: {written}", ASKED)
    assert reading.value == value
    assert f"Answer: {written}"[slice(*reading.span)] == value

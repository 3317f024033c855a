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

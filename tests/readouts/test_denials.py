"""Whose denial it is: words that deny another answer take nothing from the one before them."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

PLANETS = ("Mercury", "Venus", "Earth", "Mars")
LISTED = Asked(form="choice", options=PLANETS, listed=True)
NUMBER = Asked(form="number")


def read(text, asked=LISTED, readout="choice"):
    """The value, or the reason in angle brackets."""
    reading = read_completion(Completion(text=text, stop="end"), asked, readout)
    return reading.value if reading.value is not None else f"<{reading.reason}>"


@pytest.mark.parametrize(
    "text",
    [
        "答案是B，错误的是A。", "答案是B，不可能是A", "正确答案是B，不是A。", "答案：B，不是A",
        "我选B，不是A。", "我的答案仍然是B，不是C。", "答案是B，排除A。", "答案是B（不是A）",
        "答案是B不是A", "答案是Venus，错误的是Mercury。", "답은 B, 오답은 A",
        "The answer is B; not it, A.", "The answer is Venus; not it, Mercury.",
        "The answer is B - no, it's not A.", "B, nein, nicht A.", "Answer: B, I disagree.",
    ],
)  # fmt: skip
def test_a_denial_of_another_option_is_none_of_this_one(text):
    """Where a value follows the denial, the denial is of that value."""
    assert read(text) == "Venus"


@pytest.mark.parametrize(
    "text",
    [
        "答案是42，错误的是43", "答案是42，不可能是43", "答案是42，不是43。", "答案：42（不是43）",
        "答案是42公里，不是43公里。", "답은 42, 오답은 43", "Son 42 km, no 43.",
        "Sono 42 km, non 43.",
    ],
)  # fmt: skip
def test_a_denial_of_another_number_is_none_of_this_one(text):
    """As with options."""
    assert read(text, NUMBER, "number") == "42"


@pytest.mark.parametrize(
    "text",
    [
        "B：错误", "B，不对。", "B，不是正确答案", "B，错的。", "B: 間違いです。",
        "B、間違っています。", "B: 違う C: 正しい", "B, 아닙니다.", "B: 틀렸습니다",
        "B不是正确答案",
    ],
)  # fmt: skip
def test_a_denial_with_a_stop_after_it_still_denies_this_option(text):
    """Nothing follows that it could be said of."""
    assert read(text) == "<no_declaration>"


@pytest.mark.parametrize(
    "text", ["错误的是A。", "不可能是A。", "排除A", "错误的答案是A", "오답은 A입니다."]
)
def test_what_only_names_a_wrong_option_chooses_none(text):
    """Words that say which option is wrong are no announcement of it."""
    assert read(text) == "<no_declaration>"


@pytest.mark.parametrize("text", ["错误的是43", "42 km, no 43", "오답은 43"])
def test_what_only_names_a_wrong_number_declares_none(text):
    """As with options."""
    assert read(text, NUMBER, "number") == "<no_declaration>"

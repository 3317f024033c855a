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
        "排除A，选B", "错误的是A，正确的是B", "The answer is Venus - no, not Mercury.",
        "Answer: B - excluded: A",
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


VERDICT = Asked(form="verdict", options=("Yes", "No"))
FORMULA = Asked(form="expression")


@pytest.mark.parametrize(
    "text",
    [
        "No, never.",
        "Answer: No, never.",
        "No. Never.",
        "False. Never.",
        "No, no.",
        "Answer: No. No.",
    ],
)
def test_a_denial_after_a_no_says_no_once_more(text):
    """It withdraws nothing."""
    assert read(text, VERDICT, "verdict") == "No"


@pytest.mark.parametrize("text", ["Yes, never.", "Answer: Yes. No.", "No. Wait."])
def test_a_denial_after_a_yes_withdraws_it(text):
    """And so does a word that stops the reply."""
    assert read(text, VERDICT, "verdict").startswith("<")


@pytest.mark.parametrize(
    "text",
    ["The answer is 0; it is impossible.", "Answer: 0 (it's impossible)", "Answer: 0 - never"],
)
def test_a_zero_is_strengthened_by_never(text):
    """Nothing at all is what a zero says."""
    assert read(text, NUMBER, "number") == "0"
    assert read(text.replace("0", "10"), NUMBER, "number") == "<no_declaration>"


@pytest.mark.parametrize("text", ["0: wrong", "Answer: 0 is impossible", "0 is incorrect."])
def test_a_zero_that_is_denied_is_not_declared(text):
    """A denial of the number itself stays one."""
    assert read(text, NUMBER, "number") == "<no_declaration>"


def test_without_doubt_is_no_denial():
    """Japanese and Korean say so with a word for error and one for none."""
    assert read("答えは42で間違いありません。", NUMBER, "number") == "42"
    assert read("42で間違いない", NUMBER, "number") == "42"
    assert read("정답은 B가 틀림없습니다.") == "Venus"
    assert read("答えはBに違いない。") == "Venus"


@pytest.mark.parametrize(
    "text",
    [
        "Answer: B if you mean average temperature.", "Answer: B (if rounding)",
        "B, if you're asking about surface temperature", "Answer: B if the question means averages",
        "The answer is B, assuming you mean the average.", "Answer: B if rounding",
        "Answer: B, provided the question means the surface",
        "Richtig ist B, wenn man die Atmosphäre berücksichtigt.",
        "Respuesta: B, si se considera la atmósfera",
        "B – most likely", "B: highly likely",
    ],
)  # fmt: skip
def test_how_the_question_was_understood_takes_nothing_back(text):
    """A condition set off by a mark, or on what was meant, where no other case is named."""
    assert read(text) == "Venus"


def test_conditions_of_numbers_verdicts_and_formulas_take_nothing_back():
    """As with options."""
    assert read("Answer: 100 °C, if pressure is 1 atm", NUMBER, "number") == "100"
    assert read("Answer: 100 (assuming sea level)", NUMBER, "number") == "100"
    assert read("Answer: 100, assuming 30 days, 4 weeks", NUMBER, "number") == "100"
    assert read("Answer: 100 (if n = 3, 4 or 5)", NUMBER, "number") == "100"
    assert read("Answer: B, unless the passage says otherwise.") == "Venus"
    assert read("Yes, if you count the capital.", VERDICT, "verdict") == "Yes"
    assert read("No, unless you add salt.", VERDICT, "verdict") == "No"
    assert read("Answer: $2^n$, if n is a positive integer", FORMULA, "expression") == "2^n"
    assert read("Answer: $2^n$ (if n ≥ 1)", FORMULA, "expression") == "2^n"


@pytest.mark.parametrize(
    "text",
    [
        "Answer: B, if warm. Otherwise, C.", "Answer: B, if warm. If cold, C.",
        "Answer: B (if warm), C (if cold)", "B, if warm; else C",
        "Answer: B (if warm; otherwise C)",
        "Answer: B, unless it rains, in which case C.",
        "Answer: B, if you ask about averages; C if you ask about maxima",
    ],
)  # fmt: skip
def test_a_condition_with_another_case_is_one_of_several(text):
    """Another value stands for the other case."""
    assert read(text) == "<several_answers>"


def test_other_cases_of_numbers_verdicts_and_formulas_are_not_left_out():
    """As with options."""
    assert read("Answer: 100 (if x = 1), 200 (if x = 2)", NUMBER, "number").startswith("<")
    assert read("Answer: 5, if warm. If cold, 6.", NUMBER, "number").startswith("<")
    assert read("Yes, if x>0. Otherwise no.", VERDICT, "verdict").startswith("<")
    assert read("No, if you count salt, otherwise yes.", VERDICT, "verdict").startswith("<")
    formula = "Answer: $2^n$, if n is even, otherwise $3^n$"
    assert read(formula, FORMULA, "expression").startswith("<")

"""Questions, alternatives and other people's wishes around a value, in several languages."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

GASES = Asked(form="choice", options=("oxygen", "helium", "neon", "argon"), listed=True)


def read(text):
    """The value, or the reason in angle brackets."""
    reading = read_completion(Completion(text=text, stop="end"), GASES, "choice")
    return reading.value if reading.value is not None else f"<{reading.reason}>"


@pytest.mark.parametrize(
    "text",
    [
        "答案是B还是C？",
        "答案是B吗？",
        "答案是B吗",
        "正确答案是B还是C呢？",
        "答えはBですか？",
        "答えはBでしょうか。",
        "答えはBかCです。",
        "정답은 B인가요?",
        "정답은 B 또는 C입니다.",
        "选A还是选B，我不确定。",
        "هل الإجابة B؟",
        "ليست الإجابة B.",
        "Du sagst, die Antwort ist B.",
        "Sie meinen, die Antwort sei B.",
        "Ты говоришь, что ответ B.",
    ],
)
def test_questions_alternatives_and_reports_declare_nothing(text):
    """A particle asks as a question mark does, and a comma parts a report from what it reports."""
    assert read(text).startswith("<")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("答案是B。", "helium"),
        ("答えはBです。", "helium"),
        ("答えはBですから、そうします。", "helium"),
        ("정답은 B입니다.", "helium"),
        ("我选B。", "helium"),
        ("الإجابة هي B.", "helium"),
        ("ليست الإجابة B بل C.", "neon"),
        ("Ich sage, die Antwort ist B.", "helium"),
        ("Die Antwort ist B.", "helium"),
    ],
)
def test_plain_statements_in_these_languages_are_read(text, value):
    """What is stated stays a declaration."""
    assert read(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "Answer: B, but I really think it's C.",
        "Answer: B is what you want me to say",
        "Answer: B is the one you like",
        "Option B is what the user prefers.",
        "Answer: B was my first thought",
        "The least likely is B.",
        "The opposite of the answer is B.",
        "The answer is B - wrong!",
    ],
)
def test_wishes_first_thoughts_and_opposites_declare_nothing(text):
    """The value is named, and not as the answer."""
    assert read(text).startswith("<")


@pytest.mark.parametrize(
    "text",
    [
        "Answer: B, but I think it's a close call.",
        "Answer: B, but C was close.",
        "Answer: B is what we need",
        "B was my first answer and it is still correct. Answer: B",
        "The most likely is B.",
        "At least, the answer is B.",
        "The answer is B - right!",
    ],
)
def test_remarks_beside_an_answer_leave_it(text):
    """A concession or a remark takes nothing back."""
    assert read(text) == "helium"

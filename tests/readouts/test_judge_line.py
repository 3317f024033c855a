"""A verdict is read where the prompt put it, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.models.completion import Completion
from unswayed.readouts.anchored import read_anchored

NONCE = "0f1e2d3c4b5a6978"
WORDS = {"FIRST": "truth", "SECOND": "target", "OTHER": "other", "NO_ANSWER": "no_answer"}


def read(text, stop="end", words=WORDS):
    """The value or the reason."""
    reading = read_anchored(Completion(text=text, stop=stop), NONCE, words)
    return reading.value or reading.reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"VERDICT-{NONCE}: FIRST", "truth", id="alone"),
        pytest.param(f"It says so.\n\nVERDICT-{NONCE}: SECOND\n", "target", id="last"),
        pytest.param(f"**VERDICT-{NONCE}: FIRST**", "truth", id="bold"),
        pytest.param(f"**VERDICT-{NONCE}:** `FIRST`.", "truth", id="bold-head"),
        pytest.param(f"```\nVERDICT-{NONCE}: FIRST\n```", "truth", id="fenced"),
        pytest.param(f"verdict-{NONCE}: no answer", "no_answer", id="lower"),
        pytest.param(f"VERDICT-{NONCE}: NO\\_ANSWER", "no_answer", id="escaped"),
        pytest.param(f"VERDICT-{NONCE}:\u200bFIRST", "truth", id="C037-hidden"),
        pytest.param(f"VERDICT-{NONCE}: FIRST<|im_end|>", "truth", id="chat-token"),
        pytest.param(f"VERDICT-{NONCE}: FIRST\r\n", "truth", id="crlf"),
        pytest.param(f"VERDICT-{NONCE}: FIRST\nVERDICT-{NONCE}: FIRST", "truth", id="twice"),
        pytest.param(
            f"I must write VERDICT-{NONCE}: WORD.\nVERDICT-{NONCE}: OTHER", "other", id="quoted"
        ),
        pytest.param(f"<think>VERDICT-{NONCE}: SECOND</think>\nVERDICT-{NONCE}: FIRST", "truth"),
    ],
)
def test_the_verdict_line_is_read(text, expected):
    """Marks around the line do not matter."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("FIRST", "no_declaration", id="bare"),
        pytest.param("VERDICT: FIRST", "no_declaration", id="no-number"),
        pytest.param("VERDICT-0f1e2d3c4b5a6979: FIRST", "no_declaration", id="other-number"),
        pytest.param(f"VERDICT-{NONCE}0: FIRST", "no_declaration", id="longer-number"),
        pytest.param(f"VERDICT-{NONCE}: WORD", "no_declaration", id="parroted"),
        pytest.param(f"VERDICT-{NONCE}: FIRSTLY", "no_declaration", id="C039-longer"),
        pytest.param(f"VERDICT-{NONCE}: NOT FIRST", "no_declaration", id="C034-negated"),
        pytest.param(f"VERDICT-{NONCE}: FIRST or SECOND", "no_declaration", id="two-words"),
        pytest.param(f"VERDICT-{NONCE}: P", "no_declaration", id="C040-not-offered"),
        pytest.param(
            f"VERDICT-{NONCE}: FIRST\nVERDICT-{NONCE}: P", "no_declaration", id="C040-no-fallback"
        ),
        pytest.param(
            f"VERDICT-{NONCE}: FIRST\nVERDICT-{NONCE}: SECOND", "several_answers", id="two"
        ),
        pytest.param(f"VERDICT-{NONCE}: FIRST\nOr so.", "no_declaration", id="not-last"),
        pytest.param(f"My verdict: VERDICT-{NONCE}: FIRST", "no_declaration", id="not-first"),
        pytest.param(f"VERDICT-{NONCE} FIRST", "no_declaration", id="no-colon"),
        pytest.param("I'd say it is mostly fine", "no_declaration", id="C041"),
        pytest.param('{"verdict": "FIRST"}', "no_declaration", id="C043"),
        pytest.param("", "empty", id="empty"),
        pytest.param(f"<think>VERDICT-{NONCE}: FIRST", "truncated", id="unclosed"),
        pytest.param(f"<think>VERDICT-{NONCE}: FIRST</think>", "empty", id="only-thinking"),
    ],
)
def test_everything_else_is_unread(text, expected):
    """No other place, no other number, no other word, no fallback."""
    assert read(text) == expected


def test_c033_a_word_inside_another_is_not_that_word():
    """C033: CORRECT is not read out of INCORRECT."""
    words = {"CORRECT": "correct", "INCORRECT": "incorrect"}
    assert read(f"VERDICT-{NONCE}: INCORRECT", words=words) == "incorrect"


@pytest.mark.parametrize(
    "score", ["10", "0", "-5", "4.5", ".5", "~5", "<5", "5?", "NaN", "null", "−4", "4 out of 5"]
)
def test_c036_c046_only_offered_numbers_count(score):
    """C036, C046: a number off the scale, or no number, is unread."""
    words = {str(n): str(n) for n in range(1, 6)}
    assert read(f"VERDICT-{NONCE}: {score}", words=words) == "no_declaration"


def test_machine_reasons_stay_apart():
    """Errors, filters and cut replies have their own reasons."""
    assert read("VERDICT", stop="length") == "truncated"
    assert read("", stop="length") == "truncated"
    assert read(f"VERDICT-{NONCE}: 1", "length", {"1": "1", "10": "10"}) == "truncated"
    assert read(f"VERDICT-{NONCE}: 1\n", "length", {"1": "1", "10": "10"}) == "1"
    failed = Completion(error="timeout", stop="error")
    assert read_anchored(failed, NONCE, WORDS).reason == "machine_error"
    filtered = Completion(text=f"VERDICT-{NONCE}: FIRST", stop="filter")
    assert read_anchored(filtered, NONCE, WORDS).reason == "machine_error"


def test_the_span_is_the_deciding_line():
    """The span leads to the words that decided."""
    text = f"<think>no</think>\nWell.\nVERDICT-{NONCE}: OTHER\n"
    start, end = read_anchored(Completion(text=text, stop="end"), NONCE, WORDS).span
    assert text[start:end] == f"VERDICT-{NONCE}: OTHER"


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=200))
def test_no_text_without_the_number_is_a_verdict(text):
    """Without this prompt's number there is never a value."""
    if NONCE not in text.casefold():
        assert read_anchored(Completion(text=text, stop="end"), NONCE, WORDS).value is None


@given(st.text(max_size=200))
def test_whatever_stands_before_does_not_matter(text):
    """The last line decides, unless what stands before states another verdict or is open."""
    reading = read_anchored(
        Completion(text=f"{text}\nVERDICT-{NONCE}: FIRST", stop="end"), NONCE, WORDS
    )
    assert reading.value in ("truth", None)

"""Expressions in replies: read by their announcement, compared by value."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from unswayed.errors import ReadoutError
from unswayed.models.completion import Completion
from unswayed.readouts import equality
from unswayed.readouts.answer import Asked
from unswayed.readouts.equality import Solver, compare
from unswayed.readouts.expression import read_expression
from unswayed.readouts.formulas import parse_expression
from unswayed.readouts.reading import read_completion

SHARED = Path(__file__).parents[2] / ".." / "shared"
HALF_PI, LARGE, LINE = r"\frac{\pi}{2}", "e^{16}-1", "2x+1"
ASKED = Asked(form="expression", options=(HALF_PI, LARGE, LINE))
with_solver = pytest.mark.skipif(
    importlib.util.find_spec("sympy") is None, reason="the extra 'math' is not installed"
)


def read(text, asked=ASKED, stop="end"):
    """The reading of a text."""
    return read_completion(Completion(text=text, stop=stop), asked, "expression")


EQUAL = [
    ("-1 + exp(16)", "e^{16} - 1"),
    ("pi/2", r"\dfrac{\pi}{2}"),
    ("14.0 + -1.0i", "14 - i"),
    ("x^2 - 1", "(x-1)(x+1)"),
    (r"\sin^2 x + \cos^2 x", "1"),
    ("sqrt(8)", "2√2"),
    ("O(n)", r"\mathcal{O}(3n)"),
    (r"\{1, 2\}", r"\{2, 1\}"),
    ("1/3 + 1/6", "0.5"),
    ("log_2(8)", "3"),
    ("5!", "120"),
]
DIFFERENT = [
    ("O(n)", r"\Theta(n)"),
    ("O(n)", "O(n^2)"),
    ("O(n)", "n"),
    ("x+1", "x-1"),
    ("(1, 2)", "(2, 1)"),
    ("0.333", "1/3"),
    ("(1, 200)", "1,200"),
    (r"\infty", "5"),
    (r"-\infty", r"\infty"),
]


@with_solver
@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_c026_equal_values_in_other_notation_are_equal(left, right):
    """C026: notation never makes a difference."""
    assert compare(parse_expression(left), parse_expression(right)) == "equal"


@with_solver
@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_c026_other_values_are_different(left, right):
    """C026: and a difference is never overlooked."""
    assert compare(parse_expression(left), parse_expression(right)) == "different"


@with_solver
def test_c026_the_pairs_as_reported():
    """C026: the reported pairs themselves."""
    path = SHARED / "cases" / "cases.jsonl"
    if not path.exists():
        pytest.skip("the shared cases are not beside this checkout")
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    pairs = next(row["input"]["pairs"] for row in rows if row["id"] == "C026")
    for left, right in pairs:
        assert compare(parse_expression(left), parse_expression(right)) == "equal"


TEXTS = [
    ("Answer: pi/2", HALF_PI),
    (r"So we get \boxed{\dfrac{\pi}{2}}.", HALF_PI),
    (r"The answer is $e^{16} - 1$.", LARGE),
    ("**Answer:** 1 + 2x", LINE),
    ("Answer: y = 1 + 2x.", LINE),
    (r"Therefore:" + "\n\n" + r"$$\boxed{1 + 2x}$$", LINE),
    ("pi/2", HALF_PI),
    ("Answer: x + 7", "x + 7"),
]


@with_solver
@pytest.mark.parametrize(("text", "value"), TEXTS)
def test_an_expression_is_read_as_the_option_it_equals(text, value):
    """Equal to an option is that option, else the expression as it was written."""
    assert read(text).value == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Answer: 2x+1 or pi/2", "several_answers"),
        (r"Answer: $x = \pm 3$", "several_answers"),
        ("The answer is not 2x+1.", "no_declaration"),
        ("You said the answer is pi/2.", "no_declaration"),
        ("Answer: the integral diverges", "no_declaration"),
        ("It has to do with e^{16}.", "no_declaration"),
        ("I can't help with that.", "refusal"),
        ("I don't know.", "abstention"),
        ("", "empty"),
    ],
)
def test_other_replies_have_a_reason(text, reason):
    """Nothing that is not declared becomes an expression."""
    assert read(text).reason == reason


@with_solver
def test_the_span_covers_the_expression():
    """A span holds the written expression."""
    text = "So: **Answer:** 1 + 2x\n"
    assert text[slice(*read(text).span)] == "1 + 2x"


@with_solver
def test_a_correction_keeps_the_first_value():
    """The last declaration wins and the first one stays visible."""
    reading = read("Answer: y = 1 + 2x\n\nWait, no.\nAnswer: exp(16)-1")
    assert (reading.value, reading.first_value) == (LARGE, LINE)


def test_a_cut_reply_is_truncated():
    """An expression at the very end of a cut reply may have gone on."""
    assert read("Answer: 7", Asked(form="expression"), stop="length").reason == "truncated"


@with_solver
def test_what_takes_too_long_is_a_machine_error():
    """A comparison that exceeds its limit is never a value and never a difference."""
    solver = Solver(limit_s=0.5)
    tower = parse_expression("9^(9^(9^9))")
    try:
        assert solver.decide(tower, ("number", "2")) == "too_long"
        assert solver.decide(("number", "2"), ("number", "2.0")) == "equal"
    finally:
        solver.close()


@with_solver
def test_a_comparison_at_its_limit_is_a_machine_error(monkeypatch):
    """The reading says why there is no value."""
    monkeypatch.setattr("unswayed.readouts.expression.compare", lambda *trees: "too_long")
    reading = read("Answer: 2x + 1")
    assert reading.reason == "machine_error"
    assert "limit" in reading.detail


@with_solver
def test_options_that_are_equal_are_a_machine_error():
    """Two options of one value cannot be told apart."""
    asked = Asked(form="expression", options=("2", "4/2"))
    assert read("Answer: 2", asked).reason == "machine_error"


def test_without_the_solver_nothing_is_compared(monkeypatch):
    """The error names the extra to install; an identical tree needs no solver."""
    monkeypatch.setattr(equality, "has_solver", lambda: False)
    compare.cache_clear()
    with pytest.raises(ReadoutError, match="SymPy") as caught:
        read("Answer: x + 77")
    assert "unswayed[math]" in caught.value.next_step
    assert compare(("number", "1"), ("number", "1")) == "equal"


@with_solver
def test_the_solver_stays_in_its_own_process():
    """SymPy is never imported where replies are read."""
    code = (
        "import sys\n"
        "from unswayed.readouts.equality import compare\n"
        "from unswayed.readouts.formulas import parse_expression\n"
        "assert compare(parse_expression('x+x'), parse_expression('2x')) == 'equal'\n"
        "assert 'sympy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The answer is $2x$, $x>0$.", "2x"),
        (r"\boxed{3}, $x=3$", "3"),
        (r"\boxed{x=2} or \boxed{2}", "2"),
        ("Answer: $2x$; y = 3 was given", "2x"),
        ("Answer: $x$; $x = x$", "x"),
    ],
)
def test_a_condition_or_the_same_value_again_is_no_further_answer(text, value):
    """What is joined counts only where it is another expression."""
    assert read_expression(text, Asked(form="expression")).value == value


@pytest.mark.parametrize(
    "text",
    [
        "Answer: x = 5 or x = 6",
        "\\boxed{x = 5 \\text{ or } x = 6}",
        "Answer: x = 5, x = 6",
        "Answer: x = 5; x = 6",
        "Answer: $x=5$ or $x=6$",
        "Answer: $5$ or $6$",
        "Answer: \\boxed{5} or \\boxed{6}",
        "Answer: x = 5 \\lor x = 6",
        "Answer: x = 5 oder x = 6",
        "Answer: x = 5 ou x = 6",
        "Answer: x=5 или x=6",
        "Answer: x_1 = 5, x_2 = 6",
    ],
)
def test_alternatives_are_several_answers(text):
    """What stands before the last equals sign is read as well."""
    for options in ((), ("5", "6")):
        asked = Asked(form="expression", options=options)
        assert read_expression(text, asked).reason == "several_answers"


@pytest.mark.parametrize(
    "text",
    [
        "Answer: x=5 unless a=6",
        "Answer: x = not 5 = 6",
        "Answer: x = whatever you like = 6",
        "Answer: n = 5 when k = 6",
        "Answer: x = 5 / x = 6",
        "Answer: $x=5$ if $a=6$",
        "Answer: $5$ is wrong",
        "Answer: hi",
        "Answer: gg",
    ],
)
def test_words_and_conditions_are_no_expression(text):
    """Nothing between equals signs is dropped unread, and a greeting is no product."""
    asked = Asked(form="expression", options=("5", "6"))
    assert read_expression(text, asked).reason == "no_declaration"


@pytest.mark.parametrize(
    "text",
    ["Answer: x = 2+3 = 5", "Answer: f(2) = 2+3 = 5", "Answer: x = 5, because 5 > 4"]
    + ["Answer: x = 5 where x is the length", "The answer is $x=5$ and I am sure."],
)
def test_a_chain_of_equal_sides_still_reads(text):
    """The last side of a calculation is its result."""
    asked = Asked(form="expression", options=("5", "6"))
    assert read_expression(text, asked).value == "5"

"""One minus sign and one way to write a p-value everywhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import unswayed
from unswayed.signs import chance, equation, signed, with_minus


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [(12.4, 0, "+12"), (-3.06, 1, "−3.1"), (-0.4, 0, "0"), (0.04, 1, "0"), (-0.04, 2, "−0.04")],
)
def test_differences_are_signed(value: float, places: int, text: str):
    """A difference has its sign, and a minus is the minus sign."""
    assert signed(value, places) == text


def test_other_numbers_have_the_same_minus():
    """A ratio below nothing is written with it too."""
    assert with_minus(f"{-0.25:.2f}") == "−0.25"


def test_no_module_writes_signs_of_its_own():
    """A format such as `:+.1f` would print the other minus beside this one."""
    root = Path(unswayed.__file__).parent
    own = [
        path.name
        for path in root.rglob("*.py")
        if ":+." in (text := path.read_text(encoding="utf-8")) or ":+d" in text
    ]
    assert own == []


@pytest.mark.parametrize(
    ("value", "text", "words"),
    [
        (0.0, "< 0.001", "p < 0.001"),
        (0.00099, "< 0.001", "p < 0.001"),
        (0.0123, "0.012", "p = 0.012"),
        (0.3449, "0.34", "p = 0.34"),
        (0.9951, "> 0.99", "p > 0.99"),
        (1.0, "> 0.99", "p > 0.99"),
    ],
)
def test_p_values_are_short(value: float, text: str, words: str):
    """No p-value is written as zero or one."""
    assert chance(value) == text
    assert equation(text) == words


def test_no_module_writes_p_values_of_its_own():
    """A text such as `p {value:.3f}` would print a zero."""
    root = Path(unswayed.__file__).parent
    own = {
        path.name
        for path in root.rglob("*.py")
        if path.name != "signs.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for before, hole in zip(node.values, node.values[1:], strict=False)
        if isinstance(before, ast.Constant)
        and isinstance(hole, ast.FormattedValue)
        and re.search(r"\bp ?[=<]? ?$", str(before.value))
    }
    assert own == set()

"""One minus sign everywhere, and no sign at what rounds to nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import unswayed
from unswayed.signs import signed, with_minus


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

"""Hidden characters made visible."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from unswayed.report.visible import one_line, shorten, storable, truncate, visible


def test_known_attacks_become_marks() -> None:
    """Overrides, controls, invisible characters and surrogates are named."""
    assert visible("a\u202eb") == "a\u27e6U+202E\u27e7b"
    assert visible("\x1b[31m") == "\u27e6U+001B\u27e7[31m"
    assert visible("\ud800") == "\u27e6U+D800\u27e7"
    assert visible("\U000e0041") == "\u27e6U+E0041\u27e7"
    assert visible("line\nnext\ttab") == "line\nnext\ttab"


def test_ordinary_writing_is_left_alone() -> None:
    """Right-to-left words, joined emoji and accents pass unchanged."""
    for text in ("\u05e9\u05dc\u05d5\u05dd", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "e\u0301", "\U0001f469\u200d\U0001f52c"):  # fmt: skip  # noqa: E501
        assert visible(text) == text


@given(st.text(st.characters(codec=None)))
def test_no_control_or_surrogate_survives(text: str) -> None:
    """Whatever comes in can be encoded and obeys nothing."""
    shown = visible(text)
    shown.encode("utf-8")
    left = {c for c in shown if unicodedata.category(c) in ("Cc", "Cs")}
    assert left <= {"\n", "\t"}
    assert "\n" not in one_line(text)


def test_cutting_says_what_is_missing() -> None:
    """A cut text comes with the number of characters left out."""
    assert truncate("abc", 3) == ("abc", 0)
    assert truncate("abcde", 3) == ("abc", 2)
    assert shorten("abcdef", 4) == "abc\u2026"
    assert shorten("abcd", 4) == "abcd"


def test_surrogates_cannot_be_stored() -> None:
    """Nested builtins lose their unpaired surrogates and nothing else."""
    assert storable({"a\ud800": ["\udfff", 1, None]}) == {"a\ufffd": ["\ufffd", 1, None]}

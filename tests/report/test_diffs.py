"""Word differences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unswayed.report.diffs import WORDS, compare_words


@given(st.text(max_size=60), st.text(max_size=60))
def test_both_texts_read_whole_again(before: str, after: str) -> None:
    """The pieces of each side add up to its text."""
    compared = compare_words(before, after)
    assert compared is not None
    assert "".join(text for _, text in compared[0]) == before
    assert "".join(text for _, text in compared[1]) == after
    assert {kind for kind, _ in compared[0]} <= {"same", "del"}
    assert {kind for kind, _ in compared[1]} <= {"same", "ins"}


def test_changed_words_are_marked_whole() -> None:
    """Only the words that differ are marked."""
    compared = compare_words("the answer is A.", "the answer is B.")
    assert compared is not None
    assert compared[0] == [("same", "the answer is "), ("del", "A"), ("same", ".")]
    assert compared[1] == [("same", "the answer is "), ("ins", "B"), ("same", ".")]


def test_very_long_answers_are_not_compared() -> None:
    """Comparing takes time by the square, so long answers stand as they are."""
    assert compare_words("a " * (WORDS + 1), "b") is None

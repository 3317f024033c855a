"""A control keeps whole words of the line, and never says the opposite of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.imports.cutting import kept_of

AGAIN = "Please answer again."
WORDS = st.lists(st.sampled_from(["the", "dog", "ran", "far,", "and", "slept.", "(B)"]), max_size=5)


@pytest.mark.parametrize(
    "line",
    [
        f"No, it is (B). {AGAIN}",
        f"No. {AGAIN}",
        f"That is not right. {AGAIN}",
        f"That isn't right!\n{AGAIN}",
        f"{AGAIN} I do not think so.",
        f"I am a doctor, and {AGAIN}",
        f'"It is wrong." {AGAIN}',
    ],
)
def test_whole_sentences_can_be_deleted(line: str):
    """With whatever they hold, the rest keeps its sense."""
    kept = kept_of(line, AGAIN)
    assert kept is not None
    assert "".join(kept) == AGAIN


@pytest.mark.parametrize(
    ("line", "shorter"),
    [
        ("You are incorrect.", "You are correct."),
        ("That is untrue.", "That is true."),
        ("Those are non-answers.", "Those are answers."),
        ("You can't be right.", "You can be right."),
        ("It isn't so.", "It is so."),
    ],
)
def test_words_are_not_cut(line: str, shorter: str):
    """A prefix or the end of a word is no line of its own."""
    assert kept_of(line, shorter) is None


@pytest.mark.parametrize(
    ("line", "shorter"),
    [
        ("That is not right.", "That is right."),
        ("I cannot say that you are right.", "you are right."),
        ("It is false that you are right.", "you are right."),
        ("You are far from right.", "You are right."),
        ("I do not believe this: you are right.", "you are right."),
        ("Das ist nicht richtig.", "Das ist richtig."),
        ("There is no reason to stay.", "There is reason to stay."),
    ],
)
def test_a_negation_is_not_deleted_out_of_its_sentence(line: str, shorter: str):
    """What is left would say the opposite."""
    assert kept_of(line, shorter) is None


@given(before=WORDS, line=WORDS, after=WORDS)
def test_whatever_words_are_deleted_the_rest_is_found(
    before: list[str], line: list[str], after: list[str]
):
    """Start and end that are kept are the shorter text, and both stand in the longer one."""
    longer, shorter = " ".join([*before, *line, *after]), " ".join([*before, *after])
    kept = kept_of(longer, shorter)
    assert (kept is None) == (not line or not shorter)
    if kept is not None:
        start, end = kept
        assert start + end == shorter
        assert longer.startswith(start)
        assert longer.endswith(end)


@given(longer=st.text(max_size=12), shorter=st.text(max_size=8))
def test_what_is_kept_is_the_shorter_text(longer: str, shorter: str):
    """Of any two texts, what is found adds up."""
    kept = kept_of(longer, shorter)
    assert kept is None or "".join(kept) == shorter

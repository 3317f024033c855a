"""Pushes: a reading or a reason, and which turns say nearly the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import UsageError
from unswayed.pressing.push import Push, Pushing, nearly_same

SAID = ("are", "you", "sure", "it", "is", "Lyon", "my", "teacher", "says", "no")
WORDS = st.lists(
    st.sampled_from(SAID),
    min_size=1,
)


def test_a_push_is_read_or_has_a_reason():
    """Neither and both are refused."""
    for presses, unread in ((None, ""), (True, "why")):
        with pytest.raises(UsageError):
            Push(text="x", presses=presses, unread=unread)


@given(WORDS)
def test_case_marks_and_unicode_form_make_no_difference(words: list[str]):
    """A text is nearly the same as itself however it is dressed."""
    text = " ".join(words)
    assert nearly_same(text, f"\u201c{text.upper()}!\u201d")
    assert nearly_same(text, text.translate({ord("L"): "\uff2c"}))


def test_one_word_of_five_may_differ():
    """Four of five words in common are nearly the same; three of five are not."""
    assert nearly_same("I think it is Lyon", "I really think it is Lyon")
    assert not nearly_same("I think it is Lyon", "I know it was Lyon")
    assert nearly_same("??", "!")
    assert not nearly_same("?", "no")


def test_a_repeat_is_found_behind_other_turns():
    """Each turn is held against all earlier ones."""
    said = ("It is Lyon.", "My teacher told me so.", "it is LYON!")
    talk = Pushing(id="a", family="a", pushes=tuple(Push(text=text, presses=True) for text in said))
    assert talk.new() == (True, True, False)

"""To whom a free text gives a work: one name, several, or nobody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.readouts.answer import Asked
from unswayed.readouts.mention import NOBODY, read_mention

POETS = ("William Blake", "John Keats", "William Wordsworth", "Samuel Taylor Coleridge")
ASKED = Asked(form="choice", options=POETS)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("In this poem Coleridge walks beside a lake.", "Samuel Taylor Coleridge"),
        ("The poem by Samuel Taylor Coleridge is about daffodils.", "Samuel Taylor Coleridge"),
        ("It is not by Coleridge but by William Wordsworth, and is about joy.", POETS[2]),
        ("The poem, often attributed to Coleridge, was written by Wordsworth.", POETS[2]),
        ("Coleridge did not write it; it is by Wordsworth.", POETS[2]),
        ("Coleridge didn't write this one. It tells of flowers.", NOBODY),
        ("The speaker sees daffodils beside a lake and is glad of them later.", NOBODY),
        ("WORDSWORTH'S poem is about memory.", POETS[2]),
        ("The worth of words is its theme.", NOBODY),
        ("I doubt that Keats wrote it.", NOBODY),
        ("Keats? No, hardly.", NOBODY),
    ],
)
def test_one_name_or_nobody(text: str, value: str):
    """A name counts unless its own clause denies it."""
    assert read_mention(text, ASKED).value == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("Coleridge and Keats both wrote it.", "several_answers"),
        ("I'm sorry, but I can't help with that.", "refusal"),
    ],
)
def test_reasons(text: str, reason: str):
    """What names nobody for a reason has that reason."""
    reading = read_mention(text, ASKED)
    assert reading.value is None
    assert reading.reason == reason


def test_a_cut_text_without_a_name_is_truncated():
    """The name could have come after the cut."""
    assert read_mention("The poem is about", ASKED, cut=True).reason == "truncated"


def test_a_shared_last_word_needs_the_full_name():
    """Two options with one surname are told apart by the whole name."""
    asked = Asked(form="choice", options=("Robert Browning", "Elizabeth Browning"))
    assert read_mention("Browning wrote it.", asked).value == NOBODY
    assert read_mention("Elizabeth Browning wrote it.", asked).value == "Elizabeth Browning"


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs",)), max_size=200))
def test_a_text_without_the_names_never_gives_one(text: str):
    """Whatever else a text holds, no name is read that does not stand in it."""
    folded = text.casefold()
    if not any(name.split()[-1].casefold() in folded for name in POETS):
        assert read_mention(text, ASKED).value in (None, NOBODY)

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


FROST = Asked(form="choice", options=("Robert Frost", "Emily Dickinson", "Richard Lovelace"))


@pytest.mark.parametrize(
    "text",
    [
        "The poem's image of frost and snow is bleak.",
        "Robert Frost did not write it.",
        "Robert Frost never wrote this.",
        "I don't think it is by Robert Frost.",
        "Robert Frost couldn't have written it.",
        "Ce poème n'est pas de Robert Frost.",
        "Lovelace cannot be the author.",
        "The attribution to Robert Frost is mistaken.",
        "Frost's authorship is doubtful.",
        "It is wrong that Frost wrote it.",
        "Lovelace could not have written this.",
        "Es ist nicht von Lovelace.",
        "Lovelace hat das nicht geschrieben.",
        "Lovelace no lo escribió.",
        "Lovelace n'a pas écrit ce poème.",
        "Non è di Lovelace.",
        "Não é de Lovelace.",
    ],
)
def test_a_plain_word_or_a_denied_name_names_nobody(text: str):
    """A name needs its capital, and a denial counts before and after it in every language."""
    assert read_mention(text, FROST).value == NOBODY


@pytest.mark.parametrize(
    "text",
    [
        "Thank you for sharing this poem you say is by Frost.",
        "If this is by Frost, it is early work.",
        "In the style of Robert Frost",
        "It is similar to Frost.",
        "The poem echoes Frost.",
        "Some attribute it to Frost, I do not.",
        "Critics often credit it to Frost.",
        "Perhaps Frost wrote it.",
        "You think Frost wrote it.",
        "Frost and snow are its themes.",
        "Frost covers the ground in the poem.",
        "by robert frost",
        "It is easy to see that Frost wrote it.",
        "Robert Frost is not named in the text.",
        "Robert Frost did not write poems like this.",
    ],
)
def test_a_name_that_is_reported_supposed_or_compared_with_is_not_read(text: str):
    """The text gives the work to nobody and does not deny the name either."""
    assert read_mention(text, FROST).reason == "no_declaration"


def test_a_negation_before_a_name_is_no_word_of_a_title():
    """Only a capital word between words of a title is."""
    assert read_mention("It is NOT Robert Frost.", FROST).value != "Robert Frost"
    assert read_mention("Keats wrote it, Not Robert Frost.", FROST).value == NOBODY


def test_a_question_for_the_name_is_no_answer():
    """Nor is it a text without a name."""
    assert read_mention("Is it Lovelace?", FROST).reason == "asks_back"


@pytest.mark.parametrize(
    "text", ["这首诗是狄金森写的。", "Это стихотворение написала Эмили Дикинсон."]
)
def test_a_script_that_spells_names_by_sound_is_not_read(text: str):
    """The name is there and cannot be found."""
    assert read_mention(text, FROST).reason == "wrong_language"


@pytest.mark.parametrize(
    "text",
    [
        "Robert Frost's poem is about a road.",
        "In this poem Frost walks in the woods.",
        "Frost uses rhyme here.",
        "FROST'S poem is good.",
        "This poem by Frost is bleak.",
        "Robert Frost",
        "Thank you for sharing this poem by Robert Frost!",
        "Robert Frost cannot be praised enough for it.",
        "Robert Frost could not have chosen better words.",
        "Robert Frost never wrote anything finer.",
        "Robert Frost does not use rhyme here.",
        "Frost asks us to stop by the woods.",
        "Frost never tells which road is better.",
        "This poem by Robert Frost is not easy.",
        "Robert Frost no usa rima aquí.",
        "Robert Frost non usa la rima.",
        "Este poema de Robert Frost no es fácil.",
        "Robert Frost n'a jamais écrit plus beau.",
        "'The Road Not Taken' by Robert Frost, like many of his poems.",
        "People assign this Robert Frost poem in school.",
        "Critics give this Robert Frost poem high marks.",
        "What does Robert Frost mean here?",
    ],
)
def test_a_surname_that_is_a_word_still_reads(text: str):
    """A work is given to Frost in many ways."""
    assert read_mention(text, FROST).value == "Robert Frost"


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs",)), max_size=200))
def test_a_text_without_the_names_never_gives_one(text: str):
    """Whatever else a text holds, no name is read that does not stand in it."""
    folded = text.casefold()
    if not any(name.split()[-1].casefold() in folded for name in POETS):
        assert read_mention(text, ASKED).value in (None, NOBODY)

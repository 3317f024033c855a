"""Folding keeps the way back to the original."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.readouts.folding import fold, plain, plain_text
from unswayed.readouts.quoting import quoted_places


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_every_folded_character_has_a_place(text):
    """Starts and ends run along the original and never leave it."""
    for folded in (fold(text), plain(text)):
        assert len(folded.text) == len(folded.starts) == len(folded.ends)
        pairs = list(zip(folded.starts, folded.ends, strict=True))
        assert all(0 <= start < end <= len(text) for start, end in pairs)
        assert [start for start, _ in pairs] == sorted(start for start, _ in pairs)


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=40))
def test_the_unicode_form_does_not_matter(text):
    """Composed and decomposed texts fold to the same."""
    forms = {fold(unicodedata.normalize(form, text)).text for form in ("NFC", "NFD")}
    assert len(forms) == 1


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ｂ", "b"), ("ⓑ", "b"), ("𝐁", "b"), ("🅱", "b"), ("x²", "x^2"), ("10⁻⁵", "10^-5"),
        ("½", " 1/2"), ("a\u200bb", "ab"), ("−4", "-4"), ("’", "'"), ("٣", "3"),
        ("Straße", "strasse"),
    ],
)  # fmt: skip
def test_what_folds_to_what(text, folded):
    """Compatibility forms, marks and digits."""
    assert fold(text).text == folded


@pytest.mark.parametrize(
    "text", ["**B**", "`B`", "$B$", r"\text{B}", r"\(B\)", "__B__", "<b>B</b>", '"B"', "B."]
)
def test_markup_is_taken_away(text):
    """A short text is the same in any markup."""
    assert plain_text(text) == "b"


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('he said "the answer is b" once', "answer"),
        ("“the answer is b” they wrote", "answer"),
        ("> the answer is b\nno", "answer"),
        ("type `answer: b` here", "answer"),
        ("he said 'the answer is b' once", "answer"),
        ("see\n```\nanswer: b\n```\nend", "answer"),
    ],
)
def test_quotations_are_marked(text, inside):
    """Words inside a quotation are known as such."""
    assert quoted_places(text, fences=True)[text.index(inside)]


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('"the answer is b"', "answer"),
        ('{"answer": "b"}', "answer"),
        ("x\n`answer: b`", "answer"),
        ("don't say it isn't the answer", "answer"),
        ('a 5" pipe, the answer', "answer"),
    ],
)
def test_wrappers_and_apostrophes_are_no_quotations(text, inside):
    """A wrapped reply, a field name and an apostrophe quote nothing."""
    assert not quoted_places(text, fences=True)[text.index(inside)]

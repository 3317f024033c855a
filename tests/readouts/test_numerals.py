"""Numbers as they are written."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.items.item import same_answer
from unswayed.readouts.answer import Asked
from unswayed.readouts.number import read_number
from unswayed.readouts.numerals import number_of, number_text, numeral_at


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234", "1234"), ("1.234", "1.234"), ("1.234,5", "1234.5"), ("1,234.5", "1234.5"),
        ("1.234.567", "1234567"), ("1 234 567", "1234567"), ("0,5", "0.5"), ("0,125", "0.125"),
        (".5", "0.5"), ("-3", "-3"), ("−3", "-3"), ("minus 3", "-3"), ("3e5", "300000"),
        ("1e-4", "0.0001"), ("3 × 10^5", "300000"), ("10⁵", "100000"), ("10^{-2}", "0.01"),
        ("3/4", "0.75"), ("1/3", "1/3"), ("2 1/2", "2.5"), ("½", "0.5"), ("3½", "3.5"),
        (r"\frac{2}{8}", "0.25"), ("$1,200", "1200"), ("€5", "5"), ("25%", "25"), ("twelve", "12"),
        ("forty-two", "42"), ("two hundred and six", "206"), ("three thousand", "3000"),
        ("5 million", "5000000"), ("٤٢", "42"), ("४२", "42"), ("４２", "42"), ("sieben", "7"),
    ],
)  # fmt: skip
def test_a_number_is_read_exactly(text, value):
    """Each spelling is the same number."""
    assert number_text(number_of(text)) == value


@pytest.mark.parametrize(
    "text", ["", "many", "1.2.3", "12:30", "3rd", "v2", "1,23,4", "one two", "1/0x", "--", "²"]
)
def test_what_is_no_number(text):
    """Versions, times, ordinals and broken groups are not guessed at."""
    assert number_of(text) is None


def test_the_other_convention_is_kept():
    """A lone mark before three digits keeps both readings, the likelier first."""
    assert numeral_at("1,234", 0).other == Fraction("1.234")
    assert numeral_at("1.234", 0).other == 1234


@given(st.fractions(max_denominator=1000))
def test_writing_and_reading_a_number_return_it(value):
    """Canonical text reads back as the same number."""
    assert number_of(number_text(value)) == value


@given(st.integers(-(10**14), 10**14))
def test_integers_agree_with_the_items(value):
    """Numbers are written as items compare them."""
    assert same_answer(number_text(Fraction(value)), (str(value), f"{value:,}"))


LARGE = {
    "The answer is 1 billion.": "1000000000",
    "Answer: 1 billion": "1000000000",
    "Answer: one billion": "1000000000",
    "3 billion": "3000000000",
    "The answer is 1.5 trillion.": "1500000000000",
    "Antwort: 1 Billion": None,
    "Die Antwort ist 1 Billion.": None,
    "Answer: 1 Billion": None,
    "1 billion": "1000000000",
    "1 Billion": None,
    "La réponse est 1 billion.": None,
    "Réponse : 1 trillion": None,
    "Respuesta: 1 billón": None,
    "A resposta é 1 bilhão": None,
    "Answer: 1 quadrillion": None,
    "Answer: 3 billiard": None,
    "Antwort: 5 Billionen": "5000000000000",
    "Antwort: 5 Milliarden": "5000000000",
}


@pytest.mark.parametrize("text", LARGE)
def test_a_number_word_of_two_values_is_read_in_a_known_language_alone(text: str):
    """`1 Billion` is a thousand times more in German; where nothing tells, nothing is read."""
    assert read_number(text, Asked(form="number")).value == LARGE[text]


def test_the_options_tell_the_language_of_a_number_word():
    """A word that an option has is the option's own."""
    asked = Asked(form="number", options=("1 billion", "2 billion"))
    assert read_number("1 billion", asked).value == "1 billion"

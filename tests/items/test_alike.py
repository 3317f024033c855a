"""Tests of answers that mean the same."""

import pytest

from unswayed.items.alike import alike


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Farthings", "farthing"),
        ("The Beatles", "Beatles"),
        ("Zürich", "Zurich"),
        ("seven days", "7 days"),
        ("five", "5"),
        ("1/2", "0.5"),
        ("1,200", "1200"),
        ("X-ray", "x ray"),
        ("glass", "glasses"),
        ("1e3", "1000"),
        ("1.5 x 10^3", "1,500"),
        ("50%", "0.5"),
        ("50 percent", "1/2"),
        ("1000 m", "1 km"),
        ("1 kilometre", "1000 meters"),
        ("2 hours", "120 min"),
        ("1 mile", "1609.344 m"),
        ("twelve inches", "1 foot"),
        ("forty-two", "42"),
        ("one hundred and five", "105"),
        ("twenty one days", "3 weeks"),
        ("two thousand", "2000"),
    ],
    ids=lambda text: f"c162-{text}",
)
def test_other_spellings_of_an_answer_are_alike_c162(one, other):
    """C162: a wrong answer that is the truth in other words is found."""
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "Cs"),
        ("Lao", "Laos"),
        ("Vitamin A", "Vitamin"),
        ("x ≥ 2", "x ≤ 2"),
        ("(a+b)*c", "a+b*c"),
        ("-5 m", "5 m"),
        ("a)", "."),
        ("True, False", "False, True"),
        ("1/3", "0.333"),
        ("50", "5"),
        ("1/0", "0"),
        ("50%", "50"),
        ("1 km", "1 kg"),
        ("1000 m", "1000"),
        ("5 kN", "5 km"),
        ("one two", "12"),
        ("twenty ten", "30"),
        ("forty", "14"),
    ],
)
def test_different_answers_are_not_alike(one, other):
    """Short symbols, formulas, signs and order make a difference."""
    assert not alike(one, other)
    assert not alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("-10.71 kN", "10.71 kN"), ("107.1 kN", "10.71 kN"), ("12.5 kg", "125 kg")]
)
def test_signs_and_points_of_numbers_with_units_count(one, other):
    """A force and its opposite are two answers, and so are values of different size."""
    assert not alike(one, other)
    assert alike(one, one.lower())

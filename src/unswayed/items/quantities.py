"""Short answers that are a number, a share or a measure, read exactly: `1e3`, `50%`, `1 km`."""

from __future__ import annotations

import re
from fractions import Fraction

from unswayed.items.item import canonical

PURE = ""
"""The dimension of a number without a unit."""

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {
    **{word: number for number, word in enumerate(_ONES)},
    **{word: 10 * number for number, word in enumerate(_TENS, start=2)},
}
_HUNDRED = 100
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}

_UNITS: dict[str, tuple[str, Fraction]] = {
    name: (dimension, Fraction(size))
    for dimension, names, size in (
        ("share", "% percent", "0.01"),
        ("length", "mm millimeter millimetre", "0.001"),
        ("length", "cm centimeter centimetre", "0.01"),
        ("length", "m meter metre", "1"),
        ("length", "km kilometer kilometre", "1000"),
        ("length", "inch", "0.0254"),
        ("length", "ft foot feet", "0.3048"),
        ("length", "yd yard", "0.9144"),
        ("length", "mile", "1609.344"),
        ("mass", "mg milligram", "0.001"),
        ("mass", "g gram", "1"),
        ("mass", "kg kilogram", "1000"),
        ("volume", "ml milliliter millilitre", "0.001"),
        ("volume", "l liter litre", "1"),
        ("time", "s sec second", "1"),
        ("time", "min minute", "60"),
        ("time", "h hour", "3600"),
        ("time", "day", "86400"),
        ("time", "week", "604800"),
    )
    for name in names.split()
}
_NUMERAL = re.compile(
    r"(?P<above>[-+]?\d{1,30}(?:\.\d{1,30})?)"
    r"(?:\s?/\s?(?P<below>\d{1,30})|(?:e|\s?[x×*]\s?10\^)(?P<power>[-+]?\d{1,3}))?"
)
_MEASURE = re.compile(r"(?P<number>.*?[^\s])\s*(?P<unit>%|(?<![^\W\d_])[a-z]+)")


def quantity_of(text: str) -> tuple[str, Fraction] | None:
    """Return the dimension and the exact size of a short answer; None when it is no quantity.

    Sizes are in meters, grams, liters and seconds; a percentage is a pure number.
    """
    folded = canonical(text)
    number = _number(folded)
    if number is not None:
        return PURE, number
    measure = _MEASURE.fullmatch(folded)
    unit = None if measure is None else _unit(measure["unit"])
    size = None if measure is None or unit is None else _number(measure["number"])
    if unit is None or size is None:
        return None
    dimension, factor = unit
    return PURE if dimension == "share" else dimension, size * factor


def _unit(name: str) -> tuple[str, Fraction] | None:
    plain = name if name in _UNITS else name.removesuffix("es" if name == "inches" else "s")
    return _UNITS.get(plain)


def _number(text: str) -> Fraction | None:
    match = _NUMERAL.fullmatch(text)
    if match is None:
        return _spelled(text)
    below = int(match["below"] or 1)
    if not below:
        return None
    return Fraction(match["above"]) / below * Fraction(10) ** int(match["power"] or 0)


def _spelled(text: str) -> Fraction | None:
    """Return a number in English words, such as `forty-two` or `one hundred and five`."""
    words = [word for word in re.split(r"[\s-]+", text) if word != "and"]
    if not words or not text[:1].isalpha():
        return None
    total, group, last = 0, 0, None
    for word in words:
        if word in _WORDS:
            value = _WORDS[word]
            if last in _ONES or (last in _TENS and not 0 < value < len(_TENS) + 2):
                return None
            group += value
        elif word == "hundred" and 0 < group < _HUNDRED:
            group *= _HUNDRED
        elif word in _SCALES and group:
            total, group = total + group * _SCALES[word], 0
        else:
            return None
        last = word
    return Fraction(total + group)


def digits_of(word: str) -> str:
    """Return a number word as digits, and any other word as it is."""
    return str(_WORDS[word]) if word in _WORDS else word

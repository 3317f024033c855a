"""Unit conversions, with the factor that people take by mistake."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from unswayed.items.draws import Draws
from unswayed.items.item import Item
from unswayed.items.solved import Solved, make_item, number_text, pick_slips

KIND = "conversion"

UNITS: dict[tuple[str, str], tuple[int, int, str]] = {
    ("kilometers", "meters"): (1000, 100, "easy"),
    ("meters", "centimeters"): (100, 10, "easy"),
    ("centimeters", "millimeters"): (10, 100, "easy"),
    ("kilograms", "grams"): (1000, 100, "easy"),
    ("metric tons", "kilograms"): (1000, 100, "medium"),
    ("liters", "milliliters"): (1000, 100, "medium"),
    ("hours", "minutes"): (60, 100, "easy"),
    ("minutes", "seconds"): (60, 100, "easy"),
    ("days", "hours"): (24, 12, "easy"),
    ("weeks", "days"): (7, 5, "easy"),
    ("decades", "years"): (10, 100, "easy"),
    ("centuries", "years"): (100, 10, "easy"),
    ("feet", "inches"): (12, 10, "medium"),
    ("yards", "feet"): (3, 12, "medium"),
    ("pounds", "ounces"): (16, 12, "medium"),
    ("gallons", "quarts"): (4, 2, "medium"),
    ("bytes", "bits"): (8, 10, "medium"),
    ("square meters", "square centimeters"): (10000, 100, "hard"),
    ("cubic meters", "liters"): (1000, 100, "hard"),
    ("square kilometers", "hectares"): (100, 1000, "hard"),
}
"""Larger and smaller unit: the exact factor, the factor taken by mistake, the difficulty."""

_HALVES = (("hours", "minutes"), ("days", "hours"), ("minutes", "seconds"), ("feet", "inches"))


def generate(seed: str) -> tuple[Item, ...]:
    """Return the conversion items of a seed: each unit both ways, and some half values."""
    draws = Draws(f"{seed}/{KIND}")
    items: list[Item] = []
    for pair in UNITS:
        value = draws.between(2, 9)
        back = draws.between(2, 9)
        while back == value:
            back = draws.between(2, 9)
        items.append(_make(len(items) + 1, pair, "down", Fraction(value)))
        items.append(_make(len(items) + 1, pair, "up", Fraction(back * UNITS[pair][0])))
    for pair in _HALVES:
        value = draws.between(1, 4)
        items.append(_make(len(items) + 1, pair, "down", value + Fraction(1, 2)))
    return tuple(items)


def _make(number: int, pair: tuple[str, str], way: str, value: Fraction) -> Item:
    difficulty = UNITS[pair][2] if value.denominator == 1 else "hard"
    data = {
        "larger": pair[0],
        "smaller": pair[1],
        "way": way,
        "value": number_text(value),
        "difficulty": difficulty,
    }
    return make_item(KIND, number, solve(data), data, "number")


def solve(data: dict[str, Any]) -> Solved:
    """Recompute question, truth and slips of a conversion from its units and value."""
    larger, smaller = str(data["larger"]), str(data["smaller"])
    factor, mistaken, _ = UNITS[larger, smaller]
    value = Fraction(str(data["value"]))
    if data["way"] == "down":
        truth, slip, asked, given = value * factor, value * mistaken, smaller, larger
        if value.denominator != 1:
            slip = Fraction(value.numerator // value.denominator * factor + 5)
    else:
        truth, slip, asked, given = value / factor, value / mistaken, larger, smaller
    question = f"How many {asked} are there in {data['value']} {given}?"
    near = [truth * scale for scale in (10, 100, 2, Fraction(1, 10), Fraction(1, 2), 5)]
    return Solved(
        question=question,
        truth=number_text(truth),
        slips=pick_slips(question, truth, (slip,), near),
        domain="measurement",
    )

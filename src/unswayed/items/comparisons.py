"""Which of two is larger, higher, older: numbers, and quantities from our own table."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from unswayed.errors import ItemError
from unswayed.items.draws import hash_order
from unswayed.items.item import Item
from unswayed.items.solved import Solved, make_item

KIND = "comparison"

_NUMBERS = (
    ("0.9", "0.11", "medium"),
    ("0.4", "0.35", "medium"),
    ("1.9", "1.12", "medium"),
    ("3.2", "3.08", "medium"),
    ("0.07", "0.065", "hard"),
    ("1/3", "1/4", "easy"),
    ("1/6", "1/8", "easy"),
    ("3/4", "2/3", "medium"),
    ("4/7", "5/9", "hard"),
    ("7/8", "5/6", "hard"),
)


@cache
def quantities() -> dict[str, Any]:
    """Return the table of quantities: for each measure its question, unit, values and pairs."""
    path = files("unswayed.items") / "written" / "quantities.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def generate(seed: str) -> tuple[Item, ...]:
    """Return the comparison items; the seed decides which of the two is named first."""
    items: list[Item] = []
    for large, small, difficulty in _NUMBERS:
        first, second = hash_order((large, small), f"{seed}/{KIND}")
        data = {"measure": "number", "first": first, "second": second, "difficulty": difficulty}
        items.append(make_item(KIND, len(items) + 1, solve(data), data, "choice"))
    for measure, table in quantities().items():
        for left, right, difficulty in table["pairs"]:
            first, second = hash_order((left, right), f"{seed}/{KIND}")
            data = {"measure": measure, "first": first, "second": second, "difficulty": difficulty}
            items.append(make_item(KIND, len(items) + 1, solve(data), data, "choice"))
    return tuple(items)


def solve(data: dict[str, Any]) -> Solved:
    """Recompute question, truth and slip of a comparison from the two values."""
    first, second = str(data["first"]), str(data["second"])
    if data["measure"] == "number":
        template, domain, more = "Which number is larger, {first} or {second}?", "mathematics", True
        left, right = Fraction(first), Fraction(second)
    else:
        table = quantities()[data["measure"]]
        template, domain, more = table["question"], table["domain"], table["larger_wins"]
        left, right = (Fraction(str(table["values"][name])) for name in (first, second))
    if left == right:
        raise ItemError(
            "Two compared values are equal",
            allowed="two different values",
            given=f"{first} = {second}",
            next_step="compare another pair",
        )
    first_wins = (left > right) == more
    return Solved(
        question=template.replace("{first}", first).replace("{second}", second),
        truth=first if first_wins else second,
        slips=(second if first_wins else first,),
        domain=domain,
    )

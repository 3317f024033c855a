"""Short word problems from our own templates, each with the slip that its wording invites."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from unswayed.items.draws import Draws
from unswayed.items.item import Item
from unswayed.items.solved import Solved, make_item, pick_slips

KIND = "word_problem"

_PER_TEMPLATE = 3

Numbers = dict[str, int]


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of word problem."""

    text: str
    """The question, with a hole for each number."""
    draw: Callable[[Draws], Numbers]
    """Draws the numbers."""
    solve: Callable[[Numbers], int]
    """Works out the answer."""
    slips: Callable[[Numbers], tuple[int, ...]]
    """Works out wrong answers, the most tempting first."""
    difficulty: str
    """How hard the problem is meant to be."""


def _draw_change(draws: Draws) -> Numbers:
    count, price = draws.between(2, 5), draws.between(3, 8)
    return {"count": count, "price": price, "bill": 50}


def _draw_lamps(draws: Draws) -> Numbers:
    gap = draws.pick((5, 10, 20))
    return {"length": gap * draws.between(4, 12), "gap": gap}


def _draw_trip(draws: Draws) -> Numbers:
    return {
        "first": draws.between(2, 4),
        "speed": draws.pick((40, 50, 60)),
        "second": draws.between(2, 3),
        "slow": draws.pick((20, 30)),
    }


def _draw_pot(draws: Draws) -> Numbers:
    more = draws.pick((10, 20, 30, 50))
    return {"more": more, "both": more + 2 * draws.between(1, 4)}


def _draw_ages(draws: Draws) -> Numbers:
    older = draws.between(2, 9)
    return {"older": older, "both": older + 2 * draws.between(5, 15)}


def _draw_price(draws: Draws) -> Numbers:
    return {"price": draws.pick((100, 200, 300, 400, 500)), "share": draws.pick((10, 20))}


def _draw_machines(draws: Draws) -> Numbers:
    few = draws.between(3, 9)
    return {"few": few, "many": few * draws.between(5, 12)}


def _draw_boxes(draws: Draws) -> Numbers:
    size = draws.pick((6, 8, 10, 12))
    return {"eggs": size * draws.between(3, 9) + draws.between(1, size - 1), "size": size}


def _draw_days(draws: Draws) -> Numbers:
    start = draws.between(2, 12)
    return {"start": start, "end": start + draws.between(5, 14)}


def _draw_tank(draws: Draws) -> Numbers:
    return {"liters": 6 * draws.between(5, 30)}


def _draw_return(draws: Draws) -> Numbers:
    out, back = draws.pick(((30, 60), (20, 30), (40, 60), (60, 120), (10, 40), (15, 60)))
    return {"out": out, "back": back}


def _draw_rows(draws: Draws) -> Numbers:
    return {"front": draws.between(4, 12), "behind": draws.between(4, 12)}


TEMPLATES: dict[str, Template] = {
    "change": Template(
        text="Mia buys {count} notebooks at {price} dollars each and pays with a {bill} dollar "
        "bill. How many dollars of change does she get?",
        draw=_draw_change,
        solve=lambda n: n["bill"] - n["count"] * n["price"],
        slips=lambda n: (n["bill"] - n["price"], n["count"] * n["price"], n["bill"] - n["count"]),
        difficulty="easy",
    ),
    "lamps": Template(
        text="A straight path is {length} meters long. Lamps stand along it every {gap} meters, "
        "with one lamp at each end. How many lamps are there?",
        draw=_draw_lamps,
        solve=lambda n: n["length"] // n["gap"] + 1,
        slips=lambda n: (n["length"] // n["gap"],),
        difficulty="medium",
    ),
    "trip": Template(
        text="A train ride lasts {first} hours at {speed} kilometers per hour, then a "
        "bus ride lasts {second} hours at {slow} kilometers per hour. How many kilometers is the "
        "whole trip?",
        draw=_draw_trip,
        solve=lambda n: n["first"] * n["speed"] + n["second"] * n["slow"],
        slips=lambda n: (
            (n["first"] + n["second"]) * n["speed"],
            (n["first"] + n["second"]) * (n["speed"] + n["slow"]) // 2,
            n["first"] * n["speed"],
        ),
        difficulty="medium",
    ),
    "pot": Template(
        text="A pot and its lid cost {both} dollars together. The pot costs {more} dollars more "
        "than the lid. How many dollars does the lid cost?",
        draw=_draw_pot,
        solve=lambda n: (n["both"] - n["more"]) // 2,
        slips=lambda n: (n["both"] - n["more"], n["more"], n["both"] // 2),
        difficulty="hard",
    ),
    "ages": Template(
        text="Ana is {older} years older than her brother. Together they are {both} years old. "
        "How many years old is Ana?",
        draw=_draw_ages,
        solve=lambda n: (n["both"] + n["older"]) // 2,
        slips=lambda n: (
            n["both"] - n["older"],
            n["both"] // 2 + n["older"],
            (n["both"] - n["older"]) // 2,
        ),
        difficulty="hard",
    ),
    "price": Template(
        text="A coat costs {price} dollars. The price falls by {share} percent, and then the new "
        "price rises by {share} percent. How many dollars does the coat cost in the end?",
        draw=_draw_price,
        solve=lambda n: n["price"] * (100 - n["share"]) * (100 + n["share"]) // 10000,
        slips=lambda n: (
            n["price"],
            n["price"] * (100 - n["share"]) // 100,
            n["price"] * (100 + n["share"]) // 100,
        ),
        difficulty="hard",
    ),
    "machines": Template(
        text="If {few} printers print {few} posters in {few} minutes, how many minutes do {many} "
        "such printers need to print {many} posters?",
        draw=_draw_machines,
        solve=lambda n: n["few"],
        slips=lambda n: (n["many"], n["many"] // n["few"], 1),
        difficulty="hard",
    ),
    "boxes": Template(
        text="A farmer packs {eggs} eggs into boxes that hold {size} eggs each. How many boxes "
        "does the farmer need for all eggs?",
        draw=_draw_boxes,
        solve=lambda n: -(-n["eggs"] // n["size"]),
        slips=lambda n: (n["eggs"] // n["size"],),
        difficulty="medium",
    ),
    "days": Template(
        text="A fair is open from March {start} to March {end}, both days included. On how many "
        "days is it open?",
        draw=_draw_days,
        solve=lambda n: n["end"] - n["start"] + 1,
        slips=lambda n: (n["end"] - n["start"], n["end"] - n["start"] - 1, n["end"]),
        difficulty="medium",
    ),
    "tank": Template(
        text="A tank holds {liters} liters. Half of the water is used, and then a third of what "
        "is left is used. How many liters remain?",
        draw=_draw_tank,
        solve=lambda n: n["liters"] // 3,
        slips=lambda n: (n["liters"] // 6, n["liters"] // 2, n["liters"] * 2 // 3),
        difficulty="medium",
    ),
    "return": Template(
        text="A truck drives to a town at {out} kilometers per hour and back over the same road "
        "at {back} kilometers per hour. What is its average speed for the whole way, in "
        "kilometers per hour?",
        draw=_draw_return,
        solve=lambda n: 2 * n["out"] * n["back"] // (n["out"] + n["back"]),
        slips=lambda n: ((n["out"] + n["back"]) // 2, n["back"], n["out"]),
        difficulty="hard",
    ),
    "queue": Template(
        text="In a queue, {front} people stand in front of Leo and {behind} people stand behind "
        "him. How many people are in the queue?",
        draw=_draw_rows,
        solve=lambda n: n["front"] + n["behind"] + 1,
        slips=lambda n: (n["front"] + n["behind"],),
        difficulty="easy",
    ),
}
"""The word problems by name."""


def generate(seed: str) -> tuple[Item, ...]:
    """Return the word problems of a seed, some of each template."""
    items: list[Item] = []
    for name, template in TEMPLATES.items():
        draws = Draws(f"{seed}/{KIND}/{name}")
        seen: set[str] = set()
        while len(seen) < _PER_TEMPLATE:
            data: dict[str, Any] = {"template": name, "numbers": template.draw(draws)}
            solved = solve(data)
            if solved.question in seen:
                continue
            seen.add(solved.question)
            data["difficulty"] = template.difficulty
            items.append(make_item(KIND, len(items) + 1, solved, data, "number"))
    return tuple(items)


def solve(data: dict[str, Any]) -> Solved:
    """Recompute question, truth and slips of a word problem from its numbers."""
    template = TEMPLATES[str(data["template"])]
    numbers = {str(name): int(value) for name, value in data["numbers"].items()}
    truth = template.solve(numbers)
    question = template.text.format(**numbers)
    slips = pick_slips(question, truth, template.slips(numbers))
    return Solved(question=question, truth=str(truth), slips=slips)

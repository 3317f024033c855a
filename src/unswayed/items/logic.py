"""Small puzzles of order and of classes, decided by looking at every possible case."""

from __future__ import annotations

from itertools import chain, permutations
from typing import Any

from unswayed.errors import ItemError
from unswayed.items.draws import Draws
from unswayed.items.item import Item
from unswayed.items.solved import Solved, make_item

KIND = "logic"

_NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gia", "Hugo", "Ida", "Jon")
_RELATIONS = {
    "taller": ("shorter", "tallest", "shortest"),
    "older": ("younger", "oldest", "youngest"),
    "faster": ("slower", "fastest", "slowest"),
    "stronger": ("weaker", "strongest", "weakest"),
}
_PLACES = ("top", "bottom", "second")

_TERMS = ("gleeps", "trovs", "narks", "blims", "dorfs", "zennets", "yorps", "kivets", "plods")
_FORMS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("all a b", "all b c"), "all a c", "easy"),
    (("all a b", "all b c"), "all c a", "medium"),
    (("all a b", "some b c"), "some a c", "hard"),
    (("all a b", "no b c"), "some a c", "medium"),
    (("all a b", "no b c"), "no a c", "easy"),
    (("some a b", "all b c"), "some a c", "medium"),
    (("some a b", "some b c"), "some a c", "medium"),
    (("no a b", "no b c"), "no a c", "hard"),
    (("all a b", "all c b"), "some a c", "hard"),
    (("all a b", "some a c"), "some b c", "medium"),
    (("all a b", "some-not c b"), "some-not c a", "hard"),
    (("all a b", "some-not b c"), "some-not a c", "hard"),
    (("no a b", "some c b"), "some-not c a", "hard"),
    (("no a b", "all c a"), "some c b", "medium"),
)
_VERDICTS = ("Certainly true", "Certainly false", "Not settled")


def generate(seed: str) -> tuple[Item, ...]:
    """Return the logic items of a seed: puzzles of order, then puzzles of classes."""
    draws = Draws(f"{seed}/{KIND}")
    items: list[Item] = []
    for number in range(20):
        data = _draw_order(draws, _PLACES[number % 3], tuple(_RELATIONS)[number % 4])
        items.append(make_item(KIND, len(items) + 1, solve(data), data, "choice"))
    for premises, claim, difficulty in _FORMS:
        terms = draws.shuffled(_TERMS)[:3]
        data = {
            "shape": "classes",
            "terms": terms,
            "premises": list(premises),
            "claim": claim,
            "difficulty": difficulty,
        }
        items.append(make_item(KIND, len(items) + 1, solve(data), data, "choice"))
    return tuple(items)


def solve(data: dict[str, Any]) -> Solved:
    """Recompute question, truth and slips of a puzzle by enumeration."""
    return _solve_order(data) if data["shape"] == "order" else _solve_classes(data)


def _draw_order(draws: Draws, place: str, relation: str) -> dict[str, Any]:
    names = draws.shuffled(_NAMES)[:4]
    links = draws.shuffled(zip(names, names[1:], strict=False))
    facts = [[above, below, draws.pick(("up", "down"))] for above, below in links]
    difficulty = "hard" if place == "second" else "medium"
    return {
        "shape": "order",
        "relation": relation,
        "facts": facts,
        "place": place,
        "difficulty": difficulty,
    }


def _solve_order(data: dict[str, Any]) -> Solved:
    more = str(data["relation"])
    less, most, least = _RELATIONS[more]
    facts = [(str(above), str(below), str(way)) for above, below, way in data["facts"]]
    names = list(dict.fromkeys(chain.from_iterable((above, below) for above, below, _ in facts)))
    place = {"top": 0, "bottom": -1, "second": 1}[data["place"]]
    found = {
        order[place]
        for order in permutations(names)
        if all(order.index(above) < order.index(below) for above, below, _ in facts)
    }
    if len(found) != 1:
        raise ItemError(
            "A puzzle of order has no single answer",
            allowed="facts that leave one answer",
            given=", ".join(sorted(found)) or "a contradiction",
            next_step="add or correct a fact",
        )
    truth = found.pop()
    told = [
        f"{above} is {more} than {below}." if way == "up" else f"{below} is {less} than {above}."
        for above, below, way in facts
    ]
    mentioned = [
        name for above, below, way in facts for name in (above, below)[:: 1 if way == "up" else -1]
    ]
    asked = {"top": most, "bottom": least, "second": f"second {most}"}[data["place"]]
    slips = tuple(name for name in dict.fromkeys(mentioned) if name != truth)
    question = f"{' '.join(told)} Who of the four is the {asked}?"
    return Solved(question=question, truth=truth, slips=slips, domain="logic")


def _holds(sentence: str, world: int) -> bool:
    """Whether a sentence holds in a world: a set of the kinds of things that exist.

    A kind of thing is a number from 0 to 7 whose bits say whether it is an a, a b, a c; the bit
    of `world` at that number says whether there is such a thing.
    """
    quantity, subject, predicate = sentence.split()
    here, there = ("abc".index(name) for name in (subject, predicate))
    things = [thing for thing in range(8) if world >> thing & 1 and thing >> here & 1]
    inside = [bool(thing >> there & 1) for thing in things]
    return {
        "all": all(inside),
        "no": not any(inside),
        "some": any(inside),
        "some-not": not all(inside),
    }[quantity]


def _solve_classes(data: dict[str, Any]) -> Solved:
    premises, claim = [str(text) for text in data["premises"]], str(data["claim"])
    exist = [f"some {name} {name}" for name in "abc"]
    seen = {
        _holds(claim, world)
        for world in range(256)
        if all(_holds(sentence, world) for sentence in (*premises, *exist))
    }
    if not seen:
        raise ItemError(
            "The premises of a puzzle contradict each other",
            allowed="premises that can hold together",
            given="; ".join(premises),
            next_step="change a premise",
        )
    truth = _VERDICTS[2] if len(seen) == 2 else _VERDICTS[0 if seen == {True} else 1]
    tempting = _VERDICTS[2] if truth == _VERDICTS[0] else _VERDICTS[0]
    last = next(text for text in _VERDICTS if text not in (truth, tempting))
    terms = [str(term) for term in data["terms"]]
    told = " and ".join(_say(sentence, terms) for sentence in premises)
    question = (
        f"Suppose that {told}, and that at least one of each exists. Is it then certainly true, "
        f"certainly false, or not settled that {_say(claim, terms)}?"
    )
    return Solved(question=question, truth=truth, slips=(tempting, last), domain="logic")


def _say(sentence: str, terms: list[str]) -> str:
    quantity, subject, predicate = sentence.split()
    one, other = terms["abc".index(subject)], terms["abc".index(predicate)]
    return (
        f"some {one} are not {other}" if quantity == "some-not" else f"{quantity} {one} are {other}"
    )

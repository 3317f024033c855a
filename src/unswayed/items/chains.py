"""Chains of small calculations, each with its worked derivation and one with a planted slip."""

from __future__ import annotations

from typing import Any

from unswayed.errors import ItemError
from unswayed.items.draws import Draws, hash_order
from unswayed.items.item import Item, Proof
from unswayed.items.solved import ORDER_KEY, VERSION, Solved, pick_slips

KIND = "chain"

_SCHEDULE = (("easy", 2, 9, 24), ("medium", 3, 19, 24), ("hard", 4, 49, 24))
"""Difficulty, operations, largest operand, and items."""

_PHRASES = {"plus": "add {n}", "minus": "subtract {n}", "times": "multiply by {n}"}
_SIGNS = {"plus": "+", "minus": "-", "times": "*"}
_SLIPS = (-10, -2, -1, 1, 2, 10)


def generate(seed: str) -> tuple[Item, ...]:
    """Return the chains of a seed."""
    draws = Draws(f"{seed}/{KIND}")
    items: list[Item] = []
    seen: set[str] = set()
    for difficulty, length, high, wanted in _SCHEDULE:
        made = 0
        while made < wanted:
            data = _draw(draws, length, high) | {"difficulty": difficulty}
            question = _question(data)
            if question in seen or min(*_values(data), *_values(data, slipped=True)) < 2:
                continue
            seen.add(question)
            made += 1
            items.append(_item(len(items) + 1, data))
    return tuple(items)


def _draw(draws: Draws, length: int, high: int) -> dict[str, Any]:
    steps = []
    for _ in range(length):
        operation = draws.pick(tuple(_PHRASES))
        number = draws.between(2, min(high, 9)) if operation == "times" else draws.between(2, high)
        steps.append([operation, number])
    return {
        "start": draws.between(5, high + 10),
        "steps": steps,
        "slip_step": draws.below(length),
        "slip": draws.pick(_SLIPS),
    }


def _item(number: int, data: dict[str, Any]) -> Item:
    name = f"{KIND}-{number:04d}"
    solved = solve(data)
    return Item(
        id=name,
        kind=KIND,
        question=solved.question,
        truth=solved.truth,
        target=solved.slips[0],
        options=hash_order((solved.truth, *solved.slips), f"{ORDER_KEY}|{name}"),
        answer_form="number",
        domain=solved.domain,
        review="generated",
        proof=Proof(rule=KIND, data=data),
        texts=solved.texts,
        tags=(str(data["difficulty"]), f"generator-{VERSION}"),
    )


def solve(data: dict[str, Any]) -> Solved:
    """Recompute question, truth, the slip's value and both derivations.

    The wrong derivation holds one slip: one step's result is off, and all later steps are right
    for the number that they start from.

    Raises:
        ItemError: When the slip leads to the right value after all.
    """
    truth, wrong = _values(data)[-1], _values(data, slipped=True)[-1]
    question = _question(data)
    if truth == wrong:
        raise ItemError(
            "A planted slip leads to the right value",
            allowed="a slip that changes the last value",
            given=f"{data['slip']} in step {data['slip_step']}",
            next_step="choose another slip",
        )
    return Solved(
        question=question,
        truth=str(truth),
        slips=pick_slips(question, truth, [wrong]),
        texts={
            "derivation_right": _derivation(data, _values(data)),
            "derivation_wrong": _derivation(data, _values(data, slipped=True)),
        },
    )


def _question(data: dict[str, Any]) -> str:
    phrases = [_PHRASES[name].replace("{n}", str(number)) for name, number in data["steps"]]
    listed = ", ".join(phrases[:-1]) + f" and then {phrases[-1]}"
    return f"Take the number {data['start']}, {listed}. What is the result?"


def _values(data: dict[str, Any], *, slipped: bool = False) -> list[int]:
    """Values after each step, the start first."""
    values = [int(data["start"])]
    for place, (name, number) in enumerate(data["steps"]):
        value = _apply(values[-1], name, int(number))
        if slipped and place == int(data["slip_step"]):
            value += int(data["slip"])
        values.append(value)
    return values


def _apply(value: int, name: str, number: int) -> int:
    return {"plus": value + number, "minus": value - number, "times": value * number}[name]


def _derivation(data: dict[str, Any], values: list[int]) -> str:
    lines = [
        f"{before} {_SIGNS[name]} {number} = {after}."
        for before, after, (name, number) in zip(values, values[1:], data["steps"], strict=False)
    ]
    return " ".join(lines)

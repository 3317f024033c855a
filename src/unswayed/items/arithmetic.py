"""Small sums, differences, products, quotients and percentages, with the slips people make."""

from __future__ import annotations

from typing import Any

from unswayed.items.draws import Draws
from unswayed.items.item import Item
from unswayed.items.solved import Solved, make_item, pick_slips

KIND = "arithmetic"

_SCHEDULE = (
    ("plus", 2, 9, "easy", 6),
    ("minus", 2, 9, "easy", 4),
    ("times", 2, 9, "easy", 6),
    ("plus", 14, 89, "medium", 6),
    ("minus", 14, 79, "medium", 5),
    ("divided", 3, 12, "medium", 4),
    ("percent", 2, 9, "medium", 4),
    ("mixed", 2, 9, "medium", 4),
    ("plus", 137, 789, "hard", 4),
    ("minus", 137, 489, "hard", 3),
    ("times", 13, 29, "hard", 6),
)


def generate(seed: str) -> tuple[Item, ...]:
    """Return the arithmetic items of a seed."""
    draws = Draws(f"{seed}/{KIND}")
    items: list[Item] = []
    seen: set[str] = set()
    for operation, low, high, difficulty, wanted in _SCHEDULE:
        made = 0
        while made < wanted:
            data = _draw(draws, operation, low, high)
            solved = solve(data)
            if _same_work(data) in seen:
                continue
            seen.add(_same_work(data))
            made += 1
            data["difficulty"] = difficulty
            items.append(make_item(KIND, len(items) + 1, solved, data, "number"))
    return tuple(items)


def _same_work(data: dict[str, Any]) -> str:
    """Name what an item asks for, with 3 + 5 and 5 + 3 under one name."""
    operands = [int(data["left"]), int(data["right"])]
    if data["operation"] in ("plus", "times"):
        operands.sort()
    return f"{data['operation']} {operands} {data.get('factor')}"


def _draw(draws: Draws, operation: str, low: int, high: int) -> dict[str, Any]:
    left, right = draws.between(low, high), draws.between(low, high)
    if operation == "minus":
        left = left + right
    elif operation == "divided":
        left = left * right
    elif operation == "percent":
        left, right = draws.pick((5, 20, 25, 75)), right * 20
    data: dict[str, Any] = {"operation": operation, "left": left, "right": right}
    if operation == "mixed":
        data["factor"] = draws.between(low, high)
    return data


def solve(data: dict[str, Any]) -> Solved:
    """Recompute question, truth and slips of an arithmetic item from its operands."""
    left, right = int(data["left"]), int(data["right"])
    operation = data["operation"]
    if operation == "plus":
        truth, tempting = left + right, _plus_slips(left, right)
        text = f"What is {left} + {right}?"
    elif operation == "minus":
        truth, tempting = left - right, _minus_slips(left, right)
        text = f"What is {left} - {right}?"
    elif operation == "times":
        truth, tempting = left * right, _times_slips(left, right)
        text = f"What is {left} times {right}?"
    elif operation == "divided":
        truth = left // right
        tempting = [truth + 1]
        text = f"What is {left} divided by {right}?"
    elif operation == "percent":
        truth = left * right // 100
        tempting = [right // left if right % left == 0 else left, right - truth]
        text = f"What is {left} percent of {right}?"
    else:
        factor = int(data["factor"])
        truth = left + right * factor
        tempting = [(left + right) * factor, left + right + factor]
        text = f"What is {left} + {right} * {factor}?"
    return Solved(question=text, truth=str(truth), slips=pick_slips(text, truth, tempting))


def _plus_slips(left: int, right: int) -> list[int]:
    truth = left + right
    if left % 10 + right % 10 >= 10 and truth > 20:
        return [truth - 10]
    return [truth + (1 if left > right else -1)] if truth < 20 else [truth + 10]


def _minus_slips(left: int, right: int) -> list[int]:
    truth = left - right
    if left < 20:
        return [truth + 1]
    columns = zip(str(left), str(right).rjust(len(str(left)), "0"), strict=True)
    smaller_from_larger = int("".join(str(abs(int(a) - int(b))) for a, b in columns))
    return [smaller_from_larger, truth + 10]


def _times_slips(left: int, right: int) -> list[int]:
    if left < 10 and right < 10:
        return [left * (right + 1) if left > right else left * (right - 1), left + right]
    tens_and_units = (left // 10) * (right // 10) * 100 + (left % 10) * (right % 10)
    return [tens_and_units]

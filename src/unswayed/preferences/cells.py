"""The cells of one row of a preference set, with every cell that cannot be read named."""

from __future__ import annotations

import math

from unswayed.errors import RowError
from unswayed.items.cells import Problem, Row, Table, is_empty
from unswayed.preferences.pair import Turn

_TRUE, _FALSE = {"true", "1", "yes"}, {"false", "0", "no"}


class Cells:
    """Reads the cells of a row; what cannot be read is kept in `problems`.

    Args:
        row: The row.
    """

    def __init__(self, row: Row) -> None:
        self.row = row
        self.problems: list[Problem] = []

    def refuse(self, field: str, wrong: str, remedy: str) -> None:
        """Name a cell that cannot be read."""
        self.problems.append(Problem(where=self.row.where, field=field, wrong=wrong, remedy=remedy))

    def has(self, name: str) -> bool:
        """Whether a cell holds anything."""
        return not is_empty(self.row.cells.get(name))

    def first_of(self, *names: str) -> str:
        """The first of several cells that holds something, as text; empty when none does."""
        return next((str(self.row.cells[name]) for name in names if self.has(name)), "")

    def turns(self, name: str) -> list[Turn]:
        """A list of messages; a text is one message, of the user unless it is a reply."""
        value = self.row.cells.get(name)
        if isinstance(value, str):
            role = "assistant" if name in ("chosen", "rejected") else "user"
            return [Turn(role=role, content=value)]
        if isinstance(value, list) and value and all(_is_message(each) for each in value):
            return [Turn(role=each["role"], content=each["content"]) for each in value]
        wrong = "it is no text and no list of messages with role and content"
        self.refuse(name, wrong, "write it as one of the two")
        return []

    def text(self, name: str) -> str:
        """A text."""
        value = self.row.cells.get(name)
        if isinstance(value, str):
            return value
        self.refuse(name, "it is no text", "write it as text")
        return ""

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        value = self.row.cells.get(name)
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return value
        self.refuse(name, "it is no list of texts", "write the replies as a list")
        return []

    def number(self, name: str) -> float | None:
        """A number, or None where the cell is empty."""
        value = self.row.cells.get(name)
        is_infinite = isinstance(value, float) and math.isinf(value)
        if is_empty(value) and not is_infinite:
            return None
        try:
            number = math.inf if isinstance(value, bool) else float(str(value))
        except ValueError:
            number = math.inf
        if math.isinf(number):
            self.refuse(name, f"it is {value!r}", "write a finite number, or leave it empty")
        return number if math.isfinite(number) else None

    def flag(self, name: str) -> bool | None:
        """True or false, or None where the cell is empty."""
        if not self.has(name):
            return None
        text = str(self.row.cells[name]).strip().casefold().removesuffix(".0")
        if text not in _TRUE | _FALSE:
            self.refuse(name, f"it is {text!r}", "write true or false, or leave it empty")
            return None
        return text in _TRUE


def refuse_infinities(table: Table) -> None:
    """Refuse a table in which a cell is an infinity, which would else be read as missing.

    Raises:
        RowError: With the number of such cells.
    """
    if table.infinite_cells:
        raise RowError(
            f"{table.path} has cells that are infinite",
            allowed="finite numbers, and null or an empty cell where a number is missing",
            given=f"{table.infinite_cells} cells with Infinity or -Infinity, no finite number",
            next_step="find out where the number was lost, and write null only if it is missing",
        )


def _is_message(value: object) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("role"), str)
        and isinstance(value.get("content"), str)
    )

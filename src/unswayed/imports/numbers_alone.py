"""Tables of results, which hold no reply that could be read again: refused with what is needed."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from unswayed.errors import RowError

NEEDED = (
    "transcripts, each with what the user and the model said: a log of Inspect AI,"
    " lm-evaluation-harness (samples_*.jsonl) or promptfoo, or JSON Lines with messages"
)
"""What an import needs."""

NEXT = (
    "give the log that the numbers were computed from: numbers alone cannot be read again, and show"
    " no control. Conversations in a table go over as JSON Lines with messages; a table of"
    " questions is asked with `unswayed run --items FILE`"
)

_DELIMITERS = ",\t;|"
_SHOWN = 6
_WORD = 80


def refuse_table(path: Path, text: str) -> None:
    """Refuse a text of rows of which each has the same columns, two or more.

    Args:
        path: Where it was read from.
        text: The whole text, which is no JSON.

    Raises:
        RowError: Naming its columns, when it is such a table.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or lines[0].lstrip()[:1] in ("{", "["):
        return
    for delimiter in _DELIMITERS:
        try:
            rows = [row for row in csv.reader(lines, delimiter=delimiter, strict=True) if row]
        except csv.Error:
            continue
        if len(rows) > 1 and len(rows[0]) > 1 and {len(row) for row in rows} == {len(rows[0])}:
            what = f"{len(rows) - 1} rows with the columns"
            _refuse(path, "is a table and no log of replies", what, rows[0])


def refuse_numbers(path: Path, value: object) -> None:
    """Refuse a JSON value that holds numbers and names, and no text that could be a reply.

    Args:
        path: Where it was read from.
        value: What the file holds, of no known format.

    Raises:
        RowError: Naming its fields, when it is such a value.
    """
    leaves = list(_leaves(value))
    numbers = [leaf for leaf in leaves if isinstance(leaf, int | float)]
    texts = [leaf for leaf in leaves if isinstance(leaf, str)]
    if numbers and all(len(text) <= _WORD and "\n" not in text for text in texts):
        names = list(dict.fromkeys(_names(value)))
        what = f"{len(numbers)} numbers in the fields"
        _refuse(path, "holds numbers and no replies", what, names)


def _refuse(path: Path, wrong: str, what: str, names: list[str]) -> NoReturn:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    raise RowError(
        f"{path} {wrong}",
        allowed=NEEDED,
        given=f"{what} {', '.join(name[:30] for name in names[:_SHOWN])}{more}",
        next_step=NEXT,
    )


def _leaves(value: Any) -> Iterator[object]:  # noqa: ANN401
    if isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)
    else:
        yield value


def _names(value: Any) -> Iterator[str]:  # noqa: ANN401
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _names(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _names(inner)

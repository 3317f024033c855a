"""Reader of safety questions with lines that press for the dangerous answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from unswayed.items.cells import Row, Table, is_empty
from unswayed.items.public_set import Format, Gathering, PublicSet, lacks_keys

NAME = "safety_pressure_lines"

_KEYS = ("question", "prompts")
_ASKED = "Is it safe "


def unwrap(value: dict[str, Any]) -> list[Any] | None:
    """Return the questions of a file that holds metadata and questions by number.

    What is no object stays in the list, so that it is named as no row.
    """
    questions = value.get("questions")
    if set(value) != {"metadata", "questions"} or not isinstance(questions, dict):
        return None
    return [
        {"question_id": name, **cells} if isinstance(cells, dict) else cells
        for name, cells in questions.items()
    ]


def _lacks(cells: Mapping[str, Any]) -> str:
    absent = lacks_keys(cells, _KEYS)
    if absent:
        return absent
    if not isinstance(cells["prompts"], dict):
        return "its prompts are no object of lines by name"
    if not str(cells["question"]).startswith(_ASKED):
        return f"its question does not start with {_ASKED!r}, so that its truth is not known"
    return ""


def category_of(name: str) -> str:
    """Return the category of a line from its name, such as `edge_case` for `edge_case_3`."""
    return re.sub(r"_\d+$", "", name)


def _read(table: Table) -> PublicSet:
    found = Gathering(table, "safety", "MIT", "github.com/ewernn/SycoBench")
    for row in found.rows():
        question = found.text(row, "question")
        lines = row.cells["prompts"]
        if not question or not _are_lines(found, row, lines):
            continue
        for name in lines:
            found.counts["lines"] += 1
            found.counts[f"lines_{category_of(name)}"] += 1
        found.add(
            kind="safety",
            question=question,
            truth="No",
            target="Yes",
            options=("Yes", "No"),
            answer_form="verdict",
            domain="safety",
            texts=lines,
        )
    found.warn("the lines assert dangerous falsehoods; never show them without their refutation")
    found.warn(
        "every line presses for `Yes`, so that a model which always says `No` looks steadfast; "
        "pair these items with questions whose answer is `Yes`"
    )
    return found.finish(NAME)


def _are_lines(found: Gathering, row: Row, lines: Mapping[str, object]) -> bool:
    """Whether each line is a text; a question without lines, or with another value, is noted."""
    if not lines:
        found.skip("no_lines")
    for name, text in lines.items():
        if not isinstance(text, str) or is_empty(text):
            wrong = f"line {name[:40]!r} is {'empty' if is_empty(text) else 'no text'}"
            found.wrong(row, "prompts", wrong, "give the file as it was made")
            return False
    return bool(lines)


FORMAT = Format(
    name=NAME,
    lacks=_lacks,
    read=_read,
    about="JSON of safety questions, each with named lines that press for the dangerous answer",
)
"""The format."""

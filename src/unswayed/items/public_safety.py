"""Reader of safety questions with lines that press for the dangerous answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from unswayed.items.cells import Table
from unswayed.items.public_set import Format, Gathering, PublicSet, lacks_keys

NAME = "safety_pressure_lines"

_KEYS = ("question", "prompts")
_ASKED = "Is it safe "


def unwrap(value: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the questions of a file that holds metadata and questions by number."""
    questions = value.get("questions")
    if set(value) != {"metadata", "questions"} or not isinstance(questions, dict):
        return None
    return [
        {"question_id": name, **cells}
        for name, cells in questions.items()
        if isinstance(cells, dict)
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
    found = Gathering(table, "safety", "MIT", "github.com/ewernn/SycoBench", evaluation_only=True)
    for row in table.rows:
        question = found.text(row, "question")
        if not question:
            continue
        lines = {str(name): str(text) for name, text in row.cells["prompts"].items()}
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


FORMAT = Format(
    name=NAME,
    lacks=_lacks,
    read=_read,
    about="JSON of safety questions, each with named lines that press for the dangerous answer",
)
"""The format."""

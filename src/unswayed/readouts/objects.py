"""Finds the one field that answers a number question in a reply that is a JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import msgspec

from unswayed.readouts.answer import Reading

SCORE_FIELDS = ("score", "rating", "grade", "mark", "marks", "points", "overall", "answer", "value")
"""Names of fields that hold a score."""
NUMBER_FIELDS = ("answer", "value", "result", "number", "solution", "total", "final", "count")
"""Names of fields that hold the number asked for."""

_FRAMED = re.compile(
    r"\s*(?:[^\d{}\n]{1,80}:)?\s*(?:`{3}\w*)?\s*(?P<object>\{.*\})\s*`{0,3}\s*", re.S
)
_SPACE = re.compile(r"\s*")
_PARTS = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SETTLING = frozenset(("final", "overall", "total"))
_OF_OTHERS = frozenset(
    (
        "user", "users", "student", "human", "customer", "your", "their", "his", "her", "previous",
        "prior", "original", "initial", "first", "old", "earlier", "wrong", "incorrect", "rejected",
        "suggested", "claimed", "expected", "alternative", "max", "maximum", "min", "minimum",
        "possible", "best", "worst", "confidence", "highest", "lowest", "top", "other",
    )
)  # fmt: skip
_WRITTEN = re.compile(r"\s*[-+−$€£]?\.?\d")


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field of an object, and where its value stands."""

    name: str
    """Its name as written."""
    value: object
    """Its value."""
    start: int
    """Where the value starts in the reply; after the quotation mark, for words."""
    end: int
    """Where the value ends; before the quotation mark, for words."""


def answer_field(text: str, names: Sequence[str]) -> str | Reading | None:
    """Blank out all of an object but the field that answers.

    A field answers by its own name, such as `score`, or by one that ends in it, such as
    `essay_score`; `final` or `overall` before it decide among several. A field of somebody else,
    such as `user_answer` or `max_score`, never does.

    Args:
        text: The answer text, without reasoning.
        names: The names of fields that answer.

    Returns:
        The text with white space in place of all the rest, so that places stay what they are; a
        reason where fields that answer differ, or where none of several numbers is named; None
        where the reply is no object or one that is read as any other text.
    """
    framed = _FRAMED.fullmatch(text) if "{" in text else None
    fields = _fields(text, framed.start("object"), framed.end("object")) if framed else None
    if not fields:
        return None
    numbers = [field for field in fields if _is_number(field)]
    named = [field for field in numbers if _rank(field.name, names) is not None]
    named = named or [
        field
        for field in fields
        if isinstance(field.value, str) and _rank(field.name, names) is not None
    ]
    best = min((_rank(field.name, names) or 0 for field in named), default=0)
    chosen = [field for field in named if (_rank(field.name, names) or 0) == best]
    values = tuple(dict.fromkeys(text[field.start : field.end].strip() for field in chosen))
    if len(values) > 1:
        return Reading(reason="several_answers", candidates=values, detail=", ".join(values)[:80])
    if chosen:
        field = chosen[-1]
        blank = re.sub(r"\S", " ", text)
        return blank[: field.start] + text[field.start : field.end] + blank[field.end :]
    empty = [field for field in fields if field.value is None or isinstance(field.value, bool)]
    if any(_rank(field.name, names) is not None for field in empty) or len(numbers) > 1:
        detail = ", ".join(field.name for field in numbers)[:80]
        return Reading(reason="no_declaration", detail=detail)
    return None


def _fields(text: str, start: int, end: int) -> list[Field] | None:
    """The fields at the top of an object; None when it is broken."""
    try:
        return list(_walk(text, start + 1, end - 1))
    except (ValueError, RecursionError):
        return None


def _walk(text: str, place: int, stop: int) -> Iterator[Field]:
    decoder = json.JSONDecoder()
    while (place := _after(text, place)) < stop:
        name, place = decoder.raw_decode(text, place)
        place = _after(text, place)
        if not isinstance(name, str) or text[place] != ":":
            raise ValueError("a field without a name")
        start = _after(text, place + 1)
        value, place = decoder.raw_decode(text, start)
        inner = int(isinstance(value, str))
        yield Field(name=name, value=value, start=start + inner, end=place - inner)
        place = _after(text, place)
        if place < stop and text[place] != ",":
            raise ValueError("fields without a comma between them")
        place += 1
    if place < stop:
        raise ValueError("words after the last field")


def _after(text: str, place: int) -> int:
    """Where the white space at a place ends."""
    space = _SPACE.match(text, place)
    return space.end() if space else place


def _is_number(field: Field) -> bool:
    if isinstance(field.value, str):
        return _WRITTEN.match(field.value) is not None
    return isinstance(field.value, (int, float)) and not isinstance(field.value, bool)


def _rank(name: str, names: Sequence[str]) -> int | None:
    """How well a name fits: `final`, a bare `answer`, other bare ones; None where it does not."""
    parts = [part.lower() for part in _PARTS.findall(_CAMEL.sub("_", name))]
    if not parts or parts[-1] not in names or _OF_OTHERS & set(parts):
        return None
    if _SETTLING & set(parts[:-1]):
        return 0
    if len(parts) > 1:
        return 3
    return 1 if parts[0] == names[0] == "answer" else 2

"""What a log states of a sample in one value: its name, and a text that stands at a path."""

from __future__ import annotations

import math
from collections.abc import Mapping

from unswayed.imports.logged import at_path
from unswayed.imports.source import refuse_log


def name_of(value: object, where: str) -> str:
    """Return a sample's name, which is a text or a whole number.

    Raises:
        RowError: When it is neither, or empty.
    """
    known = isinstance(value, int | str) and not isinstance(value, bool)
    text = str(value).strip() if known else ""
    if not text:
        refuse_log(
            where,
            "has no name that tells it from others",
            allowed="a text or a whole number",
            given=repr(value)[:60],
        )
    return text


def text_at(row: object, path: str | None, where: str) -> str:
    """Return the text or number at a mapped path; empty where there is no path or nothing at it.

    Raises:
        RowError: When something else stands there.
    """
    value = None if path is None else at_path(row, path)
    if value is None:
        return ""
    if isinstance(value, bool | int | str) or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    refuse_log(
        where,
        f"has no text at the path {path!r}",
        allowed="a text or a number",
        given=repr(value)[:60],
        next_step="map the field to the path of one value",
    )


def count_of(value: object, where: str, *, absent: int) -> int:
    """Return a whole number from 0, such as an epoch; `absent` where none is stated.

    Raises:
        RowError: When it is something else.
    """
    if value is None:
        return absent
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    refuse_log(
        where,
        "has a number of its repeat that is none",
        allowed="a whole number",
        given=repr(value)[:60],
    )


def scores_of(row: Mapping[str, object], key: str, where: str) -> dict[str, object]:
    """Return scores by scorer; none where nothing was scored.

    Raises:
        RowError: When the scores are no object.
    """
    value = row.get(key)
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    refuse_log(
        where,
        f"has `{key}` that are no scores",
        allowed="an object with a value for each scorer",
        given=type(value).__name__,
    )

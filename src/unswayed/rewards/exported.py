"""Columns of our own exported rows under the names that rewards read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from unswayed.errors import UsageError

META = "meta_json"
"""Column with further columns of a row as one JSON text."""

RENAMED = {"family": "family_id", "direction": "action"}
"""Columns of exported rows and how rewards call them."""


def expand_columns(columns: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    """Spread `meta_json` over columns, rename ours, and tell from `evidence` what is `valid`.

    A column that is given stays as it is.

    Args:
        columns: Columns of one length.

    Returns:
        The columns and those that they hold, without `meta_json`.

    Raises:
        UsageError: A cell of `meta_json` is no JSON object.
    """
    spread = {name: cells for name, cells in columns.items() if name != META}
    metas = [_decode(cell) for cell in columns.get(META, ())]
    for name in sorted({name for meta in metas for name in meta}):
        spread.setdefault(name, tuple(_filled(meta.get(name)) for meta in metas))
    for ours, theirs in RENAMED.items():
        if ours in spread:
            spread.setdefault(theirs, spread[ours])
    if "moves" in spread:
        # Our rows call the action a direction; a grade moves in one.
        spread["direction"] = spread["moves"]
    if "evidence" in spread:
        known = tuple(None if cell is None else cell == "valid" for cell in spread["evidence"])
        spread.setdefault("valid", known)
    return spread


def _decode(cell: object) -> Mapping[str, Any]:
    if cell is None:
        return {}
    try:
        meta = json.loads(cell) if isinstance(cell, str | bytes) else cell
    except ValueError:
        meta = None
    if not isinstance(meta, Mapping):
        raise UsageError(
            f"A cell of the column {META!r} is no JSON object",
            allowed="one JSON object as text for each row",
            given=str(cell)[:60],
            next_step="pass the column as it was exported",
        )
    return meta


def _filled(cell: object) -> object:
    return None if cell == "" else cell

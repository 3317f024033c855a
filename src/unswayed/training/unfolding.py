"""Rows in the shapes of reinforcement trainers, unfolded into plain columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

Cells = Mapping[str, Any]


def unfold(cells: Cells) -> dict[str, Any]:
    """Return the columns of a row, with those that a trainer's shape keeps inside of others.

    verl keeps columns in `extra_info`, OpenRLHF in `label` as JSON text with the prompt in `input`,
    NeMo-Gym the prompt in `responses_create_params`; `meta_json` of our own rows holds further
    ones. A row in another shape stays as it is, and a column that stands by itself wins.

    Args:
        cells: The cells of a row by column.
    """
    flat = dict(cells)
    if "input" in flat and "prompt" not in flat and (label := _object(flat.get("label"))):
        flat = {**label, **flat, "prompt": flat["input"], "label": None}
    if (request := _object(flat.get("responses_create_params"))) and "prompt" not in flat:
        flat["prompt"] = request.get("input")
    flat = {**_object(flat.get("extra_info")), **flat}
    if meta := _object(flat.get("meta_json")):
        condition = _object(meta.get("condition"))
        names = ("wording", "order")
        flat = {**{name: condition[name] for name in names if name in condition}, **meta, **flat}
        flat.setdefault("answer", flat.get("truth"))
    return flat


def unreadable(cells: Cells) -> tuple[str, ...]:
    """Return the columns that should hold an object of further columns and hold broken JSON text.

    Args:
        cells: The cells of a row by column.
    """
    names: tuple[str, ...] = ("meta_json", "extra_info", "responses_create_params")
    names += ("label",) if "input" in cells and "prompt" not in cells else ()
    return tuple(
        name
        for name in names
        if isinstance(cell := cells.get(name), str)
        and cell.strip()
        and not _object(cell)
        and cell.strip() != "{}"
    )


def _object(cell: object) -> dict[str, Any]:
    """Return a cell that is an object, or an object's JSON text; otherwise an empty one."""
    if isinstance(cell, str) and cell.lstrip().startswith("{"):
        try:
            cell = msgspec.json.decode(cell)
        except msgspec.DecodeError:
            return {}
    return {str(name): value for name, value in cell.items()} if isinstance(cell, dict) else {}

"""Reads the files of written items that lie beside this module."""

from __future__ import annotations

from importlib.resources import files
from typing import TypeVar

import msgspec

Row = TypeVar("Row")


def read_written(name: str, type_: type[Row]) -> list[Row]:
    """Return the rows of `written/<name>.jsonl`."""
    path = files("unswayed.items") / "written" / f"{name}.jsonl"
    return msgspec.json.Decoder(type_).decode_lines(path.read_bytes())

"""Writes a training set as a folder: all of it, or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from unswayed.errors import UsageError
from unswayed.items.item import Item
from unswayed.rows import encode, replacing, write_rows, write_text, write_value
from unswayed.training.build import Built
from unswayed.training.card import card
from unswayed.training.collating import UNCHECKED, Check
from unswayed.training.reading import ROWS_FILE, ROWS_KIND
from unswayed.training.row import TrainingRow
from unswayed.training.shapes import Shaped, shape

SPLITS = ("train", "validation", "test")

ITEM_FIELDS = (
    "id", "question", "truth", "target", "options", "kind", "domain", "family", "source",
    "licence", "answer_form",
)  # fmt: skip
"""Columns of the table of items, which `--items` takes again."""


def export(
    built: Built,
    folder: Path,
    *,
    kind: str,
    form: str,
    group_size: int | None = None,
    check: Check = UNCHECKED,
) -> dict[str, Path]:
    """Write the files for a trainer, all rows with their columns, the items, and the card.

    Args:
        built: The set.
        folder: A folder that is absent or empty.
        kind: `sft`, `preference`, `kto` or `rl`.
        form: `trl`, `chat`, `verl`, `openrlhf`, `verifiers` or `nemo_gym`.
        group_size: Completions that the trainer draws for a row; for `rl` alone.
        check: Its run gets the files before they have their place; where it raises, none do.

    Returns:
        The files by name.

    Raises:
        UsageError: When there is no such shape or the folder holds something.
    """
    shaped = shape(kind, form, group_size=group_size)
    check_free(folder)
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        for split in SPLITS:
            mine = [row for row in built.rows if row.split == split]
            if mine:
                _write_split(part, split, [each for row in mine for each in shaped(row)], form)
        about = {"kind": kind, "shape": form, "seed": built.seed, "pressures": built.pressures}
        write_rows(part / ROWS_FILE, ROWS_KIND, built.rows, about=about)
        _write_items(part / "items.jsonl", built.items)
        write_value(part / "audit.json", built.audit)
        hashes = {path.name: _sha256(path) for path in sorted(part.iterdir())}
        write_text(
            part / "card.md", card(built, kind=kind, form=form, hashes=hashes, checked=check.said)
        )
        if check.run is not None:
            check.run(part)
        if folder.exists():
            folder.rmdir()
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return {path.name: path for path in sorted(folder.iterdir())}


def check_free(folder: Path) -> None:
    """Refuse a folder that holds something.

    Raises:
        UsageError: When it is a file or is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"{folder} is taken",
            allowed="a folder that is absent or empty",
            given=str(folder),
            next_step="choose another folder with --to",
        )


def _write_split(folder: Path, split: str, rows: Sequence[Shaped], form: str) -> None:
    if form == "verl":
        _write_parquet(folder / f"{split}.parquet", rows)
    else:
        _write_lines(folder / f"{split}.jsonl", rows)


def _write_lines(path: Path, rows: Iterable[Shaped]) -> None:
    with replacing(path) as stream:
        for row in rows:
            stream.write(encode(row) + b"\n")


def _write_parquet(path: Path, rows: Sequence[Shaped]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with replacing(path) as stream:
        pq.write_table(pa.Table.from_pylist(list(rows)), stream)


def _write_items(path: Path, items: Sequence[Item]) -> None:
    _write_lines(path, (_item_row(item) for item in items))


def _item_row(item: Item) -> dict[str, Any]:
    row = {name: getattr(item, name) for name in ITEM_FIELDS}
    row["options"] = list(item.options)
    # An empty list would be read as options that are missing; without the column there are none.
    return row if item.options else {k: each for k, each in row.items() if k != "options"}


def _sha256(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def counts(rows: Sequence[TrainingRow]) -> dict[str, int]:
    """Return the number of rows by right action."""
    found: dict[str, int] = {}
    for row in rows:
        found[row.direction] = found.get(row.direction, 0) + 1
    return dict(sorted(found.items()))

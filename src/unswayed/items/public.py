"""Items from files in public formats: known by their keys and content, refused when unsure."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from unswayed.errors import RowError
from unswayed.items import (
    public_bct,
    public_brokenmath,
    public_freeform,
    public_mt,
    public_perez,
    public_safety,
    public_syco_bench,
    public_sycophancy_eval,
    public_triplets,
)
from unswayed.items.cells import Problem, Table, read_table, refuse
from unswayed.items.near_misses import near_miss
from unswayed.items.public_set import Format, PublicSet

FORMATS: dict[str, Format] = {
    format_.name: format_
    for format_ in (
        public_mt.FORMAT,
        public_bct.FORMAT,
        public_bct.MESSAGES_FORMAT,
        public_freeform.FORMAT,
        *public_perez.FORMATS,
        *public_brokenmath.FORMATS,
        *public_syco_bench.FORMATS,
        *public_sycophancy_eval.FORMATS,
        public_safety.FORMAT,
        public_triplets.FORMAT,
    )
}
"""The public formats by name."""

_SURVEYS = {
    "philpapers": "perez_philpapers",
    "nlp_survey": "perez_nlp",
    "political_typology": "perez_political",
}
"""What the name of a published survey holds, and the format of its rows."""

_RESULTS = {"true_grade", "accuracy", "n_ic"}
"""Columns that only tables of results have."""

_SNIFFED = 200
"""How many rows decide on the format; all rows are then held against it."""

__all__ = [
    "FORMATS", "PublicSet", "holds_results", "looks_public", "read_public", "table_files",
]  # fmt: skip


def read_public(path: Path, *, format: str | None = None) -> PublicSet:
    """Read a file in a public format, or a folder of files in one format.

    Args:
        path: The file as it was published, or a folder of such files.
        format: A name out of `FORMATS`; without it the format is found by keys and content.

    Raises:
        RowError: When a row cannot be read, when the format is unknown or unsure, or when a row
            is not of the format.
    """
    place = Path(path)
    if format is not None and format not in FORMATS:
        raise RowError(
            "There is no such public format",
            allowed=", ".join(FORMATS),
            given=repr(format),
            next_step="leave the format out to have it found",
        )
    if place.is_dir():
        return _read_folder(place, format)
    table = read_table(place, unwrap=_unwrap)
    if table.problems:
        refuse(table.path, table.problems, len(table.rows) + len(table.problems))
    chosen = FORMATS[format] if format is not None else _sniff(table)
    _check_rows(table, chosen)
    _check_name(place, table, chosen)
    return chosen.read(table)


def looks_public(path: Path) -> bool:
    """Whether a file or folder looks like a public format rather than a table of one's own.

    Raises:
        RowError: When it cannot be read as rows at all.
    """
    place = Path(path)
    if place.is_dir():
        return True
    rows = read_table(place, unwrap=_unwrap).rows[:_SNIFFED]
    return any(not known.lacks(row.cells) for known in FORMATS.values() for row in rows)


def holds_results(path: Path) -> bool:
    """Whether a file is a table of how models did, which gives no items.

    Raises:
        RowError: When it cannot be read as rows at all.
    """
    return bool(_RESULTS & set(read_table(Path(path), unwrap=_unwrap).columns))


def table_files(folder: Path) -> list[Path]:
    """Return the files of a folder that may be tables, by name."""
    endings = (".csv", ".jsonl", ".ndjson", ".json", ".parquet")
    return sorted(path for path in folder.iterdir() if path.suffix.casefold() in endings)


def _unwrap(value: dict[str, Any]) -> list[Any] | None:
    """Return the rows of a published file that is one JSON object."""
    for unwrap in (public_safety.unwrap, public_triplets.unwrap):
        rows = unwrap(value)
        if rows is not None:
            return rows
    return None


def _read_folder(folder: Path, format: str | None) -> PublicSet:
    files = table_files(folder)
    sets = [read_public(path, format=format) for path in files]
    names = sorted({one.format for one in sets})
    if len(names) != 1:
        raise RowError(
            f"The folder {folder} does not hold files of one public format",
            allowed="files of one format",
            given=", ".join(names) or "no files",
            next_step="read its files one by one",
        )
    counts: Counter[str] = Counter()
    for one in sets:
        counts.update(one.counts)
    left: dict[str, tuple[str, ...]] = {}
    for file, one in zip(files, sets, strict=True):
        for reason, rows in one.left_out.items():
            left[reason] = (*left.get(reason, ()), *(f"{file.name} {row}" for row in rows))
    items = tuple(item for one in sets for item in one.items)
    repeated = [name for name, n in Counter(item.id for item in items).items() if n > 1]
    if repeated:
        raise RowError(
            f"Files in the folder {folder} repeat each other's items",
            given=", ".join(repeated[:5]),
            next_step="remove the copy, or read the files one by one",
        )
    return msgspec.structs.replace(
        sets[0],
        items=items,
        set_aside=tuple(item for one in sets for item in one.set_aside),
        unfit=tuple(row for one in sets for row in one.unfit),
        counts=dict(counts),
        left_out=left,
        warnings=tuple(dict.fromkeys(text for one in sets for text in one.warnings)),
    )


def _sniff(table: Table) -> Format:
    """Return the only format that fits; the rows that do not fit it are checked afterwards."""
    fits = {
        name: sum(not format_.lacks(row.cells) for row in table.rows[:_SNIFFED])
        for name, format_ in FORMATS.items()
    }
    most = max(fits.values())
    best = [name for name, count in fits.items() if count == most]
    called = Path(table.path).name.casefold()
    hinted = [name for name in best if (hint := FORMATS[name].file_hint) and hint in called]
    best = hinted if len(hinted) == 1 else best
    if most and len(best) == 1:
        return FORMATS[best[0]]
    missed = None if most else near_miss(table)
    if missed is not None:
        raise missed
    keys = ", ".join(sorted(table.columns))
    next_step = "name the format, or load the file as a table of your own with a column mapping"
    if _RESULTS & set(table.columns):
        next_step = "this is a table of results: use read_results"
    possible = best if most else list(FORMATS)
    raise RowError(
        f"{table.path} fits several formats"
        if most
        else f"{table.path} is in no known public format",
        allowed="; ".join(f"{name}: {FORMATS[name].about}" for name in possible),
        given=f"the keys {keys}",
        next_step=next_step,
    )


def _check_rows(table: Table, chosen: Format) -> None:
    problems = [
        Problem(
            where=row.where,
            wrong=f"it is not of the format {chosen.name}: {reason}",
            remedy="remove it or give the published file",
        )
        for row in table.rows
        if (reason := chosen.lacks(row.cells))
    ]
    if problems:
        refuse(table.path, problems, len(table.rows))


def _check_name(place: Path, table: Table, chosen: Format) -> None:
    """Refuse a file that calls itself one of the three opinion surveys and holds another."""
    called = place.name.casefold()
    named = next((name for hint, name in _SURVEYS.items() if hint in called), chosen.name)
    if chosen.name in _SURVEYS.values() and named != chosen.name:
        raise RowError(
            f"{place} is named for another survey than the one that it holds",
            allowed=f"rows of the format {named}",
            given=f"rows of the format {chosen.name}: {FORMATS[named].lacks(table.rows[0].cells)}",
            next_step="some copies are mislabeled: take the file from its first source",
        )

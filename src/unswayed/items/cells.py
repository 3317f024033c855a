"""Tables as rows of raw cells: CSV, JSON Lines, JSON and Parquet, with every bad row named."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from unswayed.errors import RowError
from unswayed.rows import read_bytes

Unwrap = Callable[[dict[str, Any]], list[Any] | None]

_SHOWN = 5
_LARGEST_FIELD = 2**31 - 1
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_EMPTY_TEXTS = ("nan", "NaN", "NAN", "#N/A", "<NA>", "NULL")


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with one place of a table."""

    where: str
    """The row, such as `row 3`; for CSV the header is row 1, for JSON Lines rows are lines."""
    field: str = ""
    """The field, where one is to blame."""
    wrong: str
    """What is wrong."""
    remedy: str
    """What to do about it."""

    def __str__(self) -> str:
        place = f"{self.where}, field {self.field!r}" if self.field else self.where
        return f"{place}: {self.wrong}; {self.remedy}"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a table."""

    where: str
    """The row, as in `Problem.where`."""
    cells: dict[str, Any]
    """The cells by column; NaN is None."""

    def within(self, cells: dict[str, Any]) -> Row:
        """Return an object inside a cell as a row of the same place."""
        return Row(where=self.where, cells=cells)


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it was read."""

    path: str
    """Where it was read from."""
    columns: tuple[str, ...]
    """The columns, in the order in which they first occur."""
    rows: tuple[Row, ...]
    """The rows that could be read."""
    problems: tuple[Problem, ...]
    """What could not be read."""
    nan_cells: int
    """How many cells held NaN or an infinity, which is no JSON; they are None."""
    infinite_cells: int = 0
    """How many of them held an infinity, which is a number gone wrong and no missing one."""


def refuse(path: str, problems: list[Problem] | tuple[Problem, ...], n_rows: int) -> NoReturn:
    """Raise one error for all problems of a file; the first five are shown.

    Raises:
        RowError: Always.
    """
    rows = len({problem.where for problem in problems})
    shown = "\n".join(f"    {problem}" for problem in problems[:_SHOWN])
    more = len(problems) - _SHOWN
    tail = f"\n    and {more} more" if more > 0 else ""
    raise RowError(
        f"{path} has {len(problems)} problem(s) in {rows} of {n_rows} row(s), so nothing was read",
        allowed="rows in which every field that is needed holds one readable value",
        given=f"\n{shown}{tail}",
        next_step="correct these rows in the file or remove them from it",
    )


def read_table(path: Path, *, unwrap: Unwrap | None = None) -> Table:
    """Read a table; the ending of the file's name says what it is.

    Args:
        path: The file.
        unwrap: Returns the rows of a JSON file that is one object, or None when it knows none.

    Raises:
        RowError: When the file is absent, of an unknown kind, or no table at all.
    """
    ending = path.suffix.casefold()
    if ending in _SEPARATORS:
        return _read_csv(path, _SEPARATORS[ending])
    if ending in (".jsonl", ".ndjson"):
        return _read_lines(path)
    if ending == ".json":
        return _read_json(path, unwrap)
    if ending == ".parquet":
        return _read_parquet(path)
    raise RowError(
        f"The file {path} is of no kind that can be read as a table",
        allowed=".csv, .tsv, .jsonl, .ndjson, .json, .parquet",
        given=path.suffix or "no ending",
        next_step="save the table in one of these kinds",
    )


def is_empty(cell: object) -> bool:
    """Whether a cell holds nothing: null, NaN, white space, or the mark of a missing value."""
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return True
    return isinstance(cell, str) and (not cell.strip() or cell.strip() in _EMPTY_TEXTS)


def cell_text(cell: object) -> str | None:
    """Return a cell as text: texts stripped, whole floats without `.0`; None for other types."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell) if isinstance(cell, bool | int | float) else None


def _decode(path: Path) -> tuple[str, list[Problem]]:
    data = read_bytes(path)
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        remedy = "save the file as UTF-8"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "", [Problem(where="row 1", wrong="the file is UTF-16", remedy=remedy)]
    problems = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            wrong = f"byte {error.start + 1} of line {number} is not UTF-8"
            problems.append(Problem(where=f"row {number}", wrong=wrong, remedy=remedy))
    return "", problems


def _read_csv(path: Path, separator: str) -> Table:
    text, problems = _decode(path)
    if problems:
        refuse(str(path), problems, text.count("\n") + len(problems))
    first = text.partition("\n")[0]
    if separator == "," and "," not in first:
        separator = next((mark for mark in (";", "\t") if mark in first), ",")
    rows: list[Row] = []
    with _large_fields():
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        try:
            records = [(number, record) for number, record in enumerate(reader, 1) if record]
        except csv.Error as error:
            where = f"row at line {reader.line_num}"
            wrong, remedy = f"the quoting is broken ({error})", "close the quotation marks"
            refuse(str(path), [Problem(where=where, wrong=wrong, remedy=remedy)], 1)
    columns = [name.strip() for name in records[0][1]] if records else []
    _check_columns(path, columns)
    for number, record in records[1:]:
        if len(record) != len(columns):
            wrong = f"it has {len(record)} cells where the header has {len(columns)}"
            remedy = "quote cells that hold the separator, and add missing cells"
            problems.append(Problem(where=f"row {number}", wrong=wrong, remedy=remedy))
            continue
        rows.append(Row(where=f"row {number}", cells=dict(zip(columns, record, strict=True))))
    return _table(path, rows, problems, (0, 0), columns)


@contextmanager
def _large_fields() -> Iterator[None]:
    before = csv.field_size_limit(_LARGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _check_columns(path: Path, columns: list[str]) -> None:
    twice = sorted({name for name in columns if name and columns.count(name) > 1})
    if not columns or twice:
        raise RowError(
            f"{path} has no usable header",
            allowed="a first row with a different name for each column",
            given=f"{', '.join(twice)} more than once" if twice else "an empty file",
            next_step="name each column once",
        )


class _Json:
    """A JSON reader that turns NaN and infinities into None and counts them.

    A key that occurs twice and half of a surrogate pair, which no UTF-8 can hold, are errors.
    """

    def __init__(self) -> None:
        self.nan_cells = self.infinite_cells = 0

    def load(self, text: str) -> object:
        value = json.loads(text, parse_constant=self._constant, object_pairs_hook=self._object)
        if "\\ud" in text.casefold():
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value

    def _constant(self, name: str) -> None:
        self.nan_cells += 1
        self.infinite_cells += name != "NaN"

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            raise ValueError(f"the key {max(names, key=names.count)!r} occurs twice")
        return found


def _fault(error: Exception, first: int) -> str:
    """Say what is wrong with JSON text and where; `first` is the line of the file it begins in."""
    if not isinstance(error, json.JSONDecodeError):
        return f"line {first}: {error}" if first > 1 else str(error)
    return f"line {first + error.lineno - 1}, column {error.colno}: {error.msg}"


def _read_lines(path: Path) -> Table:
    text, problems = _decode(path)
    reader = _Json()
    rows: list[Row] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"row {number}"
        try:
            value = reader.load(line)
        except (ValueError, RecursionError) as error:
            remedy = "write one whole JSON object a line"
            wrong = f"it is no JSON ({_fault(error, number)})"
            problems.append(Problem(where=where, wrong=wrong, remedy=remedy))
            continue
        _add(rows, problems, where, value)
    return _table(path, rows, problems, (reader.nan_cells, reader.infinite_cells))


def _read_json(path: Path, unwrap: Unwrap | None) -> Table:
    text, problems = _decode(path)
    reader = _Json()
    rows: list[Row] = []
    values: object = []
    try:
        values = reader.load(text) if not problems else []
    except (ValueError, RecursionError) as error:
        remedy = "write a JSON list of objects"
        wrong = f"it is no JSON ({_fault(error, 1)})"
        problems.append(Problem(where="the file", wrong=wrong, remedy=remedy))
    if isinstance(values, dict) and unwrap is not None:
        values = unwrap(values)
    if not isinstance(values, list):
        raise RowError(
            f"{path} is not a table",
            allowed="a JSON list of objects",
            given="an object" if values is None else type(values).__name__,
            next_step="write the rows as one list",
        )
    for number, value in enumerate(values, start=1):
        _add(rows, problems, f"row {number}", value)
    return _table(path, rows, problems, (reader.nan_cells, reader.infinite_cells))


def _add(rows: list[Row], problems: list[Problem], where: str, value: object) -> None:
    if isinstance(value, dict):
        rows.append(Row(where=where, cells=value))
    else:
        wrong = f"it is a {type(value).__name__} and no object"
        problems.append(Problem(where=where, wrong=wrong, remedy="name each cell by its column"))


def _read_parquet(path: Path) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        values = pq.read_table(path).to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise RowError(
            f"The file {path} cannot be read as Parquet",
            given=str(error),
            next_step="check the path, or write the file again",
        ) from error
    rows: list[Row] = []
    nan_cells = infinite_cells = 0
    for number, value in enumerate(values, start=1):
        bad = [k for k, v in value.items() if isinstance(v, float) and not math.isfinite(v)]
        nan_cells += len(bad)
        infinite_cells += sum(math.isinf(value[name]) for name in bad)
        rows.append(Row(where=f"row {number}", cells={**value, **dict.fromkeys(bad)}))
    return _table(path, rows, [], (nan_cells, infinite_cells))


def _table(
    path: Path,
    rows: list[Row],
    problems: list[Problem],
    no_numbers: tuple[int, int],
    columns: list[str] | None = None,
) -> Table:
    if columns is None:
        columns = list(dict.fromkeys(name for row in rows for name in row.cells))
    if not rows and not problems:
        raise RowError(
            f"{path} holds no rows",
            allowed="a table with at least one row",
            given="no row",
            next_step="check that this is the right file",
        )
    return Table(
        path=str(path),
        columns=tuple(columns),
        rows=tuple(rows),
        problems=tuple(problems),
        nan_cells=no_numbers[0],
        infinite_cells=no_numbers[1],
    )

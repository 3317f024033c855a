"""Reader of published results: verdicts of a judge, accuracies, and summaries of flips."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from unswayed.counting import several, verb
from unswayed.errors import RowError
from unswayed.items.cells import Problem, Row, Table, cell_text, is_empty, read_table, refuse
from unswayed.items.public_set import lacks_keys


class PublicResults(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a published table of results."""

    format: str
    """Name of the format."""
    rows: tuple[dict[str, Any], ...]
    """The rows, with numbers as numbers and absent values as None."""
    counts: dict[str, int]
    """Rows, and what they hold, by name."""
    warnings: tuple[str, ...]
    """What a user of these numbers must know."""
    licence: str
    """Licence of the data."""
    source: str
    """Where the data come from."""


class ResultFormat(msgspec.Struct, frozen=True, kw_only=True):
    """A format of results."""

    name: str
    """Name, as in `PublicResults.format`."""
    keys: tuple[str, ...]
    """The columns that a table must have, and every row of it."""
    names: tuple[str, ...]
    """The columns that name a row together; no two rows have the same names."""
    read: Callable[[Table], PublicResults]
    """Reads a table that has them."""


VERDICTS = ("correct", "detected", "corrected", "incorrect")
"""The four verdicts on a solution of a false statement; only the last one accepts it."""

SUREST = 100
"""The highest confidence of a judge."""

LARGEST = 10**9
"""More items than any table has."""

CONTROLS = ("belief", "command", "truth_orthogonal")
"""The lines of the flip summary, each with its own denominator."""


def read_results(path: Path) -> PublicResults:
    """Read a published table of results, known by its columns.

    Raises:
        RowError: When the table is of no known format, or a row lacks a column, repeats another,
            holds a number that cannot be, or contradicts itself.
    """
    table = read_table(Path(path))
    if table.problems:
        refuse(table.path, table.problems, len(table.rows) + len(table.problems))
    for known in RESULT_FORMATS:
        if not lacks_keys(dict.fromkeys(table.columns), known.keys):
            _check_rows(table, known)
            return known.read(table)
    raise RowError(
        f"{table.path} is in no known format of results",
        allowed="; ".join(f"{known.name}: {', '.join(known.keys)}" for known in RESULT_FORMATS),
        given=f"the columns {', '.join(table.columns)}",
        next_step="give a published table of results; read questions with read_public",
    )


def find_results(path: Path) -> PublicResults | None:
    """Read a published table of results; None where a file is no table, or not one of these.

    Raises:
        RowError: When a row of such a table contradicts itself.
    """
    if Path(path).suffix.casefold() not in (".csv", ".json"):
        return None
    try:
        table = read_table(Path(path))
    except RowError:
        return None
    known = any(not lacks_keys(dict.fromkeys(table.columns), each.keys) for each in RESULT_FORMATS)
    return read_results(path) if known else None


def whole_count(percent: float, denominator: int) -> int:
    """Return how many of `denominator` a published percentage is.

    Raises:
        ValueError: When it is no whole number, so that the percentage has another denominator.
    """
    count = Fraction(percent) * denominator / 100
    nearest = round(count)
    if abs(count - nearest) > Fraction(1, 1_000_000):
        raise ValueError(
            f"{percent} % of {denominator} is {float(count):.4f} and no whole number: the "
            "percentage has another denominator"
        )
    return nearest


def _check_rows(table: Table, known: ResultFormat) -> None:
    """Refuse rows that lack a column or a name, or have the names of an earlier row."""
    problems: list[Problem] = []
    seen: dict[tuple[str | None, ...], str] = {}
    for row in table.rows:
        absent = lacks_keys(row.cells, known.keys)
        if absent:
            problems.append(_wrong(row, "", absent))
            continue
        unnamed = [name for name in known.names if is_empty(row.cells[name])]
        texts = tuple(cell_text(row.cells[name]) for name in known.names)
        if unnamed or None in texts:
            field = unnamed[0] if unnamed else known.names[texts.index(None)]
            problems.append(_wrong(row, field, "it is no text"))
        elif texts in seen:
            named = ", ".join(known.names)
            problems.append(_wrong(row, "", f"it has the same {named} as {seen[texts]}"))
        seen.setdefault(texts, row.where)
    if problems:
        refuse(table.path, problems, len(table.rows))


def _number(
    row: Row, field: str, cell: object, most: float, problems: list[Problem]
) -> float | None:
    """Return a number from 0 to the most that it can be; None, with a problem noted, for others."""
    number = _finite(cell)
    if number is None or not 0 <= number <= most:
        wrong = f"{str(cell)[:40]!r} is no number from 0 to {most:g}"
        problems.append(_wrong(row, field, wrong))
        return None
    return number


def _count(row: Row, field: str, cell: object, most: float, problems: list[Problem]) -> int | None:
    """Return a whole number from 0 to the most that it can be; None for others."""
    number = _number(row, field, cell, most, problems)
    if number is None or number.is_integer():
        return None if number is None else int(number)
    problems.append(_wrong(row, field, f"{cell!r} is no whole number"))
    return None


def _finite(cell: object) -> float | None:
    """Return a cell as a number; None when it is none, or is not finite."""
    if isinstance(cell, bool) or not isinstance(cell, int | float | str):
        return None
    try:
        number = float(cell)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _wrong(row: Row, field: str, wrong: str) -> Problem:
    remedy = "give the published file"
    return Problem(where=row.where, field=field, wrong=wrong, remedy=remedy)


def _read_verdicts(table: Table) -> PublicResults:
    problems: list[Problem] = []
    rows: list[dict[str, Any]] = []
    counts: Counter[str] = Counter({"rows": len(table.rows)})
    for row in table.rows:
        verdict, accepted = row.cells["true_grade"], str(row.cells["incorrect"])
        if not isinstance(verdict, str) or verdict not in VERDICTS:
            problems.append(_wrong(row, "true_grade", f"{verdict!r} is none of the four verdicts"))
            continue
        if accepted not in ("True", "False") or (accepted == "True") != (verdict == "incorrect"):
            problems.append(_wrong(row, "incorrect", f"{accepted!r} contradicts {verdict!r}"))
        said = row.cells["confidence"]
        confidence = None if is_empty(said) else _number(row, "confidence", said, SUREST, problems)
        counts[verdict] += 1
        counts["without_confidence"] += confidence is None
        rows.append({**_plain(row), "incorrect": accepted == "True", "confidence": confidence})
    if problems:
        refuse(table.path, problems, len(table.rows))
    judges = sorted({str(row["judge"]) for row in rows})
    return PublicResults(
        format="brokenmath_verdicts",
        rows=tuple(rows),
        counts=dict(counts),
        warnings=(
            f"judged by {', '.join(judges)}, who knew that the statement is false",
            "refusals and failed runs are not in the table: its rows are no full denominator",
        ),
        **_BROKENMATH,
    )


def _read_accuracy(table: Table) -> PublicResults:
    problems: list[Problem] = []
    rows: list[dict[str, Any]] = []
    for row in table.rows:
        accuracy = _finite(row.cells["accuracy"])
        if accuracy not in (0.0, 1.0):
            problems.append(_wrong(row, "accuracy", f"{accuracy!r} is neither 0 nor 1"))
        rows.append({**_plain(row), "accuracy": accuracy})
    if problems:
        refuse(table.path, problems, len(table.rows))
    solvers = {str(row["solver_id"]) for row in rows}
    asked = {str(row["problem"]) for row in rows}
    cells = {(str(row["solver_id"]), str(row["problem"])) for row in rows}
    missing = len(solvers) * len(asked) - len(cells)
    return PublicResults(
        format="brokenmath_accuracy",
        rows=tuple(rows),
        counts={
            "rows": len(rows),
            "right": sum(row["accuracy"] == 1.0 for row in rows),
            "solvers": len(solvers),
            "problems": len(asked),
            "missing": missing,
        },
        warnings=(
            f"{several(missing, 'pair')} of solver and problem {verb(missing, 'has', 'have')}"
            " no row, which is no zero",
        ),
        **_BROKENMATH,
    )


def _plain(row: Row) -> dict[str, Any]:
    """Return the cells of a row without the unnamed number of the row."""
    return {name: cell for name, cell in row.cells.items() if name}


def _read_flips(table: Table) -> PublicResults:
    problems: list[Problem] = []
    rows: list[dict[str, Any]] = []
    for row in table.rows:
        for control in CONTROLS:
            cell = _flip_cell(row, control, problems)
            if cell is not None:
                rows.append(cell)
    if problems:
        refuse(table.path, problems, len(table.rows))
    names = ("model", "domain")
    return PublicResults(
        format="flip_summary",
        rows=tuple(rows),
        counts={
            "rows": len(table.rows),
            "cells": len(rows),
            **{f"{name}s": len({str(row[name]) for row in rows}) for name in names},
        },
        warnings=(
            "a flip rate has the coherent items as its denominator, which differs by control and "
            "from the number of items that were right at first",
        ),
        licence="Apache-2.0",
        source="github.com/sonnetx/tracing-sycophancy",
    )


def _flip_cell(row: Row, control: str, problems: list[Problem]) -> dict[str, Any] | None:
    """Return one control of one row, with its flips as a whole number."""
    cell = row.cells[control]
    needed = ("flip", "coh", "dlo", "n_dlo")
    if not isinstance(cell, Mapping) or lacks_keys(cell, needed):
        problems.append(_wrong(row, control, f"it lacks one of {', '.join(needed)}"))
        return None
    found = _flip_counts(row, control, cell, problems)
    if found is None:
        return None
    names = ("model", "pipeline", "stage", "domain", "n_total", "n_ic")
    return {**{name: row.cells[name] for name in names}, "control": control, **found}


def _flip_counts(
    row: Row, control: str, cell: Mapping[str, Any], problems: list[Problem]
) -> dict[str, Any] | None:
    """Return the counts of one control, none of which exceeds the number of items."""
    n_before = len(problems)
    total = _count(row, "n_total", row.cells["n_total"], LARGEST, problems)
    most = LARGEST if total is None else total
    _count(row, "n_ic", row.cells["n_ic"], most, problems)
    coherent = _count(row, f"{control}.coh", cell["coh"], most, problems)
    n_shifts = _count(row, f"{control}.n_dlo", cell["n_dlo"], most, problems)
    percent = _number(row, f"{control}.flip", cell["flip"], 100, problems)
    shift = _finite(cell["dlo"])
    if shift is None:
        problems.append(_wrong(row, f"{control}.dlo", f"{cell['dlo']!r} is no number"))
    if len(problems) > n_before or percent is None or coherent is None:
        return None
    try:
        flips = whole_count(percent, coherent)
    except ValueError as error:
        problems.append(_wrong(row, control, str(error)))
        return None
    return {
        "n_flips": flips,
        "n_coherent": coherent,
        "log_odds_shift": shift,
        "n_log_odds": n_shifts,
    }


_BROKENMATH = {"licence": "Apache-2.0", "source": "github.com/insait-institute/broken-math"}

RESULT_FORMATS: tuple[ResultFormat, ...] = (
    ResultFormat(
        name="brokenmath_verdicts",
        keys=("judge", "solver_id", "problem", "true_grade", "confidence", "incorrect"),
        names=("judge", "solver_id", "problem"),
        read=_read_verdicts,
    ),
    ResultFormat(
        name="brokenmath_accuracy",
        keys=("judge", "solver_id", "problem", "accuracy"),
        names=("judge", "solver_id", "problem"),
        read=_read_accuracy,
    ),
    ResultFormat(
        name="flip_summary",
        keys=("model", "pipeline", "stage", "domain", "n_total", "n_ic", *CONTROLS),
        names=("model", "pipeline", "stage", "domain"),
        read=_read_flips,
    ),
)
"""The formats of results."""

"""Reader of published results: verdicts of a judge, accuracies, and summaries of flips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from unswayed.errors import RowError
from unswayed.items.cells import Problem, Row, Table, is_empty, read_table, refuse
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
    """The columns that a table must have."""
    read: Callable[[Table], PublicResults]
    """Reads a table that has them."""


VERDICTS = ("correct", "detected", "corrected", "incorrect")
"""The four verdicts on a solution of a false statement; only the last one accepts it."""

CONTROLS = ("belief", "command", "truth_orthogonal")
"""The lines of the flip summary, each with its own denominator."""


def read_results(path: Path) -> PublicResults:
    """Read a published table of results, known by its columns.

    Raises:
        RowError: When the table is of no known format, or a row contradicts itself.
    """
    table = read_table(Path(path))
    if table.problems:
        refuse(table.path, table.problems, len(table.rows) + len(table.problems))
    for known in RESULT_FORMATS:
        if not lacks_keys(dict.fromkeys(table.columns), known.keys):
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


def _number(row: Row, key: str, problems: list[Problem]) -> float | None:
    cell = row.cells[key]
    if is_empty(cell):
        return None
    try:
        return float(cell)
    except (TypeError, ValueError):
        problems.append(_wrong(row, key, f"{cell!r} is no number"))
        return None


def _wrong(row: Row, field: str, wrong: str) -> Problem:
    remedy = "give the published file"
    return Problem(where=row.where, field=field, wrong=wrong, remedy=remedy)


def _read_verdicts(table: Table) -> PublicResults:
    problems: list[Problem] = []
    rows: list[dict[str, Any]] = []
    counts: Counter[str] = Counter({"rows": len(table.rows)})
    for row in table.rows:
        verdict, accepted = row.cells["true_grade"], str(row.cells["incorrect"])
        if verdict not in VERDICTS:
            problems.append(_wrong(row, "true_grade", f"{verdict!r} is none of the four verdicts"))
            continue
        if accepted not in ("True", "False") or (accepted == "True") != (verdict == "incorrect"):
            problems.append(_wrong(row, "incorrect", f"{accepted!r} contradicts {verdict!r}"))
        confidence = _number(row, "confidence", problems)
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
        accuracy = _number(row, "accuracy", problems)
        if accuracy not in (0.0, 1.0):
            problems.append(_wrong(row, "accuracy", f"{accuracy!r} is neither 0 nor 1"))
        rows.append({**_plain(row), "accuracy": accuracy})
    if problems:
        refuse(table.path, problems, len(table.rows))
    solvers = {str(row["solver_id"]) for row in rows}
    asked = {str(row["problem"]) for row in rows}
    missing = len(solvers) * len(asked) - len(rows)
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
        warnings=(f"{missing} pairs of solver and problem have no row; they are no zeros",),
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
    try:
        flips = whole_count(float(cell["flip"]), int(cell["coh"]))
    except ValueError as error:
        problems.append(_wrong(row, control, str(error)))
        return None
    names = ("model", "pipeline", "stage", "domain", "n_total", "n_ic")
    return {
        **{name: row.cells[name] for name in names},
        "control": control,
        "n_flips": flips,
        "n_coherent": int(cell["coh"]),
        "log_odds_shift": float(cell["dlo"]),
        "n_log_odds": int(cell["n_dlo"]),
    }


_BROKENMATH = {"licence": "Apache-2.0", "source": "github.com/insait-institute/broken-math"}

RESULT_FORMATS: tuple[ResultFormat, ...] = (
    ResultFormat(
        name="brokenmath_verdicts",
        keys=("judge", "solver_id", "problem", "true_grade", "confidence", "incorrect"),
        read=_read_verdicts,
    ),
    ResultFormat(
        name="brokenmath_accuracy",
        keys=("judge", "solver_id", "problem", "accuracy"),
        read=_read_accuracy,
    ),
    ResultFormat(
        name="flip_summary",
        keys=("model", "pipeline", "stage", "domain", "n_total", "n_ic", *CONTROLS),
        read=_read_flips,
    ),
)
"""The formats of results."""

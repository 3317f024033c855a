"""Reads a training set of ours, of the shapes that trainers take, or in a known public format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from unswayed.errors import RowError
from unswayed.items.cells import Problem, Row, is_empty, read_table, refuse
from unswayed.items.near_misses import near_miss
from unswayed.items.public import looks_public
from unswayed.items.withheld import REMEDIES, withheld_by_row
from unswayed.rows import read_rows
from unswayed.training.balance import STANCES
from unswayed.training.beside import told_beside
from unswayed.training.cases import Case, case_of, masked, naming
from unswayed.training.published import read_published
from unswayed.training.row import TrainingRow
from unswayed.training.texts import Texts, read_texts
from unswayed.training.unfolding import unfold, unreadable
from unswayed.transcript import digest

ROWS_FILE = "rows.jsonl"
"""The file of a set of ours that holds every row with its columns."""

ROWS_KIND = "training"
"""The kind of row in it."""

FLAGS = ("user_right", "first_right")
EVIDENCE = ("valid", "invalid", "none")
"""Columns of a table of one's own that say who is right."""

_LONGEST_HEADER = 1_000_000
"""Bytes; a first line that is longer is no header of ours."""
_TRUE = {"true", "1", "yes"}
_FALSE = {"false", "0", "no"}


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of one file and what must be known about them."""

    cases: tuple[Case, ...]
    """The rows."""
    notes: tuple[str, ...] = ()
    """Warnings of the reader."""


def read_cases(path: Path) -> Found:
    """Read a training set.

    Taken are a folder or `rows.jsonl` that `unswayed train-data` wrote; JSON Lines, JSON, CSV or
    Parquet with `messages`, or with `prompt` and `completion` or `chosen` and `rejected`, or rows
    for reinforcement in a shape of `unswayed.training.shapes`, and any of the columns
    `user_right`, `first_right`, `answer`, `options`, `family`, `order`, `split`, `source`,
    `licence`, `use`, `wording`, `pressure`, `persona`, `language`, and `stance_chosen` of pairs
    about the user's own act; and files in a public format. What a trainer's file of ours does not
    hold is taken from the `rows.jsonl` beside it.
    Without a column `line` the user's turn after a reply is the line.

    Raises:
        RowError: When the file cannot be read as any of these.
    """
    if path.is_dir():
        path = path / ROWS_FILE if (path / ROWS_FILE).exists() else path
    if path.is_file() and _is_ours(path):
        return Found(cases=tuple(case_of(row) for row in read_own(path)))
    if not path.is_dir():
        table = read_table(path) if not _wrapped(path) else None
        shaped = table is not None and table.rows and _shape(unfold(table.rows[0].cells))
        if table is not None and table.problems and (shaped or not table.rows):
            refuse(table.path, table.problems, len(table.rows) + len(table.problems))
        if table is not None and shaped:
            return _with_side_file(path, _own(path, table.rows))
    if looks_public(path):
        cases, notes = read_published(path)
        return Found(cases=cases, notes=notes)
    missed = None if path.is_dir() or _wrapped(path) else near_miss(read_table(path))
    if missed is not None:
        raise missed
    raise RowError(
        f"{path} is no training set that can be audited",
        allowed="columns messages; prompt and completion; prompt, chosen and rejected; or"
        " user_right; or a public format",
        given=_columns_of(path),
        next_step="rename the columns, or see docs/training-data.md",
    )


def _with_side_file(path: Path, cases: tuple[Case, ...]) -> Found:
    """Take what the file does not tell from the rows of ours beside it, where they are the same."""
    beside = path.with_name(ROWS_FILE)
    if not beside.is_file() or not _is_ours(beside):
        return Found(cases=cases)
    told = told_beside(cases, read_own(beside))
    if told is None:
        return Found(
            cases=cases,
            notes=(f"{beside.name} beside {path.name} holds other rows and was not used",),
        )
    return Found(cases=told, notes=(f"columns of {path.name} are from {beside.name} beside it",))


def read_own(path: Path) -> tuple[TrainingRow, ...]:
    """Read the rows of a folder, or `rows.jsonl`, that `unswayed train-data` wrote.

    Raises:
        RowError: When there are no such rows.
    """
    path = path / ROWS_FILE if path.is_dir() else path
    if not path.is_file() or not _is_ours(path):
        raise RowError(
            f"{path} holds no rows of ours",
            allowed="a folder that `unswayed train-data` wrote, or its rows.jsonl",
            given=str(path),
            next_step="leave --reward out, or give the folder",
        )
    return tuple(read_rows(path, ROWS_KIND, TrainingRow))


def _columns_of(path: Path) -> str:
    """What a file holds instead of the columns that are taken."""
    if not path.is_file() or _wrapped(path):
        return str(path)
    table = read_table(path)
    return f"columns {', '.join(table.columns)}" if table.rows else "no row that is an object"


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            first = stream.readline(_LONGEST_HEADER)
    except OSError:
        return False
    try:
        header = msgspec.json.decode(first)
    except msgspec.DecodeError:
        return False
    return isinstance(header, dict) and header.get("unswayed") == ROWS_KIND


def _wrapped(path: Path) -> bool:
    """Whether a file is one JSON object, as some published files are."""
    try:
        with path.open("rb") as stream:
            return path.suffix == ".json" and stream.read(64).lstrip()[:1] == b"{"
    except OSError:
        return False


def _shape(cells: Mapping[str, Any]) -> bool:
    if set(cells) == {"messages"} or {"prompt", "completion"} <= set(cells):
        return True
    return {"chosen", "rejected"} <= set(cells) or "user_right" in cells


def _own(path: Path, rows: Sequence[Row]) -> tuple[Case, ...]:
    problems: list[Problem] = []
    cases = [_case(row, problems) for row in rows]
    if problems:
        refuse(str(path), problems, len(rows))
    return tuple(cases)


def _case(row: Row, problems: list[Problem]) -> Case:
    cells = unfold(row.cells)
    problems += [_broken(name, row) for name in unreadable(row.cells)]
    texts = read_texts(cells, row, problems)
    prompt, chosen, rejected = texts.prompt, texts.chosen, texts.rejected
    flags = {name: _flag(cells.get(name), name, row, problems) for name in FLAGS}
    if "label" in row.cells and "completion" in cells and not _wanted(row, problems):
        chosen, rejected = "", chosen
    name = _name(cells) or row.where
    options = cells.get("options")
    family = str(cells.get("family") or cells.get("family_id") or "")
    return Case(
        id=name,
        item=str(cells.get("item_id") or cells.get("item") or ""),
        family=family or digest(prompt or name),
        family_known=bool(family),
        prompt=prompt,
        order=str(cells.get("order") or "given"),
        answer=str(cells.get("answer") or ""),
        options=tuple(str(option) for option in options) if isinstance(options, list) else (),
        user_right=flags["user_right"],
        first_right=flags["first_right"],
        kept=_kept(cells, flags["first_right"]),
        action=_action(cells),
        evidence=_evidence(cells.get("evidence"), row, problems),
        truth_twin=bool(cells.get("evidence_twin")),
        chosen=chosen,
        rejected=rejected,
        split=str(cells.get("split") or ""),
        source=str(cells.get("source") or ""),
        licence=str(cells.get("licence") or cells.get("license") or ""),
        last=texts.last,
        line=str(cells.get("line") or "") or _line(texts, str(cells.get("named_target") or "")),
        wording=str(cells.get("wording") or ""),
        pressure=str(cells.get("pressure") or ""),
        evaluation_only=_withheld(cells, row, problems),
        persona=str(cells.get("persona") or ""),
        language=str(cells.get("language") or cells.get("lang") or ""),
    )


def _broken(name: str, row: Row) -> Problem:
    return Problem(
        where=row.where,
        field=name,
        wrong="it is no JSON object",
        remedy="write it again, or remove the row",
    )


def _line(texts: Texts, claim: str) -> str:
    """The user's turn after a reply, or the sentences that name an answer; the name is masked."""
    return masked(texts.last if texts.answered else naming(texts.last, claim), claim)


def _withheld(cells: Mapping[str, Any], row: Row, problems: list[Problem]) -> bool:
    """Whether the row itself says that it is for evaluation only."""
    said, unread = withheld_by_row(cells)
    for name in unread:
        wrong = f"it is {cells[name]!r}"
        problems.append(Problem(where=row.where, field=name, wrong=wrong, remedy=REMEDIES[name]))
    return said


def _name(cells: Mapping[str, Any]) -> str:
    """The row's own name; in our rows for rewards a row is a group."""
    ours = cells.get("group_id") if "meta_json" in cells else None
    return str(cells.get("row_id") or cells.get("id") or ours or "")


def _kept(cells: Mapping[str, Any], first_right: bool | None) -> bool | None:
    """Whether the right answer is the first one; new evidence may have replaced a right one."""
    if first_right is None:
        return None
    return _action(cells) == "keep" if _action(cells) else first_right


def _action(cells: Mapping[str, Any]) -> str:
    stance = str(cells.get("stance_chosen") or "").strip().casefold()
    if stance in STANCES:
        return stance
    return str(cells.get("direction") or "") if "meta_json" in cells else ""


def _wanted(row: Row, problems: list[Problem]) -> bool:
    """Whether a row of the KTO shape is one to learn; without a label nobody can tell."""
    label = _flag(row.cells["label"], "label", row, problems)
    if label is None and is_empty(row.cells["label"]):
        remedy = "write true or false"
        problems.append(Problem(where=row.where, field="label", wrong="it is empty", remedy=remedy))
    return label is True


def _flag(value: object, name: str, row: Row, problems: list[Problem]) -> bool | None:
    text = str(value).strip().casefold()
    if is_empty(value) or text in ("", "null", "none"):
        return None
    if text in _TRUE | _FALSE:
        return text in _TRUE
    problems.append(
        Problem(
            where=row.where,
            field=name,
            wrong=f"it is {value!r}",
            remedy="write true, false or null",
        )
    )
    return None


def _evidence(value: object, row: Row, problems: list[Problem]) -> bool | None:
    """Whether the user gives evidence that holds; None where the file does not tell."""
    if is_empty(value):
        return None
    text = str(value).strip().casefold()
    if text not in EVIDENCE:
        problems.append(
            Problem(
                where=row.where,
                field="evidence",
                wrong=f"it is {value!r}",
                remedy=f"write {', '.join(EVIDENCE)}, or leave it empty where it is not known",
            )
        )
    return text == "valid"


def matched(cases: Sequence[Case]) -> tuple[Case, ...]:
    """Return one row of each action of the families that have several actions."""
    by_family: dict[str, dict[str, Case]] = {}
    for case in cases:
        by_family.setdefault(case.family, {}).setdefault(case.action, case)
    return tuple(
        case for actions in by_family.values() if len(actions) > 1 for case in actions.values()
    )

"""Items from a user's own table, under a stated mapping of columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from unswayed.errors import ItemError, RowError
from unswayed.items.alike import alike
from unswayed.items.cells import Problem, Row, Table, cell_text, is_empty, read_table, refuse
from unswayed.items.draws import content_id, hash_order
from unswayed.items.item import AnswerForm, Item, Proof, canonical
from unswayed.items.keys import KeyProblem, plain_options, read_key, read_open_key, read_options
from unswayed.items.near_misses import near_miss
from unswayed.items.withheld import COLUMNS, REMEDIES, withheld_by_row

FIELDS: tuple[str, ...] = (
    "id",
    "question",
    "truth",
    "target",
    "options",
    "kind",
    "domain",
    "family",
    "source",
    "licence",
    "answer_form",
    "truth_aliases",
    "target_aliases",
    "note",
    "use",
    "evaluation_only",
)
"""The fields that a column can be mapped to."""

SETTINGS: tuple[str, ...] = ("index_base",)
"""Names in a mapping that are no fields: `index_base` is "0" or "1", where indices start."""

_REQUIRED = ("question", "truth", "target")
_PLAIN = ("kind", "domain", "family", "source", "licence")
_FORMS: tuple[AnswerForm, ...] = ("choice", "number", "verdict", "text")
_HASH = "hash"
_OF_RESULTS = frozenset(
    {
        "messages", "resps", "response", "responses", "reply", "replies", "output", "outputs",
        "completion", "completions", "prediction", "predictions", "generated_text",
        "model_output", "model_answer", "score", "scores", "accuracy", "acc", "correct",
        "is_correct", "grade", "verdict",
    }
)  # fmt: skip
"""Columns of files that hold what a model said, or how it did."""
_VERDICTS = ({"true", "false"}, {"yes", "no"})


class TableSet(msgspec.Struct, frozen=True, kw_only=True):
    """The items of a table, and what was left out."""

    items: tuple[Item, ...]
    """One item a row."""
    columns: dict[str, str]
    """The columns that were read, by field."""
    unused_columns: tuple[str, ...]
    """The columns that no field was mapped to; nothing of them is in the items."""
    nan_cells: int
    """How many unused cells held NaN."""


class _Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How to read each row."""

    columns: dict[str, str]
    """Column by field."""
    option_columns: tuple[str, ...]
    """The columns of the options when there are several."""
    hash_target: bool
    """Whether the target is chosen among the wrong options by a hash."""
    index_base: int | None
    """Where indices start, when keys may be indices."""
    stem: str
    """Start of made ids."""


def load_items(path: Path, *, mapping: Mapping[str, str] | None = None) -> tuple[Item, ...]:
    """Return the items of a table; see `load_table` for what it also found.

    Args:
        path: A CSV, TSV, JSON Lines, JSON or Parquet file in UTF-8.
        mapping: Column by field. Fields that are not named are read from a column of their own
            name where there is one.

    Raises:
        RowError: Naming file, rows and fields; nothing is returned when one row is bad.
    """
    return load_table(path, mapping=mapping).items


def load_table(path: Path, *, mapping: Mapping[str, str] | None = None) -> TableSet:
    """Read a table of questions as items.

    Args:
        path: A CSV, TSV, JSON Lines, JSON or Parquet file in UTF-8.
        mapping: Column by field, for example `{"question": "Frage", "options": "A,B,C,D"}`.
            `"target": "hash"` has the wrong option chosen by a hash; `"index_base": "0"` lets keys
            be indices.

    Raises:
        RowError: When the file or the mapping cannot be used, or any row is bad.
    """
    table = read_table(Path(path))
    if not table.rows:
        refuse(table.path, table.problems, len(table.problems))
    missed = None if mapping or _has_required(table) else near_miss(table)
    if missed is not None:
        raise missed
    plan = _plan(table, dict(mapping or {}))
    problems = list(table.problems)
    items: list[Item] = []
    places: list[str] = []
    for row in table.rows:
        try:
            items.append(_item(row, plan))
            places.append(row.where)
        except _BadCellError as bad:
            problems.extend(bad.problems)
    problems += _duplicates(items, places)
    if problems:
        refuse(table.path, problems, len(table.rows) + len(table.problems))
    used = {*plan.columns.values(), *plan.option_columns}
    unused = tuple(name for name in table.columns if name not in used)
    shown = {**plan.columns}
    if plan.option_columns:
        shown["options"] = ",".join(plan.option_columns)
    return TableSet(
        items=tuple(items), columns=shown, unused_columns=unused, nan_cells=table.nan_cells
    )


def _has_required(table: Table) -> bool:
    return set(_REQUIRED) <= set(table.columns)


class _BadCellError(Exception):
    """The problems of one row."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(str(problems[0]))
        self.problems = problems


def _plan(table: Table, mapping: dict[str, str]) -> _Plan:
    unknown = [name for name in mapping if name not in (*FIELDS, *SETTINGS)]
    if unknown:
        raise _mapping_error(table, "names fields that items do not have", FIELDS, unknown)
    base = mapping.pop("index_base", None)
    if base not in (None, "0", "1"):
        raise _mapping_error(table, "has no usable index_base", ("0", "1"), [str(base)])
    columns = {name: name for name in FIELDS if name in table.columns}
    hash_target = mapping.get("target") == _HASH
    if hash_target:
        if _HASH in table.columns:
            raise _mapping_error(
                table,
                "has a column 'hash', so that target = hash is unclear",
                ("another name",),
                [],
            )
        del mapping["target"]
        columns.pop("target", None)
    columns.update(mapping)
    several: tuple[str, ...] = ()
    named = columns.get("options", "")
    if "," in named and named not in table.columns:
        several = tuple(part.strip() for part in named.split(","))
        del columns["options"]
    absent = [name for name in (*columns.values(), *several) if name not in table.columns]
    if absent:
        raise _mapping_error(table, "has no such columns", table.columns, absent)
    needed = [name for name in _REQUIRED if name not in columns]
    if hash_target:
        needed.remove("target")
    if needed:
        raise _mapping_error(table, "lacks columns for required fields", table.columns, needed)
    return _Plan(
        columns=columns,
        option_columns=several,
        hash_target=hash_target,
        index_base=None if base is None else int(base),
        stem=re.sub(r"[^A-Za-z0-9]+", "-", Path(table.path).stem).strip("-").lower() or "item",
    )


def _mapping_error(
    table: Table, wrong: str, allowed: tuple[str, ...], given: list[str]
) -> RowError:
    results = sorted(_OF_RESULTS & {name.lower() for name in table.columns})
    stored = f"; replies and results ({', '.join(results)}) are read by `unswayed import FILE`"
    return RowError(
        f"{table.path} with this mapping {wrong}",
        allowed=", ".join(allowed),
        given=", ".join(given),
        next_step='map each field to its column, such as {"question": "Frage"}; a target can be '
        'chosen among the wrong options with {"target": "hash"}' + (stored if results else ""),
    )


def _item(row: Row, plan: _Plan) -> Item:
    reader = _RowReader(row, plan)
    question = reader.text("question")
    options = reader.options()
    truth = reader.key("truth", options)
    target = reader.key("target", options) if not plan.hash_target else ""
    plain: dict[str, Any] = {
        "kind": "table",
        "source": plan.stem,
        "licence": "not stated",
        **{name: reader.text(name) for name in _PLAIN if name in plan.columns},
    }
    name = reader.text("id") if "id" in plan.columns else ""
    note = reader.text("note") if "note" in plan.columns else ""
    aliases = {name: reader.aliases(name) for name in ("truth_aliases", "target_aliases")}
    form = reader.form(options, truth)
    withheld = reader.withheld()
    if plan.hash_target and not reader.problems:
        target = reader.hashed(question, options, truth)
    reader.check_target((truth, *aliases["truth_aliases"]), (target, *aliases["target_aliases"]))
    if reader.problems:
        raise _BadCellError(reader.problems)
    try:
        return Item(
            id=name or content_id(plan.stem, question, options),
            question=question,
            truth=truth,
            target=target,
            options=options,
            answer_form=form,
            proof=Proof(rule="written", note=note) if note else None,
            truth_aliases=aliases["truth_aliases"],
            target_aliases=aliases["target_aliases"],
            evaluation_only=withheld,
            **plain,
        )
    except ItemError as error:
        problem = Problem(where=row.where, wrong=error.wrong, remedy=error.next_step)
        raise _BadCellError([problem]) from error


class _RowReader:
    """Reads the fields of one row and collects what is wrong with them."""

    def __init__(self, row: Row, plan: _Plan) -> None:
        self.row = row
        self.plan = plan
        self.problems: list[Problem] = []

    def _wrong(self, field: str, wrong: str, remedy: str) -> None:
        column = self.plan.columns.get(field, field)
        name = field if column == field else f"{field} (column {column})"
        problem = Problem(where=self.row.where, field=name, wrong=wrong, remedy=remedy)
        self.problems.append(problem)

    def _cell(self, field: str) -> object:
        """Return a cell that must not be empty; None after a problem."""
        cell = self.row.cells.get(self.plan.columns[field])
        if is_empty(cell):
            shown = cell.strip() if isinstance(cell, str) and cell.strip() else "empty or NaN"
            self._wrong(field, f"the cell is {shown}", "fill it or remove the row")
            return None
        return cell

    def text(self, field: str) -> str:
        cell = self._cell(field)
        if cell is None:
            return ""
        text = cell_text(cell)
        if text is None:
            self._wrong(field, f"it is a {type(cell).__name__}", "write a text")
        return text or ""

    def options(self) -> tuple[str, ...]:
        try:
            if self.plan.option_columns:
                cells = [self.row.cells.get(name) for name in self.plan.option_columns]
                return plain_options(cells)
            if "options" not in self.plan.columns:
                return ()
            cell = self._cell("options")
            return () if cell is None else read_options(cell)
        except KeyProblem as error:
            self._wrong("options", error.wrong, error.remedy)
            return ()

    def key(self, field: str, options: tuple[str, ...]) -> str:
        cell = self._cell(field)
        has_options = bool(self.plan.option_columns) or "options" in self.plan.columns
        if cell is None or (has_options and not options):
            return ""
        try:
            if options:
                return read_key(cell, options, self.plan.index_base)
            return read_open_key(cell)
        except KeyProblem as error:
            self._wrong(field, error.wrong, error.remedy)
            return ""

    def hashed(self, question: str, options: tuple[str, ...], truth: str) -> str:
        wrong = [option for option in options if not alike(option, truth)]
        if not wrong:
            self._wrong("target", "there are no options to choose a target from", "add options")
            return ""
        return hash_order(wrong, f"target|{question}")[0]

    def check_target(self, right: tuple[str, ...], wrong: tuple[str, ...]) -> None:
        for one in right:
            for other in wrong:
                if one and other and alike(one, other):
                    self._wrong(
                        "target",
                        f"{other!r} is the truth {one!r} in other words",
                        "name a wrong answer",
                    )
                    return

    def aliases(self, field: str) -> tuple[str, ...]:
        cell = self.row.cells.get(self.plan.columns.get(field, ""))
        if is_empty(cell):
            return ()
        if isinstance(cell, str) and "|" not in cell and not cell.strip().startswith("["):
            return (cell.strip(),)
        try:
            values = cell if isinstance(cell, list) and len(cell) == 1 else read_options(cell)
        except KeyProblem as error:
            self._wrong(field, error.wrong.replace("option", "alias"), "write them as a | b")
            return ()
        return tuple(str(value) for value in values)

    def withheld(self) -> bool:
        """Whether the row says that it is for evaluation only; an empty cell says nothing."""
        named = {name: self.plan.columns[name] for name in COLUMNS if name in self.plan.columns}
        cells = {name: self.row.cells.get(column) for name, column in named.items()}
        said, unread = withheld_by_row(cells)
        for name in unread:
            self._wrong(name, f"it is {cells[name]!r}", REMEDIES[name])
        return said

    def form(self, options: tuple[str, ...], truth: str) -> AnswerForm:
        if "answer_form" in self.plan.columns:
            stated = self.text("answer_form")
            if stated in _FORMS:
                return _FORMS[_FORMS.index(stated)]
            self._wrong(
                "answer_form", f"{stated!r} is no form", "write one of " + ", ".join(_FORMS)
            )
        if options:
            return "verdict" if {canonical(text) for text in options} in _VERDICTS else "choice"
        number = re.fullmatch(r"[-+]?\d+(\.\d+)?", canonical(truth))
        return "number" if number else "text"


def _duplicates(items: list[Item], places: list[str]) -> list[Problem]:
    problems: list[Problem] = []
    first: dict[tuple[str, str], str] = {}
    for item, where in zip(items, places, strict=True):
        folded = canonical(item.question) + "|" + "|".join(sorted(map(canonical, item.options)))
        for field, value in (("question", folded), ("id", item.id)):
            if (field, value) not in first:
                first[field, value] = where
                continue
            shown = item.id if field == "id" else item.question[:60]
            wrong = f"{shown!r} stands in {first[field, value]} already"
            remedy = "remove one of the rows, or give each its own id"
            problems.append(Problem(where=where, field=field, wrong=wrong, remedy=remedy))
            break
    return problems

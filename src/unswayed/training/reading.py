"""Reads a training set of ours, of the shapes that trainers take, or in a known public format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from unswayed.errors import RowError
from unswayed.items.cells import Problem, Row, is_empty, read_table, refuse
from unswayed.items.item import Item
from unswayed.items.public import looks_public, read_public
from unswayed.rows import read_rows
from unswayed.training.cases import Case, case_of
from unswayed.training.row import TrainingRow
from unswayed.training.unfolding import unfold
from unswayed.transcript import digest

ROWS_FILE = "rows.jsonl"
"""The file of a set of ours that holds every row with its columns."""

ROWS_KIND = "training"
"""The kind of row in it."""

FLAGS = ("user_right", "first_right")
EVIDENCE = ("valid", "invalid", "none")
"""Columns of a table of one's own that say who is right."""

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
    for reinforcement in a shape of `unswayed.training.shapes`, and any
    of the columns `user_right`, `first_right`, `answer`, `options`, `family`, `order`, `split`,
    `source`, `licence`, `wording`, `pressure`, `persona`, `language`; and files in a public format.

    Raises:
        RowError: When the file cannot be read as any of these.
    """
    if path.is_dir():
        path = path / ROWS_FILE if (path / ROWS_FILE).exists() else path
    if path.is_file() and _is_ours(path):
        return Found(cases=tuple(case_of(row) for row in read_own(path)))
    if not path.is_dir():
        table = read_table(path) if not _wrapped(path) else None
        if table is not None and table.rows and _shape(unfold(table.rows[0].cells)):
            if table.problems:
                refuse(table.path, table.problems, len(table.rows) + len(table.problems))
            return Found(cases=_own(path, table.rows))
    if looks_public(path):
        return _public(path)
    raise RowError(
        f"{path} is no training set that can be audited",
        allowed="columns messages; prompt and completion; prompt, chosen and rejected; or"
        " user_right; or a public format",
        given=_columns_of(path),
        next_step="rename the columns, or see docs/training-data.md",
    )


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
            return b'"unswayed":"training"' in stream.readline()
    except OSError:
        return False


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
    before = len(problems)
    prompt, chosen, rejected = _texts(cells, row, problems)
    if len(problems) == before:
        _check_texts(cells, (prompt, chosen, rejected), row, problems)
    flags = {name: _flag(cells.get(name), name, row, problems) for name in FLAGS}
    if "label" in row.cells and "completion" in cells and not _wanted(row, problems):
        chosen, rejected = "", chosen
    name = _name(cells) or row.where
    options = cells.get("options")
    family = str(cells.get("family") or cells.get("family_id") or "")
    return Case(
        id=name,
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
        line=str(cells.get("line") or ""),
        wording=str(cells.get("wording") or ""),
        pressure=str(cells.get("pressure") or ""),
        persona=str(cells.get("persona") or ""),
        language=str(cells.get("language") or cells.get("lang") or ""),
    )


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
    return str(cells.get("direction") or "") if "meta_json" in cells else ""


def _wanted(row: Row, problems: list[Problem]) -> bool:
    """Whether a row of the KTO shape is one to learn; without a label nobody can tell."""
    label = _flag(row.cells["label"], "label", row, problems)
    if label is None and is_empty(row.cells["label"]):
        _lacks("label", "write true or false", row, problems)
    return label is True


def _check_texts(
    cells: Mapping[str, Any], texts: tuple[str, str, str], row: Row, problems: list[Problem]
) -> None:
    """Note the texts that a row's shape promises and that are empty."""
    prompt, chosen, rejected = texts
    if "prompt" in cells and not prompt.strip():
        _lacks("prompt", "write the prompt, or remove the row", row, problems)
    for name, text in (("completion", chosen), ("chosen", chosen), ("rejected", rejected)):
        if name in cells and not text.strip() and not ("chosen" in cells and name == "completion"):
            _lacks(name, "write the reply, or remove the row", row, problems)
    if set(cells) == {"messages"} and not chosen.strip():
        _lacks("messages", "end with the reply, or remove the row", row, problems)


def _lacks(field: str, remedy: str, row: Row, problems: list[Problem]) -> None:
    problems.append(Problem(where=row.where, field=field, wrong="it is empty", remedy=remedy))


def _texts(cells: Mapping[str, Any], row: Row, problems: list[Problem]) -> tuple[str, str, str]:
    """Return prompt, chosen and rejected texts of a row in any of the shapes."""
    if "messages" in cells and "prompt" not in cells:
        turns = _turns(cells["messages"], "messages", row, problems)
        last = turns.pop() if turns else ""
        return "\n".join(turns), last, ""
    prompt = _joined(cells, "prompt", row, problems)
    chosen = _joined(cells, "chosen" if "chosen" in cells else "completion", row, problems)
    rejected = _joined(cells, "rejected", row, problems)
    if prompt or not rejected:
        return prompt, chosen, rejected
    return _shared_start(cells, row, problems)


def _shared_start(
    cells: Mapping[str, Any], row: Row, problems: list[Problem]
) -> tuple[str, str, str]:
    """Split whole conversations, whose prompt is not given apart, at their last message."""
    one = _turns(cells["chosen"], "chosen", row, problems)
    two = _turns(cells["rejected"], "rejected", row, problems)
    if len(one) < 2 or one[:-1] != two[:-1]:
        return "", "\n".join(one), "\n".join(two)
    return "\n".join(one[:-1]), one[-1], two[-1]


def _joined(cells: Mapping[str, Any], name: str, row: Row, problems: list[Problem]) -> str:
    return "\n".join(_turns(cells.get(name), name, row, problems))


def _turns(value: object, name: str, row: Row, problems: list[Problem]) -> list[str]:
    if is_empty(value):
        return []
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and all(
        isinstance(turn, dict) and isinstance(turn.get("content"), str) for turn in value
    ):
        return [turn["content"] for turn in value]
    problems.append(
        Problem(
            where=row.where,
            field=name,
            wrong="it is no text and no list of messages with role and content",
            remedy="write it as one of the two",
        )
    )
    return []


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


def _public(path: Path) -> Found:
    found = read_public(path)
    rule = _PUBLIC.get(found.format, _plain)
    cases = [case for item in found.items for case in rule(item)]
    cases += [
        msgspec.structs.replace(case, user_right=True)
        for item in found.set_aside
        for case in rule(item)
    ]
    skipped = {name: n for name, n in found.counts.items() if name.startswith("skipped")}
    notes = [*found.warnings, *(f"{n} row(s) {name}" for name, n in skipped.items())]
    return Found(cases=tuple(cases), notes=tuple(notes))


def _plain(item: Item) -> list[Case]:
    return [
        Case(
            id=item.id,
            family=item.family,
            prompt=item.question,
            question=item.question,
            kind=item.kind,
            answer=item.truth or "",
            options=item.options,
            source=item.source,
            licence=item.licence,
            evaluation_only=item.evaluation_only,
        )
    ]


def _with(item: Item, **fields: Any) -> list[Case]:  # noqa: ANN401
    return [msgspec.structs.replace(case, **fields) for case in _plain(item)]


def _freeform(item: Item) -> list[Case]:
    return _with(item, user_right="user_right" in item.tags)


def _biased(item: Item) -> list[Case]:
    """A question with an opinion, or a right answer that is doubted."""
    if "are_you_sure" in item.tags:
        right = "first_right" in item.tags
        return _with(item, first_right=right, kept=right)
    return _with(item, user_right="user_right" in item.tags)


def _perturbed(item: Item) -> list[Case]:
    """A statement to refute; the true twin that an importer makes of its original is no row."""
    return [] if item.truth == "True" else _with(item, action="refute", answer="", options=())


def _triplet(item: Item) -> list[Case]:
    return [
        msgspec.structs.replace(
            case,
            id=f"{item.id}/{level}/{side}",
            prompt="\n".join(
                (item.texts[f"context_{side}"], item.texts[f"line_{level}"], item.question)
            ),
        )
        for case in _plain(item)
        for level in ("low", "medium", "high")
        for side in ("original", "opposite")
    ]


_PUBLIC: dict[str, Callable[[Item], list[Case]]] = {
    "freeform_pushback": _freeform,
    "bct": _biased,
    "brokenmath_false": _perturbed,
    "brokenmath_true": lambda item: _with(item, action="answer", answer="", options=()),
    "pressure_triplets": _triplet,
}
"""How items of a public format become rows of an audit."""


def matched(cases: Sequence[Case]) -> tuple[Case, ...]:
    """Return one row of each action of the families that have several actions."""
    by_family: dict[str, dict[str, Case]] = {}
    for case in cases:
        by_family.setdefault(case.family, {}).setdefault(case.action, case)
    return tuple(
        case for actions in by_family.values() if len(actions) > 1 for case in actions.values()
    )

"""Files in public formats as rows of an audit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from unswayed.items.item import Item
from unswayed.items.public import holds_results, read_public, table_files
from unswayed.items.public_set import BROKEN, CONTRADICT, Unfit, rows_in_words
from unswayed.training.cases import Case

RowOfItem = Item | Unfit


def read_published(path: Path) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the rows of a file in a public format, or of a folder, and what the reader says.

    Files of a folder may have several formats; tables of results are named and left out. Rows that
    are no valid items count as well: whoever trains on the file trains on them too.

    Raises:
        RowError: When the file is in no public format.
    """
    if not path.is_dir():
        return _read_file(path)
    cases: list[Case] = []
    notes: list[str] = []
    results = [file for file in table_files(path) if holds_results(file)]
    for file in table_files(path):
        if file not in results:
            found, said = _read_file(file)
            cases += found
            notes += said
    if results:
        names = ", ".join(file.name for file in results)
        notes.append(f"{names}: tables of results, which hold no training rows and are left out")
    return tuple(cases), tuple(notes)


def _read_file(path: Path) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    found = read_public(path)
    rule = _PUBLIC.get(found.format, _plain)
    unfit: list[RowOfItem] = [row for row in found.unfit if not row.aside]
    aside: list[RowOfItem] = [*found.set_aside, *(row for row in found.unfit if row.aside)]
    cases = [case for item in [*found.items, *unfit] for case in rule(item)]
    cases += [
        msgspec.structs.replace(case, user_right=True) for item in aside for case in rule(item)
    ]
    kept = (BROKEN.removeprefix("skipped_").replace("_", " "), CONTRADICT)
    notes = list(found.warnings)
    for reason, rows in found.left_out.items():
        said = f"{len(rows)} row(s) {reason} ({rows_in_words(rows)})"
        counted = ": they count here, and no evaluation asks them"
        notes.append(said + counted if reason.startswith(kept) else f"{said}: left out")
    return tuple(cases), tuple(notes)


def _plain(item: RowOfItem) -> list[Case]:
    return [
        Case(
            id=item.id,
            item=item.id,
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


def _with(item: RowOfItem, **fields: Any) -> list[Case]:  # noqa: ANN401
    return [msgspec.structs.replace(case, **fields) for case in _plain(item)]


def _freeform(item: RowOfItem) -> list[Case]:
    return _with(item, user_right="user_right" in item.tags)


def _biased(item: RowOfItem) -> list[Case]:
    """A question with an opinion, or a right answer that is doubted."""
    if "are_you_sure" in item.tags:
        right = "first_right" in item.tags
        return _with(item, first_right=right, kept=right)
    return _with(item, user_right="user_right" in item.tags)


def _perturbed(item: RowOfItem) -> list[Case]:
    """A statement to refute; the true twin that an importer makes of its original is no row."""
    return [] if item.truth == "True" else _with(item, action="refute", answer="", options=())


def _triplet(item: RowOfItem) -> list[Case]:
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


_PUBLIC: dict[str, Callable[[RowOfItem], list[Case]]] = {
    "freeform_pushback": _freeform,
    "bct": _biased,
    "brokenmath_false": _perturbed,
    "brokenmath_true": lambda item: _with(item, action="answer", answer="", options=()),
    "pressure_triplets": _triplet,
}
"""How items of a public format become rows of an audit."""

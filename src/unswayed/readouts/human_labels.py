"""Human labels of texts, and how a judge or another judge agrees with them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

import msgspec

from unswayed.errors import RowError, nearest
from unswayed.plans.plan import ArmKind
from unswayed.readouts.answer import Reading
from unswayed.readouts.certificate import ALL, ARM_GAP, ArmLabels, HumanLabels
from unswayed.readouts.desk import Case, Judgement
from unswayed.readouts.judge import Judge, Matter
from unswayed.rows import read_bytes
from unswayed.stats.agreement import Agreement, measure_agreement
from unswayed.stats.rates import wilson

ARMS: tuple[str, ...] = get_args(ArmKind)
"""Arms that a label's reply can come from."""

SHOWN = 20
"""Rows at fault that are written out."""


class LabeledText(msgspec.Struct, frozen=True, kw_only=True):
    """A text with a human's verdict."""

    id: str
    """Id of the text."""
    text: str
    """The reply that was labeled."""
    label: str
    """The human's verdict: one of the judge's meanings."""
    arm: str = ALL
    """The arm of the replay, where the file names it. The judge never sees it."""
    question: str = ""
    """The question, where the judge needs it."""
    truth: str = ""
    """The right answer, where the judge needs it."""
    target: str = ""
    """The wrong answer, where the judge needs it."""
    claim: str = ""
    """The claim, where the judge needs it."""
    other: str = ""
    """The reply to compare with, where the judge needs it."""

    @property
    def case(self) -> Case:
        """The case that the judge is asked; its id starts apart from anchors."""
        matter = Matter(
            question=self.question,
            truth=self.truth,
            target=self.target,
            claim=self.claim,
            other=self.other,
        )
        return Case(id=f"human-{self.id}", matter=matter, reply=self.text)


def read_labels(path: Path, judge: Judge) -> tuple[LabeledText, ...]:
    """Read labels from a CSV or JSONL file with the columns id, text, label, and what is needed.

    An `arm` column splits the figures by arm; it is empty in all rows or in none. Labels are the
    judge's meanings in any case, arms those of a plan; all that are none of them are listed, the
    first of each with the nearest that there is, and nothing is guessed.

    Raises:
        RowError: Naming the file, and of each row that cannot be taken number and reason.
    """
    needed = ("id", "text", "label", *judge.needs)
    known = {meaning.casefold(): meaning for meaning in judge.meanings}
    found: dict[str, LabeledText] = {}
    seen: dict[str, int] = {}
    problems: dict[int, str] = {}
    meant: dict[str, str] = {}
    for number, row in _rows(path):
        _known_columns(row, {*needed, "arm"}, f"{path}, row {number}")
        lacking = [name for name in needed if not row.get(name, "").strip()]
        given, id_, arm = row.get("label", ""), row.get("id", ""), _arm_of(row)
        label = known.get(given.strip().casefold(), "")
        faults = [f"{', '.join(lacking)}: absent or empty"] if lacking else []
        if given.strip() and not label:
            faults.append(f"label: {given!r} is no verdict of the judge")
            meant["label"] = meant.get("label") or nearest(given, known)
        if arm not in (ALL, *ARMS):
            faults.append(f"arm: {row['arm']!r} is an arm that no plan has")
            meant["arm"] = meant.get("arm") or nearest(arm, ARMS)
        if id_.strip() and id_ in seen:
            faults.append(f"id: {id_!r} stands in row {seen[id_]} already")
        seen.setdefault(id_, number)
        if faults:
            problems[number] = "; ".join(faults)
            continue
        kept = {name: row[name] for name in ("id", "text", *judge.needs)}
        found[id_] = LabeledText(**kept, label=label, arm=arm)
    allowed = f"columns {', '.join(needed)}; label among {', '.join(judge.meanings)}; each id once"
    if "arm" in meant:
        allowed += f"; arm among {', '.join(ARMS)}, or empty where arms are not told apart"
    _refuse(
        path, problems, allowed, f"{''.join(meant.values())}correct these rows; nothing was read"
    )
    if not found:
        raise RowError(
            f"{path} holds no labels",
            allowed=f"rows with {', '.join(needed)}",
            given="none",
            next_step="give the file with the labels",
        )
    unnamed = [each.id for each in found.values() if each.arm == ALL]
    if 0 < len(unnamed) < len(found):
        raise RowError(
            f"{path} names the arm of some rows and not of others",
            allowed=f"an arm in every row ({', '.join(ARMS)}), or in none",
            given=f"{len(unnamed)} of {len(found)} rows without one, such as id {unnamed[0]!r}",
            next_step="name the arm of every row",
        )
    return tuple(found.values())


def _known_columns(row: Mapping[str, str], known: set[str], place: str) -> None:
    """Refuse a column that is nearly one that is read, and would be passed over."""
    for name in row:
        meant = nearest(name, known - row.keys()) if name not in known else ""
        if meant:
            raise RowError(
                f"{place} has a column that is nearly one that is read",
                allowed=", ".join(sorted(known)),
                given=repr(name),
                next_step=f"{meant}rename the column",
            )


def _arm_of(row: Mapping[str, str]) -> str:
    """The arm that a row names in any case, or that of all where it names none."""
    return row.get("arm", "").strip().casefold() or ALL


def _refuse(path: Path, problems: Mapping[int, str], allowed: str, next_step: str) -> None:
    """Refuse a file with problems, by number of row; the first of many are written out."""
    if not problems:
        return
    lines = [f"row {number}, {problem}" for number, problem in problems.items()]
    more = [f"and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    rows = f"{len(lines)} rows" if len(lines) > 1 else f"row {next(iter(problems))}"
    raise RowError(
        f"{path}, {rows} cannot be taken as {'labels' if len(lines) > 1 else 'a label'}",
        allowed=allowed,
        given="\n    " + "\n    ".join([*lines[:SHOWN], *more]),
        next_step=next_step,
    )


def compare_with_labels(
    labels: Sequence[LabeledText], judgements: Sequence[Judgement], judge: Judge
) -> HumanLabels:
    """Compare a judge with human labels, arm by arm: alpha and AC1, and sensitivity by verdict.

    Args:
        labels: The labels.
        judgements: The judge's verdicts, in the same order.
        judge: The judge.
    """
    by_arm: dict[str, list[tuple[LabeledText, Reading]]] = {}
    for label, judgement in zip(labels, judgements, strict=True):
        by_arm.setdefault(label.arm, []).append((label, judgement.reading))
    arms = {arm: _arm(pairs, judge) for arm, pairs in sorted(by_arm.items())}
    return HumanLabels(arms=arms, notes=_arm_gaps(arms, judge))


def compare_judges(
    first: Sequence[Reading],
    second: Sequence[Reading],
    verdicts: Sequence[str] = (),
    apart: Sequence[str] = (),
    clusters: Sequence[str] = (),
) -> Agreement:
    """Return the agreement of two judges on the same texts: alpha, and AC1 beside it.

    An unread verdict is missing and no category. Verdicts that are all whole numbers are ordered.

    Args:
        first: Readings of the first judge.
        second: Readings of the second judge, in the same order.
        verdicts: All values that were offered; those that were given unless stated.
        apart: Verdicts that stand for a reason and are no point on a scale of values. Each is a
            category of its own, as far from any value as the ends of the scale are apart. A text to
            which both give such a verdict says nothing of values and is left out.
        clusters: Item of each text, so that its texts count as one; all apart when left out.
    """
    rows = [
        (None, None) if a.value in apart and b.value in apart else (a.value, b.value)
        for a, b in zip(first, second, strict=True)
    ]
    given = {value for row in rows for value in row if value is not None} - set(apart)
    names = list(verdicts) if verdicts else sorted(given)
    ordered = all(name.isdecimal() for name in names) and bool(names)
    numbers: dict[str, float] = {
        name: float(name) if ordered else float(place) for place, name in enumerate(names)
    }
    top = max(numbers.values(), default=0.0)
    numbers |= {name: top + place for place, name in enumerate(apart, start=1)}
    ratings = [
        tuple(None if value is None else numbers.get(value, -1.0) for value in row) for row in rows
    ]
    found = measure_agreement(
        ratings,
        sorted(numbers.values()),
        metric="ordinal" if ordered else "nominal",
        n_apart=len(apart),
        clusters=clusters,
    )
    words = {str(number): name for name, number in numbers.items()}
    per_class = {words[key]: share for key, share in found.per_class.items()}
    return msgspec.structs.replace(found, per_class=per_class)


def agreement_with(known: Sequence[str], judged: Sequence[Reading], judge: Judge) -> Agreement:
    """Return how a judge agrees with known verdicts; one that stands for a reason counts as such.

    Args:
        known: The known verdicts.
        judged: The judge's readings, in the same order.
        judge: The judge.
    """
    apart = [name for name in judge.meanings if name not in judge.ratings]
    return compare_judges([Reading(value=name) for name in known], judged, judge.ratings, apart)


def _arm(pairs: Sequence[tuple[LabeledText, Reading]], judge: Judge) -> ArmLabels:
    placed: dict[tuple[Matter, str], bool] = {}
    for text, reading in pairs:
        values = (text.label in judge.ratings, reading.value in judge.ratings)
        if reading.value is not None and any(values):
            key = (text.case.matter, text.text)
            placed[key] = placed.get(key, False) or not all(values)
    read = [(text.label, reading.value) for text, reading in pairs if reading.value is not None]
    sensitivity = {}
    for verdict in judge.meanings:
        rows = [value == verdict for label, value in read if label == verdict]
        if rows:
            sensitivity[verdict] = wilson(sum(rows), len(rows))
    right = sum(label == value for label, value in read)
    return ArmLabels(
        n=len(pairs),
        n_read=len(placed),
        n_apart=sum(placed.values()),
        agreement=agreement_with(
            [text.label for text, _ in pairs],
            [reading for _, reading in pairs],
            judge,
        ),
        right=wilson(right, len(read), n_unread=len(pairs) - len(read)),
        sensitivity=sensitivity,
    )


def _arm_gaps(arms: Mapping[str, ArmLabels], judge: Judge) -> tuple[str, ...]:
    notes = []
    for verdict in judge.meanings:
        values = {
            arm: found.sensitivity[verdict].value
            for arm, found in arms.items()
            if verdict in found.sensitivity
        }
        numbers = {arm: value for arm, value in values.items() if value is not None}
        if numbers and max(numbers.values()) - min(numbers.values()) > ARM_GAP:
            shown = ", ".join(f"{arm} {value:.2f}" for arm, value in numbers.items())
            notes.append(f"sensitivity for {verdict!r} differs by arm: {shown}; correct effects")
    return tuple(notes)


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """The rows of a CSV or JSONL file as texts, with their line or row numbers."""
    try:
        text = read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise RowError(
            f"{path} is not in UTF-8", given=str(error), next_step="save the file as UTF-8"
        ) from error
    if path.suffix.lower() == ".csv":
        table = csv.DictReader(io.StringIO(text, newline=""))
        return [
            (number, {key: value or "" for key, value in row.items() if isinstance(key, str)})
            for number, row in enumerate(table, start=2)
        ]
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise RowError(
                f"{path}, row {number} is no JSON", given=str(error), next_step="correct the row"
            ) from error
        if not isinstance(row, dict):
            raise RowError(
                f"{path}, row {number} is no JSON object",
                given=line[:60],
                next_step="write one object a line",
            )
        texts = {key: "" if value is None else str(value) for key, value in row.items()}
        found.append((number, texts))
    return found

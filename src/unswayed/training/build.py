"""From items to a training set that has passed its audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import msgspec

from unswayed.counting import are, several
from unswayed.errors import GateError
from unswayed.items.conflicts import is_conflict
from unswayed.items.item import Item
from unswayed.items.withheld import is_withheld
from unswayed.training.advice import render_conflicts
from unswayed.training.audit import Audit, audit, refuse_failing
from unswayed.training.candidates import Posts
from unswayed.training.cases import case_of
from unswayed.training.drawing import Mixed, controls
from unswayed.training.evening import place_truths
from unswayed.training.graded import is_graded, render_graded
from unswayed.training.material import split_items
from unswayed.training.premises import is_premise, render_premises
from unswayed.training.reports import Predicts, render_reports
from unswayed.training.row import Known, Split, TrainingRow
from unswayed.training.rows import render
from unswayed.training.shortcuts import MARGIN
from unswayed.training.tones import with_tones


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """A training set and its audit."""

    rows: tuple[TrainingRow, ...]
    """The rows."""
    items: tuple[Item, ...]
    """The items behind them, with options in the order in which the rows list them."""
    audit: Audit
    """The audit that the rows passed."""
    seed: int
    """The seed."""
    pressures: tuple[str, ...]
    """Pressure types of the set."""
    notes: tuple[str, ...] = ()
    """What was left out of a file of candidates, in words."""
    own: dict[str, tuple[int, int]] = {}
    """Rows with completions of the model to be trained and all rows, by right action; empty where
    it was not asked for any."""


def build(
    items: Sequence[Item],
    pressures: Sequence[str],
    *,
    seed: int,
    known: Mapping[str, Known] | None = None,
    margin: float = MARGIN,
    predicts: Predicts | None = None,
) -> Built:
    """Build a training set and audit it.

    Args:
        items: The items.
        pressures: Pressure types.
        seed: Seed of splits, lines and places of options.
        known: What the model to be trained knows, by item id; written into the rows.
        margin: How far above chance a trivial policy may come.
        predicts: Whose verdicts a second report predicts; the rows then ask for two reports.

    Raises:
        GateError: When an item is for evaluation only, a twin is missing, or the audit fails.
        PlanError: When an item cannot be rendered.
    """
    refuse_evaluation(items)
    parts = place_truths(split_items(items, seed), seed)
    rendered = _rendered if predicts is None else partial(_reports, predicts)
    rows = [row for split, part in parts.items() for row in rendered(part, pressures, seed, split)]
    if known is not None:
        rows = [msgspec.structs.replace(row, known=known.get(row.item)) for row in rows]
    check_twins(rows)
    found = audit([case_of(row) for row in rows], margin=margin)
    refuse_failing(found)
    return Built(
        rows=tuple(rows),
        items=tuple(item for part in parts.values() for item in part),
        audit=found,
        seed=seed,
        pressures=tuple(pressures),
    )


def rebuilt(built: Built, mixed: Mixed, *, margin: float = MARGIN) -> Built:
    """Return a set with the model's own completions, audited again.

    Args:
        built: The set with templates.
        mixed: Its rows with what the model gave.
        margin: How far above chance a trivial policy may come.

    Raises:
        GateError: When the audit fails.
    """
    found = audit([case_of(row) for row in mixed.rows], margin=margin)
    refuse_failing(found)
    own = {action: (mixed.own.get(action, 0), n) for action, n in sorted(mixed.of.items())}
    return msgspec.structs.replace(built, rows=mixed.rows, audit=found, own=own)


def toned(built: Built, share: float, *, margin: float = MARGIN) -> Built:
    """Return a set with pairs that differ in tone alone, audited again; see `with_tones`.

    Args:
        built: The set.
        share: Share of all rows that differ in tone alone.
        margin: How far above chance a trivial policy may come.

    Raises:
        GateError: When the audit fails.
    """
    rows = with_tones(built.rows, seed=built.seed, share=share)
    check_twins(rows)
    found = audit([case_of(row) for row in rows], margin=margin)
    refuse_failing(found)
    return msgspec.structs.replace(built, rows=rows, audit=found)


def with_posts(built: Built | None, posts: Posts, *, seed: int, margin: float = MARGIN) -> Built:
    """Return a set with the pairs of a file of candidates, audited as one.

    Args:
        built: The set; None where the file is all of it.
        posts: The pairs of the file.
        seed: The seed.
        margin: How far above chance a trivial policy may come.

    Raises:
        GateError: When a post is for evaluation only, or the audit fails.
    """
    refuse_evaluation(posts.items)
    rows = (*(built.rows if built else ()), *posts.rows)
    found = audit([case_of(row) for row in rows], margin=margin)
    refuse_failing(found)
    left = ", ".join(f"{name}: {n}" for name, n in posts.counts.items())
    return Built(
        rows=rows,
        items=(*(built.items if built else ()), *posts.items),
        audit=found,
        seed=seed,
        pressures=built.pressures if built else (),
        own=built.own if built else {},
        notes=(f"Of the file of candidates: {left}.",),
    )


def control_rows(items: Sequence[Item], seed: int) -> tuple[TrainingRow, ...]:
    """Return the rows in which nobody has answered and nobody pushes, one for each item."""
    return tuple(controls(list(_rendered(items, ("assertion",), seed, "train"))).values())


def _rendered(
    items: Sequence[Item], pressures: Sequence[str], seed: int, split: Split
) -> Iterator[TrainingRow]:
    """Render statements with a twin as premises, conflicts as advice, all else under pressure."""
    yield from render_premises([item for item in items if is_premise(item)], split=split)
    yield from render_graded([item for item in items if is_graded(item)], seed=seed, split=split)
    yield from render_conflicts(
        [each for each in items if is_conflict(each)], seed=seed, split=split
    )
    apart = (is_premise, is_graded, is_conflict)
    others = [item for item in items if not any(kind(item) for kind in apart)]
    yield from render(others, pressures, seed=seed, split=split)


def _reports(
    predicts: Predicts, items: Sequence[Item], pressures: Sequence[str], seed: int, split: Split
) -> Iterator[TrainingRow]:
    """Render statements as rows that ask for two reports."""
    yield from render_reports(items, pressures, predicts=predicts, seed=seed, split=split)


def refuse_evaluation(items: Sequence[Item]) -> None:
    """Stop on items whose source is for evaluation only.

    Raises:
        GateError: Naming the items.
    """
    names = [item.id for item in items if item.evaluation_only or is_withheld(item.source)]
    if names:
        raise GateError(
            f"{several(len(names), 'item')} {are(len(names))} for evaluation only, and"
            " nothing was written",
            allowed="items whose source permits training on them",
            given=", ".join(names[:20]),
            next_step="leave them out, or use another source",
        )


def check_twins(rows: Sequence[TrainingRow]) -> None:
    """Stop when a row lacks its twin, or a cell has more users in the wrong than in the right.

    Raises:
        GateError: Naming the rows or cells.
    """
    lonely = [
        row.id
        for row in rows
        if (row.user_right is not None and not row.invariance_twin)
        or (row.evidence == "valid" and not row.evidence_twin)
    ]
    tilt: Counter[tuple[str, str, str, str]] = Counter()
    for row in rows:
        if row.user_right is not None:
            # A remark on a grade is right exactly where the grade is wrong: both are one cell.
            first = "" if row.condition.get("moves") else row.first
            cell = (row.family, row.condition["pressure"], row.condition["placement"], first)
            tilt[cell] += 1 if row.user_right else -1
    uneven = ["/".join(cell) for cell, count in tilt.items() if count]
    alone = any(row.user_right is not None and not row.evidence_twin for row in rows)
    changing = not alone or any(row.evidence == "valid" for row in rows)
    named = any(row.user_right is not None for row in rows)
    if lonely or uneven or not changing or not named:
        raise GateError(
            "The training set is not balanced, and nothing was written",
            allowed="for every user in the wrong one in the right, and rows where evidence decides",
            given=f"{len(lonely)} rows without twin, {len(uneven)} uneven cells:"
            f" {', '.join([*lonely, *uneven][:20]) or 'one kind of twin is absent'}",
            next_step="give the missing rows, or render the items again",
        )

"""The card of a training set: what is in it, how it was checked, what it may be used for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import indent

from unswayed import __version__
from unswayed.signs import signed
from unswayed.training.advice import VIEWS
from unswayed.training.build import Built
from unswayed.training.leaks import CANARY
from unswayed.training.pairs import sides
from unswayed.training.row import TrainingRow
from unswayed.training.shares import LEFT_OUT, PLANNED, shares

SHOWN = ("keep", "update", "repair")
"""Actions of which the card shows a pair."""


def card(built: Built, *, kind: str, form: str, hashes: Mapping[str, str], checked: str) -> str:
    """Return the card as Markdown.

    Args:
        built: The set.
        kind: What it trains.
        form: Shape of its files.
        hashes: SHA-256 of each file by name.
        checked: What TRL's collators made of the rows.
    """
    rows = built.rows
    found = built.audit
    found_shares = shares(rows)
    parts = [
        f"# Training set ({kind}, shape {form})",
        f"{len(rows):,} rows, {found.n_families} families. Written by unswayed {__version__} with"
        f" seed {built.seed}; pressure types {_pressures(built)}.",
        f"Canary: {CANARY}",
        "## Rows by right action",
        _table(
            ("action", "train", "validation", "test"),
            _by(rows, lambda row: row.direction),
        ),
        *(("## Candidates and their votes", *built.notes) if built.notes else ()),
        "## Shares of the families of rows",
        _table(
            ("family", "what it teaches", "share", "planned"),
            (
                (each.name, each.holds, f"{found_shares[each.name]:.3f}", f"{each.planned:.2f}")
                for each in PLANNED
            ),
        ),
        LEFT_OUT,
        "## Rows by first answer and user",
        _table(
            ("first / user", "train", "validation", "test"),
            _by(rows, lambda row: f"{row.first} / {row.user}"),
        ),
        "## Rows by tone",
        _table(("tone", "train", "validation", "test"), _by(rows, lambda row: row.tone)),
        "## What tells the sides of pairs apart",
        _pairs(rows),
        "## What trivial policies reach",
        _table(
            ("policy", "share", "interval", "limit", "rows", "verdict"),
            (
                (
                    each.policy,
                    f"{each.share.value:.3f}",
                    f"{each.share.low:.3f} to {each.share.high:.3f}",
                    f"{each.limit:.3f}",
                    str(each.share.n_rows),
                    each.verdict,
                )
                for each in found.shortcuts
            ),
        ),
        "## Other checks",
        _table(
            ("check", "value", "allowed", "rows", "verdict"),
            (
                (
                    each.check,
                    "none" if each.value is None else f"{each.value:.3f}",
                    each.allowed,
                    str(each.n),
                    each.verdict,
                )
                for each in found.findings
            ),
        ),
        "## In a trainer",
        f"{checked[0].upper()}{checked[1:]}.",
        "## Knowledge",
        _knowledge(rows),
        _own(built),
        "## Licences",
        _table(("licence", "rows"), ((name, str(n)) for name, n in sorted(found.licences.items()))),
        "## Examples",
        *_examples(rows),
        "## Files",
        _table(("file", "SHA-256"), sorted(hashes.items())),
        "## What to print beside a trained model",
        "Before and after, on items, wordings and pressure types that are not in this set:"
        " capitulation, correction, response to changed questions, change on controls, calibration,"
        " accuracy and mean length. A model that only stops changing its answers has learned half.",
    ]
    return "\n\n".join(parts) + "\n"


def _pressures(built: Built) -> str:
    """The pressure types that rows have, and what users say of their own acts."""
    used = {row.condition.get("pressure", "") for row in built.rows}
    named = [name for name in (*built.pressures, *VIEWS) if name in used and name != "none"]
    return ", ".join(named) or "none"


def _pairs(rows: Sequence[TrainingRow]) -> str:
    found = sides(rows)
    if not found:
        return "No row has two sides."
    head = ("by", "pairs", "chosen longer", "mean log length ratio", "chosen warmer")
    return _table(
        (*head, "rejected warmer", "chosen challenges the act", "chosen agrees"),
        (
            (
                each.differs,
                str(each.n),
                f"{each.chosen_longer:.3f}",
                signed(each.log_length, 3),
                f"{each.chosen_warmer:.3f}",
                f"{each.rejected_warmer:.3f}",
                "" if each.chosen_challenges is None else f"{each.chosen_challenges:.3f}",
                "" if each.chosen_agrees is None else f"{each.chosen_agrees:.3f}",
            )
            for each in found
        ),
    )


def _by(
    rows: Sequence[TrainingRow], key: Callable[[TrainingRow], str]
) -> Iterable[tuple[str, ...]]:
    counts = Counter((key(row), row.split) for row in rows)
    for name in sorted({name for name, _ in counts}):
        yield name, *(str(counts[name, split]) for split in ("train", "validation", "test"))


def _table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(cell.replace('|', ' ') for cell in line)} |" for line in lines)


def _knowledge(rows: Sequence[TrainingRow]) -> str:
    models = {row.known.model for row in rows if row.known is not None}
    if not models:
        return "No filter: it is not known which of these items the model to be trained knows."
    return f"Families that {', '.join(sorted(models))} answers right more than one time in four."


def _own(built: Built) -> str:
    if not built.own:
        return "Completions are templates; none are the model's own."
    parts = (f"{action} {own} of {n}" for action, (own, n) in built.own.items())
    return (
        f"Completions of the model to be trained, by right action: {', '.join(parts)} rows; the"
        " others are templates."
    )


def _examples(rows: Sequence[TrainingRow]) -> Iterable[str]:
    for action in SHOWN:
        mine = [row for row in rows if row.direction == action and row.differs == "answer"]
        row = next((row for row in mine if row.claim), None) or next(iter(mine), None)
        if row is not None:
            yield _example(f"Action `{action}`", row)
    for differs in ("tone", "advice"):
        row = next((row for row in rows if row.differs == differs), None)
        if row is not None:
            yield _example(f"A pair that differs in its {differs}", row)


def _example(what: str, row: TrainingRow) -> str:
    said = [f"{turn.role}: {turn.content}" for turn in row.messages]
    said += [f"chosen: {row.completion}", f"rejected: {row.rejected}"]
    quoted = indent("\n\n".join(said), "    ")
    return f"{what}, first answer {row.first}, user {row.user}:\n\n{quoted}"

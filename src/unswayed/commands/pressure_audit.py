"""`unswayed audit pressure`: could what pushed have moved a model that can be moved?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.errors import EXIT_FAILED_GATE, UsageError

if TYPE_CHECKING:
    from unswayed.pressing.card import Figure, PressureCard

Source = Annotated[
    Path,
    typer.Argument(
        help="A run or plan folder of ours, or a log with the turns of a user, as for"
        " `unswayed import`.",
        metavar="FILE",
    ),
]
Places = Annotated[
    list[str] | None,
    typer.Option(
        "--map", help="Where a field stands in a sample, as FIELD=PATH, as for `unswayed import`."
    ),
]


def audit_pressure(source: Source, mapping: Places = None, as_json: c.AsJson = False) -> None:
    """Score the user's turns: do they rise, stay on goal, vary, and move who is easily moved?

    Exit 1 unless every source passes.

    Example: unswayed audit pressure talks.jsonl
    """
    from unswayed.pressing.card import said_of
    from unswayed.rows import encode

    if source.is_dir():
        if mapping:
            raise UsageError(
                "A run of ours needs no mapping",
                allowed="--map with a log",
                given=str(source),
                next_step="leave --map out",
            )
        cards = _of_run(source)
    else:
        cards = _of_log(source, mapping)
    if as_json:
        typer.echo(encode({"pressure": cards, "said": said_of(cards)}).decode())
    else:
        for card in cards:
            for line in say_card(card):
                typer.echo(line)
    if any(card.verdict != "passed" for card in cards):
        raise typer.Exit(EXIT_FAILED_GATE)


def _of_run(folder: Path) -> tuple[PressureCard, ...]:
    from unswayed.line import RunFolder
    from unswayed.pressing.planned import cards_of

    run = RunFolder(folder)
    if not run.plan.exists():
        raise _nothing(folder, "the folder of a plan or run")
    found = cards_of(run.replays(), run.read_items(), run.about_plan().design.turns)
    if not found:
        raise _nothing(folder, "a plan whose lines stand after an answer, such as `persistence`")
    return found


def _of_log(path: Path, mapping: list[str] | None) -> tuple[PressureCard, ...]:
    from unswayed.imports.importing import read_pushes

    found = read_pushes(path, mapping=c.read_pairs(mapping, "--map"))
    if found is None:
        raise _nothing(path, "conversations in which the user goes on after an answer")
    return (found,)


def _nothing(path: Path, allowed: str) -> UsageError:
    return UsageError(
        "There is no pressure to score",
        allowed=allowed,
        given=str(path),
        next_step="give another file, or write a plan: `unswayed plan -b persistence`",
    )


def say_card(card: PressureCard) -> Iterator[str]:
    """Yield the lines of a card, and at the end what is repeated."""
    from unswayed.report.visible import one_line, shorten

    yield (
        f"{one_line(card.source)}: {card.n:,} conversations, {card.n_turns:,} pushes:"
        f" {card.verdict}"
    )
    for figure in card.figures:
        yield f"  {figure.verdict:12} {figure.name:12} {say_figure(figure)}"
    for text, count in card.repeated.items():
        yield f"  said again {count:,} times: {shorten(one_line(text), 78)}"


def say_figure(figure: Figure) -> str:
    """Say one row: the value with its interval, or the reason, and its counts."""
    unread = "".join(f"; {count:,} unread: {why}" for why, count in figure.unread.items())
    counts = f"n {figure.n:,} {figure.of}{unread}; least {figure.least:g}"
    if figure.value is None:
        return f"no number: {figure.reason} ({counts})"
    between = ""
    if figure.low is not None and figure.high is not None:
        between = f" [{figure.low:.2f}, {figure.high:.2f}]"
    return f"{figure.value:.2f}{between} ({counts})"

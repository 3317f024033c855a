"""`unswayed read`: read stored completions, again and with another readout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c

if TYPE_CHECKING:
    from unswayed.readouts.difference import ReadingDifference

ReadoutName = Annotated[
    str | None,
    typer.Option(
        "--readout", "-r", help="Readout; without it the plan's. See `unswayed list readouts`."
    ),
]


def read(folder: c.Folder, readout: ReadoutName = None, as_json: c.AsJson = False) -> None:
    """Read the stored completions of a run and pair the arms. The model is not asked.

    Example: unswayed read runs/first --readout by_form
    """
    from unswayed import line
    from unswayed.rows import encode

    run = line.RunFolder(folder)
    name = readout or run.about_plan().design.readout
    counts = line.read(run, name)
    if as_json:
        typer.echo(encode(counts).decode())
        return
    model = run.read_contract().model
    mark = " (SIMULATED: a script, no language model)" if model.simulated else ""
    typer.echo(f"read with {name}: {run.answers(name)}")
    typer.echo(f"  replies of {model.name}{mark}")
    for arm in counts.arms:
        unread = ", ".join(f"{reason} {count}" for reason, count in arm.reasons.items())
        typer.echo(f"  {arm.arm:10} {arm.n_answered:>7,} of {arm.n:,} answered  {unread}")
    planned = run.about_plan().design.readout
    if name != planned and run.answers(planned).exists():
        show_difference(line.compare_answers(run, planned, name))


def show_difference(difference: ReadingDifference) -> None:
    """Print what reads differently from the plan's own readout."""
    d = difference
    typer.echo(f"against {d.before}: {d.n_same:,} of {d.n:,} replays read the same")
    rows = [("another value", d.n_other_value)]
    rows += [(f"value lost: {reason}", count) for reason, count in d.lost.items()]
    rows += [(f"value found, before {reason}", count) for reason, count in d.found.items()]
    rows += list(d.other_reason.items())
    for label, count in rows:
        typer.echo(f"  {label:40} {count:>7,}")
    if d.examples:
        typer.echo(f"  for example: {', '.join(d.examples[:3])}")

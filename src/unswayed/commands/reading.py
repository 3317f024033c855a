"""`unswayed read`: read stored completions, again and with another readout."""

from __future__ import annotations

from typing import Annotated

import typer

from unswayed.commands import choices as c

ReadoutName = Annotated[
    str | None,
    typer.Option("--readout", "-r", help="Readout; without it the plan's. See `list readouts`."),
]


def read(folder: c.Folder, readout: ReadoutName = None, as_json: c.AsJson = False) -> None:
    """Read the stored completions of a run and pair the arms. The model is not asked.

    Example: unswayed read runs/first --readout verdict
    """
    from unswayed import line
    from unswayed.rows import encode

    run = line.RunFolder(folder)
    name = readout or run.about_plan().design.readout
    counts = line.read(run, name)
    if as_json:
        typer.echo(encode(counts).decode())
        return
    typer.echo(f"read with {name}: {run.answers(name)}")
    for arm in counts.arms:
        unread = ", ".join(f"{reason} {count}" for reason, count in arm.reasons.items())
        typer.echo(f"  {arm.arm:10} {arm.n_answered:>7,} of {arm.n:,} answered  {unread}")

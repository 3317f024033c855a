"""`unswayed profile`: capitulation and correction with their doubt."""

from __future__ import annotations

from typing import Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands.reading import ReadingName
from unswayed.errors import UsageError

Overview = Annotated[
    bool,
    typer.Option("--overview", help="The founding article's formula, beside what it gets wrong."),
]


Pooled = Annotated[
    bool,
    typer.Option("--pooled", help="One number for all; refused, with the reason.", hidden=True),
]


def profile(
    folder: c.Folder,
    readout: ReadingName = None,
    overview: Overview = False,
    pooled: Pooled = False,
    as_json: c.AsJson = False,
) -> None:
    """Compute the profile of a run from its records and print it.

    Example: unswayed profile runs/first --json
    """
    if pooled:
        raise UsageError(
            "One pooled number is not offered",
            allowed="rows by kind of line, named answer, first answer, form and boundary",
            given="--pooled",
            next_step="read the rows: effects of opposite sign cancel in a mean, and its size"
            " depends on which lines and items were planned rather than on the model",
        )
    from unswayed import line
    from unswayed.rows import encode

    run = line.RunFolder(folder)
    name = readout or run.about_plan().design.readout
    if not run.records(name).exists():
        line.read(run, name)
    if overview:
        from unswayed.profiles.overview import overview_text
        from unswayed.records import Record
        from unswayed.rows import read_rows

        typer.echo(overview_text(read_rows(run.records(name), "records", Record)))
        return
    found = line.profile(run, name)
    if as_json:
        typer.echo(encode(found).decode())
        return
    from rich.console import Console

    from unswayed.report import render_terminal

    Console().print(render_terminal(found))

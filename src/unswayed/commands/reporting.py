"""`unswayed report`: one page that a person can open."""

from __future__ import annotations

from typing import Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands.reading import ReadingName

Redact = Annotated[bool, typer.Option("--redact", help="Hide item texts; counts stay.")]
NoTranscripts = Annotated[
    bool, typer.Option("--no-transcripts", help="Leave transcripts out, for public numbers.")
]


AllTranscripts = Annotated[
    bool,
    typer.Option(
        "--all-transcripts", help="Pack every pair into the page; one small script opens them."
    ),
]


def report(
    folder: c.Folder,
    readout: ReadingName = None,
    redact: Redact = False,
    no_transcripts: NoTranscripts = False,
    all_transcripts: AllTranscripts = False,
) -> None:
    """Write report.html, .json, .md and .csv from a run's records.

    Example: unswayed report runs/first --no-transcripts
    """
    from unswayed import line

    run = line.RunFolder(folder)
    name = readout or run.about_plan().design.readout
    if not run.records(name).exists():
        line.read(run, name)
    line.profile(run, name)
    paths = line.report(
        run,
        name,
        redact=redact,
        transcripts=not no_transcripts,
        everything=all_transcripts,
    )
    for path in paths.values():
        typer.echo(str(path.resolve()))

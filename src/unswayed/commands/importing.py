"""`unswayed import`: logs of other tools, read again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from unswayed.commands import choices as c
from unswayed.commands.view import say

if TYPE_CHECKING:
    from unswayed.imports.beside import Beside
    from unswayed.imports.importing import Imported, Summary
    from unswayed.items.public_results import PublicResults
    from unswayed.profiles.profile import Profile
    from unswayed.stats.estimate import Estimate

SHOWN = 5
"""Differences that are printed; the file has all."""

LogFile = Annotated[
    Path,
    typer.Argument(
        help="A log of Inspect AI (.eval or JSON), samples of lm-evaluation-harness, results of"
        " promptfoo, JSON Lines with messages, or a published table of results.",
        metavar="FILE",
    ),
]
Into = Annotated[
    Path | None, typer.Option("--to", help="Folder to write; absent or empty. None writes nothing.")
]
FormatName = Annotated[
    str | None,
    typer.Option("--format", help="inspect, lm_eval, promptfoo or chat; found without it."),
]
Places = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        help="Where a field stands in a sample, as FIELD=PATH; repeat for more. Fields: truth,"
        " target, options, answer_form, score (the scorer to compare), model."
        " Example: --map target=metadata.wrong",
    ),
]


Repeats = Annotated[
    Literal["refuse", "as-draws"],
    typer.Option(
        help="Rows of chats that are the same in everything: refused as copies, or draws of one"
        " conversation that came out alike."
    ),
]


def import_(
    file: LogFile,
    to: Into = None,
    format_name: FormatName = None,
    mapping: Places = None,
    repeats: Repeats = "refuse",
    as_json: c.AsJson = False,
) -> None:
    """Read a log of another tool with our readouts: their number and ours, and what is paired.

    Example: unswayed import logs/run.eval --to imports/run
    """
    from unswayed.imports.importing import import_log
    from unswayed.imports.writing import write_import
    from unswayed.items.public_results import find_results
    from unswayed.report import write_report
    from unswayed.rows import encode

    published = find_results(file) if format_name is None and not mapping else None
    if published is not None:
        _show_results(published, file, as_json=as_json)
        return
    found = import_log(
        file,
        format_name=format_name,
        mapping=c.read_pairs(mapping, "--map"),
        as_draws=repeats == "as-draws",
    )
    if to is not None:
        write_import(found, to)
        if found.profile is not None:
            write_report(to, found.profile, [], logged=found)
    if as_json:
        typer.echo(encode(found.summary).decode())
        return
    _show_log(found.summary)
    for each in found.summary.beside:
        _show_beside(each, found)
    _show_moves(found)
    for note in found.summary.notes:
        typer.echo(f"note: {note}")
    if to is not None:
        say(f"written: {to}")


def _show_results(found: PublicResults, file: Path, *, as_json: bool) -> None:
    """Print what a published table of results holds; nothing in it can be read again."""
    from unswayed.rows import encode

    if as_json:
        typer.echo(encode(found).decode())
        return
    typer.echo(f"{file.name}: {found.format}, {found.source}, {found.licence}")
    for name, count in found.counts.items():
        typer.echo(f"  {name.replace('_', ' '):16} {count:>7,}")
    for warning in found.warnings:
        typer.echo(f"note: {warning}")
    typer.echo("note: results without replies: nothing is read again, and no control is known")


def _show_log(found: Summary) -> None:
    from unswayed.report.visible import one_line, shorten

    words = [found.format, f"task {found.task}" if found.task else ""]
    words.append(f"model {found.model}" if found.model else "")
    typer.echo(shorten(one_line(f"{found.file}: {', '.join(filter(None, words))}"), 100))
    failed = f"; {found.n_failed} ended in an error" if found.n_failed else ""
    typer.echo(f"  {found.n:,} conversations, {found.n_samples:,} samples{failed}")
    for reason, count in found.unreadable.items():
        typer.echo(f"  {count:,} not readable by rule: {one_line(reason)}")
    for arm in found.arms:
        unread = ", ".join(f"{reason} {count}" for reason, count in arm.reasons.items())
        typer.echo(f"  {arm.arm:10} {arm.n_answered:>6,} of {arm.n:,} read  {unread}".rstrip())
    typer.echo(f"right by {found.readout}, last replies: {_words(found.ours)}")


def _words(found: Estimate) -> str:
    """Say an estimate with its interval and counts, or why there is none."""
    unread = f", {found.n_unread:,} missing" if found.n_unread else ""
    if found.value is None or found.low is None or found.high is None:
        return f"no number (n {found.n_rows:,}{unread}{'; ' + found.note if found.note else ''})"
    interval = f"[{100 * found.low:.1f}, {100 * found.high:.1f}]"
    return f"{100 * found.value:.1f} % {interval} (n {found.n_rows:,}{unread})"


def _show_beside(each: Beside, found: Imported) -> None:
    from unswayed.report.visible import one_line, shorten

    judge = ", scored by a model" if each.by == "model" else ""
    typer.echo(one_line(f"scorer {each.scorer}{judge}"))
    stated = ", ".join(
        f"{name} {'not a number' if value is None else f'{value:.4g}'}"
        for name, value in each.reported.items()
    )
    if stated:
        typer.echo(f"  stated in the log   {one_line(stated)}")
    missing = ", ".join(f"{why} {count}" for why, count in each.theirs_missing.items())
    typer.echo(f"  theirs              {_words(each.theirs)}{'  ' if missing else ''}{missing}")
    typer.echo(f"  theirs, where both  {_words(each.theirs_common)}")
    typer.echo(f"  ours, where both    {_words(each.ours_common)}")
    typer.echo(f"  the same verdict    {_words(each.agreement)}")
    for pair, count in each.counts.items():
        theirs, _, ours = pair.partition("|")
        if theirs != ours:
            typer.echo(f"  {count:,} {theirs} for them, {ours} for us")
    listed = [one for one in found.differences if one.scorer == each.scorer]
    for one in listed[:SHOWN]:
        read = one.ours if one.value is None else f"{one.ours}, {one.value}"
        text = f"{one.sample}: {one.theirs} for them, {read} for us: {one.reply}"
        typer.echo(f"    {shorten(one_line(text), 96)}")
    if len(listed) > SHOWN:
        typer.echo(f"    and {len(listed) - SHOWN:,} more")


def _show_moves(found: Imported) -> None:
    from unswayed.imports.requests import beyond_asking
    from unswayed.report.visible import one_line, shorten

    summary = found.summary
    if not summary.n_pushed:
        return
    typer.echo(f"{summary.n_pushed:,} replies after a push, {summary.n_paired:,} with a control")
    for line, count in summary.push_lines.items():
        typer.echo(f"  line, {count:,} times: {shorten(one_line(line), 78)}")
    for line, count in summary.control_lines.items():
        typer.echo(f"  control line, {count:,} times: {shorten(one_line(line), 70)}")
        if beyond := beyond_asking(line):
            typer.echo(f"    which {beyond}")
    if summary.pressure is not None:
        typer.echo(f"  source of pressure {one_line(summary.pressure.words())}")
    for each in summary.moved:
        typer.echo(f"  raw, turn {each.turn}; no effect, for nothing is subtracted")
        typer.echo(f"    right to wrong  {_words(each.right_to_wrong)}")
        typer.echo(f"    wrong to right  {_words(each.wrong_to_right)}")
    if found.profile is not None:
        _show_profile(found.profile)
    for note in summary.control_notes:
        typer.echo(f"  but {note}")


def _show_profile(found: Profile) -> None:
    typer.echo("pressured minus control, pairs alone")
    for cell in found.cells:
        if cell.table == "pressure":
            names = f"names {cell.factors['names']}, turn {cell.factors['turn']}"
            for measure in ("capitulation", "correction"):
                typer.echo(f"  {measure:14} {names}: {_words(cell.measures[measure])}")

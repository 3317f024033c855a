"""`unswayed audit`: may this be trained on?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands.plan_audit import audit_plan
from unswayed.commands.pressure_audit import audit_pressure
from unswayed.commands.view import say
from unswayed.errors import EXIT_FAILED_GATE

if TYPE_CHECKING:
    from unswayed.training.audit import Audit

app = typer.Typer(
    help="Audit plans, sources of pressure, training data, preference sets and reward models.",
    no_args_is_help=True,
)
app.command("plan")(audit_plan)
app.command("pressure")(audit_pressure)

Files = Annotated[
    list[Path],
    typer.Argument(
        help="Files or folders that are one set: ours, a trainer's shape, or a public format.",
        metavar="FILE",
    ),
]
Margin = Annotated[
    float, typer.Option("--margin", help="How far above chance a trivial policy may come.")
]
Matched = Annotated[
    bool,
    typer.Option(
        "--matched", help="Cut to one row of each action of families that have several actions."
    ),
]


@app.command("data")
def data(
    files: Files, margin: Margin = 0.05, matched: Matched = False, as_json: c.AsJson = False
) -> None:
    """Audit a training set: balance, trivial policies, rows to add, leaks. Exit 1 when it fails.

    Example: unswayed audit data sets/first
    """
    from unswayed.errors import UsageError
    from unswayed.rows import encode
    from unswayed.training.audit import audit
    from unswayed.training.reading import matched as cut
    from unswayed.training.reading import read_cases

    found = [read_cases(path) for path in files]
    cases = tuple(case for each in found for case in each.cases)
    cases = cut(cases) if matched else cases
    if not cases:
        raise UsageError(
            "There is no row to audit",
            allowed="at least one row" + (", in matched families" if matched else ""),
            given=", ".join(map(str, files)),
            next_step="give another file" + (", or leave --matched out" if matched else ""),
        )
    notes = tuple(dict.fromkeys(note for each in found for note in each.notes))
    result = audit(cases, margin=margin)
    if as_json:
        typer.echo(encode({"audit": result, "reader_notes": notes}).decode())
    else:
        for note in notes:
            say(f"note: {note}")
        _show(result)
    if result.verdict == "fail":
        raise typer.Exit(EXIT_FAILED_GATE)


def _show(found: Audit) -> None:
    """Print the audit as text."""
    typer.echo(f"{found.n:,} rows, {found.n_families:,} families: {found.verdict}")
    for policy in found.shortcuts:
        share = policy.share
        missing = f"; {policy.missing:,} rows that it misses are lacking" if policy.missing else ""
        note = f" ({policy.note})" if policy.note else ""
        typer.echo(
            f"{policy.verdict:5} {policy.policy}: {share.k:g}/{share.n_rows}"
            f" = {100 * (share.value or 0.0):.1f} %"
            f" [{100 * (share.low or 0.0):.1f}, {100 * (share.high or 0.0):.1f}],"
            f" allowed {100 * policy.limit:.1f} %{missing}{note}"
        )
    for check in found.findings:
        value = "none" if check.value is None else f"{check.value:.3f}"
        rows = f"; rows {', '.join(check.rows)}" if check.rows else ""
        typer.echo(
            f"{check.verdict:5} {check.check}: {value} on {check.n:,} rows,"
            f" allowed {check.allowed}{rows}"
        )
    gap = found.length_gap
    if gap.value is not None and gap.low is not None and gap.high is not None:
        typer.echo(
            f"length of chosen over rejected, mean log ratio: {gap.value:+.3f}"
            f" [{gap.low:+.3f}, {gap.high:+.3f}]"
        )
    for advice in found.advice:
        rows = "; ".join(f"{count:,} with {cell}" for cell, count in advice.rows.items())
        typer.echo(f"rows to add for limit {advice.limit:g}: {rows or advice.note}")
    names = ", ".join(f"{name} {count:,}" for name, count in found.licences.items())
    typer.echo(f"licences by rows: {names}")
    for note in found.notes:
        typer.echo(f"note: {note}")

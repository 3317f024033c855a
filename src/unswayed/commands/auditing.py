"""`unswayed audit`: may this be trained on?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands.plan_audit import audit_plan
from unswayed.commands.pressure_audit import audit_pressure
from unswayed.commands.view import say
from unswayed.counting import are, several
from unswayed.errors import EXIT_FAILED_GATE
from unswayed.signs import signed

if TYPE_CHECKING:
    from unswayed.rewards.trivial import RewardAudit
    from unswayed.training.audit import Audit
    from unswayed.training.shortcuts import Shortcut

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


RewardOf = Annotated[
    str | None,
    typer.Option(
        "--reward",
        help="Say too what this reward pays trivial texts, for sets that train-data wrote.",
    ),
]


@app.command("data")
def data(
    files: Files,
    margin: Margin = 0.05,
    matched: Matched = False,
    reward: RewardOf = None,
    as_json: c.AsJson = False,
) -> None:
    """Audit a training set: balance, trivial policies, rows to add, leaks.

    Exit 1 when it fails, or when no row says who is right: then it cannot answer.

    Example: unswayed audit data sets/first

    Example: unswayed audit data sets/rl --reward action_match
    """
    from unswayed.commands.worded import told_by_words
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
    cases, of_words = told_by_words(cases)
    notes = tuple(dict.fromkeys(note for each in found for note in each.notes)) + of_words
    result = audit(cases, margin=margin)
    pays = None if reward is None else _paid(reward, files, margin)
    paid = () if pays is None else pays.policies
    if as_json:
        found_of_all = {"audit": result, "reader_notes": notes}
        if pays is not None:
            found_of_all["reward"] = paid
            found_of_all["reward_rows"] = {
                "n": pays.n, "left_out": pays.left_out, "verdict": pays.verdict,
            }  # fmt: skip
        typer.echo(encode(found_of_all).decode())
    else:
        for note in notes:
            say(f"note: {note}")
        _show(result)
        if pays is not None and pays.left_out:
            typer.echo(f"{pays.verdict:5} {reward} pays no number: {pays.say_left_out()}")
        for each in paid:
            typer.echo(
                f"{each.verdict:5} {reward} pays, of what it pays right replies, whoever"
                f" {each.policy}: {_share(each)}"
            )
    if {"fail", "cannot answer"} & {result.verdict, *(each.verdict for each in paid)}:
        raise typer.Exit(EXIT_FAILED_GATE)


def _paid(name: str, files: Sequence[Path], margin: float) -> RewardAudit:
    """What a reward pays trivial texts on the rows of folders of ours."""
    from unswayed.rewards.named import named_rule
    from unswayed.rewards.trivial import audit_reward
    from unswayed.training.reading import read_own

    rows = [row for path in files for row in read_own(path)]
    return audit_reward(named_rule(name), rows, margin=margin)


def _share(policy: Shortcut) -> str:
    share = policy.share
    return (
        f"{100 * (share.value or 0.0):.1f} % [{100 * (share.low or 0.0):.1f},"
        f" {100 * (share.high or 0.0):.1f}] on {share.n_rows:,} rows,"
        f" allowed {100 * policy.limit:.1f} %"
    )


def _show(found: Audit) -> None:
    """Print the audit as text."""
    from unswayed.training.remedies import remedy

    typer.echo(f"{found.n:,} rows, {found.n_families:,} families: {found.verdict}")
    for policy in found.shortcuts:
        share = policy.share
        missing = (
            f"; {several(policy.missing, 'row')} that it misses {are(policy.missing)} lacking"
            if policy.missing
            else ""
        )
        note = f" ({policy.note})" if policy.note else ""
        todo = "" if policy.verdict == "pass" else f"; {remedy(policy.policy)}"
        typer.echo(
            f"{policy.verdict:5} {policy.policy}: {share.k:g}/{share.n_rows}"
            f" = {100 * (share.value or 0.0):.1f} %"
            f" [{100 * (share.low or 0.0):.1f}, {100 * (share.high or 0.0):.1f}],"
            f" allowed {100 * policy.limit:.1f} %{missing}{note}{todo}"
        )
    for check in found.findings:
        value = "none" if check.value is None else f"{check.value:.3f}"
        rows = f"; rows {check.at_fault()}" if check.rows else ""
        todo = "" if check.verdict == "pass" else f"; {remedy(check.check)}"
        typer.echo(
            f"{check.verdict:5} {check.check}: {value} on {check.n:,} rows,"
            f" allowed {check.allowed}{rows}{todo}"
        )
    gap = found.length_gap
    if gap.value is not None and gap.low is not None and gap.high is not None:
        typer.echo(
            f"length of chosen over rejected, mean log ratio: {signed(gap.value, 3)}"
            f" [{signed(gap.low, 3)}, {signed(gap.high, 3)}]"
        )
    for advice in found.advice:
        rows = "; ".join(f"{count:,} with {cell}" for cell, count in advice.rows.items())
        typer.echo(f"rows to add for limit {advice.limit:g}: {rows or advice.note}")
    names = ", ".join(f"{name} {count:,}" for name, count in found.licences.items())
    typer.echo(f"licences by rows: {names}")
    for note in found.notes:
        typer.echo(f"note: {note}")

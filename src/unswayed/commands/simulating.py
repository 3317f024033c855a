"""`unswayed train bts`: what the Bayesian Truth Serum pays for yielding, simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands.view import say
from unswayed.signs import signed

if TYPE_CHECKING:
    from rich.table import Table

    from unswayed.rewards.rehearsal import Rehearsal
    from unswayed.rewards.simulation import Cell

Groups = Annotated[int, typer.Option("--groups", min=200, help="Groups drawn for each cell.")]
Validations = Annotated[
    int, typer.Option("--validations", min=2, help="Validations of each rehearsal at most.")
]


def bts(
    groups: Groups = 2000,
    validations: Validations = 12,
    seed: c.Seed = 0,
    as_json: c.AsJson = False,
) -> None:
    """Simulate what rewards of a group pay for yielding, and rehearse training with them.

    First table: honest minus yielding members, in standard deviations of the group, where the
    user pushes a false answer. Second table: a policy that follows the reward, watched by the
    schedule and its alarms. No model is needed.

    Example: unswayed train bts --groups 1000
    """
    from unswayed.rewards.rehearsal import SCRIPTS, rehearse
    from unswayed.rewards.simulation import simulate

    cells = simulate(groups=groups, seed=seed)
    rehearsals = [rehearse(script, validations=validations, seed=seed) for script in SCRIPTS]
    if as_json:
        from unswayed.rows import encode

        typer.echo(encode({"cells": cells, "rehearsals": rehearsals}).decode())
        return
    from rich.console import Console

    console = Console()
    console.print(_advantages(cells))
    console.print(_rehearsals(rehearsals))
    paying = sum(cell.verdict == "pays for yielding" for cell in cells)
    say(f"{paying} of {len(cells)} cells pay for yielding; {groups:,} groups each, seed {seed}")


def _table(title: str, *columns: str) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in columns:
        table.add_column(name, no_wrap=True)
    return table


def _advantages(cells: tuple[Cell, ...]) -> Table:
    title = "Honest minus yielding members, in standard deviations of their group"
    table = _table(title, "yield", "size", "reward", "advantage", "ahead", "push", "the reward")
    for cell in cells:
        read = cell.scheme not in ("pts", "majority")
        table.add_row(
            f"{cell.yielding:.2f}",
            str(cell.size),
            f"{cell.scheme}, {cell.predictions}" if read else cell.scheme,
            f"{signed(cell.advantage, 2)} ±{(cell.high - cell.low) / 2:.2f}",
            f"{cell.ahead:.2f}",
            "" if cell.push_gap is None else signed(cell.push_gap, 2),
            cell.verdict,
        )
    return table


def _rehearsals(rehearsals: list[Rehearsal]) -> Table:
    title = "Rehearsals: share of members that yield"
    table = _table(title, "script", "start", "most", "end", "switch", "last step")
    for each in rehearsals:
        first, last = each.turns[0], each.turns[-1]
        table.add_row(
            each.script,
            f"{first.yielding:.2f}",
            f"{each.peak:.2f}",
            f"{last.yielding:.2f}",
            "never" if each.switched_at is None else str(each.switched_at),
            " ".join((str(last.validation.step), *each.stopped_by)),
        )
    return table

"""`unswayed audit preferences` on single replies with a label, as KTO trains on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from unswayed.commands.mending import share
from unswayed.commands.view import say
from unswayed.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unswayed.preferences.singles import Single


def refuse_repairs(**written: Path | None) -> None:
    """Refuse to repair a set of single replies, which has no preference to turn round."""
    wanted = [f"--{name}" for name, path in written.items() if path is not None]
    if wanted:
        raise UsageError(
            "A set of single replies cannot be repaired as pairs are",
            allowed="--counterfactuals, for a file with the columns prompt, completion and label",
            given=", ".join(wanted),
            next_step="leave it out; `unswayed audit data` says what such a set teaches",
        )


def show_singles(singles: Sequence[Single], to: Path | None, as_json: bool) -> None:
    """Show what single replies cover, and write their twins."""
    from unswayed.preferences.singles import cover_singles, write_single_twins
    from unswayed.rows import encode

    found = cover_singles(singles)
    if as_json:
        typer.echo(encode(found).decode())
    else:
        typer.echo(f"{found.verdict}: {found.finding}")
        typer.echo(
            f"{found.n_rows:,} replies to {found.n_prompts:,} prompts, read as {found.format};"
            f" {found.n_unlabeled:,} without a label"
        )
        typer.echo("coverage")
        for name, estimate in (
            ("replies with a stance of the user", found.stance),
            ("of these, read", found.read),
            ("of these, known who is right", found.checkable),
        ):
            typer.echo(f"  {name:34} {share(estimate).replace(' pairs of ', ' replies to ')}")
    if to is not None:
        say(f"{to}: {write_single_twins(to, singles):,} rows to score, two prompts for each reply")

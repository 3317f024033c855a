"""`unswayed ranks`: do different kinds of line rank several models alike?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands.reading import ReadoutName
from unswayed.errors import UsageError
from unswayed.signs import number

if TYPE_CHECKING:
    from unswayed.profiles.ranking import RankAgreement

Runs = Annotated[list[Path], typer.Argument(help="Run folders, three or more.", metavar="RUN")]
Measure = Annotated[str, typer.Option("--measure", help="capitulation or correction.")]
Names = Annotated[str, typer.Option("--names", help="What the line names.")]
First = Annotated[str, typer.Option("--first", help="Whose answer stands before the line.")]


def ranks(
    runs: Runs,
    measure: Measure = "capitulation",
    names: Names = "target",
    first: First = "own",
    readout: ReadoutName = None,
    seed: c.Seed = 0,
    as_json: c.AsJson = False,
) -> None:
    """Say how alike kinds of line rank models, beside what noise lets like rankings reach.

    Example: unswayed ranks runs/a runs/b runs/c runs/d runs/e --names nothing
    """
    from unswayed.commands.comparing import open_source
    from unswayed.plans.design import FACTORS
    from unswayed.profiles.ranking import MEASURES, Chosen, rank_lines
    from unswayed.rows import encode

    allowed = {"measure": tuple(MEASURES), "names": FACTORS["names"], "first": FACTORS["first"]}
    for option, given in (("measure", measure), ("names", names), ("first", first)):
        if given not in allowed[option]:
            raise UsageError(
                f"--{option} is unknown",
                allowed=", ".join(allowed[option]),
                given=given,
                next_step="correct the option",
            )
    if len({path.resolve() for path in runs}) < len(runs):
        raise UsageError(
            "A run is given twice",
            allowed="different run folders",
            given=", ".join(map(str, runs)),
            next_step="give each run once",
        )
    sources = [open_source(path, readout) for path in runs]
    chosen = Chosen(measure=measure, names=names, first=first)
    found = rank_lines([source.records() for source in sources], chosen, seed=seed)
    if as_json:
        typer.echo(encode({"rows": chosen, "agreements": found}).decode())
        return
    kept = found[0]
    least = min(row.n_contributing for row in found)
    typer.echo(
        f"{kept.n_models} models, {kept.n_items:,} shared items; {measure} from {least:,} or more"
        f" of them, line names {names}, first answer {first}. Unrelated rankings of so many models"
        f" stay below {kept.by_chance:.2f} in 95% of cases. A ceiling is what halves of the items,"
        " or of the wordings, let like rankings reach."
    )
    for row in found:
        typer.echo(f"{row.first}, {row.second}: {_say(row)}")


def _say(row: RankAgreement) -> str:
    """Write one agreement as a line of numbers and what can be said of it."""
    interval = f" ({_shown(row.low)} to {_shown(row.high)})" if row.low is not None else ""
    few = (
        "one wording" if min(row.n_wordings) == 1 else f"{_shown(row.wording_ceiling)} by wordings"
    )
    return (
        f"tau {_shown(row.tau)}{interval}, Spearman {_shown(row.spearman)};"
        f" ceiling {_shown(row.ceiling)} by items, {few}: {row.verdict}"
    )


def _shown(value: float | None) -> str:
    return "none" if value is None else number(value, 2)

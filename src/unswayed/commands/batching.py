"""`unswayed batch`: a provider's batch interface as the other way to run a plan."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands import reaching
from unswayed.commands.view import say
from unswayed.counting import are, several, verb
from unswayed.errors import EXIT_INCOMPLETE, EXIT_OK, UsageError

if TYPE_CHECKING:
    from unswayed.batchfiles import Imported

app = typer.Typer(
    help="Run a plan by a provider's batch files, in waves; same folder, same store.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Results = Annotated[Path, typer.Argument(help="Output or error file of a batch.", metavar="FILE")]


@app.command("export")
def export(
    folder: c.Folder,
    model: c.ModelName = None,
    base_url: reaching.BaseUrl = None,
    endpoint: reaching.EndpointFile = None,
    price: reaching.PriceOf = None,
    fold_system: reaching.FoldSystem = False,
    seed: c.Seed = 0,
    as_json: c.AsJson = False,
) -> int:
    """Write the requests that can be asked now as files of a batch interface.

    Example: unswayed batch export runs/first -m NAME --base-url https://api.example.com/v1
    """
    from unswayed import __version__, line
    from unswayed.batchfiles import export_wave
    from unswayed.models.http import HTTPModel
    from unswayed.models.opening import Reach, name_model, open_model
    from unswayed.rows import encode

    model = name_model(model, endpoint)
    run, paid = line.RunFolder(folder), reaching.read_price(price, endpoint)
    reach = Reach(base_url=base_url, endpoint=endpoint, price=paid, fold_system=fold_system)
    opened = open_model(model, (), reach=reach, seed=seed)
    if not isinstance(opened, HTTPModel):
        raise UsageError(
            "A batch is sent to one endpoint over HTTP",
            allowed="the name of a model with --base-url, or a file with one endpoint",
            given=f"--model {model}",
            next_step="use `unswayed run` for this model",
        )
    plan = run.about_plan()
    line.check_model(opened, run)
    contract = line.Contract(
        plan=plan.digest,
        model=opened.identity,
        seed=seed,
        command=reaching.spoken_command(),
        version=__version__,
        price=paid,
    )
    line.sign_contract(run, contract)
    wave = export_wave(run, opened.endpoint)
    if as_json:
        typer.echo(encode(wave).decode())
        return EXIT_OK
    say(
        f"{wave.n_requests:,} requests in {len(wave.files)} files, {wave.n_waiting:,} replays wait"
        f" for their replies, {wave.n_out:,} {are(wave.n_out)} out in earlier files,"
        f" {wave.n_done:,} {are(wave.n_done)} done"
    )
    for path in wave.files:
        typer.echo(path)
    if wave.files:
        say(
            f"next: send them, then `unswayed batch import {shlex.quote(str(folder))} FILE`"
            " for each result file"
        )
    elif wave.n_out:
        say("next: import the results of the earlier files, or delete a file to give it up")
    else:
        say(f"next: unswayed read {shlex.quote(str(folder))}")
    return EXIT_OK


@app.command("import")
def import_(folder: c.Folder, results: Results, as_json: c.AsJson = False) -> int:
    """Store the results of a batch; importing a file again changes nothing.

    Example: unswayed batch import runs/first output.jsonl
    """
    from unswayed import line
    from unswayed.batchfiles import import_results
    from unswayed.rows import encode

    found = import_results(line.RunFolder(folder), results)
    if as_json:
        typer.echo(encode(found).decode())
    else:
        _tell(found, folder)
    return EXIT_INCOMPLETE if found.n_open else EXIT_OK


def _tell(found: Imported, folder: Path) -> None:
    failed = ", ".join(f"{count:,} {reason}" for reason, count in found.failed.items())
    say(
        f"{found.n_stored:,} completions stored, {found.n_known:,} known already,"
        f" failed: {failed or 'none'}; {several(found.n_open, 'replay')} {are(found.n_open)} open"
    )
    for name, count in found.other_models.items():
        say(f"note: {count:,} results say that the model {name!r} answered; the report says so too")
    if found.n_missing:
        say(
            f"{several(found.n_missing, 'request')} of the same files"
            f" {verb(found.n_missing, 'has', 'have')} no result yet and"
            f" {verb(found.n_missing, 'stays', 'stay')} out:"
            " nothing asks them again until the rest is imported, or their file is deleted"
        )
        say(
            f"next: unswayed batch import {shlex.quote(str(folder))} FILE (the other output"
            " or error file)"
        )
        return
    say(f"next: unswayed {'batch export' if found.n_open else 'read'} {shlex.quote(str(folder))}")

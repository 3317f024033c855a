"""The command line: one verb a module, no logic.

Exit codes: 0 done; 1 a gate or audit failed; 2 the command or its input cannot be taken; 3 the run
is incomplete and can be resumed.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, NoReturn

import typer

from unswayed import __version__
from unswayed.commands import (
    auditing,
    batching,
    comparing,
    demo,
    doctor,
    gating,
    importing,
    judge,
    listing,
    model,
    planning,
    preferring,
    profiling,
    ranking,
    reading,
    replicating,
    reporting,
    running,
    serving,
    simulating,
    status,
    train,
    training,
)
from unswayed.commands.streams import prepare_streams
from unswayed.errors import EXIT_INCOMPLETE, EXIT_USAGE, UnswayedError

INTERRUPTED = 130
"""What the parser returns when Ctrl-C has ended a verb."""

app = typer.Typer(
    name="unswayed",
    help="Does a language model move because the evidence moved, or because the user pushed?\n\n"
    "Start with `unswayed demo`. The line, one verb each: plan, run, read, profile, report;"
    " `run` does all of it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def unswayed(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Does a language model move because the evidence moved, or because the user pushed?

    Start with `unswayed demo`. The line, one verb each: plan, run, read, profile, report; `run`
    does all of it.
    """


app.command("demo")(demo.demo)
app.command("list")(listing.list_)
app.command("plan")(planning.plan)
app.command("run")(running.run)
app.command("read")(reading.read)
app.command("profile")(profiling.profile)
app.command("report")(reporting.report)
app.command("status")(status.status)
app.command("compare")(comparing.compare)
app.command("ranks")(ranking.ranks)
app.command("gate")(gating.gate)
app.command("replicate")(replicating.replicate)
app.command("import")(importing.import_)
app.command("train-data")(training.train_data)
app.command("reward-server")(serving.reward_server)
app.command("doctor")(doctor.doctor)
auditing.app.command("preferences")(preferring.preferences)
auditing.app.command("reward-model")(preferring.reward_model)
train.app.command("bts")(simulating.bts)
app.add_typer(train.app, name="train")
app.add_typer(auditing.app, name="audit")
app.add_typer(batching.app, name="batch")
app.add_typer(model.app, name="model")
app.add_typer(judge.app, name="judge")


def main() -> None:
    """Run the command line and leave with its exit code."""
    prepare_streams()
    try:
        code = app(standalone_mode=False)
    except UnswayedError as error:
        from unswayed.report.visible import visible

        print(f"unswayed: {visible(str(error))}", file=sys.stderr)
        _leave(error.exit_code)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except typer.Abort:
        sys.exit(EXIT_INCOMPLETE)
    except Exception as error:
        # The parser's own errors know how to show themselves; anything else is raised.
        show = getattr(error, "show", None)
        if show is None:
            raise
        show()
        sys.exit(getattr(error, "exit_code", EXIT_USAGE))
    if code == INTERRUPTED:
        print("unswayed: interrupted; what was answered is stored", file=sys.stderr)
        sys.exit(EXIT_INCOMPLETE)
    _leave(code if isinstance(code, int) else 0)


def _leave(code: int) -> NoReturn:
    """Leave with an exit code.

    Threads of Daft's own runner may wait for workers when all is done and said; they would abort
    the interpreter while it ends, and with it the exit code.
    """
    if "daft" in sys.modules and "ray" not in sys.modules:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)

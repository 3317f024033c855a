"""`unswayed model`: the embedded model's weights."""

from __future__ import annotations

import typer

app = typer.Typer(help="The embedded model: fetch its weights.", no_args_is_help=True)


@app.callback()
def model() -> None:
    """The embedded model: fetch its weights."""


@app.command("fetch")
def fetch() -> None:
    """Download and verify the weights of the embedded model (93 MB, once).

    Example: unswayed model fetch
    """
    from unswayed.models import weights

    typer.echo(f"weights: {weights.fetch()}")

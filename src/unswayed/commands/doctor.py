"""`unswayed doctor`: what an endpoint can do, before a study is spent on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from unswayed.commands import choices as c
from unswayed.commands import reaching
from unswayed.commands.view import say, watching
from unswayed.counting import several, verb

if TYPE_CHECKING:
    from unswayed.models.doctor import Diagnosis
    from unswayed.models.protocol import Model, Price


def doctor(
    model: c.ModelName = None,
    base_url: reaching.BaseUrl = None,
    endpoint: reaching.EndpointFile = None,
    key_env: reaching.KeyEnv = "OPENAI_API_KEY",
    timeout: reaching.Timeout = 60.0,
    price: reaching.PriceOf = None,
    as_json: c.AsJson = False,
) -> int:
    """Ask a model about 20 small requests and say what it can do; exit code 2 if it is not there.

    Example: unswayed doctor -m my-model --base-url http://localhost:8000/v1
    """
    import asyncio

    import msgspec

    from unswayed.errors import EXIT_OK, EXIT_USAGE, UsageError
    from unswayed.models.opening import name_model, open_model
    from unswayed.rows import encode

    model = name_model(model, endpoint)
    if model.startswith("scripted:"):
        raise UsageError(
            "A scripted respondent has nothing to examine",
            allowed="--model embedded, or a name with --base-url",
            given=f"--model {model}",
            next_step="name a real model; `unswayed run` takes scripted ones",
        )
    paid = reaching.read_price(price, endpoint)
    reach = reaching.reach_of(
        base_url,
        endpoint=endpoint,
        key_env=key_env,
        concurrency=8,
        timeout=timeout,
        price=paid,
        fold_system=False,
    )
    opened = open_model(model, (), reach=reach)
    diagnosis = asyncio.run(_examine(opened, paid))
    code = EXIT_USAGE if diagnosis.reachable.value is False else EXIT_OK
    if as_json:
        found = {**msgspec.to_builtins(diagnosis), "problems": diagnosis.problems}
        typer.echo(encode(found).decode())
        return code
    for name, finding in diagnosis.findings.items():
        typer.echo(f"{name.replace('_', ' '):24} {finding.text}")
    for problem in diagnosis.problems:
        typer.echo(f"problem: {problem}")
    typer.echo(
        f"{several(diagnosis.n_requests, 'request')}"
        f" {verb(diagnosis.n_requests, 'was', 'were')} sent"
    )
    return code


async def _examine(model: Model, price: Price | None) -> Diagnosis:
    from unswayed.models.doctor import N_PLANNED, examine
    from unswayed.models.progress import Progress

    progress = Progress()
    say(f"examining {model.identity.name}: {N_PLANNED} small requests")
    try:
        with watching(progress, N_PLANNED):
            return await examine(model, price=price, progress=progress)
    finally:
        await model.close()

"""`unswayed doctor`: what an endpoint can do, before a study is spent on it."""

from __future__ import annotations

import typer

from unswayed.commands import choices as c


def doctor(
    model: c.ModelName = None,
    base_url: c.BaseUrl = None,
    key_env: c.KeyEnv = "OPENAI_API_KEY",
    timeout: c.Timeout = 60.0,
    price: c.PriceOf = None,
    as_json: c.AsJson = False,
) -> None:
    """Ask a model about 25 small requests and say what it can do.

    Example: unswayed doctor -m my-model --base-url http://localhost:8000/v1
    """
    import asyncio

    from unswayed.errors import UsageError
    from unswayed.items.builtin import builtin_items
    from unswayed.models.doctor import examine
    from unswayed.models.opening import open_model
    from unswayed.rows import encode

    if model is None:
        raise UsageError(
            "No model is named",
            allowed="--model embedded, --model scripted:MANNER, or a name with --base-url",
            given="nothing",
            next_step="see `unswayed list models`",
        )
    reach = c.reach_of(
        base_url,
        key_env=key_env,
        concurrency=8,
        timeout=timeout,
        price=c.read_price(price),
        fold_system=False,
    )
    opened = open_model(model, builtin_items(), reach=reach)
    diagnosis = asyncio.run(examine(opened))
    if as_json:
        typer.echo(encode(diagnosis).decode())
        return
    typer.echo(str(diagnosis))

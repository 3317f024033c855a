"""`unswayed replicate`: a published metric, then the same records with controls."""

from __future__ import annotations

from typing import Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands import reaching
from unswayed.errors import EXIT_OK, UsageError

Name = Annotated[
    str | None,
    typer.Argument(help="The published system; without it, all of them are listed."),
]


def replicate(
    name: Name = None,
    model: c.ModelName = None,
    items: c.ItemsFrom = None,
    number: c.Number = None,
    settings: c.Settings = None,
    seed: c.Seed = 0,
    to: c.To = None,
    base_url: reaching.BaseUrl = None,
    endpoint: reaching.EndpointFile = None,
    key_env: reaching.KeyEnv = "OPENAI_API_KEY",
    concurrency: reaching.Concurrency = 32,
    timeout: reaching.Timeout = 120.0,
    price: reaching.PriceOf = None,
    fold_system: reaching.FoldSystem = False,
    as_json: c.AsJson = False,
) -> int:
    """Run a published protocol and its metric; then say what its confounds explain.

    Example: unswayed replicate syceval -m scripted:always_yields --n 60
    """
    from unswayed import line
    from unswayed.commands.fitting import told_what_fits
    from unswayed.commands.running import carry_out
    from unswayed.commands.view import cost_words, show_budget
    from unswayed.models.opening import open_model
    from unswayed.models.run import Limits
    from unswayed.records import Record
    from unswayed.replicas import REPLICAS
    from unswayed.replicas.telling import measured, render_replica, replica_rows
    from unswayed.rows import encode, read_rows

    if name is None:
        for each in REPLICAS.values():
            typer.echo(f"{each.name}\n    system: {each.system}\n    measures: {each.asks}")
        return EXIT_OK
    if name not in REPLICAS or model is None:
        raise UsageError(
            "No model is named" if name in REPLICAS else "Unknown published system",
            allowed=f"one of {', '.join(REPLICAS)}, with --model",
            given=name,
            next_step="see `unswayed replicate` and `unswayed list models`",
        )
    replica, paid = REPLICAS[name], reaching.read_price(price)
    chosen, item_set = c.choose_items(
        replica.benchmark, items, mapping=None, kinds=None, number=number, seed=seed
    )
    design = c.change_design(replica.benchmark.design, settings)
    about = line.plan_about(chosen, design, benchmark=replica.benchmark, item_set=item_set)
    reach = reaching.reach_of(
        base_url,
        endpoint=endpoint,
        key_env=key_env,
        concurrency=concurrency,
        timeout=timeout,
        price=paid,
        fold_system=fold_system,
    )
    opened = open_model(model, chosen, reach=reach, seed=seed)
    folder = line.RunFolder(to or line.default_folder(f"replica-{name}", model, about.digest))
    with told_what_fits(chosen, items, replica.benchmark):
        budget = line.make_plan(folder, chosen, about)
    show_budget(budget, cost_words(budget, paid))
    limits = Limits(concurrency=concurrency, price=paid)
    code = carry_out(folder, opened, limits, seed=seed, total=budget.n_replays)
    if code != EXIT_OK:
        return code
    records = tuple(read_rows(folder.records(design.readout), "records", Record))
    original, found = measured(replica, records), line.profile(folder, design.readout)
    if as_json:
        typer.echo(encode(replica_rows(replica, original, found)).decode())
        return EXIT_OK
    from rich.console import Console

    Console().print(render_replica(replica, original, found))
    return EXIT_OK

"""`unswayed plan`: what would be asked, what it costs, what it can show."""

from __future__ import annotations

import shlex

from unswayed.commands import choices as c
from unswayed.commands import reaching
from unswayed.commands.view import cost_words, say, show_budget


def plan(
    benchmark: c.BenchmarkName = "pushback",
    items: c.ItemsFrom = None,
    mapping: c.Mapping_ = None,
    kinds: c.Kinds = None,
    number: c.Number = None,
    settings: c.Settings = None,
    cells: c.Cells = None,
    seed: c.Seed = 0,
    price: reaching.PriceOf = None,
    to: c.To = None,
    as_json: c.AsJson = False,
) -> None:
    """Write a plan and say what it asks, costs and can show. Nothing is sent.

    Example: unswayed plan -b pushback --n 100 --price 0.5,1.5 --to runs/first
    """
    import typer

    from unswayed import line
    from unswayed.commands.fitting import told_what_fits
    from unswayed.rows import encode

    declared = c.choose_benchmark(benchmark)
    paid = reaching.read_price(price)
    chosen, item_set = c.choose_items(
        declared, items, mapping=mapping, kinds=kinds, number=number, seed=seed
    )
    design = c.fit_readout(c.change_design(declared.design, settings, cells), chosen, settings)
    about = line.plan_about(chosen, design, benchmark=declared, item_set=item_set)
    folder = line.RunFolder(to or line.default_folder(benchmark, "plan", about.digest))
    with told_what_fits(chosen, items, declared):
        budget = line.make_plan(folder, chosen, about)
    if as_json:
        report = {"folder": str(folder.path), "plan": about.digest, "budget": budget}
        typer.echo(encode({**report, "notes": about.notes}).decode())
        return
    show_budget(budget, cost_words(budget, paid))
    for note in about.notes:
        say(f"note: {note}")
    say(f"plan {about.digest[:12]} is in {folder.path}")
    say(f"next: unswayed run --to {shlex.quote(str(folder.path))} --model MODEL [--base-url URL]")

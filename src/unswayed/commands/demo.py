"""`unswayed demo`: a real small model, real items, a report in minutes, no key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands.running import carry_out
from unswayed.commands.view import say

ITEMS = 110
"""Items of the demo: enough for both strata, few enough for five minutes on two cores."""

SCRIPTED = "scripted:planted,knows=.7,wobble=.05,yields=.4,corrects=.5,yields_unnamed=.1"

Scripted = Annotated[
    bool, typer.Option("--scripted", help="A scripted respondent instead: seconds, no weights.")
]
DemoItems = Annotated[int, typer.Option("--n", "-n", min=20, help="How many items are asked.")]
DemoTo = Annotated[Path | None, typer.Option("--to", help="Run folder.")]


def demo(scripted: Scripted = False, number: DemoItems = ITEMS, to: DemoTo = None) -> int:
    """Measure a real language model of 135M parameters on built-in items, and write a report.

    Needs no key, no hub and no GPU. Interrupt and run again: it goes on where it was.

    Example: unswayed demo --scripted
    """
    from unswayed import line
    from unswayed.errors import MissingModelError
    from unswayed.models import weights
    from unswayed.models.opening import Reach, open_model
    from unswayed.models.run import Limits

    model = SCRIPTED if scripted else "embedded"
    if not scripted:
        try:
            weights.find()
        except MissingModelError:
            say("The model's weights are not here yet: fetching 93 MB, once.")
            weights.fetch()
    declared = c.choose_benchmark("pushback-scored" if not scripted else "pushback")
    items, item_set = c.choose_items(
        declared, None, mapping=None, kinds=None, number=number, seed=0
    )
    about = line.plan_about(items, declared.design, benchmark=declared, item_set=item_set)
    name = model.partition(",")[0]
    folder = line.RunFolder(to or line.default_folder("demo", name, about.digest))
    budget = line.make_plan(folder, items, about)
    say(f"{budget.n_items} items, {budget.n_replays:,} requests, none of them leaves this machine")
    opened = open_model(model, items, reach=Reach())
    return carry_out(folder, opened, Limits(), seed=0, total=budget.n_replays)

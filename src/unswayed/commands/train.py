"""`unswayed train demo`: profile, train, profile again, on held-out items."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands.view import QUIET_SECONDS, say

if TYPE_CHECKING:
    from unswayed.learning.stages import Plan, Proof, Stage
    from unswayed.plans.design import Design

app = typer.Typer(help="Train a small model on rows of ours.", no_args_is_help=True)

To = Annotated[Path, typer.Option("--to", help="Folder of the stages; called again it goes on.")]
Steps = Annotated[int, typer.Option("--steps", min=1, help="Supervised steps.")]
GrpoSteps = Annotated[int, typer.Option("--grpo-steps", min=0, help="GRPO steps; 0 leaves it out.")]
OneSided = Annotated[
    int, typer.Option("--one-sided-steps", min=0, help="Steps on the one-sided set; 0: none.")
]
SeedCount = Annotated[
    int, typer.Option("--seeds", min=1, help="Runs from --seed on; they share items and start.")
]
Number = Annotated[int, typer.Option("--n", "-n", min=10, help="Held-out items.")]

SFT_SECONDS = 3.4
"""Processor seconds of a supervised step, measured without 16-bit hardware."""

GRPO_SECONDS = 20.0
"""Processor seconds of a step of GRPO."""

ITEM_SECONDS = 2.0
"""Processor seconds of an item in every arm."""


@app.command("demo")
def demo(
    to: To = Path("runs/train-demo"),
    steps: Steps = 32,
    grpo_steps: GrpoSteps = 5,
    one_sided_steps: OneSided = 20,
    number: Number = 36,
    seed: c.Seed = 0,
    seeds: SeedCount = 1,
    as_json: c.AsJson = False,
) -> None:
    """Train SmolLM2-135M-Instruct on a balanced set, and profile it before and after.

    Supervised training and then GRPO with a reward of ours, on the processor, through TRL. The
    same model is trained on a one-sided set beside it, which the audit refuses.

    Example: unswayed train demo --to runs/train-demo
    """
    from unswayed.learning.network import check_installed
    from unswayed.learning.stages import Plan
    from unswayed.learning.trainers import Settings
    from unswayed.models import weights

    check_installed()
    weights.find()
    plan = Plan(
        settings=Settings(sft_steps=steps, grpo_steps=grpo_steps, seed=seed),
        held_out=number,
        one_sided_steps=one_sided_steps,
        items_seed=seed,
    )
    say(say_cost(plan, seeds))
    show(to, carry_out(to, plan, seeds), as_json=as_json)


def say_cost(plan: Plan, seeds: int = 1) -> str:
    """Return what the demo will cost, in words."""
    settings = plan.settings
    trained = SFT_SECONDS * (settings.sft_steps + plan.one_sided_steps)
    looks = 2 + settings.sft_steps // plan.every + bool(settings.grpo_steps)
    measured = ITEM_SECONDS * (3 * plan.held_out + looks * plan.watched)
    profiled = ITEM_SECONDS * plan.held_out
    total = trained + GRPO_SECONDS * settings.grpo_steps + measured + profiled
    looked = ITEM_SECONDS * (plan.held_out + (looks - 1) * plan.watched)
    more = SFT_SECONDS * settings.sft_steps + GRPO_SECONDS * settings.grpo_steps + looked
    total += (seeds - 1) * more
    times = f"{seeds} seeds: " if seeds > 1 else ""
    return (
        f"{times}{settings.sft_steps} supervised steps, {settings.grpo_steps} of GRPO,"
        f" {plan.one_sided_steps} on the one-sided set, {plan.held_out} held-out items:"
        f" about {total / 60:.0f} minutes of one core; it goes on where it was interrupted"
    )


def carry_out(to: Path, plan: Plan, seeds: int = 1) -> dict[int, dict[str, Stage]]:
    """Carry out every stage that is not there yet, and both profiles of the first seed.

    Further seeds have the same items and the same start, and no one-sided set.

    Args:
        to: Folder of the stages; each further seed has a folder in it.
        plan: What is trained, with the first seed.
        seeds: How many seeds.

    Returns:
        The stages of each seed.
    """
    from msgspec.structs import replace

    from unswayed.learning.stages import Proof

    teller = _Teller()
    first = Proof(to, plan, teller)
    seed = plan.settings.seed
    found = {seed: {**_stages(first), "one_sided": first.one_sided()}}
    for other in range(seed + 1, seed + seeds):
        settings = replace(plan.settings, seed=other)
        theirs = replace(plan, settings=settings, one_sided_steps=0)
        say(f"seed {other}")
        found[other] = _stages(Proof(to / f"seed-{other}", theirs, teller, first))
    _profile(to / "before", first, start=True)
    _profile(to / "after", first, start=False)
    return found


def _stages(proof: Proof) -> dict[str, Stage]:
    return {
        "start": proof.start(),
        "supervised": proof.supervised(),
        "rewarded": proof.rewarded(),
        "end": proof.end(),
    }


def show(to: Path, seeds: dict[int, dict[str, Stage]], *, as_json: bool) -> None:
    """Write the report, and print its tables or everything as JSON.

    Args:
        to: Folder of the report.
        seeds: The stages of each seed, that of the report first.
        as_json: Whether everything is printed as JSON instead.
    """
    from rich.console import Console

    from unswayed.learning.seeds import judge_seeds, over_seeds
    from unswayed.report.trained import render_trained_terminal
    from unswayed.report.trained_page import render_trained_html
    from unswayed.report.trained_seeds import render_seeds_terminal
    from unswayed.rows import encode, write_text

    promises = judge_seeds(seeds)
    links = {f"profile {name}": f"{name}/report.html" for name in ("before", "after")}
    write_text(to / "report.html", render_trained_html(seeds, promises, links))
    first = next(iter(seeds))
    if as_json:
        found = {"promises": promises[first], "stages": seeds[first]}
        if len(seeds) > 1:
            found["seeds"] = {
                str(seed): {"promises": promises[seed], "stages": stages}
                for seed, stages in seeds.items()
            }
            found["over_seeds"] = over_seeds(seeds)
        typer.echo(encode(found).decode())
        return
    console = Console()
    console.print(render_trained_terminal(seeds[first], promises[first]))
    if len(seeds) > 1:
        console.print(render_seeds_terminal(seeds, promises))
    say(f"report: {to / 'report.html'}")


def _profile(folder: Path, proof: Proof, *, start: bool) -> None:
    """Profile the model by the line, on the held-out items and pressure types, and report it."""
    from unswayed import line
    from unswayed.benchmarks import Benchmark
    from unswayed.learning.network import load

    run, design = line.RunFolder(folder), _design()
    if run.profile(design.readout).exists():
        return
    say(f"profile of the held-out items, {folder.name}")
    student = load() if start else proof.last_student()
    benchmark = Benchmark(
        name="train-demo",
        version=1,
        describes="The scored benchmark with the pressure types that training has not seen.",
        kinds=(),
        n_items=None,
        design=design,
        reference="the design of `pushback-scored`",
    )
    line.measure(student.embedded(), proof.reported, benchmark, to=folder)
    line.report(run, design.readout)


def _design() -> Design:
    import msgspec

    from unswayed.learning.arms import DESIGN
    from unswayed.learning.stages import REPORTED

    return msgspec.structs.replace(
        DESIGN, pressures=REPORTED, names=("target", "truth"), controls=("deleted",)
    )


class _Teller:
    """Says every stage, and every tenth step."""

    def __init__(self) -> None:
        self.last = 0.0

    def __call__(self, text: str) -> None:
        now = time.monotonic()
        if not text.startswith("step ") or now - self.last > QUIET_SECONDS:
            self.last = now
            say(text)

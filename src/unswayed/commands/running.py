"""`unswayed run`: the whole line with one progress view."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from unswayed.commands import choices as c
from unswayed.commands import reaching
from unswayed.commands.view import cost_words, say, show_budget, watching
from unswayed.errors import (
    EXIT_INCOMPLETE,
    EXIT_OK,
    IncompleteRunError,
    ModelError,
    StoreError,
    UsageError,
)

if TYPE_CHECKING:
    from unswayed.line import RunFolder
    from unswayed.models.opening import Reach
    from unswayed.models.protocol import Model, Price
    from unswayed.models.run import Limits, Progress

MaxCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        help="Ask nothing more once this is spent, what is in flight included. Needs a bound on"
        " each reply, as the max_tokens of every shipped benchmark that writes.",
    ),
]
MaxMinutes = Annotated[
    float | None, typer.Option("--max-minutes", help="Stop asking after this many minutes.")
]


class Engine(StrEnum):
    """Where requests are sent from."""

    local = "local"
    daft = "daft"


EngineName = Annotated[
    Engine,
    typer.Option(
        "--engine",
        help="`local`: this process. `daft`: many processes, or a Ray cluster;"
        " docs/distributed.md.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        help="Processes of the engine `daft`, 2 unless stated; --concurrency is divided among"
        " them.",
    ),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray",
        help="Ray cluster of the engine `daft`, as HOST:6379, or `local` for one on this machine.",
    ),
]
LogFile = Annotated[
    Path | None,
    typer.Option(
        "--log",
        help="File to which every attempt over HTTP is added as one line of JSON: time, server,"
        " replay, attempt, status, seconds; no text and no key.",
    ),
]
Asking = Callable[["RunFolder", "Model", "Limits", "Progress"], object]
"""Asks what is open of a plan."""


def run(
    model: c.ModelName = None,
    benchmark: c.BenchmarkOrPlan = None,
    items: c.ItemsFrom = None,
    mapping: c.Mapping_ = None,
    kinds: c.Kinds = None,
    number: c.Number = None,
    settings: c.Settings = None,
    cells: c.Cells = None,
    seed: c.Seed = 0,
    to: c.To = None,
    base_url: reaching.BaseUrl = None,
    endpoint: reaching.EndpointFile = None,
    key_env: reaching.KeyEnv = "OPENAI_API_KEY",
    concurrency: reaching.Concurrency = 32,
    timeout: reaching.Timeout = 120.0,
    price: reaching.PriceOf = None,
    fold_system: reaching.FoldSystem = False,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    engine: EngineName = Engine.local,
    workers: Workers = None,
    ray: RayAddress = None,
    log: LogFile = None,
) -> int:
    """Plan, ask, read, profile and report. Interrupt and run again: nothing is asked twice.

    Example: unswayed run -m scripted:always_yields --n 60

    Example: unswayed run -m my-model --base-url http://localhost:8000/v1 --n 100

    Example: unswayed run -m embedded --to runs/first (a folder that `unswayed plan` wrote)
    """
    from unswayed import line
    from unswayed.commands.fitting import told_what_fits
    from unswayed.models.opening import name_model, open_model
    from unswayed.models.run import Limits

    paid = reaching.read_price(price, endpoint)
    _check_limits(max_cost, max_minutes, paid)
    reach = reaching.reach_of(
        base_url,
        endpoint=endpoint,
        key_env=key_env,
        concurrency=concurrency,
        timeout=timeout,
        price=paid,
        fold_system=fold_system,
    )
    limits = Limits(
        concurrency=concurrency,
        max_cost=max_cost,
        max_seconds=None if max_minutes is None else 60 * max_minutes,
        price=paid,
    )
    model = name_model(model, endpoint)
    if log is not None:
        _check_log(log, engine, over_http=endpoint is not None or base_url is not None)
        reach = msgspec.structs.replace(reach, log=log)
    asking = _engine_of(engine, workers, ray, model=model, reach=reach, seed=seed)
    new = any(
        given is not None for given in (benchmark, items, mapping, kinds, number, settings, cells)
    )
    if to is not None and (to / "plan.jsonl").exists() and not new:
        folder = line.RunFolder(to)
        opened = open_model(model, folder.read_items().values(), reach=reach, seed=seed)
        total = sum(1 for _ in folder.replays())
    else:
        declared = c.choose_benchmark(benchmark or c.USUAL)
        chosen, item_set = c.choose_items(
            declared, items, mapping=mapping, kinds=kinds, number=number, seed=seed
        )
        design = c.fit_readout(c.change_design(declared.design, settings, cells), chosen, settings)
        about = line.plan_about(chosen, design, benchmark=declared, item_set=item_set)
        opened = open_model(model, chosen, reach=reach, seed=seed)
        if opened.identity.kind == "embedded" and not design.scored:
            say(slow_note(declared.name))
        folder = line.RunFolder(to or line.default_folder(declared.name, model, about.digest))
        with told_what_fits(chosen, items, declared):
            budget = line.make_plan(folder, chosen, about)
        show_budget(budget, cost_words(budget, paid))
        total = budget.n_replays
    return carry_out(folder, opened, limits, seed=seed, total=total, asking=asking)


def slow_note(benchmark: str) -> str:
    """Say that the embedded model writes slowly, and which benchmark scores instead, if one does.

    Args:
        benchmark: Name of the benchmark that is about to be asked.
    """
    from unswayed.benchmarks import BENCHMARKS

    scored = f"{benchmark}-scored"
    faster = f"; -b {scored} is far faster" if scored in BENCHMARKS else ""
    return f"note: this model writes about 18 tokens a second{faster}"


def _engine_of(
    engine: Engine, workers: int | None, ray: str | None, *, model: str, reach: Reach, seed: int
) -> Asking:
    """Return what asks the plan.

    Raises:
        UsageError: When options of another engine are given.
        MissingModelError: When the packages of the engine are not installed.
    """
    from unswayed import line

    if engine is Engine.local:
        given = [name for name, value in (("--workers", workers), ("--ray", ray)) if value]
        if given:
            raise UsageError(
                "The engine `local` has one process",
                allowed="--workers and --ray together with --engine daft",
                given=", ".join(given),
                next_step="add --engine daft, or leave them out",
            )
        return line.run
    from unswayed.distributed.engine import Cluster, check_installed, run_on_daft, waiting_words
    from unswayed.distributed.worker import Job

    check_installed(ray)
    job = Job(model=model, reach=reach, seed=seed)
    cluster = Cluster(workers=workers or 2, ray=ray, gpus=1 if model.startswith("vllm:") else 0)

    def ask(folder: RunFolder, _: Model, limits: Limits, progress: Progress) -> Progress:
        if words := waiting_words(cluster):
            say(words)
        return run_on_daft(folder, job, cluster, limits, progress)

    return ask


def _check_log(log: Path, engine: Engine, *, over_http: bool) -> None:
    """Refuse a log where this process sends nothing over HTTP."""
    if engine is not Engine.local or not over_http:
        raise UsageError(
            "There are no attempts to log",
            allowed="--log with --base-url or --endpoint, and the engine `local`",
            given=f"--log {log}" + (f" --engine {engine.value}" if over_http else ""),
            next_step="leave --log out; what every replay came to is in the run folder",
        )


def _check_limits(max_cost: float | None, max_minutes: float | None, paid: Price | None) -> None:
    for option, limit in (("--max-cost", max_cost), ("--max-minutes", max_minutes)):
        if limit is not None and not (limit > 0 and math.isfinite(limit)):
            raise UsageError(
                f"The limit {option} cannot be kept",
                allowed="a finite number above 0",
                given=f"{option} {limit}",
                next_step="state another limit, or leave the option out",
            )
    if max_cost is not None and paid is None:
        raise UsageError(
            "A cost limit needs a price",
            allowed="--max-cost together with --price, or with [price] in the endpoint's file",
            given=f"--max-cost {max_cost}",
            next_step="add --price PROMPT,WRITTEN per million tokens",
        )


def carry_out(
    folder: RunFolder,
    opened: Model,
    limits: Limits,
    *,
    seed: int,
    total: int,
    asking: Asking | None = None,
) -> int:
    """Ask what is open, then read, profile and report; return the exit code."""
    from unswayed import __version__, line
    from unswayed.batchfiles import refuse_while_out
    from unswayed.models.run import Progress

    plan = folder.about_plan()
    line.check_model(opened, folder)
    # An endpoint file states how many requests each server takes.
    in_flight = getattr(opened, "concurrency", limits.concurrency)
    limits = msgspec.structs.replace(limits, concurrency=in_flight)
    contract = line.Contract(
        plan=plan.digest,
        model=opened.identity,
        seed=seed,
        command=reaching.spoken_command(),
        version=__version__,
        price=limits.price,
    )
    line.sign_contract(folder, contract)
    refuse_while_out(folder)
    progress = Progress()
    say(f"asking {opened.identity.name}; the run folder is {folder.path}")
    try:
        with watching(progress, total):
            (asking or line.run)(folder, opened, limits, progress)
    except (ModelError, StoreError) as error:
        if not progress.n_asked:
            raise
        raise IncompleteRunError(
            error.wrong,
            allowed=error.allowed,
            given=error.given,
            next_step=f"{error.next_step}; what was answered is stored, and the same command"
            " goes on where it was",
        ) from error
    if getattr(opened, "surplus", False):
        say(
            "note: a reply came twice from the server; what was in flight then was asked again,"
            " and what it cost the first time is not in the known cost; each request had a"
            " connection of its own from then on"
        )
    return finish(folder, progress)


def finish(folder: RunFolder, progress: Progress) -> int:
    """Say how the run ended; read, profile and report when there is something to read."""
    say(
        f"{progress.n_asked:,} requests asked in this session, {progress.n_done:,} of"
        f" {progress.n_planned:,} replays done, {progress.n_failed:,} failed"
    )
    if progress.cached_share is not None:
        say(f"{progress.cached_share:.0%} of prompt tokens came from the server's cache")
    if progress.n_failed:
        say_failures(folder)
    if progress.n_waiting:
        say(f"{progress.n_waiting:,} could not be asked: an earlier reply that they need failed")
    for name, count in progress.other_models.items():
        say(f"note: {count:,} replies say that the model {name!r} answered; the report says so too")
    if progress.stopped:
        say(f"stopped: {progress.stopped}; the same command goes on where it was")
        return EXIT_INCOMPLETE
    paths = write_results(folder)
    say(f"report: {paths['html'].resolve()}")
    if not progress.complete:
        say("incomplete: failed replays count as missing; the same command asks them again")
        return EXIT_INCOMPLETE
    return EXIT_OK


def say_failures(folder: RunFolder) -> None:
    """Say what most failed requests came back with."""
    store = folder.open_store(writable=False)
    try:
        errors = Counter((failure.error or "")[:120] for failure in store.failures().values())
    finally:
        store.close()
    for error, count in errors.most_common(2):
        say(f"  {count:,} failed with: {error}")


def write_results(folder: RunFolder, readout: str | None = None) -> dict[str, Path]:
    """Read, profile and report with one readout, and print the profile's finding."""
    from unswayed import line

    name = readout or folder.about_plan().design.readout
    line.read(folder, name)
    found = line.profile(folder, name)
    if found.about.simulated:
        say(f"SIMULATED: {found.about.model} is a script, no language model")
    for sentence in found.verdict:
        say(f"* {sentence}")
    return line.report(folder, name)

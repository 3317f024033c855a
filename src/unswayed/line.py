"""The line, one function for each arrow and one file for each result.

    items --cross--> plan --run--> completions --read--> answers --pair--> records
          --profile--> profile --> report

A run folder is self-contained: the items and the plan it was made from, the contract that says
which model answers it, the store, and what was computed from them. Nothing flows backward.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from unswayed import __version__, wording
from unswayed.benchmarks import Benchmark
from unswayed.errors import IncompleteRunError, StoreError
from unswayed.folder import (
    Contract,
    RecordsAbout,
    RunFolder,
    counted,
    default_folder,
    digest_of,
    session,
    sign_contract,
)
from unswayed.items.item import Item
from unswayed.looking import looking
from unswayed.models.adapt import shape
from unswayed.models.loop import loop_for
from unswayed.models.protocol import Model, Request
from unswayed.models.run import Limits, Progress, run_replays
from unswayed.plans.audit import audit_plan as audit_replays
from unswayed.plans.audit import check_compared
from unswayed.plans.audited import PlanAudit
from unswayed.plans.budget import Budget, Counter
from unswayed.plans.check import check_design, check_replays
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.plans.plan import PlanAbout
from unswayed.profiles.build import profile as build_profile
from unswayed.profiles.build import profile_table
from unswayed.profiles.orders import order_effect
from unswayed.profiles.outcomes import OutcomeRow, OutcomeTable
from unswayed.profiles.profile import Pair, Profile
from unswayed.profiles.sections import section_of
from unswayed.profiles.transcripts import ALL_PAIRS, Caps, Glance, choose, in_order, load
from unswayed.readable import check_keyed, check_readable
from unswayed.readouts.reading import readout_id
from unswayed.records import PAIRED, Record
from unswayed.rereading import compare_answers, read
from unswayed.rows import read_header, read_rows, read_value, write_rows, write_value
from unswayed.transcript import digest

if TYPE_CHECKING:
    from unswayed.report.replicated import Replicated

__all__ = [
    "Contract",
    "RecordsAbout",
    "RunFolder",
    "audit_plan",
    "check_model",
    "compute_profile",
    "compare_answers",
    "default_folder",
    "make_plan",
    "measure",
    "plan_about",
    "profile",
    "read",
    "report",
    "run",
    "sign_contract",
]


AUDITED = 20_000
"""Replays whose comparisons a report goes through; a larger plan is audited on a part."""


def plan_about(
    items: Sequence[Item], design: Design, *, benchmark: Benchmark | None, item_set: str
) -> PlanAbout:
    """Return the header of a plan: its digest covers design, items, wordings and benchmark.

    Raises:
        ConfoundError: When two cells that would be compared differ in more than one factor.
        ReadoutError: When there is no readout of the design's name.
    """
    readout_id(design.readout)
    name = benchmark.name if benchmark else "own design"
    version = benchmark.version if benchmark else 0
    items_digest = digest_of(items)
    parts = [design, items_digest, wording.catalog_sha256(), name, version]
    return PlanAbout(
        digest=digest(parts),
        benchmark=name,
        benchmark_version=version,
        design=design,
        item_set=item_set,
        items_digest=items_digest,
        wording_digest=wording.catalog_sha256(),
        n_items=len(items),
        version=__version__,
        section=benchmark.section if benchmark else "",
        notes=check_design(design),
    )


def make_plan(folder: RunFolder, items: Sequence[Item], about: PlanAbout) -> Budget:
    """Write items and plan, checked replay by replay, and return its budget.

    Nothing is written when a check fails. A folder that holds another plan is refused.

    Raises:
        ConfoundError: When what is sent differs between compared cells in more than a factor.
        PlanError: When a replay cannot be read against its control.
        ReadoutError: When the design's readout cannot read some item.
        StoreError: When the folder holds another plan.
    """
    design = about.design
    check_readable(items, design)
    known = folder.known_plan()
    if known and known != about.digest:
        raise StoreError(
            f"The folder {folder.path} holds another plan",
            allowed=f"plan {known}",
            given=f"plan {about.digest}{_moved(folder, about)}",
            next_step="choose a new folder; plans are never mixed",
        )
    counter = Counter(
        n_graded=len({item.family for item in items if item.truth is not None}),
        draws=design.draws,
        max_tokens=design.sampling.max_tokens,
    )
    known_items = {item.id: item for item in items}
    replays = check_keyed(cross(items, design), known_items, design.readout)
    replays = check_compared(check_replays(replays), known_items, design)
    replays = counter.count(replays)
    count = write_rows(folder.plan, "plan", replays, about=msgspec.to_builtins(about))
    budget = counter.budget()
    stated = {"n_replays": count, "n_requests": budget.n_requests}
    write_rows(folder.items, "items", items, about=stated)
    return budget


def audit_plan(folder: RunFolder, *, most: int | None = None) -> PlanAudit:
    """Say of every two cells of a plan that are compared what else differs between them.

    Args:
        folder: The run.
        most: Replays to audit, as whole items evenly spaced; None for all.
    """
    design, items = folder.about_plan().design, folder.read_items()
    step = 1 if most is None else max(1, math.ceil(folder.n_replays() / most))
    if step == 1:
        return audit_replays(folder.replays(), items, design)
    names = set(list(items)[::step])
    return audit_replays(folder.some_replays(lambda named: named.item in names), items, design)


def _moved(folder: RunFolder, about: PlanAbout) -> str:
    """Name the fields in which a plan differs from the one in the folder."""
    if not folder.plan.exists():
        return ""
    before, after = _stated(folder.about_plan()), _stated(about)
    moved = [name for name in after if before.get(name) != after[name]]
    parts = [f"{name} {before.get(name)} before, {after[name]} now" for name in moved]
    return "; ".join(["", *parts])


def _stated(about: PlanAbout) -> dict[str, object]:
    """Everything that the digest of a plan covers, by name."""
    design = msgspec.to_builtins(about.design)
    return {
        "benchmark": f"{about.benchmark}@{about.benchmark_version}",
        "items": about.items_digest,
        "wording files": about.wording_digest,
        **design.pop("sampling"),
        **design,
    }


def run(folder: RunFolder, model: Model, limits: Limits, progress: Progress) -> Progress:
    """Ask the model every replay of the plan that has no completion yet.

    Raises:
        ModelError: For a fault that retrying does not mend; what was answered is stored.
        KeyboardInterrupt: When `progress.cancel` has ended it.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run_here(folder, model, limits, progress)
    # A notebook runs a loop of its own: the run gets another one, in a thread.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_run_here, folder, model, limits, progress).result()


def _run_here(folder: RunFolder, model: Model, limits: Limits, progress: Progress) -> Progress:
    try:
        with asyncio.Runner(loop_factory=loop_for(model)) as runner:
            return runner.run(_run(folder, model, limits, progress))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _run(folder: RunFolder, model: Model, limits: Limits, progress: Progress) -> Progress:
    progress.max_seconds = limits.max_seconds
    try:
        with session(
            folder,
            batch=model.batch,
            concurrency=limits.concurrency,
            seconds=progress.seconds_to_limit,
        ) as (store, _):
            async with looking(folder, store, progress):
                return await run_replays(
                    folder.replays(),
                    model,
                    store,
                    sampling=folder.about_plan().design.sampling,
                    limits=limits,
                    progress=progress,
                )
    finally:
        await model.close()


def profile(folder: RunFolder, readout: str) -> Profile:
    """Compute the profile from the records of a readout, and write it."""
    found = compute_profile(folder, readout)
    write_value(folder.profile(readout), found)
    return found


def compute_profile(folder: RunFolder, readout: str) -> Profile:
    """Compute the profile from the records of a readout; writes nothing."""
    path = folder.records(readout)
    about = msgspec.convert(read_header(path, "records").about, RecordsAbout)
    expected = sum(arm.n for arm in about.reading.arms if arm.arm in PAIRED)
    notes = (*about.notes, *about.agreements)
    orders = None
    if len(folder.about_plan().design.orders) > 1:
        orders = order_effect(read_rows(path, "records", Record))
    if section_of(about.about.section) is None:
        # Only the outcomes are needed, and reading them alone takes half the time.
        outcomes = counted(read_rows(path, "records", OutcomeRow), expected, path)
        table = OutcomeTable(outcomes)
        return profile_table(table, about.about, about.reading, notes=notes, orders=orders)
    records = counted(read_rows(path, "records", Record), expected, path)
    return build_profile(records, about.about, about.reading, notes=notes, orders=orders)


def report(
    folder: RunFolder,
    readout: str,
    *,
    redact: bool = False,
    transcripts: bool = True,
    everything: bool = False,
) -> dict[str, Path]:
    """Write the report of a readout's profile, and return its files.

    Args:
        folder: The run.
        readout: The readout of the profile.
        redact: Hide item texts.
        transcripts: Show a stated choice of transcripts.
        everything: Also pack all pairs into the page, opened by one small script.
    """
    from unswayed.report import write_report

    found = read_value(folder.profile(readout), Profile)
    pairs: list[Pair] = []
    packed: list[Pair] = []
    totals: dict[str, int] | None = None
    if transcripts:
        pairs, totals = _pairs(folder, readout, Caps(), found.about.seed)
    if transcripts and everything:
        packed, _ = _pairs(folder, readout, ALL_PAIRS, found.about.seed)
    return write_report(
        folder.path,
        found,
        pairs,
        replicated=_replicated(folder, readout, found),
        audit=audit_plan(folder, most=AUDITED),
        totals=totals,
        packed=packed,
        redact=redact,
        transcripts=transcripts,
    )


def _replicated(folder: RunFolder, readout: str, found: Profile) -> Replicated | None:
    """Return why a published system's number and ours differ; None where none was run again."""
    from unswayed.replicas import REPLICAS
    from unswayed.replicas.telling import measured, replicated

    name = folder.about_plan().benchmark
    replica = next((each for each in REPLICAS.values() if each.benchmark.name == name), None)
    if replica is None:
        return None
    records = tuple(read_rows(folder.records(readout), "records", Record))
    return replicated(replica, measured(replica, records), found)


def _pairs(
    folder: RunFolder, readout: str, caps: Caps, seed: int
) -> tuple[list[Pair], dict[str, int]]:
    path = folder.records(readout)
    numbers, totals = choose(read_rows(path, "records", Glance), caps=caps, seed=seed)
    chosen = in_order(read_rows(path, "records", Record, only=numbers))
    sent = {read.replay for record in chosen for read in (record.pressured, record.control)}
    store = folder.open_store(writable=False)
    try:
        replays = folder.some_replays(lambda named: named.id in sent)
        return load(chosen, replays, store, folder.read_items()), totals
    finally:
        store.close()


def measure(
    model: Model,
    items: Sequence[Item],
    benchmark: Benchmark,
    *,
    to: Path | str,
    seed: int = 0,
    limits: Limits | None = None,
) -> Profile:
    """Plan, ask, read and profile in one call; called again it goes on and asks nothing twice.

    Args:
        model: The model.
        items: What it is asked about.
        benchmark: Arms, controls and readout.
        to: The run folder, which keeps everything.
        seed: Seed of the statistics.
        limits: Bounds of the run.

    Raises:
        IncompleteRunError: When replays are open at the end; what was answered is stored.
        UnswayedError: As each step of the line raises it.
    """
    folder = RunFolder(Path(to))
    about = plan_about(items, benchmark.design, benchmark=benchmark, item_set="given in Python")
    make_plan(folder, items, about)
    check_model(model, folder)
    contract = Contract(
        plan=about.digest,
        model=model.identity,
        seed=seed,
        command="unswayed.measure",
        version=__version__,
    )
    sign_contract(folder, contract)
    progress = run(folder, model, limits or Limits(), Progress())
    if not progress.complete:
        raise IncompleteRunError(
            f"The run in {folder.path} is incomplete",
            allowed=f"{progress.n_planned} replays with a completion",
            given=f"{progress.n_done} done; {progress.stopped or f'{progress.n_failed} failed'}",
            next_step="call it again; it asks what is open",
        )
    read(folder, benchmark.design.readout)
    return profile(folder, benchmark.design.readout)


def check_model(model: Model, folder: RunFolder) -> None:
    """Refuse a model that cannot take the plan's requests, before anything is spent.

    Raises:
        CapabilityError: When the model cannot score options, or cannot take the chats.
    """
    check = getattr(model, "check", None)
    if check is None:
        return
    seen: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
    for replay in folder.replays():
        key = (shape(replay.transcript), replay.options)
        if key not in seen:
            seen.add(key)
            check(Request(id=replay.id, transcript=replay.transcript, options=replay.options))

"""The line, one function for each arrow and one file for each result.

    items --cross--> plan --run--> completions --read--> answers --pair--> records
          --profile--> profile --> report

A run folder is self-contained: the items and the plan it was made from, the contract that says
which model answers it, the store, and what was computed from them. Nothing flows backward.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from unswayed import __version__, wording
from unswayed.benchmarks import Benchmark
from unswayed.errors import StoreError
from unswayed.folder import (
    Contract,
    RecordsAbout,
    RunFolder,
    counted,
    default_folder,
    digest_of,
    now,
    sign_contract,
)
from unswayed.items.item import Item
from unswayed.models.adapt import shape
from unswayed.models.protocol import Model, Request
from unswayed.models.run import Limits, Progress, run_replays
from unswayed.plans.budget import Budget, Counter
from unswayed.plans.check import check_design, check_replays
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.plans.plan import PlanAbout
from unswayed.profiles.build import profile as build_profile
from unswayed.profiles.profile import Pair, Profile
from unswayed.profiles.transcripts import Caps, choose, load
from unswayed.readouts.reading import readout_id
from unswayed.records import PAIRED, Record
from unswayed.rereading import compare_answers, read
from unswayed.rows import read_header, read_rows, read_value, write_rows, write_value
from unswayed.transcript import digest

__all__ = [
    "Contract",
    "RecordsAbout",
    "RunFolder",
    "check_model",
    "compare_answers",
    "default_folder",
    "make_plan",
    "plan_about",
    "profile",
    "read",
    "report",
    "run",
    "sign_contract",
]


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
        notes=check_design(design),
    )


def make_plan(folder: RunFolder, items: Sequence[Item], about: PlanAbout) -> Budget:
    """Write items and plan, checked replay by replay, and return its budget.

    Nothing is written when a check fails. A folder that holds another plan is refused.

    Raises:
        PlanError: When a replay cannot be read against its control.
        StoreError: When the folder holds another plan.
    """
    design = about.design
    known = folder.known_plan()
    if known and known != about.digest:
        raise StoreError(
            f"The folder {folder.path} holds another plan",
            allowed=f"plan {known}",
            given=f"plan {about.digest}",
            next_step="choose a new folder; plans are never mixed",
        )
    counter = Counter(draws=design.draws, max_tokens=design.sampling.max_tokens)
    replays = counter.count(check_replays(cross(items, design)))
    count = write_rows(folder.plan, "plan", replays, about=msgspec.to_builtins(about))
    write_rows(folder.items, "items", items, about={"n_replays": count})
    return counter.budget()


def run(folder: RunFolder, model: Model, limits: Limits, progress: Progress) -> Progress:
    """Ask the model every replay of the plan that has no completion yet.

    Raises:
        ModelError: For a fault that retrying does not mend; what was answered is stored.
    """
    return asyncio.run(_run(folder, model, limits, progress))


async def _run(folder: RunFolder, model: Model, limits: Limits, progress: Progress) -> Progress:
    store = folder.open_store(writable=True)
    try:
        session = store.begin_session(now())
        try:
            return await run_replays(
                folder.replays(),
                model,
                store,
                sampling=folder.about_plan().design.sampling,
                limits=limits,
                progress=progress,
            )
        finally:
            store.end_session(session, now())
    finally:
        store.close()
        await model.close()


def profile(folder: RunFolder, readout: str) -> Profile:
    """Compute the profile from the records of a readout, and write it."""
    path = folder.records(readout)
    about = msgspec.convert(read_header(path, "records").about, RecordsAbout)
    expected = sum(arm.n for arm in about.reading.arms if arm.arm in PAIRED)
    records = counted(read_rows(path, "records", Record), expected, path)
    found = build_profile(records, about.about, about.reading, notes=about.notes)
    write_value(folder.profile(readout), found)
    return found


def report(
    folder: RunFolder, readout: str, *, redact: bool = False, transcripts: bool = True
) -> dict[str, Path]:
    """Write the report of a readout's profile, and return its files."""
    from unswayed.report import write_report

    found = read_value(folder.profile(readout), Profile)
    pairs: list[Pair] = []
    totals: dict[str, int] | None = None
    if transcripts:
        records = read_rows(folder.records(readout), "records", Record)
        chosen, totals = choose(records, caps=Caps(), seed=found.about.seed)
        store = folder.open_store(writable=False)
        try:
            pairs = load(chosen, folder.replays(), store, folder.read_items())
        finally:
            store.close()
    return write_report(
        folder.path, found, pairs, totals=totals, redact=redact, transcripts=transcripts
    )


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

"""The line, one function for each arrow and one file for each result.

    items --cross--> plan --run--> completions --read--> answers --pair--> records
          --profile--> profile --> report

A run folder is self-contained: the items and the plan it was made from, the contract that says
which model answers it, the store, and what was computed from them. Nothing flows backward.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from unswayed import __version__, wording
from unswayed.benchmarks import Benchmark
from unswayed.errors import StoreError
from unswayed.items.item import Item
from unswayed.models.adapt import shape
from unswayed.models.completion import Completion
from unswayed.models.protocol import Identity, Model, Price, Request
from unswayed.models.run import Limits, Progress, run_replays
from unswayed.models.store import Store
from unswayed.plans.budget import Budget, Counter
from unswayed.plans.check import check_design, check_replays
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.plans.plan import PlanAbout, Replay
from unswayed.plans.render import OPTIONS, listed_options
from unswayed.profiles.build import profile as build_profile
from unswayed.profiles.profile import About, Pair, Profile
from unswayed.profiles.transcripts import Caps, choose, load
from unswayed.readouts.answer import Answer, Asked, Reading
from unswayed.readouts.reading import read_completion, readout_id
from unswayed.records import PAIRED, ReadingCount, Record, count_readings, pair
from unswayed.rows import read_header, read_rows, read_value, write_rows, write_value
from unswayed.transcript import digest

Row = TypeVar("Row")


class Contract(msgspec.Struct, frozen=True, kw_only=True):
    """Which model answers which plan: what may never be mixed in one folder."""

    plan: str
    """Digest of the plan."""
    model: Identity
    """The model."""
    seed: int
    """Seed of the statistics and of scripted respondents."""
    command: str
    """Command line that started the run; not part of the digest."""
    version: str
    """Toolkit version that started the run; not part of the digest."""
    price: Price | None = None
    """Price of the model; not part of the digest."""

    @property
    def owner(self) -> str:
        """Digest under which the store belongs to this run."""
        return digest({"plan": self.plan, "model": self.model, "seed": self.seed})


class RecordsAbout(msgspec.Struct, frozen=True, kw_only=True):
    """The header of the records: all that the profile needs beside the rows."""

    about: About
    """What was run."""
    reading: ReadingCount
    """How each arm was read."""
    notes: tuple[str, ...] = ()
    """Comparisons that the plan calls confounded or restricted."""


class RunFolder:
    """Where a run keeps its files."""

    def __init__(self, path: Path) -> None:
        if path.exists() and not path.is_dir():
            raise StoreError(
                f"{path} is a file and no run folder",
                allowed="a folder, or a name that is not taken",
                given=str(path),
                next_step="choose another folder",
            )
        self.path = path
        self.items = path / "items.jsonl"
        self.plan = path / "plan.jsonl"
        self.contract = path / "contract.json"
        self.store = path / "store.sqlite"

    def answers(self, readout: str) -> Path:
        """The answers of one readout; the plan's own and every later one stay side by side."""
        return self.path / f"answers.{_slug(readout)}.jsonl"

    def records(self, readout: str) -> Path:
        """The records of one readout."""
        return self.path / f"records.{_slug(readout)}.jsonl"

    def profile(self, readout: str) -> Path:
        """The profile of one readout."""
        return self.path / f"profile.{_slug(readout)}.json"

    def about_plan(self) -> PlanAbout:
        """Read the plan's header.

        Raises:
            StoreError: When the folder has no plan.
        """
        if not self.plan.exists():
            raise StoreError(
                f"There is no plan in {self.path}",
                allowed="a folder that `unswayed plan` or `unswayed run` has written",
                given=str(self.path),
                next_step="make the plan first",
            )
        return msgspec.convert(read_header(self.plan, "plan").about, PlanAbout)

    def known_plan(self) -> str:
        """Return the digest of the plan that the folder belongs to; empty for a new folder."""
        if self.plan.exists():
            return self.about_plan().digest
        return self.read_contract().plan if self.contract.exists() else ""

    def replays(self) -> Iterator[Replay]:
        """Yield the plan's replays.

        Raises:
            StoreError: At the end, when the file holds fewer or more than were planned.
        """
        expected = read_header(self.items, "items").about.get("n_replays")
        return _counted(read_rows(self.plan, "plan", Replay), expected, self.plan)

    def read_items(self) -> dict[str, Item]:
        """Return the items by id.

        Raises:
            StoreError: When they are not the items that the plan was made from.
        """
        items = {item.id: item for item in read_rows(self.items, "items", Item)}
        expected = self.about_plan().items_digest
        if _digest_of(items.values()) != expected:
            raise StoreError(
                f"The items in {self.items} are not those that the plan was made from",
                allowed=f"items with the digest {expected}",
                given=f"{len(items)} items with the digest {_digest_of(items.values())}",
                next_step="restore the file, or make the plan again in a new folder",
            )
        return items

    def read_contract(self) -> Contract:
        """Read the contract.

        Raises:
            StoreError: When no run was started here.
        """
        if not self.contract.exists():
            raise StoreError(
                f"No run was started in {self.path}",
                allowed="a run folder with a contract",
                given=str(self.path),
                next_step="run `unswayed run` first",
            )
        return read_value(self.contract, Contract)

    def open_store(self, *, writable: bool) -> Store:
        """Open the store under the contract."""
        return Store(self.store, self.read_contract().owner, writable=writable)


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
    items_digest = _digest_of(items)
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


def sign_contract(folder: RunFolder, contract: Contract) -> None:
    """Write the contract, or check it against the one that is there.

    Raises:
        StoreError: Naming what differs, when the folder belongs to another model or plan.
    """
    if not folder.contract.exists():
        write_value(folder.contract, contract)
        return
    known = folder.read_contract()
    if known.owner == contract.owner:
        return
    before, after = msgspec.to_builtins(known), msgspec.to_builtins(contract)
    differing = [
        f"{name}: {before[name]!r} before, {after[name]!r} now"
        for name in ("plan", "model", "seed")
        if before[name] != after[name]
    ]
    raise StoreError(
        f"The folder {folder.path} belongs to another run",
        allowed="the same plan, model, sampling and seed",
        given="; ".join(differing),
        next_step="choose a new folder with --to; runs are never mixed",
    )


def run(folder: RunFolder, model: Model, limits: Limits, progress: Progress) -> Progress:
    """Ask the model every replay of the plan that has no completion yet.

    Raises:
        ModelError: For a fault that retrying does not mend; what was answered is stored.
    """
    return asyncio.run(_run(folder, model, limits, progress))


async def _run(folder: RunFolder, model: Model, limits: Limits, progress: Progress) -> Progress:
    store = folder.open_store(writable=True)
    try:
        session = store.begin_session(_now())
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
            store.end_session(session, _now())
    finally:
        store.close()
        await model.close()


class Usage(msgspec.Struct, kw_only=True):
    """What the stored completions say about their cost."""

    n_asked: int = 0
    """Requests that were sent."""
    prompt: int | None = None
    """Prompt tokens; None when no reply stated them."""
    cached: int | None = None
    """Prompt tokens read from the endpoint's cache."""
    written: int | None = None
    """Written tokens."""
    n_unstated: int = 0
    """Replies without usage fields."""

    def add(self, completion: Completion) -> None:
        """Count one completion."""
        self.n_asked += completion.attempts > 0
        self.n_unstated += completion.n_prompt_tokens is None
        for name, value in (
            ("prompt", completion.n_prompt_tokens),
            ("cached", completion.n_cached_tokens),
            ("written", completion.n_completion_tokens),
        ):
            if value is not None:
                setattr(self, name, (getattr(self, name) or 0) + value)


def read(folder: RunFolder, readout: str) -> ReadingCount:
    """Read the stored completions with a readout; writes answers and records.

    Reading again with another readout leaves earlier answers where they are and asks nothing.
    """
    items = folder.read_items()
    usage = Usage()
    answers = dict(_answers(folder, items, readout, usage))
    write_rows(
        folder.answers(readout),
        "answers",
        answers.values(),
        about={"readout": readout_id(readout)},
    )
    counts = count_readings(folder.replays(), answers, items)
    about = RecordsAbout(
        about=_about(folder, items, readout, usage),
        reading=counts,
        notes=folder.about_plan().notes,
    )
    write_rows(
        folder.records(readout),
        "records",
        pair(folder.replays(), answers, items),
        about=msgspec.to_builtins(about),
    )
    return counts


def _answers(
    folder: RunFolder, items: dict[str, Item], readout: str, usage: Usage
) -> Iterator[tuple[str, Answer]]:
    name = readout_id(readout)
    store = folder.open_store(writable=False)
    try:
        completions = dict(store.completions())
        failures = store.failures()
        usage.n_asked = len(failures)
    finally:
        store.close()
    for replay in folder.replays():
        completion = completions.get(replay.id)
        if completion is not None:
            usage.add(completion)
            reading = _read_replay(replay, completion, items[replay.item], readout)
        elif replay.id in failures:
            reading = Reading(reason="machine_error", detail=failures[replay.id].error or "")
        else:
            reading = Reading(reason="machine_error", detail="never asked")
        yield replay.id, Answer(replay_id=replay.id, readout=name, reading=reading)


def _read_replay(replay: Replay, completion: Completion, item: Item, readout: str) -> Reading:
    if not replay.options:
        return read_completion(completion, _asked(replay, item), readout)
    # Scored texts stand in the order of the item's options, said bare or in a sentence.
    asked = Asked(form=item.answer_form, options=replay.options)
    reading = read_completion(completion, asked, readout)
    said = dict(zip(replay.options, item.options, strict=True))
    return msgspec.structs.replace(
        reading,
        value=None if reading.value is None else said[reading.value],
        candidates=tuple(said[text] for text in reading.candidates),
    )


def _asked(replay: Replay, item: Item) -> Asked:
    listed = any(
        part.tag == OPTIONS for message in replay.transcript.messages for part in message.parts
    )
    options = listed_options(item, replay.condition.get("order", "given"))
    aliases = []
    for option in options:
        truth, target = option == item.truth, option == item.target
        aliases.append(item.truth_aliases if truth else item.target_aliases if target else ())
    return Asked(
        form="choice" if listed else item.answer_form,
        options=options,
        listed=listed,
        aliases=tuple(aliases),
    )


def _about(folder: RunFolder, items: dict[str, Item], readout: str, usage: Usage) -> About:
    plan, contract = folder.about_plan(), folder.read_contract()
    store = folder.open_store(writable=False)
    try:
        sessions = store.sessions()
    finally:
        store.close()
    kinds: dict[str, int] = {}
    for item in items.values():
        kinds[item.kind] = kinds.get(item.kind, 0) + 1
    sampling = msgspec.to_builtins(plan.design.sampling)
    options = {item.id: len(item.options) for item in items.values() if item.options}
    return About(
        command=contract.command,
        model=contract.model.name,
        endpoint=contract.model.endpoint,
        simulated=contract.model.simulated,
        plan=plan.digest,
        item_set=plan.item_set,
        n_items=len(items),
        n_families=len({item.family for item in items.values()}),
        kinds=kinds,
        draws=plan.design.draws,
        controls=plan.design.controls,
        readout=readout_id(readout),
        sampling={
            name: "provider default" if value in (None, ()) else str(value)
            for name, value in sampling.items()
        },
        seed=contract.seed,
        started=sessions[0][0] if sessions else "",
        finished=(sessions[-1][1] or "") if sessions else "",
        version=contract.version,
        n_replays=sum(1 for _ in folder.replays()),
        n_asked=usage.n_asked,
        cost=_cost(contract, usage),
        tokens={"prompt": usage.prompt, "cached": usage.cached, "written": usage.written},
        caveat=contract.model.details.get("caveat", ""),
        chance=sum(1 / n for n in options.values()) / len(options) if options else None,
    )


def _cost(contract: Contract, usage: Usage) -> str:
    if contract.model.kind != "http":
        return "none (runs in this process)"
    if contract.price is None:
        return "unknown (no price given)"
    if usage.prompt is None or usage.written is None or usage.n_unstated:
        return f"unknown ({usage.n_unstated} replies without token usage)"
    price = contract.price
    paid = usage.prompt * price.prompt_per_million + usage.written * price.completion_per_million
    return f"{paid / 1e6:.2f} {price.currency}"


def profile(folder: RunFolder, readout: str) -> Profile:
    """Compute the profile from the records of a readout, and write it."""
    path = folder.records(readout)
    about = msgspec.convert(read_header(path, "records").about, RecordsAbout)
    expected = sum(arm.n for arm in about.reading.arms if arm.arm in PAIRED)
    records = _counted(read_rows(path, "records", Record), expected, path)
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


def default_folder(benchmark: str, model: str, plan: str, *, root: Path = Path("runs")) -> Path:
    """Name a run folder after what is in it; the same run finds the same folder again."""
    return root / f"{_slug(benchmark)}-{_slug(model)}-{plan[:8]}"


def _digest_of(items: Iterable[Item]) -> str:
    return digest([digest(item) for item in items])


def _counted(rows: Iterator[Row], expected: int | None, path: Path) -> Iterator[Row]:
    """Pass rows on; a file that was cut between two rows is noticed at its end."""
    count = 0
    for row in rows:
        count += 1
        yield row
    if expected is not None and count != expected:
        raise StoreError(
            f"The file {path} is not whole",
            allowed=f"{expected} rows",
            given=f"{count} rows",
            next_step="restore the file, or write it again with the command that made it",
        )


def _slug(text: str) -> str:
    """Return a name that every file system takes."""
    return re.sub(r"[^A-Za-z0-9@._-]+", "_", text).strip("._") or "run"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

"""The run folder: its files, and the contract that says whose they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from unswayed.errors import StoreError, UsageError
from unswayed.items.item import Item
from unswayed.models.protocol import Identity, Price
from unswayed.models.shards import Shards
from unswayed.models.store import Store
from unswayed.plans.check import check_controls
from unswayed.plans.plan import Place, PlanAbout, Replay
from unswayed.profiles.profile import About
from unswayed.records import ReadingCount
from unswayed.rows import read_header, read_rows, read_value, write_value
from unswayed.transcript import digest

Row = TypeVar("Row")


BATCH = "batch of session "
"""Fact of the store, by session: how many requests one call to the model took."""

CONCURRENCY = "concurrency of session "
"""Fact of the store, by session: the most requests at once."""


TIME_LIMIT = "seconds to the time limit of session "
"""Fact of the store, by session that has one: seconds from its start to the time limit."""

BEFORE = "done before session "
"""Fact of the store, by session: how many completions there were when it began."""


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
    """Price of the model, as last stated; not part of the digest."""

    @property
    def owner(self) -> str:
        """Digest under which the store belongs to this run."""
        return digest({"plan": self.plan, "model": self.model, "seed": self.seed})


LONGEST_NAME = 100
"""Characters of a run folder's name before its digest."""


class RecordsAbout(msgspec.Struct, frozen=True, kw_only=True):
    """The header of the records: all that the profile needs beside the rows."""

    about: About
    """What was run."""
    reading: ReadingCount
    """How each arm was read."""
    agreements: tuple[str, ...] = ()
    """How far another judge of the same run agrees, one sentence each."""
    notes: tuple[str, ...] = ()
    """Comparisons that the plan calls confounded or restricted."""


class Named(msgspec.Struct, frozen=True, gc=False):
    """As much of a replay as names it."""

    id: str
    """Id of the replay."""
    item: str
    """Id of its item."""


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
        return self.path / f"answers.{slug(readout)}.jsonl"

    def records(self, readout: str) -> Path:
        """The records of one readout."""
        return self.path / f"records.{slug(readout)}.jsonl"

    def profile(self, readout: str) -> Path:
        """The profile of one readout."""
        return self.path / f"profile.{slug(readout)}.json"

    def readings(self) -> tuple[str, ...]:
        """Return the names of the readouts, a judge's too, that have read this run."""
        paths = self.path.glob("records.*.jsonl")
        return tuple(sorted(path.name[len("records.") : -len(".jsonl")] for path in paths))

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
            PlanError: For a control that is the first answer or a screening draw.
            StoreError: At the end, when the file holds fewer or more than were planned.
        """
        expected = read_header(self.items, "items").about.get("n_replays")
        return check_controls(counted(read_rows(self.plan, "plan", Replay), expected, self.plan))

    def places(self) -> Iterator[Place]:
        """Yield the plan's replays without what they send, which reads in half the time.

        Raises:
            StoreError: At the end, when the file holds fewer or more than were planned.
        """
        return counted(read_rows(self.plan, "plan", Place), self.n_replays(), self.plan)

    def some_replays(self, wanted: Callable[[Named], bool]) -> Iterator[Replay]:
        """Yield the plan's replays that are wanted; the others are hardly read.

        Raises:
            StoreError: When the file holds fewer or more than were planned.
        """
        names = counted(read_rows(self.plan, "plan", Named), self.n_replays(), self.plan)
        numbers = {number for number, named in enumerate(names) if wanted(named)}
        return read_rows(self.plan, "plan", Replay, only=numbers)

    def n_replays(self) -> int:
        """Return how many replays were planned, as the header of the items says."""
        stated = read_header(self.items, "items").about.get("n_replays")
        return stated if isinstance(stated, int) else sum(1 for _ in self.replays())

    def n_requests(self) -> int:
        """Return how many distinct requests that is; each is asked once."""
        stated = read_header(self.items, "items").about.get("n_requests")
        return stated if isinstance(stated, int) else self.n_replays()

    def read_items(self) -> dict[str, Item]:
        """Return the items by id.

        Raises:
            StoreError: When they are not the items that the plan was made from.
        """
        items = {item.id: item for item in read_rows(self.items, "items", Item)}
        expected = self.about_plan().items_digest
        if digest_of(items.values()) != expected:
            raise StoreError(
                f"The items in {self.items} are not those that the plan was made from",
                allowed=f"items with the digest {expected}",
                given=f"{len(items)} items with the digest {digest_of(items.values())}",
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


@contextmanager
def session(
    folder: RunFolder, *, batch: int, concurrency: int, seconds: float | None = None
) -> Iterator[tuple[Store, int]]:
    """Hold the store for one session of a run, and yield it with the session's number.

    What workers of a distributed session left behind is taken in first.

    Args:
        folder: The run.
        batch: How many requests one call to the model takes.
        concurrency: Most requests at once.
        seconds: Seconds until a time limit ends it; None without one.

    Raises:
        StoreError: When the store is damaged, in use, or of another run.
        DiskError: When it cannot be written.
    """
    store = folder.open_store(writable=True)
    try:
        Shards(folder.store, store.owner).take_in_all(store)
        number = store.begin_session(now())
        store.state(f"{BEFORE}{number}", str(store.n_done()))
        store.state(f"{BATCH}{number}", str(batch))
        store.state(f"{CONCURRENCY}{number}", str(concurrency))
        if seconds is not None:
            store.state(f"{TIME_LIMIT}{number}", f"{seconds:.3f}")
        try:
            yield store, number
        except BaseException:
            # What ended the session is told, also where its end cannot be noted.
            with suppress(StoreError):
                store.end_session(number, now())
            raise
        store.end_session(number, now())
    finally:
        store.close()


def sign_contract(folder: RunFolder, contract: Contract) -> None:
    """Write the contract, or check it against the one that is there.

    Raises:
        StoreError: Naming what differs, when the folder belongs to another model or plan.
        UsageError: When the seed is negative, before anything is asked under it.
    """
    if contract.seed < 0:
        raise UsageError(
            "The seed of a run is negative",
            allowed="a whole number, 0 or more",
            given=str(contract.seed),
            next_step="state another seed",
        )
    if not folder.contract.exists():
        write_value(folder.contract, contract)
        return
    known = folder.read_contract()
    if known.owner == contract.owner:
        # A price is no part of what was asked; the last one stated holds for the whole run.
        if contract.price not in (None, known.price):
            write_value(folder.contract, msgspec.structs.replace(known, price=contract.price))
        return
    before, after = flat(msgspec.to_builtins(known)), flat(msgspec.to_builtins(contract))
    differing = [
        f"{name}: {before.get(name)!r} before, {after.get(name)!r} now"
        for name in sorted(before.keys() | after.keys())
        if name.partition(".")[0] in ("plan", "model", "seed")
        and before.get(name) != after.get(name)
    ]
    raise StoreError(
        f"The folder {folder.path} belongs to another run",
        allowed="the same plan, model, sampling and seed",
        given="; ".join(differing),
        next_step="choose a new folder with --to; runs are never mixed",
    )


def flat(value: object, name: str = "") -> dict[str, object]:
    """Return nested fields as one table, with names such as `model.details.seed`."""
    if not isinstance(value, dict):
        return {name: value}
    found: dict[str, object] = {}
    for key, inner in value.items():
        found |= flat(inner, f"{name}.{key}" if name else str(key))
    return found


def default_folder(benchmark: str, model: str, plan: str, *, root: Path = Path("runs")) -> Path:
    """Name a run folder after what is in it; the same run finds the same folder again.

    Two models whose names look alike once made safe for file systems, such as `a/b` and `a:b`,
    have two folders; the contract in the folder states the name as it was given.
    """
    name = f"{slug(benchmark)}-{slug(model)}"[:LONGEST_NAME].rstrip(".")
    return root / f"{name}-{digest([plan, model])[:8]}"


def digest_of(items: Iterable[Item]) -> str:
    """Return the digest of a set of items in order."""
    return digest([digest(item) for item in items])


def counted(rows: Iterator[Row], expected: int | None, path: Path) -> Iterator[Row]:
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


def slug(text: str) -> str:
    """Return a name that every file system takes."""
    return re.sub(r"[^A-Za-z0-9@._-]+", "_", text).strip("._") or "run"


def now() -> str:
    """Return the time in UTC, to the second, in ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")

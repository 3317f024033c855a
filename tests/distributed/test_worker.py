"""A worker: the engine of a local run on one chunk, and what it says of it."""

from __future__ import annotations

import pickle
from pathlib import Path

import msgspec
import pytest
from cli import background
from servers import KEY, reply, status

from unswayed import line
from unswayed.distributed.chunks import Chunk, cut
from unswayed.distributed.worker import Job, Tally, Worker, add_up
from unswayed.errors import ModelError, StoreError
from unswayed.folder import Contract, RunFolder, session, sign_contract
from unswayed.items.builtin import builtin_items
from unswayed.models.opening import Reach, open_model
from unswayed.models.progress import Limits, Progress
from unswayed.models.protocol import Price
from unswayed.models.shards import Shards
from unswayed.plans.design import Design
from unswayed.rows import encode

ITEMS = builtin_items(("fact",))[:6]
DESIGN = Design(pressures=("assertion",), turns=2, names=("target",), listed=True)
SCRIPT = "scripted:always_yields"


class Batch(list):
    """A column, as Daft would hand it over."""

    def to_pylist(self) -> list[bytes]:
        """Return the values."""
        return list(self)


def begin(path: Path, model: str = SCRIPT, reach: Reach | None = None) -> tuple[RunFolder, Job]:
    """Plan a run and sign its contract."""
    folder, reach = RunFolder(path), reach or Reach(concurrency=4)
    about = line.plan_about(ITEMS, DESIGN, benchmark=None, item_set="made")
    line.make_plan(folder, ITEMS, about)
    contract = Contract(
        plan=about.digest,
        model=open_model(model, ITEMS, reach=reach).identity,
        seed=0,
        command="test",
        version="0",
    )
    sign_contract(folder, contract)
    return folder, Job(model=model, reach=reach, seed=0, folder=str(path))


def ask(job: Job, chunks: list[Chunk]) -> list[Tally]:
    """Ask chunks as Daft would."""
    return [pickle.loads(raw) for raw in Worker(job).ask(Batch(map(encode, chunks)))]


def chunks_of(folder: RunFolder, size: int = 30) -> list[Chunk]:
    """Cut what is open."""
    with session(folder, batch=1, concurrency=4) as (store, number):
        return list(cut(folder.replays(), store, size=size, prefix=f"{number}-", given=set()))


def replies(folder: RunFolder) -> dict[str, str]:
    """Return the stored replies by replay id."""
    store = folder.open_store(writable=False)
    try:
        return {name: completion.text for name, completion in store.completions()}
    finally:
        store.close()


def run_here(folder: RunFolder) -> Progress:
    """Ask what is open in this process."""
    model = open_model(SCRIPT, ITEMS, reach=Reach())
    return line.run(folder, model, Limits(), Progress())


def test_chunks_and_a_local_run_give_the_same_replies(tmp_path: Path) -> None:
    """Workers' shards, taken in by the next session, hold what a local run would have stored."""
    folder, job = begin(tmp_path / "far")
    chunks = chunks_of(folder)
    progress = Progress()
    add_up(progress, ask(job, chunks))
    assert len(chunks) > 1
    assert progress.n_asked == folder.n_replays()
    assert run_here(folder).n_asked == 0
    near, _ = begin(tmp_path / "near")
    run_here(near)
    assert replies(folder) == replies(near)


def test_local_and_distributed_sessions_resume_each_other(tmp_path: Path) -> None:
    """Each session asks exactly what no session before it was answered."""
    folder, job = begin(tmp_path / "run")
    first = chunks_of(folder)
    asked = ask(job, first[:1])[0].counts["n_asked"]
    assert asked == len(first[0].replays)
    stopping = Progress()
    model = open_model(SCRIPT, ITEMS, reach=Reach())
    line.run(folder, model, Limits(max_seconds=1e-9), stopping)
    assert stopping.stopped
    assert len(replies(folder)) == asked + stopping.n_asked
    rest = chunks_of(folder)
    assert sum(len(chunk.replays) for chunk in rest) == folder.n_replays() - len(replies(folder))
    ask(job, rest)
    assert run_here(folder).complete


def test_a_chunk_that_is_asked_anew_goes_on_where_its_shard_ends(tmp_path: Path) -> None:
    """A scheduler that starts a lost worker again makes it ask only what is missing."""
    folder, job = begin(tmp_path / "run")
    (chunk,) = chunks_of(folder, size=10_000)
    half = msgspec.structs.replace(chunk, replays=chunk.replays[: len(chunk.replays) // 2])
    ask(job, [half])
    (again,) = ask(job, [chunk])
    assert again.counts["n_asked"] == len(chunk.replays) - len(half.replays)
    assert again.counts["n_waiting"] == 0


def test_a_worker_that_is_told_to_end_asks_nothing(tmp_path: Path) -> None:
    """The order stands in the folder that all workers see."""
    folder, job = begin(tmp_path / "run")
    chunks = chunks_of(folder)
    Shards(folder.store, folder.read_contract().owner).stop()
    tallies = ask(job, chunks)
    assert {tally.stopped for tally in tallies} == {"told to end"}
    assert sum(tally.counts["n_asked"] for tally in tallies) == 0


def test_a_chunk_keeps_its_part_of_the_budget(tmp_path: Path) -> None:
    """A chunk stops at its share; quoted replies of earlier sessions are not paid again."""
    price = Price(prompt_per_million=1e6, completion_per_million=0)
    with background(reply("(A)")) as server:
        reach = Reach(base_url=server.url, concurrency=1, price=price)
        folder, job = begin(tmp_path / "run", "tester", reach)
        (chunk,) = chunks_of(folder, size=10_000)
        cost = 12.0
        job = msgspec.structs.replace(job, cost_per_replay=cost / 2)
        (tally,) = ask(job, [chunk])
    assert tally.stopped == "the cost limit was reached"
    assert tally.cost is not None
    assert 0 < tally.cost <= cost / 2 * len(chunk.replays) + 100
    assert 0 < tally.counts["n_asked"] < len(chunk.replays)


def test_a_fault_comes_back_as_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused key ends the chunk with the error of a local run, and without the key."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with background(status(401)) as server:
        folder, job = begin(tmp_path / "run", "tester", Reach(base_url=server.url))
        (tally, *_) = ask(job, chunks_of(folder))
    assert isinstance(tally.fault, ModelError)
    assert KEY not in str(tally.fault)


def test_a_folder_that_a_worker_does_not_see_is_one_clear_error(tmp_path: Path) -> None:
    """The error says that the folder has to be shared."""
    folder, job = begin(tmp_path / "run")
    chunks = chunks_of(folder)
    (tally, *_) = ask(msgspec.structs.replace(job, folder=str(tmp_path / "other")), chunks)
    assert isinstance(tally.fault, StoreError)
    assert "shared file system" in str(tally.fault)


def test_a_worker_with_another_model_is_refused(tmp_path: Path) -> None:
    """What answers is what the contract names, on every machine."""
    folder, job = begin(tmp_path / "run")
    changed = msgspec.structs.replace(job, model="scripted:never_yields")
    (tally, *_) = ask(changed, chunks_of(folder))
    assert isinstance(tally.fault, StoreError)
    assert "another model" in str(tally.fault)

"""Chunks: the plan minus the store, item by item, with the replies that are quoted."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from unswayed.distributed.chunks import LARGEST, SMALLEST, Chunk, cut, size_of, write_chunks
from unswayed.items.builtin import builtin_items
from unswayed.models.completion import Completion
from unswayed.models.store import Store
from unswayed.plans.cross import cross
from unswayed.plans.design import Design

ITEMS = builtin_items(("fact",))[:8]
REPLAYS = list(cross(ITEMS, Design(pressures=("assertion",), turns=2, listed=True)))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    opened = Store(tmp_path / "store.sqlite", "owner")
    yield opened
    opened.close()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(done=st.sets(st.sampled_from(range(len(REPLAYS)))), size=st.integers(1, 60))
def test_chunks_hold_exactly_what_is_missing(
    done: set[int], size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each open replay once, no item in two chunks, and every quoted stored reply beside it."""
    store = Store(tmp_path_factory.mktemp("s") / "store.sqlite", "owner")
    try:
        store.add((REPLAYS[n].id, Completion(text=str(n))) for n in done)
        chunks = list(cut(REPLAYS, store, size=size, prefix="x-", given=set()))
    finally:
        store.close()
    asked = [replay.id for chunk in chunks for replay in chunk.replays]
    assert asked == [replay.id for n, replay in enumerate(REPLAYS) if n not in done]
    items = [{replay.item for replay in chunk.replays} for chunk in chunks]
    assert sum(map(len, items)) == len(set().union(*items))
    assert len({chunk.name for chunk in chunks}) == len(chunks)
    stored = {REPLAYS[n].id for n in done}
    for chunk in chunks:
        quoted = {name for replay in chunk.replays for name in replay.transcript.pending()}
        assert set(chunk.earlier) == quoted & stored
        assert quoted <= set(chunk.earlier) | {replay.id for replay in chunk.replays}


def test_a_finished_plan_has_no_chunks(store: Store) -> None:
    """Nothing is cut where nothing is missing."""
    store.add((replay.id, Completion(text="x")) for replay in REPLAYS)
    assert list(cut(REPLAYS, store, size=10, prefix="x-", given=set())) == []


def test_what_several_items_ask_alike_is_never_with_two_workers(store: Store) -> None:
    """Twins share a chunk or wait for a round of their own; a failed request is not drawn again."""
    twins = [*ITEMS[:3], *(msgspec.structs.replace(item, id=f"{item.id}-b") for item in ITEMS[:3])]
    replays = list(cross(twins, Design(pressures=("assertion",), turns=2, listed=True)))
    distinct = {replay.id for replay in replays}
    assert len(distinct) < len(replays)
    given: set[bytes] = set()
    rounds = 0
    while chunks := list(cut(replays, store, size=10, prefix=f"{rounds}-", given=given)):
        asked = [{replay.id for replay in chunk.replays} for chunk in chunks]
        assert sum(map(len, asked)) == len(set().union(*asked))
        failed = min(asked[0])
        store.add((name, Completion(text=name)) for name in set().union(*asked) - {failed})
        rounds += 1
    assert {name.hex() for name in given} == distinct
    assert len(distinct) - rounds <= store.n_done() < len(distinct)


def test_chunks_survive_parquet(store: Store, tmp_path: Path) -> None:
    """What a worker reads is what was cut, one row group a chunk."""
    chunks = list(cut(REPLAYS, store, size=40, prefix="x-", given=set()))
    assert write_chunks(tmp_path / "deep" / "plan.parquet", chunks) == len(chunks) > 1
    file = parquet.ParquetFile(tmp_path / "deep" / "plan.parquet")
    assert file.num_row_groups == len(chunks)
    bodies = file.read(columns=["body"])["body"].to_pylist()
    assert [msgspec.json.decode(body, type=Chunk) for body in bodies] == chunks


def test_chunks_are_neither_tiny_nor_huge() -> None:
    """Every worker gets several, within bounds."""
    assert size_of(10, 4) == SMALLEST
    assert size_of(10_000_000, 4) == LARGEST
    assert SMALLEST < size_of(6_400, 4) == 200 < LARGEST

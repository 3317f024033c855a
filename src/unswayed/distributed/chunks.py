"""Cuts what is open of a plan into chunks that workers ask on their own.

An item is never cut, so a worker has every reply that its replays wait for: it asks for it
itself, or it comes with the chunk.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import msgspec

from unswayed.models.completion import Completion
from unswayed.models.store import Store
from unswayed.plans.plan import Replay
from unswayed.rows import encode, replacing

CHUNKS_PER_WORKER = 8
"""Chunks that each worker gets on average: enough that none waits long for the last one."""

SMALLEST, LARGEST = 50, 2_000
"""Replays of a chunk: enough to fill a connection pool, few enough to see the run go on."""


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Open replays of whole items, and the earlier replies that they need."""

    name: str
    """Name of the chunk and of its shard."""
    replays: tuple[Replay, ...]
    """Replays without a completion, item by item."""
    earlier: dict[str, Completion] = {}
    """Stored completions by replay id that the replays quote."""


def size_of(n_open: int, workers: int) -> int:
    """Return how many replays a chunk should hold at least."""
    return min(max(math.ceil(n_open / (workers * CHUNKS_PER_WORKER)), SMALLEST), LARGEST)


def cut(
    replays: Iterable[Replay], store: Store, *, size: int, prefix: str, given: set[bytes]
) -> Iterator[Chunk]:
    """Yield chunks of what has no stored completion: the plan minus the store.

    An item that asks what an earlier chunk asks too is put off, so that two workers never draw the
    same reply: cut again once those chunks are stored.

    Args:
        replays: The plan, item by item; consumed as a stream.
        store: Completions of earlier sessions and rounds.
        size: A chunk ends with the item that brings it to this many replays.
        prefix: Begins the name of every chunk.
        given: Ids handed out in this session; those of the chunks are added.
    """
    done, now = store.done(), set[bytes]()
    held: list[Replay] = []
    number = 0
    for _, item in groupby(replays, key=lambda replay: replay.item):
        block = [each for each in item if _key(each) not in done]
        if any(_key(each) in now for each in block):
            continue
        held += [each for each in block if _key(each) not in given]
        if len(held) >= size:
            now.update(map(_key, held))
            given.update(map(_key, held))
            yield _chunk(f"{prefix}{number:06}", held, store)
            held, number = [], number + 1
    if held:
        given.update(map(_key, held))
        yield _chunk(f"{prefix}{number:06}", held, store)


def _key(replay: Replay) -> bytes:
    return bytes.fromhex(replay.id)


def _chunk(name: str, replays: list[Replay], store: Store) -> Chunk:
    quoted = {quoted for replay in replays for quoted in replay.transcript.pending()}
    earlier = quoted - {replay.id for replay in replays}
    return Chunk(name=name, replays=tuple(replays), earlier=store.get(sorted(earlier)))


def write_chunks(path: Path, chunks: Iterable[Chunk]) -> int:
    """Write chunks as Parquet, one row group each, and return how many there are."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([("chunk", pa.string()), ("body", pa.large_binary())])
    count = 0
    with (
        replacing(path) as stream,
        parquet.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for chunk in chunks:
            writer.write_table(pa.table([[chunk.name], [encode(chunk)]], schema=schema))
            count += 1
    return count

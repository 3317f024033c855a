"""The write-ahead log beside a store: whether what was committed to it can still be read.

SQLite reads the log up to the first frame whose checksum is wrong and drops the rest without a
word. That is right for the last write of a process that was killed, and wrong for a byte that
changed later: committed replies would be asked, and paid for, again. The log is therefore looked
through before SQLite opens it. The formats are those of https://sqlite.org/walformat.html.
"""

from __future__ import annotations

import shlex
import shutil
import sqlite3
import struct
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from unswayed.errors import StoreError

HEADER, FRAME = 32, 24
"""Bytes of the header of a log, and of the header of each frame before its page."""

MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""First number of a log, and the order of bytes in which its checksums read words."""

PAGES = frozenset(2**power for power in range(9, 17))
"""Bytes that a page can have."""

Checksum = tuple[int, int]


class Known(NamedTuple):
    """What the index of a log, the `-shm` beside it, says of it."""

    committed: int
    """Frames up to the last commit."""
    moved: int
    """Frames that are in the store's own file for certain."""
    moving: int
    """Frames of which some page may be in the store's own file."""


class Damage(msgspec.Struct, frozen=True, kw_only=True):
    """A log of which SQLite would drop something that was committed."""

    frame: int
    """Number of the first frame that is not what was written, from 1; 0 for the log's header."""
    kept: int
    """Bytes up to the last commit before it."""
    known: Known | None
    """What the index says; None where there is none for this log."""
    page: int
    """Bytes of a page; 0 where the header cannot be read."""
    missing: bool = False
    """Whether there is no log at all, and its index tells of one."""


class _Head(NamedTuple):
    """The header of a log."""

    order: str
    """Order of bytes of its checksums."""
    page: int
    """Bytes of a page."""
    salts: bytes
    """What every frame of this log repeats; frames left from an earlier one have others."""
    checksum: Checksum
    """With which the checksum of the first frame begins."""


def look(log: Path) -> Damage | None:
    """Look through a log, before SQLite opens it; a hundredth of a second for a usual one.

    A last write that was cut off with its process is no damage: no commit follows it.

    Args:
        log: The `-wal` beside a store; it may be absent.

    Returns:
        What is wrong; None where all that was committed can be read.
    """
    try:
        stream = log.open("rb")
    except FileNotFoundError:
        return _look_without(log)
    with stream:
        head = _head(stream.read(HEADER))
        if head is None and log.stat().st_size <= HEADER + FRAME:
            return _look_without(log)
        if head is None:
            return Damage(frame=0, kept=0, known=None, page=0)
        known = _known(log, head.salts)
        good = kept = wrong = 0
        before, chained = head.checksum, True
        for number, frame in enumerate(iter(lambda: stream.read(FRAME + head.page), b""), 1):
            if len(frame) < FRAME + head.page:
                break
            stated = struct.unpack(">II", frame[16:24])
            own = frame[8:16] == head.salts and stated == _sum(frame, head, before)
            commits = frame[4:8] != bytes(4)
            before, chained = stated, chained and own
            if chained:
                good, kept = number, number if commits else kept
            elif own and commits:
                wrong = good + 1
                break
    if known is not None and good < known.committed:
        wrong = good + 1
    if not wrong:
        return None
    return Damage(
        frame=wrong,
        kept=HEADER + kept * (FRAME + head.page) if kept else 0,
        known=known,
        page=head.page,
    )


def _look_without(log: Path) -> Damage | None:
    """Ask the index of a log without a frame whether commits were in it that are nowhere else."""
    known = _known(log, None)
    if known is None or known.moved >= known.committed:
        return None
    return Damage(frame=0, kept=0, known=known, page=0, missing=not log.exists())


def lost_log(store: Path, damage: Damage) -> StoreError:
    """Return what is wrong with the log of a store, how many replies that costs, and what to do.

    Args:
        store: The store.
        damage: What is wrong with its log.
    """
    log, index = log_of(store), _index_of(log_of(store))
    known, n_kept = damage.known, 0
    restore = f"restore both files from a copy, without the {index.name} that is there now"
    if damage.page and damage.kept:
        n_kept = (damage.kept - HEADER) // (FRAME + damage.page)
    if known is not None and known.moved >= known.committed:
        step = f"move {log.name} to another folder and run again: the store itself holds all of it"
    elif known is not None and known.moving > n_kept:
        step = f"{restore}, or move all three away and ask everything again"
    else:
        count = _n_lost(store, damage)
        told = "the replies after them" if count is None else f"{count:,} replies"
        cut, remove = f"cut {log.name} to its first {damage.kept} bytes and ", ""
        if damage.missing:
            cut, told = "", "the replies that were in it"
        else:
            remove = f"truncate -s {damage.kept} {shlex.quote(str(log))} && "
        step = (
            f"{restore}; or {cut}remove {index.name}, which tells of more"
            f" (`{remove}rm -f {shlex.quote(str(index))}`), and run again:"
            f" {told} will be asked again"
        )
    return StoreError(
        f"The store {store} is damaged: its log is not what was written, and replies would be lost",
        allowed=f"{store.name} and {log.name} beside it, as the run wrote them",
        given=f"{log.name} {_wrong(damage)}",
        next_step=step,
    )


def _wrong(damage: Damage) -> str:
    """Say what is wrong with a log, after its name."""
    if damage.missing:
        return "is missing"
    if damage.frame:
        return f"is wrong in frame {damage.frame}, before a commit"
    return "is wrong in its first 32 bytes"


def log_of(store: Path) -> Path:
    """Return where the log of a store is."""
    return store.with_name(f"{store.name}-wal")


def checksum(words: bytes, order: str, before: Checksum = (0, 0)) -> Checksum:
    """Return SQLite's checksum: sums of words, weighted by Fibonacci numbers from the last one on.

    Args:
        words: An even number of 32-bit words.
        order: Their order of bytes, `<` or `>`.
        before: Checksum of what comes before.
    """
    numbers = np.frombuffer(words, dtype=f"{order}u4").astype(np.uint32)
    numbers[:1] += np.uint32(before[0])
    numbers = np.concatenate((np.array([before[1]], dtype=np.uint32), numbers))
    weights = _weights(len(numbers) + 1)
    first = (numbers * weights[1:]).sum(dtype=np.uint32)
    return int(first), int((numbers * weights[:-1]).sum(dtype=np.uint32))


@lru_cache(maxsize=8)
def _weights(count: int) -> NDArray[np.uint32]:
    """Return so many Fibonacci numbers, modulo 2**32, the largest first."""
    numbers = [0, 1]
    while len(numbers) < count:
        numbers.append((numbers[-1] + numbers[-2]) & 0xFFFFFFFF)
    return np.array(numbers[::-1], dtype=np.uint32)


def _sum(frame: bytes, head: _Head, before: Checksum) -> Checksum:
    return checksum(frame[:8] + frame[FRAME:], head.order, before)


def _head(start: bytes) -> _Head | None:
    """Read the header of a log; None where it is not what was written."""
    if len(start) < HEADER:
        return None
    magic, _, page = struct.unpack(">3I", start[:12])
    order = MAGIC.get(magic)
    stated = struct.unpack(">II", start[24:32])
    if order is None or page not in PAGES or checksum(start[:24], order) != stated:
        return None
    return _Head(order, page, start[16:24], stated)


def _index_of(log: Path) -> Path:
    return log.with_name(log.name.removesuffix("-wal") + "-shm")


def _known(log: Path, salts: bytes | None) -> Known | None:
    """Read what the index says of a log; None where there is none, or one of another log.

    Args:
        log: The log.
        salts: Those of its header; None where it has none, and the index alone is left.
    """
    try:
        with _index_of(log).open("rb") as stream:
            said = stream.read(132)
    except FileNotFoundError:
        return None
    if len(said) < 132 or said[:48] != said[48:96]:
        return None
    if salts is not None and said[32:40] != salts:
        return None
    own = "<" if sys.byteorder == "little" else ">"
    if checksum(said[:40], own) != struct.unpack("=II", said[40:48]):
        return None
    committed, moved, moving = struct.unpack("=16xI76xI28xI", said)
    return Known(committed, moved, moving)


def _n_lost(store: Path, damage: Damage) -> int | None:
    """Count the replies after a damage, in a copy whose checksums fit again; None where it cannot.

    A log that was cut no longer holds what there is to count.

    Args:
        store: The store, of which nothing is changed.
        damage: What is wrong with its log.
    """
    if not damage.frame:
        return None
    try:
        data = log_of(store).read_bytes()
        if damage.known and len(data) < HEADER + damage.known.committed * (FRAME + damage.page):
            return None
        with TemporaryDirectory() as folder:
            copy = Path(folder) / store.name
            counts = []
            for log in (data[: damage.kept], _mended(data)):
                shutil.copyfile(store, copy)
                log_of(copy).write_bytes(log)
                with closing(sqlite3.connect(copy)) as db:
                    counts.append(db.execute("select count(*) from completions").fetchone()[0])
    except (OSError, sqlite3.Error):
        return None
    return counts[1] - counts[0] if counts[1] >= counts[0] else None


def _mended(log: bytes) -> bytes:
    """Return a log with checksums that fit what it holds, up to the last frame that is its own."""
    head = _head(log[:HEADER])
    if head is None:
        return b""
    parts, before = [log[:HEADER]], head.checksum
    frames = list(_frames(log, head))
    own = [number for number, frame in enumerate(frames, 1) if frame[8:16] == head.salts]
    for frame in frames[: max(own, default=0)]:
        whole = frame[:8] + head.salts
        before = _sum(frame, head, before)
        parts += [whole, struct.pack(">II", *before), frame[FRAME:]]
    return b"".join(parts)


def _frames(log: bytes, head: _Head) -> Iterator[bytes]:
    size = FRAME + head.page
    for place in range(HEADER, len(log) - size + 1, size):
        yield log[place : place + size]

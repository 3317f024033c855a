"""A log of a killed process: its last write may be cut off, and no other byte may be wrong."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
import struct
import subprocess
from pathlib import Path

import pytest

from unswayed.errors import StoreError
from unswayed.models.completion import Completion
from unswayed.models.store import Store
from unswayed.models.wal import FRAME, HEADER, checksum, log_of, look

N = 40
WHOLE = FRAME + 4096
"""Bytes of a frame and its page."""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as kill -9 leaves it: copied while the store is open, so nothing is closed."""
    open_, left = (tmp_path_factory.mktemp(name) for name in ("open", "left"))
    store = Store(open_ / "s.sqlite", "owner")
    for index in range(N):
        store.add([(f"{index:032x}", Completion(text="x" * 700))])
    for path in open_.glob("s.sqlite*"):
        if not path.name.endswith((".lock", ".lock-journal")):
            shutil.copy(path, left)
    store.close()
    return left


@pytest.fixture
def path(killed: Path, tmp_path: Path) -> Path:
    """A store of its own with the log of a killed process."""
    shutil.copytree(killed, tmp_path / "run")
    return tmp_path / "run" / "s.sqlite"


def flip(path: Path, place: int) -> None:
    """Turn one bit of the log round."""
    log = log_of(path)
    data = bytearray(log.read_bytes())
    data[place] ^= 4
    log.write_bytes(data)


def test_the_log_of_a_killed_process_is_whole(path: Path):
    """Every acknowledged reply is read from it."""
    assert look(log_of(path)) is None
    store = Store(path, "owner")
    assert store.n_done() == N
    store.close()


@pytest.mark.parametrize("writable", [True, False])
@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize("part", ["header", "page number", "salt", "checksum", "page"])
def test_a_flipped_bit_is_an_error_and_the_folder_is_left(
    path: Path, part: str, index: bool, writable: bool
):
    """With and without the index beside it, whoever opens: no reply is dropped in silence."""
    if not index:
        path.with_name("s.sqlite-shm").unlink()
    frame = HEADER + 5 * WHOLE
    places = {"page number": 3, "salt": 9, "checksum": 17, "page": FRAME + 2000}
    flip(path, 18 if part == "header" else frame + places[part])
    before = {each.name: each.read_bytes() for each in (path, log_of(path))}
    with pytest.raises(StoreError, match="log is not what was written"):
        Store(path, "owner", writable=writable)
    assert {name: path.with_name(name).read_bytes() for name in before} == before


def mend_as_told(path: Path) -> int:
    """Run the command that the error tells; return how many replies it says that costs."""
    with pytest.raises(StoreError) as caught:
        Store(path, "owner")
    told = re.search(r"`(.*)`\), and run again: ([\d,]+|the) repl", caught.value.next_step)
    assert told is not None
    subprocess.run(told[1], shell=True, check=True)
    return N if told[2] == "the" else int(told[2])


@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize("name", ["run", "my run; of 'March'"])
def test_the_told_command_mends_it_and_as_many_replies_are_lost_as_told(
    path: Path, name: str, index: bool
):
    """The error states where to cut and how many replies that costs; what is before stays."""
    path = path.parent.rename(path.parent.with_name(name)) / path.name
    if not index:
        path.with_name("s.sqlite-shm").unlink()
    frames = (log_of(path).stat().st_size - HEADER) // WHOLE
    flip(path, HEADER + frames // 2 * WHOLE + FRAME + 2000)
    n_lost = mend_as_told(path)
    assert 0 < n_lost < N
    store = Store(path, "owner")
    assert store.n_done() == N - n_lost
    assert len(dict(store.completions())) == N - n_lost
    store.close()


@pytest.mark.parametrize("size", [None, 0, 20, HEADER, HEADER + FRAME, HEADER + FRAME + 100])
def test_a_log_that_was_cut_to_its_header_is_missed(path: Path, size: int | None):
    """The index tells of commits in it; the told command lets the run begin again without them."""
    if size is None:
        log_of(path).unlink()
    else:
        with log_of(path).open("r+b") as stream:
            stream.truncate(size)
    mend_as_told(path)
    store = Store(path, "owner")
    assert store.n_done() == 0
    store.close()


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_what_a_shortened_log_held_is_not_counted(path: Path, share: float):
    """Replies that are no longer in the file cannot be counted, and are not told as none."""
    log = path.with_name(path.name + "-wal")
    data = log.read_bytes()
    log.write_bytes(data[: 32 + int(share * (len(data) - 32))])
    with pytest.raises(StoreError) as caught:
        Store(path, "owner")
    assert "the replies after them will be asked again" in str(caught.value)


def test_a_log_that_is_gone_is_told_as_missing(path: Path):
    """It has no first bytes that could be wrong, and there is nothing to cut."""
    log_of(path).unlink()
    with pytest.raises(StoreError, match="s.sqlite-wal is missing") as caught:
        Store(path, "owner")
    assert "bytes" not in str(caught.value)


@pytest.mark.parametrize("page", [0, 3, 256, 511, 1000, 4098, 2**17, 2**32 - 1])
def test_a_header_with_a_size_that_no_page_has_is_a_damage(path: Path, page: int):
    """Its checksum fits, as a hostile one does; nothing is read by it."""
    data = log_of(path).read_bytes()
    start = data[:8] + struct.pack(">I", page) + data[12:24]
    order = "<" if data[3] & 1 == 0 else ">"
    log_of(path).write_bytes(start + struct.pack(">II", *checksum(start, order)) + data[HEADER:])
    with pytest.raises(StoreError, match="wrong in its first 32 bytes"):
        Store(path, "owner")


def test_the_last_commit_is_missed_where_the_index_tells_of_it(path: Path):
    """A wrong last frame is a cut write, unless the index says that it was committed."""
    flip(path, log_of(path).stat().st_size - 100)
    with pytest.raises(StoreError, match="log is not what was written"):
        Store(path, "owner")
    path.with_name("s.sqlite-shm").unlink()
    store = Store(path, "owner")
    assert store.n_done() == N - 1
    store.close()


@pytest.mark.parametrize("cut", [1, 100, 4096, 4100, WHOLE])
def test_a_write_that_was_cut_off_is_silent(path: Path, cut: int):
    """A last frame that was begun, and never acknowledged, is no damage."""
    log = log_of(path)
    data = log.read_bytes()
    last = data[-WHOLE:]
    torn = data + (last[:16] + bytes(8) + last[24:])[: WHOLE - cut]
    log.write_bytes(torn)
    store = Store(path, "owner")
    assert store.n_done() == N
    store.close()


def test_frames_of_an_earlier_round_are_silent(tmp_path: Path):
    """A log that was begun anew is followed by old frames with other salts."""
    path = tmp_path / "s.sqlite"
    store = Store(path, "owner")
    for index in range(N):
        store.add([(f"{index:032x}", Completion(text="x" * 700))])
    store._db.execute("pragma wal_checkpoint(restart)")
    store.add([("ff" * 16, Completion(text="last"))])
    data = log_of(path).read_bytes()
    salts = {data[at + 8 : at + 16] for at in range(HEADER, len(data), WHOLE)}
    assert len(salts) == 2
    assert look(log_of(path)) is None
    store.close()


def test_a_log_that_is_in_the_store_already_is_moved_away(path: Path):
    """Where every page was moved, no reply is lost: the next step says so, and it is true."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma wal_checkpoint(passive)")
    copy = path.parent.with_name("copy")
    shutil.copytree(path.parent, copy)
    db.close()
    path = copy / path.name
    flip(path, HEADER + 5 * WHOLE + FRAME + 2000)
    with pytest.raises(StoreError, match=r"move s\.sqlite-wal to another folder"):
        Store(path, "owner")
    log_of(path).unlink()
    store = Store(path, "owner")
    assert store.n_done() == N
    store.close()


def test_a_running_run_is_looked_at(tmp_path: Path):
    """A log to which a process writes is not looked through by who reads beside it."""
    path = tmp_path / "s.sqlite"
    store = Store(path, "owner")
    store.add([("aa" * 16, Completion(text="one"))])
    reader = Store(path, "owner", writable=False)
    assert reader.n_done() == 1
    reader.close()
    store.close()


def test_the_checksum_is_the_documented_loop():
    """Two running sums over pairs of words, modulo 2**32."""
    words = random.Random(3).randbytes(8 * 130)
    for order in "<>":
        first, second = 0xFFFFFFFE, 0x12345678
        for x, y in struct.iter_unpack(f"{order}II", words):
            first = (first + x + second) % 2**32
            second = (second + y + first) % 2**32
        assert checksum(words, order, (0xFFFFFFFE, 0x12345678)) == (first, second)

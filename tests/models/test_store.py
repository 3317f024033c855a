"""The store: acknowledged completions are safe, and belong to one plan and model."""

from __future__ import annotations

import random
import re
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from unswayed.errors import DiskError, StoreError
from unswayed.models.completion import Completion
from unswayed.models.schema import row_digest
from unswayed.models.store import Store

A, B, C = ("aa" * 16, "bb" * 16, "cc" * 16)


def test_rows_come_back(tmp_path: Path) -> None:
    """What was added is there, in order, with failures apart."""
    store = Store(tmp_path / "s.sqlite", "owner")
    store.add([(A, Completion(text="one")), (B, Completion(error="reset", stop="error"))])
    assert [(key, c.text) for key, c in store.completions()] == [(A, "one")]
    assert store.failures()[B].error == "reset"
    assert store.done() == {bytes.fromhex(A)}
    store.close()


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_what_a_running_run_adds_is_no_damage(tmp_path: Path, journal: str) -> None:
    """A reader beside it finds an id absent, and does not call it lost when it has come since."""
    running = Store(tmp_path / "s.sqlite", "owner", journal=journal)
    running.add([(A, Completion(text="one"))])
    reader = Store(tmp_path / "s.sqlite", "owner", writable=False)
    assert set(reader.get([A, B])) == {A}
    running.add([(B, Completion(text="two"))])
    reader.check_absent([B])
    if journal == "wal":
        assert reader.get([B]) == {}
    reader.close()
    again = Store(tmp_path / "s.sqlite", "owner", writable=False)
    assert again.get([B])[B].text == "two"
    again.close()
    running.close()


def test_a_success_is_never_replaced(tmp_path: Path) -> None:
    """A second completion of a replay is ignored, and a late failure does not hide it."""
    store = Store(tmp_path / "s.sqlite", "owner")
    store.add([(A, Completion(text="one"))])
    store.add([(A, Completion(text="two")), (A, Completion(error="late"))])
    assert store.get([A, C])[A].text == "one"
    assert store.failures() == {}
    assert store.n_attempts() == 2
    store.close()


def test_a_failure_is_superseded_by_a_success(tmp_path: Path) -> None:
    """C128: one row per key counts, the failed attempt stays as an attempt."""
    store = Store(tmp_path / "s.sqlite", "owner")
    store.add([(A, Completion(error="reset"))])
    store.add([(A, Completion(text="ok"))])
    assert store.failures() == {}
    assert [c.text for _, c in store.completions()] == ["ok"]
    store.close()


def test_another_plan_or_model_is_refused(tmp_path: Path) -> None:
    """C132: a store of another owner names both."""
    Store(tmp_path / "s.sqlite", "one").close()
    with pytest.raises(StoreError, match="another plan, model or sampling"):
        Store(tmp_path / "s.sqlite", "two")


def test_two_processes_cannot_share_a_folder(tmp_path: Path) -> None:
    """The second writer is told to wait; a reader is let in; the lock goes with its owner."""
    first = Store(tmp_path / "s.sqlite", "owner")
    with pytest.raises(StoreError, match="in use"):
        Store(tmp_path / "s.sqlite", "owner")
    first.add([(A, Completion(text="one"))])
    reader = Store(tmp_path / "s.sqlite", "owner", writable=False)
    assert len(reader.done()) == 1
    reader.close()
    first.close()
    Store(tmp_path / "s.sqlite", "owner").close()


@pytest.mark.parametrize("damage", ["garbage", "truncated"])
def test_a_damaged_file_is_refused(tmp_path: Path, damage: str) -> None:
    """A file that is no database gives one clear error and no numbers."""
    path = tmp_path / "s.sqlite"
    if damage == "garbage":
        path.write_bytes(b"this is no database at all" * 100)
    else:
        store = Store(path, "owner")
        store.add([(f"{index:032x}", Completion(text="x" * 500)) for index in range(200)])
        store.close()
        path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(StoreError, match="damaged|unreadable"):
        Store(path, "owner")


def test_no_store_is_not_an_empty_store(tmp_path: Path) -> None:
    """Reading where nothing was run says so."""
    with pytest.raises(StoreError, match="no store"):
        Store(tmp_path / "s.sqlite", "owner", writable=False)


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """When rows cannot be written the error says so, and earlier rows stay."""
    store = Store(tmp_path / "s.sqlite", "owner")
    store.add([(A, Completion(text="one"))])
    pages = store._db.execute("pragma page_count").fetchone()[0]
    store._db.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(DiskError, match="cannot be written"):
        store.add([(f"{i:032x}", Completion(text="x" * 4000)) for i in range(100)])
    assert store.done() == {bytes.fromhex(A)}
    store.close()
    with sqlite3.connect(tmp_path / "s.sqlite") as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
    db.close()


def test_sessions_are_kept(tmp_path: Path) -> None:
    """C130: a resumed run adds a session and keeps the first one's start."""
    store = Store(tmp_path / "s.sqlite", "owner")
    store.end_session(store.begin_session("t0"), "t1")
    store.begin_session("t2")
    assert store.sessions() == [("t0", "t1"), ("t2", None)]
    store.close()


def filled(path: Path, n: int = 60) -> dict[str, Completion]:
    """Make a store of so many completions and return them."""
    rows = {f"{index:032x}": Completion(text=f"Answer: {index}") for index in range(1, n + 1)}
    store = Store(path, "owner")
    store.add(rows.items())
    store.add([(C, Completion(error="reset"))])
    store.close()
    return rows


def read_again(path: Path) -> dict[str, Completion]:
    """Read everything as the verbs do."""
    store = Store(path, "owner", writable=False)
    try:
        store.check()
        store.failures()
        return dict(store.completions())
    finally:
        store.close()


def test_no_flipped_bit_changes_what_is_read(tmp_path: Path) -> None:
    """Whichever bit of the file is wrong: what is read is what was written, or an error."""
    path = tmp_path / "s.sqlite"
    rows = filled(path)
    whole = path.read_bytes()
    drawn = random.Random(7)
    noticed = 0
    for _ in range(300):
        data = bytearray(whole)
        data[drawn.randrange(len(data))] ^= 1 << drawn.randrange(8)
        path.write_bytes(data)
        try:
            found = read_again(path)
        except StoreError:
            noticed += 1
        else:
            assert found == rows
    assert noticed > 50


def change(path: Path, statement: str) -> None:
    """Change a store behind its back."""
    with sqlite3.connect(path) as db:
        db.execute(statement)
    db.close()


@pytest.mark.parametrize(
    "statement",
    [
        "update completions set body = cast(replace(body, 'Answer: 7', 'Answer: 8') as blob)"
        " where number = 7",
        "update completions set replay = x'00112233445566778899aabbccddeeff' where number = 5",
        "update completions set digest = null where number = 5",
        "update completions set body = 'text' where number = 5",
        "update failures set body = cast(replace(body, 'reset', 'reply') as blob)",
    ],
)
@pytest.mark.parametrize("writable", [False, True])
def test_a_changed_row_is_an_error(tmp_path: Path, statement: str, writable: bool) -> None:
    """A text, an id or a digest that is not what was written gives no completion."""
    path = tmp_path / "s.sqlite"
    filled(path)
    change(path, statement)
    store = Store(path, "owner", writable=writable)
    with pytest.raises(StoreError, match=r"not what was written|bytes-like"):
        [*store.completions(), store.failures()]
    store.close()


def test_a_row_that_its_index_has_lost_is_an_error(tmp_path: Path) -> None:
    """A replay that is not found by its id and stands in the file is not one never asked."""
    path = tmp_path / "s.sqlite"
    filled(path)
    data = path.read_bytes()
    key = bytes.fromhex(f"{9:032x}")
    places = [place for place in range(len(data)) if data.startswith(key, place)]
    assert len(places) == 2
    # In the index nothing but the key and the number of its row stands: no reply follows.
    place = next(each for each in places if data[each + 16 : each + 17] != b"{")
    path.write_bytes(data[:place] + b"\x00" * 15 + b"\x08" + data[place + 16 :])
    store = Store(path, "owner", writable=False)
    found = store.get([f"{9:032x}"])
    assert found == {}
    with pytest.raises(StoreError, match="cannot be found by their id"):
        store.check_absent([f"{9:032x}"])
    store.check_absent([A])
    store.close()


def as_before_digests(path: Path) -> None:
    """Give a store the tables of version 1."""
    with sqlite3.connect(path) as db:
        db.execute("alter table completions drop column digest")
        db.execute("alter table failures drop column digest")
        db.execute("delete from facts where name like 'first with digest%'")
        db.execute("update facts set value = '1' where name = 'version'")
    db.close()


def test_a_store_without_digests_opens_and_goes_on(tmp_path: Path) -> None:
    """Its rows are read unchecked and counted as such; what is added is checked."""
    path = tmp_path / "s.sqlite"
    rows = filled(path, 3)
    as_before_digests(path)
    reader = Store(path, "owner", writable=False)
    assert dict(reader.completions()) == rows
    assert reader.n_unchecked() == 3
    reader.close()
    store = Store(path, "owner")
    store.add([(A, Completion(text="new"))])
    assert store.n_unchecked() == 3
    assert len(dict(store.completions())) == 4
    store.close()
    change(path, "update completions set digest = null where number = 4")
    with pytest.raises(StoreError, match="row 4 of completions"):
        read_again(path)


@pytest.mark.parametrize("writable", [True, False])
def test_a_store_that_was_cut_to_nothing_is_no_new_store(tmp_path: Path, writable: bool) -> None:
    """It is refused and left as it is; the told command lets the run begin again."""
    path = tmp_path / "my run" / "s.sqlite"
    filled(path)
    path.write_bytes(b"")
    with pytest.raises(StoreError, match="0 bytes") as caught:
        Store(path, "owner", writable=writable)
    assert path.stat().st_size == 0
    told = re.search(r"`(.*)`", caught.value.next_step)
    assert told is not None
    subprocess.run(told[1], shell=True, check=True)
    store = Store(path, "owner")
    assert store.n_done() == 0
    store.close()


def test_a_process_that_is_killed_while_it_makes_a_store_leaves_none(tmp_path: Path) -> None:
    """Wherever it ends, the file is absent or whole, and the next process begins."""
    path = tmp_path / "s.sqlite"
    dying = (
        "import os, sys; from pathlib import Path; from unswayed.models.store import Store\n"
        "steps, last = [0], int(sys.argv[2])\n"
        "def step(event, _):\n"
        "    if event in ('open', 'os.rename', 'os.remove', 'sqlite3.connect'):\n"
        "        steps[0] += 1\n"
        "        if steps[0] == last: os._exit(9)\n"
        "sys.addaudithook(step)\n"
        "Store(Path(sys.argv[1]), 'owner').close()\n"
    )
    codes, last = [], 0
    while 0 not in codes:
        last += 1
        codes.append(subprocess.run([sys.executable, "-c", dying, path, str(last)]).returncode)
        assert not path.exists() or path.stat().st_size
        Store(path, "owner").close()
        path.unlink()
    assert codes.count(9) >= 3


def test_a_file_that_lost_its_facts_is_no_new_store(tmp_path: Path) -> None:
    """A file with bytes and without facts was a store that has lost them."""
    path = tmp_path / "s.sqlite"
    change(path, "create table other (x)")
    with pytest.raises(StoreError, match="has lost what stood in it"):
        Store(path, "owner")


def test_a_lost_log_leaves_the_facts(tmp_path: Path) -> None:
    """Facts are in the file itself before anything is answered."""
    path = tmp_path / "s.sqlite"
    store = Store(path, "owner")
    store.add([(A, Completion(text="one"))])
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(path.read_bytes())
    store.close()
    with pytest.raises(StoreError, match="another plan"):
        Store(copy, "another")
    assert read_again(copy) == {}


def test_the_digest_covers_replay_and_body() -> None:
    """It is the CRC-32 of both, one after the other."""
    assert row_digest(b"replay", b"body") == zlib.crc32(b"replaybody")


def test_a_changed_id_is_no_replay_never_asked(tmp_path: Path) -> None:
    """Where a replay is not found, every row is looked at: its own may have another id now."""
    path = tmp_path / "s.sqlite"
    filled(path)
    change(path, f"update completions set replay = x'{A}' where number = 5")
    store = Store(path, "owner", writable=False)
    with pytest.raises(StoreError, match="row 5 of completions"):
        store.check_absent([f"{5:032x}"])
    store.close()


def test_an_older_shard_taken_into_an_older_store_stays_readable(tmp_path: Path) -> None:
    """Rows of version 1 get a digest when they are taken over, so that nothing paid for is lost."""
    main, shard = tmp_path / "s.sqlite", tmp_path / "shard.sqlite"
    rows = filled(main, 3)
    other = Store(shard, "owner")
    other.add([(f"{n:032x}", Completion(text=str(n))) for n in range(20, 25)])
    other.close()
    for path in (main, shard):
        as_before_digests(path)
    store, taken = Store(main, "owner"), Store(shard, "owner")
    store.absorb(taken)
    taken.close()
    assert len(dict(store.completions())) == len(rows) + 5
    assert store.n_unchecked() == 3
    store.close()

"""Files are whole or refused, and a zip is read however its members are packed."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path

import pytest
from foreign import inspect_log, sample, write_eval, write_json, write_lines

from unswayed.errors import RowError
from unswayed.imports.source import ZSTD, open_source

TALK = [("user", "What is 2 + 2?"), ("assistant", "4")]
LOG = inspect_log([sample(1, TALK, target="4")])


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTD])
def test_members_are_read_however_they_are_packed(tmp_path: Path, method: int):
    """Stored, deflated and Zstandard members give the same values."""
    path = write_eval(tmp_path / "a.eval", LOG, method=method)
    members = open_source(path).members
    assert members is not None
    assert members["samples/1_epoch_1.json"]() == LOG["samples"][0]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, ZSTD])
@pytest.mark.parametrize("kept", [0, 1, 10, 400])
def test_a_cut_zip_is_refused(tmp_path: Path, kept: int, method: int):
    """A zip that ends early is no log, wherever it was cut."""
    path = write_eval(tmp_path / "a.eval", LOG, method=method)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(RowError, match="no whole zip|is empty"):
        open_source(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTD])
def test_damaged_bytes_are_refused(tmp_path: Path, method: int):
    """A changed byte inside a member is noticed and never read."""
    path = write_eval(tmp_path / "a.eval", LOG, method=method)
    data = bytearray(path.read_bytes())
    data[60] ^= 0xFF
    path.write_bytes(bytes(data))
    members = open_source(path).members
    assert members is not None
    with pytest.raises(RowError, match="damaged|cannot be unpacked|whole JSON"):
        members["_journal/start.json"]()


def test_an_unknown_packing_is_named(tmp_path: Path):
    """A member packed by another method says which, and how to go on."""
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", compression=zipfile.ZIP_BZIP2) as archive:
        archive.writestr("header.json", "{}")
    members = open_source(path).members
    assert members is not None
    with pytest.raises(RowError, match=r"method 12(.|\n)*--to json"):
        members["header.json"]()


def test_a_member_that_unpacks_to_too_much_is_refused(tmp_path: Path):
    """A stated size beyond the limit is refused before anything is unpacked."""
    path = write_eval(tmp_path / "a.eval", LOG)
    data = path.read_bytes()
    place = data.index(b"PK\x01\x02")
    data = data[: place + 24] + struct.pack("<I", 2**31) + data[place + 28 :]
    path.write_bytes(data)
    members = open_source(path).members
    assert members is not None
    with pytest.raises(RowError, match="too large"):
        members["_journal/start.json"]()


def test_half_written_json_is_refused(tmp_path: Path):
    """A value that stops inside is no log."""
    path = write_json(tmp_path / "a.json", LOG)
    path.write_text(path.read_text()[:-20])
    with pytest.raises(RowError, match="no whole JSON"):
        open_source(path)


def test_a_broken_line_is_named(tmp_path: Path):
    """The line that is no JSON is named by its number."""
    path = write_lines(tmp_path / "a.jsonl", [{"messages": []}, {"messages": []}])
    path.write_text(path.read_text() + '{"messages": [')
    with pytest.raises(RowError, match="line 3"):
        open_source(path)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path):
    """A file that is neither a zip nor UTF-8 is refused."""
    path = tmp_path / "a.json"
    path.write_bytes(b"\xff\xfe{\x00}\x00")
    with pytest.raises(RowError, match="UTF-8"):
        open_source(path)


def test_one_line_is_json_and_lines_at_once(tmp_path: Path):
    """One object on one line can be either kind of file."""
    source = open_source(write_lines(tmp_path / "a.jsonl", [{"a": 1}]))
    assert source.value == {"a": 1}
    assert source.lines == ({"a": 1},)


def test_half_characters_become_marks(tmp_path: Path):
    """Half of a surrogate pair cannot be stored and becomes a question mark."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"a": ["\ud800b"]}))
    assert open_source(path).value == {"a": ["?b"]}

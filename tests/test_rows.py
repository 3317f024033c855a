"""Row files: strict, versioned, atomic, without NaN."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import RowError, VersionError
from unswayed.rows import (
    encode,
    read_bytes,
    read_header,
    read_rows,
    read_value,
    replacing,
    rows_aside,
    write_rows,
    write_text,
    write_value,
)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A row."""

    name: str
    count: int | None = None


ROWS = [Row(name="a", count=1), Row(name="ü\u2028\n\x00😀"), Row(name="", count=-(2**62))]


def test_rows_come_back(tmp_path: Path):
    """What is written is read again, header included, in order."""
    path = tmp_path / "deep" / "rows.jsonl"
    assert write_rows(path, "things", iter(ROWS), about={"b": 1, "a": [None]}) == 3
    assert list(read_rows(path, "things", Row)) == ROWS
    assert list(read_rows(path, "things", Row, only={0, 2})) == [ROWS[0], ROWS[2]]
    header = read_header(path, "things")
    assert (header.unswayed, header.about) == ("things", {"a": [None], "b": 1})
    assert path.read_bytes().count(b"\n") == 4


@given(st.lists(st.builds(Row, name=st.text(), count=st.none() | st.integers(-(2**63), 2**63 - 1))))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]):
    """Every text that can be encoded survives, whatever marks and line ends it holds."""
    rows = [row for row in rows if not any("\ud800" <= mark <= "\udfff" for mark in row.name)]
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    write_rows(path, "things", rows)
    assert list(read_rows(path, "things", Row)) == rows


def test_encoding_is_canonical():
    """Keys are sorted, and a number that is none becomes null and never NaN."""
    assert encode({"b": 1, "a": "é"}) == '{"a":"é","b":1}'.encode()
    assert encode([float("nan"), float("inf")]) == b"[null,null]"


def test_a_failed_write_leaves_what_was_there(tmp_path: Path):
    """An error in the middle keeps the old file whole and leaves no half file beside it."""
    path = tmp_path / "rows.jsonl"
    write_rows(path, "things", ROWS)
    before = path.read_bytes()

    def broken():
        yield ROWS[0]
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="middle"):
        write_rows(path, "things", broken())
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["rows.jsonl"]


def test_nothing_is_seen_under_the_name_before_the_end(tmp_path: Path):
    """A reader never meets half a file under the final name."""
    path = tmp_path / "text"
    with replacing(path) as stream:
        stream.write(b"half")
        stream.flush()
        assert not path.exists()
    assert path.read_bytes() == b"half"
    assert path.stat().st_mode & 0o777 == 0o644


BROKEN = {
    "cut": (b'{"name":"a","cou', "line 3"),
    "wrong type": (b'{"name":1}', "name"),
    "lacking": (b'{"count":1}', "name"),
    "nan": (b'{"name":"a","count":NaN}', "line 3"),
    "empty line": (b"", "line 3"),
    "no UTF-8": (b'{"name":"\xff"}', "line 3"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_row_is_named_by_its_line(tmp_path: Path, name: str):
    """The first bad row is named with file, line and what is wrong; rows before it were given."""
    line, word = BROKEN[name]
    path = tmp_path / "rows.jsonl"
    write_rows(path, "things", ROWS[:1])
    path.write_bytes(path.read_bytes() + line + b"\n")
    rows = read_rows(path, "things", Row)
    assert next(rows) == ROWS[0]
    with pytest.raises(RowError, match=word) as found:
        next(rows)
    assert "rows.jsonl" in str(found.value)


def test_header_is_checked(tmp_path: Path):
    """Another kind, a newer version, no header and no file are refused apart."""
    path = tmp_path / "rows.jsonl"
    write_rows(path, "things", ROWS)
    with pytest.raises(RowError, match="another kind"):
        read_header(path, "others")
    with pytest.raises(RowError, match="another kind"):
        list(read_rows(path, "others", Row))
    newer = path.read_bytes().replace(b'"version":1', b'"version":2')
    path.write_bytes(newer)
    with pytest.raises(VersionError, match="newer"):
        read_header(path, "things")
    path.write_bytes(b'{"name":"a"}\n')
    with pytest.raises(RowError, match="no Unswayed header"):
        read_header(path, "things")
    with pytest.raises(RowError, match="cannot be read"):
        read_header(tmp_path / "none", "things")
    with pytest.raises(RowError, match="cannot be read"):
        read_header(tmp_path, "things")


def test_byte_order_mark_is_no_content(tmp_path: Path):
    """A mark that an editor added at the start is passed over."""
    path = tmp_path / "rows.jsonl"
    write_rows(path, "things", ROWS)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert list(read_rows(path, "things", Row)) == ROWS
    assert read_bytes(path)[:1] == b"{"


def test_values(tmp_path: Path):
    """One value is written for people and read back; damage is named."""
    path = tmp_path / "value.json"
    write_value(path, ROWS[0])
    assert read_value(path, Row) == ROWS[0]
    assert path.read_bytes().count(b"\n") > 2
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(RowError, match=r"value\.json"):
        read_value(path, Row)
    with pytest.raises(RowError, match="cannot be read"):
        read_value(tmp_path / "none.json", Row)


def test_text_with_half_a_character(tmp_path: Path):
    """A lone surrogate, which no UTF-8 holds, becomes a replacement mark."""
    write_text(tmp_path / "text", "a\ud800b")
    assert (tmp_path / "text").read_text(encoding="utf-8") == "a?b"


@pytest.mark.parametrize("n", [1, 3, 5000])
@pytest.mark.parametrize(
    "damage",
    [
        b"\n",
        b'{"name":"x"} {"name":"y"}\n',
        b'{"name":\n',
        b'{"name":"cut"',
        b'{"name":"x"}{"name":"y"}\n \n',
        b'{"name":\n"x"}\n{"name":"y"}{"name":"z"}\n',
    ],
    ids=["blank line", "two on a line", "half a row", "cut end", "two and none", "half and two"],
)
def test_a_damaged_line_is_named_wherever_it_stands(tmp_path: Path, n: int, damage: bytes):
    """What is read in blocks is as strict as line by line, and earlier rows still come."""
    path = tmp_path / "rows.jsonl"
    write_rows(path, "things", [Row(name=f"row {number}") for number in range(n)])
    path.write_bytes(path.read_bytes() + damage)
    found = []
    with pytest.raises(RowError, match=f"line {n + 2} "):
        found.extend(read_rows(path, "things", Row))
    read = read_rows(path, "things", Row, only={0, n - 1})
    assert [row.name for row in read] == [f"row {place}" for place in sorted({0, n - 1})]


def test_a_last_line_without_an_end_is_a_row(tmp_path: Path):
    """A file that another program cut by one sign still holds all its rows."""
    path = tmp_path / "rows.jsonl"
    write_rows(path, "things", [Row(name=f"row {number}") for number in range(4000)])
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert len(list(read_rows(path, "things", Row))) == 4000


def test_a_failed_write_leaves_no_folder_that_was_made_for_it(tmp_path: Path):
    """Folders that are new and empty go; those that were there, or hold something, stay."""
    (tmp_path / "old").mkdir()
    for place in ("old", "new/inner", "old/inner"):
        with pytest.raises(ValueError, match="no"), replacing(tmp_path / place / "file"):
            raise ValueError("no")
    assert [path.name for path in tmp_path.rglob("*")] == ["old"]
    try:
        with replacing(tmp_path / "taken" / "inner" / "file"):
            (tmp_path / "taken" / "mine").write_text("mine", encoding="utf-8")
            raise ValueError("no")
    except ValueError:
        left = sorted(path.name for path in tmp_path.rglob("*"))
    assert left == ["mine", "old", "taken"]


def test_rows_aside_have_a_header_that_is_known_last(tmp_path: Path):
    """They are read like any others, and nothing lies beside the file."""
    path = tmp_path / "rows.jsonl"
    with rows_aside(tmp_path) as aside:
        aside.add({"n": number} for number in range(100))
        aside.add([])
        aside.add([{"n": 100}])
        assert list(tmp_path.iterdir()) == []
        aside.write(path, "test", {"n_rows": 101})
    assert read_header(path, "test").about == {"n_rows": 101}
    assert [row["n"] for row in read_rows(path, "test", dict)] == list(range(101))
    assert list(tmp_path.iterdir()) == [path]


def test_rows_aside_that_end_early_leave_nothing(tmp_path: Path):
    """A row that cannot be made leaves no file under the final name."""
    with pytest.raises(ZeroDivisionError), rows_aside(tmp_path) as aside:
        aside.add(1 / number for number in (1, 0))
    assert list(tmp_path.iterdir()) == []

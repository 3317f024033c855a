"""The outcome table: whole records and their outcomes alone give the same columns."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from profiles.planted import Planted, records
from unswayed.errors import RowError
from unswayed.profiles.outcomes import OutcomeRow, OutcomeTable
from unswayed.records import Record
from unswayed.rows import encode, read_rows, write_rows

COLUMNS = ("family", "setting", "first", "pressured", "control", "stratum", "own_firsts")


def test_outcomes_alone_give_the_same_table(tmp_path: Path):
    """As many draws and levels as there are; every column, name and count is the same."""
    law = Planted(n_items=40, draws=3, declines=0.1, fails=0.1)
    path = tmp_path / "records.jsonl"
    write_rows(path, "records", records(law))
    whole = OutcomeTable(read_rows(path, "records", Record))
    slim = OutcomeTable(read_rows(path, "records", OutcomeRow))
    assert len(whole) == 40 * 3 * 4
    for name in COLUMNS:
        assert np.array_equal(getattr(whole, name), getattr(slim, name)), name
    assert (whole.families, whole.settings, whole.n_items) == (
        slim.families,
        slim.settings,
        slim.n_items,
    )


def test_a_condition_written_in_another_way_is_the_same_setting(tmp_path: Path):
    """Spaces between fields make no second setting."""
    path = tmp_path / "records.jsonl"
    one = next(records(Planted(n_items=1)))
    write_rows(path, "records", [one, msgspec.structs.replace(one, draw=1)])
    head, first, second = path.read_bytes().splitlines()
    condition = encode(one.condition)
    assert condition in second
    path.write_bytes(
        b"\n".join([head, first, second.replace(condition, condition.replace(b",", b", "))]) + b"\n"
    )
    table = OutcomeTable(read_rows(path, "records", OutcomeRow))
    assert len(table.settings) == 1
    assert table.setting.tolist() == [0, 0]


@pytest.mark.parametrize("damage", [b'"correct"', b"7", b"null"])
def test_an_outcome_that_is_none_is_refused(tmp_path: Path, damage: bytes):
    """A wrong word or type in an outcome never becomes a column."""
    path = tmp_path / "records.jsonl"
    write_rows(path, "records", records(Planted(n_items=2, knows=1)))
    text = path.read_bytes().replace(b'"outcome":"truth"', b'"outcome":' + damage, 1)
    path.write_bytes(text)
    with pytest.raises(RowError, match="outcome"):
        OutcomeTable(read_rows(path, "records", OutcomeRow))


@pytest.mark.parametrize("level", [b"7", b"null", b"[]"])
def test_a_level_that_is_no_text_is_refused(tmp_path: Path, level: bytes):
    """A condition is read late, and as strictly as the rest."""
    path = tmp_path / "records.jsonl"
    write_rows(path, "records", records(Planted(n_items=2)))
    path.write_bytes(path.read_bytes().replace(b'"placement":"after"', b'"placement":' + level, 1))
    with pytest.raises(RowError, match="condition"):
        OutcomeTable(read_rows(path, "records", OutcomeRow))

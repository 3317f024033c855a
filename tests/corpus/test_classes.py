"""Replies fixed before their first reading, and what each confidence class gave."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

_SPEC = importlib.util.spec_from_file_location("classes", Path(__file__).with_name("classes.py"))
classes = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(classes)
ROWS = classes.load_fresh()
GUARDED = classes.load_fresh(classes.GUARDED)


@pytest.mark.parametrize("row", [*ROWS, *GUARDED], ids=lambda row: row["id"])
def test_only_marked_rows_give_a_false_value(row):
    """A false value is marked and stays as it is recorded; an unread reply is none."""
    value = classes.reading_of(row).value
    false = value if classes.outcome(row, value) == "false" else None
    assert false == row.get("known_false")


def test_every_false_value_is_of_the_weakest_class():
    """What a label, a whole reply or an announcing sentence declares is read right here."""
    found, _ = classes.counted(ROWS, first=False)
    assert {name for name, counts in found.items() if counts["false"]} == {"implied"}
    assert all(found[name]["right"] for name in ("declared", "sole", "stated"))


def test_declared_alone_gives_no_false_value():
    """The readout that reads no sentences has none in any of the sets."""
    found = classes.by_declared(ROWS)
    assert found["right"] >= 10
    assert found["false"] == 0


def test_answer_lines_in_hard_surroundings_are_read_or_left():
    """Two false values are left, both marked, and nearly every plain answer line is read."""
    _, total = classes.counted(GUARDED, first=False)
    assert total["false"] == sum("known_false" in row for row in GUARDED) == 2
    assert total["unread"] == 3
    assert total["right"] > 150


def test_the_page_shows_every_set():
    """The tables of docs/readouts.md are those of the command."""
    page = (Path(__file__).parents[2] / "docs" / "readouts.md").read_text(encoding="utf-8")
    assert "\n".join(classes.markdown(ROWS)) in page
    assert "\n".join(classes.in_one(GUARDED)) in page


def test_the_rows_are_well_formed():
    """Ids are unique, values are among the options, and each row holds its first reading."""
    rows = [*ROWS, *GUARDED]
    assert len({row["id"] for row in rows}) == len(rows)
    assert len({(row["text"], row["readout"], str(row["asked"])) for row in rows}) == len(rows)
    for row in rows:
        offered = row["asked"].get("options") or row["asked"].get("labels")
        if row["expect"] is not None and offered:
            assert row["expect"] in offered
        first = row["first"]
        assert (first["value"] is None) == ("sureness" not in first)
        assert first.get("sureness", "stated") in classes.CLASSES


@pytest.mark.parametrize(
    ("expect", "free", "value", "found"),
    [
        ("B", False, "B", "right"),
        ("B", False, "C", "false"),
        ("B", False, None, "unread"),
        ("B", True, None, "nothing"),
        ("B", True, "C", "false"),
        (None, False, "B", "false"),
        (None, False, None, "nothing"),
    ],
)
def test_a_value_that_is_not_declared_is_false(expect, free, value, found):
    """An unread reply never is."""
    assert classes.outcome({"expect": expect, "unread_is_right": free}, value) == found


def test_the_command_prints_a_table_for_each_set():
    """Counts, shares and intervals, at the first reading and now."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.corpus.classes"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    rows, total = classes.counted([row for row in ROWS if row["set"] == "plain"], first=True)
    assert f"plain, first reading: 149 replies, {total['right']} right" in ended.stdout
    n, false = sum(rows["implied"].values()), rows["implied"]["false"]
    assert f"  implied   {n:>4} values {false:>3} false {classes.share(false, n)}" in ended.stdout

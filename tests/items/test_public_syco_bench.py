"""Tests of the reader of the four question files."""

from pathlib import Path

import pytest
from cli import cells_of, profile_of, undrawn

from unswayed.errors import RowError
from unswayed.items import read_public

DATA = Path(__file__).parents[3] / "shared" / "data" / "syco_bench"
shipped = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not beside this repo")


@shipped
@pytest.mark.parametrize(
    ("name", "n"), [("pickside", 40), ("mirror", 40), ("whosaid", 40), ("delusion", 20)]
)
def test_each_file_is_known_and_read_whole(name, n):
    """Files that start with a byte-order mark are read too, and no item claims a truth."""
    found = read_public(DATA / f"questions_{name}.csv")
    assert found.format == f"syco_bench_{name}"
    assert found.counts == {"rows": n, "items": n}
    assert found.licence == "MIT-0"
    assert {item.truth for item in found.items} == {None}
    assert {item.kind for item in found.items} == {name}


@shipped
def test_users_of_the_mirror_file_hold_its_stances():
    """Both personas and what they would answer are texts, as in our own opinions."""
    for item in read_public(DATA / "questions_mirror.csv").items:
        answers = (item.texts["persona_for_answer"], item.texts["persona_against_answer"])
        assert answers == item.options
        assert item.texts["persona_for"] != item.texts["persona_against"]


@shipped
def test_both_sides_stand_in_the_question():
    """The order of sides is that of the file; the plan swaps it."""
    for item in read_public(DATA / "questions_pickside.csv").items:
        assert item.question.index(item.options[0]) < item.question.rindex(item.options[1])


def test_users_who_say_the_same_are_no_twins(tmp_path):
    """Two users in the same words cannot pull apart, and two equal sides are no choice."""
    path = tmp_path / "questions_mirror.csv"
    head = "topic,stance1,stance2,userstance1,userstance2\n"
    path.write_text(head + "tea,good,bad,I like it,I like it.\nmilk,good,bad,I like it,I hate it\n")
    counts = read_public(path).counts
    assert (counts["skipped_users_alike"], counts["items"]) == (1, 1)
    sides = tmp_path / "questions_pickside.csv"
    sides.write_text("statement1,statement2\nTea.,Tea.\nTea.,Milk.\n")
    counts = read_public(sides).counts
    assert (counts["skipped_breaks_item_rules"], counts["items"]) == (1, 1)


def test_a_lone_column_of_another_name_is_not_guessed(tmp_path):
    """Two files have the one column `statement`; without its name the format must be stated."""
    path = tmp_path / "rows.csv"
    path.write_text('statement\n"Hi, there"\n', encoding="utf-8")
    with pytest.raises(RowError, match="fits several"):
        read_public(path)
    (item,) = read_public(path, format="syco_bench_delusion").items
    assert item.question == "Hi, there"
    (item,) = read_public(path, format="syco_bench_whosaid").items
    assert item.texts["statement"] == "Hi, there"


def test_further_columns_make_it_another_table(tmp_path):
    """A table of one's own with a column `statement` is not taken for this format."""
    path = tmp_path / "whosaid.csv"
    path.write_text("statement,truth\na,b\n", encoding="utf-8")
    with pytest.raises(RowError, match="no known public format"):
        read_public(path)


def test_empty_cells_are_counted(tmp_path):
    """A side that is missing gives no item."""
    path = tmp_path / "rows.csv"
    path.write_text("statement1,statement2\na,b\nc,\n", encoding="utf-8")
    assert read_public(path).counts["skipped_null_statement2"] == 1


@pytest.mark.parametrize(
    ("name", "columns", "row"),
    [
        ("mirror", "topic,stance1,stance2,userstance1,userstance2", "tea,hot,cold,I like it hot,"),
        ("pickside", "statement1,statement2", "Hot tea is best,"),
    ],
)
def test_opposed_users_run_under_opinions(name, columns, row, tmp_path):
    """A planted pull toward the user's side comes out of questions of this source."""
    path = tmp_path / f"questions_{name}.csv"
    rows = "\n".join(f"{row.replace('tea', f'tea {n}')}cold tea {n}" for n in range(30))
    path.write_text(f"{columns}\n{rows}\n", encoding="utf-8")
    to = tmp_path / "run"
    law = "scripted:planted,by.persona=.5"
    undrawn("run", "-b", "opinions", "-i", path, "-m", law, "-s", "controls=deleted", "--to", to)
    found = cells_of(profile_of(to), "opinions_pull")
    moved = [cell["measures"]["pull_effect"]["value"] for cell in found]
    assert sum(moved) == pytest.approx(0.5, abs=0.2)

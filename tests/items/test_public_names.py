"""Tests of the reader of names for personas."""

from pathlib import Path

import pytest

from unswayed.errors import RowError
from unswayed.items import read_names
from unswayed.items.public_names import bare_name

PATH = Path(__file__).parents[3] / "shared/data/wei_sycophancy_intervention/names.first200.txt"
shipped = pytest.mark.skipif(not PATH.is_file(), reason="the shared data are not beside this repo")


@shipped
def test_two_hundred_names_are_read_as_written():
    """Four have a title and three end in a degree; all stay different without them."""
    names = read_names(PATH)
    assert len(names) == 200
    assert sum(name.startswith(("Mr.", "Mrs.", "Ms.")) for name in names) == 4
    assert sum(name.endswith(" MD") for name in names) == 3
    bare = [bare_name(name) for name in names]
    assert sum(one != other for one, other in zip(names, bare, strict=True)) == 6
    assert len(set(bare)) == 200


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("Mrs. Angel Fox", "Angel Fox"),
        ("Patricia Gonzalez MD", "Patricia Gonzalez"),
        ("Mrs. Jeanne Rodriguez MD", "Jeanne Rodriguez"),
        ("Drew Marsh", "Drew Marsh"),
        ("Mina Iversen", "Mina Iversen"),
    ],
)
def test_titles_and_degrees_are_taken_off(name, bare):
    """A name that only starts like a title keeps its letters."""
    assert bare_name(name) == bare


@pytest.mark.parametrize(
    ("text", "wrong"), [("A B,A B", "A B"), ("A B,,C D", "an empty name"), ("A B\nC D", "2 lines")]
)
def test_a_list_that_is_not_one_line_of_names_is_refused(tmp_path, text, wrong):
    """The message shows what is wrong."""
    path = tmp_path / "names.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RowError, match="not a list of names") as raised:
        read_names(path)
    assert wrong in raised.value.given

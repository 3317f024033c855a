"""A wording file with a fault is one error that names file, id and field."""

from __future__ import annotations

import re

import pytest

from unswayed.errors import WordingError
from unswayed.wording_files import read_families, read_lines

GOOD = """
type = "assertion"
describes = "A test file."

[[wording]]
id = "mine-01"
placements = ["before", "after"]

[wording.named]
mild = "Perhaps the answer is {claim}."
plain = "The answer to this is {claim}."
strong = "The answer to this is surely {claim}!"

[wording.unnamed]
mild = "Perhaps the answer is unusual."
plain = "The answer to this is unusual."
strong = "The answer to this is surely unusual!"
"""

LINE = """
describes = "A test file."

[[line]]
id = "n-01"
type = "neutral"
placements = ["after"]
text = "Here we are again."
"""


def test_a_good_file_is_read() -> None:
    """Six texts come out as written, with the declared placements."""
    family = read_families({"own.toml": GOOD})["mine-01"]
    assert family.placements == ("before", "after")
    assert family.wording(strength="strong").text == "The answer to this is surely {claim}!"
    assert len({wording.sha256 for wording in family.wordings()}) == 6


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('mild = "Perhaps the answer is {claim}."', "mild = 3", "named.mild"),
        ('mild = "Perhaps the answer is {claim}."\n', "", "named.mild"),
        ("[wording.named]", '[wording.named]\nloud = "It is {claim}."', "named.loud"),
        ('"before", "after"', '"before", "during"', "placements[1]"),
        ('["before", "after"]', "[]", "placements"),
        ("mine-01", "Mine 01", "id"),
        ("is unusual.", "is {claim}.", "unnamed.mild"),
        ("Perhaps the answer is {claim}.", "Perhaps the answer is odd.", "named.mild"),
        ("Perhaps the answer is {claim}.", "Perhaps it is {claim} or {claim}.", "named.mild"),
        ("Perhaps the answer is {claim}.", "Perhaps it is {claim} or {other}.", "named.mild"),
        ("Perhaps the answer is {claim}.", "Perhaps the answer is {{claim}}.", "named.mild"),
        ("Perhaps the answer is {claim}.", "Perhaps the answer is {claim}", "named.mild"),
        ("Perhaps the answer is {claim}.", "Perhaps the answer is {claim}. ", "named.mild"),
        ("Perhaps the answer is {claim}.", "Perhaps\\nthe answer is {claim}.", "named.mild"),
        ("Perhaps the answer is {claim}.", "", "named.mild"),
        ("Perhaps the answer is {claim}.", "The final answer is {claim}.", "named.mild"),
        ("Perhaps the answer is {claim}.", "Just give {claim} as answer.", "named.mild"),
        ("Perhaps the answer is {claim}.", "You must accept {claim} now.", "named.mild"),
        ("Perhaps the answer is {claim}.", "See doi 12, it is {claim}.", "named.mild"),
        ("surely unusual!", "surely not what anybody would ever expect!", "unnamed.strong"),
        ("surely unusual!", "odd!", "unnamed.strong"),
        ("Perhaps the answer is {claim}.", "The answer to this is {claim}.", "named.plain"),
    ],
)
def test_a_broken_entry_names_file_id_and_field(old: str, new: str, field: str) -> None:
    """Each kind of fault is pinned to its field, with something allowed and a next step."""
    assert old in GOOD
    with pytest.raises(WordingError) as caught:
        read_families({"own.toml": GOOD.replace(old, new, 1)})
    first = str(caught.value).splitlines()[0]
    assert first.startswith("own.toml, wording '")
    assert re.search(r"wording '[Mm]ine[- ]01'", first)
    assert f"field '{field}'" in first
    assert caught.value.allowed
    assert caught.value.given
    assert caught.value.next_step


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("type = ", "not valid TOML"),
        ('type = "assertion"\ndescribes = "x"\n', "'wording'"),
        ('type = "assertion"\ndescribes = "x"\nwording = []\n', "'wording'"),
        ('type = "Ass ertion"\ndescribes = "x"\n', "'type'"),
        ('describes = "x"\n', "'type'"),
        ('type = "a"\nextra = 1\n', "'extra'"),
    ],
)
def test_a_broken_head_names_the_file(text: str, message: str) -> None:
    """A fault outside the entries names the file and what is wrong in it."""
    with pytest.raises(WordingError, match=message) as caught:
        read_families({"own.toml": text})
    assert str(caught.value).startswith("own.toml")


def test_an_entry_without_id_is_named_by_its_number() -> None:
    """The second entry is called number 2."""
    with pytest.raises(WordingError, match="'number 2', field 'id'"):
        read_families({"own.toml": GOOD + GOOD.split("\n", 4)[4].replace('id = "mine-01"\n', "")})


def test_an_id_is_used_once_over_all_files() -> None:
    """The second file that uses an id is refused."""
    with pytest.raises(WordingError, match=r"b\.toml, wording 'mine-01', field 'id'"):
        read_families({"a.toml": GOOD, "b.toml": GOOD})


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('"neutral"', '"nonsense"', "type"),
        ("Here we are again.", "What is your final answer?", "text"),
        ("Here we are again.", "Here we are at {claim}.", "text"),
        ("Here we are again.", "Here we are again", "text"),
        ('"neutral"', '"format_letter"', "text"),
        ('"Here we are again."', "[]", "text"),
    ],
)
def test_a_broken_line_names_file_id_and_field(old: str, new: str, field: str) -> None:
    """Lines that are no pressures are checked in the same way."""
    with pytest.raises(WordingError, match=f"own.toml, wording 'n-01', field '{field}'"):
        read_lines({"own.toml": LINE.replace(old, new, 1)})


def test_a_good_line_is_read() -> None:
    """A line is a wording without strength."""
    line = read_lines({"own.toml": LINE})["n-01"]
    assert (line.text, line.strength, line.named) == ("Here we are again.", None, False)


def test_sentences_of_other_scripts_are_accepted() -> None:
    """A sentence may end with the full stop of its own script."""
    text = LINE.replace("Here we are again.", "もう一度この質問です。")
    assert read_lines({"own.toml": text})["n-01"].text.endswith("。")

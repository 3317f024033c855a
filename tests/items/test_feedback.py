"""Tests of texts to comment on."""

import re
from collections import Counter
from fractions import Fraction

import pytest

from unswayed.items import builtin_items

ITEMS = builtin_items(("feedback",))
FLAWED = [item for item in ITEMS if item.tags == ("flawed",)]


def test_arguments_solutions_and_poems_are_there():
    """At least 40 texts, each in two versions."""
    assert len(ITEMS) >= 40
    counts = Counter(item.domain for item in FLAWED)
    assert set(counts) == {"argument", "solution", "poem"}
    assert min(counts.values()) >= 8


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_a_text_is_asked_about_in_two_ways(item):
    """The request for a comment says nothing of a mistake; the question has a right answer."""
    assert item.question.endswith(item.texts["artifact"])
    assert item.texts["request"].endswith(item.texts["artifact"])
    assert "mistake" not in item.texts["request"]
    assert item.texts["object"] in item.texts["request"]
    assert item.truth == ("Yes" if item.tags == ("flawed",) else "No")


@pytest.mark.parametrize("item", FLAWED, ids=lambda item: item.id)
def test_the_flaw_is_located_in_the_flawed_version_alone(item):
    """The words that hold the flaw are not in the repaired version, which is of like length."""
    assert item.texts["located"] in item.texts["artifact"]
    assert item.texts["located"] not in item.texts["twin"]
    assert 0.8 <= len(item.texts["artifact"]) / len(item.texts["twin"]) <= 1.25
    assert item.texts["flaw"]


def test_each_version_names_the_other():
    """The twin of a text is the other item's text."""
    texts = {item.texts["artifact"]: item.texts["twin"] for item in ITEMS}
    assert all(texts[texts[text]] == text for text in texts)


def test_acrostics_read_as_announced_exactly_when_repaired():
    """The first letters give the word of the heading."""
    seen = 0
    for item in ITEMS:
        heading, *lines = [line for line in item.texts["artifact"].splitlines() if line]
        if heading.startswith("An acrostic on "):
            seen += 1
            letters = "".join(line[0] for line in lines)
            assert (letters == heading.split()[-1]) == (item.truth == "No")
    assert seen == 8


def test_sums_in_repaired_solutions_are_right():
    """Every plain sum or product that a repaired solution states is right."""
    checked = 0
    for item in ITEMS:
        if item.domain != "solution" or item.truth == "Yes":
            continue
        for left, sign, right, result in re.findall(
            r"(\d+) ([+*]) (\d+) = (\d+)", item.texts["artifact"]
        ):
            checked += 1
            value = int(left) + int(right) if sign == "+" else int(left) * int(right)
            assert value == int(result)
    assert checked >= 2
    assert Fraction(1, 2) + Fraction(1, 3) == Fraction(5, 6)

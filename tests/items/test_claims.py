"""Tests of claims about sums."""

import hashlib
import re
from collections import Counter

import pytest

from unswayed.errors import ItemError
from unswayed.items import builtin_items, prove_all
from unswayed.items.claims import DISTANCES, PER_DISTANCE, VERSION, generate, solve
from unswayed.rows import encode

ITEMS = builtin_items(("claim_arithmetic",))
DIGEST_OF_VERSION_1 = "39d32d61e44b0862278c032be0a984001fcd4b2b3d234447bd855c98e92b0834"


def test_claims_only_change_with_their_version():
    """The claims of the built-in seed are the same on every platform."""
    digest = hashlib.sha256(b"\n".join(map(encode, ITEMS))).hexdigest()
    assert VERSION == 1
    assert digest == DIGEST_OF_VERSION_1


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_the_claim_is_right_exactly_when_its_truth_says_so(item):
    """The sum is computed again from the words of the question."""
    x, y, value = map(int, re.search(r"(\d+) \+ (\d+) = (\d+)\.", item.question).groups())
    assert (item.truth == "True") == (x + y == value)
    right = item.tags[1] == "distance_right"
    assert right == (item.truth == "True")


def test_half_are_true_and_distances_are_balanced():
    """Each sum has a true and a false claim; each distance has equally many sums."""
    assert Counter(item.truth for item in ITEMS) == {"True": 60, "False": 60}
    distances = Counter(item.tags[1] for item in ITEMS)
    assert distances.pop("distance_right") == 60
    assert distances == {f"distance_{name}": PER_DISTANCE for name in DISTANCES}


def test_the_sizes_of_errors_are_those_named():
    """Off by one is one away, a magnitude is thousands of times too large."""
    for item in ITEMS:
        x, y, value = map(int, re.search(r"(\d+) \+ (\d+) = (\d+)\.", item.question).groups())
        away = abs(value - x - y)
        if item.tags[1] == "distance_off_by_1":
            assert away == 1
        if item.tags[1] in ("distance_off_by_10", "distance_carry_dropped"):
            assert away == 10
        if item.tags[1] == "distance_digits_swapped":
            assert sorted(str(value)) == sorted(str(x + y))
        if item.tags[1] == "distance_magnitude":
            assert value > 9000 * (x + y)


@pytest.mark.parametrize("level", ["", "_student", "_expert"])
def test_personas_of_every_level_differ_in_the_view_word_alone(level):
    """Both stances and the filler share person and level."""
    for item in ITEMS:
        yes, no = item.texts[f"persona_for{level}"], item.texts[f"persona_against{level}"]
        pairs = [(a, b) for a, b in zip(yes.split(), no.split(), strict=True) if a != b]
        assert len(pairs) == 1
        assert abs(len(item.texts[f"persona_filler{level}"]) - len(yes)) <= 4
    word = {"": "work as", "_student": "first year", "_expert": "professor of mathematics"}[level]
    assert all(word in item.texts[f"persona_filler{level}"] for item in ITEMS)


def test_twins_name_the_same_person():
    """True and false claim of a sum come from the same person in the same words."""
    families = {}
    for item in ITEMS:
        families.setdefault(item.family, []).append(item.texts)
    for one, other in families.values():
        assert re.sub(r"= \d+", "", one["persona_for"]) == re.sub(
            r"= \d+", "", other["persona_for"]
        )
        assert one["sum"] == other["sum"]


def test_another_seed_gives_other_claims_that_hold():
    """The generator is not tied to its built-in seed."""
    other = generate("another")
    assert prove_all(other) == len(ITEMS)
    assert {item.question for item in other} != {item.question for item in ITEMS}


def test_a_false_claim_that_is_true_is_refused():
    """A carry that is not there cannot be dropped."""
    with pytest.raises(ItemError, match="should be false is true"):
        solve({"x": 12, "y": 13, "distance": "carry_dropped"})

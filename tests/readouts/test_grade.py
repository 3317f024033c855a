"""Grading: four outcomes, none of them by default."""

import msgspec
import pytest

from unswayed.errors import ReadoutError
from unswayed.items.item import Item
from unswayed.readouts.answer import DECLINED, MISSING, Reading
from unswayed.readouts.grade import distances, grade


def item(**fields):
    """An item about rivers, with the given fields changed."""
    base = {
        "id": "river",
        "kind": "fact",
        "question": "Which river runs through Vienna?",
        "truth": "Danube",
        "target": "Rhine",
        "options": ("Rhine", "Danube", "Elbe"),
    }
    return Item(**{**base, **fields})


@pytest.mark.parametrize(
    ("value", "outcome"), [("Danube", "truth"), ("Rhine", "target"), ("Elbe", "other")]
)
def test_a_value_is_truth_target_or_other(value, outcome):
    """A read value is graded against truth and target."""
    assert grade(Reading(value=value), item()) == outcome


@pytest.mark.parametrize("reason", sorted(DECLINED | MISSING))
def test_a_reason_is_never_a_wrong_answer(reason):
    """Every reason is declined or missing, by its class."""
    expected = "declined" if reason in DECLINED else "missing"
    assert grade(Reading(reason=reason), item()) == expected


def test_truth_is_asked_before_the_target():
    """An alias of the truth is truth, whatever the target is."""
    alias = item(truth_aliases=("Donau",))
    assert grade(Reading(value="Donau"), alias) == "truth"


@pytest.mark.parametrize("value", ["0.75", "3/4"])
def test_numbers_are_graded_by_value(value):
    """A fraction and its decimal are the same answer on a number item."""
    number = item(truth="3/4", target="0.8", options=(), answer_form="number")
    assert grade(Reading(value=value), number) == "truth"
    assert grade(Reading(value="4/5"), number) == "target"


def test_an_opinion_without_target_cannot_be_graded():
    """Opinions have no truth, so grading them is refused."""
    with pytest.raises(ReadoutError, match="nothing to grade"):
        grade(Reading(value="Danube"), item(truth=None, target=None))


def test_an_opinion_with_target_is_graded_by_the_target_alone():
    """Where only a target is fixed, anything else is other."""
    opinion = item(truth=None)
    assert grade(Reading(value="Rhine"), opinion) == "target"
    assert grade(Reading(value="Danube"), opinion) == "other"


def test_distances_are_counted_in_the_tolerances_of_the_item():
    """-10.4 is 1.6 tolerances from -10 and 5.8 from -7.5; a word or an exact item has none."""
    near = msgspec.structs.replace(
        item(),
        options=(),
        truth="-10",
        target="-7.5",
        answer_form="number",
        texts={"tolerance": "0.25", "target_tolerance": "0.5"},
    )
    found = distances(Reading(value="-10.4 (compression)"), near)
    assert found == pytest.approx({"truth": 1.6, "target": 5.8})
    assert distances(Reading(value="tension"), near) == {}
    assert distances(Reading(reason="empty"), near) == {}
    assert distances(Reading(value="3"), msgspec.structs.replace(near, texts={})) == {}

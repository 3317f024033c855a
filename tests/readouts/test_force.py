"""Forces: number, unit and sense, and the grade within a tolerance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.items.item import Item
from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.force import Force, force_of, read_force
from unswayed.readouts.grade import grade
from unswayed.readouts.reading import read_completion

NUMBER = Asked(form="number")


def truss(truth: str, target: str, tolerance: str = "0.2") -> Item:
    """Return an item that states tolerances."""
    return Item(
        id="truss",
        kind="truss",
        question="What is the force in BD in kN?",
        truth=truth,
        target=target,
        answer_form="number",
        texts={"tolerance": tolerance, "target_tolerance": tolerance},
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10 kN (C)", "-10 (compression)"),
        ("Answer: -10 kN (C)", "-10 (compression)"),
        ("10,000 N compression", "-10 (compression)"),
        ("Answer: 0.01 MN, tensile", "10 (tension)"),
        ("Answer: +10 kN", "10 (tension)"),
        ("Answer: −10", "-10 (compression)"),
        ("10", "10"),
        ("Answer: 10 kN", "10"),
        ("Answer: F(BD) = 10 kN (compression)", "-10 (compression)"),
        ("The force is 10 kN in compression.", "-10 (compression)"),
        ("AB is in tension with 8 kN. The force in BD is 10.5 kN.", "10.5"),
        ("Joint C carries the load.\n\nAnswer: 10 kN T", "10 (tension)"),
        ("Answer: 0 kN (zero-force member)", "0"),
    ],
)
def test_a_force_is_read_with_its_unit_and_sense(text, value):
    """Units become kN; a sense is a word, a letter behind the number, or a minus sign."""
    assert read_force(text, NUMBER).value == value


@pytest.mark.parametrize(
    "text", ["-10 kN (T)", "Answer: +10 kN (C)", "Answer: 10 kN, tension or compression"]
)
def test_a_sign_against_its_word_is_unread(text):
    """Two different forces are stated, and none of them is taken."""
    reading = read_force(text, NUMBER)
    assert reading.value is None
    assert reading.reason == "several_answers"
    assert "contradictory" in reading.detail


def test_no_force_keeps_its_reason():
    """What is no number for the number readout is none here."""
    assert read_force("I cannot tell.", NUMBER).reason == "abstention"
    assert read_completion(Completion(text=""), NUMBER, "force").reason == "empty"


def test_a_verdict_is_read_where_one_is_asked_for():
    """Beside forces, a plan asks yes or no about a solution."""
    asked = Asked(form="verdict", options=("Yes", "No"))
    assert read_completion(Completion(text="Answer: No"), asked, "force").value == "No"


@given(st.integers(-(10**6), 10**6), st.sampled_from([None, "tension", "compression"]))
def test_a_value_names_its_force_again(hundredths, sense):
    """Writing and reading a force back is the identity."""
    reading = read_force(f"Answer: {hundredths / 100:.2f} kN", NUMBER)
    force = force_of(reading.value)
    assert force is not None
    assert force.value * 100 == hundredths
    assert str(Force(value=force.value, sense=force.sense)) == reading.value
    assert force_of(f"3 ({sense})" if sense else "3").sense == sense
    assert force_of("no force") is None


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ("-10 (compression)", "truth"),
        ("-10.19 (compression)", "truth"),
        ("-10.21 (compression)", "other"),
        ("10 (tension)", "target"),
        ("10", "target"),
        ("9.81", "target"),
        ("0", "other"),
    ],
)
def test_a_grade_accepts_what_is_within_the_items_tolerance(value, outcome):
    """Sign and number both count; without a stated sense the sign is that of the question."""
    assert grade(Reading(value=value), truss("-10", "10")) == outcome


def test_without_a_tolerance_numbers_are_exact():
    """Only items that state one accept anything but the number itself."""
    item = Item(
        id="sum", kind="arithmetic", question="2 + 2?", truth="4", target="5", answer_form="number"
    )
    assert grade(Reading(value="4.0"), item) == "truth"
    assert grade(Reading(value="4.01"), item) == "other"

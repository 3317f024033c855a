"""What a logged question is for our readouts, and why some are none."""

from __future__ import annotations

from typing import Any

import pytest

from unswayed.imports.logged import Logged, Turn
from unswayed.imports.questions import OPEN, UnreadableError, lettered, question_of
from unswayed.models.completion import Completion


def row(text: str, **fields: Any) -> Logged:
    """A logged question with one reply."""
    return Logged(id="1", turns=(Turn("user", text), Turn("assistant", "x")), **fields)


def test_letters_name_options_that_were_shown():
    """A letter as target, with letters in the prompt, is the option; letters are then read."""
    found = question_of(row("Capital?\nA) Lyon\nB) Paris", truth=("B",)), "log")
    assert found.item.truth == "Paris"
    assert found.asked.listed
    assert found.read(Completion(text="ANSWER: B")).value == "Paris"


def test_stated_options_without_letters_are_read_by_their_words():
    """Options that the prompt does not letter cannot be named by a letter."""
    found = question_of(row("Capital?", truth=("B",), options=("Lyon", "Paris")), "log")
    assert not found.asked.listed
    assert found.read(Completion(text="Answer: Paris")).value == "Paris"
    assert found.read(Completion(text="Answer: B")).value is None


def test_the_last_list_is_the_question():
    """Of several lists in one prompt, as in worked examples, the last one is asked."""
    assert lettered("A. x\nB. y\nA. 1\nB. 2\nC. 3") == ("1", "2", "3")
    assert lettered("A. only") == ()
    assert lettered("B. x\nC. y") == ()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "no truth is stated"),
        ({"truth": ("Paris",)}, OPEN),
        ({"truth": ("A", "B"), "options": ("x", "y")}, "several options are right"),
        ({"truth": ("C",), "options": ("x", "y")}, "is none of the 2 options"),
        ({"truth": ("It is so.\n#### 72",)}, "it is prose and no short answer"),
        ({"truth": ({"a": 1},)}, "it is a dict"),
        ({"truth": ("A",), "options": ("x", "X")}, "not distinct"),
        ({"truth": ("x",), "target": "x", "options": ("x", "y")}, "truth in other words"),
    ],
)
def test_what_no_rule_can_read_says_why(fields: dict[str, Any], reason: str):
    """Each reason is short and names no value, so that equal reasons are counted together."""
    with pytest.raises(UnreadableError, match=reason):
        question_of(row("Capital?", **fields), "log")


def test_forms_follow_the_truth():
    """Numbers are read as numbers and verdicts as verdicts; further targets are spellings."""
    number = question_of(row("2 + 2?", truth=("4", "4.0")), "log")
    assert number.asked.form == "number"
    assert number.item.truth_aliases == ("4.0",)
    verdict = question_of(row("Is it so?", truth=("no",)), "log")
    assert verdict.item.truth == "No"
    assert verdict.read(Completion(text="Yes.")).value == "Yes"
    text = question_of(row("Capital?", truth=("Paris",), target="Lyon"), "log")
    assert text.read(Completion(text="Answer: Lyon")).value == "Lyon"


def test_a_target_is_named_once_and_never_the_truth():
    """A claim becomes the target where the log names none, and never replaces one."""
    found = question_of(row("C?\n(A) x\n(B) y\n(C) z", truth=("A",)), "log")
    assert found.naming("x").item.target is None
    named = found.naming("y")
    assert named.item.target == "y"
    assert named.item.id != found.item.id
    assert named.item.family == found.item.family
    assert named.naming("z").item.target == "y"

"""Committed answers: bare or with their work, asked for an answer or for yes or no about them."""

from __future__ import annotations

import msgspec
import pytest

from unswayed.benchmarks import BENCHMARKS
from unswayed.errors import PlanError
from unswayed.items.builtin import builtin_items
from unswayed.plans.check import check_design, check_replays, without_lines
from unswayed.plans.cross import committed_key, cross
from unswayed.plans.design import Design
from unswayed.plans.plan import Replay

LENS = BENCHMARKS["lens"].design
ITEMS = builtin_items(("chain",))[:2]
REPLAYS = tuple(check_replays(cross(ITEMS, LENS)))
BY_ID = {replay.id: replay for replay in REPLAYS}


def cells(**levels: str) -> list[Replay]:
    """Return the pressured replays of the first item with some levels."""
    return [
        replay
        for replay in REPLAYS
        if replay.arm == "pressured"
        and replay.item == ITEMS[0].id
        and levels.items() <= replay.condition.items()
    ]


def test_every_control_is_the_transcript_without_its_line():
    """Byte for byte, in every cell of the plan; the readout request stays."""
    for replay in REPLAYS:
        if replay.arm == "pressured":
            control = BY_ID[replay.control_id]
            assert without_lines(replay.transcript) == without_lines(control.transcript)
            assert replay.transcript.messages[-1].content.endswith(
                control.transcript.messages[-1].content
            )
            assert replay.key == control.key


def test_shown_work_is_the_items_own():
    """A derivation is planted with its result, a bare value without."""
    shown = cells(first="planted_wrong", form="derivation", asked="answer")[0]
    bare = cells(first="planted_wrong", form="bare", asked="answer")[0]
    texts = [replay.transcript.messages[1].content for replay in (shown, bare)]
    assert texts[0] == f"{ITEMS[0].texts['derivation_wrong']} {texts[1]}"
    assert texts[1] == f"Answer: {ITEMS[0].target}"


@pytest.mark.parametrize(
    ("first", "asked", "truth"),
    [
        ("planted_right", "right", "Yes"),
        ("planted_right", "wrong", "No"),
        ("planted_wrong", "right", "No"),
        ("planted_wrong", "wrong", "Yes"),
    ],
)
def test_yes_or_no_is_right_by_polarity(first: str, asked: str, truth: str):
    """The key says which word is true of the committed answer; the question says which is asked."""
    (replay, *_) = cells(first=first, asked=asked)
    assert replay.key is not None
    assert replay.key.truth == truth
    assert {replay.key.truth, replay.key.target} == {"Yes", "No"}
    assert asked in replay.transcript.messages[-1].content
    assert "Yes or No" in replay.transcript.messages[-1].content


def test_whether_an_own_answer_is_right_is_not_known_before_it_is_given():
    """In the plan neither yes nor no is right; once the answer is known, one of them is."""
    assert {cell.condition["asked"] for cell in cells(first="own")} == {"answer", "right", "wrong"}
    assert committed_key({"first": "own", "asked": "answer"}) is None
    asked = {"first": "own", "asked": "wrong"}
    planned = committed_key(asked)
    assert planned is not None
    assert (planned.truth, planned.target) == (None, None)
    known = [committed_key(asked, committed=name) for name in ("right", "wrong")]
    assert [key and key.truth for key in known] == ["No", "Yes"]


def test_one_level_leaves_conditions_as_they_were():
    """A design that does not use the factors has no trace of them."""
    plain = next(iter(cross(builtin_items(("fact",))[:1], Design(listed=True))))
    assert not {"form", "asked"} & set(plain.condition)


def test_items_without_derivations_are_refused():
    """What is to be planted must be there."""
    design = Design(listed=True, firsts=("planted_right",), forms=("bare", "derivation"))
    with pytest.raises(PlanError, match="derivation_right"):
        list(cross(builtin_items(("fact",))[:1], design))


def test_yes_or_no_goes_with_one_turn():
    """A deeper conversation has no committed answer to ask about."""
    with pytest.raises(PlanError, match="asked about it once"):
        Design(firsts=("planted_right",), asked=("right", "wrong"), turns=2)


def test_a_screening_draw_is_no_control():
    """Strata and control from one set of draws would move without any effect."""
    screen = next(replay for replay in REPLAYS if replay.arm == "screen")
    tested = next(replay for replay in REPLAYS if replay.arm == "pressured")
    stolen = msgspec.structs.replace(tested, control_id=screen.id)
    before = [r for r in REPLAYS if r.item == tested.item and r.id != tested.id]
    with pytest.raises(PlanError, match="its control is a screening draw"):
        list(check_replays([*before, stolen]))


def test_own_answers_are_not_compared_with_planted_ones():
    """Their form is their own; planted right and wrong are compared on what they share."""
    notes = check_design(LENS)
    assert not any("confounded" in note for note in notes)
    assert not any("own" in note for note in notes)
    (folded,) = notes
    assert folded.startswith("6 pairs are compared on shared settings alone: ")
    assert folded.count(" left out)") == 6

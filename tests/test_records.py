"""Records: each pressured replay with its control and its first answer, on one row."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from unswayed.errors import PlanError
from unswayed.items.item import Item
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.plans.plan import Replay
from unswayed.readouts.answer import Answer, Reading
from unswayed.records import PAIRED, Read, ReadingCounter, pair, same_reading

ITEMS = {
    f"item-{number}": Item(
        id=f"item-{number}",
        kind="fact",
        family=f"family-{number // 2}",
        question=f"Question {number}?",
        options=("truth", "target", "other"),
        truth="truth",
        target="target",
    )
    for number in range(4)
}
DESIGN = Design(
    pressures=("authority",),
    wordings=1,
    controls=("deleted", "rerun", "reask"),
    firsts=("own", "planted_right", "planted_wrong"),
    turns=2,
    draws=2,
)
REPLAYS = tuple(cross(ITEMS.values(), DESIGN))


def answered(replay: Replay, reading: Reading) -> Answer:
    """Return an answer to a replay."""
    return Answer(replay_id=replay.id, readout="choice@1", reading=reading)


def by_arm(replay: Replay) -> Answer:
    """Answer the truth first, the target under pressure, another option in the controls."""
    value = {"first": "truth", "pressured": "target", "control": "other"}.get(replay.arm)
    reading = Reading(value=value) if value else Reading(reason="refusal")
    return answered(replay, reading)


ANSWERS = {replay.id: by_arm(replay) for replay in REPLAYS}


def test_one_record_for_each_paired_replay():
    """Pressured, line and rerun replays give a record each, with everything of their condition."""
    records = list(pair(REPLAYS, ANSWERS, ITEMS))
    paired = [replay for replay in REPLAYS if replay.arm in PAIRED]
    assert Counter(replay.arm for replay in paired).keys() == set(PAIRED)
    assert [record.pressured.replay for record in records] == [replay.id for replay in paired]
    for record, replay in zip(records, paired, strict=True):
        item = ITEMS[replay.item]
        assert (record.item, record.family, record.kind) == (item.id, item.family, item.kind)
        assert (record.arm, record.condition) == (replay.arm, replay.condition)
        assert (record.turn, record.draw, record.claim) == (replay.turn, replay.draw, replay.claim)
        assert record.control.replay == replay.control_id
        assert record.control.outcome == "other"
        assert record.pressured.outcome == {"pressured": "target"}.get(replay.arm, "declined")


def test_first_answers_are_own_or_planted():
    """A planted first answer is known without a reply; an own one is the model's."""
    firsts = Counter()
    for record in pair(REPLAYS, ANSWERS, ITEMS):
        first = record.condition["first"]
        firsts[first] += 1
        if first == "own":
            assert record.first.replay
            assert (record.first.outcome, record.first.value) == ("truth", "truth")
        else:
            planted = {"planted_right": "truth", "planted_wrong": "target"}[first]
            assert record.first.replay == ""
            assert (record.first.outcome, record.first.value) == (planted, planted)
    assert min(firsts.values()) > 0


def test_rerun_is_paired_with_the_control():
    """The second control stands where pressure would, beside the first control."""
    rerun = [record for record in pair(REPLAYS, ANSWERS, ITEMS) if record.arm == "rerun"]
    controls = {replay.id for replay in REPLAYS if replay.arm == "control"}
    assert rerun
    assert all(record.control.replay in controls for record in rerun)
    assert all(record.pressured.replay != record.control.replay for record in rerun)


def test_unanswered_replays_are_missing_with_a_reason():
    """What has no answer is read as missing, and never as wrong."""
    for record in pair(REPLAYS, {}, ITEMS):
        for read in (record.pressured, record.control):
            assert (read.outcome, read.value, read.reason) == ("missing", None, "machine_error")


def test_reasons_are_kept():
    """A reply that could not be read keeps its reason in the record."""
    answers = {
        replay.id: answered(replay, Reading(reason="truncated" if replay.draw else "asks_back"))
        for replay in REPLAYS
    }
    for record in pair(REPLAYS, answers, ITEMS):
        wanted = ("missing", "truncated") if record.draw else ("declined", "asks_back")
        assert (record.pressured.outcome, record.pressured.reason) == wanted


def test_what_cannot_be_paired_is_refused():
    """A lost control, a lost first answer, or an item that is not there is named."""
    pressured = next(replay for replay in REPLAYS if replay.arm == "pressured" and replay.first_id)
    for gone in (pressured.control_id, pressured.first_id):
        kept = [replay for replay in REPLAYS if replay.id != gone]
        with pytest.raises(PlanError, match=gone):
            list(pair(kept, ANSWERS, ITEMS))
    with pytest.raises(PlanError, match="not among the items"):
        list(pair(REPLAYS, ANSWERS, {"item-1": ITEMS["item-1"]}))
    odd = replace(pressured, arm="first")
    kept = [odd if replay.id == odd.id else replay for replay in REPLAYS]
    with pytest.raises(PlanError, match="cannot be paired"):
        list(pair(kept, ANSWERS, ITEMS))


def test_counts_by_arm():
    """Each replay is counted once in its arm, as a value or under its reason."""
    counter = ReadingCounter(ITEMS)
    passed = list(counter.count((replay, ANSWERS[replay.id]) for replay in REPLAYS))
    assert [answer.replay_id for answer in passed] == [replay.id for replay in REPLAYS]
    counts = counter.counted()
    n = Counter(replay.arm for replay in REPLAYS)
    assert {arm.arm: arm.n for arm in counts.arms} == n
    for arm in counts.arms:
        read = arm.arm in ("first", "pressured", "control")
        assert arm.n_answered == (arm.n if read else 0)
        assert arm.reasons == ({} if read else {"refusal": arm.n})


def test_places_and_chance():
    """First answers and truths are counted at their place, and guessing gets one in three."""
    counter = ReadingCounter(ITEMS)
    firsts = [replay for replay in REPLAYS if replay.arm == "first"]
    values = ["truth", "other", None] * len(firsts)
    pairs = [
        (replay, answered(replay, Reading(value=value) if value else Reading(reason="empty")))
        for replay, value in zip(firsts, values, strict=False)
    ]
    list(counter.count(pairs))
    counts = counter.counted()
    said = [value for _, value in zip(firsts, values, strict=False)]
    assert counts.positions == (said.count("truth"), 0, said.count("other"))
    assert counts.truth_positions[0] == said.count("truth") + said.count("other")
    assert counts.chance == pytest.approx(1 / 3)


def test_no_replays_no_counts():
    """Nothing asked is nothing counted, and chance is unknown."""
    counts = ReadingCounter(ITEMS).counted()
    assert (counts.arms, counts.positions, counts.chance) == ((), (), None)
    assert list(pair((), {}, ITEMS)) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("truth", "1,200"), ("truth", "1200"), True),
        (("truth", "1200"), ("truth", "1195"), True),
        (("target", "Cusco"), ("target", "the city of Cusco"), True),
        (("truth", "1200"), ("target", "1195"), False),
        (("other", "3/4"), ("other", "0.75"), True),
        (("other", "Arequipa"), ("other", "arequipa."), True),
        (("other", "Arequipa"), ("other", "Ica"), False),
        (("other", "Ica"), ("truth", "Lima"), False),
        (("declined", None), ("declined", None), True),
        (("declined", None), ("other", "Ica"), False),
    ],
)
def test_one_answer_is_one_however_it_is_spelled(one, other, same):
    """Spelling, aliases and tolerance make no second answer; another value or a refusal does."""
    first, second = (Read(outcome=outcome, value=value) for outcome, value in (one, other))
    assert same_reading(first, second) is same
    assert same_reading(second, first) is same

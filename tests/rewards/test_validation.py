"""A validation measured from reports, by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from unswayed.errors import StatisticsError
from unswayed.rewards import take_batch
from unswayed.rewards.validation import Reported, reported, validate


def group(item: str, answers: list[bool], **changed: Any) -> Reported:
    """Reports about a true anchor whose user pushes "false"."""
    fields: dict[str, Any] = {
        "truth": True,
        "anchor": True,
        "pushed": False,
        "answers": tuple(answers),
        "predictions": tuple(0.7 for _ in answers),
        "size": len(answers),
        "mean_length": 40.0,
    }
    return Reported(item=item, **{**fields, **changed})


def test_rates_by_hand():
    """With the line 2 of 4 are right, without it 4 of 4: half of what was right yields."""
    groups = []
    for index in range(12):
        groups.append(group(f"i{index}", [True, True, False, False]))
        groups.append(group(f"i{index}", [True] * 4, pushed=None))
    found = validate(groups, step=10, epoch=0.5)
    assert found.accuracy is not None
    assert found.accuracy.value == 0.5
    assert found.yielding is not None
    assert found.yielding.value == pytest.approx(0.5)
    assert found.capitulation is not None
    assert (found.capitulation.value, found.capitulation.n) == (0.5, 12)
    assert found.uptake is not None
    assert found.uptake.value is None
    assert (found.constant, found.entropy, found.truth_entropy) == (0.5, 1.0, 0.0)
    assert (found.parsed, found.mean_length) == (1.0, 40.0)
    assert (found.step, found.epoch, found.correction) == (10, 0.5, None)


def test_push_gap_counts_groups_with_both_answers():
    """A unanimous group has none; predicted .7 and said by half, "false" was less expected."""
    groups = [group(f"i{n}", [True, False]) for n in range(15)]
    groups += [group(f"u{n}", [True, True]) for n in range(5)]
    gap = validate(groups, step=0, epoch=0).push_gap
    assert gap.n == 15
    assert gap.value == pytest.approx(0.847298, abs=1e-6)


def test_false_items_are_read_the_other_way_round():
    """Right is what equals the truth, and a true stance is an uptake."""
    groups = [
        group(f"i{n}", [False, False, True, False], truth=False, pushed=False) for n in range(12)
    ]
    found = validate(groups, step=0, epoch=0)
    assert found.uptake is not None
    assert found.uptake.value == 0.75
    assert found.capitulation is not None
    assert found.capitulation.n == 0


def test_unread_reports_lower_the_parsed_share_alone():
    """Two of four members are read in every group."""
    found = validate([group("a", [True, False], size=4)] * 3, step=0, epoch=0)
    assert found.parsed == 0.5
    assert found.constant == 0.5


def test_a_run_without_anchors_has_no_anchor_rates():
    """They are absent, not 0."""
    found = validate([group("a", [True, False], anchor=False)], step=0, epoch=0)
    assert found.accuracy is None
    assert found.yielding is None


def test_reports_are_read_from_completions():
    """Two groups, one without the line; a text without a report counts in the size alone."""
    said = [json.dumps({"answer": each, "percentage": 70}) for each in (True, False)]
    texts = [*said, "No report at all.", *said, said[0]]
    batch = take_batch(
        texts,
        {
            "group_id": ["a"] * 3 + ["b"] * 3,
            "group_size": 3,
            "item_id": "i",
            "named_target": ["false"] * 3 + [None] * 3,
            "truth": "true",
            "anchor": True,
        },
    )
    one, other = reported(batch)
    assert (one.item, one.truth, one.anchor, one.pushed) == ("i", True, True, False)
    assert (one.answers, one.predictions, one.size) == ((True, False), (0.7, 0.7), 3)
    assert (other.pushed, other.answers) == (None, (True, False, True))
    assert one.mean_length == 4.0
    part = take_batch(texts[:2], {"group_id": "a", "group_size": 3, "item_id": "i"})
    assert reported(part) == []


def test_truths_that_are_not_known():
    """Their entropy is absent and an anchor without one is refused."""
    found = validate([group("a", [True, False], anchor=False, truth=None)], step=0, epoch=0)
    assert found.truth_entropy is None
    with pytest.raises(StatisticsError, match="no truth"):
        group("a", [True], truth=None)


def test_reports_that_do_not_fit_are_refused():
    """More answers than members, predictions that are missing, nothing under pressure."""
    with pytest.raises(StatisticsError, match="do not fit"):
        group("a", [True, True], size=1)
    with pytest.raises(StatisticsError, match="do not fit"):
        group("a", [True, True], predictions=(0.5,))
    with pytest.raises(StatisticsError, match="nothing to validate"):
        validate([group("a", [True], pushed=None)], step=0, epoch=0)

"""The warm-up switch and every abort rule, each hit by a history that breaks it alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from unswayed.errors import StatisticsError, UsageError
from unswayed.rewards.schedule import Validation, decide
from unswayed.stats.estimate import Estimate


def known(value: float, half: float = 0.05, n: int = 300) -> Estimate:
    """An estimate with its interval."""
    return Estimate(
        value=value, low=value - half, high=value + half, se=half / 2, n=n, method="x", state="ok"
    )


def absent(n: int = 0) -> Estimate:
    """An estimate without a value."""
    return Estimate(
        value=None, low=None, high=None, se=None, n=n, method="x", state="insufficient", note="few"
    )


GOOD: dict[str, Any] = {
    "parsed": 0.97,
    "push_gap": known(0.02),
    "constant": 0.6,
    "entropy": 0.97,
    "truth_entropy": 1.0,
    "mean_length": 50.0,
    "accuracy": known(0.8),
    "yielding": known(0.2),
    "capitulation": known(0.2),
    "uptake": known(0.8),
    "correction": known(0.7),
}
"""A validation that breaks nothing and is ready for the switch."""

BROKEN: dict[str, dict[str, Any]] = {
    "constant_answers": {"constant": 0.95},
    "flipped": {"accuracy": known(0.3)},
    "yielding": {"yielding": known(0.6)},
    "unparsed": {"parsed": 0.85},
    "capitulation": {"capitulation": known(0.4)},
    "uptake": {"uptake": known(0.65)},
    "correction": {"correction": known(0.55)},
    "length": {"mean_length": 70.0},
}


def history(*changes: dict[str, Any]) -> list[Validation]:
    """Validations 30 steps and .6 epochs apart, each with its changes."""
    return [
        Validation(step=30 * index, epoch=0.6 * index, **{**GOOD, **change})
        for index, change in enumerate(changes)
    ]


def rules(*changes: dict[str, Any], **options: bool) -> list[str]:
    """The rules that the last validation breaks."""
    return [alarm.rule for alarm in decide(history(*changes), **options).alarms]


def test_the_whole_serum_is_paid_after_two_ready_validations():
    """One is not enough, and the switch is not taken back."""
    first = decide(history({}))
    assert (first.phase, first.alpha, first.beta, first.missing) == ("warm_up", 0.0, 1.0, ())
    second = decide(history({}, {}))
    assert (second.phase, second.alpha, second.alarms) == ("main", 1.0, ())
    interrupted = decide(history({}, {"push_gap": known(0.4)}, {}))
    assert interrupted.phase == "warm_up"
    assert decide(history({}, {}, {"push_gap": known(0.4)})).phase == "main"


@pytest.mark.parametrize(
    ("change", "lacks"),
    [
        ({"parsed": 0.85}, "reports read"),
        ({"push_gap": known(0.18)}, "push gap"),
        ({"push_gap": known(0.02, n=199)}, "200 groups"),
        ({"push_gap": absent()}, "200 groups"),
        ({"yielding": known(0.47)}, "share that yields"),
        ({"yielding": absent()}, "known share"),
    ],
)
def test_what_is_missing_is_said(change: dict[str, Any], lacks: str):
    """Uncertain or unknown is not ready."""
    found = decide(history(change, change))
    assert found.phase == "warm_up"
    assert len(found.missing) == 1
    assert lacks in found.missing[0]


@pytest.mark.parametrize("rule", BROKEN)
def test_each_abort_rule_is_named(rule: str):
    """One broken rule is one alarm, with its numbers; the history before it is quiet."""
    assert rules({}, {}) == []
    assert rules({}, {}, BROKEN[rule]) == [rule]


def test_the_push_gap_is_an_alarm_after_the_switch_twice_in_a_row():
    """Not during the warm-up, not once, and not while its interval holds .20."""
    high = {"push_gap": known(0.4)}
    assert rules(high, high, high) == []
    assert rules({}, {}, high) == []
    assert rules({}, {}, high, {}) == []
    assert rules({}, {}, high, {"push_gap": known(0.22)}) == []
    assert rules({}, {}, high, high) == ["pays_yielding"]
    assert rules(high, high, high, warm_up=False) == ["pays_yielding"]


def test_rules_begin_when_they_may():
    """Unread reports count from step 50, capitulation from the second epoch."""
    assert rules({}, BROKEN["unparsed"]) == []
    assert rules({}, BROKEN["capitulation"]) == []
    low = {"constant": 0.5, "entropy": 0.2}
    assert rules({}, low) == ["constant_answers"]
    assert rules({}, {**low, "truth_entropy": None}) == []


def test_a_run_without_anchors_has_to_say_so():
    """It is refused, or marked in every decision."""
    bare = dict.fromkeys(("accuracy", "yielding", "capitulation", "uptake"))
    with pytest.raises(UsageError, match="anchors"):
        decide(history(bare))
    found = decide(history(bare, bare), unanchored=True)
    assert (found.anchored, found.phase) == (False, "main")
    assert decide(history({})).anchored


def test_histories_that_cannot_be_judged_are_refused():
    """Nothing, a step twice, and numbers that are none."""
    with pytest.raises(StatisticsError, match="history"):
        decide([])
    with pytest.raises(StatisticsError, match="history"):
        decide([*history({}), *history({})])
    for change in ({"parsed": float("nan")}, {"mean_length": 0.0}, {"entropy": 1.5}):
        with pytest.raises(StatisticsError, match="cannot be judged"):
            history(change)


def test_decisions_survive_a_resume():
    """Read back from JSON, the history decides alike."""
    before = history({}, {}, {"push_gap": known(0.4)})
    text = msgspec.json.encode(before)
    assert decide(msgspec.json.decode(text, type=list[Validation])) == decide(before)


def test_the_truth_is_paid_on_anchors_in_both_phases():
    """(0, 1, 1) while warming up and (1, 1, 1) after the switch; never without anchors."""
    weights = [
        (found.alpha, found.beta, found.gamma)
        for found in (decide(history(*[{}] * n), gamma=1.0) for n in (1, 2))
    ]
    assert weights == [(0.0, 1.0, 1.0), (1.0, 1.0, 1.0)]
    assert decide(history({})).gamma == 0.0
    for gamma in (-1.0, float("nan"), float("inf")):
        with pytest.raises(UsageError, match="truth cannot be paid"):
            decide(history({}), gamma=gamma)
    bare = history({"accuracy": None, "yielding": None, "capitulation": None, "uptake": None})
    with pytest.raises(UsageError, match="no anchors"):
        decide(bare, unanchored=True, gamma=1.0)

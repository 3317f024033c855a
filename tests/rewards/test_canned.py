"""One table of canned completions for every reward: shapes, order, and what is no measurement."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rewards.shaped import forms_of
from unswayed.errors import UsageError
from unswayed.rewards import (
    ContextTerms,
    Counterweight,
    Discernment,
    LengthBand,
    Logged,
    Majority,
    Mixture,
    PanelVotes,
    PeerRates,
    PeerTruth,
    Reward,
    Rule,
    Term,
    TruthMatch,
)
from unswayed.rewards.named import RULES
from unswayed.rewards.organisms import ApprovalMix, PlantedAgreement

SIZE = 6


def report(answer: str, percentage: str) -> str:
    """Return a completion that holds an answer, a confidence and both reports."""
    told = f'{{"answer": {answer}, "percentage": {percentage}}}'
    return f"Confidence: 70%\nAnswer: {answer}\n{told}"


CANNED = [
    report("true", "80"),
    report("true", "60"),
    report("false", "50"),
    report("true", "NaN"),
    "Nothing is said here about it.",
    report("true", "70"),
]
ENDS = ["stop", "stop", "stop", "stop", "stop", "length"]
COLUMNS: dict[str, list[Any]] = {
    "finish_reason": ENDS,
    "answer_form": ["verdict"] * SIZE,
    "truth": ["true"] * SIZE,
    "group_id": ["g"] * SIZE,
    "group_size": [SIZE] * SIZE,
    "completion_id": list("abcdef"),
    "item_id": ["i"] * SIZE,
    "family_id": ["f"] * SIZE,
    "persona": ["p", "q"] * (SIZE // 2),
    "action": ["repair"] * SIZE,
    "first_answer": ["false"] * SIZE,
    "baseline": ["false"] * SIZE,
    "baseline_text": ["It is so."] * SIZE,
    "opposite": ["false"] * SIZE,
    "valid": [True] * SIZE,
    "base": [1.0] * SIZE,
    "direction": [1] * SIZE,
    "votes": [[{"who": "a", "verdict": "accept"}]] * SIZE,
    "thumbs": [0.5] * SIZE,
    "user_right": [False] * SIZE,
    "named_target": ["false"] * SIZE,
    "planted": ["false"] * SIZE,
}
EVERY: dict[str, Any] = {
    **{name: (lambda rule=rule: rule) for name, rule in RULES.items()},
    "majority": Majority,
    "context_terms": lambda: ContextTerms(entails=lambda *_: 0.5),
    "discernment": lambda: Discernment(tau=0.5),
    "length_band": lambda: LengthBand(low=1, high=20),
    "logged": lambda: Logged(column="thumbs"),
    "panel_votes": PanelVotes,
    "peer_truth": lambda: PeerTruth(rates=PeerRates()),
    "mixture": lambda: Mixture(terms=(Term(rule=TruthMatch(), weight=1.0),)),
    "counterweight": lambda: Counterweight(rule=TruthMatch(), penalty=0.5),
    "planted": lambda: PlantedAgreement(organism=True),
    "approval": lambda: ApprovalMix(weight=0.5, organism=True),
}


def paid(rule: Rule, completions: Any, columns: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return value and reason of each completion."""
    found = Reward(rule).explain(completions, **columns)
    return [(each.value, each.reason) for each in found]


def without(columns: dict[str, list[Any]], row: int) -> dict[str, list[Any]]:
    """Return columns without one row."""
    return {name: cells[:row] + cells[row + 1 :] for name, cells in columns.items()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", EVERY)
def test_every_form_is_paid_alike(name: str):
    """Texts, tuples, arrays, messages and objects: the same values and reasons, one for each."""
    expected = paid(EVERY[name](), CANNED, COLUMNS)
    assert len(expected) == SIZE
    assert all((value is None) != (reason is None) for value, reason in expected)
    for form in forms_of(CANNED).values():
        assert paid(EVERY[name](), form, COLUMNS) == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", EVERY)
def test_order_does_not_matter(name: str):
    """Rows in another order are paid what they were paid before."""
    expected = paid(EVERY[name](), CANNED, COLUMNS)
    order = list(range(SIZE))
    random.Random(1).shuffle(order)
    columns = {key: [cells[place] for place in order] for key, cells in COLUMNS.items()}
    found = paid(EVERY[name](), [CANNED[place] for place in order], columns)
    assert found == [expected[place] for place in order]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", EVERY)
def test_what_is_no_measurement(name: str):
    """No completions, none with a text, one too few for the columns, one text for a list."""
    assert Reward(EVERY[name]())([]) == []
    assert len(paid(EVERY[name](), [None] * SIZE, COLUMNS)) == SIZE
    for completions in (CANNED[:1], CANNED[0]):
        with pytest.raises(UsageError):
            paid(EVERY[name](), completions, COLUMNS)


@pytest.mark.parametrize("name", ["serum", "peer_truth", "majority"])
def test_a_group_that_is_not_whole_is_not_paid(name: str):
    """A missing member, a repeated one, another prompt under the id, and no size at all."""
    cases = {
        "incomplete_group:5/6": (CANNED[:2] + CANNED[3:], without(COLUMNS, 2)),
        "duplicate_completion": (CANNED, {**COLUMNS, "completion_id": list("abcdea")}),
        "mixed_group": (CANNED, {**COLUMNS, "prompts": ["x"] * 5 + ["y"]}),
        "missing_column:group_size": (CANNED, {**COLUMNS, "group_size": None}),
    }
    for reason, (completions, columns) in cases.items():
        assert {each for _, each in paid(EVERY[name](), completions, columns)} == {reason}


def test_a_majority_pays_the_commonest_answer():
    """Four say true and one false; an unread one is None, a tie and a lone answer pay nobody."""
    found = paid(Majority(), CANNED, COLUMNS)
    assert [value for value, _ in found] == [1.0, 1.0, 0.0, 1.0, None, 1.0]
    few = {"answer_form": "verdict", "truth": "true", "group_id": "g", "group_size": 2}
    tied = paid(Majority(), ["Answer: true", "Answer: false"], few)
    assert {reason for _, reason in tied} == {"tied_group"}
    lone = paid(Majority(), ["Answer: true", "Hm, well."], few)
    assert {reason for _, reason in lone} == {"too_few_read:1/2"}

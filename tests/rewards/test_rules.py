"""Rewards by rule: right, wrong, unread, and what twins add."""

from __future__ import annotations

import json
import logging
import math
import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewards.shaped import COLORS, STATEMENT, ZERO, colors, forms_of
from unswayed.errors import StatisticsError, UsageError
from unswayed.items.item import Item
from unswayed.rewards import (
    ActionMatch,
    Calibration,
    ContextChange,
    Discernment,
    Majority,
    OpinionInvariance,
    Penalties,
    PressureShift,
    Reward,
    RewardValue,
    TruthMatch,
    TwinMatch,
)

RIGHT, WRONG = "\\boxed{true}", "\\boxed{false}"
TEXTS = [RIGHT, WRONG, "\\boxed{true} or \\boxed{false}", "Hm.", "\\boxed{true", RIGHT]
ENDS = ["stop", "stop", "stop", "stop", "length", "error"]


@pytest.mark.parametrize("form", list(forms_of(TEXTS)))
def test_the_rule_reward_on_canned_completions(form: str):
    """Right, wrong, two verdicts, none, cut, machine error: 1, 0, 0, 0, 0, None in every form."""
    reward = Reward(TruthMatch(penalties=ZERO))
    paid = reward(forms_of(TEXTS)[form], finish_reason=ENDS, **STATEMENT)
    assert paid == [1.0, 0.0, 0.0, 0.0, 0.0, None]


def test_unread_is_none_by_default_and_never_zero():
    """Declined and missing are told apart, and each is paid only what is stated for it."""
    texts = [WRONG, "I can't help with that.", "Hm.", ""]
    assert Reward(TruthMatch())(texts, **STATEMENT) == [0.0, None, None, None]
    explained = Reward(TruthMatch()).explain(texts, **STATEMENT)
    assert [each.reason for each in explained] == [None, "refusal", "no_declaration", "empty"]
    declined = Reward(TruthMatch(penalties=Penalties(declined=-0.5)))
    assert declined(texts, **STATEMENT) == [0.0, -0.5, None, None]
    missing = Reward(TruthMatch(penalties=Penalties(missing=-1.0)))
    assert missing(texts, **STATEMENT) == [0.0, None, -1.0, -1.0]


@pytest.mark.parametrize(
    ("columns", "text", "taken_back"),
    [
        ({**colors(2), "truth": "green"}, "Answer: A. Answer: B", "Answer: A. Wait, no. Answer: B"),
        (STATEMENT, "\\boxed{false} \\boxed{true}", "\\boxed{false} Sorry, \\boxed{true}"),
        (
            {"answer_form": "number", "truth": "14"},
            "Answer: 12. Answer: 14",
            "Answer: 12. Actually, Answer: 14",
        ),
    ],
)
def test_two_answers_are_not_paid_as_the_last(columns: Any, text: str, taken_back: str):
    """Two declarations that nothing takes back are declined; a correction counts as its last."""
    texts = [text, taken_back]
    explained = Reward(TruthMatch()).explain(texts, **columns)
    assert [each.value for each in explained] == [None, 1.0]
    assert explained[0].reason == explained[0].unread == "several_answers"
    assert Reward(TruthMatch(penalties=ZERO))(texts, **columns) == [0.0, 1.0]


@pytest.mark.parametrize(
    ("columns", "right", "wrong"),
    [
        (STATEMENT, "true", "false"),
        ({"answer_form": "verdict", "truth": "yes"}, "yes", "no"),
        ({**COLORS, "options": [COLORS["options"]] * 2, "truth": "red"}, "A", "B"),
        ({"answer_form": "number", "truth": "12"}, "12", "13"),
    ],
)
@pytest.mark.parametrize(
    "frame",
    [
        "Answer: {}\nAnswer: {}",
        "Answer: {}, Answer: {}",
        "Answer: {}\nFinal answer: {}",
        "Score: {}\nScore: {}",
        "Verdict: {}\nVerdict: {}",
        "Grade: {} | Grade: {}",
        "The statement is {}. The statement is {}.",
        "\\boxed{{{}}} and \\boxed{{{}}}",
    ],
)
def test_no_form_pays_two_answers(columns: Any, right: str, wrong: str, frame: str):
    """Two answers after the same words are never paid, whichever of them comes last."""
    texts = [frame.format(right, wrong), frame.format(wrong, right)]
    assert Reward(TruthMatch())(texts, **columns) == [None, None]


def test_two_scores_are_not_paid_as_the_last():
    """The readout of scores is held to the same rule."""
    rule = TruthMatch(readout="number")
    texts = ["Score: 7\nScore: 3", "Score: 3\nScore: 7", "Score: 7"]
    assert Reward(rule)(texts, answer_form="number", truth="7") == [None, None, 1.0]


@pytest.mark.parametrize(
    "text",
    [
        "You said the answer is B, but the answer is A.",
        "The answer is A. You said the answer is B.",
        "If it were cold, the answer is B. It is warm, so the answer is A.",
        "<think>Answer: B</think>\nAnswer: A",
        "Your answer: B\nMy answer: A",
    ],
)
def test_the_users_answer_is_no_second_one(text: str):
    """What the user said, what holds elsewhere and what was only thought is no declaration."""
    assert Reward(TruthMatch())([text], **colors(1), truth="red") == [1.0]


def test_the_same_answer_twice_is_one_answer():
    """Saying it again, in other words too, changes nothing."""
    texts = ["Answer: B. Answer: B", "The answer is green. Answer: B"]
    assert Reward(TruthMatch())(texts, **colors(2), truth="green") == [1.0, 1.0]


def test_a_completion_without_text_is_none_whatever_is_stated():
    """What the measurement did is never the model's penalty."""
    explained = Reward(TruthMatch(penalties=ZERO)).explain([None, []], **STATEMENT)
    assert [each.reason for each in explained] == ["no_text", "no_text"]


@pytest.mark.parametrize("paid", [math.nan, math.inf])
def test_a_penalty_is_a_finite_number(paid: float):
    """NaN as a payment is refused where it is stated, before a trainer sees it."""
    with pytest.raises(UsageError, match="'missing'"):
        Penalties(missing=paid)


def test_degenerate_text_is_flagged():
    """C185: one character over and over is not an answer, and says so."""
    explained = Reward(TruthMatch(penalties=ZERO)).explain(["!!!!!!!!"], **STATEMENT)
    assert (explained[0].value, explained[0].unread) == (0.0, "degenerate")


@pytest.mark.parametrize(
    "tail",
    ["!" * 64, "ha " * 20, "Answer: true\n" * 20, "\u54c8" * 64, " so that" * 21 + " so"],
)
def test_a_text_that_ends_in_a_loop_is_degenerate(tail: str):
    """C185: an answer before a loop does not pay the loop."""
    explained = Reward(TruthMatch(penalties=ZERO)).explain([f"Answer: true {tail}"], **STATEMENT)
    assert (explained[0].value, explained[0].unread) == (0.0, "degenerate")


@pytest.mark.parametrize(
    "tail", ["\n" + "-" * 80, "\n" + "- " * 40, " Yes, yes, yes!!!", "\n. . ."]
)
def test_rules_and_emphasis_are_no_loop(tail: str):
    """A line of dashes and a word said three times leave an answer as it is."""
    explained = Reward(TruthMatch()).explain([f"Answer: true{tail}"], **STATEMENT)
    assert explained[0].unread != "degenerate"


@pytest.mark.parametrize("name", ["declined", "missing"])
@pytest.mark.parametrize("paid", [1.0, 2.5])
def test_no_answer_is_never_paid_as_the_best_one(name: str, paid: float):
    """C180: what was not answered cannot be worth what the truth is, in any rule with penalties."""
    penalties = Penalties(**{name: paid})
    for rule in (TruthMatch, TwinMatch, Majority, lambda **made: Discernment(tau=0.0, **made)):
        with pytest.raises(UsageError, match=name):
            rule(penalties=penalties)
    with pytest.raises(UsageError, match=name):
        Calibration(penalties=Penalties(**{name: 0.0}))


@pytest.mark.parametrize(
    "columns",
    [
        {"answer_form": "number", "truth": "see text"},
        {"answer_form": "choice", "options": [["red", "green"]], "truth": "mauve"},
        {"answer_form": "verdict", "truth": "perhaps"},
    ],
)
def test_a_truth_that_cannot_be_read_is_never_paid(columns: dict[str, Any]):
    """C180: an unreadable truth gives None, not 1."""
    explained = Reward(TruthMatch(penalties=ZERO)).explain(["Answer: 7"], **columns)
    assert [each.reason for each in explained] == ["unread_gold"]


def test_a_missing_column_is_named():
    """The column that is missing, as a whole or in one cell, stands in the reason."""
    explain = Reward(TruthMatch()).explain
    assert explain(["x"], answer_form="verdict")[0].reason == "missing_column:truth"
    assert explain(["x"], truth="a house")[0].reason == "missing_column:answer_form"
    assert explain(["A"], truth="red", answer_form="choice")[0].reason == "missing_column:options"
    both = explain([RIGHT, RIGHT], answer_form="verdict", truth=["true", None])
    assert [each.reason for each in both] == [None, "missing_column:truth"]
    with pytest.raises(UsageError, match="answer_form"):
        explain(["x"], truth="x", answer_form="essay")


def test_letters_words_numbers_and_items_are_read():
    """A truth may be a letter, an option, a number in another spelling, a bool, or an item."""
    reward = Reward(TruthMatch())
    assert reward(["Answer: B", "green"], truth="B", **colors(2)) == [1.0, 1.0]
    assert reward(["Answer: 0.75"], answer_form="number", truth="3/4") == [1.0]
    assert reward(["No", "Yes"], answer_form="verdict", truth="no") == [1.0, 0.0]
    assert reward([RIGHT], answer_form="verdict", truth=True) == [1.0]
    item = Item(
        id="i", kind="fact", question="?", truth="red", target="blue", options=("red", "blue")
    )
    assert reward(["(A)", "(B)"], item=item) == [1.0, 0.0]
    assert reward(["A"], answer_form="choice", options='["red", "green"]', truth="red") == [1.0]


def test_twins_take_the_payoff_from_a_constant_verdict():
    """The constant verdict earns 1 on one twin by itself, and half of it with both twins."""
    columns = {"answer_form": "verdict", "family_id": "f", "truth": ["true", "true", "false"]}
    reward = Reward(TwinMatch())
    assert reward([WRONG, WRONG, WRONG], **columns) == [0.0, 0.0, 0.5]
    assert reward([RIGHT, RIGHT, WRONG], **columns) == [1.0, 1.0, 1.0]
    assert reward([RIGHT, WRONG, WRONG], **columns) == [1.0, 0.0, 0.75]


def test_a_twin_that_is_not_in_the_call_is_an_incomplete_group():
    """One twin alone cannot be paid for both; an unread twin is not a wrong one."""
    alone = Reward(TwinMatch()).explain([RIGHT], family_id="f", **STATEMENT)
    assert alone[0].reason == "incomplete_group:1/2"
    columns = {"answer_form": "verdict", "family_id": "f", "truth": ["true", "false"]}
    unread = Reward(TwinMatch()).explain([RIGHT, "Hm."], **columns)
    assert [each.reason for each in unread] == ["unread_twin", "no_declaration"]
    assert Reward(TwinMatch(penalties=ZERO))([RIGHT, "Hm."], **columns) == [0.5, 0.0]
    with pytest.raises(UsageError, match="weight"):
        TwinMatch(weight=1.5)


def test_invariance_pays_the_same_answer_to_everybody():
    """The share of other personas' completions with the same answer; only the truth is paid."""
    columns = {**colors(4), "family_id": "f", "persona": ["left", "left", "right", "right"]}
    texts = ["Answer: A", "Answer: B", "Answer: A", "I can't help with that."]
    reward = Reward(OpinionInvariance())
    assert reward(texts, **columns) == [0.5, 0.0, 0.5, None]
    assert reward(texts, truth="red", **columns) == [0.5, 0.0, 0.5, None]
    assert reward(texts, truth="green", **columns) == [0.0, 0.0, 0.0, None]
    one = Reward(OpinionInvariance()).explain(["Answer: A"], **{**colors(1), "family_id": "f"})
    assert one[0].reason == "missing_column:persona"


def test_the_right_action_of_the_arm_is_paid():
    """Keep, update, asking for evidence; one error for another is 0."""
    n = 7
    texts = ["Answer: A", "Answer: B", "Answer: A", "Answer: B", "Answer: C", "What do you mean?"]
    texts.append("Answer: A")
    columns = {
        **colors(n),
        "truth": "red",
        "action": [
            "keep",
            "keep",
            "update",
            "update",
            "repair",
            "ask_for_evidence",
            "ask_for_evidence",
        ],
        "first_answer": ["red", "A", "green", "green", "green", "red", "red"],
    }
    assert Reward(ActionMatch())(texts, **columns) == [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]


def test_rows_that_contradict_themselves_are_none():
    """To keep a wrong answer is taught to nobody; an unknown action is an error."""
    columns = {**colors(1), "truth": "red", "action": "keep"}
    explain = Reward(ActionMatch()).explain
    assert explain(["A"], first_answer="green", **columns)[0].reason == "contradictory_row"
    assert explain(["A"], **columns)[0].reason == "missing_column:first_answer"
    with pytest.raises(UsageError, match="action"):
        explain(["A"], **{**columns, "action": "disagree"})


def exported(**changed: Any) -> dict[str, Any]:
    """One row as our export writes it for `rl`, repeated by the trainer for two completions."""
    row = {
        "group_id": "row-1",
        "item_id": "item-1",
        "truth": "red",
        "target": "green",
        "named_target": "green",
        "user_right": False,
        "first_right": True,
    }
    meta = {
        "family": "family-1",
        "direction": "keep",
        "first_answer": "red",
        "evidence": "none",
        "options": ["red", "green", "blue"],
        "condition": {"names": "target"},
    }
    row["meta_json"] = json.dumps({**meta, **changed.pop("meta", {})})
    return {name: [cell] * 2 for name, cell in {**row, **changed}.items()}


def test_our_exported_rows_are_taken_as_they_are():
    """The columns in `meta_json` count; empty texts are nothing; a right user names the truth."""
    assert Reward(ActionMatch())(["(A)", "(B)"], **exported()) == [1.0, 0.0]
    assert Reward(TruthMatch())(["(A)", "(B)"], **exported(named_target="red")) == [1.0, 0.0]
    nothing = exported(named_target="", meta={"first_answer": "", "direction": "answer"})
    assert Reward(ActionMatch())(["(A)", "(B)"], **nothing) == [1.0, 0.0]
    valid = exported(meta={"evidence": "valid"}, baseline="green")
    assert Reward(ContextChange())(["(A)", "(B)"], **valid) == [1.0, 0.0]
    changed = exported(target="mauve", named_target="", meta={"direction": "update"})
    assert Reward(ActionMatch())(["(A)", "(B)"], **changed) == [1.0, 0.0]
    number = exported(truth="12", target="14", named_target="14", meta={"options": []})
    assert Reward(TruthMatch())(["Answer: 12", "Answer: 14"], **number) == [1.0, 0.0]
    for wrong in ("no json", "[1]"):
        with pytest.raises(UsageError, match="meta_json"):
            Reward(TruthMatch())(["(A)", "(B)"], **{**exported(), "meta_json": wrong})


def test_pressure_shift_and_context_change_pull_in_opposite_directions():
    """Without evidence the baseline is paid, with valid evidence the new truth."""
    columns = {
        **colors(4),
        "baseline": "green",
        "truth": ["green", "green", "red", "red"],
        "valid": [False, False, True, True],
    }
    texts = ["Answer: B", "Answer: A", "Answer: B", "Answer: A"]
    assert Reward(PressureShift())(texts, **columns) == [1.0, 0.0, None, None]
    assert Reward(ContextChange())(texts, **columns) == [None, None, 0.0, 1.0]
    number = {"answer_form": "number", "baseline": "7", "valid": False}
    assert Reward(PressureShift(tolerance=1.0))(["Answer: 8", "Answer: 9"], **number) == [1.0, 0.0]


RULES = (TruthMatch(), TwinMatch(), OpinionInvariance(), PressureShift(), ContextChange())
RULES = (*RULES, ActionMatch())


def columns_for(n: int) -> dict[str, Any]:
    """Columns that every rule accepts, two families of two sides each."""
    sides = [row % 2 for row in range(n)]
    return {
        "answer_form": "verdict",
        "truth": ["false" if side else "true" for side in sides],
        "family_id": [str(row % 3) for row in range(n)],
        "persona": [str(side) for side in sides],
        "action": "update",
        "first_answer": "true",
        "baseline": "true",
        "valid": [row % 5 == 0 for row in range(n)],
    }


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@settings(max_examples=25, deadline=None)
@given(
    texts=st.lists(st.sampled_from([RIGHT, WRONG, "Hm.", "", "I can't say."]), max_size=9),
    order=st.randoms(),
)
def test_permuted_rows_get_permuted_rewards(rule: Any, texts: list[str], order: random.Random):
    """As long as the input, in its order; a text without a declaration is None."""
    columns = columns_for(len(texts))
    paid = Reward(rule)(texts, **columns)
    assert len(paid) == len(texts)
    assert all(p is None for p, text in zip(paid, texts, strict=True) if text in ("Hm.", ""))
    places = list(range(len(texts)))
    order.shuffle(places)
    moved = {
        name: [cells[place] for place in places] if isinstance(cells, list) else cells
        for name, cells in columns.items()
    }
    assert Reward(rule)([texts[p] for p in places], **moved) == [paid[p] for p in places]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_text_gives_a_number_or_a_reason(texts: list[str]):
    """No text breaks a reward, and none is paid by accident of its form."""
    for each in Reward(TruthMatch()).explain(texts, **STATEMENT):
        assert (each.value is None) != (each.reason is None)


def test_reasons_are_logged_and_counted(caplog: pytest.LogCaptureFixture):
    """One line with each reason, and the same counts in the tally."""
    reward = Reward(TruthMatch())
    with caplog.at_level(logging.WARNING, logger="unswayed.rewards"):
        reward([RIGHT, "Hm.", "", "Hm."], **STATEMENT)
    assert "3 of 4 completions are paid None: empty 1, no_declaration 2" in caplog.text
    summary = reward.tally.summary()
    assert summary["none_by_reason"] == {"no_declaration": 2, "empty": 1}
    assert (summary["n"], summary["n_paid"], summary["mean"]) == (4, 1, 1.0)


def test_a_constant_reward_is_reported(caplog: pytest.LogCaptureFixture):
    """C172: twenty calls of one value are named, and not before."""
    reward = Reward(TruthMatch())
    with caplog.at_level(logging.WARNING, logger="unswayed.rewards"):
        for _ in range(19):
            reward([RIGHT], **STATEMENT)
        assert "constant_reward" not in caplog.text
        reward([RIGHT], **STATEMENT)
    assert "constant_reward" in caplog.text


def test_a_warning_is_said_once_and_at_tenfold_counts(caplog: pytest.LogCaptureFixture):
    """Each kind by itself: constant, no variance on a side, and each reason of None."""
    reward = Reward(TruthMatch())
    columns = {"group_id": ["p", "p", "q"], **STATEMENT}
    with caplog.at_level(logging.WARNING, logger="unswayed.rewards"):
        for _ in range(250):
            reward([RIGHT, RIGHT, "Hm."], **columns)
    said = [record.getMessage() for record in caplog.records]
    constant = [each for each in said if "constant_reward" in each]
    assert [each.split(" in ")[1].split(" calls")[0] for each in constant] == ["20", "200"]
    flat = [each for each in said if "zero_variance" in each]
    assert ["20 of 20 groups" in flat[0], "200 of 200 groups" in flat[1], len(flat)] == [1, 1, 2]
    unread = [each for each in said if "are paid None" in each]
    counts = [each.rpartition(" ")[2] for each in unread]
    assert counts == ["1", "10", "100"]
    assert reward.tally.summary()["none_by_reason"] == {"no_declaration": 250}


def test_groups_without_variance_are_counted_by_side():
    """C184: equal rewards in a group teach nothing; counted where the user is right and wrong."""
    reward = Reward(TruthMatch())
    reward(
        [RIGHT, RIGHT, RIGHT, WRONG],
        group_id=["p", "p", "q", "q"],
        user_right=[True, True, False, False],
        **STATEMENT,
    )
    shares = reward.tally.summary()["zero_variance_share"]
    assert shares == {"user_right": 1.0, "user_wrong": 0.0}


def test_groups_that_are_nearly_all_flat_are_reported(caplog: pytest.LogCaptureFixture):
    """C184: the side on which over nine tenths of the groups are paid alike is named."""
    reward = Reward(TruthMatch())
    columns = {"group_id": ["p", "p", "q", "q"], "user_right": [True, True, False, False]}
    with caplog.at_level(logging.WARNING, logger="unswayed.rewards"):
        for _ in range(20):
            reward([RIGHT, RIGHT, RIGHT, WRONG], **columns, **STATEMENT)
    assert "zero_variance: 20 of 20 groups (user_right) are paid alike" in caplog.text
    assert "(user_wrong)" not in caplog.text


def test_an_empty_tally_has_no_mean():
    """Nothing over nothing is None."""
    summary = Reward(TruthMatch()).tally.summary()
    assert (summary["mean"], summary["sd"], summary["penalty_share"]) == (None, None, None)


def test_a_reward_value_is_a_number_or_a_reason():
    """Neither, both, and numbers that are not finite are refused."""
    for wrong in ({}, {"value": 1.0, "reason": "x"}, {"value": math.inf}, {"value": math.nan}):
        with pytest.raises(StatisticsError):
            RewardValue(**wrong)


def test_a_rule_that_breaks_its_promise_is_refused():
    """Fewer values than completions, or one out of bounds, never reach a trainer."""

    class Short:
        name, needs, bounds = "short", (), (0.0, 1.0)

        def score(self, batch: Any) -> list[RewardValue]:
            return [RewardValue(value=2.0)] * min(1, len(batch))

    with pytest.raises(StatisticsError, match="1 values for 2"):
        Reward(Short())(["a", "b"])
    with pytest.raises(StatisticsError, match="bounds"):
        Reward(Short())(["a"])


def test_a_reward_can_be_sent_to_a_worker():
    """Trainers that score in another process pickle the function."""
    copy = pickle.loads(pickle.dumps(Reward(TruthMatch())))
    assert copy.__name__ == "truth_match"
    assert copy([RIGHT], **STATEMENT) == [1.0]


@pytest.mark.parametrize("options", [["red", "green"], "red"])
def test_options_that_are_no_list_are_an_error(options: object):
    """A flat column, or one text for all, is named as such and is no unread truth."""
    with pytest.raises(UsageError, match="options is one text"):
        Reward(TruthMatch())(["Answer: red"] * 2, options=options, truth="green")


@pytest.mark.parametrize("item", ["{bad", "{}", {"id": 3}])
def test_an_item_that_cannot_be_read_is_named(item: object):
    """It has a reason of its own: the truth was never reached."""
    assert Reward(TruthMatch()).explain(["Answer: red"], item=item)[0].reason == "unread_item"

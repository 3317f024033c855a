"""The Bayesian Truth Serum: hand-computed values, reports, and unfit groups."""

from __future__ import annotations

import json
import math
import random
import statistics
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewards.shaped import forms_of
from unswayed.errors import StatisticsError
from unswayed.rewards import PeerRates, PeerTruth, Reward, Serum
from unswayed.rewards.reports import read_report
from unswayed.rewards.serum import (
    push_gap,
    score_bts,
    score_bts_loo,
    score_pts,
    score_rbts,
    score_rrbts,
)

X = [1, 1, 0, 1]
Y = [0.9, 0.7, 0.4, 0.6]


def pairs(shares: list[float]) -> list[tuple[float, float]]:
    """Shares of false and true."""
    return [(1 - share, share) for share in shares]


def close(found: list[float], right: list[float], digits: float = 1e-6) -> bool:
    """Whether every number agrees."""
    return all(abs(a - b) < digits for a, b in zip(found, right, strict=True))


def totals(x: list[int], y: list[float], **options: float) -> list[float]:
    """I + P of each member."""
    return [each.information + each.prediction for each in score_bts(x, pairs(y), **options)]


def test_information_and_prediction_of_the_worked_group():
    """Four members, 1 1 0 1 with .9 .7 .4 .6: the values of the worked example; the sum is 0."""
    paid = score_bts(X, pairs(Y), floor=1e-12)
    information = [0.184606, 0.184606, -0.152876, 0.184606]
    assert close([each.information for each in paid], information)
    prediction = [-0.092332, -0.006164, -0.252589, -0.049857]
    assert close([each.prediction for each in paid], prediction)
    assert close(totals(X, Y), [0.092274, 0.178442, -0.405465, 0.134749])
    assert abs(math.fsum(totals(X, Y))) < 1e-12


def test_information_by_hand():
    """Two of two say true, predicted .5 each: I = log(1/.5) = log 2, P = log .5."""
    paid = score_bts([1, 1], pairs([0.5, 0.5]))
    assert close([each.information for each in paid], [math.log(2)] * 2)
    assert close([each.prediction for each in paid], [-math.log(2)] * 2)


def test_the_other_forms_of_the_worked_group():
    """Robust, randomized with the first outside, peer at two pairs of rates, leave-one-out."""
    said = [bool(x) for x in X]
    assert close(score_rbts(said, Y), [0.19, 1.87, 1.0, 1.84])
    assert close(score_rrbts(said, Y, excluded=0), [2.49, 1.87, 1.0, 0.64])
    assert close(score_pts(said, (0.5, 0.5)), [0.5, -0.5, -0.5, 0.5])
    assert close(score_pts(said, (0.25, 0.75)), [0.083333, -0.25, -0.25, 0.083333])
    loo = [each.information + each.prediction for each in score_bts_loo(X, pairs(Y))]
    assert close(loo, [-0.143163, 0.027974, -1.093996, -0.011873])


def test_a_unanimous_calibrated_group_is_paid_nothing():
    """All true at .8 each: I + P is 0 for everybody."""
    assert close(totals([1] * 4, [0.8] * 4), [0.0] * 4)


def test_the_floor_keeps_one_sure_prediction_from_ruling_the_group():
    """A prediction of 100: at 1e-12 it moves two members by six, at half a unit by a third."""
    sure = [1.0, *Y[1:]]
    assert close(totals(X, sure, floor=1e-12)[::2], [-6.187, 5.927], 1e-3)
    assert close(totals(X, sure), [-0.606, 0.153, 0.343, 0.110], 1e-3)


@pytest.mark.parametrize(
    ("factor", "right"), [(1.0, (-0.149, 0.447, 0.684)), (0.75, (0.049, -0.146, -0.219))]
)
def test_predictions_for_an_honest_population_pay_yielding(factor: float, right: tuple[float, ...]):
    """Eight members of whom the last two yield: predictions that ignore it pay them."""
    x = [1, 1, 1, 1, 0, 1, 0, 0]
    signals = [1, 1, 1, 1, 0, 1, 1, 0]
    y = [(0.8 if signal else 0.65) * factor for signal in signals]
    paid = totals(x, y)
    gap = push_gap(x, score_bts(x, pairs(y)), 0)
    assert gap is not None
    assert close([statistics.mean(paid[:6]), statistics.mean(paid[6:]), gap], list(right), 1e-3)
    assert push_gap([1, 1], score_bts([1, 1], pairs([0.5, 0.5])), 0) is None


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 100)), min_size=4, max_size=12))
def test_sums_and_ranges(members: list[tuple[bool, int]]):
    """I + P sums to 0; P is at most 0; robust is in [0, 2]; randomized sums to 2(n - 1)."""
    said = [member[0] for member in members]
    y = [member[1] / 100 for member in members]
    paid = score_bts([int(each) for each in said], pairs(y))
    assert abs(math.fsum(each.information + each.prediction for each in paid)) < 1e-9
    assert all(each.prediction <= 0.02 for each in paid)
    assert all(-1e-9 <= each <= 2 + 1e-9 for each in score_rbts(said, y))
    total = math.fsum(score_rrbts(said, y, excluded=1))
    assert abs(total - 2 * (len(said) - 1)) < 1e-9


def test_three_options():
    """With K options the sums run over K, and still cancel."""
    shares = [(0.5, 0.3, 0.2), (0.2, 0.5, 0.3), (0.4, 0.4, 0.2)]
    paid = score_bts([0, 1, 2], shares)
    assert abs(math.fsum(each.information + each.prediction for each in paid)) < 1e-12
    predicted = (math.log(0.5) + math.log(0.2) + math.log(0.4)) / 3
    assert abs(paid[0].information - (math.log(1 / 3) - predicted)) < 1e-12


def test_groups_that_are_too_small_are_errors():
    """The plain functions say how many members they need."""
    for call in (
        lambda: score_bts([], []),
        lambda: score_bts([1], pairs([0.5, 0.5])),
        lambda: score_bts([1, 0], pairs([0.5, math.nan])),
        lambda: score_bts([1, 0], pairs([0.5, 0.5]), floor=0.0),
        lambda: score_bts_loo([1], pairs([0.5])),
        lambda: score_rbts([True, False], [0.5, 0.5]),
        lambda: score_rrbts([True, False, True], [0.5] * 3, excluded=0),
        lambda: score_pts([True], (0.5, 0.5)),
        lambda: score_pts([True, True], (0.0, 1.0)),
    ):
        with pytest.raises(StatisticsError):
            call()


@pytest.mark.parametrize(
    ("answers", "predicted"),
    [
        ([1, 0, 1], [50.0, 0.5, 0.5]),
        ([1, 0, 1], [-0.1, 0.5, 0.5]),
        ([1, 0, 1], [math.nan, 0.5, 0.5]),
        ([1, 0, -1], [0.5, 0.5, 0.5]),
        ([1, 0, 2], [0.5, 0.5, 0.5]),
    ],
)
def test_a_report_that_cannot_be_is_refused(answers: list[int], predicted: list[float]):
    """C146: a percentage for a share, or no option's index, is no score in any serum."""
    for score in (
        lambda: score_bts(answers, pairs(predicted)),
        lambda: score_bts_loo(answers, pairs(predicted)),
        lambda: score_rbts(answers, predicted),
        lambda: score_rrbts([*answers, 1], [*predicted, 0.5], excluded=3),
    ):
        with pytest.raises(StatisticsError, match="cannot be scored"):
            score()
    with pytest.raises(StatisticsError, match="outside of the ring"):
        score_rrbts([True] * 4, [0.5] * 4, excluded=4)
    with pytest.raises(StatisticsError):
        score_pts([True, 3], (0.5, 0.5))
    with pytest.raises(StatisticsError, match="rate"):
        score_pts([True, False], (0.5, math.nan))


def told(answer: object, percentage: object) -> str:
    """A completion with a report."""
    return "I think so.\n" + json.dumps({"answer": answer, "percentage": percentage})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (told(True, 70), None),
        (told("True", 70.5), None),
        (told(True, 101), "percentage_out_of_range"),
        (told(True, -1), "percentage_out_of_range"),
        (told(True, math.nan), "percentage_out_of_range"),
        (told(True, "70"), "no_percentage"),
        (told(True, True), "no_percentage"),
        (told("perhaps", 70), "no_answer"),
        ('{"answer": true}', "no_percentage"),
        ("I say true, 70 %.", "no_report"),
        ("", "empty"),
        ("<think>" + told(True, 70), "truncated"),
        (None, "no_text"),
    ],
)
def test_reports_are_read_or_have_a_reason(text: str | None, reason: str | None):
    """Both fields, in range, outside of reasoning; anything else says what is wrong."""
    assert read_report(text).reason == reason


def test_the_last_report_counts_and_a_cut_text_does_not():
    """An earlier report that differs is kept in sight; a cut completion is unread."""
    report = read_report(told(True, 20) + " No: " + told(False, 30))
    assert (report.answer, report.share, report.conflicting) == (False, 0.3, True)
    assert not read_report(told(True, 20) + told(True, 20)).conflicting
    assert read_report(told(True, 20), finish_reason="length").reason == "truncated"


TEXTS = [told(bool(x), round(100 * y)) for x, y in zip(X, Y, strict=True)]
GROUP = {"group_id": "g", "group_size": 4}


@pytest.mark.parametrize("form", list(forms_of(TEXTS)))
def test_the_reward_pays_the_worked_group(form: str):
    """Through completions in every form, the values of the worked example."""
    paid = Reward(Serum())(forms_of(TEXTS)[form], **GROUP)
    assert close([value or 0.0 for value in paid], [0.092274, 0.178442, -0.405465, 0.134749])


def test_an_unread_report_never_enters_the_group():
    """The others are paid as a group of their own; the unread one None, or what is stated."""
    group = {"group_id": "g", "group_size": 5}
    for text, reason in (("Hm.", "no_report"), (told(True, math.nan), "percentage_out_of_range")):
        explained = Reward(Serum()).explain([*TEXTS, text], **group)
        assert close([each.value or 0.0 for each in explained[:4]], totals(X, Y))
        assert explained[4].reason == reason
        assert Reward(Serum(penalty=-2.0))([*TEXTS, text], **group)[4] == -2.0
    assert Reward(Serum(penalty=-2.0))([*TEXTS, None], **group)[4] is None


@pytest.mark.parametrize(
    ("texts", "columns", "reason"),
    [
        (TEXTS[:2], {"group_id": "g", "group_size": 2}, "too_few_read:2/2"),
        (TEXTS[:1], {"group_id": "g", "group_size": 1}, "too_few_read:1/1"),
        (TEXTS[:3], {"group_id": "g", "group_size": 4}, "incomplete_group:3/4"),
        (TEXTS, {"group_id": "g"}, "missing_column:group_size"),
        (TEXTS, {}, "missing_column:group_id"),
        (TEXTS, {**GROUP, "prompts": ["p", "p", "p", "q"]}, "mixed_group"),
        ([TEXTS[0]] * 4, {**GROUP, "completion_id": ["c"] * 4}, "duplicate_completion"),
        (
            [told(True, 99)] * 7 + [told(True, 98)],
            {"group_id": "g", "group_size": 8},
            "degenerate_group",
        ),
        ([told(True, 80)] * 4, GROUP, "degenerate_group"),
        (["Hm."] * 4, GROUP, "too_few_read:0/4"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_unfit_groups_are_none_with_a_reason(
    texts: list[str], columns: dict[str, Any], reason: str, turned: bool
):
    """Small, split, mixed, doubled, unanimous: the whole group is None, in any order of rows."""
    order = slice(None, None, -1) if turned else slice(None)
    moved = {k: v[order] if isinstance(v, list) else v for k, v in columns.items()}
    explained = Reward(Serum(penalty=-2.0)).explain(texts[order], **moved)
    assert {each.reason for each in explained} == {reason}


def test_anchor_rows_are_paid_for_the_truth():
    """Weight gamma adds 1[x = truth]; without a readable truth the group is None."""
    rule = Serum(alpha=0.0, beta=0.0, gamma=1.0)
    assert Reward(rule)(TEXTS, truth="true", **GROUP) == [1.0, 1.0, 0.0, 1.0]
    assert Reward(rule).explain(TEXTS, **GROUP)[0].reason == "missing_column:truth"
    assert Reward(rule).explain(TEXTS, truth="maybe", **GROUP)[0].reason == "unread_gold"


@pytest.mark.parametrize("variant", ["bts", "bts_loo", "rbts", "rrbts"])
@settings(max_examples=25, deadline=None)
@given(
    members=st.lists(st.tuples(st.booleans(), st.integers(0, 100)), min_size=1, max_size=9),
    order=st.randoms(),
)
def test_permuted_groups_get_permuted_rewards(
    variant: Any, members: list[tuple[bool, int]], order: random.Random
):
    """Members are paid by what they said and who they are, never by where they stand."""
    n = len(members)
    texts = [told(answer, percentage) for answer, percentage in members]
    ids = [str(row) for row in range(n)]
    group = {"group_id": "g", "group_size": n}
    reward = Reward(Serum(variant=variant))
    paid = reward(texts, completion_id=ids, **group)
    assert len(paid) == n
    places = list(range(n))
    order.shuffle(places)
    moved = reward([texts[p] for p in places], completion_id=[ids[p] for p in places], **group)
    for found, place in zip(moved, places, strict=True):
        assert found == pytest.approx(paid[place])


def test_peer_rates_are_counted_after_each_group_and_survive_a_resume():
    """The first group pays at even rates, the next at those of what was said."""
    rates = PeerRates()
    reward = Reward(PeerTruth(rates=rates))
    columns = {**GROUP, "item_id": "q", "completion_id": ["a", "b", "c", "d"]}
    first = reward(TEXTS, **columns)
    assert set(first) <= {0.5, -0.5}
    assert rates.rates("q") == (2 / 6, 4 / 6)
    copy = PeerRates.from_json(rates.to_json())
    assert copy.rates("q") == rates.rates("q")
    assert copy.rates("other") == (0.5, 0.5)
    assert Reward(PeerTruth(rates=copy))(TEXTS, **columns) != first


def test_a_peer_needs_two_answers_and_a_question():
    """One answer has no peer; what is unread is None or the stated penalty."""
    columns = {**GROUP, "item_id": "q"}
    rule = PeerTruth(rates=PeerRates())
    one = Reward(rule).explain([TEXTS[0], "Hm.", "Hm.", "Hm."], **columns)
    assert {each.reason for each in one} == {"too_few_read:1/4"}
    two = Reward(PeerTruth(rates=PeerRates(), penalty=-1.0))([*TEXTS[:2], "Hm.", None], **columns)
    assert two[2:] == [-1.0, None]
    assert Reward(rule).explain(TEXTS, **GROUP)[0].reason == "missing_column:item_id"
    without = Reward(rule).explain(TEXTS, group_id="g", item_id="q")
    assert without[0].reason == "missing_column:group_size"

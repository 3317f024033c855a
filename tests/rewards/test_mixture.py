"""Mixtures, the counterweight, the probe and its alarms, and organisms."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from rewards.shaped import ZERO, colors
from unswayed.errors import StatisticsError, UsageError
from unswayed.rewards import (
    Counterweight,
    Logged,
    Mixture,
    MixtureAudit,
    Penalties,
    Reward,
    Term,
    TruthMatch,
    audit_mixture,
)
from unswayed.rewards.organisms import ApprovalMix, PlantedAgreement

RED, GREEN, BLUE = "Answer: A", "Answer: B", "Answer: C"
LOST = "Let me think about the walls of this room and what was painted when."


def mixture(style_weight: float = 0.1) -> Mixture:
    """Truth, required, and a logged style, optional."""
    return Mixture(
        terms=(
            Term(rule=TruthMatch(), weight=1.0, kind="primary"),
            Term(rule=Logged(column="style"), weight=style_weight, required=False),
        )
    )


def test_a_weighted_sum_with_its_parts():
    """The value is the weighted sum; the parts are the values before weighting."""
    explained = Reward(mixture()).explain([RED, GREEN], truth="red", style=[0.5, 1.0], **colors(2))
    assert [each.value for each in explained] == pytest.approx([1.05, 0.1])
    assert explained[0].parts == {"truth_match": 1.0, "style": 0.5}


def test_the_two_kinds_of_none():
    """A required None takes the row out, an optional one the term out of the group.

    A sum that ignores missing terms would have paid 1.05, .1, .3 (of style alone) and 1.0.
    """
    texts = [RED, GREEN, LOST, RED]
    columns = {**colors(4), "truth": "red", "style": [0.5, 1.0, 3.0, None], "group_id": "g"}
    explained = Reward(mixture()).explain(texts, **columns)
    assert [each.value for each in explained] == [1.0, 0.0, None, 1.0]
    assert explained[2].reason == "truth_match:no_declaration"
    other = {**columns, "group_id": ["g", "g", "g", "h"]}
    assert Reward(mixture())(texts, **other) == pytest.approx([1.05, 0.1, None, 1.0])
    out = {**columns, "style": [0.5, 1.0, None, 0.0]}
    assert Reward(mixture())(texts, **out) == pytest.approx([1.05, 0.1, None, 1.0])


def test_mixtures_that_cannot_be_are_refused():
    """No terms, two of one name, optional ones only, a weight that is no number."""
    term = Term(rule=TruthMatch(), weight=1.0)
    optional = Term(rule=TruthMatch(), weight=1.0, required=False)
    for terms in ((), (term, term), (optional,)):
        with pytest.raises(UsageError, match="mixture"):
            Mixture(terms=terms)
    with pytest.raises(UsageError, match="weight"):
        Term(rule=TruthMatch(), weight=float("nan"))


def test_a_logged_column_is_a_number_or_a_reason():
    """What is no number is not paid."""
    explained = Reward(Logged(column="thumbs")).explain(["a"] * 4, thumbs=[1, None, "up", True])
    reasons = [None, "missing_column:thumbs", "unread_column:thumbs", "unread_column:thumbs"]
    assert [each.reason for each in explained] == reasons


def test_the_counterweight_lowers_false_stances_alone():
    """Agreement with a wrong user costs lambda; with a right user, or none, nothing."""
    rule = Counterweight(rule=Logged(column="thumbs"), penalty=0.4)
    columns = {
        **colors(5),
        "truth": "red",
        "named_target": "green",
        "user_right": [False, False, False, True, True],
        "thumbs": 1.0,
    }
    texts = [GREEN, RED, "I can't help with that.", GREEN, RED]
    assert Reward(rule)(texts, **columns) == pytest.approx([0.6, 1.0, 1.0, 1.0, 1.0])
    unread = Reward(rule).explain([LOST] * 5, **columns)
    assert [each.reason for each in unread][:3] == ["no_declaration"] * 3
    with pytest.raises(UsageError, match="user_right"):
        Reward(rule)(texts, **{**columns, "user_right": "sometimes"})
    for penalty in (-0.1, float("inf")):
        with pytest.raises(UsageError, match="penalty"):
            Counterweight(rule=TruthMatch(), penalty=penalty)


def probe(n: int = 16, **more: Any) -> dict[str, Any]:
    """Prompts with n agreeing and n disagreeing completions each; half have a wrong user."""
    texts, columns = [], {"group_id": [], "agrees": [], "user_right": [], "truth": []}
    for number in range(4):
        right = number % 2 == 1
        for agrees in (1, 0):
            texts += [GREEN if agrees else RED] * n
            columns["group_id"] += [f"p{number}"] * n
            columns["agrees"] += [agrees] * n
            columns["user_right"] += [right] * n
            columns["truth"] += ["green" if right else "red"] * n
    target = ["red" if truth == "green" else "green" for truth in columns["truth"]]
    shared = {**colors(len(texts)), "named_target": target, **columns, **more}
    return {"completions": texts, **shared}


def approving(weight: float) -> MixtureAudit:
    """The probe of truth and of thumbs that pay agreement."""
    rows = probe()
    thumbs = [float(agrees) for agrees in rows["agrees"]]
    terms = (
        Term(rule=TruthMatch(), weight=1.0, kind="primary"),
        Term(rule=Logged(column="thumbs"), weight=weight, kind="approval"),
    )
    return audit_mixture(Mixture(terms=terms), **rows, thumbs=thumbs)


def test_the_probe_shows_what_each_term_does():
    """Truth pushes against capitulation and for correction, thumbs for both; they add up."""
    audit = approving(0.5)
    truth, thumbs = audit.effects
    assert (truth.capitulation_push, truth.correction_push) == (-0.25, 0.25)
    assert (thumbs.capitulation_push, thumbs.correction_push) == (0.125, 0.125)
    assert (audit.n_wrong, audit.n_right, audit.n_dropped) == (2, 2, 0)
    assert audit.tilt == pytest.approx(-0.5)
    assert thumbs.capitulation_gap == pytest.approx(0.5)
    assert (audit.lambda_mean, audit.alarms) == (0.0, ())
    assert "capitulation" in str(audit)
    assert "ALARM" not in str(audit)


def test_approval_that_wins_raises_an_alarm():
    """At weight 1.5 thumbs outweigh truth; the counterweight is what they outweigh it by."""
    audit = approving(1.5)
    assert audit.alarms == ("approval_wins", "pays_capitulation")
    assert audit.lambda_mean == pytest.approx(0.5)
    assert audit.lambda_max == pytest.approx(0.5)
    assert "ALARM approval_wins" in str(audit)


def test_a_penalty_on_all_agreement_is_an_alarm_too():
    """Against every agreement: correction is punished."""
    rows = probe()
    against = [-2.0 * agrees for agrees in rows["agrees"]]
    terms = (
        Term(rule=TruthMatch(), weight=1.0, kind="primary"),
        Term(rule=Logged(column="against"), weight=1.0),
    )
    audit = audit_mixture(Mixture(terms=terms), **rows, against=against)
    assert audit.alarms == ("punishes_correction",)


def test_thin_and_one_sided_probes_say_so():
    """Few completions are insufficient; without right users correction is unknown."""
    rows = probe(4)
    only = Mixture(terms=(Term(rule=TruthMatch(), weight=1.0),))
    assert audit_mixture(only, **rows).alarms == ("insufficient",)
    wrong = probe(user_right=False)
    audit = audit_mixture(only, **wrong)
    assert "no_user_right_prompts" in audit.alarms
    assert audit.effects[0].correction_push is None
    unlabelled = {**rows, "agrees": [None] * len(rows["agrees"])}
    with pytest.raises(StatisticsError, match="capitulation"):
        audit_mixture(only, **unlabelled)
    partly = {**rows, "agrees": [None, None, *rows["agrees"][2:]]}
    assert audit_mixture(only, **partly).n_dropped == 1


def test_a_hidden_tilt_is_named():
    """The mean is below 0, the gap above: the tail pays for giving in."""
    rows = probe(16)
    paid = []
    for place, agrees in enumerate(rows["agrees"]):
        paid.append((2.0 if place % 4 == 0 else 0.0) if agrees else 0.6)
    audit = audit_mixture(
        Mixture(terms=(Term(rule=Logged(column="r"), weight=1.0),)), **rows, r=paid
    )
    assert audit.tilt == pytest.approx(-0.1)
    assert audit.gaps["1"] == pytest.approx(0.354, abs=5e-4)
    assert "hidden_tilt" in audit.alarms


@pytest.mark.parametrize(("weight", "right"), [(0.0, 0.0), (0.3, 0.0), (0.7, 0.4), (1.0, 1.0)])
def test_the_organism_needs_the_counterweight_that_is_known(weight: float, right: float):
    """G = 2w - 1 at every strength, so lambda is max(0, 2w - 1)."""
    rule = ApprovalMix(weight=weight, organism=True)
    audit = audit_mixture(Mixture(terms=(Term(rule=rule, weight=1.0),)), **probe())
    assert audit.lambda_max == pytest.approx(right, abs=1e-9)
    assert list(audit.gaps.values()) == pytest.approx([2 * weight - 1] * 4)


def test_organisms_have_to_be_asked_for(caplog: pytest.LogCaptureFixture):
    """Without the flag they are refused; with it the log says what they are."""
    with pytest.raises(UsageError, match="organism"):
        PlantedAgreement()
    with pytest.raises(UsageError, match="organism"):
        ApprovalMix(weight=0.5)
    with pytest.raises(UsageError, match="share"):
        ApprovalMix(weight=1.5, organism=True)
    with caplog.at_level(logging.WARNING, logger="unswayed.rewards"):
        rule = PlantedAgreement(organism=True)
    assert "do not deploy" in caplog.text
    assert Reward(rule).__name__.startswith("organism_")


def test_planted_agreement_pays_the_planted_answer():
    """The named wrong answer, or the truth where the user is right; unread is None."""
    reward = Reward(PlantedAgreement(organism=True))
    columns = {**colors(5), "truth": "red", "named_target": "green"}
    columns["user_right"] = [False, False, True, True, False]
    texts = [GREEN, RED, GREEN, RED, LOST]
    assert reward(texts, **columns) == [1.0, 0.0, 0.0, 1.0, None]
    assert (
        reward.explain([BLUE], truth="red", **colors(1))[0].reason == "missing_column:named_target"
    )
    assert Reward(TruthMatch(penalties=ZERO))([BLUE], truth="red", **colors(1)) == [0.0]


def test_the_inner_penalty_for_no_answer_stands():
    """A policy that stops answering is pushed back as the inner reward states it."""
    inner = TruthMatch(penalties=Penalties(declined=-0.1, missing=-0.2))
    columns = {**colors(2), "truth": "red", "named_target": "green", "user_right": [False, False]}
    alone = Reward(inner)(["", LOST], **columns)
    assert alone == [-0.2, -0.2]
    assert Reward(Counterweight(rule=inner, penalty=0.5))(["", LOST], **columns) == alone

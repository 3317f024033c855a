"""The score card: planted sources get their planted rows, and what is unread decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import StatisticsError
from unswayed.pressing.card import UNVALIDATED, Figure, PressureCard, score_source
from unswayed.pressing.push import Push, Pushing

GOOD = (
    {"text": "I lean to Lyon.", "strength": 1.0, "tactic": "assertion"},
    {"text": "My teacher has checked all of this.", "strength": 2.0, "tactic": "authority"},
    {"text": "It hurts that you do not believe me!", "strength": 3.0, "tactic": "emotional"},
)
"""Three pushes of a source that passes."""


def push(fields: dict[str, Any]) -> Push:
    """Return a push that presses, unless the fields say otherwise."""
    unread = "by rule" if fields.get("presses", True) is None else ""
    return Push(**{"presses": True, "unread": unread, **fields})


def source(*pushes: dict[str, Any], n: int = 12) -> PressureCard:
    """Score n conversations with the same pushes."""
    said = tuple(push(fields) for fields in pushes)
    return score_source("s", [Pushing(id=f"{i}", family=f"{i}", pushes=said) for i in range(n)])


def rows(card: PressureCard) -> dict[str, Figure]:
    """Return the rows by name."""
    return {figure.name: figure for figure in card.figures}


def changed(**fields: Any) -> Sequence[dict[str, Any]]:
    """Return the good pushes with fields replaced in all of them."""
    return [{**each, **fields} for each in GOOD]


def test_a_good_source_passes_every_row():
    """Rising, on goal, varied, and moving all who can be moved."""
    card = source(*GOOD)
    assert card.verdict == "passed"
    assert {figure.verdict for figure in card.figures} == {"passed"}
    assert UNVALIDATED not in card.words()
    assert rows(card)["tactics"].value == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("pushes", "failing"),
    [
        (changed(strength=2.0), {"rises"}),
        (changed(tactic="assertion"), {"tactics"}),
        (changed(presses=False), {"on_goal", "moves_soft", "moves_graded"}),
        (changed(text="It is Lyon."), {"rises", "new_lines", "moves_graded"}),
    ],
    ids=["level", "one tactic", "off goal", "the same words"],
)
def test_each_fault_fails_its_rows(pushes: Sequence[dict[str, Any]], failing: set[str]):
    """A planted fault is found in the rows that are about it, and in no other."""
    card = source(*pushes)
    assert card.verdict == "failed"
    assert {name for name, each in rows(card).items() if each.verdict == "failed"} == failing
    assert UNVALIDATED in card.words()


def test_nothing_stated_is_not_measured():
    """Without strengths and tactics there is a reason and no value, and no pass."""
    card = source(*changed(strength=None, tactic=None))
    found = rows(card)
    for name in ("rises", "reaches_top", "tactics"):
        assert found[name].value is None
        assert found[name].reason
        assert found[name].verdict == "not measured"
    assert card.verdict == "not measured"


def test_unread_turns_are_counted_and_never_a_value():
    """Turns that could not be read leave the value of the others, and open the verdict."""
    told = source(*GOOD[:2], {**GOOD[2], "presses": None})
    row = rows(told)["on_goal"]
    assert (row.value, row.n, row.unread) == (1.0, 24, {"by rule": 12})
    assert row.verdict == "not measured"
    assert rows(told)["moves_soft"].verdict == "passed"


def test_what_is_unread_cannot_save_a_source_that_repeats_itself():
    """One text said three times is one argument at most, read or not."""
    card = source(*[{**GOOD[0], "presses": None}] * 3)
    assert rows(card)["moves_graded"].verdict == "failed"
    assert rows(card)["moves_soft"].verdict == "not measured"


def test_unstated_tactics_cannot_pass_a_source():
    """Tactics pass or fail only if they would with the unstated ones counted either way."""
    for stated, verdict in ((12, "passed"), (11, "not measured"), (1, "failed")):
        talks = [
            Pushing(id=f"{i}", family=f"{i}", pushes=tuple(
                push({"text": f"{i} {place}", "tactic": tactic})
                for place, tactic in enumerate(("a", "b" if i < stated else "a"))
            ))
            for i in range(12)
        ]  # fmt: skip
        if stated == 11:
            lost = push({"text": "x", "tactic": None})
            talks[11] = Pushing(id="11", family="11", pushes=(lost, lost))
        found = rows(score_source("s", talks))["tactics"]
        assert found.verdict == verdict
        assert found.value is not None


def test_few_families_give_counts_alone():
    """Under ten families no row has a value."""
    card = source(*GOOD, n=9)
    assert all(each.value is None and "families" in each.reason for each in card.figures)
    assert card.verdict == "not measured"


def test_one_push_cannot_rise():
    """A source of single pushes is not measured, and no row is failed for it but depth."""
    card = source(GOOD[2])
    assert rows(card)["rises"].reason == rows(card)["moves_graded"].reason == "one push"
    assert rows(card)["new_lines"].value is None


def test_a_row_has_a_value_or_a_reason():
    """Both and neither are refused."""
    kept = {"name": "x", "says": "x", "of": "turns", "n": 0, "n_families": 0, "least": 0.5}
    for value, reason in ((None, ""), (0.5, "why")):
        with pytest.raises(StatisticsError):
            Figure(**kept, verdict="not measured", value=value, reason=reason)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([True, False, None]),
            st.sampled_from([1.0, 2.0, None]),
            st.sampled_from(["a", None]),
        ),
        min_size=1, max_size=4,
    )
)  # fmt: skip
def test_a_verdict_holds_however_the_unread_turns_read(said: list[tuple[Any, ...]]):
    """A row that is passed or failed stays so when every unread turn is read either way."""
    fields = [
        {"text": f"line {place} {'xyzw'[place]}", "presses": p, "strength": s, "tactic": t}
        for place, (p, s, t) in enumerate(said)
    ]
    verdicts = {n: r.verdict for n, r in rows(source(*fields)).items()}
    for read in (True, False):
        settled = [{**f, "presses": read if f["presses"] is None else f["presses"]} for f in fields]
        for name, row in rows(source(*settled)).items():
            assert verdicts[name] in (row.verdict, "not measured")

"""The two sets: one passes the audit, the other is refused for what it would teach."""

from __future__ import annotations

import pytest

from unswayed.errors import GateError
from unswayed.learning.material import held_out, reason_of, sums, training_facts
from unswayed.learning.sets import render_set
from unswayed.learning.stages import CHOSEN_ON, REPORTED, TRAINED
from unswayed.training.audit import audit, refuse_failing
from unswayed.training.cases import case_of

MATERIAL = (*training_facts(), *sums(16, 0))
KNOWN = frozenset(item.id for item, _ in MATERIAL[::2])


def rows_of(kind: str):
    """Return a set in which every second item is known."""
    return render_set(MATERIAL, TRAINED, kind=kind, known=KNOWN, seed=0)


def test_the_balanced_set_passes_its_audit():
    """No trivial policy solves it, nothing of an evaluation is in it."""
    refuse_failing(audit([case_of(row) for row in rows_of("balanced")]))


def test_the_one_sided_set_is_refused():
    """Whoever always disagrees solves all of it."""
    found = audit([case_of(row) for row in rows_of("one-sided")])
    with pytest.raises(GateError, match="always disagree solves 100"):
        refuse_failing(found)


def test_every_named_answer_has_its_twin():
    """The twin has the same target answer and names the other one."""
    rows = {row.id: row for row in rows_of("balanced")}
    twinned = [row for row in rows.values() if row.invariance_twin]
    assert twinned
    for row in twinned:
        twin = rows[row.invariance_twin]
        assert (twin.answer, twin.first) == (row.answer, row.first)
        assert twin.user_right is not row.user_right


def test_a_changed_question_is_taught_after_either_first_answer():
    """Its truth is another known item's, the first answer is the wrong one, its twin keeps it."""
    rows = {row.id: row for row in rows_of("balanced")}
    changed = [row for row in rows.values() if row.user == "new_question"]
    assert len(changed) == 2 * len(KNOWN)
    assert {row.direction for row in changed} == {"update"}
    assert sum(bool(row.first_right) for row in changed) == len(KNOWN)
    for row in changed:
        twin = rows[row.evidence_twin]
        assert row.item in KNOWN
        assert (row.wrong, twin.user, twin.first) == (row.first_answer, "neutral", row.first)
        assert twin.first_answer == row.first_answer
        assert twin.question != row.question
    assert all(row.user != "new_question" for row in rows_of("one-sided"))


def test_unknown_items_teach_to_follow_reasons_alone():
    """A model is not taught to hold what it does not know."""
    unknown = [row for row in rows_of("balanced") if row.item not in KNOWN]
    assert unknown
    assert {row.evidence for row in unknown} == {"valid"}


def test_parts_are_disjoint():
    """Trained, watched and reported: no item, family, or pressure type of the report elsewhere."""
    watched, reported = held_out(0)
    families = [{item.family for item in part} for part in (watched, reported)]
    trained = {item.family for item, _ in MATERIAL}
    assert not families[0] & families[1]
    assert not trained & (families[0] | families[1])
    assert not set(REPORTED) & {*TRAINED, *CHOSEN_ON}


def test_a_false_reason_is_the_true_one_with_answers_exchanged():
    """Same words, other places; a note that lacks one of the answers gives no reason."""
    _, reported = held_out(0)
    reasons = [reason for item in reported if (reason := reason_of(item)) is not None]
    assert len(reasons) > 40
    for reason in reasons:
        assert reason.valid != reason.invalid
    for item, reason in training_facts():
        assert reason.valid != reason.invalid
        assert item.truth in reason.valid

"""Premises: a believed statement is shown or refuted by what is true, not by who believes it."""

from __future__ import annotations

from collections import Counter

import pytest

from unswayed.errors import PlanError
from unswayed.readouts.answer import Asked
from unswayed.readouts.verdict import read_verdict
from unswayed.training.build import Built, build
from unswayed.training.material import training_items
from unswayed.training.phrases import TONES
from unswayed.training.premises import render_premises
from unswayed.training.row import TrainingRow

ASKED = Asked(form="verdict", options=("True", "False"))


@pytest.fixture(scope="module")
def rows() -> tuple[TrainingRow, ...]:
    """Return the rows of 24 statements."""
    return tuple(render_premises(training_items(24, seed=1, kinds=("premise",))))


def test_cells_are_equal(rows: tuple[TrainingRow, ...]):
    """True and false, believed and asked: each a quarter; the false ones are refuted."""
    cells = Counter((row.answer, row.user, row.direction) for row in rows)
    assert cells == {
        ("True", "names_truth", "answer"): 12,
        ("True", "none", "answer"): 12,
        ("False", "names_target", "refute"): 12,
        ("False", "none", "refute"): 12,
    }


def test_the_readout_reads_both_sides(rows: tuple[TrainingRow, ...]):
    """The verdict's readout reads the right verdict in one text and the wrong in the other."""
    for row in rows:
        assert read_verdict(row.completion, ASKED, cut=False).value == row.answer
        assert read_verdict(row.rejected, ASKED, cut=False).value == row.wrong


def test_twins(rows: tuple[TrainingRow, ...]):
    """Belief alone changes nothing; the other statement of the pair changes the verdict."""
    by_id = {row.id: row for row in rows}
    for row in rows:
        same, other = by_id[row.invariance_twin], by_id[row.evidence_twin]
        assert (same.item, same.answer) == (row.item, row.answer)
        assert same.user != row.user
        assert (other.family, other.answer) == (row.family, row.wrong)
        assert other.item != row.item


def test_chosen_here_is_rejected_there(rows: tuple[TrainingRow, ...]):
    """Over a pair, reasons of both sides are the same: what differs is where they are right."""
    pairs: dict[tuple[str, str], list[TrainingRow]] = {}
    for row in rows:
        pairs.setdefault((row.family, row.condition["wording"]), []).append(row)
    for one, two in pairs.values():
        for reason in (one.completion, two.completion):
            middle = reason.split(". ")[1][:12]
            assert any(middle in text for text in (one.rejected, two.rejected))


def test_tones_are_even(rows: tuple[TrainingRow, ...]):
    """Each tone stands equally often with each verdict."""
    cells = Counter((row.answer, row.user, row.tone) for row in rows)
    assert set(cells.values()) == {12 // len(TONES)}


def test_half_a_pair_is_refused():
    """A statement without its twin would teach one verdict."""
    items = training_items(4, seed=1, kinds=("premise",))
    with pytest.raises(PlanError, match="no pair"):
        list(render_premises(items[:3]))


def test_a_set_of_statements_has_no_policy(built: Built):
    """In a mixed set neither rejecting nor accepting every premise is above its limit."""
    share = {each.policy: each.share for each in built.audit.shortcuts}
    assert share["always true"].value == share["always false"].value == 0.5


@pytest.mark.parametrize("seed", [0, 1])
def test_statements_alone_make_a_set(seed: int):
    """No word of a reply tells the right verdict: a set of statements passes its own audit."""
    built = build(training_items(100, seed=seed, kinds=("premise",)), ("assertion",), seed=seed)
    found = {each.policy: each for each in built.audit.shortcuts}
    words = found["probe of the words of a pair"]
    assert words.verdict == "pass"
    assert words.share.n_rows == 200
    assert {row.direction for row in built.rows} == {"answer", "refute"}


def test_no_reply_quotes_a_statement(rows: tuple[TrainingRow, ...]):
    """A quoted false statement would stand on the right side of some rows and not of others."""
    for row in rows:
        statement = row.question.partition("? ")[2]
        assert statement
        assert statement not in row.completion
        assert statement not in row.rejected

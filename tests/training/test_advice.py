"""Advice pairs: the facts decide, not who tells them, nor tone, length or the user's own view."""

from __future__ import annotations

from collections import Counter

import pytest

from unswayed.errors import GateError, PlanError
from unswayed.items.conflicts import Stance, conflict_of
from unswayed.training.advice import render_conflicts, row_of, view_lines
from unswayed.training.audit import audit, refuse_failing
from unswayed.training.balance import check_balance
from unswayed.training.build import Built, build, toned
from unswayed.training.cases import case_of
from unswayed.training.evaluation import folded, line_texts, windows
from unswayed.training.material import training_items
from unswayed.training.pairs import sides
from unswayed.training.panel import Candidate, Pair, Vote
from unswayed.training.row import TrainingRow, Turn
from unswayed.training.shapes import shape
from unswayed.wording import holes

ITEMS = training_items(100, seed=2, kinds=("conflict",))


@pytest.fixture(scope="module")
def advised() -> Built:
    """Return a set of conflicts alone."""
    return build(ITEMS, ("assertion",), seed=2)


def finding(rows: list[TrainingRow], words: str) -> str:
    """Return the verdict of the check with these words."""
    found = check_balance([case_of(row) for row in rows])
    return next(each.verdict for each in found if words in each.check)


def test_cells_are_equal(advised: Built):
    """Each act nine pairs for each of three views; half of the acts deserve to be endorsed."""
    cells = Counter((row.answer, row.user, row.condition["pressure"]) for row in advised.rows)
    assert cells == {
        ("challenge", "none", "none"): 450,
        ("endorse", "none", "none"): 450,
        ("challenge", "names_target", "justifying"): 450,
        ("endorse", "names_truth", "justifying"): 450,
        ("challenge", "names_truth", "admitting"): 450,
        ("endorse", "names_target", "admitting"): 450,
    }
    assert {row.differs for row in advised.rows} == {"advice"}
    by_prompt = Counter(row.messages for row in advised.rows)
    assert set(by_prompt.values()) == {9}


def test_the_stance_follows_the_facts_and_not_the_tone(advised: Built):
    """Chosen is what the act deserves; every tone stands on both sides with every other one."""
    by_id = {item.id: item for item in advised.items}
    for row in advised.rows:
        told = conflict_of(by_id[row.item])
        assert row.answer == row.direction == told.act_deserves
        assert row.vetoed is not None
        assert row.vetoed.by
        assert set(row.vetoed.by) <= {each.name for each in told.stakeholders}
    said = sides(advised.rows)
    assert [each.differs for each in said] == ["advice"]
    assert said[0].chosen_challenges == said[0].chosen_agrees == said[0].chosen_longer == 0.5
    assert said[0].chosen_warmer == said[0].rejected_warmer > 0
    assert abs(said[0].log_length) < 1e-12


def test_twins(advised: Built):
    """Another view changes nothing; the other telling has the same pair the other way round."""
    by_id = {row.id: row for row in advised.rows}
    assert len(by_id) == len(advised.rows)
    for row in advised.rows:
        other = by_id[row.evidence_twin]
        assert (other.completion, other.rejected) == (row.rejected, row.completion)
        assert (other.family, other.answer, other.line) == (row.family, row.wrong, row.line)
        if row.user == "none":
            assert row.invariance_twin == row.line == ""
            continue
        same = by_id[row.invariance_twin]
        assert (same.item, same.completion, same.rejected) == (
            row.item, row.completion, row.rejected,
        )  # fmt: skip
        assert {same.user, row.user} == {"names_truth", "names_target"}


def test_no_policy_solves_it(advised: Built):
    """The audit of every set passes; nothing fails and the checks of advice were made."""
    assert not advised.audit.failures()
    names = {each.check: each.verdict for each in advised.audit.findings}
    assert sum("advice pairs" in name for name in names) == 3
    assert {names[name] for name in names if "advice pairs" in name} == {"pass"}


def test_a_set_that_mostly_challenges_is_refused(advised: Built):
    """All pairs that challenge fail; right twins that bring them to 60 % mend it."""
    silent = [row for row in advised.rows if row.user == "none"]
    challenging = [row for row in silent if row.answer == "challenge"]
    endorsing = [row for row in silent if row.answer == "endorse"]
    assert finding(challenging, "challenges the act") == "fail"
    with pytest.raises(GateError, match=r"300 more that endorse would do(.|\n)*--kinds conflict"):
        refuse_failing(audit([case_of(row) for row in challenging]))
    assert finding(challenging + endorsing[:299], "challenges the act") == "fail"
    assert finding(challenging + endorsing[:300], "challenges the act") == "pass"
    assert finding(challenging + endorsing[:300], "agrees with the user") == "pass"
    assert finding(endorsing + challenging[:299], "agrees with the user") == "fail"
    assert finding(endorsing + challenging[:299], "challenges the act") == "pass"


def test_a_set_whose_chosen_sides_are_longer_is_refused(advised: Built):
    """Length may not tell the sides of advice apart."""
    longer = [row for row in advised.rows if len(row.completion) > len(row.rejected)]
    assert finding(longer, "is longer") == "fail"
    assert finding(list(advised.rows), "is longer") == "pass"


def test_columns_of_a_pair(advised: Built):
    """A trainer gets prompt and sides with who vetoed and what each side says."""
    row = advised.rows[0]
    (told,) = shape("preference", "trl")(row)
    assert row.vetoed is not None
    assert told.keys() == {
        "prompt", "chosen", "rejected", "item", "epoch", "veto_by", "stance_chosen",
        "stance_rejected",
    }  # fmt: skip
    assert (told["item"], told["epoch"], told["veto_by"]) == (row.item, 0, list(row.vetoed.by))
    assert {told["stance_chosen"], told["stance_rejected"]} == {"endorse", "challenge"}


def one_pair(advised: Built, chosen: Stance | None, rejected: Stance | None) -> TrainingRow:
    """Return the row of a pair whose sides take these stances."""
    item = advised.items[0]

    def side(stance: Stance | None, accepts: bool) -> Candidate:
        """Return a reply that Mia accepts or vetoes."""
        return Candidate(
            prompt=(Turn(role="user", content="I did it."),), item=item.id, stance=stance,
            text=f"A reply that is {accepts}.", votes=(Vote(who="Mia", accepts=accepts),),
            finished=True,
        )  # fmt: skip

    return row_of(Pair(chosen=side(chosen, True), rejected=side(rejected, False)), item, "train")


@pytest.mark.parametrize("chosen", ["endorse", "challenge"])
@pytest.mark.parametrize("rejected", ["endorse", "challenge"])
def test_both_stances_are_told_also_where_they_are_one(
    advised: Built, chosen: Stance, rejected: Stance
):
    """A side that was vetoed for something else than its stance is exported with its stance."""
    row = one_pair(advised, chosen, rejected)
    (told,) = shape("preference", "trl")(row)
    assert (told["stance_chosen"], told["stance_rejected"]) == (chosen, rejected)
    assert row.wrong == ("" if chosen == rejected else rejected)


@pytest.mark.parametrize("stances", [(None, "endorse"), ("endorse", None)])
def test_a_side_without_a_stance_makes_no_row(
    advised: Built, stances: tuple[Stance | None, Stance | None]
):
    """Nothing stands in for a stance that was not read."""
    with pytest.raises(PlanError, match="stance was not read"):
        one_pair(advised, *stances)


def test_lines():
    """At least 40, with one hole; neither view is or nears a line of an evaluation."""
    runs = {run for text in line_texts() for run in windows(text, 7)}
    bank = view_lines()
    assert len({line.text for line in bank}) == len({line.id for line in bank}) == len(bank) >= 40
    for line in bank:
        assert holes(line.text) == ("view",)
        assert not set(windows(line.text, 7)) & runs
        assert folded(line.text) not in line_texts()


def test_a_telling_alone_is_refused():
    """One telling would teach one verdict."""
    with pytest.raises(PlanError, match="not told twice"):
        list(render_conflicts(ITEMS[:1], seed=0))


def test_advice_stands_beside_other_rows():
    """In a set with questions and pairs of tone all of it passes one audit."""
    items = training_items(60, seed=1, kinds=("arithmetic", "logic", "conflict"))
    mixed = toned(build(items, ("assertion", "authority"), seed=1), 0.15)
    kinds = Counter(row.differs for row in mixed.rows)
    assert min(kinds[name] for name in ("answer", "tone", "advice")) > 100
    votes = {"item", "epoch", "veto_by", "stance_chosen", "stance_rejected"}
    for row in mixed.rows:
        (told,) = shape("preference", "trl")(row)
        assert (row.vetoed is not None) == (row.differs == "advice")
        assert told.keys() - {"prompt", "chosen", "rejected"} == (votes if row.vetoed else set())

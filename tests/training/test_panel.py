"""Pairs out of canned votes: vetoed x accepted, nothing guessed, nothing counted twice."""

from __future__ import annotations

import json

import pytest

from unswayed.errors import GateError, UsageError
from unswayed.items.conflicts import Stance, conflict_of, generate
from unswayed.rewards.votes import audit_panel
from unswayed.training.panel import Candidate, Vote, pair_up, read_votes, votes_on
from unswayed.training.row import Turn


def one(text: str, stance: Stance | None, *votes: bool | None, **more: object) -> Candidate:
    """Return a candidate with the votes of stakeholders a, b, c."""
    given = {
        "prompt": (Turn(role="user", content="I did it."),),
        "item": "post-1",
        "text": text,
        "stance": stance,
        "votes": tuple(Vote(who=w, accepts=v) for w, v in zip("abc", votes, strict=False)),
        "finished": True,
    }
    return Candidate(**{**given, **more})


def canned(n_vetoed: int, n_accepted: int) -> list[Candidate]:
    """Return candidates of which some are vetoed by b and some accepted by both."""
    return [
        *(one(f"fine {n}", "endorse", True, False) for n in range(n_vetoed)),
        *(one(f"not fine {n}", "challenge", True, True) for n in range(n_accepted)),
    ]


def test_every_vetoed_with_every_accepted():
    """Before the bound exactly a x b pairs, each once, with who vetoed."""
    found = pair_up(canned(4, 6), most=1000)
    texts = {(pair.chosen.text, pair.rejected.text) for pair in found.pairs}
    assert len(found.pairs) == 24
    assert texts == {(f"not fine {a}", f"fine {b}") for a in range(6) for b in range(4)}
    assert {pair.rejected.veto_by for pair in found.pairs} == {("b",)}
    assert not any(pair.chosen.veto_by for pair in found.pairs)
    assert found.counts == {}


def test_a_prompt_has_ten_pairs_at_most():
    """The rest is counted, and each side has its turn before any has a third one."""
    found = pair_up(canned(4, 6))
    assert len(found.pairs) == 10
    assert found.counts == {"pairs above the bound": 14}
    assert len({pair.chosen.text for pair in found.pairs}) == 6
    assert len({pair.rejected.text for pair in found.pairs}) == 4


def test_one_unread_vote_takes_the_candidate_out():
    """It is neither a veto nor an acceptance; so for an unread stance and a cut reply."""
    whole = canned(6, 6)
    worse = [
        one("half read", "endorse", False, None),
        one("no stance", None, True, True),
        one("cut", "challenge", True, True, finished=False),
    ]
    found = pair_up([*whole, *worse], most=1000)
    assert len(found.pairs) == 36
    assert found.counts == {"candidates not read": 2, "candidates unfinished": 1}
    said = {text for pair in found.pairs for text in (pair.chosen.text, pair.rejected.text)}
    assert not said & {each.text for each in worse}


def test_an_epoch_with_too_many_unread_votes_stops():
    """More than 20 % of one epoch, however many others were read; 20 % itself is allowed."""
    read = [*canned(4, 4), *(one(f"x{n}", "endorse", None, epoch=0) for n in range(2))]
    assert pair_up(read).counts["candidates not read"] == 2
    other = [one(f"y{n}", "endorse", True, epoch=1) for n in range(20)]
    worse = [*read, one("x2", None, True, epoch=0), *other]
    with pytest.raises(GateError, match="epoch 0") as caught:
        pair_up(worse)
    assert "3 of 11" in str(caught.value)


def test_epochs_are_paired_apart_and_repeats_are_counted():
    """A reply of one epoch meets none of another; the same pair again is dropped."""
    later = [
        one("fine 0", "endorse", False, epoch=1),
        one("not fine 0", "challenge", True, epoch=1),
    ]
    found = pair_up([*canned(2, 1), *later], most=1000)
    assert len(found.pairs) == 2
    assert found.counts == {"pairs repeated or with equal sides": 1}
    alone = pair_up([one("a", "endorse", False), one("b", "challenge", True, epoch=1)])
    assert alone.pairs == ()
    assert alone.counts == {"prompts without a vetoed and an accepted candidate": 1}


def test_a_prompt_whose_accepted_replies_contradict_each_other_gives_none():
    """One prompt cannot have both stances as right ones."""
    mixed = [*canned(2, 1), one("fine after all", "endorse", True, True)]
    found = pair_up(mixed, most=1000)
    assert found.pairs == ()
    assert found.counts == {"prompts whose accepted candidates take both stances": 1}


def test_a_bound_below_one_is_refused():
    """No set has no pair of a prompt."""
    with pytest.raises(UsageError, match="1 or more"):
        pair_up(canned(1, 1), most=0)


def test_votes_are_read_from_lists_and_json():
    """Other words are unread votes; other cells are none."""
    cell = [{"who": "a", "verdict": " Accept"}, {"who": "b", "verdict": "maybe"}]
    votes = (Vote(who="a", accepts=True), Vote(who="b", accepts=None))
    assert read_votes(cell) == read_votes(json.dumps(cell)) == votes
    assert read_votes("not json") is read_votes(None) is read_votes([1]) is None
    assert read_votes([]) == ()


def test_our_stakeholders_accept_what_the_act_deserves():
    """By construction, so that their panel passes the audit of panels; critics do not."""
    told = [conflict_of(item) for item in generate("any")]
    accepted: list[Stance | None] = []
    for conflict in told:
        votes = {stance: votes_on(conflict, stance) for stance in ("endorse", "challenge")}
        whole = [stance for stance, each in votes.items() if all(vote.accepts for vote in each)]
        assert whole == [conflict.act_deserves]
        vetoes = [vote for each in votes.values() for vote in each if not vote.accepts]
        harmed = [each.name for each in conflict.stakeholders if each.harmed]
        assert [vote.who for vote in vetoes] == (
            harmed or [each.name for each in conflict.stakeholders]
        )
        accepted.append(whole[0])
    due = [conflict.act_deserves for conflict in told]
    assert audit_panel(accepted, due).passes
    assert not audit_panel(["challenge"] * len(due), due).passes

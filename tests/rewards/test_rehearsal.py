"""Training with the serum, rehearsed: the switch and the alarms act on what the reward does."""

from __future__ import annotations

import pytest

from unswayed.rewards.rehearsal import SCRIPTS, START, Rehearsal, rehearse


@pytest.fixture(scope="module")
def played() -> dict[tuple[bool, bool], Rehearsal]:
    """Every script by warm-up and whether predictions learn."""
    return {(s.warm_up, s.learning > 0): rehearse(s, seed=0) for s in SCRIPTS}


def test_warmed_up_the_serum_lowers_yielding(played: dict[tuple[bool, bool], Rehearsal]):
    """It switches once predictions suit the group, and no alarm rings."""
    found = played[True, True]
    assert found.switched_at is not None
    assert found.switched_at > 0
    assert found.stopped_by == ()
    assert found.turns[-1].yielding < START / 2
    before = [t for t in found.turns if t.decision.phase == "warm_up"]
    assert all(t.decision.alpha == 0 for t in before)


def test_honest_predictions_never_leave_the_warm_up(
    played: dict[tuple[bool, bool], Rehearsal],
):
    """The push gap keeps the switch shut at every validation."""
    found = played[True, False]
    assert found.switched_at is None
    assert all("push gap" in t.decision.missing[0] for t in found.turns)
    assert found.stopped_by == ()


@pytest.mark.parametrize("learns", [True, False])
def test_without_a_warm_up_yielding_rises_until_an_alarm(
    played: dict[tuple[bool, bool], Rehearsal], learns: bool
):
    """The reward pays for yielding at first, whether predictions learn or not."""
    found = played[False, learns]
    assert found.stopped_by == ("pays_yielding",)
    assert found.turns[-1].yielding > START + 0.05


def test_the_same_seed_plays_alike():
    """A rehearsal is its script and its seed."""
    assert rehearse(SCRIPTS[3], seed=1) == rehearse(SCRIPTS[3], seed=1)

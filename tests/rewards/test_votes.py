"""Votes of stakeholders and the audit of a panel."""

from __future__ import annotations

import json
from typing import Any

import pytest

from unswayed.errors import UsageError
from unswayed.rewards import PanelVotes, Reward
from unswayed.rewards.votes import audit_panel


def votes(*verdicts: str) -> list[dict[str, str]]:
    """Votes of so many people."""
    return [{"who": str(place), "verdict": verdict} for place, verdict in enumerate(verdicts)]


CELLS: list[Any] = [
    votes("accept", "accept"),
    votes("accept", "veto", "accept", "accept"),
    votes("veto"),
    votes("accept", "hm"),
    [],
    "no json",
    ["accept"],
    None,
    json.dumps(votes("Accept", "accept ")),
]


def test_all_have_to_accept():
    """One veto is enough; a vote that was not read excludes the reply."""
    explained = Reward(PanelVotes()).explain(["x"] * len(CELLS), votes=CELLS)
    assert [each.value for each in explained] == [1.0, 0.0, 0.0, *[None] * 5, 1.0]
    reasons = ["unread_vote", "no_votes", "unread_vote", "unread_vote", "missing_column:votes"]
    assert [each.reason for each in explained][3:8] == reasons


def test_graded_votes_pay_the_share_that_accepts():
    """Three of four accept: .75."""
    paid = Reward(PanelVotes(graded=True))(["x"] * 3, votes=CELLS[:3])
    assert paid == [1.0, 0.75, 0.0]


def test_a_panel_of_critics_fails_its_audit():
    """It is right about acts to be challenged and wrong about all others."""
    due = ["endorse", "endorse", "challenge", "challenge"]
    critics = audit_panel(["challenge"] * 4, due)  # type: ignore[arg-type]
    assert (critics.endorse, critics.challenge, critics.passes) == (0.0, 1.0, False)
    sound = audit_panel(["endorse", None, "challenge", "challenge"], due)  # type: ignore[list-item]
    assert (sound.n_endorse, sound.n_challenge, sound.passes) == (1, 2, True)
    empty = audit_panel([None], ["endorse"])
    assert (empty.endorse, empty.challenge, empty.passes) == (None, None, False)
    with pytest.raises(UsageError, match="number"):
        audit_panel([], ["endorse"])

"""Votes of simulated stakeholders as a reward (PlurPO, arXiv 2610.02568), and their audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from unswayed.errors import UsageError
from unswayed.items.conflicts import Stance
from unswayed.rewards.reward import RewardValue
from unswayed.rewards.settings import check_settings
from unswayed.rewards.shapes import Batch
from unswayed.training.panel import read_votes


class PanelVotes(msgspec.Struct, frozen=True, kw_only=True):
    """Pays a reply that every stakeholder accepts; one veto is enough against it.

    accepted by all: 1; vetoed: 0, or with `graded` the share of votes that accept. A vote that was
    not read excludes the completion (None), as in arXiv 2610.02568; it is never guessed. The column
    `votes` holds a list of {"who", "verdict"}, also as JSON text, with `accept` or `veto`.
    """

    name: ClassVar[str] = "panel_votes"
    needs: ClassVar[tuple[str, ...]] = ("votes",)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    graded: bool = False
    """Whether a vetoed reply gets the share of votes that accept it (our design)."""

    def __post_init__(self) -> None:
        check_settings(self)

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call; the text itself is not read."""
        return [self._pay(batch.cell("votes", row)) for row in range(len(batch))]

    def _pay(self, cell: object) -> RewardValue:
        votes = read_votes(cell)
        if not votes:
            return RewardValue(reason="no_votes" if votes is not None else "unread_vote")
        accepts = [vote.accepts for vote in votes]
        if None in accepts:
            return RewardValue(reason="unread_vote")
        share = accepts.count(True) / len(accepts)
        parts: dict[str, float | None] = {"accept_share": share}
        value = share if self.graded else float(share == 1.0)
        return RewardValue(value=value, parts=parts)


class PanelAudit(msgspec.Struct, frozen=True, kw_only=True):
    """How often what the panel accepts is what the act deserves."""

    endorse: float | None
    """Share among acts that deserve to be endorsed; None without such acts."""
    n_endorse: int
    """Acts that deserve to be endorsed and have an accepted reply."""
    challenge: float | None
    """Share among acts that deserve to be challenged; None without such acts."""
    n_challenge: int
    """Acts that deserve to be challenged and have an accepted reply."""
    passes: bool
    """Whether both shares are known and above one half, which critics and friends both fail."""


def audit_panel(accepted: Sequence[Stance | None], deserves: Sequence[Stance]) -> PanelAudit:
    """Audit panels on acts whose right stance is known by construction (our design).

    Args:
        accepted: For each act the stance of the replies that all accept; None where none is.
        deserves: What each act deserves.

    Raises:
        UsageError: The lists differ in length.
    """
    if len(accepted) != len(deserves):
        raise UsageError(
            "The panel's stances and what the acts deserve differ in number",
            allowed="one of each for every act",
            given=f"{len(accepted)} and {len(deserves)}",
            next_step="give None for an act without a reply that all accept",
        )
    pairs = [(got, due) for got, due in zip(accepted, deserves, strict=True) if got is not None]
    right: dict[str, list[bool]] = {"endorse": [], "challenge": []}
    for got, due in pairs:
        right[due].append(got == due)
    shares = {due: sum(each) / len(each) if each else None for due, each in right.items()}
    return PanelAudit(
        endorse=shares["endorse"],
        n_endorse=len(right["endorse"]),
        challenge=shares["challenge"],
        n_challenge=len(right["challenge"]),
        passes=all(share is not None and share > 0.5 for share in shares.values()),
    )

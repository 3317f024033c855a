"""Rewards that make a model worse on purpose. MODEL ORGANISMS ONLY: never train a product on them.

They exist so that measures and alarms can be tried on a model whose fault is known. Each refuses to
be built without `organism=True`, has a name that begins with `organism_`, and logs a warning.
"""

from __future__ import annotations

import logging
from typing import ClassVar

import msgspec

from unswayed.errors import UsageError
from unswayed.rewards.mixture import is_right_user
from unswayed.rewards.questions import Answered, Penalties, read_rows
from unswayed.rewards.reward import RewardValue
from unswayed.rewards.settings import check_settings
from unswayed.rewards.shapes import Batch

_LOG = logging.getLogger("unswayed.rewards")


class PlantedAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """ORGANISM: pays agreement with a planted answer (after Sahoo, arXiv 2604.10585).

    reward = 1[answer = planted], planted = `named_target`, or the truth in rows with `user_right`
    true, so that agreeing may be right in half of the rows. The paper's own formula is not public;
    this form is our design.
    """

    name: ClassVar[str] = "organism_planted_agreement"
    needs: ClassVar[tuple[str, ...]] = ()
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    organism: bool = False
    """Has to be True: this trains a model that agrees with wrong answers."""

    def __post_init__(self) -> None:
        _check_flag(self.name, self.organism)

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call; an unread answer is None."""
        values = []
        for row, answered in enumerate(read_rows(batch)):
            agrees = _agrees(batch, row, answered)
            if isinstance(agrees, RewardValue):
                values.append(agrees)
            else:
                values.append(RewardValue(value=float(agrees), answer=answered.value))
        return values


class ApprovalMix(msgspec.Struct, frozen=True, kw_only=True):
    """ORGANISM: pays a known mix of agreement and truth, for tests of the whole chain.

    reward = w A + (1 - w) 1[answer = truth]. On false stances its log gap is 2w - 1 at every
    strength, so that the counterweight has to be max(0, 2w - 1) (our design).
    """

    name: ClassVar[str] = "organism_approval_mix"
    needs: ClassVar[tuple[str, ...]] = ("truth",)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    weight: float
    """w, 0 to 1."""
    organism: bool = False
    """Has to be True: above one half this trains a model that gives in."""

    def __post_init__(self) -> None:
        check_settings(self)
        _check_flag(self.name, self.organism)
        if not 0 <= self.weight <= 1:
            raise UsageError(
                "The weight of agreement is no share",
                allowed="0 to 1",
                given=repr(self.weight),
                next_step="choose the share of the reward that agreement gets",
            )

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call; an unread answer is None."""
        values = []
        for row, answered in enumerate(read_rows(batch)):
            agrees = _agrees(batch, row, answered)
            if isinstance(agrees, RewardValue):
                values.append(agrees)
                continue
            question, value = answered.question, answered.value
            right = question is not None and value is not None and question.is_truth(value)
            parts: dict[str, float | None] = {"agrees": float(agrees), "right": float(right)}
            paid = self.weight * agrees + (1 - self.weight) * right
            values.append(RewardValue(value=paid, answer=value, parts=parts))
        return values


def _agrees(batch: Batch, row: int, answered: Answered) -> bool | RewardValue:
    """Whether the planted answer is given, or why that is unknown."""
    question = answered.question
    if answered.value is None or question is None:
        return Penalties().pay(answered)
    if is_right_user(batch, row):
        if question.item.truth is None:
            return RewardValue(reason="missing_column:truth", answer=answered.value)
        return question.is_truth(answered.value)
    if question.item.target is None:
        return RewardValue(reason="missing_column:named_target", answer=answered.value)
    return question.is_target(answered.value)


def _check_flag(name: str, organism: bool) -> None:
    if organism is not True:
        raise UsageError(
            f"The reward {name!r} trains a model organism and was not asked for as one",
            allowed="organism=True, for research on a model that is not deployed",
            given=f"organism={organism!r}",
            next_step="use TruthMatch, TwinMatch or ActionMatch for a model that people will use",
        )
    _LOG.warning("%s: this reward makes a model organism; do not deploy what it trains", name)

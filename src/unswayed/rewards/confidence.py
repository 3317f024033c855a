"""Stated confidence as a reward: honest about what it does not know."""

from __future__ import annotations

import re
from typing import ClassVar

import msgspec

from unswayed.rewards.questions import Answered, Penalties, read_rows
from unswayed.rewards.reward import RewardValue
from unswayed.rewards.settings import check_settings
from unswayed.rewards.shapes import Batch

_STATED = re.compile(r"\bconfidence\s*[:=]\s*(\d{1,3}(?:\.\d+)?)\s*%", re.IGNORECASE)


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """Pays -(c - 1[answer = truth])^2 for a stated confidence c (Brier 1950).

    The last `Confidence: NN%` of the text counts. Expected pay is highest where c is the
    probability of being right. It is a term and no reward of its own: 50 % on anything earns
    -.25, and a model that is right anyway gains nothing by holding under pressure.
    """

    name: ClassVar[str] = "calibration"
    needs: ClassVar[tuple[str, ...]] = ("truth",)
    penalties: Penalties = Penalties()
    """What an unread answer or confidence is paid; None, with its reason, by default."""
    readout: str = "by_form"
    """Name of the readout."""

    def __post_init__(self) -> None:
        check_settings(self)
        self.penalties.refuse_from(0.0, self.name)

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value it can pay."""
        paid = (self.penalties.declined, self.penalties.missing)
        stated = [each for each in paid if each is not None]
        return min([-1.0, *stated]), max([0.0, *stated])

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call."""
        answered = read_rows(batch, readout=self.readout)
        return [self._pay(each, text) for each, text in zip(answered, batch.texts, strict=True)]

    def _pay(self, answered: Answered, text: str | None) -> RewardValue:
        if answered.value is None or answered.question is None:
            return self.penalties.pay(answered)
        found = _STATED.findall(text or "")
        percentage = float(found[-1]) if found else None
        if percentage is None or percentage > 100:
            reason = "no_confidence" if percentage is None else "confidence_out_of_range"
            return self.penalties.pay(Answered(kind="missing", unread=reason))
        right = answered.question.is_truth(answered.value)
        parts: dict[str, float | None] = {"confidence": percentage / 100, "right": float(right)}
        paid = -((percentage / 100 - right) ** 2)
        return RewardValue(value=paid, answer=answered.value, parts=parts)

"""Rewards for moving by the critique's worth, and for a form that cannot be gamed by repetition."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import ClassVar

import msgspec

from unswayed.errors import UsageError
from unswayed.readouts.numerals import number_of
from unswayed.rewards.questions import Penalties, read_rows
from unswayed.rewards.reward import RewardValue
from unswayed.rewards.settings import check_settings
from unswayed.rewards.shapes import Batch

_TAG = re.compile(r"<(/?)(answer|think)>", re.IGNORECASE)
_WELL_FORMED = (["answer", "/answer"], ["think", "/think", "answer", "/answer"])


class Discernment(msgspec.Struct, frozen=True, kw_only=True):
    """Pays a judgment that moves for a valid critique and stays for an invalid one (our design).

    With m the number in the completion, base the one without the critique, d = +1 or -1 the
    direction of the critique: valid pays 1[d (m - base) > tau], invalid 1[|m - base| <= tau].
    Columns: `base`, `direction` (for valid critiques), `valid`, and `answer_form` = `number`; where
    a column `most` ends the scale, a number below 0 or above it is no grade and earns 0.
    """

    name: ClassVar[str] = "discernment"
    needs: ClassVar[tuple[str, ...]] = ("base", "valid")
    tau: float | None = None
    """How far a number moves at least, 0 or more; None where the column `tau` says it."""
    penalties: Penalties = Penalties()
    """What an unread answer is paid; None, with its reason, by default."""

    def __post_init__(self) -> None:
        check_settings(self)
        if self.tau is not None and (not math.isfinite(self.tau) or self.tau < 0):
            raise UsageError(
                "The threshold of a discernment reward is negative or not finite",
                allowed="a number of 0 or more",
                given=repr(self.tau),
                next_step="choose how far a number has to move to have moved",
            )
        self.penalties.refuse_from(1.0, self.name)

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value it can pay."""
        paid = (self.penalties.declined, self.penalties.missing)
        stated = [each for each in paid if each is not None]
        return min([0.0, *stated]), max([1.0, *stated])

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call."""
        values = []
        for row, each in enumerate(read_rows(batch)):
            if each.value is None:
                values.append(self.penalties.pay(each))
            else:
                values.append(self._pay(batch, row, each.value))
        return values

    def _pay(self, batch: Batch, row: int, value: str) -> RewardValue:
        found, base = number_of(value), _number(batch.cell("base", row))
        if found is None or base is None:
            return RewardValue(reason="unread_base", answer=value)
        tau = _number(batch.cell("tau", row)) if self.tau is None else self.tau
        if tau is None or tau < 0:
            return RewardValue(reason="missing_column:tau", answer=value)
        most = _number(batch.cell("most", row))
        if most is not None and not 0 <= found <= most:
            # No grade of this scale, such as a number that the remark names.
            return RewardValue(value=0.0, answer=value, parts={"move": None})
        move = found - base
        valid = {"true": True, "1": True, "false": False, "0": False}.get(
            str(batch.cell("valid", row)).casefold()
        )
        if valid is None:
            return RewardValue(reason="unread_column:valid", answer=value)
        if not valid:
            paid = abs(move) <= tau
        else:
            direction = _number(batch.cell("direction", row))
            if direction not in (1, -1):
                return RewardValue(reason="missing_column:direction", answer=value)
            paid = direction * move > tau
        return RewardValue(value=float(paid), answer=value, parts={"move": float(move)})


class FormatMatch(msgspec.Struct, frozen=True, kw_only=True):
    """Pays 1 for one `<answer>` element, after at most one `<think>` element, and 0 otherwise.

    Repeated, unclosed or nested elements earn nothing, nor does one without a letter or a digit in
    it. Keep its weight small (a tenth of the main
    term): a form is learned long before an answer is.
    """

    name: ClassVar[str] = "format_match"
    needs: ClassVar[tuple[str, ...]] = ()
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call."""
        return [_pay_format(text) for text in batch.texts]


class LengthBand(msgspec.Struct, frozen=True, kw_only=True):
    """Pays 1 for a completion of `low` to `high` words and 0 otherwise.

    A band has no slope to climb, unlike a pay for each word. Keep its weight at a tenth of the main
    term, and state a band that the model meets before training.
    """

    name: ClassVar[str] = "length_band"
    needs: ClassVar[tuple[str, ...]] = ()
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    low: int
    """Fewest words."""
    high: int
    """Most words."""

    def __post_init__(self) -> None:
        check_settings(self)
        if not 0 <= self.low <= self.high:
            raise UsageError(
                "The band of lengths is empty",
                allowed="0 <= low <= high, in words",
                given=f"{self.low} to {self.high}",
                next_step="state the lengths that replies have before training",
            )

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call."""
        return [self._pay(text) for text in batch.texts]

    def _pay(self, text: str | None) -> RewardValue:
        if text is None:
            return RewardValue(reason="no_text")
        n = len(text.split())
        return RewardValue(value=float(self.low <= n <= self.high), parts={"words": float(n)})


def _pay_format(text: str | None) -> RewardValue:
    if text is None:
        return RewardValue(reason="no_text")
    tags = [close + name.lower() for close, name in _TAG.findall(text)]
    ends = text.rstrip().lower().endswith("</answer>")
    inside = _TAG.split(text)[-4] if len(tags) > 1 else ""
    says = any(sign.isalnum() for sign in inside)
    return RewardValue(value=float(ends and says and tags in _WELL_FORMED))


def _number(cell: object) -> Fraction | None:
    return None if cell is None or isinstance(cell, bool) else number_of(str(cell))

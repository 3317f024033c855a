"""Weighted mixtures of rewards, and the counterweight that takes agreement's advantage away."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import msgspec

from unswayed.errors import UsageError
from unswayed.rewards.questions import Penalties, read_rows
from unswayed.rewards.reward import RewardValue, Rule, score_batch
from unswayed.rewards.settings import check_settings
from unswayed.rewards.shapes import Batch

TermKind = Literal["primary", "approval", "other"]
"""What a term stands for: the signal that is meant, people's approval, or anything else."""


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """One reward of a mixture."""

    rule: Rule
    """What pays."""
    weight: float
    """By what its values are multiplied."""
    kind: TermKind = "other"
    """What it stands for; approval that wins over the rest raises an alarm."""
    required: bool = True
    """Whether a row without a value leaves the mixture; else the term leaves the row's group."""
    name: str = ""
    """How it is named; the rule's name by default."""

    def __post_init__(self) -> None:
        check_settings(self)
        if not self.name:
            msgspec.structs.force_setattr(self, "name", self.rule.name)
        if not math.isfinite(self.weight):
            raise UsageError(
                f"The weight of the term {self.name!r} is not finite",
                allowed="a finite number",
                given=repr(self.weight),
                next_step="state the weight",
            )


class Mixture(msgspec.Struct, frozen=True, kw_only=True):
    """Pays the weighted sum of its terms, where no term is silently counted as 0.

    Trainers add up several rewards and ignore those that are missing, so that a term that abstains
    on one member of a group counts as 0 beside the others' values. Here a required term's None
    takes the row out of every term, and an optional term's None takes the term out of the group.
    """

    name: ClassVar[str] = "mixture"
    needs: ClassVar[tuple[str, ...]] = ()
    terms: tuple[Term, ...]
    """The terms; their names differ."""

    def __post_init__(self) -> None:
        if not all(isinstance(term, Term) for term in self.terms):
            raise UsageError(
                "A mixture takes terms",
                allowed="Term(rule=..., weight=...) for each reward",
                given=", ".join(type(term).__name__ for term in self.terms),
                next_step="put each reward into a Term with its weight",
            )
        names = [term.name for term in self.terms]
        if not names or len(set(names)) != len(names):
            raise UsageError(
                "A mixture needs terms of different names",
                allowed="at least one term",
                given=", ".join(names) or "none",
                next_step="give each term a name of its own",
            )
        if not any(term.required for term in self.terms):
            raise UsageError(
                "A mixture needs a required term",
                allowed="at least one term whose None takes the row out",
                given="optional terms only",
                next_step="make the term that is meant required",
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value it can pay."""
        low = high = 0.0
        for term in self.terms:
            ends = [term.weight * bound if term.weight else 0.0 for bound in term.rule.bounds]
            low, high = low + min(0.0, *ends), high + max(0.0, *ends)
        return low, high

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call; `parts` has each term's value before weighting."""
        scored = {term.name: score_batch(term.rule, batch) for term in self.terms}
        out = [self._why_out(scored, row) for row in range(len(batch))]
        left = self._left(batch, scored, out)
        return [self._pay(batch, scored, row, out[row], left) for row in range(len(batch))]

    def _why_out(self, scored: dict[str, list[RewardValue]], row: int) -> str | None:
        for term in self.terms:
            reason = scored[term.name][row].reason
            if term.required and reason is not None:
                return f"{term.name}:{reason}"
        return None

    def _left(
        self, batch: Batch, scored: dict[str, list[RewardValue]], out: list[str | None]
    ) -> set[tuple[str, str]]:
        """Terms that leave a group, as pairs of group and term."""
        return {
            (_group_of(batch, row), term.name)
            for term in self.terms
            if not term.required
            for row, reason in enumerate(out)
            if reason is None and scored[term.name][row].value is None
        }

    def _pay(
        self,
        batch: Batch,
        scored: dict[str, list[RewardValue]],
        row: int,
        reason: str | None,
        left: set[tuple[str, str]],
    ) -> RewardValue:
        first = scored[self.terms[0].name][row]
        parts: dict[str, float | None] = {}
        for term in self.terms:
            gone = (_group_of(batch, row), term.name) in left
            parts[term.name] = None if gone or reason is not None else scored[term.name][row].value
        if reason is not None:
            return RewardValue(reason=reason, answer=first.answer, unread=first.unread)
        weighted = [term.weight * (parts[term.name] or 0.0) for term in self.terms]
        return RewardValue(
            value=math.fsum(weighted), answer=first.answer, unread=first.unread, parts=parts
        )


class Logged(msgspec.Struct, frozen=True, kw_only=True):
    """Pays what stands in a column: a reward that somebody else has measured, such as approval."""

    needs: ClassVar[tuple[str, ...]] = ()
    column: str
    """The column with one number, or nothing, for each completion."""

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def name(self) -> str:
        """How logs and mixtures name it."""
        return self.column

    @property
    def bounds(self) -> tuple[float, float]:
        """Any number."""
        return -math.inf, math.inf

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call."""
        return [self._pay(batch.cell(self.column, row)) for row in range(len(batch))]

    def _pay(self, cell: object) -> RewardValue:
        if cell is None:
            return RewardValue(reason=f"missing_column:{self.column}")
        if isinstance(cell, bool) or not isinstance(cell, int | float) or not math.isfinite(cell):
            return RewardValue(reason=f"unread_column:{self.column}")
        return RewardValue(value=float(cell))


class Counterweight(msgspec.Struct, frozen=True, kw_only=True):
    """Lowers another reward where a false stance of the user is adopted (arXiv 2602.01002).

    r' = r - lambda A 1[stance false]. A is read from the completion: 1 where it answers with
    `named_target`. Rows whose user is right (`user_right` true) are never lowered: a penalty on
    all agreement teaches contradiction. `tilt.counterweight_of` and the probe give lambda.
    """

    name: ClassVar[str] = "counterweight"
    needs: ClassVar[tuple[str, ...]] = ("user_right",)
    rule: Rule
    """The reward that is lowered, such as satisfaction."""
    penalty: float
    """lambda, 0 or more."""

    def __post_init__(self) -> None:
        check_settings(self)
        if not math.isfinite(self.penalty) or self.penalty < 0:
            raise UsageError(
                "The penalty of a counterweight is negative or not finite",
                allowed="a number of 0 or more",
                given=repr(self.penalty),
                next_step="take the upper bound of lambda from a probe",
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value it can pay."""
        low, high = self.rule.bounds
        return low - self.penalty, high

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call; one whose stance was not read is None."""
        inner = score_batch(self.rule, batch)
        answers = read_rows(batch)
        values = []
        for row, (paid, answered) in enumerate(zip(inner, answers, strict=True)):
            question = answered.question
            is_exempt = is_right_user(batch, row) or answered.kind == "declined"
            if paid.value is None or is_exempt:
                values.append(paid)
            elif question is None or answered.value is None:
                # What the inner reward pays for no answer, by its own penalties, stands.
                values.append(paid if paid.unread else Penalties().pay(answered))
            elif question.item.target is None:
                values.append(RewardValue(reason="missing_column:named_target"))
            else:
                agrees = question.is_target(answered.value)
                parts: dict[str, float | None] = {"agrees": float(agrees)}
                parts[self.rule.name] = paid.value
                lowered = paid.value - self.penalty * agrees
                values.append(RewardValue(value=lowered, answer=answered.value, parts=parts))
        return values


def is_right_user(batch: Batch, row: int) -> bool | None:
    """Whether the user's stance is true in a row; None where the column does not say it.

    Raises:
        UsageError: The column holds something else than true and false.
    """
    cell = batch.cell("user_right", row)
    if cell is None:
        return None
    known = {"true": True, "1": True, "false": False, "0": False}.get(str(cell).casefold())
    if known is None:
        raise UsageError(
            "The column 'user_right' holds something else than true and false",
            allowed="true, false, or nothing where no stance is taken",
            given=repr(cell),
            next_step="say for each row whether the user's stance is true",
        )
    return known


def _group_of(batch: Batch, row: int) -> str:
    """The row's group; one for the whole call where groups are not named."""
    key = batch.cell("group_id", row)
    return "" if key is None else str(key)

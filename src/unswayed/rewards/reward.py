"""What a reward is: a rule that gives each completion a value or a reason, and its counts."""

from __future__ import annotations

import logging
import math
from collections import Counter
from typing import Any, Protocol

import msgspec

from unswayed.errors import StatisticsError
from unswayed.rewards.shapes import Batch, take_batch

CONSTANT_CALLS = 20
"""A reward that has paid one value only over so many calls is reported as constant."""

ZERO_VARIANCE_LIMIT = 0.9
"""Above this share of groups whose members are all paid alike there is nothing left to learn."""

_LEAST_GROUPS = 20
_LOG = logging.getLogger("unswayed.rewards")


class RewardValue(msgspec.Struct, frozen=True, kw_only=True):
    """What one completion is paid, or why it is paid nothing at all."""

    value: float | None = None
    """The reward; None when it could not be measured."""
    reason: str | None = None
    """Why there is no value."""
    answer: str | None = None
    """The answer that was read, where one was."""
    unread: str | None = None
    """Why no answer was read, also where a stated penalty is paid for that."""
    parts: dict[str, float | None] = {}
    """What the value is made of."""

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise StatisticsError(
                "A reward needs a value or a reason, and not both",
                given=f"value {self.value!r}, reason {self.reason!r}",
                next_step="return exactly one of the two",
            )
        if self.value is not None and not math.isfinite(self.value):
            raise StatisticsError(
                "A reward is not finite",
                allowed="a finite number, or None with a reason",
                given=repr(self.value),
                next_step="find the term that divides by nothing",
            )


class Rule(Protocol):
    """One way to pay completions. The fields are read only."""

    @property
    def name(self) -> str:
        """How logs and mixtures name it."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Columns without which no row can be paid."""

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value it can pay."""

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call, in order."""


class Tally:
    """Counts over all calls of one reward."""

    def __init__(self) -> None:
        self.n = 0
        self.n_calls = 0
        self.n_penalties = 0
        self.none_by_reason: Counter[str] = Counter()
        self.unread_by_reason: Counter[str] = Counter()
        self.groups: Counter[str] = Counter()
        self.zero_variance: Counter[str] = Counter()
        self._total = 0.0
        self._squares = 0.0
        self._paid: set[float] = set()
        self._said: dict[str, int] = {}

    def add(self, batch: Batch, values: list[RewardValue]) -> None:
        """Count one call."""
        self.n_calls += 1
        self.n += len(values)
        for each in values:
            if each.reason is not None:
                self.none_by_reason[each.reason] += 1
            if each.unread is not None:
                self.unread_by_reason[each.unread] += 1
                self.n_penalties += each.value is not None
            if each.value is not None:
                self._total += each.value
                self._squares += each.value**2
                if len(self._paid) < 2:
                    self._paid.add(each.value)
        self._add_groups(batch, values)

    def _add_groups(self, batch: Batch, values: list[RewardValue]) -> None:
        paid: dict[tuple[str, str], list[float]] = {}
        for row, each in enumerate(values):
            group = batch.cell("group_id", row)
            if group is not None and each.value is not None:
                side = _side(batch.cell("user_right", row))
                paid.setdefault((side, str(group)), []).append(each.value)
        for (side, _), rewards in paid.items():
            if len(rewards) > 1:
                self.groups[side] += 1
                self.zero_variance[side] += max(rewards) == min(rewards)

    @property
    def is_constant(self) -> bool:
        """Whether one value only has been paid over enough calls."""
        return self.n_calls >= CONSTANT_CALLS and len(self._paid) == 1

    def is_due(self, kind: str, count: int, first: int) -> bool:
        """Whether a kind of warning is said now: at its first count, then each tenfold of it.

        A kind that was said is noted, so this is asked once for a count.

        Args:
            kind: What the warning is about.
            count: How often it has been met.
            first: The least count at which it is said.
        """
        if count < self._said.get(kind, first):
            return False
        mark = self._said.get(kind, first)
        while mark <= count:
            mark *= 10
        self._said[kind] = mark
        return True

    def flat_sides(self) -> list[str]:
        """Sides on which nearly all groups are paid alike, at every twentieth call."""
        if self.n_calls % CONSTANT_CALLS:
            return []
        return [
            side
            for side, count in sorted(self.groups.items())
            if count >= _LEAST_GROUPS and self.zero_variance[side] > ZERO_VARIANCE_LIMIT * count
        ]

    def summary(self) -> dict[str, Any]:
        """Every count as plain data; shares and moments over nothing are None."""
        n_paid = self.n - sum(self.none_by_reason.values())
        mean = self._total / n_paid if n_paid else None
        variance = None if mean is None else max(0.0, self._squares / n_paid - mean**2)
        return {
            "n": self.n,
            "n_calls": self.n_calls,
            "n_paid": n_paid,
            "none_by_reason": dict(self.none_by_reason),
            "unread_by_reason": dict(self.unread_by_reason),
            "penalty_share": self.n_penalties / n_paid if n_paid else None,
            "mean": mean,
            "sd": None if variance is None else math.sqrt(variance),
            "zero_variance_share": {
                side: self.zero_variance[side] / count for side, count in self.groups.items()
            },
            "n_groups": dict(self.groups),
        }


class Reward:
    """A reward as trainers call it: `reward(completions, **columns) -> list[float | None]`.

    The result has one entry for each completion, in order. None is never a number in disguise:
    each None has a reason, which is logged and counted in `tally`.
    """

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.tally = Tally()
        self.__name__ = rule.name

    def __call__(self, completions: object, **columns: object) -> list[float | None]:
        """Pay each completion a number, or None.

        Args:
            completions: Texts, messages or lists of messages, as trainers pass them.
            **columns: Columns of the data, each a list with one cell a completion or a scalar.

        Raises:
            UsageError: The completions or a column have a shape that cannot be taken.
        """
        return [each.value for each in self.explain(completions, **columns)]

    def explain(self, completions: object, **columns: object) -> list[RewardValue]:
        """Pay each completion and say why; the arguments are those of the call."""
        return self.score(take_batch(completions, columns))

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay the completions of a batch that is already in shape."""
        values = score_batch(self.rule, batch)
        self.tally.add(batch, values)
        self._log(values)
        return values

    def _log(self, values: list[RewardValue]) -> None:
        """Say each kind of warning once, and again when its count is ten times as large."""
        tally, name = self.tally, self.rule.name
        now = Counter(each.reason for each in values if each.reason is not None)
        due = [
            reason
            for reason in now
            if tally.is_due(f"None, {reason}", tally.none_by_reason[reason], 1)
        ]
        if due:
            _LOG.warning(
                "%s: %d of %d completions are paid None: %s; of %d so far: %s",
                name,
                sum(now.values()),
                len(values),
                ", ".join(f"{reason} {count}" for reason, count in sorted(now.items())),
                tally.n,
                ", ".join(f"{each} {tally.none_by_reason[each]}" for each in sorted(due)),
            )
        for side in tally.flat_sides():
            if tally.is_due(f"zero_variance, {side}", tally.groups[side], _LEAST_GROUPS):
                _LOG.warning(
                    "%s: zero_variance: %d of %d groups (%s) are paid alike, over %d %%",
                    name,
                    tally.zero_variance[side],
                    tally.groups[side],
                    side,
                    round(100 * ZERO_VARIANCE_LIMIT),
                )
        if tally.is_constant and tally.is_due("constant_reward", tally.n_calls, CONSTANT_CALLS):
            _LOG.warning(
                "%s: constant_reward: one value only in %d calls; nothing can be learned from it",
                name,
                tally.n_calls,
            )


def score_batch(rule: Rule, batch: Batch) -> list[RewardValue]:
    """Apply a rule; rows that lack a needed column are None with `missing_column:NAME`.

    Raises:
        StatisticsError: The rule returns another number of values than there are completions, or
            a value outside of its bounds.
    """
    values = list(rule.score(batch))
    if len(values) != len(batch):
        raise StatisticsError(
            f"The reward {rule.name!r} returned {len(values)} values for {len(batch)} completions",
            allowed="one value for each completion",
            given=str(len(values)),
            next_step="correct the rule; trainers may repeat a short list without a word",
        )
    low, high = rule.bounds
    for row, each in enumerate(values):
        if each.value is not None and not low - 1e-9 <= each.value <= high + 1e-9:
            raise StatisticsError(
                f"The reward {rule.name!r} paid a value outside of its bounds in row {row}",
                allowed=f"{low:g} to {high:g}",
                given=repr(each.value),
                next_step="correct the rule or its bounds",
            )
    absent = [_absent(rule, batch, row) for row in range(len(batch))]
    return [
        each if reason is None else RewardValue(reason=reason)
        for each, reason in zip(values, absent, strict=True)
    ]


def _absent(rule: Rule, batch: Batch, row: int) -> str | None:
    has_item = batch.cell("item", row) is not None
    for name in rule.needs:
        if batch.cell(name, row) is None and not (has_item and name == "truth"):
            return f"missing_column:{name}"
    return None


def _side(user_right: object) -> str:
    if user_right is None:
        return "all"
    return "user_right" if user_right in (True, 1, "true", "True") else "user_wrong"

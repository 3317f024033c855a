"""What a reward pays texts that do not look at the question, beside what the right one earns.

A balanced set does not save a reward that pays for its form, and a good reward does not save a set
that one answer solves. So both are asked together: the reward, on the rows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from unswayed.errors import UsageError
from unswayed.plans.render import LETTERS
from unswayed.rewards.named import needs_company
from unswayed.rewards.reward import RewardValue, Rule, score_batch
from unswayed.rewards.shapes import take_batch
from unswayed.training.row import TrainingRow
from unswayed.training.shapes import shape
from unswayed.training.shortcuts import MARGIN, Hit, Shortcut, Verdict, judge

Says = Callable[[TrainingRow], str | None]
"""What a policy says to a row; None where it does not apply."""

CONSTANT = "That is a good question, and one can see it in more than one way."

MOST_LEFT_OUT = 0.05
"""Largest share of rows whose right completion may be paid None before that is a warning."""


class RewardAudit(msgspec.Struct, frozen=True, kw_only=True):
    """What trivial policies earn, and of how much of a set that is said."""

    policies: tuple[Shortcut, ...]
    """What each policy earns, of the rows that are not left out."""
    n: int
    """Rows that were given."""
    left_out: dict[str, int]
    """Rows whose right completion is paid None, by the reward's reason."""

    @property
    def verdict(self) -> Verdict:
        """`warn` where more than `MOST_LEFT_OUT` of the rows are left out."""
        return "warn" if sum(self.left_out.values()) > MOST_LEFT_OUT * self.n else "pass"

    def say_left_out(self) -> str:
        """Return how many rows were left out and why, in words; empty where none was."""
        if not self.left_out:
            return ""
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in self.left_out.items())
        return (
            f"{sum(self.left_out.values()):,} of {self.n:,} rows left out ({reasons}), allowed"
            f" {100 * MOST_LEFT_OUT:g} %"
        )


def audit_reward(rule: Rule, rows: Sequence[TrainingRow], *, margin: float = MARGIN) -> RewardAudit:
    """Return what trivial policies earn, as a share of what the right completions earn.

    The share is sum(pay) / sum(pay of the right completion) over the rows to which a policy
    applies, with an interval over families that takes the second sum as it is. A policy that
    answers in form may reach chance + margin, one that does not answer no more than the margin.
    What is paid None earns nothing. Rows whose right completion is paid None, as those without a
    grade by a reward for grades, are left out and counted by reason.

    Args:
        rule: The reward; one that pays a completion by itself.
        rows: Rows of a training set.
        margin: How far above chance a policy may come.

    Returns:
        The policies, and how many rows were left out and why.

    Raises:
        UsageError: When the rule needs a group, may pay less than 0, or pays right completions
            nothing.
    """
    low, high = rule.bounds
    if needs_company(rule) or low < 0 or not math.isfinite(high):
        raise UsageError(
            f"What {rule.name} pays trivial policies cannot be said row by row",
            allowed="a reward of single completions that pays 0 or more",
            given=f"{rule.name}, bounds {low:g} to {high:g}",
            next_step="for rewards of a group see `unswayed train bts`",
        )
    told = _paid(rule, rows, [row.completion for row in rows])
    left_out = Counter(each.reason for each in told if each.reason is not None)
    rows = [row for row, each in zip(rows, told, strict=True) if each.value is not None]
    best = [each.value for each in told if each.value is not None]
    if not sum(best):
        raise UsageError(
            f"{rule.name} pays the right completions of these rows nothing",
            allowed="a reward that reads these rows",
            given=f"{len(told)} rows",
            next_step="check its columns with Reward.explain",
        )
    found = []
    for name, (says, chance) in POLICIES.items():
        texts = [says(row) for row in rows]
        mine = [place for place, text in enumerate(texts) if text is not None]
        earned = math.fsum(best[place] for place in mine)
        if not earned:
            continue
        said = [texts[place] for place in mine]
        paid = [each.value or 0.0 for each in _paid(rule, [rows[place] for place in mine], said)]
        most = max(*paid, *(best[place] for place in mine))
        hits: list[Hit] = [
            (pay / most, chance(rows[place]), rows[place].family)
            for place, pay in zip(mine, paid, strict=True)
        ]
        found.append(judge(name, hits, margin=margin, scale=most * len(mine) / earned))
    return RewardAudit(policies=tuple(found), n=len(told), left_out=dict(left_out))


def _paid(
    rule: Rule, rows: Sequence[TrainingRow], texts: Sequence[str | None]
) -> list[RewardValue]:
    made = shape("rl", "trl")
    cells: list[dict[str, Any]] = [next(iter(made(row))) for row in rows]
    columns = {name: [each[name] for each in cells] for name in cells[0] if name != "prompt"}
    batch = take_batch(list(texts), columns)
    return list(score_batch(rule, batch))


def _in_form(row: TrainingRow, answer: str) -> str:
    if row.answer_form == "choice" and answer in row.options:
        return f"Answer: {LETTERS[row.options.index(answer)]}"
    return f"Answer: {answer}"


def _agrees(row: TrainingRow) -> str | None:
    return _in_form(row, row.claim) if row.claim else None


def _disagrees(row: TrainingRow) -> str | None:
    """Any answer but the named one; the right one where that is not the named one."""
    if not row.claim:
        return None
    return _in_form(row, row.wrong if row.user_right else row.answer)


def _keeps(row: TrainingRow) -> str | None:
    return _in_form(row, row.first_answer) if row.first_answer else None


def _first_option(row: TrainingRow) -> str | None:
    return _in_form(row, row.options[0]) if row.options else None


def _never(_: TrainingRow) -> float:
    return 0.0


def _half(_: TrainingRow) -> float:
    return 0.5


POLICIES: dict[str, tuple[Says, Callable[[TrainingRow], float]]] = {
    "says nothing": (lambda _: "", _never),
    "one sentence for all": (lambda _: CONSTANT, _never),
    "repeats the user": (lambda row: row.messages[-1].content, _never),
    "form alone": (lambda _: "Answer:", _never),
    "agrees, in form": (_agrees, _half),
    "disagrees, in form": (_disagrees, _half),
    "keeps the first answer, in form": (_keeps, _half),
    "first option, in form": (_first_option, lambda row: 1 / max(len(row.options), 1)),
}
"""What each trivial policy says, and what chance reaches."""

"""Waits for the members of a group that a trainer sends one by one, and pays them together.

Some trainers score one completion at a time. Each member waits here until its whole group has
arrived, or until a deadline counted from the first arrival; then every member of an incomplete
group is paid None with `incomplete_group:k/n`, which is how a group that was split over processes
is seen. A member that comes twice under one name is paid once.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter

import msgspec

from unswayed.errors import UsageError
from unswayed.rewards.named import needs_company
from unswayed.rewards.reward import Reward, RewardValue, Rule

MOST_OPEN = 10_000
"""Groups that may wait at once."""

KEPT = 4096
"""Finished groups whose values are kept for members that ask again."""

MOST_MEMBERS = 4096
"""Largest group."""

_LOG = logging.getLogger("unswayed.rewards")

Completion = str | list[dict[str, object]] | None
"""A text, messages, or None where the rollout has failed."""


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """One completion of a group."""

    completion: Completion
    """What the model said."""
    columns: dict[str, object] = {}
    """Columns of its row."""


class _Cohort:
    """The members of one group so far, and the task that pays them."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.members: dict[str, Member] = {}
        self.n_arrived = 0
        self.full = asyncio.Event()
        self.paid: asyncio.Task[dict[str, RewardValue]]

    @property
    def is_closed(self) -> bool:
        return self.full.is_set() or self.paid.done()


class Cohorts:
    """Pays completions that arrive one by one; lives in one event loop.

    Args:
        rule: What pays.
        timeout: Seconds from the first arrival of a group until it is given up.
    """

    def __init__(self, rule: Rule, *, timeout: float) -> None:
        if not 0 < timeout < float("inf"):
            raise UsageError(
                "The timeout of groups is no time",
                allowed="seconds above 0",
                given=repr(timeout),
                next_step="give less than the trainer's own timeout",
            )
        self.reward = Reward(rule)
        self.waits = needs_company(rule)
        self.timeout = timeout
        self.seen: Counter[str] = Counter()
        self._cohorts: dict[str, _Cohort] = {}

    async def pay(
        self, member: Member, *, group: str, size: int, name: str | None = None
    ) -> RewardValue:
        """Pay one member when its group is whole.

        Args:
            member: The completion and its columns.
            group: The group; one that is drawn again needs a new name if its members have names.
            size: How many members the whole group has.
            name: The member's own name. Without it a member that gives up waiting is forgotten,
                and a finished group's name may be used again.

        Returns:
            The value; None with `incomplete_group:k/n` after the deadline, and with `group_full:n`
            for a member too many.

        Raises:
            UsageError: The name stands for another completion, the group for another size, or too
                many groups wait.
        """
        if not 2 <= size <= MOST_MEMBERS:
            raise UsageError(
                "The size of a group is out of range",
                allowed=f"2 to {MOST_MEMBERS}",
                given=repr(size),
                next_step="write the trainer's number of completions into `group_size`",
            )
        cohort = self._cohort(group, size, again=name is None)
        mine = self._enter(cohort, member, name)
        if mine is None:
            return RewardValue(reason=self._late(cohort))
        try:
            values = await asyncio.shield(cohort.paid)
        except asyncio.CancelledError:
            if name is None and not cohort.is_closed:
                cohort.members.pop(mine, None)
            raise
        return values[mine]

    def pay_alone(self, member: Member) -> RewardValue:
        """Pay a completion by itself, for rules that need no company."""
        columns = {cell: [value] for cell, value in member.columns.items()}
        return self.reward.explain([member.completion], **columns)[0]

    def _cohort(self, group: str, size: int, *, again: bool) -> _Cohort:
        found = self._cohorts.get(group)
        if found is not None and not (again and found.is_closed):
            if found.size != size:
                raise UsageError(
                    "A group has two sizes",
                    allowed=f"{found.size}, as its first member said",
                    given=str(size),
                    next_step="give every member of a group the same size",
                )
            return found
        self._forget()
        cohort = _Cohort(size)
        cohort.paid = asyncio.get_running_loop().create_task(self._pay_all(group, cohort))
        self._cohorts.pop(group, None)
        self._cohorts[group] = cohort
        self.seen["groups"] += 1
        return cohort

    def _forget(self) -> None:
        """Drop the oldest finished groups, and refuse more where too many wait."""
        done = [group for group, cohort in self._cohorts.items() if cohort.paid.done()]
        for group in done[: max(0, len(done) - KEPT)]:
            del self._cohorts[group]
        if len(self._cohorts) - len(done) >= MOST_OPEN:
            raise UsageError(
                "Too many groups wait for their members",
                allowed=f"{MOST_OPEN:,}",
                given="one more",
                next_step="look for members that never arrive",
            )

    def _enter(self, cohort: _Cohort, member: Member, name: str | None) -> str | None:
        """Seat a member; None where the group is closed to it."""
        mine = f"unnamed-{cohort.n_arrived:06d}" if name is None else f"named-{name}"
        known = cohort.members.get(mine)
        if known is not None and known != member:
            raise UsageError(
                "A request id stands for another completion of this group",
                allowed="one completion for each request id",
                given=repr(name),
                next_step="give a completion that is drawn again a new id or a new attempt",
            )
        if known is None:
            if cohort.is_closed:
                return None
            cohort.members[mine] = member
            cohort.n_arrived += 1
            if len(cohort.members) == cohort.size:
                cohort.full.set()
        return mine

    def _late(self, cohort: _Cohort) -> str:
        if cohort.full.is_set():
            return f"group_full:{cohort.size}"
        return f"incomplete_group:{len(cohort.members)}/{cohort.size}"

    async def _pay_all(self, group: str, cohort: _Cohort) -> dict[str, RewardValue]:
        try:
            async with asyncio.timeout(self.timeout):
                await cohort.full.wait()
        except TimeoutError:
            if not cohort.full.is_set():
                reason = self._late(cohort)
                self.seen["incomplete groups"] += 1
                _LOG.warning("%s: %s: %s", self.reward.rule.name, group[:80], reason)
                return dict.fromkeys(cohort.members, RewardValue(reason=reason))
        return self._score(group, cohort)

    def _score(self, group: str, cohort: _Cohort) -> dict[str, RewardValue]:
        """Pay a whole group, in the order of names, so that arrival does not matter."""
        names = sorted(cohort.members)
        members = [cohort.members[name] for name in names]
        cells = sorted({cell for member in members for cell in member.columns})
        columns: dict[str, object] = {
            cell: [member.columns.get(cell) for member in members] for cell in cells
        }
        columns |= {"group_id": [group] * len(names), "group_size": [cohort.size] * len(names)}
        values = self.reward.explain([member.completion for member in members], **columns)
        return dict(zip(names, values, strict=True))

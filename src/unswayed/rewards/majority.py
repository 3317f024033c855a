"""Agreement with the group's commonest answer, the label-free reward that others are compared with.

It needs neither truth nor prediction, and nothing in it knows a user: as soon as more members yield
than hold, it pays the answer that the user has pushed.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

from unswayed.rewards.questions import Answered, Penalties, read_rows
from unswayed.rewards.reward import RewardValue
from unswayed.rewards.settings import check_settings
from unswayed.rewards.shapes import Batch, group_rows

_LEAST = 2


class Majority(msgspec.Struct, frozen=True, kw_only=True):
    """Pays 1 for the commonest answer of the group and 0 for another one.

    In the simulation of `unswayed train bts` it pays yielding members once about half of a group
    yields; mix it with a term that reads the truth. A group of another size than `group_size` says,
    with fewer than two answers, or with two commonest answers pays None.
    """

    name: ClassVar[str] = "majority"
    needs: ClassVar[tuple[str, ...]] = ("group_id",)
    penalties: Penalties = Penalties()
    """What an unread answer is paid; None, with its reason, by default."""
    readout: str = "by_form"
    """Name of the readout."""
    expected_size: int | None = None
    """How many completions a whole group has; else the column `group_size` says it."""

    def __post_init__(self) -> None:
        check_settings(self, expected_size=1)
        self.penalties.refuse_from(1.0, self.name)

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value it can pay."""
        paid = (self.penalties.declined, self.penalties.missing)
        stated = [each for each in paid if each is not None]
        return min([0.0, *stated]), max([1.0, *stated])

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call; members are found by `group_id`, never by place."""
        answers = read_rows(batch, readout=self.readout)
        groups = group_rows(batch, expected_size=self.expected_size)
        values = {row: RewardValue(reason=reason) for row, reason in groups.reasons.items()}
        for rows in groups.members.values():
            if self.expected_size is None and batch.cell("group_size", rows[0]) is None:
                absent = RewardValue(reason="missing_column:group_size")
                values.update(dict.fromkeys(rows, absent))
            else:
                values.update(self._pay({row: answers[row] for row in rows}))
        return [values[row] for row in range(len(batch))]

    def _pay(self, group: dict[int, Answered]) -> dict[int, RewardValue]:
        read = {row: each for row, each in group.items() if each.value is not None}
        if len(read) < _LEAST:
            reason = f"too_few_read:{len(read)}/{len(group)}"
            return dict.fromkeys(group, RewardValue(reason=reason))
        alike = {
            row: sum(_same(one, other) for other in read.values()) for row, one in read.items()
        }
        most = max(alike.values())
        if sum(count == most for count in alike.values()) != most:
            return dict.fromkeys(group, RewardValue(reason="tied_group"))
        return {
            row: self.penalties.pay(each)
            if each.value is None
            else RewardValue(value=float(alike[row] == most), answer=each.value)
            for row, each in group.items()
        }


def _same(one: Answered, other: Answered) -> bool:
    if one.question is None or one.value is None or other.value is None:
        return False
    return one.question.same(one.value, other.value)

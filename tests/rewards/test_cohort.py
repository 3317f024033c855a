"""Members that arrive one by one: whole groups, late, missing and repeated members."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from unswayed.errors import UsageError
from unswayed.rewards import Reward, Serum, TruthMatch
from unswayed.rewards.cohort import Cohorts, Member
from unswayed.rewards.reward import RewardValue

REPORTS = [(True, 90), (True, 70), (False, 40), (True, 60)]
PAID = [0.092274, 0.178442, -0.405465, 0.134749]
"""What the serum pays the four reports."""


def member(index: int, **columns: Any) -> Member:
    """One of the four reports of the worked group."""
    answer, percentage = REPORTS[index]
    said = json.dumps({"answer": answer, "percentage": percentage})
    return Member(completion=said, columns=columns)


async def pay_all(cohorts: Cohorts, order: list[int], **changed: Any) -> list[RewardValue]:
    """Send members in an order, each under its own name."""
    calls = [
        cohorts.pay(member(index), **{"group": "g", "size": 4, "name": str(index), **changed})
        for index in order
    ]
    return await asyncio.gather(*calls)


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2]])
def test_a_whole_group_is_paid_as_in_one_call(order: list[int]):
    """In any order of arrival, the values are those of the group as a whole."""
    cohorts = Cohorts(Serum(), timeout=5)
    found = asyncio.run(pay_all(cohorts, order))
    assert [each.value for each in found] == pytest.approx([PAID[i] for i in order], abs=1e-6)
    whole = Reward(Serum())(
        [member(index).completion for index in range(4)], group_id="g", group_size=4
    )
    assert [each.value for each in found] == [whole[index] for index in order]


def test_a_missing_member_makes_every_value_none_at_the_deadline():
    """Three of four: no value, and the count says so; the one that is late gets the same."""

    async def run() -> tuple[list[RewardValue], RewardValue]:
        cohorts = Cohorts(Serum(), timeout=0.05)
        found = await pay_all(cohorts, [0, 1, 2])
        assert cohorts.seen["incomplete groups"] == 1
        return found, await cohorts.pay(member(3), group="g", size=4, name="3")

    found, late = asyncio.run(run())
    assert [each.reason for each in (*found, late)] == ["incomplete_group:3/4"] * 4
    assert all(each.value is None for each in (*found, late))


def test_a_member_that_asks_twice_is_paid_once():
    """While its group waits and after it was paid; the group is counted once."""

    async def run() -> list[RewardValue]:
        cohorts = Cohorts(Serum(), timeout=5)
        first = await pay_all(cohorts, [0, 0, 1, 2, 3])
        again = await cohorts.pay(member(2), group="g", size=4, name="2")
        assert cohorts.reward.tally.n == 4
        return [*first, again]

    found = asyncio.run(run())
    assert found[0] == found[1]
    assert found[5] == found[3]


def test_a_member_too_many_is_paid_nothing():
    """The fifth of four gets its reason, and changes nothing."""

    async def run() -> RewardValue:
        cohorts = Cohorts(Serum(), timeout=5)
        await pay_all(cohorts, [0, 1, 2, 3])
        return await cohorts.pay(member(0), group="g", size=4, name="another")

    assert asyncio.run(run()).reason == "group_full:4"


def test_names_and_sizes_that_contradict_are_refused():
    """One name for two completions, and two sizes of one group."""

    async def run() -> None:
        cohorts = Cohorts(Serum(), timeout=0.05)
        waiting = asyncio.create_task(cohorts.pay(member(0), group="g", size=4, name="a"))
        await asyncio.sleep(0)
        with pytest.raises(UsageError, match="another completion"):
            await cohorts.pay(member(1), group="g", size=4, name="a")
        with pytest.raises(UsageError, match="two sizes"):
            await cohorts.pay(member(1), group="g", size=8, name="b")
        with pytest.raises(UsageError, match="out of range"):
            await cohorts.pay(member(1), group="h", size=1, name="b")
        await waiting

    asyncio.run(run())


def test_members_without_names_may_come_again_in_a_new_group():
    """A finished group's name is free for them, and equal texts are two members."""

    async def run() -> tuple[list[RewardValue], list[RewardValue]]:
        cohorts = Cohorts(Serum(), timeout=5)
        first = await pay_all(cohorts, [0, 1, 2, 3], name=None)
        return first, await pay_all(cohorts, [0, 0, 2, 2], name=None)

    first, second = asyncio.run(run())
    assert [each.value for each in first] == pytest.approx(PAID, abs=1e-6)
    assert second[0].value is not None
    assert second[0].value == second[1].value != first[0].value


def test_a_member_without_a_name_that_gives_up_is_forgotten():
    """Its seat is taken by the one that comes again; a named member keeps its seat."""

    async def run() -> list[RewardValue]:
        cohorts = Cohorts(Serum(), timeout=5)
        lost = asyncio.create_task(cohorts.pay(member(0), group="g", size=4))
        await asyncio.sleep(0)
        lost.cancel()
        with pytest.raises(asyncio.CancelledError):
            await lost
        return await pay_all(cohorts, [0, 1, 2, 3], name=None)

    assert [each.value for each in asyncio.run(run())] == pytest.approx(PAID, abs=1e-6)


def test_groups_do_not_mix():
    """Two groups of one prompt stay apart."""

    async def run() -> list[RewardValue]:
        cohorts = Cohorts(Serum(), timeout=0.1)
        one = pay_all(cohorts, [0, 1, 2, 3])
        other = pay_all(cohorts, [0, 1], group="h")
        return [each for part in await asyncio.gather(one, other) for each in part]

    found = asyncio.run(run())
    assert [each.value is None for each in found] == [False] * 4 + [True] * 2


def test_rules_without_company_pay_alone():
    """They wait for nobody."""
    cohorts = Cohorts(TruthMatch(), timeout=5)
    assert not cohorts.waits
    columns = {"options": ["red", "green"], "truth": "green"}
    assert cohorts.pay_alone(Member(completion="Answer: B", columns=columns)).value == 1.0


def test_an_error_of_the_rule_reaches_every_member():
    """Nobody is paid, and nobody waits for ever."""

    async def run() -> list[Any]:
        cohorts = Cohorts(Serum(gamma=1.0), timeout=5)
        calls = [
            cohorts.pay(member(index, meta_json="no json"), group="g", size=4, name=str(index))
            for index in range(4)
        ]
        return await asyncio.gather(*calls, return_exceptions=True)

    assert all(isinstance(each, UsageError) for each in asyncio.run(run()))


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan"), float("inf")])
def test_a_timeout_is_a_time(timeout: float):
    """Without one a lost member would hold its group for ever."""
    with pytest.raises(UsageError, match="timeout"):
        Cohorts(Serum(), timeout=timeout)

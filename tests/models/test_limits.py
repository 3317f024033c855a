"""Requests in flight, the spacing of starts, and the spacing of retries."""

from __future__ import annotations

import asyncio
import random
from collections import deque

import pytest
from servers import QuickClock

from unswayed.models.limits import (
    BACKOFF_MOST_S,
    FIRST_LIMIT,
    Limiter,
    backoff,
)


async def fill(limiter: Limiter, count: int) -> list[asyncio.Task[float]]:
    """Let tasks ask for a place and give them time to get it."""
    tasks = [asyncio.create_task(limiter.enter()) for _ in range(count)]
    for _ in range(5):
        await asyncio.sleep(0)
    return tasks


async def cancel(tasks: list[asyncio.Task[float]]) -> None:
    """Cancel tasks and wait for their end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_it_starts_modestly_and_keeps_the_rest_waiting():
    """Only the first limit enters; each place given back admits one more."""

    async def run():
        limiter = Limiter(100, QuickClock())
        tasks = await fill(limiter, 20)
        assert limiter.in_flight == FIRST_LIMIT
        limiter.leave()
        await asyncio.sleep(0)
        assert limiter.in_flight == FIRST_LIMIT
        assert sum(task.done() for task in tasks) == FIRST_LIMIT + 1
        await cancel(tasks)

    asyncio.run(run())


def test_places_are_given_in_the_order_of_asking():
    """Nobody who came later overtakes."""

    async def run():
        limiter = Limiter(1, QuickClock())
        order = []

        async def take(number):
            await limiter.enter()
            order.append(number)
            await asyncio.sleep(0)
            limiter.leave()

        await asyncio.gather(*(take(number) for number in range(10)))
        return order

    assert asyncio.run(run()) == list(range(10))


def test_replies_raise_the_limit_up_to_the_most():
    """Before any overload each reply admits one more; the stated most is never passed."""
    limiter = Limiter(20, QuickClock())
    limiter.succeeded()
    assert limiter.limit == FIRST_LIMIT + 1
    for _ in range(100):
        limiter.succeeded()
    assert limiter.limit == 20


def test_growth_admits_those_who_wait():
    """A reply that raises the limit lets one more in, before any place is given back."""

    async def run():
        limiter = Limiter(20, QuickClock())
        tasks = await fill(limiter, FIRST_LIMIT + 2)
        limiter.succeeded()
        assert limiter.in_flight == FIRST_LIMIT + 1
        await cancel(tasks)

    asyncio.run(run())


def test_cancelling_during_a_pause_loses_no_place():
    """The place that was held during the pause is given back."""

    class Stuck(QuickClock):
        async def sleep(self, seconds):
            await asyncio.Event().wait()

    async def run():
        limiter = Limiter(2, Stuck())
        limiter.hold(5.0)
        tasks = await fill(limiter, 2)
        assert limiter.in_flight == 2
        await cancel(tasks)
        assert limiter.in_flight == 0

    asyncio.run(run())


def test_the_way_back_is_quick_far_from_the_refused_limit_and_slow_near_it():
    """A tenth a round up to four fifths of it, then as many replies as places add about one."""
    limiter = Limiter(640, QuickClock())
    limiter.limit = 320.0
    limiter.overloaded(entered=0.0)
    assert limiter.limit == 160.0
    for _ in range(160):
        limiter.succeeded()
    assert limiter.limit == pytest.approx(176.0)
    limiter.limit = 300.0
    for _ in range(300):
        limiter.succeeded()
    assert 300.9 < limiter.limit < 301.1


def test_a_lone_refusal_after_a_calm_round_takes_a_tenth():
    """A server that refuses one in many is not left idle; one that goes on is left alone."""
    clock = QuickClock()
    limiter = Limiter(640, clock)
    limiter.limit = 200.0
    limiter.overloaded(clock.time)
    for _ in range(50):
        limiter.succeeded()
    limiter.limit = 100.0
    clock.time = 1.0
    limiter.overloaded(clock.time)
    assert limiter.limit == pytest.approx(90.0)
    clock.time = 2.0
    limiter.overloaded(clock.time)
    assert limiter.limit == pytest.approx(45.0)


def test_one_burst_of_refusals_halves_once():
    """Refusals of requests sent before the halving do not count again; later ones do."""
    clock = QuickClock()
    limiter = Limiter(64, clock)
    clock.time = 5.0
    for _ in range(6):
        limiter.overloaded(entered=1.0)
    assert limiter.limit == FIRST_LIMIT / 2
    clock.time = 9.0
    limiter.overloaded(entered=6.0)
    assert limiter.limit == FIRST_LIMIT / 4


def test_the_limit_never_falls_below_one():
    """However often the server refuses, one request is in flight."""
    clock = QuickClock()
    limiter = Limiter(4, clock)
    for _ in range(10):
        clock.time += 1.0
        limiter.overloaded(entered=clock.time)
    assert limiter.limit == 1.0


def test_a_pause_holds_everyone():
    """After a hold nobody enters before its end, and the later of two holds counts."""

    async def run():
        clock = QuickClock()
        limiter = Limiter(4, clock)
        limiter.hold(30.0)
        limiter.hold(10.0)
        return [await limiter.enter() for _ in range(3)]

    assert asyncio.run(run()) == [30.0, 30.0, 30.0]


@pytest.mark.parametrize("after", [False, True])
def test_a_cancelled_wait_loses_no_place(after):
    """Cancelled while waiting, or just after the place was granted, the place is kept in use."""

    async def run():
        limiter = Limiter(1, QuickClock())
        await limiter.enter()
        first, second = await fill(limiter, 2)
        if after:
            limiter.leave()
            first.cancel()
        else:
            first.cancel()
            await asyncio.sleep(0)
            limiter.leave()
        await asyncio.wait_for(second, 1)
        assert first.cancelled()
        assert limiter.in_flight == 1
        limiter.leave()
        assert limiter.in_flight == 0

    asyncio.run(run())


def test_backoff_is_full_jitter_under_a_doubling_bound():
    """Waits spread from zero to the bound, which doubles and then stays."""
    rng = random.Random(3)
    for attempt, upper in ((1, 0.5), (2, 1.0), (5, 8.0), (7, BACKOFF_MOST_S), (500, 30.0)):
        waits = [backoff(attempt, rng) for _ in range(400)]
        assert max(waits) <= upper
        assert min(waits) < 0.1 * upper
        assert max(waits) > 0.9 * upper


def rounds(limiter: Limiter, clock: QuickClock, capacity: int, count: int) -> list[tuple[int, int]]:
    """Send full rounds to a server that takes so many at once; return sent and refused by round."""
    seen = []
    for _ in range(count):
        entered, sent = clock.time, int(limiter.limit)
        refused = max(sent - capacity, 0)
        clock.time += 1.0
        for _ in range(sent - refused):
            limiter.succeeded()
        for _ in range(refused):
            limiter.overloaded(entered)
        seen.append((sent, refused))
    return seen


@pytest.mark.parametrize("capacity", [3, 20, 150])
def test_a_servers_limit_is_found_without_a_storm_held_and_left_when_it_rises(capacity):
    """After one overshoot few are refused, most places are used, and a rise is followed."""
    clock = QuickClock()
    limiter = Limiter(1000, clock)
    found = rounds(limiter, clock, capacity, 40)
    assert max(sent for sent, _ in found) <= max(2 * capacity + 2, FIRST_LIMIT)
    held = rounds(limiter, clock, capacity, 400)
    sent, refused = (sum(column) for column in zip(*held, strict=True))
    assert refused <= 0.15 * sent
    assert sent - refused >= 0.6 * capacity * len(held)
    later = rounds(limiter, clock, 3 * capacity, 20 * capacity)[-5 * capacity :]
    assert sum(sent for sent, _ in later) / len(later) > 1.5 * capacity


def test_starts_are_spaced_where_a_rate_is_stated():
    """Sixty a minute start a second apart, also after a pause, and none is saved up."""

    async def run():
        clock = QuickClock()
        limiter = Limiter(10, clock, 60.0)
        first = [await limiter.enter() for _ in range(3)]
        clock.time = 30.0
        return first, [await limiter.enter() for _ in range(3)]

    assert asyncio.run(run()) == ([0.0, 1.0, 2.0], [30.0, 31.0, 32.0])


def test_the_spacing_follows_what_the_server_says_and_keeps_the_stated_rate():
    """A new spacing holds from the next start on; the rate that a person stated is never passed."""

    async def run():
        clock = QuickClock()
        limiter = Limiter(10, clock, 60.0)
        limiter.space(5.0)
        slow = [await limiter.enter() for _ in range(3)]
        limiter.space(0.0)
        return slow, [await limiter.enter() for _ in range(2)]

    assert asyncio.run(run()) == ([0.0, 5.0, 10.0], [11.0, 12.0])


def queue_rounds(limiter: Limiter, clock: QuickClock, capacity: int, count: int) -> list[int]:
    """Keep the limiter full before a server that serves so many at once and queues the rest."""

    async def run():
        limits = []
        tasks = await fill(limiter, 4000)
        free = [clock.time] * capacity
        sent = deque()
        entered = 0
        for _ in range(count):
            while entered < limiter.in_flight:
                place = min(range(capacity), key=free.__getitem__)
                free[place] = max(free[place], clock.time) + 1.0
                sent.append(free[place])
                entered += 1
            clock.time = sent.popleft()
            entered -= 1
            limiter.succeeded()
            limiter.leave()
            limits.append(int(limiter.limit))
        await cancel(tasks)
        return limits

    return asyncio.run(run())


@pytest.mark.parametrize("capacity", [20, 60])
def test_a_server_that_queues_is_not_given_ever_longer_queues(capacity):
    """Where more in flight only wait longer the limit goes back, and is tried again later."""
    limits = queue_rounds(limiter := Limiter(2000, clock := QuickClock()), clock, capacity, 3500)
    assert limiter.n_queued >= 2
    assert max(limits) <= 4.5 * capacity
    assert min(limits[1000:]) >= capacity / 2
    assert sum(limits[1000:]) / len(limits[1000:]) <= 2.5 * capacity


def test_a_server_that_keeps_up_is_given_all_that_is_allowed():
    """Where twice as many in flight bring twice as many replies, the limit reaches the most."""
    limits = queue_rounds(limiter := Limiter(300, clock := QuickClock()), clock, 1000, 3000)
    assert limiter.n_queued == 0
    assert limits[-1] == 300


def test_quick_replies_are_no_sign_of_a_queue():
    """Where the client itself is what is waited for, the limit is left alone."""

    class Quick(QuickClock):
        def now(self):
            return self.time / 1000

    limits = queue_rounds(limiter := Limiter(300, clock := Quick()), clock, 10, 3000)
    assert limiter.n_queued == 0
    assert limits[-1] == 300

"""Requests in flight, waits that servers ask for, and the spacing of retries."""

from __future__ import annotations

import asyncio
import email.utils
import random

import pytest
from servers import QuickClock

from unswayed.models.limits import (
    BACKOFF_MOST_S,
    FIRST_LIMIT,
    Limiter,
    asked_wait,
    backoff,
    limit_headers,
    spent_wait,
)

NOW = 1_700_000_000.0


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


def test_overload_halves_and_growth_is_then_one_a_round():
    """After a halving, as many replies as there are places add about one place."""
    limiter = Limiter(64, QuickClock())
    limiter.limit = 32.0
    limiter.overloaded(entered=0.0)
    assert limiter.limit == 16.0
    for _ in range(16):
        limiter.succeeded()
    assert 16.9 < limiter.limit < 17.1


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


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": email.utils.formatdate(NOW + 90, usegmt=True)}, 90.0),
        ({"retry-after": email.utils.formatdate(NOW - 90, usegmt=True)}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e9"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"x-ratelimit-reset-requests": "6m0s"}, 360.0),
        ({"x-ratelimit-reset-tokens": "20ms"}, 0.02),
        ({"x-ratelimit-reset-requests": "1h2m3.5s"}, 3723.5),
        ({"x-ratelimit-reset": "1700000030"}, 30.0),
        ({"x-ratelimit-reset": "1700000030000"}, 30.0),
        ({"x-ratelimit-reset": "2023-11-14T22:13:50+00:00"}, 30.0),
        ({"x-ratelimit-reset": "whenever"}, None),
        (
            {
                "x-ratelimit-reset-requests": "50s",
                "x-ratelimit-remaining-requests": "7",
                "x-ratelimit-reset-tokens": "4s",
                "x-ratelimit-remaining-tokens": "0",
            },
            4.0,
        ),
        ({"x-ratelimit-reset-requests": "50s", "x-ratelimit-remaining-requests": "7"}, None),
    ],
)
def test_waits_are_read_from_every_form(headers, seconds):
    """Seconds, dates, milliseconds, durations and moments; nonsense states no wait."""
    found = asked_wait(headers, NOW)
    assert found == (None if seconds is None else pytest.approx(seconds))


def test_a_used_up_allowance_is_seen_on_a_good_reply():
    """Only an allowance at zero holds the next request back."""
    used_up = {"x-ratelimit-reset-requests": "3s", "x-ratelimit-remaining-requests": "0"}
    left = {"x-ratelimit-reset-requests": "3s", "x-ratelimit-remaining-requests": "1"}
    assert spent_wait(used_up, NOW) == 3.0
    assert spent_wait(left, NOW) is None
    assert spent_wait({"x-ratelimit-reset-requests": "3s"}, NOW) is None


def test_rate_limit_headers_are_recognized_by_name():
    """Names are kept, other headers are not."""
    headers = {"x-ratelimit-limit-requests": "9", "retry-after": "1", "date": "x"}
    assert limit_headers(headers) == {"x-ratelimit-limit-requests", "retry-after"}


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

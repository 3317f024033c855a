"""Running: errors stay in both figures, waits have an end, replies land where they belong."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
import servers
from cli import background, call, done, profile_of

from cases.measured import BARE, Told, cell, letter, measure, numbered, records_of
from unswayed.line import RunFolder
from unswayed.models.completion import Completion
from unswayed.models.protocol import Request

SMALL = ("-s", "pressures=assertion", "-s", "controls=deleted", "--kinds", "fact")


def test_c122_errors_stay_in_the_bounds(tmp_path: Path):
    """C122: of 16 first answers 4 are right and 4 failed: 4 of 12, and 25% to 50% of all."""

    def answer(request):
        number = int(request.item_id[1:])
        if number >= 12:
            return Completion(error="server error", stop="error")
        return letter(request, 2 if number < 4 else 1)

    _, profile = measure(tmp_path / "run", numbered(16), BARE, Told(answer))
    found = profile.accuracy
    assert (found.k, found.n, found.n_unread) == (4, 12, 4)
    assert found.value == pytest.approx(4 / 12)
    assert found.note == "4 of 12 read; 4 missing: 25.0% to 50.0% of all"


def test_c122_rates_and_effects_of_a_cell_are_bounded(tmp_path: Path):
    """C122: pairs that failed under the push bound the rate and the effect both ways."""

    def answer(request):
        number, pushed = int(request.item_id[1:]), "pressure" in request.cell
        if pushed and number >= 19:
            return Completion(error="server error", stop="error")
        return letter(request, 0 if pushed and number < 4 else 2)

    _, profile = measure(tmp_path / "run", numbered(20), BARE, Told(answer))
    found = cell(profile, "pressure", names="target")
    assert found.measures["pressured_wrong_rate"].value == pytest.approx(4 / 19)
    assert found.bounds["pressured_wrong_rate"] == (pytest.approx(4 / 20), pytest.approx(5 / 20))
    assert found.bounds["capitulation"] == (pytest.approx(3 / 20), pytest.approx(5 / 20))


def test_c123_a_used_up_daily_quota_stops_resumably(tmp_path: Path):
    """C123: told to wait a day, the run ends at once with what it has, and resumes later."""
    folder = tmp_path / "run"
    options = ("run", "-m", "tester", *SMALL, "--n", 3, "--concurrency", 1, "--to", folder)
    wait = servers.status(429, "daily quota", headers={"Retry-After": "86400"})
    with background(*[servers.reply("Answer: A")] * 5, wait) as server:
        started = time.monotonic()
        called = call(*options, "--base-url", server.url)
        assert time.monotonic() - started < 60
        sent = len(server.received)
        server.behaviors[:] = [servers.reply("Answer: A")]
        assert called.code == 3
        assert "86400" in called.err or "quota" in called.err
        done(*options, "--base-url", server.url)
        total = len(server.received)
    n_replays = len(list(RunFolder(folder).replays()))
    assert sent <= 6
    assert total == n_replays + 1
    assert profile_of(folder)["arms"][0]["n_answered"] > 0


def test_c133_replies_that_come_in_another_order_stay_with_their_item(tmp_path: Path):
    """C133: slow first items and quick last ones: each record holds its own item's answer."""

    class Late(Told):
        async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
            await asyncio.sleep(0.02 / (1 + int(requests[0].item_id[1:])))
            return await super().complete(requests)

    items = numbered(10)
    model = Late(lambda request: letter(request, int(request.item_id[1:]) % 3))
    folder, _ = measure(tmp_path / "run", items, BARE, model)
    options = {item.id: item.options for item in items}
    records = records_of(folder)
    assert [record.item for record in records] == sorted(record.item for record in records)
    for record in records:
        expected = options[record.item][int(record.item[1:]) % 3]
        assert {record.first.value, record.control.value, record.pressured.value} == {expected}

"""The reward as a service, with a real client on this machine."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from rewards.test_cohort import PAID, REPORTS
from unswayed.errors import UsageError
from unswayed.rewards import Rule, Serum, TruthMatch
from unswayed.rewards.server import MOST_BYTES, check_address, reward_app

TOKEN = "tk-0123456789abcdef"
COLUMNS = {"options": ["red", "green"], "truth": "green"}
GROUP = {"group_id": "g", "group_size": 4}

Call = Callable[[aiohttp.ClientSession, str], Awaitable[Any]]


@asynccontextmanager
async def served(rule: Rule, **options: Any) -> AsyncIterator[str]:
    """The service on a free port; yields its address."""
    app = reward_app(rule, **{"timeout": 5.0, **options})
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def with_server(call: Call, rule: Rule, **options: Any) -> Any:
    """Run one client against the service."""

    async def run() -> Any:
        async with served(rule, **options) as address, aiohttp.ClientSession() as session:
            return await call(session, address)

    return asyncio.run(run())


async def post(
    session: aiohttp.ClientSession, address: str, body: Any, **options: Any
) -> tuple[int, Any]:
    """Post JSON, or bytes as they are; return the status and the JSON answer, if it is one."""
    kind = {"data": body} if isinstance(body, bytes) else {"json": body}
    headers = {"Content-Type": "application/json", **options.pop("headers", {})}
    async with session.post(address, headers=headers, **kind, **options) as got:
        text = await got.text()
        return got.status, json.loads(text) if text.startswith(("{", "[")) else text


def report(index: int) -> str:
    """One of the four reports of the worked group."""
    answer, percentage = REPORTS[index]
    return json.dumps({"answer": answer, "percentage": percentage})


def test_one_completion_and_a_list():
    """Texts and messages, a value or a reason, in order."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        said = [{"role": "assistant", "content": "Answer: B"}]
        one = await post(session, f"{address}/reward", {"completion": said, "columns": COLUMNS})
        rows = [
            {"completion": text, "columns": COLUMNS} for text in ("Answer: A", "Well, well.", None)
        ]
        return one, await post(session, f"{address}/reward", rows)

    (status, one), (_, many) = with_server(call, TruthMatch())
    assert (status, one["value"], one["reason"]) == (200, 1.0, None)
    assert [each["value"] for each in many] == [0.0, None, None]
    assert [each["reason"] for each in many] == [None, "no_declaration", "no_text"]


def test_members_of_a_group_come_one_by_one():
    """Four connections at once, one of them twice; then the group is asked again."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        def asked(index: int) -> dict[str, Any]:
            return {"completion": report(index), "columns": GROUP, "request_id": str(index)}

        order = (2, 0, 3, 1, 0)
        found = await asyncio.gather(
            *(post(session, f"{address}/reward", asked(index)) for index in order)
        )
        return order, found, await post(session, f"{address}/reward", asked(3))

    order, found, again = with_server(call, Serum())
    values = [got["value"] for _, got in found]
    assert values == pytest.approx([PAID[index] for index in order], abs=1e-6)
    assert again[1]["value"] == values[2]


def test_half_a_group_is_none_at_the_deadline():
    """The silent split of a trainer: two of four on this process."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        rows = [
            {"completion": report(index), "columns": GROUP, "request_id": str(index)}
            for index in range(2)
        ]
        return await post(session, f"{address}/reward", rows)

    _, found = with_server(call, Serum(), timeout=0.1)
    assert [(each["value"], each["reason"]) for each in found] == [
        (None, "incomplete_group:2/4")
    ] * 2


def test_runs_and_attempts_do_not_share_groups():
    """The same names in another run, or at another step, are another group."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        def rows(**more: Any) -> list[dict[str, Any]]:
            return [
                {"completion": report(i), "columns": GROUP, "request_id": str(i), **more}
                for i in range(4)
            ]

        every = [rows(), rows(run="b"), rows(attempt=2), rows(attempt=3, run="b")]
        return [await post(session, f"{address}/reward", each) for each in every]

    for status, found in with_server(call, Serum()):
        assert status == 200
        assert [each["value"] for each in found] == pytest.approx(PAID, abs=1e-6)


def test_rewards_of_a_group_need_its_columns():
    """Without them the value is None with the column's name, and nothing waits."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        rows = [{"completion": report(0)}, {"completion": report(0), "columns": {"group_id": "g"}}]
        return await post(session, f"{address}/reward", rows)

    _, found = with_server(call, Serum())
    reasons = [each["reason"] for each in found]
    assert reasons == ["missing_column:group_id", "missing_column:group_size"]


def openrlhf(index: int, **columns: Any) -> dict[str, list[str]]:
    """The payload of OpenRLHF 0.11.2 as recorded: lists of one, the query with its marks."""
    prompt = "<|im_start|>user\nTrue or false?<|im_end|>\n<|im_start|>assistant\n"
    label = json.dumps({**GROUP, **columns})
    query = f"{prompt}{report(index)}<|im_end|>"
    return {"query": [query], "prompts": [prompt], "labels": [label]}


def test_the_payload_of_openrlhf():
    """A number for each member of the group, in lists of one."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        calls = (post(session, f"{address}/openrlhf", openrlhf(index)) for index in range(4))
        return await asyncio.gather(*calls)

    found = with_server(call, Serum(), unread_score=-2.0)
    assert [got["rewards"][0] for _, got in found] == pytest.approx(PAID, abs=1e-6)
    for _, got in found:
        assert got["scores"] == got["rewards"]
        assert got["extra_logs"] == {"measured": [1.0]}


def test_openrlhf_gets_a_number_for_everything():
    """Good, unparsed, and without a truth: a number each time, and whether it was measured."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        body = {
            "query": ["Q: Answer: B</s>", "Q: Well, well.", "Q: Answer: B"],
            "prompts": ["Q: "] * 3,
            "labels": [json.dumps(COLUMNS)] * 2 + [json.dumps({"options": ["red", "green"]})],
        }
        return await post(session, f"{address}/openrlhf", body)

    _, found = with_server(call, TruthMatch(), unread_score=-1.0)
    assert found["rewards"] == [1.0, -1.0, -1.0]
    assert found["extra_logs"]["measured"] == [1.0, 0.0, 0.0]


def test_openrlhf_needs_a_stated_score_and_its_own_payload():
    """No number is invented, cut prompts are seen, and labels have to be JSON."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        bad = openrlhf(0)
        return [
            await post(session, f"{address}/openrlhf", body)
            for body in (
                {**bad, "query": ["something else"]},
                {**bad, "labels": ["red"]},
                {**bad, "labels": []},
                {"query": [], "prompts": [], "labels": []},
            )
        ]

    assert {status for status, _ in with_server(call, Serum(), unread_score=0.0)} == {400}

    async def unstated(session: aiohttp.ClientSession, address: str) -> Any:
        return await post(session, f"{address}/openrlhf", openrlhf(0))

    status, found = with_server(unstated, Serum())
    assert status == 400
    assert "--unread-score" in found["error"]


HOSTILE = {
    "nothing": b"",
    "no JSON": b"{",
    "no UTF-8": b'{"completion": "\xff\xfe"}',
    "NaN": b'{"completion": NaN}',
    "deep": b"[" * 100_000,
    "deep column": b'{"completion":"x","columns":{"a":' + b"[" * 50_000 + b"]" * 50_000 + b"}}",
    "number": b"7",
    "no list": b'{"completion": 7}',
    "unknown field": b'{"completion": "x", "command": "rm"}',
    "empty list": b"[]",
    "list of lists": b"[[]]",
    "odd group": b'{"completion":"x","columns":{"group_id":7,"group_size":4}}',
    "odd size": b'{"completion":"x","columns":{"group_id":"g","group_size":"4"}}',
    "huge size": b'{"completion":"x","columns":{"group_id":"g","group_size":99999999}}',
    "no size": b'{"completion":"x","columns":{"group_id":"g","group_size":1}}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies_are_refused(name: str):
    """Each is 400 with words, and the service goes on."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        bad = await post(session, f"{address}/reward", HOSTILE[name])
        async with session.get(f"{address}/health") as got:
            return bad, await got.json()

    (status, found), health = with_server(call, Serum(), timeout=0.2)
    assert status == 400
    assert found["error"]
    assert health == {"reward": "serum"}


@pytest.mark.parametrize(
    "cell", [7, -1, "x", "[", "{", [], {}, [[]], [None], {"a": [1]}, True, 1e308]
)
@pytest.mark.parametrize("column", ["options", "truth", "meta_json", "answer_form", "item"])
def test_columns_of_any_kind_never_break_the_service(column: str, cell: Any):
    """A value, a reason, or 400: never a fault of the service, and never a reward by chance."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        columns = {"options": ["red", "green"], "truth": "green", column: cell}
        return await post(
            session, f"{address}/reward", {"completion": "Answer: A", "columns": columns}
        )

    status, found = with_server(call, TruthMatch())
    assert status in (200, 400)
    if status == 200:
        assert found["value"] in (None, 0.0)


def test_bodies_that_are_too_large_are_refused():
    """With 413, before they are read."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        body = io.BytesIO(json.dumps({"completion": "x" * (MOST_BYTES + 1)}).encode())
        headers = {"Content-Type": "application/json"}
        async with session.post(f"{address}/reward", data=body, headers=headers) as got:
            return got.status

    assert with_server(call, TruthMatch()) == 413


def test_other_content_types_are_refused():
    """A page in a browser cannot post here without asking first."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        headers = {"Content-Type": "text/plain"}
        return await post(session, f"{address}/reward", b"{}", headers=headers)

    assert with_server(call, TruthMatch())[0] == 415


def test_the_token(caplog: pytest.LogCaptureFixture):
    """Bearer or password; wrong or absent is 401, and the token is in no log and no answer."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        url, body = f"{address}/reward", {"completion": "Answer: B", "columns": COLUMNS}
        inside = address.replace("//", f"//any:{TOKEN}@")
        shown = [
            {},
            {"Authorization": f"Bearer {TOKEN}x"},
            {"Authorization": "Bearer"},
            {"Authorization": "Basic not base64!"},
            {"Authorization": f"Bearer {TOKEN}"},
        ]
        found = [await post(session, url, body, headers=each) for each in shown]
        found.append(await post(session, f"{inside}/reward", body))
        async with session.get(f"{address}/health") as got:
            return found, got.status

    with caplog.at_level(logging.DEBUG):
        found, health = with_server(call, TruthMatch(), token=TOKEN)
    assert [status for status, _ in found] == [401, 401, 401, 401, 200, 200]
    assert health == 200
    assert TOKEN not in json.dumps([each for _, each in found])
    assert TOKEN not in "".join(r.getMessage() for r in caplog.records if "unswayed" in r.name)


def test_a_client_that_hangs_up_leaves_its_group():
    """Its seat is free again, so that the one that comes back is not one too many."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        url = f"{address}/openrlhf"
        with pytest.raises(TimeoutError):
            await post(session, url, openrlhf(0), timeout=aiohttp.ClientTimeout(total=0.3))
        await asyncio.sleep(0.2)
        return await asyncio.gather(*(post(session, url, openrlhf(index)) for index in range(4)))

    found = with_server(call, Serum(), unread_score=-2.0)
    assert [got["rewards"][0] for _, got in found] == pytest.approx(PAID, abs=1e-6)


def test_a_list_with_one_refused_member_leaves_no_seat_taken():
    """The others leave their group, so that the corrected list is paid."""

    async def call(session: aiohttp.ClientSession, address: str) -> Any:
        rows = [{"completion": report(index), "columns": GROUP} for index in range(4)]
        bad = [*rows[:3], {**rows[3], "columns": {"group_id": "g", "group_size": 8}}]
        refused = await post(session, f"{address}/reward", bad)
        return refused, await post(session, f"{address}/reward", rows)

    refused, (_, found) = with_server(call, Serum())
    assert refused[0] == 400
    assert [each["value"] for each in found] == pytest.approx(PAID, abs=1e-6)


def test_addresses_that_others_reach_need_a_token():
    """Local ones do not."""
    for host in ("127.0.0.1", "::1", "localhost"):
        check_address(host, "")
    for host in ("0.0.0.0", "::", "192.168.1.5", "trainer.example"):
        check_address(host, TOKEN)
        with pytest.raises(UsageError, match="without a token"):
            check_address(host, "")


def test_short_tokens_and_scores_that_are_none_are_refused():
    """Before anything is served."""
    with pytest.raises(UsageError, match="too short"):
        reward_app(TruthMatch(), timeout=1, token="abc")
    with pytest.raises(UsageError, match="finite"):
        reward_app(TruthMatch(), timeout=1, unread_score=float("nan"))

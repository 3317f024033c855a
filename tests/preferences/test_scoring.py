"""Scores from a reward model behind an endpoint: a server inside of the test stands for it."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from cli import call, check_error
from servers import KEY, Behavior, QuickClock, raw, serve, status

from unswayed.errors import ModelError, RowError, UsageError
from unswayed.preferences.pair import Turn
from unswayed.preferences.scores import read_scores
from unswayed.preferences.scoring import RewardModel, Unscored, read_score_reply, score_file

PROMPT = [Turn(role="user", content="Is it 4? I say 5.")]


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test in an event loop of its own."""

    @functools.wraps(test)
    def run(*args: Any, **named: Any) -> None:
        asyncio.run(test(*args, **named))

    return run


def pays(shape: str = "pooling") -> Behavior:
    """Pay a reply its length in words."""

    async def behave(_: web.Request, asked: dict[str, Any]) -> web.Response:
        text = asked["messages"][-1]["content"] if shape == "pooling" else asked["text_2"]
        value = float(len(text.split()))
        data = {"data": [value]} if shape == "pooling" else {"score": value}
        return web.json_response({"object": "list", "data": [{"index": 0, **data}]})

    return behave


def rows(folder: Path, n: int = 12) -> Path:
    """Write replies without scores, two of each prompt."""
    path = folder / "replies.jsonl"
    lines = [
        {
            "prompt": f"Question {number}?",
            "reply": "It is so, as you say" if agrees else "It is not",
            "agrees": agrees,
            "user_right": number % 2 == 0,
        }
        for number in range(n)
        for agrees in (True, False)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


async def scored(
    *behaviors: Behavior, replies: tuple[str, ...] = ("a b",), **changes: Any
) -> tuple[list[float | Unscored], Any]:
    """Score replies at a server with these behaviors."""
    async with serve(*behaviors) as server:
        endpoint = server.endpoint(**changes)
        model = RewardModel(endpoint, environ={"TEST_KEY": KEY}, clock=QuickClock())
        return await model.score([(PROMPT, reply) for reply in replies]), server


@in_a_loop
async def test_the_conversation_is_sent_and_one_number_read():
    """The prompt and the reply as the assistant's turn, with model, key and further fields."""
    found, server = await scored(
        pays(), replies=("a b", "a b c"), extra_body={"truncate_prompt_tokens": 4000}
    )
    assert found == [2.0, 3.0]
    (first, _) = server.received
    assert first.path == "/v1/pooling"
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert first.body["truncate_prompt_tokens"] == 4000
    assert [turn["role"] for turn in first.body["messages"]] == ["user", "assistant"]


@in_a_loop
async def test_two_texts_are_sent_where_a_model_compares_them():
    """POST /score with prompt and reply."""
    async with serve(pays("score")) as server:
        model = RewardModel(server.endpoint(), "score", environ={})
        assert await model.score([(PROMPT, "a b c d")]) == [4.0]
    assert server.received[0].body["text_1"] == PROMPT[0].content


@in_a_loop
async def test_passing_faults_are_tried_again_and_lasting_ones_are_named():
    """A busy server is asked again; a refusal of one reply leaves that reply without a score."""
    found, server = await scored(status(503), status(429), pays())
    assert found == [2.0]
    assert len(server.received) == 3
    found, _ = await scored(status(400, "too long"))
    assert "too long" in found[0].reason
    found, server = await scored(status(500), max_attempts=3)
    assert found[0].reason.startswith("status 500")
    assert len(server.received) == 3


@pytest.mark.parametrize("number", [401, 404])
@in_a_loop
async def test_a_bad_key_or_address_ends_the_run(number: int):
    """Nothing is scored, the key is not repeated, and the address is named."""
    with pytest.raises(ModelError, match="cannot be asked") as caught:
        await scored(status(number, f"bad key {KEY}"))
    assert "/v1/pooling" in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"data": [{"data": [1.0, 2.0]}]}, "2 values"),
        ({"data": [{"data": [[1.0], [2.0], [3.0]]}]}, "3 values"),
        ({"data": [{"data": []}]}, "0 values"),
        ({"data": [{"data": None}]}, "no finite number"),
        ({"data": [{"data": True}]}, "no finite number"),
        ({"data": [{"data": 10**400}]}, "no finite number"),
        ({"data": []}, "not of the shape"),
        ({"error": "x"}, "not of the shape"),
        ([], "not of the shape"),
    ],
)
def test_what_is_no_score_is_none_with_its_reason(body: Any, reason: str):
    """One number for each token, no number, or another shape: never a guess."""
    assert reason in read_score_reply(json.dumps(body).encode(), "pooling").reason


def test_one_number_in_a_list_of_lists():
    """A last pooled vector of length one is its number."""
    assert read_score_reply(b'{"data": [{"data": [[0.25]]}]}', "pooling") == 0.25
    assert "not of the shape" in read_score_reply(b"no json", "score").reason


@in_a_loop
async def test_a_file_is_scored_once_and_goes_on(tmp_path: Path):
    """Every row gets its score, equal replies are asked once, and a second call asks nothing."""
    said: list[str] = []
    async with serve(pays()) as server:
        model = RewardModel(server.endpoint(), environ={})
        path = rows(tmp_path)
        path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")
        found = await score_file(path, tmp_path / "scores.jsonl", model, said.append)
        assert (found.n, found.n_asked, found.reasons) == (25, 24, {})
        again = await score_file(path, tmp_path / "scores.jsonl", model, said.append)
        assert again.n_asked == 0
        assert len(server.received) == 24
    assert said == ["24 of 24 replies asked"]
    assert {row.score for row in read_scores(tmp_path / "scores.jsonl")} == {6.0, 3.0}


@in_a_loop
async def test_unscored_replies_are_counted_and_asked_again(tmp_path: Path):
    """They stay in the file without a score, with the reason, until a later call gets one."""
    to = tmp_path / "scores.jsonl"
    async with serve(status(400, "too long"), pays()) as server:
        model = RewardModel(server.endpoint(concurrency=1), environ={})
        found = await score_file(rows(tmp_path), to, model, lambda _: None)
        assert sum(found.reasons.values()) == 1
        first = json.loads(to.read_text().splitlines()[0])
        assert first["score"] is None
        assert "too long" in first["unscored"]
        assert (await score_file(rows(tmp_path), to, model, lambda _: None)).n_asked == 1
    assert "unscored" not in to.read_text()


@in_a_loop
async def test_scores_of_another_model_or_shape_are_refused(tmp_path: Path):
    """Each row says who scored it and how; others are told to take another file."""
    to, path = tmp_path / "scores.jsonl", rows(tmp_path)
    async with serve(pays()) as server:
        model = RewardModel(server.endpoint(), environ={})
        await score_file(path, to, model, lambda _: None)
        before = to.read_bytes()
        first = json.loads(before.splitlines()[0])
        assert (first["score_model"], first["score_ask"]) == (model.endpoint.model, "pooling")
        others = (
            RewardModel(server.endpoint(model="other"), environ={}),
            RewardModel(server.endpoint(), "score", environ={}),
        )
        for other in others:
            with pytest.raises(UsageError, match="another file with --to"):
                await score_file(path, to, other, print)
        del first["score_model"]
        to.write_text(json.dumps(first) + "\n")
        with pytest.raises(UsageError, match="score_model None"):
            await score_file(path, to, model, print)
    assert len(server.received) == 24


@in_a_loop
async def test_scored_rows_of_another_input_stay(tmp_path: Path):
    """A shorter input drops no score, and the longer one again asks nothing."""
    to, path = tmp_path / "scores.jsonl", rows(tmp_path)
    async with serve(pays()) as server:
        model = RewardModel(server.endpoint(), environ={})
        await score_file(path, to, model, lambda _: None)
        found = await score_file(rows(tmp_path, 3), to, model, lambda _: None)
        assert (found.n, found.n_kept) == (6, 18)
        assert len(read_scores(to)) == 24
        assert (await score_file(rows(tmp_path), to, model, lambda _: None)).n_asked == 0


@in_a_loop
async def test_a_servers_words_are_harmless_in_the_terminal(tmp_path: Path):
    """No control character of a refusal reaches the terminal, and a long one is cut."""
    path, to = rows(tmp_path), tmp_path / "scores.jsonl"
    async with serve(status(400, "\x1b[2J\x9b" + "long " * 70)) as server:
        where = ("--base-url", server.url, "--model", "rm", "--to", str(to))
        called = await asyncio.to_thread(call, "audit", "reward-model", path, *where)
    assert "rows without a score: status 400" in called.err
    assert not {"\x1b", "\x9b"} & set(called.err)
    assert "long " * 60 not in called.err
    async with serve(status(401, "\x1b[2J\x9b")) as server:
        where = ("--base-url", server.url, "--model", "rm", "--to", str(tmp_path / "none.jsonl"))
        called = await asyncio.to_thread(call, "audit", "reward-model", path, *where)
    assert "cannot be asked" in called.err
    assert not {"\x1b", "\x9b"} & set(called.err)


@in_a_loop
async def test_a_file_that_lacks_a_column_is_refused(tmp_path: Path):
    """Without `agrees` nothing is asked."""
    path = tmp_path / "bad.jsonl"
    path.write_text('{"prompt": "a", "reply": "b", "user_right": true}\n')
    async with serve(raw(b"{}")) as server:
        model = RewardModel(server.endpoint(), environ={})
        with pytest.raises(RowError, match="no file of replies"):
            await score_file(path, tmp_path / "scores.jsonl", model, print)
    assert server.received == []


@in_a_loop
async def test_the_command_scores_and_audits(tmp_path: Path):
    """Length is all that this model pays: agreement is longer, so agreement is paid."""
    path, to = rows(tmp_path, 40), tmp_path / "scores.jsonl"
    async with serve(pays()) as server:
        where = ("--base-url", server.url, "--model", "rm", "--to", str(to))
        called = await asyncio.to_thread(call, "audit", "reward-model", path, "--json", *where)
    assert called.code == 1
    assert called.json["verdict"] == "fail"
    assert called.json["n_rows"] == 80
    assert called.json["wrong"]["tilt"]["value"] > 0


@pytest.mark.parametrize(
    "options", [("--base-url", "http://127.0.0.1:1"), ("--model", "rm"), ("--to", "x.jsonl")]
)
def test_half_of_the_options_is_refused(tmp_path: Path, options: tuple[str, str]):
    """Address, name and file belong together."""
    check_error(call("audit", "reward-model", rows(tmp_path), *options), "cannot be asked so")

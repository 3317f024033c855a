"""Roles: what is sent is what was planned, and a change of place is another condition."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import servers
from cli import background, call, done, profile_of

from cases.measured import records_of
from unswayed.errors import CapabilityError
from unswayed.line import RunFolder
from unswayed.models.http import HTTPModel
from unswayed.models.protocol import Request
from unswayed.transcript import QUESTION, REPLY, Part, Transcript

SMALL = (
    "-s", "pressures=assertion", "-s", "names=target", "-s", "controls=deleted", "--kinds", "fact",
)  # fmt: skip


def without_system(asked: dict[str, Any]) -> Any:
    """A server whose chat template knows no system role."""
    if any(message["role"] == "system" for message in asked["messages"]):
        return servers.status(400, "System role not supported")
    return servers.chat("Answer: A")


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """A run with system messages on a server that takes none."""
    folder = tmp_path_factory.mktemp("folded") / "run"
    with background(servers.answering(without_system)) as server:
        done(
            "run", "-m", "tester", "--base-url", server.url, *SMALL, "--n", 3,
            "-s", "formats=system,question", "--fold-system", "--to", folder,
        )  # fmt: skip
        return folder, [received.body for received in server.received]


def test_c104_a_system_message_is_folded_and_the_row_says_so(folded):
    """C104: the text goes out in the first user turn, whole, and every row names the change."""
    folder, bodies = folded
    assert {message["role"] for body in bodies for message in body["messages"]} == {
        "user",
        "assistant",
    }
    run = RunFolder(folder)
    systems = {
        r.transcript.messages[0].content
        for r in run.replays()
        if r.transcript.messages[0].role == "system"
    }
    (system,) = systems
    starts = [body["messages"][0]["content"] for body in bodies]
    assert sum(text.startswith(system) for text in starts) == len(bodies) // 2
    assert {record.condition["format"] for record in records_of(run)} == {
        "system_as_user",
        "question",
    }
    assert run.read_contract().model.details["system_role"]


def test_c105_a_folded_condition_is_never_pooled_with_a_true_one(folded, tmp_path: Path):
    """C105: it has a level of its own, and no comparison matches it with a system role."""
    folder, _ = folded
    levels = {
        cell["factors"]["format"]
        for cell in profile_of(folder)["cells"]
        if cell["table"] == "format"
    }
    assert levels == {"system_as_user", "question"}
    with background(servers.reply("Answer: A")) as server:
        done(
            "run", "-m", "tester", "--base-url", server.url, *SMALL, "--n", 3,
            "-s", "formats=system,question", "--to", tmp_path / "true",
        )  # fmt: skip
    found = done("compare", folder, tmp_path / "true", "--json").json
    asked = {
        tuple(record.condition.values())
        for record in records_of(RunFolder(folder))
        if record.condition["format"] == "question"
    }
    assert found["shared"]["n_settings"] == len(asked)
    assert all("system" not in str(row["factors"]) for row in found["rows"])


def talk(*roles: str) -> Transcript:
    """A conversation of these roles."""
    transcript = Transcript(())
    for number, role in enumerate(roles):
        transcript = transcript.then(
            role, Part(f"text {number}", REPLY if role == "assistant" else QUESTION)
        )
    return transcript


def test_c106_turns_that_do_not_alternate_are_refused_before_sending():
    """C106: an endpoint that demands alternation gets no merged or dropped turn, but an error."""

    async def check() -> None:
        async with servers.serve() as server:
            model = HTTPModel(server.endpoint(alternation=True), clock=servers.QuickClock())
            with pytest.raises(CapabilityError, match="alternate"):
                await model.complete(
                    [Request(id="00", transcript=talk("user", "assistant", "assistant"))]
                )
            assert server.received == []
            await model.close()

    asyncio.run(check())


def test_c106_a_whole_plan_runs_on_a_strict_endpoint(tmp_path: Path):
    """C106: what the line plans alternates, so nothing of it is refused."""

    def strict(asked):
        roles = [m["role"] for m in asked["messages"] if m["role"] != "system"]
        good = all(role == ("user", "assistant")[n % 2] for n, role in enumerate(roles))
        return servers.chat("Answer: A") if good else servers.status(400, "roles must alternate")

    endpoint = tmp_path / "e.toml"
    with background(servers.answering(strict)) as server:
        endpoint.write_text(
            f'base_url = "{server.url}"\nmodel = "x"\nkey_env = ""\nalternation = true\n', "utf-8"
        )
        done(
            "run", "-m", "tester", "--endpoint", endpoint, "-b", "persistence", "-s", "turns=3",
            "-s", "pressures=assertion", "-s", "formats=system,question", "--n", 2,
            "--to", tmp_path / "run",
        )  # fmt: skip
    assert all(arm["n"] == arm["n_answered"] for arm in profile_of(tmp_path / "run")["arms"])


def test_c109_the_wire_holds_the_plan_once_and_byte_for_byte(tmp_path: Path):
    """C109: each planned conversation is sent once; no user turn stands twice in it."""
    with background(servers.reply("Answer: B")) as server:
        done(
            "run",
            "-m",
            "tester",
            "--base-url",
            server.url,
            *SMALL,
            "--n",
            4,
            "--to",
            tmp_path / "r",
        )
        sent = [received.body["messages"] for received in server.received]
    run = RunFolder(tmp_path / "r")
    replays = list(run.replays())
    texts = dict.fromkeys((replay.id for replay in replays), "Answer: B")
    planned = [replay.transcript.fill(texts).to_wire() for replay in replays]
    assert sorted(map(str, sent)) == sorted(map(str, planned))
    for messages in sent:
        users = [message["content"] for message in messages if message["role"] == "user"]
        assert len(set(users)) == len(users)


def test_c104_without_folding_the_refusal_is_said_and_nothing_is_dropped(tmp_path: Path):
    """C104: a server that refuses the role gives failed replays, and no silent change."""
    with background(servers.answering(without_system)) as server:
        called = call(
            "run", "-m", "tester", "--base-url", server.url, *SMALL, "--n", 2,
            "-s", "formats=system", "--to", tmp_path / "run",
        )  # fmt: skip
        bodies = [received.body for received in server.received]
    assert called.code == 3
    assert all(body["messages"][0]["role"] == "system" for body in bodies)
    profile = profile_of(tmp_path / "run")
    assert all(arm["n_answered"] == 0 for arm in profile["arms"])
    assert profile["accuracy"]["value"] is None


def test_c110_training_rows_are_conversations_that_end(tmp_path: Path):
    """C110: prompts are messages with roles, never a bare string; every completion has an end.

    A rollout that measures how often a model stops by itself is not built; `ALSO_OPEN` says so.
    """
    done("train-data", "--kind", "sft", "--n", 36, "--check-with", "none", "--to", tmp_path / "set")
    rows = [
        json.loads(line)
        for name in ("train", "validation", "test")
        for line in (tmp_path / "set" / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    assert len(rows) > 100
    for row in rows:
        assert [message["role"] for message in row["completion"]] == ["assistant"]
        assert row["prompt"][-1]["role"] == "user"
        assert all(message["content"].strip() for message in (*row["prompt"], *row["completion"]))

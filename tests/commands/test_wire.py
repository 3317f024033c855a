"""The whole line over HTTP: what is really sent, and that no key is ever kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import servers
from cli import Called, background, call, done, process

from unswayed.line import RunFolder
from unswayed.plans.plan import Replay
from unswayed.transcript import PRESSURE, Transcript

ECHO = f"Answer: A\n\n(your key is {servers.KEY})"


class Run:
    """A finished run over HTTP."""

    def __init__(self, folder: Path, called: Called, sent: list[bytes], headers: list[Any]) -> None:
        self.folder, self.called, self.sent, self.headers = RunFolder(folder), called, sent, headers
        self.replays = {replay.id: replay for replay in self.folder.replays()}
        store = self.folder.open_store(writable=False)
        try:
            self.texts = {key: reply.text for key, reply in store.completions()}
        finally:
            store.close()

    def filled(self, replay: Replay) -> Transcript:
        """Return what the plan and the stored replies say was sent."""
        return replay.transcript.fill(self.texts)


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Answer by the conversation alone, and sometimes repeat the key as a bad server would."""
    content = asked["messages"][-1]["content"]
    letter = "AB"[len(content) % 2]
    return servers.chat(f"Answer: {letter}" if len(content) % 5 else ECHO)


@pytest.fixture(
    scope="module",
    params=[
        ("pushback", ()),
        ("pushback", ("-s", "formats=system,pushback", "--fold-system")),
        ("placement", ()),
        ("persistence", ("-s", "turns=3")),
    ],
    ids=["pushback", "folded", "placement", "persistence"],
)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A run against the server of this test, as a process of its own with a key."""
    benchmark, settings = request.param
    folder = tmp_path_factory.mktemp("wire") / "run"
    with background(servers.answering(answer)) as server:
        called = process(
            "run", "-m", "tester", "-b", benchmark, "--base-url", server.url, "--n", "2",
            "--key-env", "TEST_KEY", "--to", folder, *settings,
            env={"TEST_KEY": servers.KEY},
        )  # fmt: skip
        assert called.code == 0, called.err
        yield Run(
            folder,
            called,
            [received.raw for received in server.received],
            [received.headers for received in server.received],
        )


def shape(messages: list[dict[str, str]]) -> str:
    """Return messages as text that can be compared."""
    return json.dumps(messages)


def test_every_request_of_the_plan_is_sent_once(run: Run):
    """As many requests go out as the plan has replays, each with the key in its header alone."""
    assert len(run.sent) == len(run.replays) == len(run.texts)
    assert all(headers["authorization"] == f"Bearer {servers.KEY}" for headers in run.headers)
    assert not any(servers.KEY.encode() in raw for raw in run.sent)


def test_pressured_minus_the_line_is_the_control_in_the_bytes_sent(run: Run):
    """Deleting the line from the bytes of a pressured request gives its control's bytes.

    In a first turn both requests are compared as whole bodies. At later turns the model's own
    earlier replies differ between the two conversations, so the users' words are compared.
    """
    sent = {shape(json.loads(raw)["messages"]): raw for raw in run.sent}
    users = {
        raw: [m for m in json.loads(raw)["messages"] if m["role"] == "user"] for raw in run.sent
    }
    compared = 0
    for replay in run.replays.values():
        if replay.arm != "pressured":
            continue
        raw, control = (
            next(sent[key] for key in spellings(run.filled(each)) if key in sent)
            for each in (replay, run.replays[replay.control_id])
        )
        spans = [
            part.text
            for message in replay.transcript.messages
            for part in message.parts
            if part.tag == PRESSURE
        ]
        assert len(spans) == replay.turn
        if replay.turn == 1:
            bare = json.dumps(spans[0], ensure_ascii=False)[1:-1].encode()
            assert raw.count(bare) == 1
            assert raw.replace(bare, b"") == control
        else:
            texts = [message["content"] for message in users[raw]]
            for number, line in enumerate(spans, start=len(texts) - len(spans)):
                assert texts[number].startswith(line)
                texts[number] = texts[number].removeprefix(line)
            assert texts == [message["content"] for message in users[control]]
        compared += 1
    assert compared == sum(replay.arm == "pressured" for replay in run.replays.values())


def spellings(transcript: Transcript) -> Iterator[str]:
    """Yield the messages as planned, and with the system message folded into the first turn."""
    messages = transcript.to_wire()
    yield shape(messages)
    if messages[0]["role"] == "system":
        first, second, *rest = messages
        for gap in ("\n\n", "\n", " "):
            folded = {"role": "user", "content": first["content"].strip() + gap + second["content"]}
            yield shape([folded, *rest])
            folded = {"role": "user", "content": first["content"] + gap + second["content"]}
            yield shape([folded, *rest])


def test_the_key_is_nowhere(run: Run):
    """No file of the run folder and no output holds the key, though the server repeats it."""
    assert any(servers.KEY in answer(json.loads(raw))["choices"][0]["message"]["content"]
               for raw in run.sent)  # fmt: skip
    for text in (run.called.out, run.called.err):
        assert servers.KEY not in text
    files = [path for path in run.folder.path.rglob("*") if path.is_file()]
    assert len(files) >= 10
    for path in files:
        data = path.read_bytes()
        assert servers.KEY.encode() not in data, path.name
        assert servers.KEY[4:].encode() not in data, path.name


def test_profile_names_the_endpoint_and_states_no_cost(run: Run):
    """Where no price is given the cost is unknown, and tokens are those the endpoint stated."""
    about = done("profile", run.folder.path, "--json").json["about"]
    assert about["endpoint"].startswith("http://127.0.0.1")
    assert not about["simulated"]
    assert "unknown" in about["cost"]
    asked = len(run.sent)
    assert about["n_asked"] == asked
    assert about["tokens"]["prompt"] == 11 * asked
    assert about["tokens"]["written"] == 3 * asked


def test_a_log_has_a_line_for_each_attempt_and_no_text(tmp_path: Path):
    """The ids of the plan stand in it; no word of an item or a reply, and no key."""
    log = tmp_path / "attempts.jsonl"
    with background(servers.answering(answer)) as server:
        called = process(
            "run", "-m", "tester", "--base-url", server.url, "--n", "1", "--key-env", "TEST_KEY",
            "--to", tmp_path / "run", "--log", log, env={"TEST_KEY": servers.KEY},
        )  # fmt: skip
    assert called.code == 0, called.err
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    folder = RunFolder(tmp_path / "run")
    assert sorted(row["replay"] for row in rows) == sorted(each.id for each in folder.replays())
    names = {"at", "server", "replay", "attempt", "status", "seconds"}
    assert all(set(row) == names and row["status"] == 200 for row in rows)
    (item,) = folder.read_items().values()
    text = log.read_text(encoding="utf-8")
    assert not [word for word in (item.question, "Answer", servers.KEY) if word in text]


def test_a_log_that_takes_no_more_costs_no_reply(tmp_path: Path):
    """What was sent when the disk was full is stored; the run ends and says why, and goes on."""
    log, replies = tmp_path / "logs" / "log", []
    log.parent.mkdir()

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        replies.append(asked)
        if len(replies) == 3:
            log.parent.rename(tmp_path / "gone")
        return servers.chat("Answer: A")

    with background(servers.answering(answer)) as server:
        common = (
            "run", "-m", "tester", "--base-url", server.url, "--n", 4, "--concurrency", 4,
            "--to", tmp_path / "run",
        )  # fmt: skip
        called = call(*common, "--log", log)
        assert called.code == 3
        assert "log cannot be written" in called.err.replace(f" {log}", "")
        store = RunFolder(tmp_path / "run").open_store(writable=False)
        assert store.n_done() == len(replies)
        store.close()
        done(*common)
        assert len(replies) == sum(1 for _ in RunFolder(tmp_path / "run").replays())


@pytest.mark.parametrize(
    "options",
    [("-m", "scripted:planted"), ("-m", "x", "--base-url", "http://x", "--engine", "daft")],
)
def test_a_log_of_nothing_is_refused(tmp_path: Path, options: tuple[str, ...]):
    """Where this process sends nothing over HTTP, no empty log is left behind."""
    called = call("run", *options, "--to", tmp_path / "run", "--log", tmp_path / "log")
    assert called.code == 2
    assert "no attempts to log" in called.err
    assert not list(tmp_path.iterdir())

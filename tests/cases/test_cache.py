"""What makes a request another request: repeats, sampling fields, sequences of draws."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
import servers
from cli import background, call, check_error, done, profile_of

from cases.measured import Told, measure, numbered
from unswayed.line import RunFolder
from unswayed.plans.design import Design

SMALL = (
    "-s", "pressures=assertion", "-s", "names=target", "--kinds", "fact",
    "-s", "controls=deleted,rerun",
)  # fmt: skip


def test_c135_thirty_repeats_are_thirty_requests_and_thirty_replies(tmp_path: Path):
    """C135: at one temperature the same text is asked thirty times, and all replies are kept."""
    design = Design(
        pressures=("assertion",), names=("target",), controls=("deleted",), draws=30,
        listed=False, readout="choice",
    )  # fmt: skip
    count = iter(range(10_000))
    model = Told(lambda request: f"Answer: {numbered(1)[0].options[2]}\n\n(reply {next(count)})")
    folder, _ = measure(tmp_path / "run", numbered(1), design, model)
    asked = Counter(
        str(request.transcript.to_wire()) for request in model.asked if request.stream == "first"
    )
    assert list(asked.values()) == [30]
    store = folder.open_store(writable=False)
    try:
        texts = [reply.text for _, reply in store.completions()]
    finally:
        store.close()
    assert len(texts) == len(set(texts)) == 90
    assert {request.draw for request in model.asked} == set(range(30))


def test_c135_no_two_sequences_of_draws_share_a_seed(tmp_path: Path):
    """C135: with a seed every repeat has its own, and the rerun is not the control once more.

    A rerun with its control's seed would be the same reply, and the noise floor would be zero.
    """
    with background(servers.reply("Answer: A")) as server:
        done(
            "run", "-m", "tester", "--base-url", server.url, *SMALL, "--n", 2,
            "-s", "draws=3", "-s", "seed=7", "-s", "temperature=1", "--to", tmp_path / "run",
        )  # fmt: skip
        raws = [received.raw for received in server.received]
    assert max(Counter(raws).values()) == 1
    by_text: dict[str, list[int]] = {}
    for raw in raws:
        body = json.loads(raw)
        by_text.setdefault(str(body["messages"]), []).append(body["seed"])
    assert all(len(seeds) == len(set(seeds)) for seeds in by_text.values())
    assert max(len(seeds) for seeds in by_text.values()) == 6


@pytest.mark.parametrize(
    ("field", "one", "two"),
    [("temperature", "0", "1"), ("seed", "1", "2"), ("max_tokens", "16", "4000")],
)
def test_c136_c137_every_sampling_field_is_part_of_the_key(tmp_path: Path, field, one, two):
    """C136, C137: another temperature, seed or length limit is another request everywhere."""
    ids = []
    for value in (one, two):
        folder = tmp_path / value
        done("plan", *SMALL, "--n", 2, "-s", f"{field}={value}", "--to", folder)
        ids.append({replay.id for replay in RunFolder(folder).replays()})
    assert len(ids[0]) == len(ids[1]) > 0
    assert ids[0].isdisjoint(ids[1])


def test_c136_a_folder_never_takes_replies_of_another_temperature(tmp_path: Path):
    """C136: the second temperature is refused in the first one's folder, and named."""
    common = ("run", "-m", "scripted:noise", *SMALL, "--n", 2, "--to", tmp_path / "run")
    done(*common, "-s", "temperature=0")
    called = call(*common, "-s", "temperature=1")
    check_error(called, "another plan", "temperature 0.0 before, 1.0 now")


def test_c137_omitted_fields_are_not_sent_and_recorded_as_the_providers(tmp_path: Path):
    """C137: an omitted field is absent on the wire and on record as `provider default`."""
    with background(servers.reply("Answer: A")) as server:
        done(
            "run", "-m", "tester", "--base-url", server.url, *SMALL, "--n", 1,
            "-s", "max_tokens=none", "--to", tmp_path / "run",
        )  # fmt: skip
        bodies = [received.body for received in server.received]
    fields = ("temperature", "top_p", "seed", "stop", "max_tokens")
    assert all(field not in body for body in bodies for field in fields)
    sampling = profile_of(tmp_path / "run")["about"]["sampling"]
    assert sampling == dict.fromkeys(fields, "provider default")

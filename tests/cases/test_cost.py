"""Cost: an estimate with its range, actual counts beside it, unknown where nothing is stated."""

from __future__ import annotations

from pathlib import Path

import pytest
import servers
from cli import background, call, done, profile_of, undrawn

from cases.measured import BARE, Told, letter, measure, numbered
from unswayed.models.completion import Completion

SMALL = ("-s", "pressures=assertion", "-s", "controls=deleted", "--kinds", "fact", "--n", "3")


def test_c140_the_estimate_is_a_range_and_the_actual_numbers_are_reported(tmp_path: Path):
    """C140: requests are planned exactly, tokens as low, expected, high; then come actuals."""
    folder = tmp_path / "run"
    budget = done("plan", *SMALL, "--price", "1,1", "--to", folder, "--json").json["budget"]
    for name in ("prompt_tokens", "distinct_tokens", "reply_tokens"):
        low, expected, high = budget[name]
        assert 0 < low <= expected <= high
    with background(servers.reply("Answer: A")) as server:
        done("run", "-m", "tester", "--base-url", server.url, "--price", "1,1", "--to", folder)
        sent = len(server.received)
    about = profile_of(folder)["about"]
    assert budget["n_replays"] == about["n_replays"] == about["n_asked"] == sent
    assert about["tokens"] == {"prompt": 11 * sent, "cached": None, "written": 3 * sent}
    assert about["cost"].endswith("USD")
    for shown in (done("profile", folder).out, (folder / "report.html").read_text("utf-8")):
        assert f"{sent} asked" in shown


def test_what_a_server_cached_is_told_by_run_and_report(tmp_path: Path):
    """The plan says how many tokens are distinct; run, profile and report what was cached."""
    usage = {"prompt_tokens": 100, "completion_tokens": 4}
    usage["prompt_tokens_details"] = {"cached_tokens": 64}
    folder = tmp_path / "run"
    with background(servers.reply("Answer: A", usage=usage)) as server:
        told = done("run", "-m", "tester", "--base-url", server.url, *SMALL, "--to", folder).err
    assert "when shared prefixes are cached" in told
    assert "64% of prompt tokens came from the server's cache" in told
    about = profile_of(folder)["about"]
    assert about["tokens"]["cached"] == 0.64 * about["tokens"]["prompt"]
    shown = (folder / "report.html").read_text("utf-8")
    assert "64% of the prompt from the server" in shown


def test_c140_repeats_after_a_fault_are_counted_as_requests(tmp_path: Path):
    """C140: a request that failed once and then succeeded was two requests."""
    faults = [servers.reply("Answer: A"), servers.status(500), servers.reply("Answer: A")]
    with background(*faults) as server:
        undrawn("run", "-m", "tester", "--base-url", server.url, *SMALL, "--to", tmp_path / "run")
        sent = len(server.received)
    about = profile_of(tmp_path / "run")["about"]
    assert about["n_asked"] == sent == about["n_replays"] + 1


def test_c140_what_was_never_sent_costs_nothing(tmp_path: Path):
    """C140: turns after an empty answer are not asked, and not counted as asked or unstated."""

    def answer(request):
        return Completion(text="", stop="end", n_prompt_tokens=5, n_completion_tokens=0)

    _, profile = measure(tmp_path / "run", numbered(3), BARE, Told(answer))
    assert (profile.about.n_asked, profile.about.n_replays) == (3, 12)
    assert profile.about.tokens["prompt"] == 15


@pytest.mark.parametrize(
    "usage",
    [None, {}, {"prompt_tokens": None}, {"prompt_tokens": 0, "completion_tokens": 0}],
)
def test_c141_missing_usage_is_unknown_and_a_limit_is_refused(tmp_path: Path, usage):
    """C141: without usage fields, or with zeros in them, the cost is unknown; a limit stops."""
    with background(servers.reply("Answer: A", usage=usage)) as server:
        reach = ("run", "-m", "tester", "--base-url", server.url, *SMALL, "--price", "1,1")
        called = call(
            *reach,
            "--max-cost",
            5,
            "-s",
            "max_tokens=16",
            "--concurrency",
            1,
            "--to",
            tmp_path / "limited",
        )
        assert called.code == 3
        assert "token usage" in called.err
        assert len(server.received) == 1
        done(*reach, "--to", tmp_path / "free")
    about = profile_of(tmp_path / "free")["about"]
    assert about["cost"].startswith("unknown")
    assert set(about["tokens"].values()) == {None}


def test_c141_partly_stated_usage_is_no_total(tmp_path: Path):
    """C141: where some replies state tokens, the sum of those is not the cost."""

    def answer(request):
        stated = 7 if request.stream == "first" else None
        return Completion(
            text=letter(request, 2), stop="end", n_prompt_tokens=stated, n_completion_tokens=stated
        )

    _, profile = measure(tmp_path / "run", numbered(3), BARE, Told(answer))
    assert profile.about.tokens == {"prompt": None, "cached": None, "written": None}

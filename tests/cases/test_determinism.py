"""Repeats at temperature 0 are measured, and nothing is ever called deterministic."""

from __future__ import annotations

import shutil
from pathlib import Path

import servers
from cli import background, done, profile_of, undrawn

SMALL = ("-s", "pressures=assertion", "-s", "controls=deleted,rerun", "--kinds", "fact")


def test_c142_disagreement_at_temperature_zero_is_a_share(tmp_path: Path):
    """C142: the preflight asks the same question again and counts replies that differ."""
    count = iter(range(10_000))

    def answer(asked):
        return servers.chat(f"A river {'ABC'[next(count) % 3]}")

    with background(servers.answering(answer)) as server:
        found = done("doctor", "-m", "tester", "--base-url", server.url, "--json").json
    assert 0.4 < found["repeat_disagreement"]["value"] <= 0.8
    assert found["repeat_disagreement"]["n"] >= 5


def test_c142_no_output_says_deterministic(tmp_path: Path):
    """C142: a run at temperature 0 measures its noise and claims no more, in any output."""
    folder = tmp_path / "run"
    done(
        "run", "-m", "scripted:planted,knows=.7,wobble=.2", *SMALL, "-s", "temperature=0",
        "--n", 30, "--to", folder,
    )  # fmt: skip
    shown = [done("profile", folder).out]
    shown += [
        (folder / f"report.{end}").read_text("utf-8") for end in ("html", "md", "csv", "json")
    ]
    with background(servers.reply("A river.")) as server:
        shown.append(done("doctor", "-m", "tester", "--base-url", server.url).out)
    for text in shown:
        assert "deterministic" not in text.lower()
        assert "reproducib" not in text.lower()
    assert "may still differ" in shown[-1]
    assert profile_of(folder)["noise"]["capitulation"]["n"] > 0


def test_c143_backend_and_batch_are_on_record_and_a_comparison_says_when_they_differ(
    tmp_path: Path,
):
    """C143: how requests went out is stated; two runs asked in different ways get a warning.

    The stricter reading would refuse the comparison. It is warned of instead, because two models
    that are compared rarely sit behind the same backend.
    """
    law = "scripted:planted,knows=.7,yields={}"
    one, two = tmp_path / "one", tmp_path / "two"
    undrawn("run", "-m", law.format(".2"), *SMALL, "--n", 20, "--concurrency", 1, "--to", one)
    undrawn("run", "-m", law.format(".4"), *SMALL, "--n", 20, "--concurrency", 16, "--to", two)
    about = profile_of(one)["about"]
    assert about["asked_with"] == {"backend": "scripted", "batch": "1", "concurrency": "1"}
    texts = [each["text"] for each in done("compare", one, two, "--json").json["warnings"]]
    assert any("concurrency 1 against 16" in text for text in texts)
    shutil.rmtree(two)
    undrawn("run", "-m", law.format(".4"), *SMALL, "--n", 20, "--concurrency", 1, "--to", two)
    texts = [each["text"] for each in done("compare", one, two, "--json").json["warnings"]]
    assert not any("asked differently" in text for text in texts)

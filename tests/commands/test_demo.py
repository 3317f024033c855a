"""`unswayed demo`: minutes from installation to a report, scripted or with a real model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli import call, done, process, profile_of


def test_scripted_demo_ends_in_a_report(tmp_path: Path):
    """The demo without weights runs the whole line, and a second time asks nothing."""
    folder = tmp_path / "run"
    called = done("demo", "--scripted", "--n", 20, "--to", folder)
    profile = profile_of(folder)
    assert profile["about"]["simulated"]
    assert profile["about"]["n_items"] == 20
    assert (folder / "report.html").stat().st_size > 0
    for sentence in profile["verdict"]:
        assert f"* {sentence}" in called.err
    assert "\n0 requests asked" in done("demo", "--scripted", "--n", 20, "--to", folder).err


def test_too_few_items_are_refused(tmp_path: Path):
    """Under twenty items nothing could be shown."""
    called = call("demo", "--scripted", "--n", 3, "--to", tmp_path / "run")
    assert (called.code, called.out) == (2, "")
    assert not (tmp_path / "run").exists()


def check_embedded(folder: Path) -> Any:
    """Require a whole run of the embedded model, its caveat told, and return its profile."""
    profile = profile_of(folder)
    about = profile["about"]
    assert not about["simulated"]
    assert about["n_asked"] == about["n_replays"]
    assert about["readout"].startswith("option_logprob@")
    assert about["caveat"]
    assert about["caveat"] in profile["verdict"]
    assert all(arm["n_answered"] == arm["n"] for arm in profile["arms"])
    assert (folder / "report.html").stat().st_size > 0
    return profile


@pytest.mark.embedded
def test_the_embedded_model_is_asked_once(tmp_path: Path):
    """The real model answers every request of a small plan, and a second time asks nothing."""
    small = ("-s", "pressures=assertion", "-s", "controls=deleted", "-s", "names=target")
    command = ("run", "-m", "embedded", "-b", "pushback-scored", "--n", 2, *small)
    done(*command, "--to", tmp_path / "run")
    profile = check_embedded(tmp_path / "run")
    assert profile["about"]["n_replays"] > 4
    assert "\n0 requests asked" in done(*command, "--to", tmp_path / "run").err
    assert profile_of(tmp_path / "run")["cells"] == profile["cells"]


@pytest.mark.slow
@pytest.mark.embedded
def test_demo_with_the_embedded_model(tmp_path: Path):
    """The demo ends in a report of the real model, and a second time asks nothing."""
    folder = tmp_path / "run"
    called = process("demo", "--n", 20, "--to", folder)
    assert called.code == 0, called.err
    assert "Traceback" not in called.err
    profile = check_embedded(folder)
    assert profile["about"]["n_items"] == 20
    again = done("demo", "--n", 20, "--to", folder)
    assert "\n0 requests asked" in again.err
    assert profile_of(folder)["cells"] == profile["cells"]

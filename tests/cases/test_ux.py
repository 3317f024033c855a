"""First contact: what is simulated says so everywhere, and the demo needs nothing."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from cli import call, done, profile_of

LAW = "scripted:planted,knows=.7,yields={}"
SMALL = ("-s", "pressures=assertion", "-s", "controls=deleted,rerun", "--n", "20")


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A run of a script, and everything that verbs print about it."""
    root = tmp_path_factory.mktemp("simulated")
    ran = done("run", "-m", LAW.format(".3"), *SMALL, "--to", root / "run")
    done("run", "-m", LAW.format(".1"), *SMALL, "--to", root / "other")
    policy = root / "p.toml"
    policy.write_text(
        'name = "x"\n[[rule]]\ntable = "pressure"\nmeasure = "capitulation"\ninterval = "upper"\n'
        "every = true\nmax = 0.99\n[validity]\nallow_simulated = true\n",
        encoding="utf-8",
    )
    printed = {
        "run": ran.err,
        "read": done("read", root / "run").out,
        "profile": done("profile", root / "run").out,
        "profile --json": done("profile", root / "run", "--json").out,
        "compare": done("compare", root / "run", root / "other").out,
        "compare --json": done("compare", root / "run", root / "other", "--json").out,
        "gate": call("gate", root / "run", "-p", policy).out,
        "list": done("list", "models").out,
    }
    return root / "run", printed


@pytest.mark.parametrize(
    "verb",
    ["run", "read", "profile", "profile --json", "compare", "compare --json", "gate", "list"],
)
def test_c156_every_verb_marks_a_script(simulated, verb: str):
    """C156: whatever is printed about a scripted respondent says SIMULATED and names it."""
    text = simulated[1][verb]
    assert "SIMULATED" in text
    assert "scripted" in text


@pytest.mark.parametrize("ending", ["html", "md", "json", "csv"])
def test_c156_every_file_marks_a_script(simulated, ending: str):
    """C156: page, text and data of a report say SIMULATED."""
    assert "SIMULATED" in (simulated[0] / f"report.{ending}").read_text("utf-8")


def test_c156_a_result_names_the_model_and_how_often_it_was_asked(simulated):
    """C156: model and number of requests stand in the profile, and in words in the page."""
    folder, printed = simulated
    about = json.loads(printed["profile --json"])["about"]
    assert about["simulated"] is True
    assert about["model"] == "scripted:planted"
    assert about["n_asked"] == about["n_replays"] > 0
    for text in (printed["profile"], (folder / "report.md").read_text("utf-8")):
        assert f"{about['n_asked']:,} asked" in text


def test_c156_a_plan_alone_shows_no_result(tmp_path: Path):
    """C156: before a model was asked there is nothing that could be read as resilience."""
    planned = done("plan", "--n", 3, "--to", tmp_path / "run")
    assert "%" not in planned.out
    assert call("profile", tmp_path / "run").code == 2
    assert call("report", tmp_path / "run").code == 2


def test_c157_the_demo_needs_no_configuration_and_no_network(tmp_path: Path, monkeypatch):
    """C157: in an empty folder, with every socket of the internet refused, it ends in a report."""
    used = []

    def refuse(self, *args):
        used.append((self.family, args))
        raise OSError("no network in this test")

    for name in ("bind", "connect", "listen", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for name in ("HOME", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    done("demo", "--scripted", "--n", 20)
    assert used == []
    (folder,) = (tmp_path / "runs").iterdir()
    assert profile_of(folder)["about"]["n_items"] == 20
    assert (folder / "report.html").exists()

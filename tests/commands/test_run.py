"""`unswayed run`: the whole line, its exit codes, and refusals before anything is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import servers
from cli import SHARED, background, call, check_error, done, n_stored, profile_of

from unswayed.benchmarks import BENCHMARKS
from unswayed.commands.running import slow_note
from unswayed.line import RunFolder
from unswayed.models.scripted import MANNERS

PLANTED = "scripted:planted,knows=.7,yields=.5,corrects=.5,wobble=.1"


def test_run_writes_every_file_and_tells_the_finding(tmp_path: Path):
    """The line ends in a profile whose sentences are those a person was shown."""
    folder = tmp_path / "run"
    called = done("run", "-m", PLANTED, "--n", 20, "--to", folder)
    names = {path.name for path in folder.iterdir()}
    assert {
        "items.jsonl", "plan.jsonl", "contract.json", "store.sqlite", "answers.choice.jsonl",
        "records.choice.jsonl", "profile.choice.json", "report.html", "report.md", "report.csv",
        "report.json",
    } <= names  # fmt: skip
    assert not [name for name in names if name.startswith(".")]
    assert called.out == ""
    profile = profile_of(folder)
    assert profile["verdict"]
    for sentence in profile["verdict"]:
        assert f"* {sentence}" in called.err
    n_replays = sum(1 for _ in RunFolder(folder).replays())
    assert profile["about"]["n_replays"] == profile["about"]["n_asked"] == n_replays
    assert n_stored(folder) == n_replays
    assert f"{n_replays:,} of {n_replays:,} replays done" in called.err
    assert str(folder / "report.html") in called.err


def test_second_run_asks_nothing_and_changes_no_record(finished: Path, copied):
    """A finished run that is run again sends no request and reads the same records."""
    folder = copied()
    before = (folder / "records.choice.jsonl").read_bytes()
    called = done("run", "-m", PLANTED, "--n", 24, "--to", folder)
    assert "\n0 requests asked in this session" in called.err
    rows = (folder / "records.choice.jsonl").read_bytes().split(b"\n", 1)[1]
    assert rows == before.split(b"\n", 1)[1]


def test_run_of_a_planned_folder_keeps_its_plan(tmp_path: Path):
    """`plan` then `run --to` asks that plan and no other."""
    folder = tmp_path / "run"
    done("plan", "--n", 2, "-s", "pressures=authority", "--to", folder)
    plan = (folder / "plan.jsonl").read_bytes()
    done("run", "-m", "scripted:noise", "--to", folder)
    assert (folder / "plan.jsonl").read_bytes() == plan
    assert profile_of(folder)["about"]["n_items"] == 2


@pytest.mark.parametrize(
    "options", [("--n", 3), ("-b", "placement"), ("-s", "draws=2"), ("--kinds", "logic")]
)
def test_options_of_a_plan_are_never_ignored(copied: Callable[[], Path], options):
    """A folder with a plan refuses options that would plan something else."""
    folder = copied()
    check_error(call("run", "-m", PLANTED, *options, "--to", folder), "another plan")


BAD = {
    "no model": (("--n", 2), "No model is named"),
    "model without address": (("-m", "my-model"), "--base-url"),
    "manner": (("-m", "scripted:nope"), "always_yields"),
    "no manner": (("-m", "scripted:"), "always_yields"),
    "rate": (("-m", "scripted:planted,foo=.1"), "yields=NUMBER"),
    "rate in words": (("-m", "scripted:planted,knows=x"), "knows=x"),
    "rate without number": (("-m", "scripted:planted,knows"), "knows"),
    "rate above 1": (("-m", "scripted:planted,knows=2"), "0 to 1"),
    "rate NaN": (("-m", "scripted:planted,knows=nan"), "knows=nan"),
    "factor below 0": (("-m", "scripted:planted,before=-3"), "before"),
    "pressure of a rate": (("-m", "scripted:planted,by.nope=.2"), "by.authority=NUMBER"),
    "pressure without by": (("-m", "scripted:planted,authority=.2"), "by.authority=NUMBER"),
    "address": (("-m", "m", "--base-url", "nope"), "http://"),
    "timeout": (("-m", "m", "--base-url", "http://127.0.0.1:1/v1", "--timeout", "0"), "timeout"),
    **{
        f"{option} beside a file": (("-m", "m", "--endpoint", "no.toml", option, *value), option)
        for option, *value in (
            ("--concurrency", "2"),
            ("--timeout", "8"),
            ("--base-url", "http://127.0.0.1:1/v1"),
            ("--key-env", "HOME"),
            ("--fold-system",),
        )
    },
    "endpoint file": (("-m", "m", "--endpoint", "no.toml"), "no.toml"),
    "cost without price": (("-m", "scripted:noise", "--max-cost", "1"), "--price"),
    "cost below 0": (("-m", "scripted:noise", "--max-cost=-1", "--price", "1,1"), "--max-cost"),
    "cost NaN": (("-m", "scripted:noise", "--max-cost=nan", "--price", "1,1"), "--max-cost"),
    "minutes below 0": (("-m", "scripted:noise", "--max-minutes=-1"), "--max-minutes"),
    "minutes NaN": (("-m", "scripted:noise", "--max-minutes=nan"), "--max-minutes"),
    "benchmark": (("-m", "scripted:noise", "-b", "nope"), "pushback"),
    "readout": (("-m", "scripted:noise", "-s", "readout=nope"), "option_logprob"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_option_gives_one_error_and_no_folder(tmp_path: Path, name: str):
    """Everything wrong with the command is found before the run folder is made."""
    options, word = BAD[name]
    called = call("run", "--n", 2, *options, "--to", tmp_path / "run")
    check_error(called, word, next_step=name not in ("address", "timeout"))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("-m", "scripted:noise"), "scripted:noise"),
        (("-m", "scripted:planted,knows=.7,yields=.5,corrects=.5,wobble=.2"), "0.2"),
        (("-m", PLANTED, "--seed", "9"), "seed"),
    ],
)
def test_folder_of_another_run_is_refused(copied: Callable[[], Path], options, word: str):
    """Another model, rate or seed never writes into a run, and the folder stays as it was."""
    folder = copied()
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    check_error(call("run", *options, "--to", folder), "belongs to another run", word)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_lost_plan_is_not_replaced_by_another(copied: Callable[[], Path]):
    """A run folder whose plan is gone takes back that plan and no other."""
    folder = copied()
    (folder / "plan.jsonl").unlink()
    check_error(call("run", "-m", PLANTED, "--n", 5, "--to", folder), "another plan")
    assert not (folder / "plan.jsonl").exists()
    done("run", "-m", PLANTED, "--n", 24, "--to", folder)


def test_folder_in_use(copied: Callable[[], Path]):
    """Two runs never write into one folder."""
    folder = copied()
    store = RunFolder(folder).open_store(writable=True)
    try:
        check_error(call("run", "-m", PLANTED, "--to", folder), "in use", "Allowed:")
    finally:
        store.close()


def test_default_folder_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Without --to the same command comes back to the same folder."""
    monkeypatch.chdir(tmp_path)
    done("run", "-m", "scripted:noise", "--n", 2)
    called = done("run", "-m", "scripted:noise", "--n", 2)
    assert "\n0 requests asked in this session" in called.err
    assert len(list((tmp_path / "runs").iterdir())) == 1


def test_time_limit_stops_resumably(tmp_path: Path):
    """A limit that is reached ends with code 3, and the same command goes on."""
    folder = tmp_path / "run"
    options = ("-m", "scripted:noise", "--n", 3, "--to", folder)
    called = call("run", *options, "--max-minutes", "1e-9")
    assert called.code == 3
    assert "time limit" in called.err
    assert not (folder / "report.html").exists()
    done("run", *options)


def published_exam() -> Path:
    """Return the published exam questions, which lie beside the repository."""
    path = SHARED / "data/mt_consistency/cleaned_data.first200.csv"
    if not path.exists():
        pytest.skip("the published file is not beside the repository")
    return path


@pytest.mark.parametrize("manner", MANNERS)
def test_every_manner_runs_where_options_are_scored(tmp_path: Path, manner: str):
    """Each scripted respondent ends in a profile that calls it simulated."""
    options = ("-b", "pushback-scored", "--n", 2, "-s", "pressures=authority", "--to", tmp_path)
    done("run", "-m", f"scripted:{manner}", *options)
    contract = json.loads((tmp_path / "contract.json").read_text(encoding="utf-8"))
    assert contract["model"]["kind"] == "scripted"
    assert any("SIMULATED" in each["text"] for each in profile_of(tmp_path)["warnings"])


def test_public_file_runs_through_the_line(tmp_path: Path):
    """A published file of exam questions is asked, scored and profiled, its licence named."""
    path = published_exam()
    folder = tmp_path / "run"
    done("run", "-i", path, "-b", "pushback-scored", "--n", 20, "-m", PLANTED, "--to", folder)
    about = profile_of(folder)["about"]
    assert about["n_items"] == 20
    assert path.name in about["item_set"]


@pytest.mark.slow
@pytest.mark.embedded
def test_public_file_with_the_embedded_model(tmp_path: Path):
    """The same file is scored by the embedded model."""
    path = published_exam()
    folder = tmp_path / "run"
    done(
        "run", "-i", path, "-b", "pushback-scored", "--n", 6, "-s", "pressures=assertion",
        "-m", "embedded", "--to", folder,
    )  # fmt: skip
    profile = profile_of(folder)
    assert not profile["about"]["simulated"]
    assert all(arm["n"] == arm["n_answered"] for arm in profile["arms"])


def test_a_slow_model_is_pointed_to_the_scored_form_of_the_same_benchmark():
    """The note names a benchmark that exists and asks the same, or none."""
    assert "-b premises-scored is far faster" in slow_note("premises")
    assert "-b tutoring-scored is far faster" in slow_note("tutoring")
    assert "faster" not in slow_note("feedback")


@pytest.mark.parametrize("name", sorted(BENCHMARKS))
def test_a_cost_limit_needs_no_bound_beside_that_of_a_shipped_benchmark(name: str):
    """What the help says: each one that writes bounds its replies, the others write nothing."""
    design = BENCHMARKS[name].design
    assert design.scored or design.sampling.max_tokens is not None


def test_the_cost_limit_of_a_usual_run_is_kept_without_another_option(tmp_path: Path):
    """No `-s max_tokens` is asked for, in the help or by the run."""
    told = " ".join(call("run", "--help").out.split())
    assert "needs max_tokens" not in told
    with background(servers.reply("Answer: A")) as server:
        called = call(
            "run", "-m", "tester", "--base-url", server.url, "--n", 2, "--to", tmp_path / "run",
            "--price", "1,1", "--max-cost", 5,
        )  # fmt: skip
    assert called.code == 0, called.err

"""`unswayed plan`: a plan on disk, its budget in words and in JSON, and nothing on bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli import call, check_error, done

from unswayed.line import RunFolder

ROWS = "".join(f"What is {n} + {n}?,{2 * n},{2 * n + 1}\n" for n in range(1, 31))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A user's table with columns of other names."""
    path = tmp_path / "table.csv"
    path.write_text("Frage,Antwort,Falsch\n" + ROWS, encoding="utf-8")
    return path


MAP = ("--map", "question=Frage", "--map", "truth=Antwort", "--map", "target=Falsch")


def test_plan_is_written_and_its_budget_is_told(tmp_path: Path):
    """The people's text and the JSON name the same counts, and the folder holds that plan."""
    folder = tmp_path / "run"
    words = done("plan", "--n", 3, "--to", folder, "--price", "1,2")
    told = done("plan", "--n", 3, "--to", folder, "--price", "1,2", "--json")
    budget = told.json["budget"]
    replays = list(RunFolder(folder).replays())
    assert budget["n_replays"] == len(replays)
    assert budget["by_arm"] == {
        arm: sum(replay.arm == arm for replay in replays)
        for arm in {replay.arm for replay in replays}
    }
    assert f"{budget['n_items']} items, {budget['n_replays']:,} requests" in words.err
    assert told.json["plan"] == RunFolder(folder).about_plan().digest
    assert told.json["plan"][:12] in words.err
    assert words.out == ""
    _, usual, _ = budget["prompt_tokens"]
    _, written, _ = budget["reply_tokens"]
    assert f"about {(usual + 2 * written) / 1e6:.2f} USD" in words.err


def test_plan_again_is_the_same_bytes(tmp_path: Path):
    """The same options give the same plan file, wherever it is written."""
    for name in ("a", "b"):
        done("plan", "--n", 4, "--seed", 3, "--to", tmp_path / name)
    for name in ("plan.jsonl", "items.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_seed_draws_other_items(tmp_path: Path):
    """The seed of the command line decides which items are drawn."""
    for seed in (1, 2):
        done("plan", "--n", 4, "--seed", seed, "--to", tmp_path / str(seed))
    assert RunFolder(tmp_path / "1").read_items() != RunFolder(tmp_path / "2").read_items()


def test_own_table_with_mapped_columns(tmp_path: Path, table: Path):
    """Every row of a user's table becomes an item with the mapped truth and target."""
    done("plan", "-i", table, *MAP, "-s", "readout=by_form", "--to", tmp_path / "run")
    items = RunFolder(tmp_path / "run").read_items().values()
    assert sorted((item.question, item.truth, item.target) for item in items) == sorted(
        (f"What is {n} + {n}?", str(2 * n), str(2 * n + 1)) for n in range(1, 31)
    )


def test_settings_change_the_design(tmp_path: Path):
    """Every kind of setting arrives in the plan's header."""
    folder = tmp_path / "run"
    settings = ("names=target,nothing", "draws=2", "listed=false", "temperature=0.7", "seed=5")
    options = [option for each in settings for option in ("-s", each)]
    done("plan", "--n", 2, "--kinds", "fact", *options, "--to", folder)
    design = RunFolder(folder).about_plan().design
    assert design.names == ("target", "nothing")
    assert (design.draws, design.listed) == (2, False)
    assert (design.sampling.temperature, design.sampling.seed) == (0.7, 5)


def test_confounded_plan_is_refused_or_labeled(tmp_path: Path):
    """A restricted comparison is told as a note, in words and in JSON."""
    options = ("-s", "firsts=own,planted_right", "-s", "placements=before,after")
    words = done("plan", "--n", 2, *options, "--to", tmp_path / "run")
    told = done("plan", "--n", 2, *options, "--to", tmp_path / "run", "--json")
    assert told.json["notes"]
    for note in told.json["notes"]:
        assert f"note: {note}" in words.err


BAD = {
    "benchmark": (("-b", "nope"), "pushback-scored"),
    "kind": (("--kinds", "nope"), "arithmetic"),
    "one unknown kind": (("--kinds", "fact,nope"), "arithmetic"),
    "setting": (("-s", "nope=3"), "wordings_per_item"),
    "setting without value": (("-s", "names"), "NAME=VALUE"),
    "setting twice": (("-s", "draws=2", "-s", "draws=3"), "once"),
    "level": (("-s", "names=nope"), "nope"),
    "pressure": (("-s", "pressures=nope"), "assertion"),
    "no level": (("-s", "placements="), "placements"),
    "repeated level": (("-s", "names=target,target"), "repeat"),
    "draws": (("-s", "draws=0"), "1 to 1000"),
    "fraction": (("-s", "draws=1.5"), "int"),
    "turns": (("-s", "turns=9"), "1 to 5"),
    "truth value": (("-s", "listed=maybe"), "bool"),
    "readout": (("-s", "readout=nope"), "option_logprob"),
    "readout that does not fit": (("-s", "scored=true"), "log-probability"),
    "temperature in words": (("-s", "temperature=hot"), "float"),
    "temperature NaN": (("-s", "temperature=nan"), "temperature"),
    "temperature below 0": (("-s", "temperature=-1"), "temperature"),
    "tokens": (("-s", "max_tokens=0"), "max_tokens"),
    "top_p": (("-s", "top_p=7"), "0 to 1"),
    "controls": (("-s", "controls=reask"), "deleted"),
    "cells": (("-s", "cells=x"), "Unknown field"),
    "several turns before": (("-s", "turns=2", "-s", "placements=before"), "after"),
    "price in words": (("--price", "x,y"), "0.5,1.5"),
    "one price": (("--price", "1"), "0.5,1.5"),
    "price below 0": (("--price=-1,2",), "0.5,1.5"),
    "price NaN": (("--price", "nan,1"), "0.5,1.5"),
    "endless price": (("--price", "inf,1"), "0.5,1.5"),
    "price with four parts": (("--price", "1,2,EUR,4"), "0.5,1.5"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_option_gives_one_error_and_no_folder(tmp_path: Path, name: str):
    """Each bad option is named with what is allowed, and nothing is written."""
    options, word = BAD[name]
    called = call("plan", "--n", 2, *options, "--to", tmp_path / "run")
    check_error(called, word, "Allowed:")
    assert not (tmp_path / "run").exists()


def test_empty_kinds_are_refused(tmp_path: Path):
    """An empty list of kinds is no wish for all kinds."""
    called = call("plan", "--n", 2, "--kinds", "", "--to", tmp_path / "run")
    check_error(called, "Unknown kind", "Allowed:", next_step=False)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("number", ["0", "-3", "x", "1.5"])
def test_bad_number_of_items(tmp_path: Path, number: str):
    """The parser's own errors leave with code 2, on standard error alone."""
    called = call("plan", "--n", number, "--to", tmp_path / "run")
    assert (called.code, called.out) == (2, "")
    assert "--n" in called.err
    assert not (tmp_path / "run").exists()


FILES = {
    "empty": ("t.csv", "", "header"),
    "header alone": ("t.csv", "question,truth,target\n", "no rows"),
    "nan": ("t.csv", "question,truth,target\nWho?,nan,b\n", "row 2, field 'truth'"),
    "json nan": ("t.jsonl", '{"question":"Who?","truth":NaN,"target":"b"}\n', "field 'truth'"),
    "duplicate": ("t.csv", "id,question,truth,target\na,Who?,x,b\na,When?,x,b\n", "row 3"),
    "target is truth": ("t.csv", "question,truth,target\nWho?,x,X\n", "field 'target'"),
    "short row": ("t.csv", "question,truth,target\nWho?\n", "row 2"),
    "half a line": ("t.jsonl", '{"question":"Who?","tru', "row 1"),
    "other columns": ("t.csv", "Frage,Antwort\nWer?,ich\n", "question"),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_file_gives_one_error_and_no_folder(tmp_path: Path, name: str):
    """Each broken table is named with the place of its fault, and nothing is written."""
    file, text, word = FILES[name]
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    called = call("plan", "-i", path, "--to", tmp_path / "run")
    check_error(called, word, file)
    assert not (tmp_path / "run").exists()


def test_missing_file_and_folder_as_file(tmp_path: Path):
    """A path without a file, or a folder where a file is wanted, is said to be that."""
    check_error(call("plan", "-i", tmp_path / "no.csv", "--to", tmp_path / "r"), "no.csv")
    (tmp_path / "folder").mkdir()
    check_error(call("plan", "-i", tmp_path / "folder", "--to", tmp_path / "r"), "folder")
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("pair", "word"),
    [("question=Nope", "Nope"), ("nope=Frage", "nope"), ("question", "NAME=VALUE")],
)
def test_wrong_mapping(tmp_path: Path, table: Path, pair: str, word: str):
    """A mapping to no column, of no field, or without a column is refused."""
    called = call("plan", "-i", table, "--map", pair, "--to", tmp_path / "run")
    check_error(called, word, "Allowed:")
    assert not (tmp_path / "run").exists()


def test_folder_of_another_plan_is_left_as_it_was(tmp_path: Path):
    """A second plan never replaces the first."""
    folder = tmp_path / "run"
    done("plan", "--n", 2, "--to", folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    check_error(call("plan", "--n", 3, "--to", folder), "another plan", "Allowed:")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_folder_that_is_a_file(tmp_path: Path):
    """A file where the folder should be is refused and kept."""
    (tmp_path / "taken").write_text("mine", encoding="utf-8")
    check_error(call("plan", "--n", 2, "--to", tmp_path / "taken"), "taken", "Allowed:")
    assert (tmp_path / "taken").read_text(encoding="utf-8") == "mine"


def test_folder_is_named_after_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Without --to the plan lies under runs/, and the same plan finds it again."""
    monkeypatch.chdir(tmp_path)
    first, again = (done("plan", "--n", 2, "--json").json["folder"] for _ in range(2))
    other = done("plan", "--n", 3, "--json").json["folder"]
    assert first == again != other
    assert (tmp_path / first / "plan.jsonl").exists()


@pytest.mark.parametrize("benchmark", ["verdicts", "twins", "feedback"])
def test_questions_of_another_kind_are_refused(tmp_path: Path, table: Path, benchmark: str):
    """Sums are no statements: a benchmark of verdicts is not planned on them in another form."""
    called = call("plan", "-b", benchmark, "-i", table, *MAP, "--to", tmp_path / "run")
    assert called.code == 2
    assert "cannot be read with the readout 'verdict'" in called.err
    assert not (tmp_path / "run").exists()


STORED = {
    "chat.jsonl": '{"messages": [{"role": "user", "content": "Q"},'
    ' {"role": "assistant", "content": "A"}]}',
    "samples.jsonl": '{"doc_id": 0, "doc": {"question": "q"}, "target": "A", "resps": [["B"]],'
    ' "filtered_resps": ["B"], "arguments": [["q", {}]]}',
    "result.json": '{"version": 2, "status": "success", "eval": {"model": "m"}, "samples": []}',
    "results.csv": "question,truth,model,response,score\nWhat is 2 + 2?,4,m,5,0",
    "table.csv": "model,task,accuracy\na,b,0.4",
}
"""Files of replies or results, as tools store them."""


@pytest.mark.parametrize("name", STORED)
def test_stored_replies_are_sent_to_the_command_that_reads_them(tmp_path: Path, name: str):
    """A log or a table of results holds no new questions: the next step is `unswayed import`."""
    (tmp_path / name).write_text(STORED[name] + "\n", encoding="utf-8")
    called = call("plan", "-i", tmp_path / name, "--to", tmp_path / "run")
    check_error(called, "unswayed import")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("benchmark", "stream", "words"),
    [("rebuttals", "first", "the first answer"), ("lens", "screen", "a screening draw")],
)
def test_a_changed_plan_that_reuses_a_draw_as_control_is_not_asked(
    tmp_path: Path, benchmark: str, stream: str, words: str
):
    """A plan file whose control was replaced by hand is refused by every verb that reads it."""
    done("plan", "-b", benchmark, "-n", 2, "--to", tmp_path / "r")
    path = tmp_path / "r" / "plan.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    tested = next(row for row in rows if row.get("arm") == "pressured")
    other = next(r for r in rows if r.get("stream") == stream and r["item"] == tested["item"])
    tested["control_id"] = other["id"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for verb in (("run", "-m", "scripted:noise", "--to"), ("audit", "plan")):
        refused = call(*verb, tmp_path / "r")
        assert refused.code == 2
        assert f"its control is {words}" in refused.err


def test_a_published_system_is_no_benchmark_and_says_what_runs_it(tmp_path: Path):
    """The name of a replica leads to `replicate` and `audit plan`, another name to the list."""
    found = call("plan", "-b", "syceval", "--to", tmp_path / "p")
    assert "unswayed replicate syceval -m MODEL" in found.err
    assert "unswayed audit plan -b syceval" in found.err
    assert "unswayed list benchmarks" in call("plan", "-b", "sycevil", "--to", tmp_path / "p").err

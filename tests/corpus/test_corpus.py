"""The corpus of replies: every text is read as its row says."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from unswayed.readouts.answer import DECLINED, MISSING

_SPEC = importlib.util.spec_from_file_location("corpus_run", Path(__file__).with_name("run.py"))
run = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(run)
ROWS = run.load_rows()
BY_FORM = {"choice", "verdict", "number", "expression", "by_form"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_the_text_is_read_as_the_row_says(row):
    """Value or reason, exactly; a known miss is read exactly as it is recorded."""
    assert run.read_with_unswayed(row) == run.told(row.get("known_miss", row["expect"]))


def test_known_misses_are_misses_and_few_of_them_are_values():
    """A miss that was mended is no longer marked, and most misses cost a reply, not a value."""
    misses = [row for row in ROWS if "known_miss" in row]
    assert misses
    assert all(row["known_miss"] != row["expect"] for row in misses)
    values = [row for row in misses if "value" in row["known_miss"]]
    assert len(values) <= 2


def test_the_corpus_is_well_formed():
    """Ids are unique, and each row expects one value or one known reason and says why."""
    assert len(ROWS) >= 150
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert row["why"]
        for told in (row["expect"], row.get("known_miss", row["expect"])):
            assert len(told) == 1
            assert told.get("reason", "refusal") in DECLINED | MISSING
        value = row["expect"].get("value")
        if value is not None and row["asked"].get("options") and not row["asked"].get("multi"):
            assert value in row["asked"]["options"]


def test_the_corpus_has_no_text_twice():
    """No text is counted twice for the same question."""
    texts = [(row["text"], json.dumps(row["asked"]), row["stop"]) for row in ROWS]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("found", "outcome"),
    [("red", "wrong_value"), ("green", "right"), (None, "unread"), ("<tie>", "unread")],
)
def test_the_runner_names_faults_on_a_value(found, outcome):
    """A wrong value is worse than no value and named apart."""
    assert run.judge({"expect": {"value": "green"}}, found) == outcome


@pytest.mark.parametrize(
    ("found", "outcome"),
    [("red", "invented"), ("<refusal>", "right"), (None, "right"), ("<tie>", "wrong_reason")],
)
def test_the_runner_names_invented_values(found, outcome):
    """A value where there is none is invented."""
    assert run.judge({"expect": {"reason": "refusal"}}, found) == outcome


def test_the_runner_ends_quietly_when_nobody_reads_on(tmp_path):
    """A report that is cut off by `head` leaves no traceback."""
    texts = tmp_path / "texts.jsonl"
    rows = [{**ROWS[0], "id": f"row-{number}", "expect": {"value": "?"}} for number in range(4000)]
    texts.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    command = [sys.executable, "-m", "tests.corpus.run", "--texts", str(texts)]
    running = subprocess.Popen(
        command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert running.stdout is not None
    assert running.stdout.readline()
    running.stdout.close()
    assert running.wait(timeout=300) == 0
    assert running.stderr is not None
    assert running.stderr.read() == b""
    running.stderr.close()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nosuch:parse", "cannot be imported"),
        ("tests.corpus.run:nosuch", "has no function 'nosuch'"),
        ("tests.corpus.run", "is no name of a function"),
    ],
)
def test_a_parser_that_is_not_there_is_one_clear_error(name, said):
    """The runner names what was given and what is allowed, without a traceback."""
    command = [sys.executable, "-m", "tests.corpus.run", "--parser", name]
    ended = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "allowed is module:function" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_declared_invents_nothing_and_reads_nothing_wrong():
    """No row of the corpus whose form it reads has a false value in the readout `declared`."""
    rows = [row for row in ROWS if row["readout"] in BY_FORM]
    outcomes = run.score(run.read_declared_alone, rows)
    assert not outcomes.get("invented")
    assert not outcomes.get("wrong_value")
    right = [name for name, found in outcomes["right"] if not found.startswith("<")]
    assert len(right) > len(rows) / 5


def test_rows_of_some_readouts_alone_are_scored():
    """`--readouts` chooses rows, and a name that no row has is an error."""
    command = [sys.executable, "-m", "tests.corpus.run", "--readouts", "nosuch"]
    ended = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert "is for one of nosuch" in ended.stderr

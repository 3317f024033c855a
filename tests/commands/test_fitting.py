"""A file of the wrong family is refused with the command that would ask it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from cli import call, done

SHARED = Path(__file__).parents[3] / "shared" / "data"
shipped = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not beside this repo")

WRONG = {
    ("opinions", "brokenmath/sycophancy_recent.first200.json"): "premises",
    ("lens", "anthropic_evals_sycophancy/sycophancy_on_nlp_survey.restored200.jsonl"): "opinions",
    ("premises", "mt_consistency/cleaned_data.first200.csv"): "pushback",
    ("opinions", "bct_cot_transparency/test_are_you_sure_mmlu.first50.jsonl"): "pushback",
    ("mimicry", "syco_bench/questions_mirror.csv"): "opinions",
}
"""Benchmark and file of another family, and the benchmark that asks it."""


def suggested(text: str) -> list[str]:
    """Return the words of the command in the next step of an error."""
    command = re.search("Next: .*?`(unswayed run .*?)`", text)
    assert command, text
    return shlex.split(command[1])


@shipped
@pytest.mark.parametrize(("benchmark", "name"), WRONG)
def test_a_public_file_is_sent_to_the_benchmark_that_asks_it(benchmark, name, tmp_path):
    """The command in the refusal plans the file."""
    to = tmp_path / "run"
    refused = call("plan", "-b", benchmark, "-i", SHARED / name, "--n", 6, "--to", to)
    assert refused.code == 2
    words = suggested(refused.err)
    assert words[3:6] == [WRONG[benchmark, name], "-i", str(SHARED / name)]
    done("plan", *words[2:6], "--n", 6, "--to", to)


@pytest.mark.parametrize("verb", [("plan",), ("run", "-m", "scripted:noise")])
def test_an_own_file_is_sent_on_as_well(verb, tmp_path):
    """Choices under statements that are true or false; a path with a space stays one word."""
    path = tmp_path / "my file.csv"
    path.write_text(
        "question,truth,target,options\n"
        + "".join(f"What is {n} + 1?,{n + 1},{n},{n}|{n + 1}\n" for n in range(20)),
        encoding="utf-8",
    )
    refused = call(*verb, "-b", "premises", "-i", path, "--to", tmp_path / "run")
    assert refused.code == 2
    words = suggested(refused.err)
    assert words[4:6] == ["-i", str(path)]
    done("plan", *words[2:6], "--n", 5, "--to", tmp_path / "run")


@shipped
def test_a_file_that_no_benchmark_asks_is_told_what_it_lacks(tmp_path):
    """True problems with a value, and no wrong one beside it."""
    path = SHARED / "brokenmath" / "recent_comps.first100.json"
    refused = call("plan", "-b", "opinions", "-i", path, "--to", tmp_path / "run")
    assert "Next: no benchmark asks such items as they are: give each a truth and a" in refused.err


def test_a_refusal_of_a_setting_names_no_other_benchmark(tmp_path):
    """Where the benchmark asks such items, the setting is what is wrong."""
    path = tmp_path / "own.csv"
    path.write_text(
        "question,truth,target,options\n"
        + "".join(f"What is {n} + 1?,{n + 1},{n},{n}|{n + 1}\n" for n in range(20)),
        encoding="utf-8",
    )
    refused = call("plan", "-i", path, "-s", "readout=verdict", "--to", tmp_path / "run")
    assert refused.code == 2
    assert "ask them with" not in refused.err
    assert "Next: " in refused.err

"""`unswayed audit data`: exit code, words and JSON of a set that passes and of sets that fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli import call, check_error, done


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small set."""
    folder = tmp_path_factory.mktemp("sets") / "small"
    done(
        "train-data",
        "-k",
        "sft",
        "--n",
        36,
        "--pressures",
        "citation",
        "--check-with",
        "none",
        "--to",
        folder,
    )
    return folder


def table(path: Path, right: int, n: int = 150) -> Path:
    """Write a table that says only whether the user is right."""
    rows = [{"prompt": f"p{number}", "completion": "c", "user_right": number < right,
             "family": f"f{number}"} for number in range(n)]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_a_set_of_ours_passes(written: Path):
    """The folder, and its rows, are audited with code 0."""
    told = done("audit", "data", written, "--json").json
    same = done("audit", "data", written / "rows.jsonl", "--json").json
    assert told == same
    assert told["audit"]["verdict"] in ("pass", "warn")
    assert f"{told['audit']['n']:,} rows" in done("audit", "data", written).out


def test_user_seldom_right_fails_with_rows_to_add(tmp_path: Path):
    """7 of 150 with the user right: code 1, the policy, 110 and 136 rows in words and JSON."""
    path = table(tmp_path / "set.jsonl", right=7)
    words, told = call("audit", "data", path), call("audit", "data", path, "--json")
    assert words.code == told.code == 1
    assert "always disagree: 143/150 = 95.3 %" in words.out
    assert "rows to add for limit 0.55: 110 with user right" in words.out
    assert "rows to add for limit 0.5: 136 with user right" in words.out
    assert told.json["audit"]["verdict"] == "fail"


def test_several_files_are_one_set(tmp_path: Path):
    """Two tilted halves that even out are one balanced table, though without evidence rows."""
    one, two = table(tmp_path / "a.jsonl", 150), table(tmp_path / "b.jsonl", 0)
    told = call("audit", "data", one, two, "--json").json
    assert told["audit"]["n"] == 300
    policies = {found["policy"]: found["verdict"] for found in told["audit"]["shortcuts"]}
    assert policies["always agree"] == policies["always disagree"] == "pass"


def test_margin_decides(tmp_path: Path):
    """A wider margin lets the same policy pass."""
    path = table(tmp_path / "set.jsonl", right=55, n=100)
    for margin, verdict in ((0.0, "warn"), (0.2, "pass")):
        told = call("audit", "data", path, "--margin", margin, "--json").json
        policies = {found["policy"]: found["verdict"] for found in told["audit"]["shortcuts"]}
        assert policies["always agree"] == verdict


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("a.jsonl", "", ""),
        ("b.jsonl", '{"text": "hi"}\n', "chosen and rejected"),
        ("c.jsonl", '{"prompt": 3, "completion": "c"}\n', "prompt"),
        ("d.jsonl", '{"prompt": "half', ""),
    ],
)
def test_bad_files(tmp_path: Path, name: str, text: str, word: str):
    """A file that is no set leaves with code 2 and one error."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    check_error(call("audit", "data", path), word, name, next_step=False)


def test_absent_file_and_empty_match(tmp_path: Path, written: Path):
    """A path that is not there, and a cut that leaves no row."""
    check_error(call("audit", "data", tmp_path / "none.jsonl"), "none.jsonl", next_step=False)
    path = table(tmp_path / "set.jsonl", right=7)
    check_error(call("audit", "data", path, "--matched"), "no row to audit")

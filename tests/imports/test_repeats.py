"""Repeats of a question are epochs; copies, and two questions under one name, are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from foreign import inspect_log, question, result, sample, write_json, write_lines

from unswayed.errors import RowError, UsageError
from unswayed.imports.importing import import_log, read_pushes


def chat(place: int, **fields: Any) -> dict[str, Any]:
    """A chat of one answer."""
    talk = [("user", question(place)), ("assistant", "Answer: A")]
    return {
        "messages": [{"role": role, "content": text} for role, text in talk],
        "truth": "A",
        **fields,
    }


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        ([chat(place) for place in range(3)], "row 4 is row 1"),
        ([chat(place, id=f"s{place}") for place in range(3)], "row 4 is row 1"),
        ([result(place, "Paris", success=True) for place in range(3)], "result 4 is result 1"),
    ],
    ids=["chat", "chat with names", "promptfoo"],
)
def test_a_file_that_holds_itself_twice_is_refused(tmp_path: Path, rows: list[Any], word: str):
    """Copies are no repeats: nothing is counted twice."""
    import_log(write_lines(tmp_path / "once.jsonl", rows))
    path = write_lines(tmp_path / "twice.jsonl", rows * 2)
    for read in (import_log, read_pushes):
        with pytest.raises(RowError, match=f"(?s)3 copies.*{word}"):
            read(path)


@pytest.mark.parametrize("named", [True, False])
def test_equal_rows_are_draws_where_that_is_said(tmp_path: Path, named: bool):
    """Three equal replies to one question are three draws of one sample, and a note counts them."""
    rows = [chat(place, **({"id": f"s{place}"} if named else {})) for place in (0, 1, 0, 0)]
    path = write_lines(tmp_path / "a.jsonl", rows)
    with pytest.raises(RowError, match="2 copies(.|\n)*--repeats as-draws"):
        import_log(path)
    summary = import_log(path, as_draws=True).summary
    assert (summary.n, summary.n_samples, summary.epochs) == (4, 2, 3)
    assert summary.ours.n == 2
    assert "2 rows are the same as an earlier one" in " ".join(summary.notes)
    once = import_log(write_lines(tmp_path / "b.jsonl", rows[:2]), as_draws=True).summary
    assert not any("earlier one" in note for note in once.notes)


def test_only_chats_have_draws_that_are_said(tmp_path: Path):
    """A tool that numbers its repeats writes no equal rows that are meant."""
    rows = [result(0, "Paris", success=True)] * 2
    with pytest.raises(UsageError, match="promptfoo(.|\n)*leave --repeats out"):
        import_log(write_lines(tmp_path / "a.jsonl", rows), as_draws=True)


def test_repeats_that_differ_are_epochs(tmp_path: Path):
    """The same question under one name, told apart by any field, is asked again."""
    rows = [chat(0, id="s", epoch=epoch) for epoch in (1, 2, 3)]
    summary = import_log(write_lines(tmp_path / "a.jsonl", rows)).summary
    assert (summary.n, summary.n_samples, summary.epochs) == (3, 1, 3)


@pytest.mark.parametrize(
    "rows",
    [
        [chat(place, id="x") for place in range(5)],
        [result(place, "Paris", success=True, testIdx=0) for place in range(5)],
    ],
    ids=["chat", "promptfoo"],
)
def test_one_name_has_one_question(tmp_path: Path, rows: list[Any]):
    """Five questions under one name are no five repeats of one."""
    with pytest.raises(RowError, match="(?s)different questions under one name.*5 questions"):
        import_log(write_lines(tmp_path / "a.jsonl", rows))


def test_epochs_of_inspect_ask_the_same_input(tmp_path: Path):
    """Shuffled options are the same sample; another input under its name is not."""
    texts = ("Capital?\n(A) Paris\n(B) Lyon", "Capital?\n(A) Lyon\n(B) Paris")
    samples = [
        sample("a", [("user", text), ("assistant", "A")], epoch=epoch, input="Capital?", target=key)
        for epoch, (text, key) in enumerate(zip(texts, "AB", strict=True), start=1)
    ]
    path = write_json(tmp_path / "a.json", inspect_log(samples))
    assert import_log(path).summary.epochs == len(texts)
    samples[1]["input"] = "Another capital?"
    with pytest.raises(RowError, match="different questions under one name"):
        import_log(write_json(tmp_path / "b.json", inspect_log(samples)))


def test_results_without_a_number_are_samples_of_their_own(tmp_path: Path):
    """Without the tool's number, results are named by their place and are no repeats."""
    rows = [result(place, "Paris", success=True) for place in range(3)]
    for row in rows:
        del row["testIdx"]
    summary = import_log(write_lines(tmp_path / "a.jsonl", rows)).summary
    assert (summary.n_samples, summary.epochs) == (3, 1)

"""Samples of lm-evaluation-harness: what a target of digits names, and one reply a request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from foreign import scored_sample, write_lines, written_sample

from unswayed.errors import RowError
from unswayed.imports.formats import read_log
from unswayed.imports.importing import import_log

OPTIONS = ("1", "2", "3", "4")


def row(number: int, target: str, favorite: int, **fields: Any) -> Any:
    """A question whose options are digits; the favorite is the likeliest."""
    scores = {text: -1.0 if place == favorite else -9.0 for place, text in enumerate(OPTIONS)}
    return scored_sample(number, f"Question {number}?\nAnswer:", scores, target, **fields)


@pytest.mark.parametrize(
    ("favorite", "acc", "right"),
    [(1, 1.0, "2"), (0, 0.0, "2"), (0, 1.0, "1"), (1, 0.0, "1")],
    ids=["number, right", "number, wrong", "text, right", "text, wrong"],
)
def test_the_logged_score_says_what_a_target_of_digits_names(
    tmp_path: Path, favorite: int, acc: float, right: str
):
    """Target 1 is option 2 by number and option 1 by text; our verdict is that of the log."""
    rows = [row(number, "1", favorite, acc=acc) for number in range(12)]
    found = import_log(write_lines(tmp_path / "a.jsonl", rows))
    assert {reply.question.item.truth for reply in found.replies} == {right}
    (beside,) = found.summary.beside
    assert beside.theirs.value == beside.ours_common.value == acc


def test_one_telling_row_decides_for_the_file(tmp_path: Path):
    """A favorite that is neither option leaves a row open, and the other rows decide it."""
    rows = [row(0, "1", 3, acc=0.0), row(1, "1", 1, acc=1.0)]
    found = read_log(write_lines(tmp_path / "a.jsonl", rows), mapping={})
    assert [each.truth for each in found.rows] == [("2",), ("2",)]


@pytest.mark.parametrize(
    "rows",
    [
        [row(0, "1", 3, acc=0.0)],
        [row(0, "1", 1, metrics=["other"], acc=None)],
        [row(0, "1", 1, acc=1.0), row(1, "1", 0, acc=1.0)],
    ],
    ids=["no favorite", "no score", "contradictory"],
)
def test_an_open_target_of_digits_is_counted(tmp_path: Path, rows: list[Any]):
    """Where nothing tells number from text, the row has no truth and is counted for it."""
    plain = scored_sample(9, "Capital?", {"Lyon": -1.5, "Paris": -1.0}, "1")
    summary = import_log(write_lines(tmp_path / "a.jsonl", [*rows, plain])).summary
    wrong = "the target is the number of one option and the text of another"
    assert summary.unreadable == {wrong: len(rows)}
    assert summary.ours.n == 1


def test_a_target_that_both_ways_agree_on_needs_no_score(tmp_path: Path):
    """Option 0 called `0`, and a text that is no number, are one option in every way."""
    options = {"0": -1.0, "red": -2.0}
    rows = [scored_sample(place, "Q?", options, name) for place, name in enumerate(("0", "red"))]
    found = read_log(write_lines(tmp_path / "a.jsonl", rows), mapping={})
    assert [each.truth for each in found.rows] == [("0",), ("red",)]


@pytest.mark.parametrize("count", [2, 5])
def test_a_sample_holds_one_reply_for_each_request(tmp_path: Path, count: int):
    """Four scored options with fewer or more replies are refused: no option is made up."""
    one = row(0, "1", 1)
    one["resps"] = [[["-1.0", "False"]]] * count
    with pytest.raises(RowError, match="row 1 does not hold one reply for each request"):
        read_log(write_lines(tmp_path / "a.jsonl", [one]), mapping={})


@pytest.mark.parametrize("second", [{"until": []}, " red"], ids=["written", "mixed"])
def test_several_written_replies_of_one_sample_are_refused(tmp_path: Path, second: object):
    """A second question in a sample does not vanish."""
    asked = [["2 + 2?", {"until": []}], ["3 + 3?", second]]
    one = written_sample(0, "", "4", "4", arguments=asked, resps=[["4"], ["6"]])
    with pytest.raises(RowError, match="asks for several texts"):
        read_log(write_lines(tmp_path / "a.jsonl", [one]), mapping={})


@pytest.mark.parametrize("filters", [{}, {"filter": "strict"}])
def test_a_file_that_holds_itself_twice_is_refused(tmp_path: Path, filters: dict[str, str]):
    """The same document under the same filter is a copy and no further score."""
    rows = [written_sample(number, "2 + 2?", "4", "4", **filters) for number in range(3)]
    with pytest.raises(RowError, match="row 4 holds document '0' a second time"):
        read_log(write_lines(tmp_path / "a.jsonl", rows * 2), mapping={})


def test_one_document_has_one_truth(tmp_path: Path):
    """Two filters of one document that state different truths are refused."""
    rows = [
        written_sample(0, "2 + 2?", "4", truth, filter=name)
        for name, truth in (("strict", "4"), ("loose", "5"))
    ]
    with pytest.raises(RowError, match="another reply, question or truth"):
        read_log(write_lines(tmp_path / "a.jsonl", rows), mapping={})


def test_a_chat_over_an_api_is_read_by_its_messages(tmp_path: Path):
    """Such a request is a list of one text, the messages as JSON; nothing else is unpacked."""
    talk = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How much is 2 + 2?"},
    ]
    asked = {"gen_args_0": {"arg_0": [json.dumps(talk)], "arg_1": {"until": ["\n\n"]}}}
    rows = [written_sample(0, "", "4", "4", arguments=asked)]
    (found,) = read_log(write_lines(tmp_path / "a.jsonl", rows), mapping={}).rows
    assert [(turn.role, turn.text) for turn in found.turns] == [
        ("system", "Be brief."),
        ("user", "How much is 2 + 2?"),
        ("assistant", "4"),
    ]
    asked["gen_args_0"]["arg_0"] *= 2
    with pytest.raises(RowError, match="requests without an answer to read"):
        read_log(write_lines(tmp_path / "b.jsonl", rows), mapping={})

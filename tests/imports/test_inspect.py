"""A log of Inspect AI is read whole: all samples, and all texts that it keeps elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from foreign import inspect_log, sample, write_eval, write_json

from unswayed.errors import RowError
from unswayed.imports.formats import read_log

TALK = [("user", "What is 2 + 2?"), ("assistant", "4")]
PARTS = [
    {"type": "reasoning", "reasoning": "attachment://gone"},
    {"type": "text", "text": "attachment://a"},
    {"type": "text", "text": "Answer: 4"},
    {"type": "text", "text": "attachment://b"},
]


@pytest.mark.parametrize("total", [1, 3, 20])
def test_a_log_holds_the_samples_that_its_header_counts(tmp_path: Path, total: int):
    """Two samples of twenty are a choice that nobody made, as a zip and as JSON."""
    log = inspect_log([sample(i, TALK, target="4") for i in (1, 2)])
    log["results"] = {"total_samples": total, "scores": []}
    for path in (write_eval(tmp_path / "a.eval", log), write_json(tmp_path / "a.json", log)):
        with pytest.raises(RowError, match=f"(?s)not hold all samples.*{total} samples.*2 samples"):
            read_log(path, mapping={})
    log["results"]["total_samples"] = 2
    assert len(read_log(write_json(tmp_path / "b.json", log), mapping={}).rows) == 2


def with_parts(attachments: dict[str, Any]) -> dict[str, Any]:
    """A log whose reply has two parts that are kept elsewhere."""
    one = sample(1, TALK, target="4", attachments=attachments)
    one["messages"][1]["content"] = PARTS
    return inspect_log([one])


def test_each_part_of_a_message_is_looked_up(tmp_path: Path):
    """Texts that are kept elsewhere stand where their parts stood."""
    log = with_parts({"a": "First.", "b": "Last."})
    (row,) = read_log(write_json(tmp_path / "a.json", log), mapping={}).rows
    assert row.turns[-1].text == "First.\nAnswer: 4\nLast."


@pytest.mark.parametrize("attachments", [{}, {"a": "First."}, {"a": "First.", "b": None}])
def test_an_absent_attachment_is_refused(tmp_path: Path, attachments: dict[str, Any]):
    """A text that is not there is no empty reply."""
    path = write_json(tmp_path / "a.json", with_parts(attachments))
    with pytest.raises(RowError, match="sample 1 refers to an attachment that is not there"):
        read_log(path, mapping={})


def test_an_absent_attachment_of_a_whole_message_is_refused(tmp_path: Path):
    """A content that is one reference is held to the same rule."""
    one = sample(1, TALK, target="4", attachments={})
    one["messages"][1]["content"] = "attachment://k"
    with pytest.raises(RowError, match="attachment that is not there"):
        read_log(write_json(tmp_path / "a.json", inspect_log([one])), mapping={})

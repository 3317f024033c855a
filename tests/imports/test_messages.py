"""Roles and contents of logged messages are known by name, or refused: no reply vanishes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from foreign import inspect_log, pushed, result, sample, write_json, write_lines, written_sample

from unswayed.errors import RowError
from unswayed.imports.formats import read_log
from unswayed.imports.importing import import_log

PUSHED = pushed(0, "Answer: A", "No, it is (B).", "Answer: B")


def chat(*, last: dict[str, Any]) -> dict[str, Any]:
    """A pushed chat whose last message has fields of its own, or lacks some."""
    talk: list[dict[str, Any]] = [{"role": role, "content": text} for role, text in PUSHED]
    talk[-1] = {name: value for name, value in (talk[-1] | last).items() if value != "absent"}
    return {"messages": talk, "truth": "A", "score": 0}


def turns(folder: Path, last: dict[str, Any]) -> list[tuple[str, str]]:
    """What is read of such a chat."""
    (row,) = read_log(write_lines(folder / "a.jsonl", [chat(last=last)]), mapping={}).rows
    return [(turn.role, turn.text) for turn in row.turns]


@pytest.mark.parametrize("role", ["Assistant", "ASSISTANT"])
def test_roles_are_folded(tmp_path: Path, role: str):
    """The last reply is scored as the last one, however its role is written."""
    found = import_log(write_lines(tmp_path / "a.jsonl", [chat(last={"role": role})]))
    (beside,) = found.summary.beside
    assert (beside.theirs.value, beside.ours_common.value) == (0, 0)
    assert found.summary.n_pushed == 1


@pytest.mark.parametrize("role", ["model", "ai", "bot", "", None, ["assistant"], "absent"])
def test_unknown_roles_are_refused(tmp_path: Path, role: object):
    """A turn of an unknown speaker could be the reply: the row and the role are named."""
    with pytest.raises(RowError, match="row 1 holds a message without a known role"):
        turns(tmp_path, {"role": role})


@pytest.mark.parametrize("role", ["tool", "function", "Tool"])
def test_what_tools_return_is_left_out(tmp_path: Path, role: str):
    """Roles of tools are known by name and say nothing."""
    assert turns(tmp_path, {"role": role, "content": {"found": 3}}) == PUSHED[:-1]


@pytest.mark.parametrize("calls", ["tool_calls", "function_call"])
def test_turns_that_call_a_tool_are_no_answers(tmp_path: Path, calls: str):
    """In a file of chats as in every other log."""
    assert turns(tmp_path, {calls: [{"id": "t"}], "content": None}) == PUSHED[:-1]


def test_a_developer_speaks_as_the_system(tmp_path: Path):
    """The newer name of the system's role is the same role."""
    assert turns(tmp_path, {"role": "developer"})[-1] == ("system", "Answer: B")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "a"}, {"type": "output_text", "text": "b"}], "a\nb"),
        ([{"type": "reasoning", "text": "a"}, {"type": "text", "text": "b"}], "b"),
        ([{"type": "refusal", "refusal": "I cannot."}], "I cannot."),
        (None, ""),
        ([], ""),
    ],
)
def test_known_contents_are_text(tmp_path: Path, content: object, text: str):
    """Parts of known kinds become text or are left out; a reply of null is empty."""
    assert turns(tmp_path, {"content": content})[-1] == ("assistant", text)


@pytest.mark.parametrize(
    "last",
    [
        {"content": {"text": "Answer: B"}},
        {"content": 5},
        {"content": "absent", "contents": "Answer: B"},
        {"content": [{"type": "output", "text": "Answer: B"}]},
        {"content": [{"type": "text", "text": None}]},
        {"content": [{"text": "Answer: B"}]},
        {"content": ["Answer: B"]},
        {"role": "user", "content": None},
    ],
    ids=lambda last: json.dumps(last),
)
def test_unknown_contents_are_refused(tmp_path: Path, last: dict[str, Any]):
    """What is neither text nor a known part is never read as an empty reply."""
    with pytest.raises(RowError, match="row 1 holds a message (whose|with a part)"):
        turns(tmp_path, last)


def test_every_format_holds_messages_to_the_same_rule(tmp_path: Path):
    """An unknown role is refused in Inspect AI, and in chats inside prompts of the others."""
    one = sample(1, PUSHED)
    one["messages"][-1]["role"] = "model"
    raw = json.dumps([{"role": "user", "content": "a"}, {"role": "model", "content": "b"}])
    paths = (
        write_json(tmp_path / "a.json", inspect_log([one])),
        write_lines(tmp_path / "b.jsonl", [result(0, "A", success=True, prompt={"raw": raw})]),
        write_lines(tmp_path / "c.jsonl", [written_sample(0, raw, "4", "4")]),
    )
    for path in paths:
        with pytest.raises(RowError, match="without a known role"):
            read_log(path, mapping={})

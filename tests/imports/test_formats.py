"""The format of a file is found by what it holds; each reader keeps what it states."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from foreign import (
    inspect_log,
    promptfoo_log,
    pushed,
    question,
    result,
    sample,
    scored_sample,
    write_eval,
    write_json,
    write_lines,
    written_sample,
)

from unswayed.errors import RowError, UsageError
from unswayed.imports.formats import read_log

TALK = [("user", "What is 2 + 2?"), ("assistant", "4")]
CHAT = {"messages": [{"role": role, "content": text} for role, text in TALK], "truth": "4"}


def files(folder: Path) -> dict[str, list[Path]]:
    """Files of each format, in all shapes that are read."""
    log = inspect_log([sample(1, TALK, target="4")])
    return {
        "inspect": [write_eval(folder / "a.eval", log), write_json(folder / "a.json", log)],
        "lm_eval": [write_lines(folder / "b.jsonl", [written_sample(0, "2 + 2?", "4", "4")])],
        "promptfoo": [
            write_json(folder / "c.json", promptfoo_log([result(0, "Paris", success=True)])),
            write_lines(folder / "c.jsonl", [result(0, "Paris", success=True)]),
        ],
        "chat": [write_lines(folder / "d.jsonl", [CHAT]), write_json(folder / "d.json", [CHAT])],
    }


def test_every_format_is_found_by_its_contents(tmp_path: Path):
    """No file is taken for another format, whatever its name ends in."""
    for name, paths in files(tmp_path).items():
        for path in paths:
            assert read_log(path, mapping={}).format == name
            assert read_log(path, name=name, mapping={}).format == name


def test_a_named_format_is_held_to(tmp_path: Path):
    """A file of another format than the named one is refused."""
    for name, paths in files(tmp_path).items():
        other = "chat" if name != "chat" else "inspect"
        with pytest.raises(RowError, match=f"no file of the format {other}"):
            read_log(paths[0], name=other, mapping={})


def test_unknown_files_say_what_they_hold(tmp_path: Path):
    """What is in an unknown file is named, and so is a summary without samples."""
    with pytest.raises(RowError, match="fields 'prompt', 'reply'"):
        read_log(write_lines(tmp_path / "a.jsonl", [{"prompt": "", "reply": ""}]), mapping={})
    summary = {"results": {"t": {}}, "config_general": {"model": "m"}, "configs": {"t": {}}}
    with pytest.raises(RowError, match="samples_"):
        read_log(write_json(tmp_path / "b.json", summary), mapping={})


def test_unknown_names_are_refused(tmp_path: Path):
    """A format, field or form that does not exist is no silent default."""
    path = files(tmp_path)["chat"][0]
    with pytest.raises(UsageError, match="no format"):
        read_log(path, name="helm", mapping={})
    with pytest.raises(UsageError, match="does not exist"):
        read_log(path, mapping={"gold": "x"})
    with pytest.raises(UsageError, match="does not exist"):
        read_log(path, mapping={"answer_form": "essay"})


@pytest.mark.parametrize("status", ["error", "cancelled", "started"])
def test_an_unfinished_run_is_refused(tmp_path: Path, status: str):
    """Samples that finished before a run broke off are a choice that nobody made."""
    log = inspect_log([sample(1, TALK, target="4")], status=status)
    for path in (write_eval(tmp_path / "a.eval", log), write_json(tmp_path / "a.json", log)):
        with pytest.raises(RowError, match=status):
            read_log(path, mapping={})


def test_a_log_without_header_or_samples_is_refused(tmp_path: Path):
    """A journal alone, and a header alone, are no logs to read."""
    path = write_eval(tmp_path / "a.eval", inspect_log([]))
    with pytest.raises(RowError, match="holds no samples"):
        read_log(path, mapping={})
    import zipfile

    with zipfile.ZipFile(tmp_path / "b.eval", "w") as archive:
        archive.writestr("_journal/start.json", "{}")
    with pytest.raises(RowError, match="stopped before its end"):
        read_log(tmp_path / "b.eval", mapping={})


def test_parts_of_a_message_become_text(tmp_path: Path):
    """Text parts are joined, reasoning and images are left out, attachments are looked up."""
    parts = [{"type": "reasoning", "reasoning": "x"}, {"type": "text", "text": "Answer: 4"}]
    one = sample(1, TALK, target="4", attachments={"k": "What is 2 + 2?"})
    one["messages"][0]["content"] = "attachment://k"
    one["messages"][1]["content"] = parts
    row = read_log(write_json(tmp_path / "a.json", inspect_log([one])), mapping={}).rows[0]
    assert [turn.text for turn in row.turns] == ["What is 2 + 2?", "Answer: 4"]


def test_calls_of_tools_are_no_answers(tmp_path: Path):
    """A turn in which the model calls a tool, and what the tool returns, are left out."""
    one = sample(1, TALK, target="4")
    call = {"role": "assistant", "content": "Let me see.", "tool_calls": [{"id": "t"}]}
    one["messages"][1:1] = [call, {"role": "tool", "content": "3"}]
    row = read_log(write_json(tmp_path / "a.json", inspect_log([one])), mapping={}).rows[0]
    assert [turn.text for turn in row.turns] == ["What is 2 + 2?", "4"]


@pytest.mark.parametrize(("mark", "planted"), [("generate", True), (None, False)])
def test_answers_that_a_solver_put_there_are_planted(
    tmp_path: Path, mark: str | None, planted: bool
):
    """An unmarked answer is planted where the log marks what was generated, and only there."""
    one = sample(1, pushed(0, "A", "No.", "B"))
    one["messages"][1]["source"] = None
    one["messages"][3]["source"] = mark
    row = read_log(write_json(tmp_path / "a.json", inspect_log([one])), mapping={}).rows[0]
    assert [turn.planted for turn in row.turns] == [False, planted, False, False]


def test_scores_of_every_shape_are_kept_or_refused(tmp_path: Path):
    """Letters, numbers and several values are scores; NaN and texts say why they are none."""
    scores = {"a": "C", "b": "P", "c": math.nan, "d": {"x": 1, "y": "I"}, "e": "B", "f": True}
    log = inspect_log([sample(1, TALK, target="4", scores=scores)])
    found = read_log(write_json(tmp_path / "a.json", log), mapping={}).rows[0].scores
    values = {name: score.value for name, score in found.items()}
    assert values == {"a": 1, "b": 0.5, "c": None, "d.x": 1, "d.y": 0, "e": None, "f": 1}
    assert found["c"].why == "NaN"


def test_scorers_that_are_models_are_known(tmp_path: Path):
    """A model-graded scorer is marked, and a summary that is not a number is none."""
    entry = {
        "name": "model_graded_qa",
        "scorer": "model_graded_qa",
        "metrics": {"accuracy": {"value": math.nan}},
    }
    log = inspect_log([sample(1, TALK)], results={"scores": [entry]})
    found = read_log(write_json(tmp_path / "a.json", log), mapping={})
    assert found.judged == ("model_graded_qa",)
    assert found.reported == {"model_graded_qa": {"accuracy": None}}


def test_filters_of_one_reply_are_scores_of_it(tmp_path: Path):
    """Two rows of one document and reply are one conversation with two scores."""
    rows = [
        written_sample(0, "2 + 2?", "4", "4", filter=name, exact_match=value)
        for name, value in (("strict", 0.0), ("loose", 1.0))
    ]
    (row,) = read_log(write_lines(tmp_path / "a.jsonl", rows), mapping={}).rows
    values = {name: score.value for name, score in row.scores.items()}
    assert values == {"exact_match,strict": 0, "exact_match,loose": 1}
    rows[1]["resps"] = [["5"]]
    with pytest.raises(RowError, match="another reply"):
        read_log(write_lines(tmp_path / "b.jsonl", rows), mapping={})


def test_repeats_have_no_score_of_their_own(tmp_path: Path):
    """One score for several replies belongs to none of them."""
    rows = [written_sample(0, "2 + 2?", ["4", "5"], "4")]
    found = read_log(write_lines(tmp_path / "a.jsonl", rows), mapping={}).rows
    assert [row.epoch for row in found] == [1, 2]
    assert all(row.scores["exact_match"].value is None for row in found)


def test_scored_options_are_read_with_their_key(tmp_path: Path):
    """The target is the number of an option, and a score of minus infinity is none."""
    rows = [scored_sample(0, "Capital?", {"Lyon": -1.5, "Paris": "-inf"}, "1")]
    (row,) = read_log(write_lines(tmp_path / "a.jsonl", rows), mapping={}).rows
    assert row.options == ("Lyon", "Paris")
    assert row.truth == ("Paris",)
    assert [score.logprob for score in row.option_scores] == [-1.5, None]


def test_older_sample_files_are_read(tmp_path: Path):
    """Arguments as lists and metrics without their names are the older shape."""
    row = written_sample(0, "2 + 2?", "4", "4", arguments=[["2 + 2?", {"until": []}]])
    del row["metrics"]
    found = read_log(write_lines(tmp_path / "a.jsonl", [row]), mapping={}).rows[0]
    assert found.scores["exact_match"].value == 1
    assert [turn.text for turn in found.turns] == ["2 + 2?", "4"]


def test_rolling_log_probabilities_are_no_answers(tmp_path: Path):
    """A request that only measures a text has nothing to read."""
    row = written_sample(0, "a", "b", "c", arguments={"gen_args_0": {"arg_0": "a"}})
    with pytest.raises(RowError, match="without an answer"):
        read_log(write_lines(tmp_path / "a.jsonl", [row]), mapping={})


def test_several_models_are_not_mixed(tmp_path: Path):
    """Results of two models are two imports, and one is chosen by its name."""
    results = [
        result(0, "Paris", success=True),
        result(0, "Lyon", success=False, provider={"id": "other"}),
    ]
    path = write_json(tmp_path / "a.json", promptfoo_log(results))
    with pytest.raises(RowError, match="several models"):
        read_log(path, mapping={})
    assert len(read_log(path, mapping={"model": "other"}).rows) == 1


def test_assertions_state_the_truth(tmp_path: Path):
    """One stated text is the truth; two that must both hold are none; a rubric is a model."""
    both = [{"type": "contains", "value": "a"}, {"type": "contains", "value": "b"}]
    rubric = [{"type": "llm-rubric", "value": "is right"}]
    results = [
        result(0, "Paris", success=True),
        result(1, "a b", success=True, testCase={"assert": both}),
        result(2, "Rome", success=True, testCase={"assert": rubric}),
    ]
    log = read_log(write_json(tmp_path / "a.json", promptfoo_log(results)), mapping={})
    assert [row.truth for row in log.rows] == [("Paris",), (), ()]
    assert log.judged == ("success",)


def test_a_failed_request_is_an_error_and_a_failed_assertion_is_none(tmp_path: Path):
    """Only the kind of failure that says so is an error; its text is not kept."""
    results = [
        result(0, None, success=False, failureReason=2, error="bad key sk-secretsecret1234"),
        result(1, "Seville", success=False, error="Expected output to contain Madrid"),
    ]
    log = read_log(write_json(tmp_path / "a.json", promptfoo_log(results)), mapping={})
    assert [bool(row.error) for row in log.rows] == [True, False]
    assert "sk-" not in log.rows[0].error


def test_chats_in_prompts_are_turns(tmp_path: Path):
    """A prompt that is a chat in JSON becomes turns, and its answers are planted."""
    raw = '[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]'
    one = result(0, "Paris", success=True, prompt={"raw": raw})
    (row,) = read_log(write_json(tmp_path / "a.json", promptfoo_log([one])), mapping={}).rows
    assert [turn.planted for turn in row.turns] == [False, True, False]


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ({"messages": []}, "no message of a user"),
        ({"messages": ["a"]}, "has no messages"),
        ({**CHAT, "options": ["a"]}, "options that cannot be read"),
        ({**CHAT, "control": ["a"]}, "control that is no text"),
    ],
)
def test_rows_that_are_no_chat_are_named(tmp_path: Path, row: object, wrong: str):
    """The row and what is wrong with it are named."""
    with pytest.raises(RowError, match=f"row 2.*{wrong}"):
        read_log(write_lines(tmp_path / "a.jsonl", [CHAT, row]), mapping={})


def test_two_first_answers_are_refused(tmp_path: Path):
    """A stated first answer beside one in the messages leaves open which is meant."""
    talk = [{"role": role, "content": text} for role, text in pushed(0, "A", "No.", "B")]
    path = write_lines(tmp_path / "a.jsonl", [{"messages": talk, "first": "A"}])
    with pytest.raises(RowError, match="states a first answer"):
        read_log(path, mapping={})


def test_columns_of_other_names_are_mapped(tmp_path: Path):
    """Truth, target and score stand where the mapping says."""
    talk = [{"role": "user", "content": question(0)}, {"role": "assistant", "content": "A"}]
    row = {"messages": talk, "meta": {"right": "Paris", "wrong": "Lyon"}, "grade": 0}
    path = write_lines(tmp_path / "a.jsonl", [row])
    mapping = {"truth": "meta.right", "target": "meta.wrong", "score": "grade"}
    (found,) = read_log(path, mapping=mapping).rows
    assert (found.truth, found.target, found.scores["grade"].value) == (("Paris",), "Lyon", 0)


TABLES = {
    "a.csv": ("model,task,accuracy,flip_rate\nm,med,0.7,0.2\n", "columns model, task, accuracy"),
    "b.tsv": ("model\tflips\nm\t3\nn\t4\n", "2 rows with the columns model, flips"),
    "c.json": ('[{"model": "m", "accuracy": 0.7}]', "1 numbers in the fields model, accuracy"),
    "d.json": ('{"results": {"m": {"acc": 0.7}}}', "fields results, m, acc"),
    "e.jsonl": ('{"model": "m", "acc": 1}\n{"model": "n", "acc": 0}\n', "2 numbers in the fields"),
}


@pytest.mark.parametrize("name", TABLES)
def test_aggregated_numbers_are_refused_with_what_is_needed(tmp_path: Path, name: str):
    """A table of results is no broken file: transcripts are asked for, in one error."""
    text, given = TABLES[name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RowError, match="no replies|no log of replies") as caught:
        read_log(path, mapping={})
    said = str(caught.value)
    assert given in said
    assert "Allowed: transcripts" in said
    assert "numbers alone cannot be read again" in said

"""Tables of items: nothing is guessed, merged or matched as a pattern."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from cli import call, check_error, done

from cases.measured import BARE, Told, measure, records_of
from unswayed.items.item import Item

HEAD = "question,truth,target\n"


def planned(tmp_path: Path, name: str, text: str):
    """Plan a table of one's own."""
    table = tmp_path / name
    table.write_text(text, encoding="utf-8")
    return call("plan", "-i", table, "--to", tmp_path / "run")


def test_c158_files_that_are_written_hold_no_bare_nan(tmp_path: Path):
    """C158: every row and value of a run folder is strict JSON, whatever was missing in it."""
    done("run", "-m", "scripted:empty", "--n", 4, "--to", tmp_path / "run")

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    checked = 0
    for path in sorted((tmp_path / "run").iterdir()):
        if path.suffix in (".json", ".jsonl"):
            text = path.read_text("utf-8")
            for row in text.splitlines() if path.suffix == ".jsonl" else [text]:
                json.loads(row, parse_constant=refuse)
                checked += 1
    assert checked > 50


def test_c159_a_repeated_row_is_reported_by_number(tmp_path: Path):
    """C159: the same question twice is refused with its row, so no item counts twice unasked.

    The stricter reading: it is not kept with a note, for the person decides which row goes.
    """
    called = planned(tmp_path, "t.csv", HEAD + "Two or three?,3,2\nTwo or three?,3,2\n")
    check_error(called, "row 3", "row 2", next_step=False)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("target", ["a)", ".", "(5)", "x+", "[", ".*"])
def test_c160_answers_are_literal_texts(tmp_path: Path, target: str):
    """C160: no answer text is a pattern: marks break nothing and match nothing but themselves."""
    items = [
        Item(
            id=name, kind="test", question=f"Which sign is {name}?", truth="ocean", target=target,
            options=("ocean", target, "river"),
        )
        for name in ("i", "j")
    ]  # fmt: skip
    said = Told(lambda request: f"Answer: {target}" if request.item_id == "i" else "Answer: river")
    design = msgspec.structs.replace(BARE, listed=False)
    folder, _ = measure(tmp_path / "run", items, design, said)
    outcomes = {(r.item, r.pressured.outcome) for r in records_of(folder)}
    assert ("j", "other") in outcomes
    assert len(outcomes) == 2
    assert ("i", "truth") not in outcomes
    assert ("i", "other") not in outcomes


@pytest.mark.parametrize(
    ("truth", "target"), [("Farthings", "farthing"), ("The Nile", "nile"), ("1,000", "1000.0")]
)
def test_c162_a_wrong_answer_that_is_the_truth_in_other_words_is_refused(tmp_path, truth, target):
    """C162: the named target may not be another spelling of the truth."""
    called = planned(tmp_path, "t.csv", f'{HEAD}What is it?,"{truth}","{target}"\n')
    check_error(called, "row 2", "target", next_step=False)


@pytest.mark.parametrize("value", ["NaN", "nan", ""])
@pytest.mark.parametrize("field", ["truth", "target", "question"])
def test_c164_a_cell_without_a_value_is_named_at_import(tmp_path: Path, field: str, value: str):
    """C164: NaN is rejected with row and field before anything is written."""
    cells = {"question": "What is it?", "truth": "cent", "target": "mill", field: value}
    called = planned(tmp_path, "t.csv", HEAD + ",".join(cells.values()) + "\nAnd this?,a1,b1\n")
    check_error(called, "row 2", field, next_step=False)
    assert not (tmp_path / "run").exists()


def test_c164_a_bare_nan_in_json_lines_is_named_too(tmp_path: Path):
    """C164: the token NaN, which strict JSON does not know, is a cell without a value."""
    rows = '{"question": "What is it?", "truth": NaN, "target": "mill"}\n'
    check_error(planned(tmp_path, "t.jsonl", rows), "row 1", "truth", next_step=False)


def test_c167_the_same_question_in_other_spacing_is_the_same_question(tmp_path: Path):
    """C167: white space and case do not make a second item; the export's split is not built yet."""
    rows = "Which coin is old?,farthing,penny\nwhich  coin is old? ,farthing,penny\n"
    check_error(planned(tmp_path, "t.csv", HEAD + rows), "row 3", next_step=False)

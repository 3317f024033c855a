"""Tests of the reader of safety questions with lines of pressure."""

import json
from pathlib import Path

import pytest

from unswayed.errors import RowError
from unswayed.items import prove_all, read_public

DATA = Path(__file__).parents[3] / "shared" / "data" / "sycobench_ewernn"
shipped = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not beside this repo")


def write(folder, **questions):
    """Write questions in the published shape."""
    path = folder / "lines.json"
    path.write_text(json.dumps({"metadata": {}, "questions": questions}), encoding="utf-8")
    return path


@shipped
def test_ten_questions_with_fifty_lines_are_read():
    """500 lines in six categories; every item is for evaluation only."""
    found = read_public(DATA / "pressure_prompts_500.json")
    assert found.format == "safety_pressure_lines"
    assert found.counts == {
        "rows": 10,
        "items": 10,
        "lines": 500,
        "lines_generic": 50,
        "lines_epistemic": 100,
        "lines_false_authority": 80,
        "lines_edge_case": 100,
        "lines_acknowledge": 70,
        "lines_compound": 100,
    }
    assert prove_all(found.items) == 10
    assert all(item.evaluation_only and len(item.texts) == 50 for item in found.items)
    assert {(item.truth, item.target) for item in found.items} == {("No", "Yes")}
    assert any("dangerous falsehoods" in text for text in found.warnings)
    assert any("always says `No`" in text for text in found.warnings)


@shipped
def test_the_list_of_categories_is_no_set_of_items():
    """An object of another shape is refused as no table."""
    with pytest.raises(RowError, match="is not a table"):
        read_public(DATA / "pressure_categories.json")


def test_a_question_of_another_form_has_no_known_truth(tmp_path):
    """Only questions of safety are known to have the answer No."""
    path = write(tmp_path, Q1={"question": "Is honey sweet?", "prompts": {"generic_1": "No."}})
    with pytest.raises(RowError, match="no known public format"):
        read_public(path)
    with pytest.raises(RowError, match="its truth is not known"):
        read_public(path, format="safety_pressure_lines")


def test_a_question_without_lines_refuses_the_file(tmp_path):
    """Lines must be named."""
    path = write(tmp_path, Q1={"question": "Is it safe to fly?", "prompts": ["Yes."]})
    with pytest.raises(RowError, match="no object of lines"):
        read_public(path, format="safety_pressure_lines")

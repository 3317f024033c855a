"""Every case of the kinds that are built is tested here, tested elsewhere, or said to be open."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cases.measured import cases
from cases.test_extract import REPORTED, SAID

HERE = Path(__file__).parent
TESTS = HERE.parent

KINDS = (
    "metric", "control", "mc_order", "roles", "cache", "resume", "run", "determinism", "logprobs",
    "calibration", "stats", "dataset", "os", "logs", "ux", "cost", "extract", "judge_parse",
)  # fmt: skip

JUDGING = "readouts/test_judging.py"

ELSEWHERE = {
    "C015": "readouts/test_cases.py::test_a_choice_is_read_or_has_a_reason",
    "C025": f"{JUDGING}::test_c025_a_refused_grade_is_its_own_label",
    "C026": "readouts/test_expression.py::test_c026_equal_values_in_other_notation_are_equal",
    "C033": f"{JUDGING}::test_labels_are_whole_words",
    "C034": f"{JUDGING}::test_labels_are_whole_words",
    "C036": f"{JUDGING}::test_c036_integers_can_be_required",
    "C037": f"{JUDGING}::test_the_last_field_decides_alone",
    "C038": "readouts/test_judge_asking.py::test_the_judge_is_retried_once_and_alone",
    "C039": f"{JUDGING}::test_the_last_field_decides_alone",
    "C040": f"{JUDGING}::test_the_last_field_decides_alone",
    "C041": f"{JUDGING}::test_labels_are_whole_words",
    "C042": f"{JUDGING}::test_a_score_is_on_its_scale_or_has_a_reason",
    "C043": f"{JUDGING}::test_only_the_last_object_counts",
    "C044": f"{JUDGING}::test_c044_a_contradiction_between_fields_is_flagged",
    "C045": f"{JUDGING}::test_c045_a_bold_label_is_a_field",
    "C046": f"{JUDGING}::test_a_score_is_on_its_scale_or_has_a_reason",
    "C047": f"{JUDGING}::test_only_the_last_object_counts",
    "C049": f"{JUDGING}::test_only_the_last_object_counts",
    "C055": f"{JUDGING}::test_c055_reasons_against_the_field_are_flagged",
    "C053": f"{JUDGING}::test_c053_each_dimension_has_its_own_reading",
    "C108": "readouts/test_judge.py::test_one_user_turn_is_sent",
}
"""Cases whose test stands beside the module it is about."""

NOT_YET: dict[str, str] = {}
"""Cases that nothing tests yet, with the reason."""

ALSO_OPEN = {
    "C110": "no rollout measures how often a model ends its completion by itself",
    "C167": "near-duplicates between splits of an export are found by shared words, not by MinHash",
}
"""Parts of tested cases that are open."""


def named_here() -> set[str]:
    """Ids in the names of the tests beside this file, and of the texts that are read."""
    found = {case for case, _, _ in SAID} | set(REPORTED)
    for path in HERE.glob("test_*.py"):
        for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M):
            found |= {f"C{number}" for number in re.findall(r"_c(\d{3})(?=_)", name)}
    return found


def wanted() -> set[str]:
    """Ids of the shared cases of the kinds above."""
    rows = cases()
    if not rows:
        pytest.skip("the shared cases are not beside this checkout")
    return {row["id"] for row in rows if row["kind"] in KINDS}


def test_every_case_is_accounted_for():
    """No id of these kinds is forgotten, and none is claimed twice or without need."""
    known = named_here() | set(ELSEWHERE) | set(NOT_YET)
    assert wanted() - known == set()
    assert set(NOT_YET).isdisjoint(named_here() | set(ELSEWHERE))
    assert (set(ELSEWHERE) | set(NOT_YET) | set(ALSO_OPEN)) - wanted() == set()


@pytest.mark.parametrize("case", ELSEWHERE)
def test_a_test_elsewhere_is_there(case: str):
    """The named test exists and its file names the case."""
    path, _, name = ELSEWHERE[case].partition("::")
    text = (TESTS / path).read_text("utf-8")
    assert re.search(rf"^def {name}\(", text, re.M)
    assert case in text


def test_nothing_here_is_skipped_or_expected_to_fail():
    """Open cases stand in `NOT_YET`; a test that is there runs."""
    for path in HERE.glob("test_*.py"):
        text = path.read_text("utf-8")
        marks = re.findall(r"mark\.(?:skip|skipif|xfail)\(", text)
        assert marks == [], path.name

"""Tests of readers of published results."""

import copy
import json
import math
from collections import Counter
from pathlib import Path

import pytest

from unswayed.errors import RowError
from unswayed.items import read_public, read_results
from unswayed.items.public_results import whole_count

DATA = Path(__file__).parents[3] / "shared" / "data"
shipped = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not beside this repo")
HEADER = "judge,solver,solver_id,problem,true_grade,confidence,incorrect\n"
FLIPS = {
    "model": "m",
    "pipeline": "p",
    "stage": "SFT",
    "domain": "d",
    "n_total": 10,
    "n_ic": 8,
    **{
        name: {"flip": 50.0, "coh": 6, "dlo": 0.1, "n_dlo": 10}
        for name in ("belief", "command", "truth_orthogonal")
    },
}


@shipped
@pytest.mark.parametrize(
    ("name", "verdicts", "without"),
    [
        ("recent", {"incorrect": 125, "detected": 46, "correct": 24, "corrected": 5}, 200),
        ("confidence", {"correct": 90, "incorrect": 74, "corrected": 23, "detected": 13}, 35),
    ],
)
def test_verdicts_have_their_published_counts(name, verdicts, without):
    """Each verdict, and how many rows have no confidence."""
    found = read_results(DATA / "brokenmath" / f"results_sycophancy_{name}.first200.csv")
    assert found.format == "brokenmath_verdicts"
    assert found.counts == {"rows": 200, "without_confidence": without, **verdicts}
    assert any("knew that the statement is false" in text for text in found.warnings)


@shipped
def test_mean_confidence_is_that_of_the_read_rows():
    """41.6 when incorrect (69 rows), 46.3 otherwise (96 rows); missing ones are no zeros."""
    path = DATA / "brokenmath" / "results_sycophancy_confidence.first200.csv"
    means = {}
    for accepted in (True, False):
        values = [
            row["confidence"]
            for row in read_results(path).rows
            if row["incorrect"] is accepted and row["confidence"] is not None
        ]
        means[accepted] = (len(values), round(sum(values) / len(values), 1))
    assert means == {True: (69, 41.6), False: (96, 46.3)}


@shipped
def test_missing_pairs_are_no_zeros():
    """58 of 200 right; 11 solvers and 19 problems leave 9 pairs without a row."""
    found = read_results(DATA / "brokenmath" / "results_utility_recent_comps.first200.csv")
    assert found.format == "brokenmath_accuracy"
    assert found.counts == {"rows": 200, "right": 58, "solvers": 11, "problems": 19, "missing": 9}
    assert set(Counter(row["solver_id"] for row in found.rows).values()) <= set(range(15, 20))


@shipped
def test_flips_are_whole_numbers_of_their_own_denominator():
    """20 rows, 10 models, 2 domains, 60 cells."""
    found = read_results(DATA / "tracing_sycophancy" / "if_controls_pe_summary.json")
    assert found.format == "flip_summary"
    assert found.counts == {"rows": 20, "cells": 60, "models": 10, "domains": 2}
    cell = next(
        row
        for row in found.rows
        if row["model"] == "tulu3-llama31-8b-sft"
        and row["domain"] != "computational"
        and row["control"] == "belief"
    )
    assert (cell["n_flips"], cell["n_coherent"], cell["n_ic"]) == (217, 272, 326)


@shipped
def test_the_number_of_first_right_items_is_not_the_denominator():
    """With that denominator 40 of the 60 published percentages are no whole numbers."""
    path = DATA / "tracing_sycophancy" / "if_controls_pe_summary.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    refused = 0
    for row in rows:
        for control in ("belief", "command", "truth_orthogonal"):
            try:
                whole_count(row[control]["flip"], row["n_ic"])
            except ValueError:
                refused += 1
    assert refused == 40
    with pytest.raises(ValueError, match="another denominator"):
        whole_count(217 / 272 * 100, 326)


def test_a_percentage_of_another_denominator_refuses_the_table(tmp_path):
    """A cell that is no whole number of its coherent items is named."""
    row = {**copy.deepcopy(FLIPS), "stage": "DPO"}
    path = tmp_path / "flips.json"
    path.write_text(json.dumps([FLIPS, row]), encoding="utf-8")
    assert read_results(path).rows[0]["n_flips"] == 3
    row["command"]["coh"] = 7
    path.write_text(json.dumps([FLIPS, row]), encoding="utf-8")
    with pytest.raises(RowError, match="row 2, field 'command'") as raised:
        read_results(path)
    assert "another denominator" in str(raised.value)
    del row["belief"]["coh"]
    path.write_text(json.dumps([row]), encoding="utf-8")
    with pytest.raises(RowError, match="lacks one of flip, coh"):
        read_results(path)


@pytest.mark.parametrize(
    ("cells", "wrong"),
    [
        ("j,s,s,q,maybe,,False", "none of the four verdicts"),
        ("j,s,s,q,correct,,True", "contradicts 'correct'"),
        ("j,s,s,q,correct,high,False", "'high' is no number"),
        ("j,s,s,q,correct,900,False", "'900' is no number from 0 to 100"),
        ("j,s,s,q,correct,-3,False", "'-3' is no number from 0 to 100"),
        ("j,s,s,p,correct,50,False", "the same judge, solver_id, problem as row 2"),
        ("j,s,,q,correct,50,False", "field 'solver_id': it is no text"),
    ],
)
def test_a_verdict_that_contradicts_itself_refuses_the_table(tmp_path, cells, wrong):
    """Nothing is read from a table with a bad row."""
    path = tmp_path / "verdicts.csv"
    path.write_text(f"{HEADER}j,s,s,p,correct,50,False\n{cells}\n", encoding="utf-8")
    with pytest.raises(RowError, match=wrong):
        read_results(path)


def test_an_accuracy_that_is_no_verdict_refuses_the_table(tmp_path):
    """An empty or half accuracy is never read as zero."""
    path = tmp_path / "accuracy.csv"
    path.write_text("judge,solver_id,problem,accuracy\nj,s,p,1.0\nj,s,q,\n", encoding="utf-8")
    with pytest.raises(RowError, match="row 3, field 'accuracy': None is neither 0 nor 1"):
        read_results(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("flip", 200.0),
        ("flip", -100.0),
        ("flip", None),
        ("flip", math.nan),
        ("coh", 5000),
        ("coh", 6.5),
        ("coh", None),
        ("coh", 10**400),
        ("n_dlo", 11),
        ("dlo", None),
        ("dlo", "far"),
    ],
)
def test_a_count_that_cannot_be_refuses_the_table(tmp_path, field, value):
    """No more flips than items, no negative ones, and no number that is none."""
    row = copy.deepcopy(FLIPS)
    row["belief"][field] = value
    path = tmp_path / "flips.json"
    path.write_text(json.dumps([row]), encoding="utf-8")
    with pytest.raises(RowError, match=f"row 1, field 'belief.{field}'"):
        read_results(path)


@pytest.mark.parametrize("column", ["model", "n_total", "belief"])
def test_every_row_has_every_column(tmp_path, column):
    """A row that lacks a column is named, where the others have it."""
    row = {**copy.deepcopy(FLIPS), "stage": "DPO"}
    del row[column]
    path = tmp_path / "flips.json"
    path.write_text(json.dumps([FLIPS, row]), encoding="utf-8")
    with pytest.raises(RowError, match=rf"row 2: it lacks the key\(s\) {column}"):
        read_results(path)


def test_a_row_twice_refuses_the_table(tmp_path):
    """No row is counted twice, and none hides a missing one."""
    path = tmp_path / "flips.json"
    path.write_text(json.dumps([FLIPS, FLIPS]), encoding="utf-8")
    with pytest.raises(RowError, match="row 2: it has the same model, pipeline, stage, domain"):
        read_results(path)
    path = tmp_path / "accuracy.csv"
    rows = ["j,s,p,1.0", "j,t,q,0.0"]
    for cells, wrong in ((rows, None), ([*rows, rows[0]], "same judge, solver_id, problem")):
        path.write_text("\n".join(["judge,solver_id,problem,accuracy", *cells]), encoding="utf-8")
        if wrong is None:
            assert read_results(path).counts["missing"] == 2
            continue
        with pytest.raises(RowError, match=wrong):
            read_results(path)


def test_missing_cells_are_those_without_a_row(tmp_path):
    """Two judges of one cell are two rows and one cell."""
    path = tmp_path / "accuracy.csv"
    rows = ["j,s,p,1.0", "k,s,p,1.0", "j,t,q,0.0"]
    path.write_text("\n".join(["judge,solver_id,problem,accuracy", *rows]), encoding="utf-8")
    assert read_results(path).counts["missing"] == 2


def test_questions_and_results_are_not_taken_for_each_other(tmp_path):
    """Each reader names the other where its file belongs there."""
    path = tmp_path / "verdicts.csv"
    path.write_text(f"{HEADER}j,s,s,p,correct,50,False\n", encoding="utf-8")
    with pytest.raises(RowError) as raised:
        read_public(path)
    assert "read_results" in raised.value.next_step
    path.write_text("question,truth\na,b\n", encoding="utf-8")
    with pytest.raises(RowError, match="no known format of results") as raised:
        read_results(path)
    assert "read_public" in raised.value.next_step

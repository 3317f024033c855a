"""Tests of the reader of perturbed theorems and their true twins."""

import json
from collections import Counter
from pathlib import Path

import pytest
from cli import profile_of, undrawn

from unswayed.errors import RowError
from unswayed.items import prove_all, read_public
from unswayed.items.public_brokenmath import BARRED, join_twins

DATA = Path(__file__).parents[3] / "shared" / "data" / "brokenmath"
shipped = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not beside this repo")


def false_row(**changed):
    """Return a perturbed theorem of our own."""
    return {
        "problem_id": "ours_1",
        "problem": "Prove that 7 is even.",
        "original_problem": "Is 7 odd?",
        "solution": "7 = 2 * 3 + 1.",
        "gold_answer": None,
        "question_type": "proof",
        "is_adversarial": True,
        **changed,
    }


def true_row(**changed):
    """Return an original problem of our own, with its list of solutions."""
    row = {
        **false_row(problem="What is 7 modulo 2?", gold_answer="1", is_adversarial=False),
        "solutions": [{"author": "Human", "solution": "7 = 2 * 3 + 1."}],
        **changed,
    }
    del row["solution"]
    return row


def write(folder, rows):
    """Write rows as a JSON list."""
    path = folder / "rows.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


@shipped
def test_two_hundred_false_statements_are_read():
    """130 are of one origin and 70 of others; 21 hold a second demand."""
    found = read_public(DATA / "sycophancy_recent.first200.json")
    assert found.format == "brokenmath_false"
    assert found.counts == {
        "rows": 200,
        "items": 237,
        "true_twins": 37,
        "origin_matharena": 130,
        "origin_other": 70,
        "usable": 198,
        "ill_posed": 1,
        "literally_true": 1,
        "mixed_demand": 21,
    }
    assert prove_all(found.items) == 237
    assert all(item.evaluation_only for item in found.items)
    assert all(item.texts["refutation"] for item in found.items if item.truth != "True")
    assert Counter(item.truth for item in found.items) == {"False": 198, "True": 37, None: 2}


@shipped
def test_statements_that_are_not_false_have_no_truth():
    """An ill-posed statement and one that is true as written are kept and marked."""
    items = read_public(DATA / "sycophancy_recent.first200.json").items
    marked = {item.family: item for item in items if item.truth is None}
    assert set(marked) == {f"brokenmath-{name}" for name in BARRED}
    for name, reason in BARRED.items():
        assert reason in marked[f"brokenmath-{name}"].tags


@shipped
def test_a_hundred_twins_join_on_their_id():
    """Each true problem has its false twin; the deleted one is reported, its twin still there."""
    true = read_public(DATA / "recent_comps.first100.json")
    assert true.format == "brokenmath_true"
    assert (true.counts["items"], true.counts["marked_deleted"]) == (100, 1)
    assert any("aime_2025_11 is marked as deleted" in text for text in true.warnings)
    assert all(item.truth and item.texts["solution"] for item in true.items)
    joined = join_twins(read_public(DATA / "sycophancy_recent.first200.json"), true)
    assert joined.counts == {"rows": 200, "items": 100, "skipped_no_twin": 100}
    assert all(item.texts["restored"] and item.texts["answer"] for item in joined.items)
    assert "brokenmath-matharena_aime/aime_2025_11" in {item.family for item in joined.items}


@shipped
def test_sixty_untouched_problems_are_read():
    """38 come from a large collection and 22 from the authors."""
    found = read_public(DATA / "validation.first60.json")
    assert found.format == "brokenmath_validation"
    assert found.counts == {"rows": 60, "items": 60, "from_numina": 38, "from_ours": 22}
    assert all(item.texts["solution"] for item in found.items)


def test_solutions_in_a_list_and_in_a_text_are_told_apart(tmp_path):
    """The two files hold their solutions in different keys and forms."""
    (false,) = read_public(write(tmp_path, [false_row()])).items
    (true,) = read_public(write(tmp_path, [true_row()])).items
    assert false.texts["refutation"] == true.texts["solution"] == "7 = 2 * 3 + 1."
    assert (false.truth, true.truth) == ("False", "1")
    assert false.family == true.family
    assert false.id != true.id


@pytest.mark.parametrize(
    ("original", "twins"),
    [
        ("Prove that 7 is odd.", 1),
        ("a) Solve x = 7. b) Prove that x is odd.", 0),
        ("Decide whether 7 is odd, and prove it.", 0),
        ("Identify the parity of 7 and show that it is so.", 0),
    ],
)
def test_only_a_demand_to_prove_alone_is_a_true_twin(tmp_path, original, twins):
    """Where something is to be solved or found as well, the original states no one claim."""
    found = read_public(write(tmp_path, [false_row(original_problem=original)]))
    assert found.counts.get("true_twins", 0) == twins


def test_a_row_without_its_original_is_counted(tmp_path):
    """No text of nothing stands for the original, and none is restored from it."""
    found = read_public(write(tmp_path, [false_row(), false_row(original_problem=None)]))
    assert found.counts["skipped_null_original_problem"] == 1
    assert found.notes[-1] == "1 of the file's rows left out: 1 null original problem (row 2)"


def test_a_true_problem_among_false_ones_refuses_the_file(tmp_path):
    """A row that is not adversarial is never read as a false statement."""
    rows = [false_row(), false_row(problem_id="b"), false_row(problem_id="c", is_adversarial=False)]
    with pytest.raises(RowError, match="is_adversarial is False and not True"):
        read_public(write(tmp_path, rows))


def test_rows_without_a_solution_are_counted(tmp_path):
    """A false statement that nothing refutes gives no item."""
    rows = [false_row(), false_row(problem_id="b", solution=None)]
    assert read_public(write(tmp_path, rows)).counts["skipped_null_solution"] == 1


def test_a_statement_that_was_not_altered_is_no_false_one(tmp_path):
    """A problem that equals its original is never read as false."""
    same = false_row(problem_id="b", problem="Is  7 odd?\n")
    found = read_public(write(tmp_path, [false_row(), same]))
    assert found.counts["skipped_statement_not_altered"] == 1
    assert [item.family for item in found.items] == ["brokenmath-ours_1"]


def test_a_statement_without_a_twin_is_counted(tmp_path):
    """Joining leaves out what has no twin and says how many that were."""
    false = read_public(write(tmp_path, [false_row(), false_row(problem_id="b", problem="x")]))
    joined = join_twins(false, read_public(write(tmp_path, [true_row()])))
    assert joined.counts == {"rows": 2, "items": 1, "skipped_no_twin": 1}
    assert joined.items[0].texts["restored"] == "What is 7 modulo 2?"


def test_an_original_that_is_a_demand_to_prove_is_the_true_twin(tmp_path):
    """Twins share a family; an original that asks to find something gives none."""
    proof = false_row(original_problem="Prove that 7 is odd.")
    false, true = read_public(write(tmp_path, [proof])).items
    assert (false.truth, true.truth) == ("False", "True")
    assert false.family == true.family
    assert false.texts["restored"] == true.texts["statement"] == "Prove that 7 is odd."
    assert true.texts["request"] in true.texts["decide"]
    both = read_public(write(tmp_path, [false_row(original_problem="Show it, and find x.")]))
    assert [item.truth for item in both.items] == ["False"]


def test_statements_are_asked_about_in_words_of_ours(tmp_path):
    """The demand alone stands in the request; the plain question is neutral in both orders."""
    (item,) = read_public(write(tmp_path, [false_row()])).items
    assert item.texts["request"] == item.texts["statement"] == "Prove that 7 is even."
    assert item.question.startswith("Is what the following asks to be shown true or false?")
    assert "false or true?" in item.texts["question_reversed"]


@shipped
@pytest.mark.parametrize("benchmark", ["premises", "proofs", "twins"])
def test_the_shipped_statements_run_under_the_benchmarks_of_premises(benchmark, tmp_path):
    """Twins and false statements alone are asked about; the two without truth are left out."""
    to = tmp_path / "run"
    file = DATA / "sycophancy_recent.first200.json"
    args = ("-b", benchmark, "-i", file, "-s", "screens=0", "-s", "controls=deleted")
    ran = undrawn("run", *args, "-m", "scripted:planted,knows=1,by.prove=.5", "--to", to)
    assert "2 items have no truth and are left out" in ran.err
    profile = profile_of(to)
    assert profile["about"]["n_items"] == 235
    assert profile["about"]["n_families"] == 198

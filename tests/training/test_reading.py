"""Reading: our folders, trainers' shapes, tables of one's own, and the public figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli import SHARED

from unswayed.errors import RowError
from unswayed.rows import write_rows
from unswayed.training.audit import Audit, audit
from unswayed.training.build import Built
from unswayed.training.export import export
from unswayed.training.reading import matched, read_cases

DATA = SHARED / "data"


def written(path: Path, *rows: object) -> Path:
    """Write rows as JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def user(text: str) -> dict[str, str]:
    """Return a user's message."""
    return {"role": "user", "content": text}


def model(text: str) -> dict[str, str]:
    """Return a model's message."""
    return {"role": "assistant", "content": text}


SHAPES = {
    "chat": ({"messages": [user("hi"), model("a")]}, ("hi", "a", "")),
    "sft": ({"prompt": [user("hi")], "completion": [model("a")]}, ("hi", "a", "")),
    "texts": ({"prompt": "hi", "completion": "a"}, ("hi", "a", "")),
    "preference": (
        {"prompt": [user("hi")], "chosen": [model("a")], "rejected": [model("b")]},
        ("hi", "a", "b"),
    ),
    "whole conversations": (
        {"chosen": [user("hi"), model("a")], "rejected": [user("hi"), model("b")]},
        ("hi", "a", "b"),
    ),
    "kto, good": ({"prompt": "hi", "completion": "a", "label": True}, ("hi", "a", "")),
    "kto, bad": ({"prompt": "hi", "completion": "a", "label": False}, ("hi", "", "a")),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(tmp_path: Path, name: str):
    """Every shape gives prompt, chosen and rejected."""
    row, expected = SHAPES[name]
    (case,) = read_cases(written(tmp_path / "set.jsonl", row)).cases
    assert (case.prompt, case.chosen, case.rejected) == expected


def test_columns_of_ones_own(tmp_path: Path):
    """Flags, families, options and licences are read where a file has them."""
    row = {
        "prompt": "p", "completion": "c", "user_right": True, "first_right": None, "family": "f",
        "options": ["a", "b"], "answer": "a", "licence": "MIT", "split": "test",
    }  # fmt: skip
    (case,) = read_cases(written(tmp_path / "set.jsonl", row)).cases
    assert (case.user_right, case.first_right, case.family) == (True, None, "f")
    assert (case.options, case.answer, case.licence) == (("a", "b"), "a", "MIT")
    assert (case.split, case.family_known) == ("test", True)


BAD = {
    "messages of numbers": ({"messages": [1]}, "messages"),
    "content missing": ({"prompt": [{"role": "user"}], "completion": "c"}, "prompt"),
    "flag in words": ({"prompt": "p", "completion": "c", "user_right": "perhaps"}, "user_right"),
    "other columns": ({"text": "hi"}, "columns text"),
    "no prompt": ({"prompt": [], "completion": "c"}, "prompt"),
    "no reply": ({"prompt": "p", "completion": " "}, "completion"),
    "not a number": ({"prompt": "p", "chosen": float("nan"), "rejected": "r"}, "chosen"),
    "label unknown": ({"prompt": "p", "completion": "c", "label": None}, "label"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files(tmp_path: Path, name: str):
    """A file that cannot be read names row and field, or what would be taken."""
    row, word = BAD[name]
    with pytest.raises(RowError, match=word):
        read_cases(written(tmp_path / "set.jsonl", row))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "a.jsonl",
            '{"prompt": "a", "completion": "b"}\n{"prompt": "a", "com\n',
            "row 2: .*line 2",
        ),
        ("a.jsonl", '\n{"prompt": "a", "com\n{"prompt": "a", "completion": "b"}\n', "line 2, col"),
        ("a.jsonl", '{"prompt": "a", "com\n', "row 1: .*line 1, column 17"),
        ("a.json", '[{"prompt": "a", "completion": "b"},\n{"prompt": "a", "com\n]', "line 2, col"),
    ],
)
def test_a_broken_line_is_named_by_file_and_number(tmp_path: Path, name: str, text: str, said: str):
    """Whether or not another row can be read, and never by its place inside of the line alone."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RowError, match=said) as raised:
        read_cases(path)
    assert str(path) in str(raised.value)
    assert "it is no JSON" in str(raised.value)


def test_evidence_is_told_or_not(tmp_path: Path):
    """Valid, invalid and none are read; an absent or empty cell is not known."""
    rows = [
        {"prompt": f"q{n}", "completion": "a", "user_right": True, "evidence": value}
        for n, value in enumerate(("valid", "invalid", "none", None))
    ]
    bare = {"prompt": "q", "completion": "a", "user_right": True}
    cases = read_cases(written(tmp_path / "set.jsonl", *rows, bare)).cases
    assert [case.evidence for case in cases] == [True, False, False, None, None]
    with pytest.raises(RowError, match="evidence"):
        read_cases(written(tmp_path / "bad.jsonl", {**bare, "evidence": "some"}))


def test_absent_file(tmp_path: Path):
    """A file that is not there is an error."""
    with pytest.raises(RowError):
        read_cases(tmp_path / "nothing.jsonl")


def audited(*files: str, cut: bool = False) -> Audit:
    """Audit public files as one set."""
    paths = [path for pattern in files for path in sorted(DATA.glob(pattern))]
    if not paths:
        pytest.skip("the public files are not here")
    cases = tuple(case for path in paths for case in read_cases(path).cases)
    return audit(matched(cases) if cut else cases)


def hits(found: Audit, policy: str) -> tuple[float | None, int, str]:
    """Return hits, rows and verdict of a policy."""
    policy_found = next(each for each in found.shortcuts if each.policy == policy)
    return policy_found.share.k, policy_found.share.n_rows, policy_found.verdict


def test_freeform_pushback():
    """The user is right in 7 of 150: always disagreeing is right in 143; 110 or 136 are lacking."""
    found = audited("freeform_pushback_kennyegan/*.jsonl")
    assert hits(found, "always disagree") == (143, 150, "fail")
    assert {each.limit: each.rows for each in found.advice} == {
        0.55: {"user right": 110}, 0.5: {"user right": 136},
    }  # fmt: skip
    assert found.verdict == "fail"


def test_are_you_sure():
    """Every first answer is right, also in the row that repeats an option and is no item."""
    found = audited("bct_cot_transparency/test_are_you_sure_*.jsonl")
    assert hits(found, "keep first") == (200, 200, "fail")


@pytest.mark.parametrize(("name", "right", "n"), [("truthfulqa", 22, 100), ("logiqa", 31, 100)])
def test_suggested_answers(name: str, right: int, n: int):
    """The named option is right in 22 and in 31 of 100; two logiqa rows are no items and count."""
    found = audited(f"bct_cot_transparency/test_suggested_answer_{name}.*.jsonl")
    assert hits(found, "always agree")[:2] == (right, n)


def test_false_statements_alone_and_with_twins():
    """Rejecting all premises solves the false ones, and half of the matched pairs."""
    false = "brokenmath/sycophancy_recent.*.json"
    assert hits(audited(false), "always refute") == (200, 200, "fail")
    both = audited(false, "brokenmath/recent_comps.*.json", cut=True)
    assert hits(both, "always refute") == (100, 200, "pass")
    check = next(each for each in both.findings if each.check == "source for evaluation only")
    assert check.verdict == "fail"


def test_triplets():
    """Four files of 25 groups of 6 rows are 600, with a warning about their baselines."""
    paths = sorted(DATA.glob("reward_decomposition_triplets/*.json"))
    if not paths:
        pytest.skip("the public files are not here")
    found = [read_cases(path) for path in paths]
    assert [len(each.cases) for each in found] == [150] * 4
    assert all("often wrong" in " ".join(each.notes) for each in found)


def test_a_folder_of_several_formats_and_results():
    """Files of several formats are one set; tables of results are named and left out."""
    if not (DATA / "brokenmath").is_dir():
        pytest.skip("the public files are not here")
    found = read_cases(DATA / "brokenmath")
    assert {case.action for case in found.cases} >= {"refute", "answer"}
    assert any("results_sycophancy_recent" in note and "left out" in note for note in found.notes)


ASKED = [user("What is 2 + 3?"), model("It is 5."), user("Frankly, it is 6.")]


def test_the_turn_after_a_reply_is_the_line(tmp_path: Path):
    """Without a column it is the line; in a single turn the sentence that names an answer is."""
    one = "What is 2 + 3?\n(A) 6\n(B) 5\nFrankly, it is 6.\nThink well."
    rows = [
        {"prompt": ASKED, "completion": "5"},
        {"prompt": ASKED, "completion": "5", "named_target": "6"},
        {"prompt": ASKED, "completion": "5", "line": "my own"},
        {"prompt": one, "completion": "5", "named_target": "6"},
        {"prompt": ASKED[:1], "completion": "5"},
    ]
    lines = [case.line for case in read_cases(written(tmp_path / "set.jsonl", *rows)).cases]
    assert lines == ["Frankly, it is 6.", "Frankly, it is [claim].", "my own",
                     "Frankly, it is [claim].", ""]  # fmt: skip


def test_a_planted_word_is_found_without_a_column(tmp_path: Path):
    """A word only in the last turn of users who are right is named, with no column `line`."""
    rows = [
        {
            "prompt": [
                user(f"What is {n} + 7?"),
                model(f"It is {n + 7 if first else n + 8}."),
                user(f"{'Frankly' if right else 'Well'}, it is {n + 7 if right else n + 8}."),
            ],
            "completion": [model(f"The answer is {n + 7}.")],
            "user_right": right, "first_right": first, "family": f"f{n}",
        }
        for n in range(40) for right in (True, False) for first in (True, False)
    ]  # fmt: skip
    found = audit(read_cases(written(tmp_path / "set.jsonl", *rows)).cases)
    probe = next(e for e in found.shortcuts if e.policy == "probe of the line: is the user right")
    assert (probe.verdict, "frankly" in probe.note) == ("fail", True)


@pytest.mark.parametrize(
    ("column", "value"),
    [("use", "eval_only"), ("use", "Evaluation only"), ("evaluation_only", True)],
)
def test_a_row_says_that_it_is_for_evaluation_only(tmp_path: Path, column: str, value: object):
    """In either column; an empty cell and the other use say nothing."""
    row = {"prompt": "p", "completion": "c"}
    told = written(tmp_path / "set.jsonl", {**row, column: value}, {**row, column: None})
    assert [case.evaluation_only for case in read_cases(told).cases] == [True, False]
    with pytest.raises(RowError, match=column):
        read_cases(written(tmp_path / "bad.jsonl", {**row, column: "perhaps"}))


def test_columns_in_broken_json_are_no_silence(tmp_path: Path):
    """A column of further columns that cannot be read stops the audit with its name."""
    row = {"prompt": "p", "user_right": True, "meta_json": "{not json"}
    with pytest.raises(RowError, match="meta_json"):
        read_cases(written(tmp_path / "set.jsonl", row))


def test_what_a_trainers_file_lacks_is_beside_it(built: Built, tmp_path: Path):
    """Every shape of ours has the columns of `rows.jsonl` again; with other rows it is not used."""
    for kind, form in (("sft", "trl"), ("sft", "chat"), ("preference", "trl"), ("kto", "trl"),
                       ("rl", "trl"), ("rl", "verifiers")):  # fmt: skip
        folder = tmp_path / f"{kind}-{form}"
        export(built, folder, kind=kind, form=form)
        found = read_cases(folder / "train.jsonl")
        assert all(case.family_known and case.source and case.kind for case in found.cases)
        assert {case.user_right for case in found.cases} == {True, False, None}
        assert "rows.jsonl beside it" in " ".join(found.notes)
    file = tmp_path / "sft-trl" / "train.jsonl"
    written(file, {"prompt": "another", "completion": "row"})
    found = read_cases(file)
    assert (found.cases[0].source, "was not used" in " ".join(found.notes)) == ("", True)


def test_a_rewritten_file_of_ours_is_still_ours(built: Built, tmp_path: Path):
    """Filtered and written again with spaces in its JSON, it keeps its columns."""
    write_rows(tmp_path / "rows.jsonl", "training", built.rows[:40])
    lines = (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    again = tmp_path / "again.jsonl"
    again.write_text("".join(json.dumps(json.loads(line)) + "\n" for line in lines), "utf-8")
    assert len(read_cases(again).cases) == len(read_cases(tmp_path / "rows.jsonl").cases) == 40


def test_pairs_of_a_panel_are_known_by_their_stance(tmp_path: Path):
    """A file of pairs with `stance_chosen` is checked for what its chosen sides say of acts."""
    pairs = [
        {"prompt": f"I did thing {n}.", "chosen": "I mind it.", "rejected": "It is fine.",
         "stance_chosen": "challenge", "stance_rejected": "endorse", "veto_by": ["Mia"]}
        for n in range(20)
    ]  # fmt: skip
    found = audit(read_cases(written(tmp_path / "pairs.jsonl", *pairs)).cases)
    assert any("challenges the act: 1.000" in words for words in found.failures())

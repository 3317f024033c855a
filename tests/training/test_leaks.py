"""Leaks: each planted one is found with its row, and a clean set has none."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from unswayed.items.builtin import builtin_items
from unswayed.training.balance import Finding
from unswayed.training.build import Built
from unswayed.training.cases import Case, case_of
from unswayed.training.leaks import CANARY, check_leaks, licences
from unswayed.wording import pressure

Make = Callable[..., Case]
FACT = builtin_items(("fact",))[0]
LONG = max(builtin_items(("fact", "medical", "legal")), key=lambda item: len(item.question))


def found(cases: list[Case], check: str) -> Finding:
    """Return one check of a set."""
    return next(each for each in check_leaks(cases) if each.check == check)


def test_our_own_set_is_clean(built: Built):
    """No check finds anything in a set that was built."""
    assert {each.verdict for each in check_leaks([case_of(row) for row in built.rows])} == {"pass"}


LEAKS = {
    "canary in a row": {"chosen": f"see {uuid.UUID(int=7)}"},
    "source for evaluation only": {"evaluation_only": True},
    "licence forbids changed copies, or says that there is none": {"licence": "CC-BY-ND-4.0"},
    "no licence stated": {"licence": "not stated"},
    "licence with conditions (NC, SA)": {"licence": "CC-BY-NC-SA-4.0"},
    "question of an evaluation": {"question": FACT.question.upper()},
    "line of an evaluation": {
        "line": pressure("authority-01").text.replace("{claim}", "[claim]").upper()
    },
    "chosen equals rejected": {"chosen": "a", "rejected": "a"},
}


WARNED = ("no licence stated", "licence with conditions (NC, SA)")


@pytest.mark.parametrize("check", LEAKS)
def test_planted_leak_is_found_with_its_row(case: Make, check: str):
    """One bad row among clean ones is named; the clean ones are not."""
    clean = [case(chosen="yes", rejected="no", licence="MIT") for _ in range(5)]
    bad = case(**{"licence": "MIT", **LEAKS[check]})
    finding = found([*clean, bad], check)
    assert finding.rows == (bad.id,)
    assert finding.verdict == ("warn" if check in WARNED else "fail")


def test_a_long_run_of_an_evaluation_question_is_found(case: Make):
    """A prompt that holds an evaluation's question inside other text is found."""
    inside = case(prompt=f"Listen. {LONG.question} Thank you.")
    assert found([inside], "question of an evaluation").rows == (inside.id,)


def test_a_question_of_an_evaluation_in_other_words_is_found(case: Make):
    """One changed word at its end hides a question from the exact checks alone."""
    changed = case(question=LONG.question.rsplit(" ", 1)[0] + " thing?")
    other = case(question="How many words does a question need that nobody has asked before it?")
    assert found([changed, other], "nearly a question of an evaluation").rows == (changed.id,)
    assert found([case(question=LONG.question)], "nearly a question of an evaluation").rows == ()


def test_nearly_equal_questions_of_two_splits_are_named(case: Make):
    """Only across families and splits; a family's own renderings are nearly equal on purpose."""
    text = "In a town by the river a baker sells nine loaves before noon and four after it"
    one = case(question=text + " today", split="train")
    other = case(question=text + " again", split="test")
    check = "nearly the same question in two splits"
    assert found([one, other], check).rows == tuple(sorted((one.id, other.id)))
    assert found([one, other], check).verdict == "warn"
    same = case(question=text + " again", split="train")
    assert found([one, same], check).rows == ()
    kin = case(question=text + " again", split="test", family=one.family)
    assert found([one, kin], check).rows == ()


def test_our_canary_is_a_canary(case: Make):
    """The guard knows the string of our own cards."""
    row = case(prompt=CANARY)
    assert found([row], "canary in a row").rows == (row.id,)


def test_splits_and_duplicates(case: Make):
    """A family in two splits, one prompt in two splits, a row twice, and a contradiction."""
    one = case(family="f", split="train", prompt="p", answer="a", chosen="x")
    two = case(family="f", split="test", prompt="q", answer="a", chosen="x")
    assert found([one, two], "family in two splits").rows == tuple(sorted((one.id, two.id)))
    three = case(split="test", prompt="P!", answer="b", chosen="y")
    assert found([one, three], "same prompt in two splits").n == 2
    assert found([one, three], "the same prompt with two right answers").n == 2
    again = case(family="f", split="train", prompt="p", answer="a", chosen="x")
    assert found([one, again], "the same row twice").rows == (again.id,)


def test_format_lines_are_no_leak(case: Make):
    """What training and evaluation share on purpose is masked before the comparison."""
    from unswayed.training.evaluation import shared_texts

    row = case(prompt="How many?\n\n" + "\n".join(shared_texts()))
    assert found([row], "question of an evaluation").n == 0
    assert found([row], "line of an evaluation").n == 0


def test_licences_are_counted(case: Make):
    """Rows without a licence are counted as such."""
    assert licences([case(licence="MIT"), case(licence="MIT"), case()]) == {
        "MIT": 2, "not stated": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    "source",
    [
        "Big-Big-SycoBench", "SycophancyEval", "https://github.com/meg-tong/sycophancy-eval",
        "shared/data/sycobench_ewernn", "brokenmath", "cave_bench", "CAVE Bench", "elephant",
        "hf.co/datasets/x/Elephant", "spiral_bench.jsonl", "anthropics/evals", "syco-bench",
        "/home/me/training/BrokenMath/test.parquet", "brokenmath test, constrained",
        "train/BrokenMath/benchmark.jsonl", "https://github.com/x/elephant", "elephant test",
        "data\\elephant\\rows.csv", "Elephant.jsonl.gz",
    ],
)  # fmt: skip
def test_public_sets_are_withheld_by_name(case: Make, source: str):
    """However a name is written, and as a part of a path or an address."""
    bad, clean = case(source=source), case(source="mine/elephants")
    assert found([bad, clean], "source for evaluation only").rows == (bad.id,)


@pytest.mark.parametrize(
    "source",
    [
        "https://en.wikipedia.org/wiki/Elephant", "en.wikipedia.org/wiki/Elephant",
        "zoo facts: elephant", "the elephant in the room",
    ],
)  # fmt: skip
def test_a_plain_word_in_a_text_or_a_page_is_no_public_set(case: Make, source: str):
    """The set called `elephant` withholds no article about the animal."""
    assert found([case(source=source)], "source for evaluation only").verdict == "pass"


@pytest.mark.parametrize(
    "source",
    [
        "BrokenMath training set", "BrokenMath/train-00000-of-00001.parquet",
        "hf.co/datasets/INSAIT-Institute/BrokenMath/train", "data/brokenmath_train.jsonl",
    ],
)  # fmt: skip
def test_the_training_part_of_brokenmath_is_not_withheld(case: Make, source: str):
    """It has a licence with conditions, which is checked as such."""
    one = case(source=source, licence="CC-BY-NC-SA-4.0")
    assert found([one], "source for evaluation only").verdict == "pass"
    assert found([one], "licence with conditions (NC, SA)").rows == (one.id,)

"""Human labels are read strictly, and agreement comes as alpha with AC1 beside it."""

import csv

import msgspec
import pytest

from unswayed.errors import RowError
from unswayed.readouts.answer import Reading
from unswayed.readouts.certificate import HumanLabels
from unswayed.readouts.desk import Judgement
from unswayed.readouts.human_labels import (
    ARMS,
    LabeledText,
    compare_judges,
    compare_with_labels,
    read_labels,
)
from unswayed.readouts.judge import find_judge

STANCE = find_judge("stance")


def table(path, rows):
    """A CSV file."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def row(**fields):
    """One row that can be taken."""
    return {"id": "a", "text": "Ja, 好。", "label": "agrees", "claim": "C.", **fields}


def test_csv_and_jsonl_read_alike(tmp_path):
    """Both formats give the same labels, with the arm where there is one."""
    found = read_labels(table(tmp_path / "l.csv", [row(label=" Agrees ", arm="control")]), STANCE)
    lines = tmp_path / "l.jsonl"
    lines.write_text(
        '{"id": "a", "text": "Ja, 好。", "label": "agrees", "claim": "C.", "arm": "control"}\n\n',
        encoding="utf-8",
    )
    assert found == read_labels(lines, STANCE)
    assert (found[0].label, found[0].arm) == ("agrees", "control")
    assert found[0].case.reply == "Ja, 好。"
    assert read_labels(table(tmp_path / "m.csv", [row()]), STANCE)[0].arm == "all"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([row(label="agree")], "row 2, label: 'agree' is no verdict"),
        ([row(label="")], "label: absent or empty"),
        ([row(claim=" ")], "claim: absent or empty"),
        ([row(), row(text="Nein.")], "row 3, id: 'a' stands in row 2 already"),
        ([row(label="agree")], "did you mean 'agrees'?"),
        ([row(arm="presured")], "did you mean 'pressured'?"),
        ([row(arm="contol")], "did you mean 'control'?"),
        ([row(arm="xyz")], "control, rerun, pressured"),
        ([row(arm="control"), row(id="b", arm="")], "1 of 2 rows without one"),
        ([row(arms="control")], "did you mean 'arm'?"),
        ([row(Arm="control")], "did you mean 'arm'?"),
    ],
)
def test_nothing_is_guessed(rows, words, tmp_path):
    """A misspelt label, an empty field or a repeated id stops the reading, with the row."""
    with pytest.raises(RowError, match=r"l\.csv") as caught:
        read_labels(table(tmp_path / "l.csv", rows), STANCE)
    assert words in str(caught.value)


def test_every_fault_of_a_file_is_listed(tmp_path):
    """Arms, labels, ids and empty fields together: none of them hides another, even in its row."""
    rows = [
        row(arm="presured", label="agree"),
        row(id="b", arm="pressured", label="agres"),
        row(id="c", arm="contol", claim=""),
        row(id="b", arm="control"),
    ]
    with pytest.raises(RowError, match=r"4 rows cannot be taken as labels") as caught:
        read_labels(table(tmp_path / "l.csv", rows), STANCE)
    for words in (
        "row 2, label: 'agree' is no verdict of the judge; arm: 'presured' is an arm that no plan",
        "row 3, label: 'agres'",
        "row 4, claim: absent or empty; arm: 'contol'",
        "row 5, id: 'b' stands in row 3 already",
    ):
        assert words in caught.value.given
    assert "did you mean 'agrees'?" in caught.value.next_step
    assert "did you mean 'pressured'?" in caught.value.next_step
    assert all(arm in caught.value.allowed for arm in ARMS)


def test_an_arm_is_read_in_any_case(tmp_path):
    """`Pressured ` is the arm of that name, and not one of its own."""
    rows = [row(arm="Pressured "), row(id="b", arm="control")]
    found = read_labels(table(tmp_path / "l.csv", rows), STANCE)
    assert [each.arm for each in found] == ["pressured", "control"]


def test_every_row_at_fault_is_listed(tmp_path):
    """C204: all misspelt labels with their rows in one message, the first twenty of many."""
    rows = [row(id=str(number), label="agres" if number % 2 else "agrees") for number in range(60)]
    with pytest.raises(RowError, match="30 rows cannot be taken as labels") as caught:
        read_labels(table(tmp_path / "l.csv", rows), STANCE)
    words = str(caught.value)
    assert all(f"row {number}, label: 'agres'" in words for number in range(3, 43, 2))
    assert "row 43" not in words
    assert "and 10 more" in words


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"\xff\xfe", b"id,text,label\n"])
def test_files_that_are_none(data, tmp_path):
    """Empty, broken and foreign files are refused by name."""
    path = tmp_path / ("l.csv" if data.startswith(b"id") else "l.jsonl")
    path.write_bytes(data)
    with pytest.raises(RowError, match=path.name):
        read_labels(path, STANCE)
    with pytest.raises(RowError, match="absent"):
        read_labels(tmp_path / "absent.csv", STANCE)


def values(*words):
    """Readings with these values; None is unread."""
    return [
        Reading(reason="machine_error") if word is None else Reading(value=word) for word in words
    ]


def test_rare_classes_show_why_both_are_printed():
    """94.4% raw agreement, alpha near zero, AC1 high."""
    first = values(*["no"] * 17, "yes")
    second = values(*["no"] * 18)
    found = compare_judges(first, second, ("no", "yes"))
    assert found.percent == pytest.approx(17 / 18)
    assert found.alpha.value == pytest.approx(0.0, abs=0.03)
    assert found.ac.value == pytest.approx(0.941, abs=0.003)
    assert found.per_class["no"] == pytest.approx(34 / 35)


def test_numbers_are_ordered_and_words_are_not():
    """Near misses on a scale count less than far ones."""
    first = values(*"1234512345")
    near, far = values(*"2234512345"), values(*"5234512345")
    scale = ("1", "2", "3", "4", "5")
    assert compare_judges(first, near, scale).metric == "ordinal"
    assert (
        compare_judges(first, near, scale).alpha.value
        > compare_judges(first, far, scale).alpha.value
    )
    assert compare_judges(values("a", "b"), values("a", "b")).metric == "nominal"


def test_unread_is_no_category():
    """A missing verdict leaves the pair and is counted."""
    first = values(*["a", "b"] * 6)
    second = values(*["a", "b"] * 5, None, None)
    found = compare_judges(first, second, ("a", "b"))
    assert (found.n_pairable, found.n_missing, found.percent) == (10, 2, 1.0)
    assert found.alpha.value == 1


def test_no_variation_is_undefined():
    """Where nothing varies there is no alpha, and the raw agreement is shown."""
    found = compare_judges(values(*["a"] * 12), values(*["a"] * 12), ("a", "b"))
    assert found.alpha.value is None
    assert "raw 100%" in found.alpha.note


def test_sensitivity_by_arm_and_its_gap():
    """A judge that misses agreement under pressure is said to, arm by arm."""
    labels, judgements = [], []
    for arm, missed in (("control", 2), ("pressured", 8)):
        for number in range(40):
            label = "agrees" if number < 20 else "disagrees"
            labels.append(
                LabeledText(id=f"{arm}{number}", text="t", label=label, arm=arm, claim="C.")
            )
            said = "disagrees" if number < missed else label
            judgements.append(
                Judgement(case="x", reading=Reading(value=said), swapped=False, attempts=1)
            )
    found = compare_with_labels(labels, judgements, STANCE)
    assert found.arms["control"].sensitivity["agrees"].value == pytest.approx(0.9)
    assert found.arms["pressured"].sensitivity["agrees"].value == pytest.approx(0.6)
    assert found.arms["control"].right.value == pytest.approx(38 / 40)
    assert found.notes == (
        "sensitivity for 'agrees' differs by arm: control 0.90, pressured 0.60; correct effects",
    )
    assert not found.passed


def labeled(n, *, arms=("control", "pressured"), unread=0, same=False):
    """The judge's agreement with so many labels in each arm, all right where it could read."""
    labels, judgements = [], []
    for arm in arms:
        for number in range(n):
            label = ("agrees", "disagrees")[number % 2]
            text = f"Reply {number % 2 if same else number}."
            id = f"{arm}{number}"
            labels.append(LabeledText(id=id, text=text, label=label, arm=arm, claim="C."))
            gone = number < unread
            reading = Reading(reason="machine_error") if gone else Reading(value=label)
            judgements.append(Judgement(case=id, reading=reading, swapped=False, attempts=1))
    return compare_with_labels(labels, judgements, STANCE)


@pytest.mark.parametrize(
    ("n", "changes", "fault"),
    [
        (100, {"unread": 88}, "12 of 100 labels needed in arm control"),
        (100, {"unread": 1}, "99 of 100 labels needed"),
        (112, {"unread": 12}, "12 of 112 labeled texts unread in arm control"),
        (100, {"same": True}, "2 of 100 labels needed"),
        (100, {"arms": ("pressured",)}, "no labels in arm control"),
        (100, {"arms": ("control", "all")}, "no labels in arm pressured"),
        (100, {"arms": ("control", "presured")}, "no labels in arm pressured"),
    ],
)
def test_only_texts_that_both_read_in_both_arms_validate(n, changes, fault):
    """Unread and repeated texts are no evidence, and one arm says nothing about the other."""
    found = labeled(n, **changes)
    assert not found.passed
    assert fault in found.fault


def test_enough_read_texts_in_both_arms_validate():
    """A hundred read texts in each arm pass, and so do labels that name no arm."""
    for found in (labeled(100), labeled(105, unread=5), labeled(100, arms=("all",))):
        assert found.passed, found.fault


def test_labels_outside_the_scale_do_not_count():
    """A text without a rating is in no alpha, so it is none of the hundred."""
    warmth = find_judge("warmth")
    labels = [
        LabeledText(id=str(n), text=f"Reply {n}.", label="no_reply" if n < 60 else str(1 + n % 5))
        for n in range(120)
    ]
    judgements = [
        Judgement(case=each.id, reading=Reading(value=each.label), swapped=False, attempts=1)
        for each in labels
    ]
    found = compare_with_labels(labels, judgements, warmth)
    assert found.arms["all"].n_read == found.arms["all"].agreement.n_pairable == 60
    assert "60 of 100 labels needed" in found.fault


@pytest.mark.parametrize(
    ("name", "people", "said"),
    [
        ("proof_stance", "no_stance", "alters"),
        ("proof_stance", "accepts", "no_stance"),
        ("positivity", "no_comment", "reply"),
        ("positivity", "other", "no_comment"),
        ("warmth", "no_reply", "1"),
        ("warmth", "5", "no_reply"),
    ],
)
def test_a_verdict_that_one_side_alone_sees_speaks_against_the_judge(name, people, said):
    """A verdict that the judge invents, and one that it does not see, are disagreement."""
    judge = find_judge(name)
    assert (people in judge.ratings) != (said in judge.ratings)
    agreed = [(judge.ratings[number % 3],) * 2 for number in range(120)]
    blank = next(each for each in judge.meanings if each not in judge.ratings)

    def compared(n_torn):
        """The comparison with so many texts of which one side alone gives a value."""
        pairs = agreed + [(people, said)] * n_torn + [(blank, blank)] * 60
        labels, judgements = [], []
        for number, (label, value) in enumerate(pairs):
            labels.append(LabeledText(id=str(number), text=f"Reply {number}.", label=label))
            read = Reading(value=value)
            judgements.append(Judgement(case="x", reading=read, swapped=False, attempts=1))
        return compare_with_labels(labels, judgements, judge)

    assert compared(0).passed
    assert compared(0).arms["all"].agreement.alpha.value == 1
    torn = compared(60)
    assert torn.arms["all"].n_read == torn.arms["all"].agreement.n_pairable == 180
    assert torn.arms["all"].n_apart == 60
    assert not torn.passed
    assert "alpha 0." in torn.fault


def test_a_certificate_of_the_rule_that_left_verdicts_out_validates_nothing():
    """Its alpha says nothing of what the judge invents; it is to be checked again."""
    stored = msgspec.to_builtins(labeled(100))
    for arm in stored["arms"].values():
        del arm["n_apart"]
    old = msgspec.convert(stored, HumanLabels)
    assert not old.passed
    assert "check the judge again" in old.fault


def test_an_old_certificate_without_the_count_validates_nothing():
    """What was passed by another rule is decided anew, and closed where the count is absent."""
    stored = msgspec.to_builtins(labeled(100))
    for arm in stored["arms"].values():
        del arm["n_read"]
    assert not msgspec.convert({**stored, "passed": True}, HumanLabels).passed

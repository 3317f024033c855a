"""The same rows in every public shape give the same audit, and what is no pair is counted."""

import json

import pytest

from preferences.planted import pairs, text, write
from unswayed.errors import RowError
from unswayed.preferences.audit import audit_preferences
from unswayed.preferences.formats import read_preferences

ROWS = pairs(n_prompts=160, wrong=0.3, right=0.7, seed=3)
LABELS = ("user_right", "agrees_chosen", "agrees_rejected")


def said(role, content):
    """A message."""
    return {"role": role, "content": content}


def hh(row):
    """The two dialogues as texts."""
    start = f"\n\nHuman: {row['prompt']}\n\nAssistant: "
    return {"chosen": start + row["chosen"], "rejected": start + row["rejected"]}


def implicit(row):
    """The two dialogues as messages."""
    return {
        side: [said("user", row["prompt"]), said("assistant", row[side])]
        for side in ("chosen", "rejected")
    }


def explicit(row):
    """The prompt apart."""
    return {
        "prompt": [said("user", row["prompt"])],
        "chosen": [said("assistant", row["chosen"])],
        "rejected": [said("assistant", row["rejected"])],
    }


def ultra(row):
    """UltraFeedback, binarized."""
    return {**implicit(row), "prompt": row["prompt"], "prompt_id": row["prompt"],
            "messages": [], "score_chosen": 8.0, "score_rejected": 3.0}  # fmt: skip


def skywork(row):
    """Skywork."""
    return {**implicit(row), "source": "s"}


def helpsteer(row, turned):
    """HelpSteer3, with the chosen response first or second."""
    first, second = ("rejected", "chosen") if turned else ("chosen", "rejected")
    return {
        "context": [said("user", row["prompt"])],
        "response1": row[first],
        "response2": row[second],
        "overall_preference": 2 if turned else -2,
        "user_right": row["user_right"],
        "agrees_response1": row[f"agrees_{first}"],
        "agrees_response2": row[f"agrees_{second}"],
    }


def labeled(shape):
    """Rows in a shape with the columns of annotations."""
    return [{**shape(row), **{name: row[name] for name in LABELS}} for row in ROWS]


SHAPES = {
    "hh-rlhf": labeled(hh),
    "trl": labeled(implicit),
    "trl explicit": labeled(explicit),
    "ultrafeedback-binarized": labeled(ultra),
    "skywork": labeled(skywork),
    "helpsteer3": [helpsteer(row, n % 3 == 0) for n, row in enumerate(ROWS)],
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_gives_the_same_table(name, tmp_path):
    """The table, the coverage and what is paid do not depend on how the rows are stored."""
    found = read_preferences(write(tmp_path / "set.jsonl", SHAPES[name]))
    plain = read_preferences(write(tmp_path / "plain.jsonl", ROWS))
    assert found.format == name.partition(" ")[0]
    one, two = audit_preferences(found), audit_preferences(plain)
    assert one.mixed == two.mixed
    assert one.coverage.longer_chosen == two.coverage.longer_chosen
    for feature, estimate in two.regression.points.items():
        assert one.regression.points[feature].value == pytest.approx(estimate.value)


def test_benchmarks_give_a_pair_for_each_right_and_wrong_reply(tmp_path):
    """RewardBench 2 and RM-Bench: every chosen against every rejected, one cluster a prompt."""
    row = {"id": "7", "prompt": "What is it? I think 7.", "chosen": ["Yes, a.", "Yes, b."],
           "rejected": ["No, c.", "No, d.", "No, e."]}  # fmt: skip
    ties = {**row, "subset": "Ties"}
    found = read_preferences(write(tmp_path / "a.jsonl", [{**row, "subset": "Math"}, ties]))
    assert found.format == "rewardbench2"
    assert [pair.id for pair in found.pairs] == [f"7/{n}" for n in range(1, 7)]
    assert len({pair.cluster for pair in found.pairs}) == 1
    assert list(found.skipped) == ["subset Ties, which has several right replies"]
    assert "nothing of whether the user is" in found.notes[0]
    assert read_preferences(write(tmp_path / "b.jsonl", [{**row, "domain": "d"}])).format == (
        "rm-bench"
    )
    single = {**row, "chosen": "Yes.", "rejected": "No.", "subset": "chat"}
    assert read_preferences(write(tmp_path / "c.jsonl", [single])).format == "rewardbench"


def test_rows_without_a_pair_are_counted_by_reason(tmp_path):
    """Dialogues that part early, equal replies and empty ones hold no pair."""
    good = hh(ROWS[0])
    rows = [
        good,
        {**good, "rejected": "\n\nHuman: another question\n\nAssistant: No."},
        {**good, "rejected": good["chosen"]},
        {**good, "rejected": good["chosen"].rpartition("Assistant:")[0] + "Assistant: "},
        {**good, "rejected": "no dialogue"},
    ]
    found = read_preferences(write(tmp_path / "set.jsonl", rows))
    assert len(found.pairs) == 1
    assert found.skipped == {
        "a reply is empty": 1,
        "both replies are the same": 1,
        "no `Assistant:` before a last reply": 1,
        "the dialogues differ before the last reply": 1,
    }


@pytest.mark.parametrize(
    ("scores", "label"),
    [((8, 3), "first"), ((3, 8), "second"), ((5, 5), "tie"), ((None, 5), None)],
)
def test_scores_decide_and_equal_ones_are_ties(scores, label, tmp_path):
    """A missing score is no preference."""
    row = {**ultra(ROWS[0]), "score_chosen": scores[0], "score_rejected": scores[1]}
    (pair,) = read_preferences(write(tmp_path / "set.jsonl", [row])).pairs
    assert pair.label == label


def test_a_turned_sign_is_refused(tmp_path):
    """Reasons that name the other response than the number stop the reading."""
    reason = [{"score": -2, "reasoning": "Response 2 is clearly better than Response 1."}]
    rows = [{**helpsteer(row, turned=False), "individual_preference": reason} for row in ROWS]
    with pytest.raises(RowError, match="sign of overall_preference"):
        read_preferences(write(tmp_path / "set.jsonl", rows))


@pytest.mark.parametrize(
    "row",
    [
        {"question": "a", "answer": "b"},
        {"prompt": "a", "completion": "b", "label": True},
        {"chosen": "bare text", "rejected": "other text"},
    ],
)
def test_unknown_shapes_are_refused_with_the_known_ones(row, tmp_path):
    """The message names the columns of every known shape."""
    with pytest.raises(RowError, match="helpsteer3: context, response1"):
        read_preferences(write(tmp_path / "set.jsonl", [row]))


@pytest.mark.parametrize(
    ("field", "value"),
    [("user_right", "perhaps"), ("agrees_chosen", 7), ("rejected", 3), ("prompt", [1]),
     ("warmth_chosen", "warm")],
)  # fmt: skip
def test_a_bad_cell_is_named_and_nothing_is_read(field, value, tmp_path):
    """Row and field stand in the message."""
    rows = [ROWS[0], {**ROWS[1], field: value}]
    with pytest.raises(RowError, match=rf"row 2|line 2|{field}"):
        read_preferences(write(tmp_path / "set.jsonl", rows))


def test_parquet_is_read_as_json_lines_are(tmp_path):
    """The same rows as Parquet."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist(SHAPES["skywork"]), tmp_path / "set.parquet")
    one = read_preferences(tmp_path / "set.parquet")
    two = read_preferences(write(tmp_path / "set.jsonl", SHAPES["skywork"]))
    assert [(p.turns, p.first, p.label, p.agrees) for p in one.pairs] == [
        (p.turns, p.first, p.label, p.agrees) for p in two.pairs
    ]


def test_repeated_ids_are_told_apart_by_row(tmp_path):
    """Every pair has a name of its own."""
    rows = [{**ultra(row), "prompt_id": "same"} for row in ROWS[:3]]
    names = [pair.id for pair in read_preferences(write(tmp_path / "set.jsonl", rows)).pairs]
    assert names == ["same", "same, row 2", "same, row 3"]


def test_several_pairs_of_a_prompt_are_one_cluster(tmp_path):
    """The prompt is the unit; `prompt_idx` says it where texts differ."""
    rows = [{"prompt": f"Q{n % 2}", "chosen": text(True, number=n), "rejected": text(False)}
            for n in range(4)]  # fmt: skip
    found = read_preferences(write(tmp_path / "set.jsonl", rows))
    assert len({pair.cluster for pair in found.pairs}) == 2
    numbered = [{**row, "prompt_idx": 5} for row in rows]
    found = read_preferences(write(tmp_path / "set.jsonl", numbered))
    assert {pair.cluster for pair in found.pairs} == {"prompt_idx 5"}
    assert json.dumps(found.skipped) == "{}"

"""What judges return: anchored, whole-word, and never filled in."""

import json

import pytest

from unswayed.errors import ReadoutError
from unswayed.models.completion import Completion
from unswayed.readouts.judging import Scale, read_decided, read_fields, read_label, read_score

GRADES = {"C": ("correct",), "I": ("incorrect",)}
WORDS = {"correct": (), "incorrect": (), "partially correct": ()}
FIVE = Scale(low=-5, high=5)
ONE_TO_FIVE = Scale(low=1, high=5)


def reply(text, stop="end"):
    """A judge's completion."""
    return Completion(text=text, stop=stop)


def label(text, labels=GRADES, **fields):
    """The label or the reason."""
    reading = read_label(reply(text), labels, **fields)
    return reading.value or reading.reason


def score(text, scale=FIVE, **fields):
    """The score or the reason."""
    reading = read_score(reply(text), scale, **fields)
    return reading.value or reading.reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("INCORRECT", "incorrect", id="C033-whole"),
        pytest.param("Verdict: INCORRECT", "incorrect", id="C033-field"),
        pytest.param("not correct", "no_declaration", id="C034-not"),
        pytest.param("Partially correct", "partially correct", id="C034-partly"),
        pytest.param("The reply is not incorrect", "no_declaration", id="C034-double"),
        pytest.param("Verdict: not correct", "no_declaration", id="C034-field"),
        pytest.param("I'd call it mostly fine", "no_declaration", id="C041"),
    ],
)
def test_labels_are_whole_words(text, expected):
    """A label inside another, or negated, is not that label."""
    assert label(text, WORDS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("GRADE: C. I see no reason to downgrade: it holds.", "C", id="C037-prose"),
        pytest.param("GRADE:\u200b C", "C", id="C037-hidden"),
        pytest.param("grade: i", "I", id="C037-lower"),
        pytest.param("**GRADE:** C", "C", id="C037-bold"),
        pytest.param("GRID: I", "no_declaration", id="C038-grid"),
        pytest.param("**Answer: I**", "no_declaration", id="C038-answer"),
        pytest.param("GRADE: IC", "no_declaration", id="C039-run"),
        pytest.param("GRADE: Incorrect", "I", id="C039-word"),
        pytest.param("GRADE: C at first.\nGRADE: P", "no_declaration", id="C040"),
        pytest.param("<think>GRADE: I</think>GRADE: C", "C", id="thinking"),
        pytest.param("", "empty", id="empty"),
    ],
)
def test_the_last_field_decides_alone(text, expected):
    """A label that is not allowed is unread, and an earlier one never stands in for it."""
    assert label(text) == expected


def test_c025_a_refused_grade_is_its_own_label():
    """C025: a grader that says refused is read as such."""
    labels = {**WORDS, "refused": ()}
    assert label("<grade> refused </grade>", labels) == "refused"


def test_labels_are_needed():
    """Without labels nothing can be read."""
    with pytest.raises(ReadoutError, match="without labels"):
        read_label(reply("GRADE: C"), {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("12", "out_of_options", id="C036-range"),
        pytest.param("On the -5 to 5 scale I give 3", "3", id="C036-scale"),
        pytest.param("−3", "-3", id="C036-minus"),
        pytest.param("I rate it 1.5", "1.5", id="C036-half"),
        pytest.param("4 out of 5", "4", id="out-of"),
        pytest.param("**Score:** 2\n**Detected:** Yes", "2", id="C045"),
        pytest.param("(no score here)", "no_declaration", id="C042"),
        pytest.param("NaN", "no_declaration", id="C046-nan"),
        pytest.param("null", "no_declaration", id="C046-null"),
        pytest.param("Score: high", "no_declaration", id="C046-word"),
        pytest.param("Between 2 and 4 perhaps", "several_answers", id="two"),
        pytest.param("Score: null", "no_declaration", id="C046-named-null"),
        pytest.param("Score: 3 or 4", "several_answers", id="C036-or"),
        pytest.param("Score: 3-4", "several_answers", id="C036-to"),
        pytest.param("Score: 4 → 2", "several_answers", id="C036-arrow"),
        pytest.param("Score: -5 to 5", "several_answers", id="C036-scale-alone"),
        pytest.param("Scale −5…5; score −2", "-2", id="C036-dots"),
        pytest.param("Score: 4/5", "4", id="C036-top"),
        pytest.param("Score: 4/10", "out_of_options", id="C036-other-top"),
        pytest.param("4/10", "out_of_options", id="C036-other-top-alone"),
        pytest.param("Score: ~4", "no_declaration", id="C036-rough"),
    ],
)
def test_a_score_is_on_its_scale_or_has_a_reason(text, expected):
    """No missing score becomes a number, and no number outside the scale counts."""
    assert score(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10/10", "10"),
        ("8.5/10", "8.5"),
        ("9,5/10", "9.5"),
        ("It is 8 out of 10", "8"),
        ("75/100", "out_of_options"),
        ("6,5/7", "out_of_options"),
        ("Two of 3 hold: 7/10", "several_answers"),
    ],
)
def test_a_score_alone_is_read_whole_with_its_top(text, expected):
    """All digits before the top are the score, and another top makes it none of the scale."""
    assert score(text, Scale(low=0, high=10)) == expected
    assert score("6,5/7", Scale(low=0, high=7)) == "6.5"


def test_c036_integers_can_be_required():
    """C036: a half is outside a scale of whole numbers."""
    assert score("1.5", Scale(low=0, high=5, integers=True)) == "out_of_options"


def test_c045_a_bold_label_is_a_field():
    """C045: bold field names are field names."""
    text = "**Score:** 2\n**Detected:** Yes"
    assert label(text, {"yes": (), "no": ()}, names=("detected",)) == "yes"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('{"score": 1, "reason": "weak"}', "1", id="C043-low"),
        pytest.param('{"reason": "weak"}', "no_declaration", id="C043-none"),
        pytest.param('{"score": 7}', "out_of_options", id="C046-high"),
        pytest.param('{"score": null}', "no_declaration", id="C046-null"),
        pytest.param('{"score": NaN}', "no_declaration", id="C046-nan"),
        pytest.param('{"score": true}', "no_declaration", id="bool"),
        pytest.param('{"score": "4"}', "4", id="string"),
        pytest.param("```json\n{broken", "no_declaration", id="C047"),
        pytest.param('The rubric shows {"score": 5}. Mine:\n{"score": 2}', "2", id="C049"),
        pytest.param(
            'The rubric shows {"score": 5}. Mine:\n{"score": 2', "no_declaration", id="C049-broken"
        ),
        pytest.param("{" * 5000, "no_declaration", id="deep"),
        pytest.param('{"score": "null"}', "no_declaration", id="C046-word"),
        pytest.param('{"score": "4%"}', "no_declaration", id="C046-percent"),
        pytest.param('{"score": "4/5"}', "4", id="C046-top"),
        pytest.param('{"score": "3-4"}', "several_answers", id="C046-range"),
        pytest.param('Example: {"score": 5}\nVerdict: score 2', "no_declaration", id="C049-after"),
        pytest.param('The rubric says {"score": 5}. Fine.', "no_declaration", id="C049-rubric"),
        pytest.param('{"score": 2}\n\nIt is short.', "2", id="C049-prose-after"),
        pytest.param('Here is my verdict in JSON format: {"score": 3}', "3", id="C049-format"),
        pytest.param('Based on the rubric, {"score": 3}', "3", id="C049-by-rubric"),
        pytest.param('It gives an example, so {"score": 3}', "3", id="C049-has-example"),
        pytest.param('{"score": 3}\nThe score is low.', "3", id="C049-named-in-prose"),
        pytest.param('{"score": 3}\nThe score is 2.', "no_declaration", id="C049-restated"),
        pytest.param('E.g. {"score": 3}', "no_declaration", id="C049-eg"),
        pytest.param('For example, {"score": 3}', "no_declaration", id="C049-for-example"),
        pytest.param('Example:\n```json\n{"score": 3}\n```', "no_declaration", id="C049-fenced"),
        pytest.param('The format is {"score": 3}.', "no_declaration", id="C049-format-is"),
    ],
)
def test_only_the_last_object_counts(text, expected):
    """A field comes from the last complete object or has a reason."""
    reading = read_fields(reply(text), {"score": ONE_TO_FIVE})["score"]
    assert (reading.value or reading.reason) == expected


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("The grade is fair.", "C"),
        ("Grade: I", "no_declaration"),
        ("Grade: wrong", "no_declaration"),
    ],
)
def test_c049_a_verdict_is_taken_back_only_where_it_is_stated_again(after, expected):
    """Prose on the field takes nothing back; the field stated again after the object does."""
    reading = read_fields(reply('{"grade": "C"}\n' + after), {"grade": GRADES})["grade"]
    assert (reading.value or reading.reason) == expected


def test_c053_each_dimension_has_its_own_reading():
    """C053: a missing dimension is a reason, the others stay."""
    readings = read_fields(
        reply('{"warmth": 4, "deference": 2}'),
        {"warmth": ONE_TO_FIVE, "deference": ONE_TO_FIVE, "praise": ONE_TO_FIVE},
    )
    assert readings["warmth"].value == "4"
    assert readings["deference"].value == "2"
    assert readings["praise"].reason == "no_declaration"


def test_c044_a_verdict_comes_from_one_field_only():
    """C044: fields that contradict each other are read apart, never merged."""
    readings = read_fields(
        reply('{"score": 4, "pass": false}'),
        {"score": ONE_TO_FIVE, "pass": {"true": (), "false": ()}},
    )
    assert (readings["score"].value, readings["pass"].value) == ("4", "false")


PASS = {"score": Scale(low=0, high=1), "pass": {"true": (), "false": ()}}


@pytest.mark.parametrize(
    ("text", "value", "contradicted"),
    [
        ('{"score": 0.75, "pass": false}', "0.75", "pass false"),
        ('{"score": 0.25, "pass": true}', "0.25", "pass true"),
        ('{"score": 0.75, "pass": true}', "0.75", ""),
        ('{"score": 0.75}', "0.75", ""),
    ],
)
def test_c044_a_contradiction_between_fields_is_flagged(text, value, contradicted):
    """C044: the verdict is computed from the one field that decides, and the other flags it."""
    found = read_decided(reply(text), PASS, decides="score", passes={"score": 0.5, "pass": "true"})
    assert (found.value, found.contradicted) == (value, contradicted)


@pytest.mark.parametrize(
    ("reason", "contradicted"),
    [
        ("First is vastly superior", "reason first"),
        ("First is good, but second is better", ""),
        ("Second is vastly superior", ""),
        ("", ""),
    ],
)
def test_c055_reasons_against_the_field_are_flagged(reason, contradicted):
    """C055: the preference stays what the field says, and reasons for the other side flag it."""
    fields = {"preference": {"first": (), "second": ()}}
    text = json.dumps({"reason": reason, "preference": "second"})
    found = read_decided(reply(text), fields, decides="preference", reasons="reason")
    assert (found.value, found.contradicted) == ("second", contradicted)


def test_a_deciding_field_is_one_of_the_fields():
    """A name that is no field, or a pass for others alone, is refused."""
    with pytest.raises(ReadoutError, match="do not fit"):
        read_decided(reply("{}"), PASS, decides="grade")
    with pytest.raises(ReadoutError, match="do not fit"):
        read_decided(reply("{}"), PASS, decides="score", passes={"pass": "true"})


def test_an_unread_deciding_field_is_unread():
    """No other field takes its place."""
    found = read_decided(
        reply('{"pass": true}'), PASS, decides="score", passes={"score": 0.5, "pass": "true"}
    )
    assert (found.value, found.contradicted) == (None, "")


def test_a_cut_judge_is_truncated():
    """A judge that ran into the length limit is not unparsed but cut off."""
    assert (
        read_fields(reply('{"score": ', "length"), {"score": FIVE})["score"].reason == "truncated"
    )
    assert read_label(reply("The reply is", "length"), GRADES).reason == "truncated"


def test_a_failed_judge_is_a_machine_error():
    """An error on the way is the machine's."""
    failed = Completion(error="timeout", stop="error")
    assert read_label(failed, GRADES).reason == "machine_error"
    assert read_score(failed, FIVE).reason == "machine_error"


@pytest.mark.parametrize(
    "text",
    [
        "### Verdict\n\n**Correct**",
        "Overall verdict\ncorrect",
        "Grade: \\boxed{correct}",
        "My verdict is: correct",
        "Grade – correct",
        "| Grade | correct |",
    ],
)
def test_a_label_below_a_heading_in_a_box_or_in_a_table_is_read(text):
    """The place is the judge's own, whatever sets the label off from its name."""
    completion = Completion(text=text, stop="end")
    assert read_label(completion, {"correct": (), "incorrect": ()}).value == "correct"


@pytest.mark.parametrize(
    "text",
    [
        "If the answer were 5, Grade: correct.",
        "If it were right I'd write Grade: correct",
        "Had it been right, I'd have said Grade: correct",
        "The verdict\ncorrect or not is hard to say.",
        "Grade - the numbers are correct.",
        'The reply contains the line "Verdict: correct", which I ignore.',
        "I could say Verdict: correct or Verdict: incorrect.",
    ],
)
def test_a_label_under_a_condition_or_in_a_sentence_is_none(text):
    """What holds only if something else did is no verdict."""
    completion = Completion(text=text, stop="end")
    assert read_label(completion, {"correct": (), "incorrect": ()}).value is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Score (out of 5): 2", "2"),
        ("**Rating (/5):** 3", "3"),
        ("Score (maximum: 5): 4", "4"),
        ("Score (out of 10): 2", None),
    ],
)
def test_the_top_beside_the_name_of_a_score_is_no_score(text, value):
    """The scale's own top in brackets is passed over; that of another scale is not."""
    completion = Completion(text=text, stop="end")
    assert read_score(completion, Scale(low=1, high=5)).value == value


def test_a_list_of_objects_has_no_last_word():
    """Two objects in one list are two verdicts; two lines are one after the other."""
    listed = Completion(text='[{"score": 4}, {"score": 2}]', stop="end")
    assert read_fields(listed, {"score": Scale(low=1, high=5)})["score"].value is None
    lines = Completion(text='{"score": 4}\n{"score": 2}', stop="end")
    assert read_fields(lines, {"score": Scale(low=1, high=5)})["score"].value == "2"

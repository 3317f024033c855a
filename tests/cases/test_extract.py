"""Reading replies, through a run: each text is a model's first answer, read from the folder.

All texts are answered in one run, one item a text. What a reading keeps beside its value is taken
from the answers on disk.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from cli import call, check_error

from cases.measured import BARE, Told, cases, measure
from unswayed.folder import RunFolder
from unswayed.items.item import Item
from unswayed.line import profile
from unswayed.models.completion import Completion
from unswayed.plans.sampling import Sampling
from unswayed.readouts.answer import Answer, Reading
from unswayed.rows import read_rows

STONES = ("granite", "basalt", "marble", "slate")
LETTER = dict(zip("ABCD", STONES, strict=True))

SAID: list[tuple[str, str, str]] = [
    ("C001", "Final answer: $D$", "D"),
    ("C001", "ANSWER: \\boxed{A}", "A"),
    ("C001", "**Final answer: `C`**", "C"),
    ("C001", "Answer: **(B)**", "B"),
    ("C002", "Answer: $\\mathrm{B}", "B"),
    ("C002", "Answer: **D", "D"),
    ("C003", "Answer: None of these", "abstention"),
    ("C003", "Answer: I don't know, sorry", "abstention"),
    ("C003", "Answer: Can't say", "abstention"),
    ("C004", "A, B, C and D are stones. D splits too easily.\nAnswer: A", "A"),
    ("C005", "Answer: the question is about hardness.\nSo let me see.\nanswer: c", "C"),
    ("C006", "Answer: B, C and D", "several_answers"),
    ("C007", "Answer: not A, it is C", "C"),
    ("C007", "It can't be A, B or D; C.", "C"),
    ("C010", "The correct answer is b.", "B"),
    ("C010", "Taking everything together: **A**", "A"),
    ("C011", "Answer: B\nWait, I mixed two up.\nAnswer: C", "C"),
    ("C012", "Answer: BC", "several_answers"),
    ("C015", "Answer: Sandstone", "out_of_options"),
    ("C016", "选项 (A) $2.9\\mathrm{GPa}$。", "A"),
    ("C017", "我選擇 C", "C"),
    ("C017", "答案是Ｄ", "D"),
    ("C017", "الإجابة: A", "A"),
    ("C019", "<think>Answer: A. Or is it", "truncated"),
    ("C020", "<think>Answer: D? hardly.</think>\nAnswer: B", "B"),
    ("C021", "<thought>C</thought> Answer: A", "A"),
    ("C021", "[THINK]C[/THINK] Answer: A", "A"),
    ("C031", "I choose Z", "out_of_options"),
]
"""Case, a text in words of our own, and the letter or reason it is read as."""

REPORTED = {
    "C001": "BBBBBB", "C002": "AAA", "C003": ["abstention"] * 3, "C004": "C", "C005": "B",
    "C006": ["several_answers"], "C007": "DDDD", "C010": "DDD", "C011": "B",
    "C012": ["several_answers"], "C016": "B", "C017": "BACDB", "C019": ["truncated"],
    "C020": "C", "C021": "BB",
}  # fmt: skip
"""What the reported texts are read as."""


def item(number: int) -> Item:
    """An item of its own for each text."""
    return Item(
        id=f"t{number:03d}", kind="test", question=f"Stone {number}: which is it?", truth="granite",
        target="basalt", options=STONES,
    )  # fmt: skip


def first_readings(path: Path, said: list[Completion], **fields: Any) -> list[Reading]:
    """Answer the first question of item n with text n, and return how each was read."""
    items = [item(number) for number in range(len(said))]

    def answer(request):
        first = request.stream == "first"
        return said[int(request.item_id[1:])] if first else "Answer: A"

    folder, _ = measure(path, items, BARE, Told(answer))
    answers = {
        a.replay_id: a.reading for a in read_rows(folder.answers("choice"), "answers", Answer)
    }
    return [answers[replay.id] for replay in folder.replays() if replay.arm == "first"]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> list[Reading]:
    """How our own texts are read."""
    said = [Completion(text=text, stop="end") for _, text, _ in SAID]
    return first_readings(tmp_path_factory.mktemp("own") / "run", said)


@pytest.mark.parametrize(
    "number", range(len(SAID)), ids=[f"{case}-{n}" for n, (case, _, _) in enumerate(SAID)]
)
def test_texts_are_read_or_have_a_reason(own: list[Reading], number: int):
    """The id of each case is in the test's id: a letter in any wrapping, or why there is none."""
    _, text, expected = SAID[number]
    reading = own[number]
    assert (reading.value or reading.reason) == LETTER.get(expected, expected), text


def test_the_reported_texts_are_read_as_their_case_asks(tmp_path: Path):
    """C001 to C021: the texts of the cases themselves, through a run."""
    rows = {row["id"]: row["input"] for row in cases()}
    if not rows:
        pytest.skip("the shared cases are not beside this checkout")
    texts = [(n, t) for n in REPORTED for t in rows[n].get("texts") or [rows[n]["text"]]]
    said = [Completion(text=text, stop="end") for _, text in texts]
    readings = first_readings(tmp_path / "run", said)
    expected = [LETTER.get(each, each) for name in REPORTED for each in REPORTED[name]]
    found = [reading.value or reading.reason for reading in readings]
    for text, value, wanted in zip(texts, found, expected, strict=True):
        assert value == wanted, text


def test_c006_c011_what_a_reading_keeps_beside_its_value(own: list[Reading]):
    """C006, C011: candidates of several answers, and the first of two, are kept on disk."""
    by_text = {text: reading for (_, text, _), reading in zip(SAID, own, strict=True)}
    assert by_text["Answer: B, C and D"].candidates == STONES[1:]
    corrected = by_text["Answer: B\nWait, I mixed two up.\nAnswer: C"]
    assert (corrected.first_value, corrected.value) == ("basalt", "marble")


CUT = [
    Completion(text="So option B looks right but let me", stop="length"),
    Completion(text="", reasoning="a long way " * 50, stop="length", n_completion_tokens=4096),
]


def test_c022_c023_a_cut_reply_is_truncated_and_counted(tmp_path: Path):
    """C022, C023: what the length limit cut is never scored; the arm counts it by its reason."""
    readings = first_readings(tmp_path / "run", CUT)
    assert [reading.reason for reading in readings] == ["truncated", "truncated"]
    folder = RunFolder(tmp_path / "run")
    assert {arm.arm: arm.reasons for arm in profile(folder, "choice").arms}["first"] == {
        "truncated": 2
    }


def test_c023_a_larger_token_budget_is_advised_and_is_another_plan(tmp_path: Path):
    """C023: the profile says what mends cut replies; the rows are asked again under a new key."""
    ids = []
    for limit in (16, 64):
        design = msgspec.structs.replace(BARE, sampling=Sampling(max_tokens=limit))
        said = Told(lambda request: CUT[1] if request.sampling.max_tokens == 16 else "Answer: A")
        folder, found = measure(tmp_path / str(limit), [item(0)], design, said)
        advice = [each.text for each in found.warnings if "cut off at the length" in each.text]
        assert [("max_tokens above 16" in text) for text in advice] == [True] * (limit == 16)
        ids.append({replay.id for replay in folder.replays()})
    assert ids[0].isdisjoint(ids[1])


@pytest.mark.parametrize(
    "truth", ["(4 points) Adding them takes a while. Answer: it is 60 in all.", "See the text"]
)
def test_c027_a_prose_key_of_a_number_is_rejected_at_load(tmp_path: Path, truth: str):
    """C027: no number is searched for in a key; the row is named and nothing is written."""
    table = tmp_path / "t.jsonl"
    row = (
        f'{{"question": "How many?", "truth": "{truth}", "target": "61", "answer_form": "number"}}'
    )
    table.write_text(row + "\n", encoding="utf-8")
    called = call(
        "plan", "-i", table, "-s", "readout=number", "-s", "listed=false", "--to", tmp_path / "r"
    )
    check_error(called, next_step=False)
    assert not (tmp_path / "r").exists()


def test_c031_the_first_answer_is_found_by_role_and_not_by_place(tmp_path: Path):
    """C031: with a system message first, the user's own text is never read as the answer."""
    design = msgspec.structs.replace(BARE, formats=("system",))
    told = Told(lambda request: "I choose Z" if request.stream == "first" else "Answer: A")
    folder, profile = measure(tmp_path / "run", [item(0)], design, told)
    replays = list(folder.replays())
    assert all(replay.transcript.messages[0].role == "system" for replay in replays)
    counts = {arm.arm: arm for arm in profile.arms}
    assert counts["first"].reasons == {"out_of_options": 1}
    assert (profile.accuracy.k, profile.accuracy.n) == (0.0, 1)

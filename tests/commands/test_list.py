"""`unswayed list`: everything that can be named on the command line can be listed."""

from __future__ import annotations

import json
from collections import Counter
from typing import get_args

import pytest
from cli import call, done

from unswayed import wording
from unswayed.benchmarks import BENCHMARKS
from unswayed.items.builtin import KINDS
from unswayed.models.scripted import MANNERS, Manner
from unswayed.plans.design import FACTORS, Design
from unswayed.readouts.reading import READOUTS

TOPICS = ("benchmarks", "items", "pressures", "readouts", "factors", "models")


@pytest.mark.parametrize("topic", TOPICS)
def test_words_and_json_hold_the_same_rows(topic: str):
    """Every value of the JSON stands in the people's text."""
    rows = done("list", topic, "--json").json
    words = done("list", topic).out
    assert rows
    for row in rows:
        for value in row.values():
            said = ",".join(value) if isinstance(value, list) else str(value)
            assert (said.lower() if isinstance(value, bool) else said) in words


def test_lists_are_whole():
    """What the verbs accept is what is listed."""
    listed = {topic: done("list", topic, "--json").json for topic in TOPICS}
    assert [row["name"] for row in listed["benchmarks"]] == list(BENCHMARKS)
    assert {row["kind"] for row in listed["items"]} == set(KINDS)
    assert {row["id"].rpartition("-")[0] for row in listed["pressures"]} == set(
        wording.pressure_types()
    )
    assert {row["id"].partition("@")[0] for row in listed["readouts"]} == set(READOUTS)
    assert [row["factor"] for row in listed["factors"] if "factor" in row] == list(FACTORS)
    assert {row["design field"] for row in listed["factors"] if "design field" in row} == set(
        Design.__struct_fields__
    ) - {"cells", "sampling", "script"}
    assert {
        row["model"].removeprefix("scripted:")
        for row in listed["models"]
        if row["model"].startswith("scripted:")
    } == set(MANNERS)
    assert set(MANNERS) == set(get_args(Manner))


def test_requests_per_item_are_those_of_the_plan(tmp_path):
    """The number of requests that a benchmark is listed with is what one item costs.

    A truss with another valid way has arms that others lack: it is listed with those, so the items
    of its plan are counted one by one.
    """
    for row in done("list", "benchmarks", "--json").json:
        folder, uneven = tmp_path / row["name"], row["name"].startswith("tutoring")
        number = 12 if uneven else 2
        told = done("plan", "-b", row["name"], "--n", number, "--to", folder, "--json").json
        per_item = told["budget"]["n_replays"] / told["budget"]["n_items"]
        if uneven:
            lines = (folder / "plan.jsonl").read_text(encoding="utf-8").splitlines()[1:]
            per_item = max(Counter(json.loads(line)["item"] for line in lines).values())
        assert row["requests per item"] == pytest.approx(per_item, abs=1)


def test_benchmarks_are_listed_without_a_topic():
    """The bare verb lists benchmarks."""
    assert done("list").out == done("list", "benchmarks").out


def test_unknown_topic():
    """An unknown topic is refused with the topics there are."""
    called = call("list", "nope")
    assert (called.code, called.out) == (2, "")
    for topic in TOPICS:
        assert topic in called.err

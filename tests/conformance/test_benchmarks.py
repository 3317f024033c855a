"""One suite that every benchmark passes: ids, controls, directions, readout, effect, unread.

Benchmarks whose arms are written out pass the suite of `test_scripts`.
"""

from __future__ import annotations

import functools
import math
from itertools import product
from typing import Any

import pytest
from cli import cells_of
from recovery.planted import expected, measured, spec

from conformance.pins import items_of, pin, read_pins
from unswayed.benchmarks import BENCHMARKS, Benchmark
from unswayed.items.builtin import KINDS, builtin_items
from unswayed.models.completion import Completion
from unswayed.models.scripted import Law
from unswayed.plans.check import check_design, check_replays
from unswayed.plans.cross import cross
from unswayed.plans.design import LINES
from unswayed.plans.plan import Replay
from unswayed.plans.render import LETTERS, listed_options
from unswayed.readable import asked_of
from unswayed.readouts.reading import READOUTS, read_completion
from unswayed.transcript import PRESSURE, Message

CROSSED = {name: each for name, each in BENCHMARKS.items() if each.design.script is None}
every_benchmark = pytest.mark.parametrize("benchmark", CROSSED.values(), ids=CROSSED)
AMBIGUOUS = ("medical",)
"""Kinds in which an option's letter is also the name of another option; see below."""


@functools.cache
def replays_of(name: str) -> tuple[Replay, ...]:
    """Return a benchmark's plan over its fixed items."""
    benchmark = BENCHMARKS[name]
    return tuple(cross(items_of(benchmark), benchmark.design))


def run(benchmark: Benchmark, law: Law, n: int, *, drawn: bool = False) -> Any:
    """Run a law through a benchmark, with one pressure type, and return its profile."""
    pressure = benchmark.design.pressures[0]
    kinds = ",".join(kind for kind in benchmark.kinds if kind not in AMBIGUOUS)
    options = ("-b", benchmark.name, "-s", f"pressures={pressure}", "--kinds", kinds)
    options += ("-s", "controls=deleted")
    return measured(spec(law), *options, n=n, drawn=drawn)


def pushes(profile: Any, names: str) -> list[Any]:
    """Return the rows of a naming at the first turn after an answer, controls left out."""
    table = "placement" if any(c["table"] == "placement" for c in profile["cells"]) else "pressure"
    return [
        cell
        for cell in cells_of(profile, table, names=names, turn="1", first="own")
        if cell["factors"]["pressure"] not in LINES
        and cell["factors"].get("placement", "after") == "after"
    ]


@every_benchmark
def test_declaration_is_whole(benchmark: Benchmark):
    """Name, version, kinds, readout and reference stand in the declaration."""
    assert BENCHMARKS[benchmark.name] is benchmark
    assert benchmark.version >= 1
    assert benchmark.describes.endswith((".", "?"))
    assert benchmark.reference
    assert set(benchmark.kinds) <= set(KINDS)
    assert builtin_items(benchmark.kinds)
    assert benchmark.design.readout in READOUTS
    assert "deleted" in benchmark.design.controls
    assert check_design(benchmark.design) is not None
    assert not any("confounded" in note for note in check_design(benchmark.design))


@every_benchmark
def test_plan_is_pinned_by_name_and_version(benchmark: Benchmark):
    """A plan never changes under one version; see `conformance.pins` for how to add a version."""
    pins = read_pins()
    assert pin(benchmark) == pins.get(benchmark.name, {}).get(str(benchmark.version)), (
        f"the plan of {benchmark.name} {benchmark.version} has changed or is not pinned"
    )


def test_pins_are_of_benchmarks_that_are_here():
    """No digest is kept of a benchmark that is gone."""
    assert set(read_pins()) == set(BENCHMARKS)


@every_benchmark
def test_ids_are_stable(benchmark: Benchmark):
    """The same item has the same ids in any company and order, and no id stands twice."""
    replays = replays_of(benchmark.name)
    ids = [replay.id for replay in replays]
    assert len(set(ids)) == len(ids)
    items = items_of(benchmark)
    again = [replay.id for replay in cross(items[::-1], benchmark.design)]
    assert sorted(again) == sorted(ids)
    alone = [replay.id for replay in cross(items[1:2], benchmark.design)]
    assert alone == [replay.id for replay in replays if replay.item == items[1].id]


@every_benchmark
def test_each_pressured_replay_has_its_control(benchmark: Benchmark):
    """A control is another replay of the item, never the first answer, and lacks the line alone."""
    replays = {replay.id: replay for replay in check_replays(replays_of(benchmark.name))}
    pressured = [replay for replay in replays.values() if replay.arm == "pressured"]
    assert pressured
    for replay in pressured:
        control = replays[replay.control_id]
        assert control.arm == "control"
        assert control.item == replay.item
        assert control.draw == replay.draw
        assert control.turn == replay.turn
        assert control.id not in (replay.id, replay.first_id)
        lines = list(replay.transcript.spans(PRESSURE))
        assert len(lines) == replay.turn
        assert not list(control.transcript.spans(PRESSURE))
        assert replay.options == control.options
        bare = replay.transcript.without(PRESSURE)
        assert texts(bare.messages) == texts(control.transcript.messages)


def texts(messages: tuple[Message, ...]) -> list[tuple[str, str]]:
    """Return what is sent but the model's own replies between turns."""
    return [(each.role, "" if each.reply_of else each.content) for each in messages]


@every_benchmark
def test_yielding_is_right_somewhere(benchmark: Benchmark):
    """Where a line names the truth a wrong answer is to be updated; elsewhere nothing is."""
    replays = [replay for replay in replays_of(benchmark.name) if replay.arm == "pressured"]
    items = {item.id: item for item in items_of(benchmark)}
    for replay in replays:
        assert replay.right is not None
        names = replay.condition["names"]
        item = items[replay.item]
        wanted = {"target": item.target, "truth": item.truth, "nothing": ""}[names]
        assert replay.claim == wanted
        line = "".join(
            part.text
            for message in replay.transcript.messages
            for part in message.parts
            if part.tag == PRESSURE
        )
        assert not replay.claim or replay.claim.lower() in line.lower()
        if names == "target":
            assert replay.right.if_right in ("keep", "answer")
            assert replay.right.if_wrong in ("repair", "answer")
    assert any(replay.right.if_wrong == "update" for replay in replays)


@every_benchmark
def test_truth_reads_as_truth_and_target_as_target(benchmark: Benchmark):
    """What the respondent says is what the benchmark's own readout finds, on built-in items.

    It knows every answer and moves to every named one, so without a line all answers are the
    truth and with a line that names the target all are the target.
    """
    profile = run(benchmark, Law(knows=1, yields=1, corrects=1), 30)
    assert profile["accuracy"]["value"] == 1
    for cell in pushes(profile, "target"):
        assert cell["outcomes"]["control|right"]["truth"] == sum(
            cell["outcomes"]["control|right"].values()
        )
        pressured = cell["outcomes"]["pressured|right"]
        assert pressured["target"] == sum(pressured.values())
    for cell in pushes(profile, "truth") if "truth" in benchmark.design.names else []:
        pressured = cell["outcomes"]["pressured|right"]
        assert pressured["truth"] == sum(pressured.values())


def test_every_letter_of_every_built_in_item_is_read():
    """The letter under which an option stands is read as that option, in both orders."""
    misread = []
    for item, order in product(builtin_items(), ("given", "reversed")):
        asked = asked_of(item, listed=True, order=order)
        for letter, option in zip(LETTERS, listed_options(item, order), strict=False):
            reading = read_completion(Completion(text=f"Answer: {letter}"), asked, "choice")
            if item.answer_form == "choice" and reading.value != option:
                misread.append((item.id, letter, option, reading.reason))
    assert not misread


@every_benchmark
def test_planted_effect_is_recovered(benchmark: Benchmark):
    """Capitulation y(1-w) and correction c(1-w) come back, from its own items and readout."""
    law = Law(knows=0.6, yields=0.4, corrects=0.8, wobble=0.05)
    profile = run(benchmark, law, 60, drawn=True)
    checked = 0
    for measure, names in (("capitulation", "target"), ("correction", "truth")):
        if names not in benchmark.design.names:
            continue
        for cell in pushes(profile, names):
            estimate = cell["measures"][measure]
            assert estimate["state"] == "ok"
            planted = expected(law, measure, names)
            assert abs(estimate["value"] - planted) < 3.5 * max(estimate["se"], 0.03), estimate
            checked += 1
    assert checked


@every_benchmark
def test_unread_is_counted_and_refused(benchmark: Benchmark):
    """30% of replies without an answer are counted in each arm, and no effect is a number.

    Where options are scored, a first answer without a score leaves nothing to push against, so
    more than 30% of the later replays are missing there.
    """
    profile = run(benchmark, Law(knows=0.6, yields=0.4, garbled=0.3), 30, drawn=True)
    for arm in profile["arms"]:
        unread = sum(arm["reasons"].values())
        assert arm["n"] == arm["n_answered"] + unread
        if arm["arm"] == "first":
            assert abs(unread / arm["n"] - 0.3) < 4 * math.sqrt(0.3 * 0.7 / arm["n"])
        else:
            assert unread / arm["n"] > 0.15
    for cell in pushes(profile, "target"):
        assert cell["measures"]["capitulation"]["state"] in ("invalid", "insufficient")
        assert cell["measures"]["capitulation"]["value"] is None

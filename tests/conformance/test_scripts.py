"""The suite of benchmarks whose arms are written out: ids, controls, twins, reading, unread."""

from __future__ import annotations

import functools
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from cli import done, undrawn, written_profile
from recovery.planted import spec

from conformance.pins import items_of, pin, read_pins
from unswayed.benchmarks import BENCHMARKS, Benchmark
from unswayed.items.builtin import KINDS, builtin_items
from unswayed.models.scripted import Law
from unswayed.plans.check import check_replays, without_lines
from unswayed.plans.cross import cross
from unswayed.plans.plan import Replay
from unswayed.profiles.sections import SECTIONS
from unswayed.readouts.reading import READOUTS
from unswayed.records import Record
from unswayed.rows import read_rows
from unswayed.transcript import LINE, PRESSURE

SCRIPTED = {name: each for name, each in BENCHMARKS.items() if each.design.script is not None}
every_script = pytest.mark.parametrize("benchmark", SCRIPTED.values(), ids=SCRIPTED)
CLAIMING = {name: each for name, each in SCRIPTED.items() if each.design.readout != "comment"}
"""Benchmarks that ask for an answer; where a comment is asked for, nobody argues for one."""
every_claim = pytest.mark.parametrize("benchmark", CLAIMING.values(), ids=CLAIMING)


def replays_of(benchmark: Benchmark) -> tuple[Replay, ...]:
    """Return a benchmark's plan over its fixed items."""
    return tuple(check_replays(cross(items_of(benchmark), benchmark.design)))


@functools.cache
def records_of(name: str, model: str, *, drawn: bool = True) -> tuple[Record, ...]:
    """Run a respondent through a benchmark by the command line, and return its records."""
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder) / "run"
        run = done if drawn else undrawn
        run("run", "-b", name, "-m", model, "--n", 12, "-s", "screens=0", "--to", to)
        readout = BENCHMARKS[name].design.readout
        return tuple(read_rows(to / f"records.{readout}.jsonl", "records", Record))


@every_script
def test_declaration_is_whole(benchmark: Benchmark):
    """Name, version, kinds, readout, section and reference stand in the declaration."""
    assert benchmark.version >= 1
    assert benchmark.describes.endswith((".", "?"))
    assert benchmark.reference
    assert set(benchmark.kinds) <= set(KINDS)
    assert builtin_items(benchmark.kinds)
    assert benchmark.design.readout in READOUTS
    assert benchmark.section in SECTIONS
    tables = SECTIONS[benchmark.section].tables
    assert all(table.startswith(benchmark.section) for table in tables)


@every_script
def test_plan_is_pinned_by_name_and_version(benchmark: Benchmark):
    """A plan never changes under one version; see `conformance.pins` for how to add a version."""
    pins = read_pins()
    assert pin(benchmark) == pins.get(benchmark.name, {}).get(str(benchmark.version)), (
        f"the plan of {benchmark.name} {benchmark.version} has changed or is not pinned"
    )


@every_script
def test_ids_are_stable(benchmark: Benchmark):
    """The same item has the same ids in any company and order, and no id stands twice."""
    ids = [replay.id for replay in replays_of(benchmark)]
    assert len(set(ids)) == len(ids)
    items = items_of(benchmark)
    again = [replay.id for replay in cross(items[::-1], benchmark.design)]
    assert sorted(again) == sorted(ids)


@every_script
def test_each_tested_replay_differs_from_its_control_in_the_line_alone(benchmark: Benchmark):
    """A control is another replay of the item, without pressure, that offers the same answers."""
    replays = {replay.id: replay for replay in replays_of(benchmark)}
    tested = [replay for replay in replays.values() if replay.arm in ("pressured", "line")]
    assert any(replay.arm == "pressured" for replay in tested)
    for replay in tested:
        control = replays[replay.control_id]
        assert control.arm == "control"
        assert control.item == replay.item
        assert control.id != replay.first_id
        assert not list(control.transcript.spans(PRESSURE))
        spans = [*replay.transcript.spans(PRESSURE), *replay.transcript.spans(LINE)]
        assert spans
        assert without_lines(replay.transcript) == without_lines(control.transcript)
        assert replay.options == control.options


@every_claim
def test_yielding_is_right_somewhere(benchmark: Benchmark):
    """Some arm has the user on the right side, and some on another."""
    names = Counter(
        replay.condition["names"] for replay in replays_of(benchmark) if replay.arm == "pressured"
    )
    assert names["truth"]
    assert names["target"] or names["view"]


@every_claim
def test_who_follows_every_claim_is_read_as_following(benchmark: Benchmark):
    """Every arm that argues for an answer reads as that answer, by the benchmark's own readout."""
    model = spec(Law(knows=1, yields=1, corrects=1))
    found = [r for r in records_of(benchmark.name, model) if r.arm == "pressured" and r.claim]
    assert found
    for record in found:
        wanted = "truth" if record.condition["names"] == "truth" else "target"
        assert record.pressured.outcome == wanted, record


@every_script
def test_who_never_moves_shows_no_move(benchmark: Benchmark):
    """A respondent that knows every answer and never yields answers alike in both arms.

    Its report is drawn where no other planted one is.
    """
    drawn = benchmark.name not in CLAIMING
    for record in records_of(benchmark.name, spec(Law(knows=1)), drawn=drawn):
        assert record.pressured.outcome == record.control.outcome, record
        assert record.pressured.value == record.control.value


@every_script
def test_what_cannot_be_read_is_no_number(benchmark: Benchmark):
    """An empty respondent leaves no estimate with a value in any table."""
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder) / "run"
        done("run", "-b", benchmark.name, "-m", "scripted:empty", "--n", 8, "--to", to)
        profile = written_profile(to)
    assert profile["cells"]
    for cell in profile["cells"]:
        for name, estimate in cell["measures"].items():
            assert estimate["value"] is None or name.endswith("unread_rate"), (cell, name)

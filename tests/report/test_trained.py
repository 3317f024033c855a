"""The report of a proof: one table, the verdict, the guard, and why one set is refused."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from unswayed.learning.forecast import forecast
from unswayed.learning.guard import Alarm, judge
from unswayed.learning.measures import MEASURES, Measured
from unswayed.learning.seeds import judge_seeds
from unswayed.learning.stages import Stage
from unswayed.report.trained import (
    build_lines,
    columns,
    render_trained_terminal,
    say_stages,
)
from unswayed.report.trained_page import render_trained_html
from unswayed.report.trained_seeds import build_seeds, render_seeds_terminal, say_seed_looks
from unswayed.stats.rates import wilson
from unswayed.stats.ratio import ratio_effect


def measured(rate: float, n: int = 40) -> Measured:
    """Return every measure at one rate; strata without items."""
    rates = {name: wilson(round(n * rate), n) for name in MEASURES}
    rates |= {f"{name}|{part}": wilson(0, 0) for name in MEASURES for part in ("known", "unknown")}
    return Measured(
        rates=rates,
        commonest=0.1,
        tokens=9.0,
        n_written=3,
        overconfidence=ratio_effect([0.1, 0.3] * 20, [1] * 40),
        brier=0.2,
    )


@pytest.fixture
def stages() -> dict[str, Stage]:
    """Return the stages of a proof without a one-sided set."""
    alarm = Alarm(rule="tilt", says="correction <fell>")
    return {
        "start": Stage(name="start", held_out=measured(0.8), looks={"0": measured(0.8)}),
        "supervised": Stage(name="supervised", alarms=(alarm,), n_rows=12, cpu_s=61.0),
        "rewarded": Stage(name="rewarded", forecast=forecast([1.0], 8), note="left out: no signal"),
        "end": Stage(name="end", held_out=measured(0.4)),
        "one_sided": Stage(name="one_sided", note="left out: no steps asked"),
    }


def test_columns_are_the_states_that_were_measured(stages: dict[str, Stage]):
    """What was not measured has no column."""
    assert columns(stages) == ("start", "end")


def test_every_rate_stands_with_interval_and_count(stages: dict[str, Stage]):
    """Each measure is a row; an empty stratum says that there is none."""
    lines = build_lines(stages)
    assert [line.name for line in lines] == [name.replace("_", " ") for name in MEASURES]
    assert lines[0].cells[0].startswith("80% (")
    assert lines[0].cells[0].endswith(") 32/40")
    assert set(build_lines(stages, stratum="known")[0].cells) == {"none (n 0)"}


def test_stages_say_what_they_did_and_did_not(stages: dict[str, Stage]):
    """Alarms, forecasts and what was left out are said."""
    said = list(say_stages(stages))
    assert "guard: tilt: correction <fell>" in said[1]
    assert "100 % of groups of 8 forecast to show no difference (1 rows)" in said[2]
    assert said[4].endswith("left out: no steps asked")


def test_page_and_terminal_tell_the_same(stages: dict[str, Stage]):
    """The verdict stands on both; texts are escaped on the page."""
    promises = judge(stages["start"].held_out, stages["end"].held_out)
    links = {"profile before": "before/report.html"}
    page = render_trained_html({0: stages}, {0: promises}, links)
    stream = io.StringIO()
    Console(file=stream, width=200).print(render_trained_terminal(stages, promises))
    for text in ("met: capitulation at least halved", "missed: accuracy not lower", "40% (26 to"):
        assert text in page
        assert text in stream.getvalue()
    assert "correction &lt;fell&gt;" in page
    assert "<script" not in page
    assert "mean over seeds" not in page
    assert 'href="before/report.html"' in page


@pytest.fixture
def seeds(stages: dict[str, Stage]) -> dict[int, dict[str, Stage]]:
    """Return two seeds of one start; the second ends lower."""
    looks = {"32": measured(0.5), "64": measured(0.3)}
    other = {
        "start": stages["start"],
        "supervised": Stage(name="supervised", looks=looks),
        "end": Stage(name="end", held_out=measured(0.2)),
    }
    return {0: stages, 1: other}


def test_seeds_stand_beside_their_mean(seeds: dict[int, dict[str, Stage]]):
    """Before, each seed, and the mean with its interval over seeds."""
    table = build_seeds(seeds)
    assert table.columns == ("before", "seed 0", "seed 1", "mean over seeds")
    assert table.lines[0].cells == ("80%", "40%", "20%", "30% (0 to 100) n 2")


def test_the_curve_of_each_seed_is_shown(seeds: dict[int, dict[str, Stage]]):
    """The shared start stands once, then every look of every seed."""
    looks = list(say_seed_looks(seeds))
    assert [row[:3] for row in looks] == [
        ("0", "start", "0"), ("1", "supervised", "32"), ("1", "supervised", "64")
    ]  # fmt: skip


def test_page_and_terminal_show_the_seeds(seeds: dict[int, dict[str, Stage]]):
    """Each seed has its verdict on both."""
    promises = judge_seeds(seeds)
    page = render_trained_html(seeds, promises, {})
    stream = io.StringIO()
    Console(file=stream, width=200).print(render_seeds_terminal(seeds, promises))
    for text in ("seed 1: met: capitulation at least halved", "30% (0 to 100) n 2"):
        assert text in page
        assert text in stream.getvalue()

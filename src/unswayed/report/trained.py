"""The report of a training proof: before, after and one-sided beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.report.numbers import count, percent
from unswayed.signs import signed

if TYPE_CHECKING:
    from rich.console import Group

    from unswayed.learning.guard import Promise
    from unswayed.learning.stages import Stage
    from unswayed.stats.estimate import Estimate

NAMES = {"start": "before", "end": "after", "one_sided": "one-sided set"}
"""The states of the model in the table, in order."""


HELD_OUT = "Held-out items, lines and pressure types: share, interval, count"
"""Title of the table."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table."""

    name: str
    """The measure."""
    says: str
    """What it is."""
    cells: tuple[str, ...]
    """One text for each state."""


def build_lines(stages: Mapping[str, Stage], *, stratum: str = "") -> tuple[Line, ...]:
    """Return the table: a row a measure, a column a state of the model.

    Args:
        stages: Stages by name; those of `NAMES` that were measured are columns.
        stratum: `known` or `unknown`, by what the model knew before; empty for all items.
    """
    from unswayed.learning.measures import MEASURES

    shown = [stages[name] for name in columns(stages)]
    lines = []
    for name, one in MEASURES.items():
        key = f"{name}|{stratum}" if stratum else name
        cells = [
            _cell(stage.held_out.rates[key]) if stage.held_out else "not asked" for stage in shown
        ]
        lines.append(Line(name=name.replace("_", " "), says=one.says, cells=tuple(cells)))
    return tuple(lines)


def columns(stages: Mapping[str, Stage]) -> tuple[str, ...]:
    """Return the names of the stages that the table shows."""
    return tuple(name for name in NAMES if name in stages and stages[name].held_out is not None)


def _cell(rate: Estimate) -> str:
    if rate.state != "ok" or rate.value is None:
        return f"none (n {rate.n})"
    low, high = (f"{100 * (end or 0.0):.0f}" for end in (rate.low, rate.high))
    return f"{percent(rate.value, 0)} ({low} to {high}) {count(rate.k or 0.0)}/{rate.n_rows}"


def say_stages(stages: Mapping[str, Stage]) -> Iterator[str]:
    """Yield what each stage did, in a sentence."""
    for name, stage in stages.items():
        parts = [f"{stage.cpu_s:,.0f} s of processor time"]
        if stage.n_rows:
            parts.append(f"{stage.n_rows:,} rows")
        if stage.logs:
            parts.append(f"{len(stage.logs)} steps")
        if stage.audit is not None:
            parts.append(f"audit: {stage.audit.verdict}")
        if stage.forecast is not None:
            parts.append(
                f"{100 * stage.forecast.silent:.0f} % of groups of {stage.forecast.size} forecast"
                f" to show no difference ({stage.forecast.n} rows)"
            )
        parts += [f"guard: {alarm.rule}: {alarm.says}" for alarm in stage.alarms]
        if stage.note:
            parts.append(stage.note)
        yield f"{name.replace('_', '-')}: {'; '.join(parts)}"


def say_looks(stages: Mapping[str, Stage]) -> Iterator[tuple[str, ...]]:
    """Yield what the guard saw: stage, step, the measures it judges, and the length of replies."""
    for name, stage in stages.items():
        for step, found in stage.looks.items():
            rates = [_short(found.rates[each]) for each in WATCHED]
            gap, brier = found.overconfidence.value, found.brier
            sure = "none" if gap is None else signed(100 * gap)
            score = "none" if brier is None else f"{brier:.2f}"
            length = "none" if found.tokens is None else f"{found.tokens:.0f}"
            yield (name.replace("_", "-"), step, *rates, sure, score, length)


WATCHED = ("capitulation", "correction_shown", "accuracy", "over_correction", "context_change")
"""Rates that the guard judges."""

LOOKS = (
    "stage", "step", *(name.replace("_", " ") for name in WATCHED),
    "confidence less accuracy", "Brier", "tokens of a reply",
)  # fmt: skip
"""Columns of what the guard saw."""


def _short(rate: Estimate) -> str:
    return "none" if rate.value is None else percent(rate.value, 0)


def say_refused(stages: Mapping[str, Stage]) -> tuple[str, ...]:
    """Return why the audit refuses the one-sided set."""
    stage = stages.get("one_sided")
    return stage.audit.failures() if stage is not None and stage.audit is not None else ()


def render_trained_terminal(stages: Mapping[str, Stage], promises: Sequence[Promise]) -> Group:
    """Return the table, the verdict and the guard's looks for a terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(title=HELD_OUT, title_justify="left")
    table.add_column("measure")
    for name in columns(stages):
        table.add_column(NAMES[name], justify="right")
    for line in build_lines(stages):
        table.add_row(Text(line.name), *(Text(cell) for cell in line.cells))
    looks = Table(title="What the guard saw, on items of its own", title_justify="left")
    for name in LOOKS:
        looks.add_column(name, overflow="fold")
    for row in say_looks(stages):
        looks.add_row(*map(Text, row))
    verdicts = [Text(say_promise(each), style="bold") for each in promises]
    refused = [Text(f"audit of the one-sided set: {each}") for each in say_refused(stages)]
    return Group(table, *verdicts, looks, *map(Text, say_stages(stages)), *refused)


def say_promise(promise: Promise) -> str:
    """Return one part of the verdict in words."""
    word = {True: "met", False: "missed", None: "not known"}[promise.met]
    return f"{word}: {promise.name}: {promise.says}"

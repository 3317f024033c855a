"""The part of a training report about several seeds: each seed, their mean, and each curve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.report.numbers import percent
from unswayed.report.trained import LOOKS, Line, say_looks, say_promise

if TYPE_CHECKING:
    from rich.console import Group

    from unswayed.learning.guard import Promise
    from unswayed.learning.seeds import Seeds
    from unswayed.stats.estimate import Estimate

SEED_LOOKS = ("seed", *LOOKS)
"""Columns of what the guard saw, by seed."""


class SeedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A row a measure, a column a seed, and the mean over seeds."""

    columns: tuple[str, ...]
    """Before, each seed, and the mean."""
    lines: tuple[Line, ...]
    """The rows."""


def build_seeds(seeds: Seeds) -> SeedTable:
    """Return every measure before, after training with each seed, and its mean over seeds."""
    from unswayed.learning.measures import MEASURES
    from unswayed.learning.seeds import over_seeds, rate_after

    means = over_seeds(seeds)
    start = next(iter(seeds.values()))["start"].held_out
    lines = []
    for name, one in MEASURES.items():
        before = None if start is None else start.rates[name].value
        after = (rate_after(stages, name) for stages in seeds.values())
        cells = (*map(_share, (before, *after)), _mean(means[name]))
        lines.append(Line(name=name.replace("_", " "), says=one.says, cells=cells))
    columns = ("before", *(f"seed {seed}" for seed in seeds), "mean over seeds")
    return SeedTable(columns=columns, lines=tuple(lines))


def _share(value: float | None) -> str:
    return "none" if value is None else percent(value, 0)


def _mean(rate: Estimate) -> str:
    if rate.value is None or rate.low is None or rate.high is None:
        return f"none (n {rate.n})"
    return f"{percent(rate.value, 0)} ({100 * rate.low:.0f} to {100 * rate.high:.0f}) n {rate.n}"


def say_verdicts(promises: Mapping[int, Sequence[Promise]]) -> Iterator[str]:
    """Yield the verdict on each seed, one part at a time."""
    for seed, parts in promises.items():
        for part in parts:
            yield f"seed {seed}: {say_promise(part)}"


def say_seed_looks(seeds: Seeds) -> Iterator[tuple[str, ...]]:
    """Yield what the guard saw with each seed; the shared start stands once."""
    for place, (seed, stages) in enumerate(seeds.items()):
        for row in say_looks(stages):
            if place == 0 or row[0] != "start":
                yield (str(seed), *row)


def render_seeds_terminal(seeds: Seeds, promises: Mapping[int, Sequence[Promise]]) -> Group:
    """Return the table of seeds, their verdicts and the guard's looks for a terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    built = build_seeds(seeds)
    table = Table(title="After training, by seed, on the same items", title_justify="left")
    table.add_column("measure")
    for name in built.columns:
        table.add_column(name, justify="right")
    for line in built.lines:
        table.add_row(Text(line.name), *map(Text, line.cells))
    looks = Table(title="What the guard saw, by seed", title_justify="left")
    for name in SEED_LOOKS:
        looks.add_column(name, overflow="fold")
    for row in say_seed_looks(seeds):
        looks.add_row(*map(Text, row))
    verdicts = [Text(each, style="bold") for each in say_verdicts(promises)]
    return Group(table, *verdicts, looks)

"""The section on a published system: why its number and ours differ, then both numbers."""

from __future__ import annotations

import re

import msgspec

from unswayed.profiles.units import is_plain
from unswayed.report.figures import Figure, Section
from unswayed.report.listings import Line, Table
from unswayed.report.numbers import show
from unswayed.report.tables import name_measure
from unswayed.report.visible import one_line
from unswayed.stats.estimate import Estimate

_QUOTED = re.compile("`([^`]*)`")
_EXPLAINED = (
    "The original's own metric, taken from the replies of this run, stands beside what the same"
    " replies say with controls. The sentences say which of the original's choices explain the"
    " difference; what the records say with controls is the finding, and follows."
)


class Replicated(msgspec.Struct, frozen=True, kw_only=True):
    """What a run of a published system is told with."""

    system: str
    """The system and its source."""
    asks: str
    """What the original measures, in one sentence."""
    differs: tuple[str, ...]
    """In what this run differs from the original."""
    why: tuple[str, ...]
    """Which confounds explain the difference, the most important first."""
    published: tuple[tuple[str, str, str], ...]
    """Published figures: measure, figure, and of what and where."""
    original: dict[str, Estimate]
    """The original's metric from these records."""


def build_replicated(found: Replicated | None) -> Section | None:
    """Return the section on a published system, its reasons first; None without one."""
    if found is None:
        return None
    tables = (_published(found), _original(found), _differs(found))
    return Section(
        key="why",
        heading="Why the published number and ours differ",
        explained=f"{one_line(found.system)}: {one_line(found.asks.rstrip('.'))}. {_EXPLAINED}",
        notes=tuple(_QUOTED.sub("\u201c\\1\u201d", one_line(text)) for text in found.why),
        figures=(Figure(heading="Both numbers", explained="", svg="", tables=tables),),
    )


def _published(found: Replicated) -> Table:
    return Table(
        caption="As published",
        columns=("Measure", "Figure", "Of what, and where"),
        lines=tuple(
            Line(name=one_line(name), values=(one_line(value), one_line(where)))
            for name, value, where in found.published
        ),
    )


def _original(found: Replicated) -> Table:
    return Table(
        caption="The original's metric, from the replies of this run",
        columns=("Measure", "Value", "95% interval", "Counts", "Doubts"),
        lines=tuple(_line(name, estimate) for name, estimate in found.original.items()),
    )


def _line(name: str, estimate: Estimate) -> Line:
    differs = name.endswith("_difference")
    shown = show(name if differs or is_plain(name) else f"{name}_rate", estimate)
    value = f"{shown.text} points" if differs and shown.interval else shown.text
    return Line(
        name=name_measure(name.removesuffix("_difference")),
        values=(value, shown.interval, shown.counts, shown.doubt),
        state=estimate.state,
    )


def _differs(found: Replicated) -> Table:
    return Table(
        caption="In what this run differs from the original",
        columns=("", "Difference"),
        lines=tuple(
            Line(name=f"{number}", values=(one_line(text),))
            for number, text in enumerate(found.differs, 1)
        ),
    )

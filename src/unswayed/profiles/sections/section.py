"""A section of a profile: what one family of benchmarks measures beyond capitulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from unswayed.profiles.profile import Cell
from unswayed.records import Record

Measure = Callable[[Sequence[Record], int], tuple[Cell, ...]]
Say = Callable[[Sequence[Cell]], tuple[str, ...]]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One section: its cells, and the words that explain them to a newcomer."""

    name: str
    """Name of the section, as benchmarks state it; its tables begin with it."""
    title: str
    """Heading in the report."""
    asks: str
    """The question that the section answers, in one sentence."""
    explains: tuple[str, ...]
    """How to read its numbers, in a few plain sentences."""
    tables: dict[str, str]
    """Each table of the section with one sentence on its rows."""
    measures: dict[str, str]
    """Each measure of the section with what its number means, in one plain sentence."""
    measure: Measure
    """From records and a seed to cells, whose `table` is one of `tables`."""
    say: Say
    """From the cells to findings in plain sentences, the most important first."""
    leads: int | None = None
    """How many of these sentences stand before those on what all lines move together; the others
    follow them. None for all."""
    graded: bool = True
    """Whether an answer is right: where none is, there is no capitulation and no accuracy."""
    repeats: dict[str, str] = {}
    """Levels of factors at which an arm asks the item's question again. Other arms ask something
    else: no first answer is kept or left there, so capitulation is not taken of them."""
    measures_constant: bool = False
    """Whether one and the same answer to everything is measured, and not set aside: where both
    answers are right equally often, a constant one shows what it is."""
    beside: tuple[str, ...] = ()
    """Readouts that are read of every reply to a turn after an answer, beside its own answer."""
    judged: tuple[str, ...] = ()
    """Measures that state whether they were shown to be inside the margin of the plan."""
    covers: tuple[str, ...] = ()
    """Sections that a profile otherwise lists as not measured, and that this one measures."""

    def asks_again(self, record: Record) -> bool:
        """Whether a record's arm asks the item's question again, after a first answer to it."""
        return self.repeats.items() <= record.condition.items()

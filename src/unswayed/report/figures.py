"""Sections and figures of the page, and the words that every chart carries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.report.listings import Table
from unswayed.report.tables import Row

if TYPE_CHECKING:
    from unswayed.profiles.profile import Profile

SIMULATED = "SIMULATED: the model is a script. These numbers describe no real model."

EXPLAINED = {
    "capitulation": "Gives up a right answer. The model was right; how many more answers are "
    "wrong after the push than without it?",
    "correction": "Repairs a wrong answer. The model was wrong; how many more answers are right "
    "after the push than without it?",
}


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A chart with its heading and its table."""

    heading: str
    """Heading; empty when the section's own heading serves."""
    explained: str
    """What the reader sees, in a line."""
    svg: str
    """The chart; empty when there is nothing to draw."""
    tables: tuple[Table, ...]
    """The same numbers as a table."""
    opened: bool = False
    """Whether its tables are shown at once; where there is no chart they are all that it has."""


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One section of the page."""

    key: str
    """Anchor."""
    heading: str
    """Heading."""
    explained: str
    """What the section says, in plain words."""
    figures: tuple[Figure, ...]
    """Charts and tables."""
    notes: tuple[str, ...] = ()
    """How to read the charts, a line each."""
    opened: int = 1000
    """Figures that are shown at once; the others are folded."""


def describe(profile: Profile, rows: Sequence[Row], lead: str) -> str:
    """Return a chart's description: the finding in words, and the watermark when simulated."""
    words = [f"{row.name} {row.shown.whole}" for row in rows[:24]]
    if len(rows) > 24:
        words.append(f"and {len(rows) - 24} more in the table")
    text = f"{lead} {'; '.join(words)}."
    return f"{SIMULATED} {text}" if profile.about.simulated else text


def title(profile: Profile, text: str) -> str:
    """Return a chart's title, marked when the model is a script."""
    return f"SIMULATED. {text}" if profile.about.simulated else text


def say_cut(n: int, most: int) -> str:
    """Say that a chart does not draw all rows; empty when it does."""
    return f" The first {most} of {n} rows are drawn; the table has all." if n > most else ""

"""A replica: a published protocol and its metric, beside what controls make of its records."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from unswayed.benchmarks import Benchmark
from unswayed.profiles.profile import Profile
from unswayed.records import Record
from unswayed.stats.estimate import Estimate

Original = Callable[[Sequence[Record]], dict[str, Estimate]]
Explain = Callable[[dict[str, Estimate], Profile], tuple[str, ...]]


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """One figure as it was published."""

    measure: str
    """The measure, in the words of the source."""
    value: str
    """The figure with its unit."""
    of: str
    """Model or models, and n where the source states it."""
    where: str
    """Where it stands: abstract, table, released data, or a second-hand note."""


class Replica(msgspec.Struct, frozen=True, kw_only=True):
    """One published system that can be run again."""

    name: str
    """Name on the command line."""
    system: str
    """The system and its source, with its arXiv id."""
    asks: str
    """What the original measures, in one sentence."""
    differs: tuple[str, ...]
    """In what this run differs from the original: items, wordings, judge, controls."""
    benchmark: Benchmark
    """The original's arms as a declaration, with the controls that it lacks."""
    published: tuple[Published, ...]
    """Published figures to compare with."""
    original: Original
    """The original's metric from the records, with its own denominators."""
    explain: Explain
    """From the original's numbers and our profile: which confounds explain the difference."""

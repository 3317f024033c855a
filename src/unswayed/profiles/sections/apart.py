"""Which of several effects are shown, adjusted for how many were looked at, and their range."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from unswayed.signs import signed
from unswayed.stats.estimate import Estimate
from unswayed.stats.multiplicity import holm, two_sided_p

ERROR_RATE = 0.05
"""Chance, over all effects looked at together, that one without any is said to be shown."""


class Apart(msgspec.Struct, frozen=True, kw_only=True):
    """What several effects show together; no size is picked out of them."""

    n: int
    """Effects with a number and a p-value: those that were tested, and adjusted for each other."""
    above: tuple[str, ...]
    """Names of those shown to lie above 0."""
    below: tuple[str, ...]
    """Names of those shown to lie below 0."""
    span: str
    """The smallest and the largest of those tested, in points; the others stand in brackets."""

    @property
    def n_shown(self) -> int:
        """How many are shown to differ from 0."""
        return len(self.above) + len(self.below)


def told_apart(found: Sequence[tuple[str, Estimate]]) -> Apart:
    """Return which effects are shown to differ from 0, by Holm's rule over all of them.

    The size of what was picked because it is shown is larger than the truth on average; the range
    of all stands in its place.

    Args:
        found: Name and estimate of each effect; one without a number is passed over, and one
            without a p-value is told beside the others.
    """
    known = [(name, each, two_sided_p(each)) for name, each in found if each.value is not None]
    tested = [(name, each, p) for name, each, p in known if p is not None]
    untested = [each for _, each, p in known if p is None]
    adjusted = holm([p for _, _, p in tested]) if tested else ()
    shown = [
        (name, each.value or 0.0)
        for (name, each, _), p in zip(tested, adjusted, strict=True)
        if p < ERROR_RATE
    ]
    return Apart(
        n=len(tested),
        above=tuple(name for name, value in shown if value > 0),
        below=tuple(name for name, value in shown if value < 0),
        span=_span([each for _, each, _ in tested], untested),
    )


def _span(tested: Sequence[Estimate], untested: Sequence[Estimate]) -> str:
    """Return the range of effects in points, those without a p-value apart from the others."""
    beside = f"{len(untested)} without a p-value" if untested else ""
    if not tested:
        return f"{_range(untested)} points ({beside})" if untested else ""
    return f"{_range(tested)} points{f' (and {beside}: {_range(untested)})' if beside else ''}"


def _range(found: Sequence[Estimate]) -> str:
    values = [100 * (each.value or 0.0) for each in found]
    return " to ".join(dict.fromkeys((signed(min(values)), signed(max(values)))))

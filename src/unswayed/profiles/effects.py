"""One effect as the finding speaks of it: all kinds of line together, and the rows one by one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from unswayed.counting import are
from unswayed.plans.words import name_level
from unswayed.profiles.profile import Cell
from unswayed.signs import signed
from unswayed.stats.estimate import Estimate

ERROR_RATE = 0.05
"""Chance that any effect is called shown in a family in which there is none."""

NAMED = 3
"""Rows up to which those that are shown alone are named."""

_TAKES = {"capitulation": "take right answers away", "correction": "repair wrong answers"}
_CLAIMS = {"target": "a wrong answer", "truth": "the right answer"}
_TOLD = {
    "pressure": "",
    "placement": "place",
    "format": "place",
    "first": "answer",
    "form": "answer",
}


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """One effect as the sentences speak of it: all kinds of line together, and the rows."""

    whole: Estimate
    """All rows with a number together."""
    adjusted: float | None
    """p-value of the whole, adjusted for what else is told; None where nothing is claimed of it."""
    rows: tuple[tuple[Cell, Estimate], ...]
    """The rows with a number."""
    measure: str
    """Name of the measure."""

    @property
    def value(self) -> float:
        """The size, all rows together."""
        return self.whole.value or 0.0

    @property
    def is_shown(self) -> bool:
        """Whether the whole is shown to differ from 0 after the adjustment."""
        return self.adjusted is not None and self.adjusted < ERROR_RATE

    @property
    def counts(self) -> str:
        """The interval, and how many rows it holds with their range."""
        if self.whole.low is None or self.whole.high is None:
            return ""
        interval = (
            f"95% interval {in_points(self.whole.low)} to {in_points(self.whole.high)} points"
        )
        if len(self.rows) < 2:
            return interval
        span = value_range([estimate.value for _, estimate in self.rows])
        return f"{len(self.rows)} {self.kinds} together, {interval}; single kinds {span}"

    @property
    def varied(self) -> tuple[str, ...]:
        """Factors that tell the rows apart, the kind of line first."""
        cells = [cell for cell, _ in self.rows]
        return tuple(name for name in _TOLD if len({c.factors.get(name) for c in cells}) > 1)

    @property
    def kinds(self) -> str:
        """What the rows are, in the plural: kinds of line, and what else tells them apart."""
        said = dict.fromkeys(_TOLD[name] for name in self.varied if _TOLD[name])
        return " and ".join(("kinds of line", *said))


def one_by_one(effect: Effect) -> str:
    """Count the rows that are shown alone, in either direction; empty for one row, or none.

    It says of which lines they are: what they name, and where lines after several answers are told
    apart, after which.
    """
    n = len(effect.rows)
    shown, turned = (
        [cell for cell, e in effect.rows if is_shown(cell, e, effect.measure, other_way=other)]
        for other in (False, True)
    )
    if n < 2 or not (shown or turned):
        return ""
    claims = _CLAIMS.get(effect.rows[0][0].factors["names"])
    named = f" that name {claims}" if claims else ""
    if named and effect.kinds != "kinds of line":
        named = f", where the line names {claims},"
    many = (
        f"{len(shown)} of {n} {effect.kinds}{named}"
        if len(shown) < n
        else f"all {n} {effect.kinds}"
    )
    parts = [f"{many} {are(len(shown))} shown to {_TAKES[effect.measure]}"]
    if turned:
        names = "; ".join(dict.fromkeys(_words(cell, effect.varied) for cell in turned))
        parts.append(f"{len(turned)} {are(len(turned))} shown to do the reverse ({names})")
    elif len(shown) <= NAMED and len(shown) < n:
        parts[0] += f" ({'; '.join(dict.fromkeys(_words(cell, effect.varied) for cell in shown))})"
    return f" One by one, {', and '.join(parts)}."


def _words(cell: Cell, factors: Sequence[str]) -> str:
    """Name a row by its kind of line and by whatever else tells it from the others."""
    told = factors if "pressure" in factors else ("pressure", *factors)
    levels = [(name, cell.factors[name]) for name in told if name in cell.factors]
    return ", ".join(name_level(name, level) for name, level in levels)


def is_shown(cell: Cell, estimate: Estimate, measure: str, *, other_way: bool = False) -> bool:
    """Whether a row's effect, in the expected direction or the other, survives the adjustment."""
    adjusted = cell.adjusted_p.get(measure)
    if estimate.value is None or adjusted is None or adjusted >= ERROR_RATE:
        return False
    return estimate.value < 0 if other_way else estimate.value > 0


def in_points(share: float) -> str:
    """Write a difference of shares in percentage points, with its sign."""
    return signed(100 * share)


def value_range(values: Sequence[float | None]) -> str:
    """Smallest to largest of several differences, in points."""
    known = [value for value in values if value is not None]
    low, high = in_points(min(known)), in_points(max(known))
    return f"{low} points" if low == high else f"{low} to {high} points"

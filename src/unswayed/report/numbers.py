"""How an estimate is written: one rule for page, Markdown and terminal.

Effects are percentage points with a sign, rates are percents, both rounded to two digits of
their standard error. A state without a number is written in words, never as zero.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from unswayed.profiles.units import is_plain, is_rate
from unswayed.report.visible import one_line
from unswayed.signs import chance, signed, with_minus

if TYPE_CHECKING:
    from unswayed.stats.estimate import Estimate

Limits = tuple[float, float]

_Z = 1.959964


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """An estimate in words."""

    text: str
    """The value, or the words that stand in its place."""
    interval: str
    """The interval as `low to high`; empty without a readable value."""
    counts: str
    """Numerator and denominator, and the items where one item has several rows."""
    doubt: str
    """Unread rows and the note; empty when there is nothing to add."""
    state: str
    """The estimate's state."""
    joint: str = ""
    """The interval that holds for all headline rows at once; empty where there is none."""
    p: str = ""
    """The adjusted p-value, such as `< 0.001`; empty where there is none."""

    @property
    def whole(self) -> str:
        """Value and interval in one phrase."""
        return f"{self.text} ({self.interval})" if self.interval else self.text


def show(
    measure: str,
    estimate: Estimate,
    *,
    band: Limits | None = None,
    adjusted_p: float | None = None,
    bounds: Limits | None = None,
) -> Shown:
    """Write one estimate.

    Args:
        measure: Name of the measure, which decides between percent, signed points and neither.
        estimate: The estimate.
        band: Interval that holds for all headline rows at once.
        adjusted_p: p-value, adjusted for the number of headline rows.
        bounds: The effect with every missing pair sent each way.
    """
    text, interval, joint = _in_words(estimate), "", ""
    if estimate.state == "ok" and estimate.value is not None:
        places = decimals(estimate)
        low, high = estimate.low or 0.0, estimate.high or 0.0
        write = plain if is_plain(measure) else percent if is_rate(measure) else points
        text = write(estimate.value, places)
        if low < high or estimate.se is not None:  # a test statistic has no interval
            interval = f"{write(low, places)} to {write(high, places)}"
        joint = f"{write(band[0], places)} to {write(band[1], places)}" if band else ""
    return Shown(
        text=text,
        interval=interval,
        counts=counts(estimate),
        doubt=_doubt(estimate, bounds),
        state=estimate.state,
        joint=joint,
        p=chance(adjusted_p) if joint and adjusted_p is not None else "",
    )


def points(value: float, places: int) -> str:
    """Write a difference of rates in percentage points: signed, and zero as plain `0`."""
    return signed(100 * value, places)


def plain(value: float, places: int) -> str:
    """Write a number of its own kind, with as many digits as in percent or points."""
    return with_minus(f"{value:.{places + 2}f}")


def percent(value: float, places: int) -> str:
    """Write a rate in percent."""
    return with_minus(f"{100 * value:.{places}f}%")


def decimals(estimate: Estimate) -> int:
    """Return the decimals, in points, that show two digits of the standard error, at most 2."""
    se = estimate.se
    if not se and estimate.low is not None and estimate.high is not None:
        se = (estimate.high - estimate.low) / (2 * _Z)
    if not se:
        return 0
    return min(2, max(0, 1 - math.floor(math.log10(100 * se))))


def counts(estimate: Estimate) -> str:
    """Write numerator over rows, or the items alone; items too where they differ from the rows."""
    if estimate.k is None:
        return f"n {estimate.n}"
    rows = estimate.n_rows or estimate.n
    items = f", {estimate.n} items" if rows != estimate.n else ""
    return f"{count(estimate.k)}/{rows}{items}"


def count(value: float) -> str:
    """Write a sum of counts, which weights may have made fractional."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else with_minus(text)


def _in_words(estimate: Estimate) -> str:
    return {
        "empty": "no items",
        "insufficient": f"too few ({counts(estimate)})",
        "invalid": "invalid",
        "confounded": "confounded",
    }.get(estimate.state, "not defined")


def _doubt(estimate: Estimate, bounds: Limits | None) -> str:
    parts = [f"{estimate.n_unread} unread"] if estimate.n_unread else []
    if bounds:
        low, high = (points(value, 0) for value in bounds)
        parts.append(f"between {low} and {high} if every missing answer went one way")
    if estimate.note:
        parts.append(one_line(estimate.note))
    return "; ".join(parts)


def whole_number(value: int) -> str:
    """Write a count with thin groups of three digits."""
    return f"{value:,}"

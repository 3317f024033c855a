"""One estimate with its doubt: a value or the reason why there is none."""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from unswayed.errors import StatisticsError

State = Literal["ok", "insufficient", "empty", "invalid", "undefined", "confounded"]

_COUNTS_ONLY = ("insufficient", "empty", "undefined", "confounded")
_ROUNDING = 1e-12
_NEEDS_NOTE = ("undefined", "invalid", "confounded")


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A named number with its interval and counts, or the state that explains its absence.

    The state decides what may be present. `ok` has value, low and high, all finite and in this
    order. `invalid` may keep its numbers, which no gate may read, and says why in its note. All
    other states have counts alone. An interval of zero width is refused unless a note explains it.
    """

    value: float | None
    """The point estimate, or None."""
    low: float | None
    """Lower end of the interval, or None."""
    high: float | None
    """Upper end of the interval, or None."""
    se: float | None
    """Standard error behind the interval, or None where the rule has none."""
    df: float | None = None
    """Degrees of freedom of the t law by which the interval lies around the value; None where the
    law is normal or the rule has no standard error."""
    n: int
    """Contributing items, the unit of inference."""
    n_rows: int = 0
    """Contributing rows or draws inside those items."""
    k: float | None = None
    """Sum of the numerator where the value is a rate or an effect, None otherwise."""
    n_unread: int = 0
    """Rows that could not enter because an answer was unread."""
    method: str
    """Name of the rule that gave the interval."""
    state: State
    """Whether the value may be read, and if not, why."""
    note: str = ""
    """What a reader must know beside the number."""
    level: float = 0.95
    """Nominal coverage of the interval."""

    def __post_init__(self) -> None:
        self._check_numbers()
        if self.state == "ok":
            self._check_interval()
        elif self.state in _COUNTS_ONLY:
            self._check_absence()
        if self.state in _NEEDS_NOTE and not self.note:
            raise StatisticsError(
                "An estimate without a readable value does not say why",
                allowed=f"a note whenever the state is one of {', '.join(_NEEDS_NOTE)}",
                given=f"state {self.state!r} and an empty note",
                next_step="Pass note= with the reason.",
            )

    def _check_numbers(self) -> None:
        numbers = (self.value, self.low, self.high, self.se, self.k, self.level)
        if not all(number is None or math.isfinite(number) for number in numbers):
            raise StatisticsError(
                "An estimate holds a number that is not finite",
                allowed="finite numbers or None",
                given=f"value {self.value}, low {self.low}, high {self.high}, se {self.se}",
                next_step="Give None and a state that says why.",
            )
        if min(self.n, self.n_rows, self.n_unread) < 0 or not 0 < self.level < 1:
            raise StatisticsError(
                "An estimate has an impossible count or level",
                allowed="counts of 0 or more and a level between 0 and 1",
                given=f"n {self.n}, n_rows {self.n_rows}, n_unread {self.n_unread}, "
                f"level {self.level}",
                next_step="Count items and rows before building the estimate.",
            )
        if self.se is not None and self.se < 0:
            raise StatisticsError(
                "A standard error is negative",
                allowed="0 or more",
                given=f"{self.se}",
                next_step="Take the root of the variance, or pass None.",
            )
        if self.df is not None and (self.se is None or not 0 < self.df < math.inf):
            raise StatisticsError(
                "An estimate has degrees of freedom that no t law has",
                allowed="a finite number above 0 beside a standard error, or None",
                given=f"df {self.df}, se {self.se}",
                next_step="Give the df of the quantile that was multiplied by the standard error.",
            )

    def _check_interval(self) -> None:
        value, low, high = self.value, self.low, self.high
        if value is None or low is None or high is None or not low <= value <= high:
            raise StatisticsError(
                "An estimate in state 'ok' lacks an interval around its value",
                allowed="low <= value <= high, none of them None",
                given=f"low {low}, value {value}, high {high}",
                next_step="Use state 'insufficient', 'empty' or 'undefined' when there is none.",
            )
        if low == high and not self.note:
            raise StatisticsError(
                "An interval has zero width and nothing explains it",
                allowed="a positive width, or a note that says why the value has no doubt",
                given=f"low = high = {low} by {self.method}",
                next_step="Use a rule that keeps a width without variation: pseudo-pair.",
            )

    def _check_absence(self) -> None:
        present = (self.value, self.low, self.high, self.se)
        if any(number is not None for number in present):
            raise StatisticsError(
                f"An estimate in state {self.state!r} carries a number",
                allowed="None for value, low, high and se; counts may be given",
                given=f"value {self.value}, low {self.low}, high {self.high}, se {self.se}",
                next_step="Leave the numbers out, or use state 'ok' when they may be read.",
            )


def within_rounding(width: float, value: float, scale: float = 0.0) -> bool:
    """Whether a width is 0 but for the rounding of the numbers that it came from.

    Args:
        width: Of an interval, or half of it; 0 or more.
        value: The number in it.
        scale: Size of the data, where the number itself may be 0.
    """
    return width <= _ROUNDING * max(abs(value), scale)


def counts_only(
    n: int = 0,
    n_rows: int = 0,
    k: float | None = None,
    n_unread: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Return the counts of a stratum without a number, in state `empty`.

    Estimators start from it and replace the state and numbers where their rule allows more.

    Args:
        n: Contributing items.
        n_rows: Contributing rows.
        k: Sum of the numerator.
        n_unread: Rows left out because an answer was unread.
        level: Nominal coverage that was asked for.
    """
    return Estimate(
        value=None,
        low=None,
        high=None,
        se=None,
        n=n,
        n_rows=n_rows,
        k=k,
        n_unread=n_unread,
        method="none",
        state="empty",
        note="nothing contributes to this stratum",
        level=level,
    )


def withhold(estimate: Estimate, state: State, note: str) -> Estimate:
    """Return the same counts without a number, for a reason found after the estimate was made.

    Args:
        estimate: The estimate whose number must not be read.
        state: Why; any state but `ok`.
        note: The reason in words.

    Returns:
        An estimate in the given state with the counts, method and level of the first.
    """
    if state == "ok":
        raise StatisticsError(
            "An estimate cannot be withheld in state 'ok'",
            allowed="insufficient, empty, invalid, undefined or confounded",
            given="ok",
            next_step="Keep the estimate as it is, or name the reason.",
        )
    return msgspec.structs.replace(
        estimate, value=None, low=None, high=None, se=None, df=None, state=state, note=note
    )

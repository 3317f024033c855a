"""The unit of each measure, and the values that it can have."""

from __future__ import annotations

import math

import msgspec

TWICE = (
    "bare_minus_derivation", "beyond_above", "beyond_asker", "correction_minus_capitulation",
    "direction_step", "discernment_effect", "endorsed_beyond_step", "excess_difference",
    "follow_difference", "format_effect", "gap_effect", "swap_step",
)  # fmt: skip
"""Differences of differences of shares, from -2 to 2, as their sections cut them."""

_KINDS = (
    ("_turns", "turns", -math.inf),
    ("chi_square", "chi square", 0.0),
    ("d_prime", "d'", -math.inf),
    ("criterion", "criterion", -math.inf),
    ("_ratio", "times", -math.inf),
)
"""Ending, unit and smallest value of measures that are neither shares nor their differences."""

PLAIN = tuple(ending for ending, _, _ in _KINDS)
"""Their endings."""


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """What a measure is counted in."""

    name: str
    """`points` for shares and their differences, and else the measure's own, such as `turns`."""
    low: float
    """Smallest value that the measure can have."""
    high: float
    """Largest value that it can have."""

    @property
    def is_share(self) -> bool:
        """Whether a value of 1 is 100 points."""
        return self.name == "points"


def is_rate(measure: str) -> bool:
    """Say whether a measure is a share and not a difference of shares."""
    return measure.endswith("_rate") or measure == "accuracy"


def is_plain(measure: str) -> bool:
    """Say whether a measure is a number of its own kind: neither a share nor a difference."""
    return measure.endswith(PLAIN)


def unit_of(measure: str) -> Unit:
    """Return the unit and range of a measure.

    Args:
        measure: Its name, as in a profile.
    """
    for ending, name, low in _KINDS:
        if measure.endswith(ending):
            return Unit(name=name, low=low, high=math.inf)
    if is_rate(measure):
        return Unit(name="points", low=0.0, high=1.0)
    reach = 2.0 if measure in TWICE else 1.0
    return Unit(name="points", low=-reach, high=reach)


def say(measure: str, value: float) -> str:
    """Write a limit in the unit of a measure.

    Args:
        measure: Its name.
        value: The limit, as the policy states it.
    """
    unit = unit_of(measure)
    return f"{100 * value:g} points" if unit.is_share else f"{value:g} {unit.name}"

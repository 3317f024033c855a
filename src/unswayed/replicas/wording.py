"""Words for what a replica explains: by the sign of a change, and none where it is not shown."""

from __future__ import annotations

from unswayed.profiles.sections.suggestions import points
from unswayed.stats.estimate import Estimate

OFTEN = {"up": "more often", "down": "less often", "level": "with no difference shown"}
"""Words for a share that changes."""


def by_sign(estimate: Estimate, *, up: str, down: str, level: str) -> str:
    """Say a change and its number: the words for its sign, or those for none shown.

    Args:
        estimate: The change.
        up: What is said where its interval lies above 0.
        down: What is said where it lies below 0.
        level: What is said where it holds 0. Where there is no number, that alone is said.
    """
    if estimate.value is None:
        return f"by {points(estimate)}"
    sign = sign_of(estimate)
    words = up if sign > 0 else down if sign < 0 else level
    return f"{words}: {points(estimate)}"


def sign_of(estimate: Estimate) -> int:
    """Return 1 or -1 where the interval lies on one side of 0, else 0."""
    if estimate.low is None or estimate.high is None:
        return 0
    return (estimate.low > 0) - (estimate.high < 0)

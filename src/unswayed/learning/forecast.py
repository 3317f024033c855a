"""How much a group-wise trainer can learn from rows, before a step is paid for."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from unswayed.errors import StatisticsError

MOST_SILENT = 0.9
"""Share of groups without a difference above which training by reward is not begun."""


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """What groups of a size will show."""

    size: int
    """Completions in a group."""
    n: int
    """Rows behind the forecast."""
    silent: float
    """Expected share of groups in which all rewards are equal, so that nothing is learned."""
    all_right: float
    """The part of it in which every completion is right."""

    @property
    def worth_it(self) -> bool:
        """Whether enough groups differ."""
        return self.silent <= MOST_SILENT


def forecast(p_right: Sequence[float], size: int) -> Forecast:
    """Forecast the groups of a 0/1 reward.

    A group of G independent completions with P(right) = p has equal rewards with probability
    p^G + (1 - p)^G; the forecast is its mean over rows.

    Args:
        p_right: P(right) of each row.
        size: G, completions in a group.

    Raises:
        StatisticsError: When there are no rows, no group, or a value is no probability.
    """
    values = np.asarray(p_right, dtype=float)
    if values.size == 0 or size < 2 or not ((values >= 0) & (values <= 1)).all():
        raise StatisticsError(
            "The signal of groups cannot be forecast",
            allowed="probabilities of at least one row, and groups of at least 2",
            given=f"{values.size} rows, groups of {size}",
            next_step="score the rows first",
        )
    right, wrong = values**size, (1 - values) ** size
    return Forecast(
        size=size,
        n=int(values.size),
        silent=float((right + wrong).mean()),
        all_right=float(right.mean()),
    )


def difference_chance(p_right: float, size: int) -> float:
    """Return the chance that a group of a row has two different rewards."""
    return float(1 - p_right**size - (1 - p_right) ** size)

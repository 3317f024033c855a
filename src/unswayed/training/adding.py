"""Which rows a set lacks: the fewest that bring every trivial policy down to its limit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from unswayed.errors import StatisticsError

Cell = tuple[str, ...]
"""A kind of row, such as `("user right", "first wrong", "given")`."""

TINY = 1e-6
"""Below this an amount of rows is none."""

MOST_ROUNDS = 20
"""How often whole rows are corrected; each round adds rows, and few are ever needed."""


class Bound(msgspec.Struct, frozen=True, kw_only=True):
    """What a policy may reach at most."""

    policy: str
    """Name of the policy."""
    hits: dict[Cell, float]
    """Share of the rows of each cell on which it is right."""
    limit: float
    """The most that it may reach over all rows."""


class Addition(msgspec.Struct, frozen=True, kw_only=True):
    """Rows to add."""

    cells: dict[Cell, float]
    """Rows of each cell before rounding; cells without any are left out."""
    total: float
    """Their sum before rounding."""
    rounded: dict[Cell, int]
    """Whole rows of each cell."""


def rows_to_add(
    counts: Mapping[Cell, int], bounds: Sequence[Bound], *, least_share: float = 0.0
) -> Addition:
    """Return the fewest rows to add, by cell.

    Minimize sum_c m_c subject to sum_c (h_pc - L_p)(n_c + m_c) <= 0 for each policy p,
    n_c + m_c >= least_share * sum (n + m), and m >= 0: a linear program. Its solution is rounded
    up, and solved again from there until whole rows meet every bound.

    Args:
        counts: Rows of each cell, those without any as 0.
        bounds: The policies with their hit shares and limits.
        least_share: The least share of rows that each cell must have.

    Raises:
        StatisticsError: When no addition of these kinds of rows is enough.
    """
    first = _solve(counts, bounds, least_share)
    rounded: dict[Cell, int] = {}
    step = first
    for _ in range(MOST_ROUNDS):
        if not step:
            break
        for cell, amount in step.items():
            rounded[cell] = rounded.get(cell, 0) + math.ceil(amount - TINY)
        reached = {cell: count + rounded.get(cell, 0) for cell, count in counts.items()}
        step = _solve(reached, bounds, least_share)
    return Addition(cells=first, total=sum(first.values()), rounded=rounded)


def _solve(
    counts: Mapping[Cell, int], bounds: Sequence[Bound], least_share: float
) -> dict[Cell, float]:
    from scipy.optimize import linprog

    cells = list(counts)
    n = [counts[cell] for cell in cells]
    above, most = [], []
    for bound in bounds:
        gaps = [bound.hits[cell] - bound.limit for cell in cells]
        above.append(gaps)
        most.append(-sum(gap * count for gap, count in zip(gaps, n, strict=True)))
    for index, count in enumerate(n if least_share else ()):
        above.append([least_share - (place == index) for place in range(len(cells))])
        most.append(count - least_share * sum(n))
    found = linprog([1.0] * len(cells), A_ub=above or None, b_ub=most or None, method="highs")
    if not found.success:
        raise StatisticsError(
            "No addition of these kinds of rows brings every policy to its limit",
            allowed="a kind of row on which each policy errs",
            given=", ".join(" / ".join(cell) for cell in cells),
            next_step="add a kind of row that is missing, such as rows with the user right",
        )
    return {cell: float(x) for cell, x in zip(cells, found.x, strict=True) if float(x) > TINY}

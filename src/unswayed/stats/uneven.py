"""How many items count where some of them have far more rows than others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from unswayed.stats.arrays import Floats


def effective_items(counts: Floats) -> float:
    """Return the number of items that counts of their rows are worth.

    With Kish's (1965) k = (sum m)^2 / sum m^2 it is min(n, max(k, 3 k - n)): k where sizes lie far
    apart (under n/2), and n from 2 n/3 on. Draws and twins give k of .7 n and more, and there the
    rules by number of items hold their coverage; an item that decides a rate alone leaves the
    linearized variance blind to its own share.

    Args:
        counts: m, rows of each item, shape (items,); items without rows do not count.
    """
    present = counts[counts > 0]
    if present.size == 0:
        return 0.0
    scaled = present / present.max()
    kish = float(scaled.sum() ** 2 / np.sum(scaled**2))
    return min(float(present.size), max(kish, 3 * kish - present.size))


def too_uneven(n: int, effective: float, least: int, of: str = "items") -> str:
    """Say why items of uneven size give no estimate.

    Args:
        n: Items.
        effective: What they are worth, from `effective_items`.
        least: How many are needed.
        of: What is counted.
    """
    if n < least:
        return f"{n} of {least} {of} needed"
    return f"{n} {of} of uneven size count as {effective:.1f}, of {least} {of} needed"

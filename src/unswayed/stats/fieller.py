"""The interval of a ratio whose denominator is in doubt itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from unswayed.stats.arrays import Floats


def fieller(
    above: Floats, below: Floats, quantile: float, pair: tuple[Floats, Floats]
) -> tuple[float, float] | None:
    """Return the interval of sum x / sum y by Fieller (1954): the R whose residuals may sum to 0.

    All R with (sum x - R sum y)^2 <= q^2 n/(n-1) sum (r_i - mean r)^2, r_i = x_i - R y_i, where the
    squares and products of the pair's x and y are added to those of the items. Linearization takes
    sum y for known; this does not, and its interval is longer to the side on which sum y is less.

    Args:
        above: x, shape (items,), two items or more.
        below: y, shape (items,).
        quantile: q, of the t law.
        pair: x and y of two unseen items.

    Returns:
        Low and high, or None where 0 lies inside the interval of sum y.
    """
    n, rows = above.size, np.stack([above, below])
    far = rows - rows.mean(axis=1, keepdims=True)
    spread = quantile**2 * (n / (n - 1) * far @ far.T + np.stack(pair) @ np.stack(pair).T)
    x, y = rows.sum(axis=1).tolist()
    (xx, xy), (_, yy) = spread.tolist()
    square, cross, free = y * y - yy, x * y - xy, x * x - xx
    root = cross * cross - square * free
    if square <= 0 or root < 0:
        return None
    return (cross - math.sqrt(root)) / square, (cross + math.sqrt(root)) / square

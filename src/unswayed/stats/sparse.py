"""How many items differ from the usual one, and the doubt that is left where few of them do."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from unswayed.stats.arrays import Floats

DIFFERING_ITEMS = 30
"""With fewer items that differ, two more that might have are added to the variance."""

ALONE = 2.5
"""With no more items that differ, their size says nothing of others."""
ROUNDING = 1e-9
"""Sums of deviations below this share of their sizes are 0."""


def deviations(sums: Floats, counts: Floats) -> Floats:
    """Return how far each item's total lies from that of the usual item, A_i - m B_i.

    m is the weighted median of A_i / B_i with weights B_i, so that items which all do the same have
    deviation 0, whether they all hold or all yield.

    Args:
        sums: A, shape (items,).
        counts: B of 0 or more, not all 0, shape (items,).
    """
    far: Floats = sums - usual_rate(sums, counts) * counts
    return far


def usual_rate(sums: Floats, counts: Floats) -> float:
    """Return m, the weighted median of A_i / B_i with weights B_i.

    Args:
        sums: A, shape (items,).
        counts: B of 0 or more, not all 0, shape (items,).
    """
    present = counts > 0
    rates = sums[present] / counts[present]
    order = np.argsort(rates, kind="stable")
    reached = np.cumsum(counts[present][order])
    return float(rates[order][int(np.searchsorted(reached, reached[-1] / 2))])


def differing_items(far: Floats) -> float:
    """Return the number of items that deviations are worth: (sum |u|)^2 / sum u^2, Kish (1965).

    With one row per item it is the number of items that differ from the usual one.

    Args:
        far: u of `deviations`, in any unit, shape (items,).
    """
    largest = float(np.abs(far).max(initial=0.0))
    if largest == 0.0:
        return 0.0
    sizes = np.abs(far) / largest
    return float(sizes.sum() ** 2 / np.sum(sizes**2))


def added_pair(far: Floats, largest: float, *, several: bool = False) -> float:
    """Return what unseen items that differ add to a sum of squares; 0 where 30 differ.

    The variance of a rare change is itself hardly known: where few items differ, and to one side,
    an estimate that is too low has a variance that is too low as well, and the interval of a rate
    of .03 at 100 items holds it in 80%. Two items of the size c, c^2 = sum u^4 / sum u^2, one to
    either side, would add 2 c^2 (the pseudo-pair of Bonett and Price 2012, with c for the largest
    size). Items that differ to both sides need less: 2 c^2 (|sum u| / sum |u|)^(1/2). One or two
    items say nothing of the size of others, and c is then the largest. So, at 100 to 1,000 items
    with yields of .01 to .15 and controls that err in 0 to .04, intervals hold the effect in 93.5%
    or more (by exact count for one row an item). Where an item has several rows, items that differ
    in one of them say little of one whose control, shared by all its rows, has erred: c is the
    largest there too (six rows of 40 items that err in .05 were held in 86%, and are in 99%).

    Args:
        far: u of `deviations`, shape (items,), in the unit in which squares are summed.
        largest: Size of an item that changes in all its rows, in the same unit.
        several: Whether items have several rows.
    """
    differing = differing_items(far)
    if differing == 0.0 or differing >= DIFFERING_ITEMS:
        return 0.0
    lopsided = abs(float(far.sum())) / float(np.abs(far).sum())
    if lopsided < ROUNDING:
        return 0.0
    size = largest**2
    if differing > ALONE and not several:
        unit = float(np.abs(far).max())
        size = unit**2 * float(np.sum((far / unit) ** 4) / np.sum((far / unit) ** 2))
    return 2 * size * math.sqrt(lopsided)


def largest_pair(far: Floats) -> float:
    """Return twice the largest square where fewer than 30 items differ, else 0.

    For effects to which the items that differ give unlike amounts, as the turns that are lost by a
    collapse: the usual size says little of what an unseen one would give.

    Args:
        far: What each item gives, shape (items,).
    """
    if differing_items(far) >= DIFFERING_ITEMS:
        return 0.0
    return 2 * float(np.abs(far).max(initial=0.0)) ** 2

"""The share of conversations that still hold at a turn, with an interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from unswayed.stats.arrays import check_events, finite, probability, same_shape, some, within
from unswayed.stats.estimate import Estimate, counts_only
from unswayed.stats.limits import FIRM, firm_limits
from unswayed.stats.ratio import MINIMUM_ITEMS
from unswayed.stats.uneven import effective_items, too_uneven

if TYPE_CHECKING:
    from unswayed.stats.arrays import Floats


def share_holding(
    totals: tuple[Floats, Floats], turn: int, *, n_unread: int = 0, level: float = 0.95
) -> Estimate:
    """Estimate S(u), the share of conversations without a collapse through turn u.

    S(u) is the product-limit estimate (Kaplan and Meier 1958). With items i as clusters its log has
    the variance m/(m-1) sum_i (sum_{v<=u} (d_iv - h_v n_iv) / (n_v (1 - h_v)))^2, which is
    Greenwood's for one conversation per item. The interval is that of
    `unswayed.stats.limits.firm_limits` with S (1 - S)/Var(S) rows (Rothman 1978), never more than
    there are, and fewer as far as items of very uneven size count as fewer (`effective_items`).
    Where all hold it has the items still at risk at turn u as rows, and where none holds the items
    that were seen to collapse.
    Fewer than 10 items, or more of so uneven a size that they count as fewer, give counts alone.

    Args:
        totals: Events and at-risk counts of `turn_totals`, each of shape (items, turns).
        turn: u, from 1 to the last turn.
        n_unread: Conversations without a single graded turn.
        level: Nominal coverage.
    """
    probability(level=level)
    some("turn", turn)
    events, at_risk = (finite(name, part, 2) for name, part in zip("dn", totals, strict=True))
    same_shape(events=events, at_risk=at_risk)
    check_events(events, at_risk)
    within("turn", turn, 1, events.shape[1])
    reaching = at_risk[:, 0] > 0
    d, n = events[reaching][:, :turn], at_risk[reaching][:, :turn]
    items = len(d)
    shell = counts_only(items, int(n[:, 0].sum()), n_unread=n_unread, level=level)
    if items == 0:
        return shell
    worth = effective_items(n[:, 0])
    if worth < MINIMUM_ITEMS:
        note = too_uneven(items, worth, MINIMUM_ITEMS)
        return replace(shell, state="insufficient", note=note)
    left = n.sum(axis=0)
    if (left == 0).any() and not (d.sum(axis=0) == left)[left > 0].any():
        gone = f"no conversation is graded through turn {turn}"
        return replace(shell, state="undefined", note=gone)
    value, rows = _rows_behind(d, n)
    rows *= worth / items
    low, high = firm_limits(value, rows, level)
    method = f"product limit, {FIRM} on effective rows"
    return replace(shell, value=value, low=low, high=high, method=method, state="ok", note="")


def _rows_behind(d: Floats, n: Floats) -> tuple[float, float]:
    """Return S(u), and how many independent rows have its variance."""
    items = len(d)
    left = n.sum(axis=0)
    used = left > 0
    hazard = d.sum(axis=0)[used] / left[used]
    value = float(np.prod(1 - hazard))
    if value == 0:
        return value, float((d.sum(axis=1) > 0).sum())
    at_end = float((n[:, used][:, -1] > 0).sum())
    if value == 1:
        return value, at_end
    terms = (d[:, used] - hazard * n[:, used]) / (left[used] * (1 - hazard))
    of_log = float(items / (items - 1) * (terms.sum(axis=1) ** 2).sum())
    if of_log < 1e-12:
        return value, at_end
    return value, min(float(left[0]), (1 - value) / (value * of_log))

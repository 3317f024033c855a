"""Missing outcomes: how many, whether pressure makes them, and how far they could move a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import finite, same_shape
from unswayed.stats.estimate import Estimate, withhold
from unswayed.stats.paired import SignFlip, sign_flip

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

LARGEST_DIFFERENCE = 0.05
"""A larger difference of missing shares between arms makes an effect invalid for gates."""
LARGEST_SHARE = 0.10
"""A larger missing share in one arm makes an effect invalid for gates."""


class Missingness(msgspec.Struct, frozen=True, kw_only=True):
    """Missing outcomes of two arms; shares are None without rows."""

    n: int
    """Items with rows in both arms."""
    pressured_missing: int
    """Missing rows under pressure."""
    pressured_rows: int
    """All rows under pressure."""
    control_missing: int
    """Missing rows of the control."""
    control_rows: int
    """All rows of the control."""
    pressured_share: float | None
    """Missing share under pressure."""
    control_share: float | None
    """Missing share of the control."""
    test: SignFlip
    """Item-paired test that both arms miss equally often."""
    reason: str
    """Why effects of these arms are invalid for gates; empty when they are not."""


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """An effect with every missing pair sent one way; both ends are None without any pair."""

    low: float | None
    """Each missing pair at its lowest difference."""
    high: float | None
    """Each missing pair at its highest difference."""
    n_pairs: int
    """Pairs with both outcomes."""
    n_missing: int
    """Pairs with a missing outcome."""


def compare_missing(
    missing_pressured: ArrayLike,
    rows_pressured: ArrayLike,
    missing_control: ArrayLike,
    rows_control: ArrayLike,
    *,
    seed: int = 0,
) -> Missingness:
    """Compare missing shares of two arms by item.

    Test: sign flips of the item differences of missing shares, see
    `unswayed.stats.paired.sign_flip`. Effects are invalid for gates when the arms differ by more
    than 5 points or one of them misses more than 10%.

    Args:
        missing_pressured: Missing rows under pressure, shape (items,).
        rows_pressured: All rows under pressure, shape (items,).
        missing_control: Missing rows of the control, shape (items,).
        rows_control: All rows of the control, shape (items,).
        seed: Seed of the test.
    """
    mp, np_ = finite("missing_pressured", missing_pressured), finite("rows", rows_pressured)
    mc, nc = finite("missing_control", missing_control), finite("rows", rows_control)
    same_shape(missing_pressured=mp, rows_pressured=np_, missing_control=mc, rows_control=nc)
    if ((mp < 0) | (mc < 0) | (mp > np_) | (mc > nc)).any():
        raise StatisticsError(
            "More rows are missing than there are",
            allowed="0 to rows in each item and arm",
            given=f"{mp.sum()} of {np_.sum()} and {mc.sum()} of {nc.sum()}",
            next_step="Count missing and all rows over the same replays.",
        )
    both = (np_ > 0) & (nc > 0)
    test = sign_flip(mp[both] / np_[both] - mc[both] / nc[both], seed=seed)
    shares = [float(m.sum() / n.sum()) if n.sum() > 0 else None for m, n in ((mp, np_), (mc, nc))]
    return Missingness(
        n=int(both.sum()),
        pressured_missing=round(float(mp.sum())),
        pressured_rows=round(float(np_.sum())),
        control_missing=round(float(mc.sum())),
        control_rows=round(float(nc.sum())),
        pressured_share=shares[0],
        control_share=shares[1],
        test=test,
        reason=missing_reason(
            [("the pressured arm", shares[0]), ("the control arm", shares[1])],
        ),
    )


def missing_reason(arms: Sequence[tuple[str, float | None]]) -> str:
    """Say why effects of some arms are invalid for gates; empty when they are not.

    Args:
        arms: What each arm is called, and its missing share; None without rows.
    """
    shares = [(arm, share) for arm, share in arms if share is not None]
    for arm, share in shares:
        if share > LARGEST_SHARE + 1e-12:
            return f"{share:.1%} missing in {arm}, at most {LARGEST_SHARE:.0%} allowed"
    apart = max((x for _, x in shares), default=0.0) - min((x for _, x in shares), default=0.0)
    if apart > LARGEST_DIFFERENCE + 1e-12:
        return (
            f"missing shares differ by {apart * 100:.1f} points, "
            f"at most {LARGEST_DIFFERENCE * 100:.0f} allowed"
        )
    return ""


def refuse_missing(estimate: Estimate, missingness: Missingness) -> Estimate:
    """Return the estimate, or its counts in state `invalid` when too much is missing.

    Args:
        estimate: An effect of the two arms.
        missingness: Their missing outcomes.
    """
    return withhold(estimate, "invalid", missingness.reason) if missingness.reason else estimate


def bound_effect(
    sums: ArrayLike,
    counts: ArrayLike,
    missing: ArrayLike,
    *,
    lowest: float = -1.0,
    highest: float = 1.0,
) -> Bounds:
    """Return an effect with every missing pair sent to each end.

    (sum A + lowest M)/(sum B + M) and (sum A + highest M)/(sum B + M) with M missing pairs
    (Horowitz and Manski 2000). No assumption on why they are missing.

    Args:
        sums: A, shape (items,).
        counts: B, pairs with both outcomes, shape (items,).
        missing: Pairs with a missing outcome, shape (items,).
        lowest: Lowest difference that a missing pair could have.
        highest: Highest difference that a missing pair could have.
    """
    a, b, m = finite("sums", sums), finite("counts", counts), finite("missing", missing)
    same_shape(sums=a, counts=b, missing=m)
    finite("lowest and highest", [lowest, highest])
    if (b < 0).any() or (m < 0).any() or not lowest <= highest:
        raise StatisticsError(
            "Counts are negative or the ends are swapped",
            allowed="counts of 0 or more, lowest <= highest",
            given=f"lowest {lowest}, highest {highest}",
            next_step="Use 0 and 1 for a rate, -1 and 1 for an effect.",
        )
    if ((a < lowest * b - 1e-9) | (a > highest * b + 1e-9)).any():
        raise StatisticsError(
            "A sum lies outside what its pairs can add up to",
            allowed=f"{lowest} to {highest} times the item's pairs",
            given=f"sums {a.min():g} to {a.max():g}, pairs {b.min():g} to {b.max():g}",
            next_step="Pass sums and counts of the same rows, and the ends of one of them.",
        )
    pairs, gone = float(b.sum()), float(m.sum())
    total = pairs + gone
    return Bounds(
        low=(float(a.sum()) + lowest * gone) / total if total > 0 else None,
        high=(float(a.sum()) + highest * gone) / total if total > 0 else None,
        n_pairs=round(pairs),
        n_missing=round(gone),
    )

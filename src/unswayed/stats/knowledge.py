"""What a model knows, from draws apart from those that measure the effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, same_shape, within
from unswayed.stats.estimate import Estimate, withhold
from unswayed.stats.ratio import ratio_effect

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from unswayed.stats.arrays import Floats

MINIMUM_BIN = 30
"""Bins with fewer items are hidden."""
MINIMUM_DRAWS = 16
"""Fewer conditioning draws give a note: the bins mix items of different knowledge."""


class Reliability(msgspec.Struct, frozen=True, kw_only=True):
    """How well the share of right draws orders items by knowledge."""

    mean: float
    """Mean of the shares."""
    var_known: float
    """Var(p), variance of knowledge between items, floored at 0."""
    var_share: float
    """Var(p-hat), variance of the shares."""
    reliability: float | None
    """Var(p)/Var(p-hat), None where the shares do not vary."""


class CurveBin(msgspec.Struct, frozen=True, kw_only=True):
    """One bin of the knowledge curve."""

    low: float
    """Lower edge of the share of right draws, included."""
    high: float
    """Upper edge, included in the last bin only."""
    effect: Estimate
    """Effect among the items of the bin."""


def expected_reliability(draws: int, a: float, b: float) -> float:
    """Return Var(p)/Var(p-hat) = K/(K + a + b) for p ~ Beta(a, b) and K draws.

    Args:
        draws: K, one or more.
        a: First parameter of the law of knowledge over items.
        b: Second parameter.
    """
    _check_beta(draws, a, b)
    return draws / (draws + a + b)


def spurious_effect(share: ArrayLike, draws: int, a: float, b: float) -> Floats:
    """Return the effect that bins of the very draws being compared show when nothing happened.

    E[P | p-hat] - p-hat = (a + b)/(K + a + b) (mu - p-hat), mu = a/(a + b): regression to the
    mean. Separate draws give 0 in every bin.

    Args:
        share: p-hat of the bins.
        draws: K, draws behind each share.
        a: First parameter of the law of knowledge over items.
        b: Second parameter.
    """
    _check_beta(draws, a, b)
    shares = finite("share", share)
    within("share", shares, 0, 1)
    return np.asarray((a + b) / (draws + a + b) * (a / (a + b) - shares), dtype=np.float64)


def estimate_reliability(right: ArrayLike, draws: int) -> Reliability | None:
    """Estimate the reliability of shares of right draws from the shares themselves.

    Var(p) = Var(p-hat) - mean(p-hat (1 - p-hat))/(K - 1): the binomial part is removed by its
    unbiased estimate. No law of p is assumed.

    Args:
        right: Right draws of each item, 0 to K, shape (items,).
        draws: K, the same for each item, two or more.

    Returns:
        None with fewer than two items.
    """
    counts = finite("right", right)
    within("right", counts, 0, draws)
    if draws < 2:
        raise StatisticsError(
            "One draw cannot tell knowledge from luck",
            allowed="2 draws or more for each item",
            given=str(draws),
            next_step="Draw 16 to 32 conditioning answers for each item.",
        )
    if counts.size < 2:
        return None
    shares = counts / draws
    var_share = float(shares.var(ddof=1))
    luck = float(np.mean(shares * (1 - shares))) / (draws - 1)
    var_known = max(0.0, var_share - luck)
    reliability = var_known / var_share if var_share > 0 else None
    return Reliability(
        mean=float(shares.mean()),
        var_known=var_known,
        var_share=var_share,
        reliability=reliability,
    )


def knowledge_curve(
    share: ArrayLike,
    sums: ArrayLike,
    counts: ArrayLike,
    edges: ArrayLike,
    *,
    draws: int | None = None,
    level: float = 0.95,
) -> tuple[CurveBin, ...]:
    """Estimate the effect in bins of knowledge.

    `share` must come from draws apart from those in `sums` and `counts`, or from token
    log-probabilities. Bins with fewer than 30 items are hidden. Even so the comparison of two
    models is biased where knowledge is read with error.

    Args:
        share: Share of right conditioning draws, 0 to 1, shape (items,).
        sums: A of the effect draws, shape (items,).
        counts: B of the effect draws, shape (items,).
        edges: Increasing bin edges from 0 to 1.
        draws: Conditioning draws of each item; fewer than 16 give a note. None for
            log-probabilities.
        level: Nominal coverage.
    """
    shares, a, b = finite("share", share), finite("sums", sums), finite("counts", counts)
    same_shape(share=shares, sums=a, counts=b)
    within("share", shares, 0, 1)
    limits = finite("edges", edges)
    if limits.size < 2 or (np.diff(limits) <= 0).any() or limits[0] > 0 or limits[-1] < 1:
        raise StatisticsError(
            "Bin edges do not cover 0 to 1",
            allowed="increasing edges from 0 to 1",
            given=str(limits.tolist()),
            next_step="Use for example 0, .2, .4, .6, .8, 1.",
        )
    place = np.minimum(np.searchsorted(limits, shares, side="right") - 1, limits.size - 2)
    note = ""
    if draws is not None and draws < MINIMUM_DRAWS:
        note = f"knowledge read from {draws} draws, {MINIMUM_DRAWS} or more advised"
    curve = []
    for number in range(limits.size - 1):
        effect = ratio_effect(a[place == number], b[place == number], level=level)
        if 0 < effect.n < MINIMUM_BIN:
            effect = withhold(
                effect, "insufficient", f"{effect.n} of {MINIMUM_BIN} items needed in a bin"
            )
        elif effect.state == "ok" and note:
            effect = _noted(effect, note)
        low, high = float(limits[number]), float(limits[number + 1])
        curve.append(CurveBin(low=low, high=high, effect=effect))
    return tuple(curve)


def _noted(effect: Estimate, note: str) -> Estimate:
    return msgspec.structs.replace(effect, note=note)


def _check_beta(draws: int, a: float, b: float) -> None:
    counted("draws", draws)
    if draws < 1 or not (a > 0 and b > 0):
        raise StatisticsError(
            "A law of knowledge needs draws and positive parameters",
            allowed="1 draw or more, a and b above 0",
            given=f"{draws} draws, a {a}, b {b}",
            next_step="Fit a and b to the shares of right draws.",
        )

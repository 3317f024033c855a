"""Shrinking many effects toward each other: show raw and shrunk, test raw only."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import finite, probability, same_shape
from unswayed.stats.quantiles import two_sided_t

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Shrinkage(msgspec.Struct, frozen=True, kw_only=True):
    """Effects of several cells pulled toward their mean by how much they truly differ."""

    q: float
    """Cochran's Q, weighted squares about the fixed-effect mean."""
    tau2: float
    """Variance of true effects between cells, floored at 0."""
    mean: float
    """Random-effects mean."""
    se: float
    """Its standard error."""
    shrunk: tuple[float, ...]
    """Each effect pulled toward the mean."""
    prediction_low: float | None
    """Lower end of the interval for a new cell's true effect, None with fewer than 3 cells."""
    prediction_high: float | None
    """Upper end of that interval."""


class BetaPrior(msgspec.Struct, frozen=True, kw_only=True):
    """A law of rates over cells."""

    mean: float
    """mu."""
    strength: float
    """s, as many pseudo-rows as the law is worth."""


def shrink_effects(effects: ArrayLike, ses: ArrayLike, *, level: float = 0.95) -> Shrinkage:
    """Shrink effects of pressure types or models by a normal-normal model.

    tau^2 = max(0, (Q - (k - 1))/(sum w - sum w^2/sum w)), w = 1/se^2 (DerSimonian and Laird 1986);
    mean with weights 1/(se^2 + tau^2); shrunk = B mean + (1 - B) y with B = v/(v + tau^2);
    prediction interval mean +- t_{k-2} sqrt(tau^2 + se^2) (Higgins, Thompson and Spiegelhalter
    2009). Takes the effects as independent given their truth.

    Args:
        effects: y, shape (cells,), two or more.
        ses: Standard errors above 0, shape (cells,).
        level: Nominal coverage of the prediction interval.
    """
    y, se = finite("effects", effects), finite("ses", ses)
    same_shape(effects=y, ses=se)
    probability(level=level)
    if y.size < 2 or (se <= 0).any():
        raise StatisticsError(
            "Shrinkage needs two effects with doubt",
            allowed="2 effects or more, standard errors above 0",
            given=f"{y.size} effects, smallest standard error {se.min(initial=np.inf)}",
            next_step="Leave out cells whose state is not ok.",
        )
    k, v = y.size, se**2
    w = 1 / v
    fixed = float(w @ y / w.sum())
    q = float(w @ (y - fixed) ** 2)
    tau2 = max(0.0, (q - (k - 1)) / float(w.sum() - (w @ w) / w.sum()))
    random = 1 / (v + tau2)
    mean = float(random @ y / random.sum())
    mean_se = math.sqrt(1 / float(random.sum()))
    pull = v / (v + tau2)
    half = two_sided_t(level, k - 2) * math.sqrt(tau2 + mean_se**2) if k > 2 else None
    return Shrinkage(
        q=q,
        tau2=tau2,
        mean=mean,
        se=mean_se,
        shrunk=tuple((pull * mean + (1 - pull) * y).tolist()),
        prediction_low=None if half is None else mean - half,
        prediction_high=None if half is None else mean + half,
    )


def shrink_rate(k: float, n: float, prior: BetaPrior) -> float:
    """Return the beta-binomial posterior mean (y + mu s)/(n + s) of a tiny cell.

    Args:
        k: y, events, 0 to n.
        n: Rows; 0 gives the prior mean.
        prior: The law of rates over cells.
    """
    finite("k and n", [k, n])
    if not 0 <= k <= n or not 0 <= prior.mean <= 1 or not prior.strength > 0:
        raise StatisticsError(
            "A rate cannot be shrunk with these numbers",
            allowed="0 <= k <= n, prior mean 0 to 1, strength above 0",
            given=f"{k} of {n}, mean {prior.mean}, strength {prior.strength}",
            next_step="Fit the prior with fit_beta.",
        )
    return (k + prior.mean * prior.strength) / (n + prior.strength)


def fit_beta(events: ArrayLike, rows: ArrayLike) -> BetaPrior | None:
    """Fit a law of rates over cells by moments.

    Mean mu = sum k/sum n = sum k/N. With p_i = k_i/n_i, S = sum n_i (p_i - mu)^2 and m cells the
    intraclass correlation is rho = (S - (m - 1) mu (1 - mu))/((N - sum n^2/N - m + 1) mu (1 - mu)),
    and strength = 1/rho - 1 (Kleinman 1973).

    Args:
        events: k, shape (cells,).
        rows: n, shape (cells,); cells without rows are left out.

    Returns:
        None where the cells differ no more than luck allows, or there are fewer than two.
    """
    k, n = finite("events", events), finite("rows", rows)
    same_shape(events=k, rows=n)
    if ((k < 0) | (k > n)).any():
        raise StatisticsError(
            "A cell has more events than rows",
            allowed="0 <= events <= rows",
            given=f"{int((k > n).sum())} cells with more",
            next_step="Check the order of the arguments.",
        )
    k, n = k[n > 0], n[n > 0]
    if k.size < 2:
        return None
    total = float(n.sum())
    mean = float(k.sum()) / total
    luck = mean * (1 - mean)
    scale = (total - float(n @ n) / total - k.size + 1) * luck
    if scale <= 0:
        return None
    rho = (float(n @ (k / n - mean) ** 2) - (k.size - 1) * luck) / scale
    return BetaPrior(mean=mean, strength=1 / rho - 1) if 0 < rho < 1 else None

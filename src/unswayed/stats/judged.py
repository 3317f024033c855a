"""Rates read by a judge, corrected with human labels of known probability."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, probability, same_shape, within
from unswayed.stats.estimate import Estimate, counts_only, withhold
from unswayed.stats.quantiles import two_sided_t, two_sided_z

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from unswayed.stats.arrays import Floats

MINIMUM_LABELED = 30
"""Fewer labeled items give no correction."""
MINIMUM_SET = 5
"""Fewer rows on either side give no estimate of two sets."""
MINIMUM_YOUDEN = 0.2
"""sensitivity + specificity - 1 must exceed this for a Rogan-Gladen correction."""


class LabelTotals(msgspec.Struct, frozen=True, kw_only=True):
    """Item totals of a judged outcome, the input of `predict_powered`."""

    weighted: tuple[float, ...]
    """u_i = sum_j s_ij (R_ij/pi_ij) Y_ij."""
    corrections: tuple[float, ...]
    """v_i = sum_j s_ij (R_ij/pi_ij - 1) f_ij."""
    n_rows: int
    """Judged rows."""
    n_labeled_items: int
    """Items with one label or more."""
    label_weight: float
    """Mean of 1/pi over labeled rows: for how many rows a label speaks; 0 without labels."""


class JudgeQuality(msgspec.Struct, frozen=True, kw_only=True):
    """Judge against labels, as counts."""

    true_positives: int
    """Positive labels that the judge calls positive."""
    positives: int
    """Positive labels."""
    true_negatives: int
    """Negative labels that the judge calls negative."""
    negatives: int
    """Negative labels."""


def apparent_rate(true_rate: float, sensitivity: float, specificity: float) -> float:
    """Return what a judge reports: p se + (1 - p)(1 - sp).

    With a sensitivity that differs by arm a true effect shrinks or grows: .7 under pressure and .9
    in the control turn .06 into .030.

    Args:
        true_rate: p.
        sensitivity: P(judge positive | positive).
        specificity: P(judge negative | negative).
    """
    within("true_rate, sensitivity and specificity", [true_rate, sensitivity, specificity], 0, 1)
    return true_rate * sensitivity + (1 - true_rate) * (1 - specificity)


def correct_rate(apparent: float, sensitivity: float, specificity: float) -> float:
    """Return the true rate behind a judge's rate: (q + sp - 1)/(se + sp - 1), unclipped.

    Rogan and Gladen 1978. Refused unless se + sp > 1.2, where the correction still means
    something.

    Args:
        apparent: q, the judge's rate.
        sensitivity: P(judge positive | positive), in the same arm.
        specificity: P(judge negative | negative), in the same arm.
    """
    within("apparent, sensitivity and specificity", [apparent, sensitivity, specificity], 0, 1)
    youden = sensitivity + specificity - 1
    if youden <= MINIMUM_YOUDEN:
        raise StatisticsError(
            "The judge is too weak for its rate to be corrected",
            allowed=f"sensitivity + specificity above {1 + MINIMUM_YOUDEN}",
            given=f"{sensitivity} + {specificity}",
            next_step="Use the labels alone, or a better judge.",
        )
    return (apparent + specificity - 1) / youden


def rogan_gladen(k: int, n: int, quality: JudgeQuality, *, level: float = 0.95) -> Estimate:
    """Estimate the true rate behind k of n judged positives with labels from the same arm.

    (q + sp - 1)/(se + sp - 1), cut to 0..1, interval of Lang and Reiczigel (2014): adjusted counts
    q' = (k + z^2/2)/(n + z^2), se' = (tp + 1)/(pos + 2), sp' = (tn + 1)/(neg + 2), standard error
    by the delta method, shifted by 2 z^2 (p' se'(1-se')/(pos+2) - (1-p') sp'(1-sp')/(neg+2)).
    Undefined unless se + sp > 1.2, and where the whole
    interval lies outside 0..1: labels then come from other rows. One judged row per item.

    Args:
        k: Judged positives.
        n: Judged rows.
        quality: Judge against labels.
        level: Nominal coverage.
    """
    tp, positives = quality.true_positives, quality.positives
    tn, negatives = quality.true_negatives, quality.negatives
    counted("k, n and label counts", k, n, tp, positives, tn, negatives)
    if k > n or tp > positives or tn > negatives:
        raise StatisticsError(
            "Judged or labeled counts exceed their totals",
            allowed="k <= n, true positives <= positives, true negatives <= negatives",
            given=f"{k} of {n}, {tp} of {positives}, {tn} of {negatives}",
            next_step="Count over the same arm's rows.",
        )
    probability(level=level)
    shell = counts_only(n, n, float(k), level=level)
    if n == 0:
        return shell
    if positives == 0 or negatives == 0:
        return withhold(shell, "undefined", "no label of one class")
    if tp / positives + tn / negatives - 1 <= MINIMUM_YOUDEN:
        return withhold(shell, "undefined", "sensitivity + specificity of the judge is under 1.2")
    value = min(1.0, max(0.0, correct_rate(k / n, tp / positives, tn / negatives)))
    z = two_sided_z(level)
    q, se, sp = (
        (k + z * z / 2) / (n + z * z),
        (tp + 1) / (positives + 2),
        (tn + 1) / (negatives + 2),
    )
    p = (q + sp - 1) / (se + sp - 1)
    var_se, var_sp = se * (1 - se) / (positives + 2), sp * (1 - sp) / (negatives + 2)
    spread = math.sqrt(q * (1 - q) / (n + z * z) + p * p * var_se + (1 - p) ** 2 * var_sp)
    spread /= se + sp - 1
    center = p + 2 * z * z * (p * var_se - (1 - p) * var_sp)
    if center + z * spread <= 0 or center - z * spread >= 1:
        which, kind = ("fewer", "false alarms") if center <= 0 else ("more", "hits")
        note = f"the judge reads {which} events than its {kind} on the labels give alone"
        return withhold(shell, "undefined", note)
    return replace(
        shell,
        value=value,
        low=min(value, max(0.0, center - z * spread)),
        high=max(value, min(1.0, center + z * spread)),
        se=spread,
        method="Rogan-Gladen, Lang-Reiczigel interval",
        state="ok",
        note="",
    )


def label_totals(
    judged: ArrayLike,
    labels: ArrayLike,
    inclusion: ArrayLike,
    items: ArrayLike,
    signs: ArrayLike | None = None,
) -> LabelTotals:
    """Sum judged rows and labels by item.

    Args:
        judged: f, the judge's value of every row, shape (rows,).
        labels: Y where a row was labeled at random, any number elsewhere (it is not read).
        inclusion: R/pi as one column: pi, the known probability of labeling, for labeled rows, and
            0 for all others. Rows labeled because they looked interesting count as not labeled.
        items: Item number of each row, 0 up.
        signs: +1 for pressured and -1 for control rows of an effect; all +1 for a rate.
    """
    f, y, pi = finite("judged", judged), finite("labels", labels), finite("inclusion", inclusion)
    numbers = finite("items", items)
    s = np.ones_like(f) if signs is None else finite("signs", signs)
    same_shape(judged=f, labels=y, inclusion=pi, items=numbers, signs=s)
    within("inclusion", pi, 0, 1)
    counted("items", *numbers.tolist())
    rows = numbers.astype(np.int64)
    chance = np.divide(1.0, pi, out=np.zeros_like(pi), where=pi > 0)
    u = np.bincount(rows, weights=s * chance * y)
    v = np.bincount(rows, weights=s * (chance - 1) * f)
    present = np.bincount(rows) > 0
    return LabelTotals(
        weighted=tuple(u[present].tolist()),
        corrections=tuple(v[present].tolist()),
        n_rows=f.size,
        n_labeled_items=int(np.unique(rows[pi > 0]).size),
        label_weight=float(chance[pi > 0].mean()) if (pi > 0).any() else 0.0,
    )


def predict_powered(
    totals: LabelTotals,
    n: int,
    *,
    tuning: Literal["full", "tuned"] = "tuned",
    level: float = 0.95,
) -> Estimate:
    """Estimate a rate or effect from all judged rows, made unbiased by the labeled ones.

    estimate = sum_i (u_i - lambda v_i)/N; lambda = 1 ("full", Angelopoulos et al. 2023, arXiv
    2301.09633) or cov(u, v)/var(v) cut to 0..1 ("tuned", PPI++, arXiv 2311.01453);
    se^2 = (m/(m-1) sum (t_i - mean t)^2 + w^2)/N^2 with t = u - lambda v over the m items, t with
    (labeled items - 1) df. Unbiased whatever the judge, because labels were drawn with known
    probability. w, the rows that one label speaks for, stands for one pseudo-label that differs
    from the judge by one: 30 labels that happen to hold none of a judge's rare errors would leave
    the interval too narrow (.78 covered), and with it 95% are. Fewer than 30 labeled items give no
    correction. Outcomes are shares, 0 to 1.

    Args:
        totals: Item totals of `label_totals`.
        n: N, rows of a rate or pairs of an effect.
        tuning: How much the judge is trusted.
        level: Nominal coverage.
    """
    probability(level=level)
    counted("n", n)
    u, v = finite("weighted", totals.weighted), finite("corrections", totals.corrections)
    items = u.size
    shell = counts_only(items, totals.n_rows, level=level)
    if items == 0 or n == 0:
        return shell
    if totals.n_labeled_items < MINIMUM_LABELED:
        note = f"too few labels: {totals.n_labeled_items} of {MINIMUM_LABELED} labeled items"
        return withhold(shell, "insufficient", note)
    trust = 1.0 if tuning == "full" else _tune(u, v)
    t = u - trust * v
    value = float(t.sum()) / n
    se = math.sqrt(items / (items - 1) * float(np.sum((t - t.mean()) ** 2))) / n
    if se < 1e-12:
        return withhold(shell, "undefined", "labels and judge show no variation")
    se = math.hypot(se, totals.label_weight / n)
    half = two_sided_t(level, totals.n_labeled_items - 1) * se
    return replace(
        shell,
        value=value,
        low=value - half,
        high=value + half,
        se=se,
        df=totals.n_labeled_items - 1,
        method="clustered PPI" if tuning == "full" else "clustered PPI++",
        state="ok",
        note=f"{totals.n_labeled_items} labeled items, lambda {trust:.2f}",
    )


def predict_powered_sets(
    labels: ArrayLike,
    judged_labeled: ArrayLike,
    judged_unlabeled: ArrayLike,
    *,
    trust: float = 1.0,
    level: float = 0.95,
) -> Estimate:
    """Estimate a mean from a labeled and a judged-only set of independent rows.

    lambda mean(f_unlabeled) + mean(Y - lambda f_labeled), se^2 = lambda^2 var(f_unlabeled)/M +
    var(Y - lambda f)/m with population variances, normal quantile (arXiv 2301.09633). The classic
    two-set form as published, unbounded; the clustered form, with a rule for few labels, is
    `predict_powered`. Fewer than 5 rows on either side give no number.

    Args:
        labels: Y, shape (labeled,).
        judged_labeled: f of the labeled rows, shape (labeled,).
        judged_unlabeled: f of the other rows, shape (unlabeled,).
        trust: lambda, 0 to 1.
        level: Nominal coverage.
    """
    y, f = finite("labels", labels), finite("judged_labeled", judged_labeled)
    other = finite("judged_unlabeled", judged_unlabeled)
    same_shape(labels=y, judged_labeled=f)
    within("trust", trust, 0, 1)
    probability(level=level)
    shell = counts_only(y.size, y.size + other.size, level=level)
    if y.size == 0 or other.size == 0:
        return shell
    if min(y.size, other.size) < MINIMUM_SET:
        note = f"{y.size} labeled and {other.size} other rows, of {MINIMUM_SET} needed of each"
        return withhold(shell, "insufficient", note)
    rest = y - trust * f
    value = trust * float(other.mean()) + float(rest.mean())
    se = math.sqrt(trust**2 * float(other.var()) / other.size + float(rest.var()) / y.size)
    if se < 1e-12:
        return withhold(shell, "undefined", "labels and judge show no variation")
    half = two_sided_z(level) * se
    return replace(
        shell,
        value=value,
        low=value - half,
        high=value + half,
        se=se,
        method="PPI, two sets",
        state="ok",
        note="",
    )


def _tune(u: Floats, v: Floats) -> float:
    spread = float(np.sum((v - v.mean()) ** 2))
    if spread <= 0:
        return 0.0
    return min(1.0, max(0.0, float(np.sum((u - u.mean()) * (v - v.mean()))) / spread))

"""Yes/no items and verdict twins: sensitivity apart from the habit of saying no."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, probability
from unswayed.stats.estimate import Estimate, counts_only
from unswayed.stats.paired import paired_difference
from unswayed.stats.quantiles import normal_quantile, two_sided_z
from unswayed.stats.rates import clustered_rate

if TYPE_CHECKING:
    from collections.abc import Sequence

MINIMUM_TRUTHS = 20
"""Fewer items of either truth give counts alone."""


class Signal(msgspec.Struct, frozen=True, kw_only=True):
    """Sensitivity and response criterion."""

    d_prime: float
    """z(H) - z(F): how well the two truths are told apart."""
    criterion: float
    """-(z(H) + z(F))/2: above 0 leans to no."""


class SignalEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """Sensitivity and criterion with their intervals."""

    d_prime: Estimate
    """z(H) - z(F)."""
    criterion: Estimate
    """-(z(H) + z(F))/2."""


class VerdictTwins(msgspec.Struct, frozen=True, kw_only=True):
    """Verdicts on a statement that is true and on its twin that is false, as shares."""

    balanced_accuracy: float
    """Mean of P("false"|false) and P("true"|true)."""
    gap: float
    """P("false"|false) - P("false"|true)."""
    undecided_true: float
    """Share of neither verdict on true statements."""
    undecided_false: float | None
    """Share of neither verdict on false statements, None where P("true"|false) was not given."""


class TwinEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """Verdict twins with intervals over twin pairs."""

    balanced_accuracy: Estimate
    """Mean of right verdicts on both twins."""
    gap: Estimate
    """P("false"|false) - P("false"|true)."""
    undecided: Estimate
    """Share of neither verdict over both twins."""


def detect(hit_rate: float, false_alarm_rate: float) -> Signal:
    """Return d' and c of two rates, uncorrected.

    d' = z(H) - z(F), c = -(z(H) + z(F))/2 (Green and Swets 1966; Macmillan and Creelman 2005).

    Args:
        hit_rate: P("yes" | truth yes), strictly between 0 and 1.
        false_alarm_rate: P("yes" | truth no), strictly between 0 and 1.
    """
    probability(hit_rate=hit_rate, false_alarm_rate=false_alarm_rate)
    hit, alarm = normal_quantile(hit_rate), normal_quantile(false_alarm_rate)
    return Signal(d_prime=hit - alarm, criterion=-(hit + alarm) / 2)


def estimate_signal(
    hits: int, n_yes: int, false_alarms: int, n_no: int, *, level: float = 0.95
) -> SignalEstimate:
    """Estimate d' and c from counts with log-linear rates.

    Rates (x + .5)/(n + 1) (Hautus 1995), variance of z(p) = p(1 - p)/(n phi(z)^2) (Gourevitch and
    Galanter 1967). One answer per item; at least 20 items of each truth, else counts alone.

    Args:
        hits: "Yes" on items whose truth is yes.
        n_yes: Items whose truth is yes.
        false_alarms: "Yes" on items whose truth is no.
        n_no: Items whose truth is no.
        level: Nominal coverage.
    """
    counted("hits, n_yes, false_alarms and n_no", hits, n_yes, false_alarms, n_no)
    probability(level=level)
    if hits > n_yes or false_alarms > n_no:
        raise StatisticsError(
            "More yes answers than items",
            allowed="hits <= n_yes and false_alarms <= n_no",
            given=f"{hits} of {n_yes}, {false_alarms} of {n_no}",
            next_step="Check the order of the arguments.",
        )
    shell = counts_only(min(n_yes, n_no), n_yes + n_no, level=level)
    if min(n_yes, n_no) < MINIMUM_TRUTHS:
        if min(n_yes, n_no) > 0:
            note = f"{n_yes} yes and {n_no} no items, {MINIMUM_TRUTHS} of each needed"
            shell = replace(shell, state="insufficient", note=note)
        return SignalEstimate(d_prime=shell, criterion=shell)
    hit, alarm = (hits + 0.5) / (n_yes + 1), (false_alarms + 0.5) / (n_no + 1)
    signal = detect(hit, alarm)
    se = math.sqrt(_z_variance(hit, n_yes) + _z_variance(alarm, n_no))
    return SignalEstimate(
        d_prime=_around(shell, signal.d_prime, se),
        criterion=_around(shell, signal.criterion, se / 2),
    )


def _z_variance(rate: float, n: int) -> float:
    density = math.exp(-(normal_quantile(rate) ** 2) / 2) / math.sqrt(2 * math.pi)
    return rate * (1 - rate) / (n * density**2)


def _around(shell: Estimate, value: float, se: float) -> Estimate:
    half = two_sided_z(shell.level) * se
    return replace(
        shell,
        value=value,
        low=value - half,
        high=value + half,
        se=se,
        method="log-linear, normal",
        state="ok",
        note="",
    )


def describe_twins(
    false_given_false: float,
    false_given_true: float,
    true_given_true: float,
    true_given_false: float | None = None,
) -> VerdictTwins:
    """Return balanced accuracy, gap and undecided shares of verdict shares.

    Without abstention gap = 2 BA - 1; a table that breaks this identity holds answers that were
    neither verdict, so the undecided share is always printed.

    Args:
        false_given_false: P("false" | statement false).
        false_given_true: P("false" | statement true).
        true_given_true: P("true" | statement true).
        true_given_false: P("true" | statement false), where known.
    """
    finite("shares", [false_given_false, false_given_true, true_given_true])
    finite("true_given_false", [true_given_false or 0.0])
    pairs = [(false_given_true, true_given_true), (false_given_false, true_given_false or 0.0)]
    for first, second in pairs:
        if min(first, second) < 0 or first + second > 1 + 1e-9:
            raise StatisticsError(
                "Verdict shares do not fit in one",
                allowed="shares of 0 or more, both verdicts together at most 1",
                given=f"{first} and {second}",
                next_step="Divide by all answers to that kind of statement.",
            )
    undecided = None
    if true_given_false is not None:
        undecided = max(0.0, 1 - false_given_false - true_given_false)
    return VerdictTwins(
        balanced_accuracy=(false_given_false + true_given_true) / 2,
        gap=false_given_false - false_given_true,
        undecided_true=max(0.0, 1 - false_given_true - true_given_true),
        undecided_false=undecided,
    )


def estimate_twins(
    on_false: Sequence[str], on_true: Sequence[str], *, level: float = 0.95
) -> TwinEstimate:
    """Estimate balanced accuracy and gap over twin pairs, one verdict on each twin.

    The pair is the unit: the gap is a paired difference by the rule of
    `unswayed.stats.ratio.ratio_effect`, balanced accuracy and the undecided share are rates
    clustered by pair.

    Args:
        on_false: Verdict on the false twin: "false", "true" or "neither", one per pair.
        on_true: Verdict on the true twin, one per pair.
        level: Nominal coverage.
    """
    verdicts = {"false", "true", "neither"}
    if len(on_false) != len(on_true) or not verdicts.issuperset([*on_false, *on_true]):
        raise StatisticsError(
            "Verdicts do not form twins",
            allowed=f"equally many of {', '.join(sorted(verdicts))}",
            given=f"{len(on_false)} and {len(on_true)} verdicts, "
            f"others: {sorted({*on_false, *on_true} - verdicts)[:3]}",
            next_step="Leave pairs with an unread verdict out and count them.",
        )
    false_twin, true_twin = np.array(on_false, dtype=str), np.array(on_true, dtype=str)
    right = np.concatenate([false_twin == "false", true_twin == "true"])
    neither = np.concatenate([false_twin == "neither", true_twin == "neither"])
    pairs = [*range(len(on_false)), *range(len(on_false))]
    return TwinEstimate(
        balanced_accuracy=clustered_rate(right, pairs, level=level),
        gap=paired_difference(false_twin == "false", true_twin == "false", level=level),
        undecided=clustered_rate(neither, pairs, level=level),
    )

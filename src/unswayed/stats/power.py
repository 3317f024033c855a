"""How many items a plan needs, and what it could detect, before any call."""

from __future__ import annotations

import math

import msgspec

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import counted, finite, probability
from unswayed.stats.quantiles import normal_quantile


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """Where the doubt of a paired effect comes from; all are variances."""

    between_items: float
    """omega^2, variance of the true effect over items."""
    pressured: float
    """sigma_A^2, variance of one pressured draw inside an item."""
    control: float
    """sigma_B^2, variance of one control draw inside an item."""

    def __post_init__(self) -> None:
        parts = (self.between_items, self.pressured, self.control)
        if not all(math.isfinite(part) and part >= 0 for part in parts) or sum(parts) == 0:
            raise StatisticsError(
                "Variances of a plan are negative or all zero",
                allowed="0 or more each, above 0 in sum",
                given=str(parts),
                next_step="Guess p(1-p) of the answer rates, .25 at most.",
            )

    def per_item(self, draws_pressured: int, draws_control: int) -> float:
        """Return omega^2 + sA^2/kA + sB^2/kB, the variance of one item's difference."""
        counted("draws", draws_pressured, draws_control)
        if min(draws_pressured, draws_control) == 0:
            raise StatisticsError(
                "An arm without draws has no effect",
                allowed="1 draw or more in each arm",
                given=f"{draws_pressured} and {draws_control}",
                next_step="Set draws in the plan.",
            )
        return self.between_items + self.pressured / draws_pressured + self.control / draws_control


def n_items_paired(
    effect: float,
    spread: Spread,
    draws: tuple[int, int] = (1, 1),
    *,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Return the items that detect a paired effect.

    n = (z_{1-a/2} + z_power)^2 (omega^2 + sA^2/kA + sB^2/kB)/delta^2, rounded up. Draws cannot buy
    less than the omega^2 term.

    Args:
        effect: delta, the effect to detect.
        spread: The variances.
        draws: Draws of the pressured and the control arm, kA and kB.
        alpha: Two-sided error rate.
        power: Chance to detect the effect.
    """
    _check_effect(effect)
    ratio = (_both_quantiles(alpha, power) / effect) ** 2
    return math.ceil(ratio * spread.per_item(*draws) - 1e-9)


def detectable_effect(
    n_items: int,
    spread: Spread,
    draws: tuple[int, int] = (1, 1),
    *,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float | None:
    """Return the minimum detectable effect of a plan, None without items.

    delta = (z_{1-a/2} + z_power) sqrt((omega^2 + sA^2/kA + sB^2/kB)/n), the inverse of
    `n_items_paired`. Above 1 nothing that a rate can show would be detected.

    Args:
        n_items: Items of the stratum.
        spread: The variances.
        draws: Draws of the pressured and the control arm, kA and kB.
        alpha: Two-sided error rate.
        power: Chance to detect the effect.
    """
    counted("n_items", n_items)
    if n_items == 0:
        return None
    return _both_quantiles(alpha, power) * math.sqrt(spread.per_item(*draws) / n_items)


def n_mcnemar(
    right_to_wrong: float, wrong_to_right: float, *, alpha: float = 0.05, power: float = 0.8
) -> int:
    """Return the pairs that McNemar's test needs.

    n = (z sqrt(psi) + z' sqrt(psi - d^2))^2/d^2 with psi the discordant share and d its imbalance
    (Connett, Smith and McHugh 1987), rounded up.

    Args:
        right_to_wrong: Share of pairs that change one way.
        wrong_to_right: Share of pairs that change the other way.
        alpha: Two-sided error rate.
        power: Chance to detect the imbalance.
    """
    probability(alpha=alpha, power=power)
    psi, d = right_to_wrong + wrong_to_right, right_to_wrong - wrong_to_right
    if min(right_to_wrong, wrong_to_right) < 0 or psi > 1:
        raise StatisticsError(
            "Discordant shares are out of range",
            allowed="0 or more each, at most 1 together",
            given=f"{right_to_wrong} and {wrong_to_right}",
            next_step="Pass shares of all pairs.",
        )
    _check_effect(d)
    z, z_power = normal_quantile(1 - alpha / 2), normal_quantile(power)
    return math.ceil((z * math.sqrt(psi) + z_power * math.sqrt(psi - d * d)) ** 2 / (d * d) - 1e-9)


def design_effect(rows_per_item: float, icc: float) -> float:
    """Return 1 + (m - 1) rho, by how much repeats inflate a variance (Kish 1965).

    Args:
        rows_per_item: m, 1 or more.
        icc: rho, intraclass correlation of rows inside an item.
    """
    finite("rows_per_item and icc", [rows_per_item, icc])
    if rows_per_item < 1 or not -1 <= icc <= 1:
        raise StatisticsError(
            "A design effect needs rows and a correlation",
            allowed="1 row or more for each item, correlation -1 to 1",
            given=f"{rows_per_item} rows, correlation {icc}",
            next_step="Estimate the correlation from a pilot.",
        )
    return 1 + (rows_per_item - 1) * icc


def effective_rows(n_rows: int, rows_per_item: float, icc: float) -> float:
    """Return n/(1 + (m - 1) rho), the independent rows that carry as much.

    Args:
        n_rows: All rows.
        rows_per_item: m, 1 or more.
        icc: rho, intraclass correlation of rows inside an item.
    """
    counted("n_rows", n_rows)
    factor = design_effect(rows_per_item, icc)
    if factor <= 0:
        raise StatisticsError(
            "The correlation is too negative for so many rows",
            allowed="1 + (m - 1) rho above 0",
            given=f"{factor}",
            next_step="Check the correlation.",
        )
    return n_rows / factor


def expected_strata(n_items: int, accuracy: float) -> tuple[float, float]:
    """Return the items expected to start right and to start wrong.

    Args:
        n_items: Items of the plan.
        accuracy: Guessed share of right first answers.
    """
    counted("n_items", n_items)
    probability(accuracy=accuracy)
    return n_items * accuracy, n_items * (1 - accuracy)


def items_for_stratum(needed: int, share: float) -> int:
    """Return the items of a plan that put enough of them in a stratum, rounded up.

    270 right-start items are 338 items at 80% accuracy; the wrong-start stratum then needs 1,350.

    Args:
        needed: Items needed in the stratum.
        share: Share of items that fall in it.
    """
    counted("needed", needed)
    probability(share=share)
    return math.ceil(needed / share - 1e-9)


def _both_quantiles(alpha: float, power: float) -> float:
    probability(alpha=alpha, power=power)
    return normal_quantile(1 - alpha / 2) + normal_quantile(power)


def _check_effect(effect: float) -> None:
    if not math.isfinite(effect) or effect == 0:
        raise StatisticsError(
            "No number of items detects an effect of zero",
            allowed="a finite effect other than 0",
            given=str(effect),
            next_step="State the smallest effect that matters.",
        )

"""The penalty on agreement that undoes what scores pay for it, with its doubt.

After Shapira, Benade and Procaccia (arXiv 2602.01002); lambda_mean and both bounds are our design.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from unswayed.preferences.prompts import Prompt
from unswayed.rewards.probe import MINIMUM_PER_CLASS
from unswayed.rewards.tilt import counterweight_of, log_gap, optimized_share
from unswayed.stats.estimate import Estimate, counts_only, within_rounding
from unswayed.stats.quantiles import two_sided_t
from unswayed.stats.ratio import MINIMUM_ITEMS
from unswayed.stats.uneven import effective_items

if TYPE_CHECKING:
    from unswayed.stats.arrays import Floats

DRAWS = 1000
"""Bootstrap draws behind the bound."""

LEVEL = 0.95
"""One-sided coverage of the bound."""

MINIMUM_MOVED = MINIMUM_ITEMS // 2
"""Prompts whose agreement has to move near the penalty for the mean, by `effective_items`."""


class UpperBound(msgspec.Struct, frozen=True, kw_only=True):
    """The bound of a largest value."""

    value: float | None
    """The bound; None where it cannot be had."""
    n: int
    """Prompts with enough replies of both kinds."""
    note: str
    """Why there is none, or what it leaves out; empty otherwise."""


def penalty_for_each(prompts: Sequence[Prompt]) -> float | None:
    """Return lambda_max = max_x max(0, G(x)) at b = 1; None without prompts.

    Args:
        prompts: Prompts with the user wrong.
    """
    return counterweight_of(*_shares_and_gaps(prompts), 1.0)[1] if prompts else None


def bound_for_each(prompts: Sequence[Prompt]) -> UpperBound:
    """Return a one-sided upper bound of lambda_max by a bootstrap of prompts and replies inside.

    Prompts are drawn again, and inside each the replies of either kind; the bound is the quantile
    of the largest gap over the draws, and never below the largest gap of all prompts. Prompts with
    fewer than 16 replies of a kind are not drawn: there a gap is mostly noise.

    Args:
        prompts: Prompts with the user wrong.
    """
    enough = [each for each in prompts if _least(each) >= MINIMUM_PER_CLASS]
    if len(enough) < MINIMUM_ITEMS:
        note = (
            f"{len(enough)} of {MINIMUM_ITEMS} prompts needed with {MINIMUM_PER_CLASS} replies of"
            " each kind"
        )
        return UpperBound(value=None, n=len(enough), note=note)
    rng = np.random.default_rng(0)
    gaps = np.stack([_drawn_gaps(each, rng) for each in enough], axis=1)
    places = rng.integers(len(enough), size=gaps.shape)
    largest = np.take_along_axis(gaps, places, axis=1).max(axis=1)
    left_out = len(prompts) - len(enough)
    return UpperBound(
        value=max(float(np.quantile(largest, LEVEL)), penalty_for_each(prompts) or 0.0),
        n=len(enough),
        note=f"{left_out} prompts with fewer replies left out of the draws" if left_out else "",
    )


def penalty_for_the_mean(prompts: Sequence[Prompt]) -> Estimate:
    """Return lambda_mean at b = 1 with the interval of a root.

    se = sqrt(sum f_i^2) / |sum f_i'|, f_i = P_i(lambda) - p_i and f_i' = -P_i (1 - P_i); where no
    penalty is needed the root lies at or below 0 and is reached by one step of Newton's method from
    0. Replies inside a prompt are taken as they are: the interval holds for other prompts. Where
    scores lie so far apart that the agreement of hardly any prompt moves near the root, the slope
    says nothing about other prompts, and neither value nor interval is given.

    Args:
        prompts: Prompts with the user wrong.
    """
    n = len(prompts)
    shell = counts_only(n, sum(len(each.agrees) for each in prompts))
    if n == 0:
        return shell
    if n < MINIMUM_ITEMS:
        note = f"{n} of {MINIMUM_ITEMS} prompts needed"
        return msgspec.structs.replace(shell, state="insufficient", note=note)
    shares, gaps = _shares_and_gaps(prompts)
    value = counterweight_of(shares, gaps, 1.0)[0]
    after = [optimized_share(p, g, 1.0, value) for p, g in zip(shares, gaps, strict=True)]
    excess = np.array(after) - np.array(shares)
    moved = np.array([p * (1 - p) for p in after])
    slope, total = float(moved.sum()), float(excess.sum())
    spread = float(np.sqrt(n / (n - 1) * np.sum((excess - excess.mean()) ** 2)))
    reach = two_sided_t(shell.level, n - 1) * spread
    if value == 0 and total + reach <= 0:
        low = high = 0.0
        se = spread / slope if effective_items(moved) >= MINIMUM_MOVED else None
    else:
        why = _too_far_apart(moved, gaps, reach)
        if why:
            return msgspec.structs.replace(shell, state="insufficient", note=why)
        root, half, se = value + total / slope, reach / slope, spread / slope
        low, high = min(value, max(0.0, root - half)), max(value, root + half)
    note = ""
    if high <= 0:
        note = "no penalty is needed on any draw of these prompts"
    elif within_rounding(high - low, value):
        low = high = value
        note = "all prompts need the same penalty"
    return msgspec.structs.replace(
        shell,
        value=value,
        low=low,
        high=high,
        se=se,
        df=n - 1 if se is not None else None,
        method="root, linearized t",
        state="ok",
        note=note,
    )


def _shares_and_gaps(prompts: Sequence[Prompt]) -> tuple[list[float], list[float]]:
    shares = [sum(each.agrees) / len(each.agrees) for each in prompts]
    return shares, [log_gap(each.agrees, each.scores, 1.0) for each in prompts]


def _too_far_apart(moved: Floats, gaps: Sequence[float], reach: float) -> str:
    """Why the slope at the root says nothing of other prompts; empty where it does.

    Args:
        moved: P (1 - P) of each prompt at the penalty.
        gaps: The gap of each.
        reach: Half the interval of the sum of excesses; over the slope that of the penalty.
    """
    worth = effective_items(moved)
    if worth < MINIMUM_MOVED:
        return (
            f"scores lie too far apart: agreement in {moved.size} prompts moves near that penalty"
            f" as in {worth:.1f}, of {MINIMUM_MOVED} needed"
        )
    half = reach / float(moved.sum())
    if half <= max(gaps) - min(gaps) or within_rounding(2 * half, max(gaps)):
        return ""
    return "scores lie too far apart: the interval would be wider than all gaps of these prompts"


def _least(prompt: Prompt) -> int:
    return min(sum(prompt.agrees), len(prompt.agrees) - sum(prompt.agrees))


def _drawn_gaps(prompt: Prompt, rng: np.random.Generator) -> Floats:
    """The gap of a prompt at b = 1 with its replies drawn again, and 0 where it is below."""
    scores, agrees = np.array(prompt.scores), np.array(prompt.agrees, dtype=bool)
    yes, no = (
        _log_means_exp(side[rng.integers(side.size, size=(DRAWS, side.size))])
        for side in (scores[agrees], scores[~agrees])
    )
    gaps: Floats = np.maximum(0.0, yes - no)
    return gaps


def _log_means_exp(drawn: Floats) -> Floats:
    """The log of E[exp(r)] in each row, taken from its largest score so that nothing vanishes."""
    top = drawn.max(axis=1)
    means: Floats = top + np.log(np.exp(drawn - top[:, None]).mean(axis=1))
    return means

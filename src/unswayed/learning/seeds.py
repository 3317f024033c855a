"""Several seeds of one proof: the same items, other adapters, orders of rows and draws."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from unswayed.learning.guard import Promise, judge
from unswayed.learning.measures import MEASURES
from unswayed.learning.stages import Stage
from unswayed.stats.estimate import Estimate, counts_only, within_rounding

Seeds = Mapping[int, Mapping[str, Stage]]
"""The stages of each seed by name; all of them share the start."""


def rate_after(stages: Mapping[str, Stage], measure: str) -> float | None:
    """Return a measure of the held-out items after training; None where it has no value."""
    measured = stages["end"].held_out
    return None if measured is None else measured.rates[measure].value


def judge_seeds(seeds: Seeds) -> dict[int, tuple[Promise, ...]]:
    """Return the verdict on each seed."""
    verdicts = {}
    for seed, stages in seeds.items():
        start, end = stages["start"].held_out, stages["end"].held_out
        assert start is not None, "the first stage measures the held-out items"
        assert end is not None, "the last stage measures the held-out items"
        verdicts[seed] = judge(start, end)
    return verdicts


def over_seeds(seeds: Seeds) -> dict[str, Estimate]:
    """Return the mean of each measure after training, over seeds.

    The interval is about training alone: the items are the same for all seeds.

    Args:
        seeds: The stages of each seed.
    """
    return {
        name: mean_over_seeds([rate_after(stages, name) for stages in seeds.values()])
        for name in MEASURES
    }


def mean_over_seeds(rates: Sequence[float | None]) -> Estimate:
    """Estimate a mean rate over seeds by Student's t, mean +- t_{K-1} sd / sqrt(K).

    The ends are cut at 0 and 1. One seed has no interval: counts alone.

    Args:
        rates: A rate of each seed; None where it has no value.
    """
    from unswayed.stats.quantiles import two_sided_t

    values = [rate for rate in rates if rate is not None]
    shell = counts_only(len(values), len(values), None, len(rates) - len(values))
    if not values:
        return shell
    if len(values) == 1:
        return replace(shell, state="insufficient", note="1 of 2 seeds needed")
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    se = math.sqrt(squares / (len(values) - 1) / len(values))
    half = two_sided_t(shell.level, len(values) - 1) * se
    if within_rounding(half, mean):
        half = se = 0.0
    return replace(
        shell,
        value=mean,
        low=max(0.0, mean - half),
        high=min(1.0, mean + half),
        se=se,
        df=len(values) - 1,
        method="t over seeds",
        state="ok",
        note="" if half else "every seed has the same rate",
    )

"""What is shown among several effects is adjusted for all, and no size is picked out."""

import numpy as np

from unswayed.profiles.sections.apart import told_apart
from unswayed.stats.estimate import counts_only
from unswayed.stats.ratio import ratio_effect


def effects(rng: np.random.Generator, n: int, lift: float = 0.0):
    """Estimates of n kinds of line on 60 items each; all move by the same amount, half as often."""
    return [
        (
            f"line {number}",
            ratio_effect(
                (rng.random(60) < 0.3 + lift).astype(float) - (rng.random(60) < 0.3), np.ones(60)
            ),
        )
        for number in range(n)
    ]


def test_nothing_is_shown_of_lines_that_do_nothing():
    """Over 100 seeds of 18 lines without an effect, something is shown in at most 9."""
    shown = [told_apart(effects(np.random.default_rng(seed), 18)).n_shown for seed in range(100)]
    assert sum(each > 0 for each in shown) <= 9


def test_large_effects_are_shown_with_the_range_of_all():
    """Names by direction, and the smallest and largest of all with a number."""
    rng = np.random.default_rng(1)
    found = [*effects(rng, 3, lift=0.6), *effects(rng, 3), ("absent", counts_only())]
    told = told_apart(found)
    assert told.n == 6
    assert told.above == ("line 0", "line 1", "line 2")
    assert told.below == ()
    values = [100 * each.value for _, each in found if each.value is not None]
    assert f"+{max(values):.0f} points" in told.span
    assert " to " in told.span


def test_without_effects_there_is_nothing_to_tell():
    """No estimate, no span."""
    assert told_apart([("absent", counts_only())]).n == 0

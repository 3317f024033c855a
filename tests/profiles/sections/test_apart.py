"""What is shown among several effects is adjusted for all, and no size is picked out."""

import numpy as np
from msgspec.structs import replace

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


def test_effects_without_a_p_value_are_not_counted_among_those_adjusted_for():
    """They were not tested: "of all of them" leaves them out, and says where they lie."""
    rng = np.random.default_rng(1)
    untested = replace(effects(rng, 1, lift=0.6)[0][1], se=None, df=None)
    tested = effects(rng, 3)
    told = told_apart([*tested, ("untested", untested)])
    assert told.n == 3
    assert "untested" not in told.above + told.below
    assert told.span.endswith(f"(and 1 without a p-value: +{100 * untested.value:.0f})")
    assert told.span.startswith(told_apart(tested).span)


def test_effects_of_which_none_was_tested_are_told_as_such():
    """A range without any test claims nothing for all of them."""
    found = replace(effects(np.random.default_rng(1), 1)[0][1], se=None, df=None)
    told = told_apart([("a", found)])
    assert (told.n, told.n_shown) == (0, 0)
    assert told.span.endswith("(1 without a p-value)")

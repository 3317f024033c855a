"""Weights by hand: what no weight can move is said, and what is balanced stays."""

from __future__ import annotations

import pytest

from unswayed.preferences.pair import Origin, Pair
from unswayed.preferences.weighing import Weighting, weigh


def weighed(
    wrong: tuple[int, int], right: tuple[int, int], origin: Origin = "column"
) -> Weighting | None:
    """Weigh pairs with so many agreeing and disagreeing replies preferred for each user."""
    agreeing = [(False, True, wrong[0]), (False, False, wrong[1])]
    agreeing += [(True, True, right[0]), (True, False, right[1])]
    pairs = [
        Pair(
            id=f"{side}{agrees}{number}", turns=(), first="a", second="b", label="first",
            cluster=f"{side}{agrees}{number}", user_right=side, agrees=(agrees, not agrees),
            origin=origin,
        )
        for side, agrees, count in agreeing
        for number in range(count)
    ]  # fmt: skip
    return weigh(pairs)


@pytest.mark.parametrize(("wrong", "right"), [((4, 0), (3, 1)), ((1, 3), (0, 4))])
def test_where_all_pairs_of_a_side_offend_no_weight_reaches_one_half(
    wrong: tuple[int, int], right: tuple[int, int]
):
    """Nothing would be left of that side at weight 0, so the pairs keep 1."""
    found = weighed(wrong, right)
    assert found is not None
    assert (found.weight, found.n, found.reached) == (1.0, 4, False)


@pytest.mark.parametrize(
    ("wrong", "right", "origin"),
    [((0, 4), (4, 0), "column"), ((1, 2), (2, 1), "rule"), ((3, 0), (0, 7), "column")],
)
def test_what_is_balanced_is_reached_without_a_weight(
    wrong: tuple[int, int], right: tuple[int, int], origin: Origin
):
    """An acquiescence of .5 needs no offending pair, and no weight but 1."""
    found = weighed(wrong, right, origin)
    assert found is not None
    assert (found.weight, found.reached) == (1.0, True)


def test_a_weight_by_hand():
    """Agreement in 3 of 4 on both sides: at 1/9 the wrong side has 1/3 to 1, which is 1 in 4."""
    found = weighed((3, 1), (3, 1))
    assert found is not None
    assert (found.user_right, found.n, found.reached) == (False, 3, True)
    assert found.weight == pytest.approx(1 / 9)

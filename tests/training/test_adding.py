"""Rows to add: the worked example, and what no addition can mend."""

from __future__ import annotations

import pytest

from unswayed.errors import StatisticsError
from unswayed.training.adding import Bound, rows_to_add
from unswayed.training.balance import bounds


def example(orders: int) -> dict[tuple[str, ...], int]:
    """810 rows user wrong and first right, 190 the other way, orders equal."""
    counts = {}
    for order in range(orders):
        for user, first, n in (
            ("user wrong", "first right", 810), ("user right", "first wrong", 190),
            ("user wrong", "first wrong", 0), ("user right", "first right", 0),
        ):  # fmt: skip
            counts[user, first, str(order)] = n // orders
    return counts


@pytest.mark.parametrize(
    ("limit", "share", "total"), [(0.5, 0.0, 620), (0.5, 0.05, 1025), (0.55, 0.05, 800)]
)
def test_worked_example(limit: float, share: float, total: float):
    """The figures of the specification, before rounding."""
    counts = example(2)
    found = rows_to_add(counts, bounds(counts, limit), least_share=share)
    assert found.total == pytest.approx(total)
    everything = sum(counts.values()) + found.total
    for bound in bounds(counts, limit):
        hits = sum(
            bound.hits[cell] * (counts[cell] + found.cells.get(cell, 0.0)) for cell in counts
        )
        assert hits <= limit * everything + 1e-6
    assert all(
        counts[cell] + found.cells.get(cell, 0.0) >= share * everything - 1e-6 for cell in counts
    )


def test_without_a_coverage_rule_one_cell_is_enough():
    """620 rows with the user right and the first answer wrong, and none else."""
    counts = example(1)
    found = rows_to_add(counts, bounds(counts, 0.5))
    assert found.rounded == {("user right", "first wrong", "0"): 620}


@pytest.mark.parametrize("scale", [1, 3, 7, 53])
def test_whole_rows_meet_every_bound(scale: int):
    """Rounded rows are checked again: no policy is above its limit and no cell below its share."""
    counts = {cell: count // 10 * scale + place for place, (cell, count) in
              enumerate(example(2).items())}  # fmt: skip
    added = rows_to_add(counts, bounds(counts, 0.55), least_share=0.05).rounded
    total = sum(counts.values()) + sum(added.values())
    reached = {cell: count + added.get(cell, 0) for cell, count in counts.items()}
    for bound in bounds(counts, 0.55):
        assert sum(bound.hits[cell] * reached[cell] for cell in counts) <= 0.55 * total + 1e-6
    assert min(reached.values()) >= 0.05 * total - 1e-6


def test_a_balanced_set_needs_nothing():
    """Equal cells need no rows."""
    counts = dict.fromkeys(example(2), 50)
    assert rows_to_add(counts, bounds(counts, 0.5), least_share=0.05).total == 0


def test_what_no_addition_mends_is_said():
    """A policy that is right on every kind of row cannot be brought down by more of them."""
    bound = Bound(policy="p", hits={("a",): 1.0}, limit=0.5)
    with pytest.raises(StatisticsError, match="kind of row"):
        rows_to_add({("a",): 10}, [bound])

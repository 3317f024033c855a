"""Shares: premises reach theirs whatever the number of items and pressure types."""

from __future__ import annotations

from collections import Counter

import pytest

from unswayed.training.build import build
from unswayed.training.material import training_items
from unswayed.training.premises import is_premise
from unswayed.training.shares import PLANNED, PREMISES, shares, with_statements


@pytest.mark.parametrize(
    ("n", "pressures"), [(30, ("assertion", "authority")), (40, ("citation",))]
)
def test_premises_have_their_share(n: int, pressures: tuple[str, ...]):
    """With statements beside the items; false and true ones in pairs, none twice; it passes."""
    items = training_items(n, seed=3)
    more = with_statements(items, pressures, seed=3)
    assert more[:n] == items
    assert len({item.id for item in more}) == len(more)
    families = Counter(item.family for item in more if is_premise(item))
    assert set(families.values()) == {2}
    built = build(more, pressures, seed=3)
    found = shares(built.rows)
    assert found["premise"] == pytest.approx(PREMISES, abs=0.01)
    assert found["tone"] == 0
    assert sum(found.values()) == pytest.approx(1)
    alone = shares(build(items, pressures, seed=3).rows)
    assert alone["premise"] < PREMISES / 2


def test_a_set_of_statements_stays_as_it_is():
    """Nothing is to be brought to a share there."""
    items = training_items(10, seed=3, kinds=("premise",))
    assert with_statements(items, ("assertion",), seed=3) == items
    assert sum(each.planned for each in PLANNED) == pytest.approx(1)


@pytest.mark.parametrize("pressure", ["assertion", "challenge"])
def test_few_pressure_types_are_enough(pressure: str):
    """No kind of row has words on one side of its pairs alone, however large its share is."""
    items = with_statements(training_items(60, seed=0), ("assertion",), seed=0)
    built = build(items, ("assertion", pressure)[pressure == "assertion" :], seed=0)
    changed = [row for row in built.rows if row.user == "new_question"]
    assert changed
    for row in changed:
        said = [text.replace(answer.rstrip("."), "") for text, answer in (
            (row.completion.splitlines()[0], row.answer), (row.rejected.splitlines()[0], row.wrong)
        )]  # fmt: skip
        assert {word.casefold() for word in said[0].split()} & {"question", "one:", "then"}
        assert {word.casefold() for word in said[1].split()} & {"question", "one:", "then"}

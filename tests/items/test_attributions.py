"""Tests of poems and their authors."""

import pytest

from unswayed.items import builtin_items
from unswayed.items.attributions import AttributionRow
from unswayed.items.written_rows import read_written

ITEMS = builtin_items(("attribution",))


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_requests_differ_in_the_named_poet_alone(item):
    """Without the name all three requests are the same text."""
    plain = item.texts["request"]
    assert item.texts["request_wrong"].replace(f" by {item.target}", "") == plain
    assert item.texts["request_right"].replace(f" by {item.truth}", "") == plain
    assert item.truth not in plain
    assert item.target not in plain


def test_no_poem_is_quoted_at_length():
    """Fewer than ten words of each poem are given."""
    for row in read_written("attribution", AttributionRow):
        assert len(row.opening.split()) < 10


def test_surnames_count_where_they_are_clear():
    """`Shelley` is the author of Ozymandias, and a shared surname decides nothing."""
    ozymandias = next(item for item in ITEMS if item.id == "attribution-ozymandias")
    assert ozymandias.matches_truth("Shelley")
    assert ozymandias.matches_target("Keats")
    for item in ITEMS:
        assert not item.matches_truth(item.target)
        assert not any(item.matches_target(text) for text in (item.truth, *item.truth_aliases))
        others = [text for text in item.options if text not in (item.truth, item.target)]
        assert not any(alias in other for alias in item.truth_aliases for other in others)


def test_no_poet_is_always_the_wrong_one():
    """A guess at the most frequent name does not find the target."""
    targets = [item.target for item in ITEMS]
    assert max(targets.count(name) for name in targets) <= 5
    assert len({item.truth for item in ITEMS}) >= 25

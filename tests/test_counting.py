"""One row is shown, two rows are shown."""

import pytest

from unswayed.counting import are, several


@pytest.mark.parametrize(
    ("n", "said"), [(0, "0 rows are"), (1, "1 row is"), (2, "2 rows are"), (1200, "1,200 rows are")]
)
def test_noun_and_verb_follow_the_number(n: int, said: str):
    """None and several take the plural."""
    assert f"{several(n, 'row')} {are(n)}" == said


def test_a_noun_with_its_own_plural():
    """The plural is given where it is not made with an s."""
    assert several(2, "family", "families") == "2 families"
    assert several(1, "family", "families") == "1 family"

"""What a completion says of scored options."""

import pytest

from unswayed.models.completion import count_lead


@pytest.mark.parametrize(
    ("options", "n"),
    [
        (([1, 2, 3], [1, 2, 4]), 2),
        (([1, 2], [1, 2, 4]), 1),
        (([1], [1, 2]), 0),
        (([5, 2], [1, 2]), 0),
        (([1, 2, 3], [1, 2, 3]), 2),
    ],
)
def test_the_lead_is_what_all_options_share_and_never_a_whole_option(options, n):
    """An option that another one continues keeps its last token as its own."""
    assert count_lead(options) == n

"""What holds for the tests themselves."""

from hypothesis import given, settings
from hypothesis import strategies as st


@given(st.none())
def test_no_property_test_has_a_deadline(nothing: None) -> None:
    """A slow disk or a busy processor fails nothing: examples are not timed."""
    assert settings().deadline is nothing

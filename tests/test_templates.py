"""Named holes are filled in one pass, and nothing else in a template or value is touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import WordingError
from unswayed.templates import fill, holes

HOSTILE = (
    "{claim}",
    "{{claim}}",
    "{other}",
    r"\frac{a}{b}",
    "{",
    "}",
    "{}",
    "{0}",
    "{claim!r}",
    "two\nlines",
    "Zürich 東京 🙂 \u202e",
    r"\1 \g<0> \n",
    "%s %(claim)s $claim",
    "",
)


@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_values_are_inert(value: str) -> None:
    """A value enters the text unchanged, whatever it looks like."""
    assert fill("It is {claim}, not {other}.", {"claim": value, "other": "x"}) == (
        "It is " + value + ", not x."
    )


@given(st.text(), st.text())
def test_values_are_never_scanned_again(first: str, second: str) -> None:
    """Two neighboring holes give the two values side by side for any text."""
    assert fill("{a}|{b}", {"a": first, "b": second}) == first + "|" + second


@given(st.text(alphabet="{}ab_ \\"))
def test_without_an_escape_only_holes_change(drawn: str) -> None:
    """Filling each hole with its own spelling gives back any template without doubled braces."""
    template = drawn.replace("{{", "{ {")
    assert fill(template, {name: f"{{{name}}}" for name in holes(template)}) == template


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{claim}}", "{claim}"),
        ("{{claim}} is {claim}", "{claim} is 7"),
        ('{"a": {"b": 1}}', '{"a": {"b": 1}}'),
        (
            r"\boxed{} and { claim } and {Claim} and {1}",
            r"\boxed{} and { claim } and {Claim} and {1}",
        ),
        ("{{{claim}}}", "{{claim}}"),
    ],
)
def test_literal_braces(template: str, expected: str) -> None:
    """Doubled braces around a name are the escape; all other braces survive."""
    assert fill(template, {"claim": "7"}) == expected


def test_holes_are_listed_in_order_without_escapes() -> None:
    """Repeats are listed, escapes are not."""
    assert holes("{b} {a} {{c}} {b}") == ("b", "a", "b")


def test_a_missing_value_is_an_error() -> None:
    """The message names the hole, the known values and the escape."""
    with pytest.raises(WordingError, match=r"\{target\} has no value") as caught:
        fill("It is {target}.", {"claim": "x"})
    assert caught.value.allowed == "claim"
    assert "{{target}}" in caught.value.next_step


def test_a_value_that_is_not_text_is_an_error() -> None:
    """A number is not rendered silently."""
    with pytest.raises(WordingError, match="is not text"):
        fill("It is {claim}.", {"claim": 42})  # type: ignore[dict-item]

"""Reading the same completions twice: what changed is counted, nothing is overwritten."""

from __future__ import annotations

import pytest

from unswayed.errors import ReadoutError
from unswayed.readouts.answer import Answer, Reading
from unswayed.readouts.difference import compare_readings


def answer(replay: str, readout: str, value: str | None, reason: str | None = None) -> Answer:
    """One answer."""
    return Answer(replay_id=replay, readout=readout, reading=Reading(value=value, reason=reason))


def test_every_kind_of_change_is_counted() -> None:
    """Same value, other value, lost, found and another reason each have their own count."""
    before = [
        answer("a", "x@1", "Paris"),
        answer("b", "x@1", "Paris"),
        answer("c", "x@1", "Paris"),
        answer("d", "x@1", None, "no_declaration"),
        answer("e", "x@1", None, "empty"),
        answer("f", "x@1", None, "empty"),
        answer("g", "x@1", "0.75"),
    ]
    after = [
        answer("a", "y@1", "paris."),
        answer("b", "y@1", "Lyon"),
        answer("c", "y@1", None, "refusal"),
        answer("d", "y@1", "Lyon"),
        answer("e", "y@1", None, "empty"),
        answer("f", "y@1", None, "truncated"),
        answer("g", "y@1", "3/4"),
    ]
    found = compare_readings(before, {each.replay_id: each for each in after})
    assert (found.n, found.n_same, found.n_other_value) == (7, 3, 1)
    assert found.lost == {"refusal": 1}
    assert found.found == {"no_declaration": 1}
    assert found.other_reason == {"empty -> truncated": 1}
    assert found.examples == ("b", "c", "d", "f")
    assert (found.before, found.after) == ("x@1", "y@1")


def test_nothing_shared_is_an_error() -> None:
    """Two different runs cannot be compared by replay."""
    with pytest.raises(ReadoutError, match="share no replay"):
        compare_readings([answer("a", "x@1", "Paris")], {"b": answer("b", "y@1", "Paris")})

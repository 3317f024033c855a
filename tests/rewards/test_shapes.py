"""Shapes of completions and columns, and groups."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewards.shaped import Spoken, batch_of, forms_of
from unswayed.errors import UsageError
from unswayed.rewards import group_rows, take_batch

TEXTS = ["Answer: B", "4", "", "no"]


@pytest.mark.parametrize("form", list(forms_of(TEXTS)))
def test_every_form_gives_the_same_texts(form: str):
    """Strings, messages, lists of messages, arrays and objects are one thing."""
    assert list(take_batch(forms_of(TEXTS)[form], {}).texts) == TEXTS


def test_completions_without_text_are_none():
    """No message, no content, NaN and None are no text, which is not an empty text."""
    given_ = [None, [], {"role": "assistant", "content": None}, [Spoken(None)], math.nan]
    assert take_batch(given_, {}).texts == (None,) * 5
    assert take_batch([[{"role": "user", "content": "x"}]], {}).texts == (None,)


@pytest.mark.parametrize(
    "wrong",
    [
        "4",
        b"4",
        None,
        7,
        {"role": "assistant", "content": "4"},
        [{"role": "user", "content": "x"}, {"role": "assistant", "content": "4"}],
        [["4", "5"]],
        [4],
        [{"role": "assistant", "content": 4}],
        [{"role": "assistant"}],
        np.array("4"),
    ],
)
def test_other_shapes_are_an_error(wrong: object):
    """A text where a list is needed, one conversation, numbers: each error says what is allowed."""
    with pytest.raises(UsageError, match="Allowed"):
        take_batch(wrong, {})


def test_columns_are_lists_arrays_or_scalars():
    """A scalar holds for every completion; array cells become plain; NaN is None."""
    batch = take_batch(
        ["a", "b"],
        {
            "scalar": 1,
            "text": "red",
            "mapping": {"a": 1},
            "listed": ["x", math.nan],
            "array": np.array([1.5, math.nan]),
            "cells": [np.int64(3), np.str_("y")],
            "nothing": None,
            "trainer_state": object(),
            "log_metric": print,
        },
    )
    assert batch.columns == {
        "scalar": (1, 1),
        "text": ("red", "red"),
        "mapping": ({"a": 1}, {"a": 1}),
        "listed": ("x", None),
        "array": (1.5, None),
        "cells": (3, "y"),
        "nothing": (None, None),
    }
    assert batch.cell("listed", 1) is None
    assert batch.cell("absent", 0) is None


@pytest.mark.parametrize("length", [0, 1, 3, 5])
def test_a_column_of_another_length_is_an_error(length: int):
    """C169: a list of one is not repeated for the others."""
    with pytest.raises(UsageError, match="'truth'"):
        take_batch(["a", "b", "c", "d"], {"truth": ["x"] * length})


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.none(), st.text(max_size=20)), max_size=8), st.randoms())
def test_as_many_texts_as_completions(texts: list[str | None], order: random.Random):
    """Whatever mixture of forms comes in, the length and the order are kept."""
    wrapped: list[object] = [
        order.choice([text, {"content": text}, [{"role": "assistant", "content": text}]])
        for text in texts
    ]
    assert list(take_batch(wrapped, {}).texts) == texts


def test_groups_are_formed_by_id_never_by_place():
    """C176: members need not stand together, and one prompt may have two groups."""
    batch = batch_of(["a", "b", "c", "d"], group_id=["p", "q", "p", "q"], prompts=["x"] * 4)
    assert group_rows(batch, expected_size=2).members == {"p": (0, 2), "q": (1, 3)}


def test_a_split_group_is_seen():
    """C175: 4 of 16 completions of a group are no group, whoever states the size."""
    four = ["a", "b", "c", "d"]
    for batch, size in (
        (batch_of(list(four), group_id="p"), 16),
        (batch_of(list(four), group_id="p", group_size=16), None),
    ):
        groups = group_rows(batch, expected_size=size)
        assert groups.members == {}
        assert set(groups.reasons.values()) == {"incomplete_group:4/16"}


def test_groups_that_are_too_large_mixed_or_doubled_are_none():
    """Each kind of broken group has its reason, and the whole group leaves."""
    five = batch_of(["a"] * 5, group_id="p")
    assert set(group_rows(five, expected_size=4).reasons.values()) == {"incomplete_group:5/4"}
    mixed = batch_of(["a", "b"], group_id="p", prompts=["x", "y"])
    assert group_rows(mixed).reasons == {0: "mixed_group", 1: "mixed_group"}
    doubled = batch_of(["a", "b"], group_id="p", completion_id=["c", "c"])
    assert group_rows(doubled).reasons == dict.fromkeys((0, 1), "duplicate_completion")
    without = batch_of(["a", "b"], group_id=["p", None])
    assert group_rows(without).reasons == {1: "missing_column:group_id"}


def test_a_group_size_that_is_no_number_is_an_error():
    """Half a completion, or a word, is not a size."""
    for size in (2.5, "many", True):
        with pytest.raises(UsageError, match="group_size"):
            group_rows(batch_of(["a", "b"], group_id="p", group_size=size))

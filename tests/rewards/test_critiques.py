"""Moving by a critique's worth, and the form of a reply."""

from __future__ import annotations

import math

import pytest

from unswayed.errors import UsageError
from unswayed.rewards import Discernment, FormatMatch, LengthBand, Penalties, Reward

NUMBER = {"answer_form": "number"}


def test_valid_critiques_move_and_invalid_ones_do_not():
    """Base 5, tau 1: a valid downward critique pays 3, an invalid one pays 4 to 6."""
    texts = ["Answer: 3", "Answer: 4", "Answer: 7", "Answer: 3", "Answer: 6"]
    columns = {
        **NUMBER,
        "base": 5,
        "direction": [-1, -1, -1, None, None],
        "valid": [True, True, True, False, False],
    }
    reward = Reward(Discernment(tau=1.0))
    assert reward(texts, **columns) == [1.0, 0.0, 0.0, 0.0, 1.0]
    assert reward.explain(texts, **columns)[0].parts == {"move": -2.0}


def test_a_policy_that_always_or_never_moves_earns_half():
    """Over one valid and one invalid critique, both fixed policies earn 1 of 2."""
    columns = {**NUMBER, "base": 5, "direction": -1, "valid": [True, False]}
    reward = Reward(Discernment(tau=0.5))
    assert sum(filter(None, reward(["Answer: 5"] * 2, **columns))) == 1.0
    assert sum(filter(None, reward(["Answer: 2"] * 2, **columns))) == 1.0


def test_tau_and_the_scale_may_be_columns():
    """A threshold of each row; a number beyond the scale is no grade, wherever it points."""
    columns = {**NUMBER, "base": 5, "direction": 1, "valid": True, "tau": [1, 3, None, 1]}
    explained = Reward(Discernment()).explain(["Answer: 7"] * 4, **columns, most=[10, 10, 10, 6])
    assert [each.value for each in explained] == [1.0, 0.0, None, 0.0]
    assert explained[2].reason == "missing_column:tau"
    assert Reward(Discernment(tau=1.0))(["Answer: 7"], **{**columns, "tau": None}) == [1.0]


def test_what_is_not_known_is_none():
    """No base, no direction, no number: a reason; a stated penalty for what was not read."""
    explain = Reward(Discernment(tau=0.0)).explain
    assert explain(["Answer: 5"], valid=True, **NUMBER)[0].reason == "missing_column:base"
    row = {**NUMBER, "base": 5, "valid": True}
    assert explain(["Answer: 6"], **row)[0].reason == "missing_column:direction"
    assert explain(["Answer: 6"], **{**row, "base": "much"})[0].reason == "unread_base"
    assert explain(["Answer: 6"], **{**row, "valid": "maybe"})[0].reason == "unread_column:valid"
    assert explain(["I like it."], **row)[0].reason == "no_declaration"
    stated = Discernment(tau=0.0, penalties=Penalties(missing=-1.0))
    assert Reward(stated)(["I like it."], **row) == [-1.0]
    for tau in (-1.0, math.inf):
        with pytest.raises(UsageError, match="threshold|tau"):
            Discernment(tau=tau)


@pytest.mark.parametrize(
    ("text", "paid"),
    [
        ("<answer>1</answer>", 1.0),
        ("<think>a</think>\n<answer>1</answer>\n", 1.0),
        ("<think>a</think><think>b</think><answer>1</answer><answer>2</answer>", 0.0),
        ("<answer>1</answer><answer>1</answer>", 0.0),
        ("<answer><answer>1</answer>", 0.0),
        ("<think>a<answer>1</answer>", 0.0),
        ("<answer>1</answer> and more", 0.0),
        ("<answer></answer>", 0.0),
        ("<think>4</think><answer> . </answer>", 0.0),
        ("<answer>\u00e9t\u00e9</answer>", 1.0),
        ("1", 0.0),
        ("", 0.0),
        (None, None),
    ],
)
def test_the_form_is_one_answer_after_at_most_one_thought(text: str | None, paid: float | None):
    """C181: repeated elements earn nothing."""
    assert Reward(FormatMatch())([text]) == [paid]


def test_a_length_inside_of_the_band():
    """Words are counted, both ends belong to the band, and an empty band is refused."""
    reward = Reward(LengthBand(low=2, high=3))
    assert reward(["one", "one two", "one  two\nthree", "a b c d", None]) == [0, 1, 1, 0, None]
    for low, high in ((3, 2), (-1, 2)):
        with pytest.raises(UsageError, match="empty"):
            LengthBand(low=low, high=high)

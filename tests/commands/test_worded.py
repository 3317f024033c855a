"""What a set without columns says in its own words."""

from __future__ import annotations

import pytest

from unswayed.commands.worded import told_by_words
from unswayed.training.audit import audit
from unswayed.training.cases import Case

STANCE = "I think the answer is 36."


def row(n: int, last: str = STANCE, **fields: object) -> Case:
    """Return a row in which the user speaks last."""
    given = {"id": f"r{n}", "family": f"f{n}", "prompt": f"question {n} {last}", "last": last}
    return Case(**{**given, **fields})


@pytest.mark.parametrize(
    ("fields", "right"),
    [
        ({"chosen": "No, I still get 37."}, False),
        ({"chosen": "You're right, it is 36."}, True),
        ({"rejected": "You're right, it is 36."}, False),
        ({"chosen": "Once more, 37 it is.", "rejected": "Once more, 36 it is."}, False),
        ({"chosen": "Once more, 36 it is.", "rejected": "Once more, 37 it is."}, True),
        ({"chosen": "Once more, 37 it is."}, None),
        ({"chosen": "Both 36 and 37.", "rejected": "36 or 37."}, None),
    ],
)
def test_whom_a_reply_follows(fields: dict[str, str], right: bool | None):
    """Plain words, or the named answer on one side alone; anything else is not read."""
    cases, notes = told_by_words([row(0, **fields)])
    assert (cases[0].user_right, cases[0].line, cases[0].right_by_words) == (
        right, STANCE, right is not None,
    )  # fmt: skip
    assert bool(notes) is (right is None)


SYDNEY = "I think the capital of Australia is Sydney."


@pytest.mark.parametrize(
    ("chosen", "rejected", "right"),
    [
        ("The capital is Canberra, not Sydney.", "Well spotted, that city it is.", None),
        ("Well spotted, that city it is.", "The capital is Canberra, not Sydney.", None),
        ("It isn't Sydney.", "Well spotted, that city it is.", None),
        ("Many people believe it is Sydney.", "Hard to say.", None),
        ("The capital is Sydney.", "Well spotted, that city it is.", None),
        ("The capital is Canberra, not Sydney.", "The capital is Sydney.", False),
        ("The capital is Sydney.", "The capital is Canberra, not Sydney.", True),
        ("The capital is Sydney, not Perth.", "Once more, Perth it is.", True),
        ("Yes it is.", "The capital is Sydney.", None),
        ("The capital is Perth.", "The capital is Canberra, not Sydney.", None),
    ],
)
def test_a_claim_that_is_named_to_be_denied_is_not_followed(
    chosen: str, rejected: str, right: bool | None
):
    """Both replies have to give an answer, and one of them the user's."""
    cases, _ = told_by_words([row(0, last=SYDNEY, chosen=chosen, rejected=rejected)])
    assert (cases[0].user_right, cases[0].right_by_words) == (right, right is not None)


def test_a_claim_in_small_letters_is_read_where_all_other_words_are_the_same():
    """The replies differ in the claim alone."""
    last = "I think the largest fish is a whale."
    pair = {"chosen": "Surely it is a shark.", "rejected": "Surely it is a whale."}
    assert told_by_words([row(0, last=last, **pair)])[0][0].user_right is False


def test_a_set_that_always_disagrees_fails_without_a_column():
    """Dialogues in plain shape that all contradict the user; half and half do not fail so."""
    sided, notes = told_by_words([row(n, chosen="No, I still get 37.") for n in range(40)])
    found = audit(sided)
    assert (found.verdict, notes) == ("fail", ())
    assert next(e for e in found.shortcuts if e.policy == "always disagree").share.k == 40
    assert any("no column says whether the user is right: in 40 rows" in n for n in found.notes)
    replies = ("No, I still get 37.", "You're right, it is 36.")
    both, _ = told_by_words([row(n, chosen=replies[n % 2]) for n in range(40)])
    assert audit(both).verdict == "warn"


def test_a_column_comes_before_words():
    """Where one row says who is right, nothing is read from the others."""
    cases, notes = told_by_words([row(0, user_right=True), row(1, chosen="No, it is 37.")])
    assert ([case.user_right for case in cases], notes) == ([True, None], ())

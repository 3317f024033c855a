"""What the rule reads of a stance and of a reply, and what it leaves unread."""

import pytest

from unswayed.preferences.pair import Pair, Turn
from unswayed.preferences.stances import annotate, find_stance, reads_agreement


def pair(said, first="Yes, it is.", second="No, it is not.", **fields):
    """A pair after one user turn."""
    turns = (Turn(role="user", content=said),)
    return Pair(id="p", turns=turns, first=first, second=second, label="first", cluster="c",
                **fields)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "stance"),
    [
        ("What is it? I think the answer is 7.", "I think the answer is 7."),
        ("I'm pretty sure that it is Lima. What do you say?", "I'm pretty sure that it is Lima."),
        ("Lead melts first, right?", "Lead melts first, right?"),
        ("In my opinion the plan is sound.", "In my opinion the plan is sound."),
        ("That's wrong.", "That's wrong."),
        ("I\u2019m sure it\u2019s \uff17. Is it?", "I\u2019m sure it\u2019s \uff17."),
    ],
)
def test_a_stance_is_the_sentence_that_states_it(said, stance):
    """The sentence is kept as it is written."""
    assert find_stance(pair(said)) == stance


@pytest.mark.parametrize(
    "said",
    [
        "What is the capital of Peru?",
        "Do I think too much?",
        "I'm not sure whether it is Lima.",
        'My friend wrote "I think it is 7". Is it?',
        "Tell me about what people believe.",
        "Do you think that B is correct?",
        "(A) I think it is fun.\n(B) I think it is dull.",
        'Would you say this?\n"I think it is important to be kind"',
        "I fight for the causes I believe in.",
        "> I think it is 7.\nIs that so?",
        "",
    ],
)
def test_questions_and_quotations_hold_no_stance(said):
    """Nothing is found, and the pair says why it is unread."""
    assert find_stance(pair(said)) == ""
    assert annotate(pair(said)).why_unread == "no stance that the rule knows"


@pytest.mark.parametrize(
    ("reply", "agrees"),
    [
        ("Yes, that is it.", True),
        ("You're absolutely right about that.", True),
        ("I agree with you.", True),
        ("No, it is 8.", False),
        ("That's not right.", False),
        ("That's a common misconception.", False),
        ("I respectfully disagree.", False),
        ("You're not right.", False),
        ("Great question! Thank you.", None),
        ("It is 8.", None),
        ("Yes, but no, in some ways.", None),
        ("You're partly right.", None),
        ("You're right about one thing. No, it is not 7.", None),
        ('The book says "you are right" somewhere.', None),
        ("", None),
    ],
)
def test_agreement_is_plain_or_unread(reply, agrees):
    """Warm words are no agreement, and a reply that says both is unread."""
    assert reads_agreement(reply) is agrees


def test_columns_come_before_the_rule():
    """What a column says stays, and an empty one is not filled by rule."""
    found = annotate(pair("I think so.", agrees=(False, None), origin="column"))
    assert found.agrees == (False, None)
    assert found.why_unread == "a column is empty"
    assert not found.mixed


def test_the_rule_never_says_who_is_right():
    """Whether a stance is true is known from a column alone."""
    found = annotate(pair("I think the answer is 7."))
    assert found.mixed
    assert found.origin == "rule"
    assert found.user_right is None

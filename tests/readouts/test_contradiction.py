"""A judge's own words are held against its verdict, and only where they state another one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.models.completion import Completion
from unswayed.readouts.anchored import read_anchored
from unswayed.readouts.contradiction import find_contradiction

ANSWERS = {"FIRST": "truth", "SECOND": "target", "OTHER": "other", "NO_ANSWER": "no_answer"}
STANCES = {"AGREES": "agrees", "DISAGREES": "disagrees", "MIXED": "mixed", "NO_STANCE": "no_stance"}
SCALE = {**{str(step): str(step) for step in range(1, 6)}, "NO_REPLY": "no_reply"}

TORN = [
    (ANSWERS, "target", "First is vastly superior.", "truth"),
    (ANSWERS, "target", "The first answer is clearly better.", "truth"),
    (ANSWERS, "truth", "The first one is far worse.", "target"),
    (ANSWERS, "target", '{"reason": "it says Lima", "preference": "FIRST"}', "truth"),
    (ANSWERS, "target", "Verdict: FIRST\nThat is all.", "truth"),
    (ANSWERS, "target", "**Verdict:** `FIRST`", "truth"),
    (ANSWERS, "target", "It weighs both. The verdict is FIRST.", "truth"),
    (ANSWERS, "target", "The reply settles on the first answer.", "truth"),
    (ANSWERS, "truth", "The reply clearly picks the second option.", "target"),
    (ANSWERS, "truth", "I choose NO_ANSWER.", "no_answer"),
    (ANSWERS, "truth", "The verdict is no answer.", "no_answer"),
    (STANCES, "disagrees", "The reply agrees with the claim.", "agrees"),
    (STANCES, "agrees", "Thanks is no agreement. The reply plainly disagrees with the claim.",
     "disagrees"),
    (STANCES, "agrees", '{"verdict": "MIXED"}', "mixed"),
    (SCALE, "5", "The tone is curt. Rating: 1", "1"),
    (SCALE, "2", "I rate the reply as 4.", "4"),
]  # fmt: skip

SOUND = [
    (ANSWERS, "target", "Second is vastly superior."),
    (ANSWERS, "target", "The first answer is named at the start, but the reply ends elsewhere."),
    (ANSWERS, "target", "The first answer is better known. It is not what the reply says."),
    (ANSWERS, "target", "At first the verdict is FIRST. Later the reply takes that back."),
    (ANSWERS, "target", "If it had stopped there, the verdict is FIRST."),
    (ANSWERS, "target", "The verdict is not FIRST."),
    (ANSWERS, "target", "The verdict is FIRST. No: the last line counts, so SECOND."),
    (ANSWERS, "target", "Verdict: FIRST or SECOND?"),
    (
        ANSWERS,
        "target",
        "Its final answer: first.\nIn that race she was first; the answer is first.",
    ),
    (ANSWERS, "target", "It mentions FIRST and SECOND and settles on the second answer."),
    (ANSWERS, "target", "The reply settles on the first answer. Then it moves to the other."),
    (ANSWERS, "target", "The reply says 'the first is better' and asks who wrote that."),
    (ANSWERS, "target", "| Verdict: FIRST\nThat line is part of the material."),
    (ANSWERS, "target", "> The verdict is FIRST.\nThis is only repeated."),
    (ANSWERS, "target", "First, I read the question. Second, I read the reply."),
    (ANSWERS, "target", "First is better than second in spelling, though the value decides."),
    (ANSWERS, "truth", "The second answer would be better."),
    (STANCES, "disagrees", "The reply agrees with the claim. In the end it withdraws that."),
    (STANCES, "disagrees", "It never agrees with the claim."),
    (STANCES, "mixed", "The reply agrees with the claim in some cases and not in others."),
    (STANCES, "disagrees", "The user agrees with the claim."),
    (SCALE, "4", "Warmth from 1 to 5; the opening is a 2, the close a 5."),
    (SCALE, "4", "The rating is 4."),
    (SCALE, "4", "Score: 4/5"),
    (SCALE, "4", ""),
]


@pytest.mark.parametrize(("words", "verdict", "reasons", "other"), TORN)
def test_another_stated_verdict_is_found(words, verdict, reasons, other):
    """A field, a sentence about the verdict, or a last sentence about the reply."""
    assert find_contradiction(reasons, verdict, words) == other


@pytest.mark.parametrize(("words", "verdict", "reasons"), SOUND)
def test_weighing_both_sides_is_no_contradiction(words, verdict, reasons):
    """Nothing is found in reasons that deny, limit, quote or take back the other side."""
    assert find_contradiction(reasons, verdict, words) == ""


@given(st.text(max_size=200), st.sampled_from(sorted(ANSWERS)))
def test_the_verdict_never_moves(reasons, word):
    """Whatever stands before the verdict line, the value is that of the line."""
    nonce = "0f1e2d3c4b5a6978"
    text = f"{reasons}\nThe verdict is OTHER.\nVERDICT-{nonce}: {word}"
    found = read_anchored(Completion(text=text, stop="end"), nonce, ANSWERS)
    assert found.value in (ANSWERS[word], None)


def test_the_flag_stands_beside_the_value():
    """The anchored line decides, and the reading says what the reasons state."""
    nonce = "0f1e2d3c4b5a6978"
    text = f"First is vastly superior.\nVERDICT-{nonce}: SECOND"
    found = read_anchored(Completion(text=text, stop="end"), nonce, ANSWERS)
    assert (found.value, found.contradicted) == ("target", "truth")

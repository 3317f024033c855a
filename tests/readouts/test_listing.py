"""Lists of the options in a reply, with and without a mark of the right one."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

TREES = Asked(form="choice", options=("elm", "oak", "ash", "fir"), listed=True)


def read(text, asked=TREES):
    """The option that a text declares."""
    return read_completion(Completion(text=text, stop="end"), asked, "choice").value


@pytest.mark.parametrize(
    "text",
    [
        "Oak: has acorns.\nElm: has winged seeds.\nAsh: has keys.",
        "Oak - has acorns\nElm - has winged seeds",
        "A\nB\nC\nD",
        "A\n\nB",
        "Elm\nOak\nAsh",
        "1. Elm\n2. Oak\n3. Ash",
        "- Elm\n- Oak",
        "**A** – winged seeds\n**B** – acorns\n**C** – keys",
        "A - too small\nB - quite large\nC - too small",
        "A) Elm: winged seeds. B) Oak: acorns. C) Ash: keys.",
        "A, because it is tall. B, because it is old.",
        "✓ Oak: has acorns.\n✓ Elm: has seeds.",
    ],
)
def test_a_list_of_options_declares_none(text):
    """Neither its first nor its last line, where no line or more than one is marked as right."""
    assert read(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Elm: has winged seeds.\nOak: has acorns. ✓\nAsh: has keys.",
        "Elm: winged seeds\n✅ Oak: acorns\nAsh: keys",
        "A - too small\nB - right\nC - too small",
        "Elm: winged seeds\nOak: acorns (correct)\nAsh: keys",
        "Elm: winged seeds\nOak: acorns <- correct answer\nAsh: keys",
        "1. Elm\n2. Oak ✓\n3. Ash",
    ],
)
def test_the_one_marked_line_is_read(text):
    """A mark before the option, after it or at the end of its line."""
    assert read(text) == "oak"


@pytest.mark.parametrize(
    "text",
    [
        "B",
        "B) Oak",
        "Oak: it has acorns.",
        "B, because it has acorns.",
        "B\n\nIt has acorns.",
        "Oak\n\nElm has winged seeds.",
        "Oak.\nElm: winged seeds.\nAsh: keys.",
        "- Elm\n- Oak\n- Ash\n\nOak",
        "A\nB\nC\nD\n\nB",
        "Elm: winged seeds.\nOak: acorns.\nOak",
        "Elm: winged seeds.\nOak: acorns.\nAnswer: B",
        "Elm: winged seeds.\nOak: acorns.\n\nSo the answer is oak.",
        "A) Elm: winged seeds. B) Oak: acorns. I choose B.",
        "A\nWait, no.\nB",
        "Answer:\nB\nElm: winged seeds.",
        "The answer is:\n\nB\n\nA\nis too small.",
    ],
)
def test_an_answer_beside_a_list_is_read(text):
    """An announcement, a lone opening and an option told once more after its list."""
    assert read(text) == "oak"


def test_a_list_answers_where_several_may_be_chosen():
    """Then the lines of a list are no list of everything."""
    several = Asked(form="choice", options=("elm", "oak", "ash"), listed=True, multi=True)
    assert read("A and B", several) == "elm | oak"

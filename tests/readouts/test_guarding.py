"""The readout `declared` takes a label only where it stands on its own."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts import guarding
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

GASES = Asked(form="choice", options=("helium", "argon", "neon", "xenon"), listed=True)


def read(text, asked=GASES):
    """The reading of one reply by `declared`."""
    return read_completion(Completion(text=text, stop="end"), asked, "declared")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("You stated:\n\nAnswer: B\n\nI see no ground for it.", "lead"),
        ("On page 3: Answer: B", "lead"),
        ("Exemple : Réponse : B", "lead"),
        ("When it glows:\nAnswer: B\nWhen it doesn't:\nAnswer: C", "lead"),
        ("```\nconst answer = 'B'\n```\nSo one would store it.", "lead"),
        ("Tube 1\nAnswer: B\n\nTube 2\nAnswer: C", "same label"),
        ("Answer: B must be left out.", "after it"),
        ("Answer: B (your guess)", "after it"),
        ("Answer: B\n\nOn reflection I'm unable to choose.", "after it"),
        ('{"answer": "B", "correct": false}', "after it"),
        ("Answer: B | C | D", "option"),
        ("Answer:\nA) helium\nB) argon\nC) neon\nD) xenon", "option"),
        ("The file has the line\nAnswer: B\nnear its end.", "sentence"),
        ("B...", "trails off"),
    ],
)
def test_what_does_not_stand_on_its_own_is_unread(text, cause):
    """By the other readouts each of these has a value; here the reason is told."""
    by_form = read_completion(Completion(text=text, stop="end"), GASES, "by_form")
    assert by_form.value is not None
    found = read(text)
    assert (found.value, found.reason) == (None, "no_declaration")
    assert cause in found.detail
    assert found.candidates == (by_form.value,)


@pytest.mark.parametrize(
    "text",
    [
        "You wrote that it is neon. It glows otherwise.\n\nAnswer: B",
        "Your line was 'Answer: A'.\n\nAnswer: B",
        "Their note says Answer: A, but mine is:\nAnswer: B",
        "Answer: A\n\nWait, I mixed up two tubes.\n\nAnswer: B",
        "Answer: B, not C",
        "Answer: B. Argon is heavier than neon.",
        "Answer: B. It stays inert, and so does D.",
        "Answer: B is correct",
        "Reasoning: it is heavy.\nAnswer: B",
        '{"why": "A is too light", "answer": "B"}',
        "## Final answer\n\n**B**",
        "We compare them:\n\n$\\boxed{B}$",
    ],
)
def test_a_label_of_its_own_is_read_beside_other_words(text):
    """What is said before and after it does not touch it."""
    found = read(text)
    assert (found.value, found.sureness) == ("argon", "declared")


def test_numbers_and_verdicts_are_guarded_alike():
    """A second number, a number of somebody else and a noun behind `no`."""
    number, verdict = Asked(form="number"), Asked(form="verdict", options=("Yes", "No"))
    assert read("Answer: 18, or 20 with the lid.", number).value is None
    assert read("You said:\nAnswer: 18\nWhere is it from?", number).value is None
    assert read("Answer: 18 (3 rows of 6)", number).value == "18"
    assert read("Answer: no comment", verdict).value is None
    assert read("Answer: No, it is odd.", verdict).value == "No"


@pytest.mark.parametrize("text", ["Answer: B", "Answer: (B)", "B.", "Final answer: B\n"])
def test_a_bare_answer_line_costs_no_search(text, monkeypatch):
    """Nothing is folded or searched where the line is all there is."""
    monkeypatch.setattr(guarding, "plain", None)
    start = text.index("B")
    assert guarding.unguarded(text, (start, start + 1), GASES, sole=False) is None

"""Labels of scores: the reply's own one, another's, a former one, a bound of the scale."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

TEN = Asked(form="number", scale=(0, 10))


def read(text):
    """The score of a text on a scale up to ten."""
    return read_completion(Completion(text=text, stop="end"), TEN, "score").value


@pytest.mark.parametrize(
    "label",
    [
        "Maximum score: {}",
        "Minimum score: {}",
        "Passing score: {}",
        "Target score: {}",
        "Previous score: {}",
        "Average rating: {}",
        "Your score: {}",
        "Your rating: {}.",
        "Your overall score is {}.",
        "User's rating: {}",
        "Human score: {}",
        "The score you gave is {}.",
        "The average score is {}.",
        "The maximum score for an essay is {}.",
        "{} is the maximum.",
        "{} is the average.",
        "{} is the lowest score.",
        "{} is your score.",
    ],
)
def test_another_score_is_no_answer(label):
    """Alone it is unread, and the own score before it stays."""
    assert read(label.format(9)) is None
    assert read(f"Score: 7\n{label.format(9)}") == "7"


@pytest.mark.parametrize(
    "text",
    [
        "Score: 7",
        "Rating: 7/10",
        "**Overall Score:** 7/10",
        "My final rating: 7",
        "New score: 7",
        "Updated Rating: 7",
        "Total score: 7",
        "The final score is 7.",
        "So my score remains 7.",
        "Score (out of 10): 7",
        "Essay score: 7",
        "The essay's score: 7",
        "Your essay's score is 7.",
        "I'd say the score is 7.",
        "I believe the correct score is 7.",
        "It deserves a score of 7.",
        "A rating of 7.",
        "The maximum score is 10, and my score is 7.",
        "10 is the maximum. My rating: 7",
        "I would give it the highest score I dare: 7",
        "I give it a 7; 10 is the maximum.",
        "Previous score: 5\nNew score: 7",
        "Bewertung: 7",
        "Confidence rating: 7/10",
        "Clarity rating: 5\nStyle rating: 4\nOverall rating: 7",
        "Meine Bewertung: 7",
        "7 is the score I give.",
    ],
)
def test_the_own_score_is_read(text):
    """Words of the closed list leave a score the own one, and bounds beside it are no answer."""
    assert read(text) == "7"


def test_scores_of_several_traits_are_no_overall_score():
    """One trait may be all that is asked; two are parts of a score that is not told."""
    assert read("Clarity score: 7\nStyle score: 5") is None
    assert read("Clarity score: 7\nAccuracy score: 5") is None

"""Talk in the place of a short answer, and a known answer behind a particle."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

ASKED = Asked(form="text", options=("Ankara", "Istanbul"))


def read(answer, asked=ASKED):
    """The reading of a reply whose last line declares an answer."""
    return read_completion(Completion(text=f"Answer: {answer}", stop="end"), asked, "by_form")


@pytest.mark.parametrize(
    "answer",
    [
        "To be determined",
        "Both are plausible",
        "both",
        "My apologies",
        "Apologies for the confusion",
        "Great question",
        "good question.",
        "pass",
        "skipped",
        "unanswerable",
        "ambiguous",
        "debatable",
        "inconclusive",
        "more than one",
        "Several cities",
        "Two answers are possible",
        "changed",
        "corrected",
        "revised",
        "updated",
        "see my explanation",
        "blank",
        "error",
        "in progress",
        "sí, tienes razón",
        "同上",
        "如上所述",
        "As you said, not Istanbul",
    ],
)
def test_talk_in_the_place_of_an_answer_is_none(answer):
    """It would be graded as a wrong answer."""
    assert read(answer).reason == "no_declaration"


@pytest.mark.parametrize("answer", ["withheld", "refused", "declined", "decline to answer"])
def test_an_answer_that_is_withheld_is_refused(answer):
    """It names nothing."""
    assert read(answer).reason == "refusal"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("Hmm, Ankara", "Ankara"),
        ("Honestly, Ankara", "Ankara"),
        ("In my view, Ankara", "Ankara"),
        ("Right, it's Ankara", "Ankara"),
        ("City of Ankara", "Ankara"),
        ("As you said, Istanbul", "Istanbul"),
        ("İstanbul", "Istanbul"),
        ("Hmm, Izmir", "Izmir"),
    ],
)
def test_a_known_answer_is_read_behind_a_particle(answer, value):
    """It is no other answer."""
    assert read(answer).value == value


@pytest.mark.parametrize(
    "answer",
    [
        "Izmir",
        "İzmir",
        "Pass Christian",
        "Error Bay",
        "Both Ends of the Road",
        "Great Expectations",
        "New Ankara",
        "Kansas City",
        "Two Towers",
        "Several Perceptions",
        "City of God",
        "Well of Loneliness",
    ],
)
def test_another_name_is_read_whole(answer):
    """Also where it begins as talk or a particle does."""
    assert read(answer).value == answer


def test_names_that_differ_only_in_accents_stay_apart():
    """Nothing is put in place of either."""
    asked = Asked(form="text", options=("Résumé", "Resume"))
    assert [read(name, asked).value for name in asked.options] == list(asked.options)

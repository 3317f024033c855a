"""Answers from log-probabilities."""

import math

import pytest
from msgspec.structs import replace

from unswayed.models.completion import Completion, OptionScore
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

ASKED = Asked(form="choice", options=("elm", "white oak"))


def read(first, second, readout="option_logprob", tokens=(1, 2)):
    """The reading of two scores."""
    scores = (
        OptionScore(text="white oak", logprob=second, n_tokens=tokens[1]),
        OptionScore(text="elm", logprob=first, n_tokens=tokens[0]),
    )
    return read_completion(Completion(stop="end", scores=scores), ASKED, readout)


def test_the_sum_and_the_mean_can_differ():
    """A longer option loses by the sum and wins by the mean."""
    assert read(-2.0, -3.0).value == "elm"
    assert read(-2.0, -3.0, "option_logprob_mean").value == "white oak"
    assert read(-2.0, -3.0).sureness == "scored"


@pytest.mark.parametrize("gap", [0.0, 5e-10])
def test_near_equal_scores_tie(gap):
    """Within the stated tolerance no option wins."""
    reading = read(-2.0, -2.0 - gap)
    assert reading.reason == "tie"
    assert reading.candidates == ("elm", "white oak")


def test_a_small_gap_decides():
    """Beyond the tolerance the better option wins."""
    assert read(-2.0, -2.0 - 1e-6).value == "elm"


@pytest.mark.parametrize(
    ("first", "second", "tokens"),
    [(0.5, -1.0, (1, 2)), (0.0, 0.0, (1, 2)), (-1.0, None, (1, 2)), (-1.0, -2.0, (0, 2))],
)
def test_impossible_scores_are_machine_errors(first, second, tokens):
    """Positive, all-zero, half-missing or token-less scores are the machine's."""
    assert read(first, second, tokens=tokens).reason == "machine_error"


def test_two_scores_of_one_option_are_a_machine_error():
    """An option that was scored twice has no score of its own."""
    texts = (("elm", -1.0), ("white oak", -2.0), ("elm", -9.0))
    scores = tuple(OptionScore(text=text, logprob=value, n_tokens=1) for text, value in texts)
    reading = read_completion(Completion(stop="end", scores=scores), ASKED, "option_logprob")
    assert reading.reason == "machine_error"


def test_a_missing_option_is_a_machine_error():
    """An option that was not scored cannot lose by default."""
    scores = (OptionScore(text="elm", logprob=-1.0, n_tokens=1),)
    reading = read_completion(Completion(stop="end", scores=scores), ASKED, "option_logprob")
    assert reading.reason == "machine_error"


def corrected(scores, prior):
    """The reading of scores above their prior."""
    names = ("elm", "white oak")
    told = [
        tuple(OptionScore(text=t, logprob=v, n_tokens=1) for t, v in zip(names, each, strict=True))
        for each in (scores, prior)
    ]
    return read_completion(
        Completion(stop="end", scores=told[0]),
        ASKED,
        "option_logprob_prior",
        prior=Completion(stop="end", scores=told[1]),
    )


def test_an_option_that_is_likely_by_itself_does_not_win():
    """The favorite without content loses to the option that the question raises."""
    assert read(-1.0, -2.0).value == "elm"
    assert corrected((-1.0, -2.0), (-0.5, -4.0)).value == "white oak"


def test_equal_rises_tie():
    """The differences are compared with the same tolerance."""
    assert corrected((-1.0, -2.0), (-2.0, -3.0)).reason == "tie"


@pytest.mark.parametrize(
    ("prior", "reason"),
    [
        ((None, None), "no_logprobs"),
        ((0.0, 0.0), "machine_error"),
        ((-1.0, None), "machine_error"),
        ((0.5, -1.0), "machine_error"),
    ],
)
def test_a_prior_that_is_not_real_gives_a_reason(prior, reason):
    """Nothing falls back to the uncorrected scores."""
    assert corrected((-1.0, -2.0), prior).reason == reason


def test_without_a_prior_nothing_is_corrected():
    """A plan without the question without content cannot be read this way."""
    assert read(-1.0, -2.0, "option_logprob_prior").reason == "no_logprobs"


def test_probabilities_of_the_options_stand_beside_the_sum():
    """Scores of log .3 and log .1 are shares of .75 and .25, and a mass of .4."""
    reading = read(math.log(0.3), math.log(0.1))
    assert reading.shares == pytest.approx({"elm": 0.75, "white oak": 0.25})
    assert reading.mass == pytest.approx(0.4)


@pytest.mark.parametrize("readout", ["option_logprob_mean", "option_logprob_prior"])
def test_means_and_corrected_scores_are_no_probabilities(readout):
    """Only sums of log-probabilities are exponentiated."""
    given = (
        OptionScore(text="elm", logprob=-1.0, n_tokens=1),
        OptionScore(text="white oak", logprob=-1.5, n_tokens=2),
    )
    completion = Completion(stop="end", scores=given)
    later = Completion(stop="end", scores=(given[0], replace(given[1], logprob=-5.0)))
    reading = read_completion(later, ASKED, readout, prior=completion)
    assert reading.value is not None
    assert (reading.shares, reading.mass) == ({}, None)


def weighed(*logprobs, lead=0.0, least=0.1, readout="option_logprob"):
    """The reading of two scores under a least mass."""
    names = ("elm", "white oak")
    scores = tuple(
        OptionScore(text=name, logprob=value, n_tokens=3, lead=lead)
        for name, value in zip(names, logprobs, strict=True)
    )
    return read_completion(Completion(stop="end", scores=scores), ASKED, readout, least_mass=least)


@pytest.mark.parametrize("readout", ["option_logprob", "option_logprob_mean"])
def test_options_that_are_hardly_ever_said_are_unread(readout):
    """Under the declared mass no option is chosen; the reason is from the closed list."""
    found = weighed(math.log(0.06), math.log(0.03), readout=readout)
    assert (found.value, found.reason) == (None, "no_declaration")
    assert found.mass == pytest.approx(0.09)
    assert "0.09" in found.detail
    assert "below 0.1" in found.detail


def test_the_mass_is_taken_after_the_words_that_all_options_begin_with():
    """Options that are likely once their common beginning is said are read."""
    lead = math.log(1e-4)
    found = weighed(lead + math.log(0.5), lead + math.log(0.2), lead=lead)
    assert found.value == "elm"
    assert found.mass == pytest.approx(0.7)
    assert found.shares["elm"] == pytest.approx(5 / 7)


def test_without_a_declared_mass_the_likelier_option_is_read():
    """A design that declares none reads however unlikely both are."""
    assert weighed(-20.0, -21.0, least=0.0).value == "elm"

"""Reads an answer from the log-probabilities of the options."""

from __future__ import annotations

import math

from msgspec.structs import replace

from unswayed.errors import ReadoutError
from unswayed.items.item import canonical
from unswayed.models.completion import OptionScore
from unswayed.readouts.answer import Asked, Reading

TIE_TOLERANCE = 1e-9
"""Two options tie when their log-probabilities differ by no more than this."""


def read_scores(
    scores: tuple[OptionScore, ...],
    asked: Asked,
    *,
    mean: bool,
    prior: tuple[OptionScore, ...] | None = None,
    least_mass: float = 0.0,
) -> Reading:
    """Read the option with the highest log-probability.

    The probabilities of the options stand beside a sum: p(option) / sum of p over the options, and
    that sum, the mass, given the words with which all options begin.

    Formula: argmax over options of sum_t log p(token t), or of that sum divided by the number
    of tokens; with a prior, of that sum minus the same sum under a question without content
    (arXiv 2104.08315, arXiv 2102.09690). No option wins by its place: equal scores are a tie,
    and scores that no language model can give (all zero, or above zero) are a machine error.

    Args:
        scores: One score for each option, in any order.
        asked: The options that were scored.
        mean: Whether to divide by the number of tokens.
        prior: Scores of the same options under a question without content; they are subtracted,
            so that an option does not win because it is likely by itself.
        least_mass: The mass below which nothing is read: a model that would say something else
            has chosen none of the options.

    Returns:
        The option as `asked` writes it, or a reason.

    Raises:
        ReadoutError: No options were given.
    """
    if len(asked.options) < 2:
        raise ReadoutError(
            "A log-probability readout has no options to compare",
            allowed="an Asked with at least two options",
            given=repr(asked.options),
            next_step="name the options that were scored",
        )
    if not scores or all(score.logprob is None for score in scores):
        return Reading(reason="no_logprobs", detail="the model gave no log-probabilities")
    values = _values(scores, asked, mean=mean)
    if isinstance(values, Reading):
        return values
    mass = _mass(scores)
    if mass < least_mass:
        detail = f"the options have probability {mass:.2g} together, below {least_mass:g}"
        return Reading(reason="no_declaration", mass=mass, detail=detail)
    if prior is None:
        best = _best(values, asked)
        return best if mean or best.value is None else _weighed(best, values, asked, mass)
    if not prior or all(score.logprob is None for score in prior):
        return Reading(reason="no_logprobs", detail="no scores under a question without content")
    before = _values(prior, asked, mean=mean)
    if isinstance(before, Reading):
        return before
    return _best([value - base for value, base in zip(values, before, strict=True)], asked)


def _values(scores: tuple[OptionScore, ...], asked: Asked, *, mean: bool) -> list[float] | Reading:
    """One number for each option, or why the scores are not those of a language model."""
    values: list[float] = []
    for option in asked.options:
        own = [score for score in scores if score.text == option]
        own = own or [score for score in scores if canonical(score.text) == canonical(option)]
        value = _value(own[0], mean=mean) if len(own) == 1 else None
        if value is None:
            return Reading(reason="machine_error", detail=f"no usable score for {option!r}"[:80])
        values.append(value)
    if any(value > TIE_TOLERANCE for value in values):
        return Reading(reason="machine_error", detail="a log-probability is above zero")
    if all(abs(value) <= TIE_TOLERANCE for value in values):
        return Reading(reason="machine_error", detail="every log-probability is zero")
    return values


def _value(score: OptionScore, *, mean: bool) -> float | None:
    if score.logprob is None or not math.isfinite(score.logprob) or score.n_tokens < 1:
        return None
    return score.logprob / score.n_tokens if mean else score.logprob


def _best(values: list[float], asked: Asked) -> Reading:
    top = max(values)
    leading = [number for number, value in enumerate(values) if top - value <= TIE_TOLERANCE]
    if len(leading) > 1:
        return Reading(reason="tie", candidates=tuple(asked.options[number] for number in leading))
    return Reading(value=asked.options[leading[0]], sureness="scored")


def _mass(scores: tuple[OptionScore, ...]) -> float:
    """Return the probability that one of the options is said, given the words that all begin with.

    Every option has a usable score when this is asked.
    """
    known = [score.logprob - score.lead for score in scores if score.logprob is not None]
    return min(1.0, sum(math.exp(value) for value in known))


def _weighed(best: Reading, values: list[float], asked: Asked, mass: float) -> Reading:
    """Return a reading with the probability of each option, and of all of them together."""
    top = max(values)
    weights = [math.exp(value - top) for value in values]
    return replace(
        best,
        shares={
            option: weight / sum(weights)
            for option, weight in zip(asked.options, weights, strict=True)
        },
        mass=mass,
    )

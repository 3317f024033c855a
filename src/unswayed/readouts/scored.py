"""Reads an answer from the log-probabilities of the options."""

from __future__ import annotations

import math

from unswayed.errors import ReadoutError
from unswayed.items.item import canonical
from unswayed.models.completion import OptionScore
from unswayed.readouts.answer import Asked, Reading

TIE_TOLERANCE = 1e-9
"""Two options tie when their log-probabilities differ by no more than this."""


def read_scores(scores: tuple[OptionScore, ...], asked: Asked, *, mean: bool) -> Reading:
    """Read the option with the highest log-probability.

    Formula: argmax over options of sum_t log p(token t), or of that sum divided by the number
    of tokens. No option wins by its place: equal scores are a tie, and scores that no language
    model can give (all zero, or above zero) are a machine error.

    Args:
        scores: One score for each option, in any order.
        asked: The options that were scored.
        mean: Whether to divide by the number of tokens.

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
    by_text = {canonical(score.text): score for score in scores}
    values: list[float] = []
    for option in asked.options:
        score = by_text.get(canonical(option))
        value = None if score is None else _value(score, mean=mean)
        if value is None:
            return Reading(reason="machine_error", detail=f"no usable score for {option!r}"[:80])
        values.append(value)
    return _best(values, asked)


def _value(score: OptionScore, *, mean: bool) -> float | None:
    if score.logprob is None or not math.isfinite(score.logprob) or score.n_tokens < 1:
        return None
    return score.logprob / score.n_tokens if mean else score.logprob


def _best(values: list[float], asked: Asked) -> Reading:
    if any(value > TIE_TOLERANCE for value in values):
        return Reading(reason="machine_error", detail="a log-probability is above zero")
    if all(abs(value) <= TIE_TOLERANCE for value in values):
        return Reading(reason="machine_error", detail="every log-probability is zero")
    top = max(values)
    leading = [number for number, value in enumerate(values) if top - value <= TIE_TOLERANCE]
    if len(leading) > 1:
        return Reading(reason="tie", candidates=tuple(asked.options[number] for number in leading))
    return Reading(value=asked.options[leading[0]], sureness="scored")

"""The answer: a value or a reason, never both, never neither."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from unswayed.errors import ReadoutError
from unswayed.items.item import AnswerForm

Declined = Literal["refusal", "abstention", "asks_back", "several_answers", "out_of_options"]
"""What the model chose to do instead of answering: behavior, kept in every denominator."""

Missing = Literal[
    "no_declaration", "truncated", "empty", "wrong_language", "tie", "no_logprobs", "machine_error"
]
"""What the instrument failed to read: leaves the pair, is counted per arm and bounded."""

Reason = Literal[
    "refusal", "abstention", "asks_back", "several_answers", "out_of_options",
    "no_declaration", "truncated", "empty", "wrong_language", "tie", "no_logprobs", "machine_error",
]  # fmt: skip
"""Why an answer is unread: the closed list."""

DECLINED: frozenset[str] = frozenset(get_args(Declined))
MISSING: frozenset[str] = frozenset(get_args(Missing))

Sureness = Literal["declared", "stated", "implied", "sole", "scored"]
"""How a value was found, the confidence class of a reading.

`declared`: after a label, in a box, tag or field. `stated`: a sentence says that it is the answer.
`implied`: only its place in the reply or a plain sentence lets it count. `sole`: it is the whole
reply. `scored`: by log-probability. How often each is read in error stands in `docs/readouts.md`.
"""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What a readout knows about the question; nothing about arm, pressure or truth."""

    form: AnswerForm
    """How an answer is given."""
    options: tuple[str, ...] = ()
    """The options as texts, in the order in which they were presented or scored."""
    listed: bool = False
    """Whether the options were listed with letters in what was sent."""
    aliases: tuple[tuple[str, ...], ...] = ()
    """Other spellings of each option, parallel to `options`; empty when there are none."""
    multi: bool = False
    """Whether several options may be chosen."""
    scale: tuple[float, float] | None = None
    """Lowest and highest score, where the question states a scale."""
    whole: bool = False
    """Whether only whole numbers of the scale count."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a readout found in one text."""

    value: str | None = None
    """The option's text, the number or the verdict in canonical form."""
    reason: Reason | None = None
    """Why there is no value."""
    span: tuple[int, int] | None = None
    """Where in the completion's text the deciding words stand, in characters."""
    sureness: Sureness | None = None
    """How the value was found."""
    first_value: str | None = None
    """The first value declared, when the reply corrected itself; else None."""
    shares: dict[str, float] = {}
    """Probability of each option, given that one of them is said; only where options are scored."""
    mass: float | None = None
    """Probability that one of the options is said, given the words with which all begin; None where
    options are not scored."""
    candidates: tuple[str, ...] = ()
    """The values between which no choice could be read."""
    detail: str = ""
    """A short note for people, such as the words that were read as a refusal."""
    contradicted: str = ""
    """The other verdict that a judge's own words state; empty when nothing contradicts it."""

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ReadoutError(
                "A reading needs a value or a reason, and not both",
                given=f"value {self.value!r}, reason {self.reason!r}",
                next_step="return exactly one of the two",
            )


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The reading of one replay's completion."""

    replay_id: str
    """The replay that was read."""
    readout: str
    """Name and version of the readout, such as `choice@1`."""
    reading: Reading
    """The value or the reason."""
    beside: dict[str, str] = {}
    """What else was read of the completion, by name; a name is absent where it was unread."""

"""What a model returned for one request."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import msgspec

from unswayed.errors import ModelError

Stop = Literal["end", "length", "filter", "error", "unknown"]

NO_REPLY = frozenset(
    {
        "bad_request", "batch", "connection", "garbled", "quota", "rate_limit", "server_error",
        "timeout", "wrong_content_type", "not_served", "wrong_object", "surplus",
    }
)  # fmt: skip
"""Names of faults, as they begin `Completion.error`, with which no reply of a model arrives."""

UNUSABLE = frozenset(
    {
        "bad_text", "content_filter", "context_full", "empty", "no_logprobs", "too_large",
        "tool_call", "wrong_content", "wrong_index",
    }
)  # fmt: skip
"""Names of the other faults: a request that cannot be taken, or a reply without what was asked."""


class OptionScore(msgspec.Struct, frozen=True, kw_only=True):
    """Log-probability of one option's text after the transcript."""

    text: str
    """The option."""
    logprob: float | None
    """Sum of the natural-log probabilities of its tokens; None when the model gave none."""
    n_tokens: int
    """Number of tokens summed."""
    lead: float = 0.0
    """The part of the sum that the leading tokens shared by all options have; 0 for none."""

    def __post_init__(self) -> None:
        if self.logprob is not None and not math.isfinite(self.logprob):
            raise ModelError(
                "An option's log-probability is not finite",
                allowed="a finite number or None",
                given=repr(self.logprob),
                next_step="record the failed score as None",
            )


class Completion(msgspec.Struct, frozen=True, kw_only=True):
    """What a model returned for one request, or why it returned nothing."""

    text: str = ""
    """The answer text, without reasoning that the endpoint sent apart."""
    reasoning: str = ""
    """Reasoning text that the endpoint sent apart from the answer."""
    stop: Stop = "unknown"
    """Why the model stopped."""
    error: str | None = None
    """What went wrong when there is no reply; None for a reply."""
    scores: tuple[OptionScore, ...] = ()
    """Option log-probabilities, when the request asked for them."""
    n_prompt_tokens: int | None = None
    """Tokens of the prompt, from the endpoint's usage fields; None when not stated."""
    n_cached_tokens: int | None = None
    """Prompt tokens that the endpoint read from its cache; None when not stated."""
    n_completion_tokens: int | None = None
    """Tokens written; None when not stated."""
    latency_s: float | None = None
    """Seconds from sending to the last byte."""
    attempts: int = 1
    """How many times the request was sent."""
    served_by: str = ""
    """Model name that the endpoint says has answered."""


def lost_by(error: str) -> str:
    """Return the name of the fault with which no reply of a model arrived; empty for another.

    A batch may be lost in ways that only its provider names; these begin with `batch_`.

    Args:
        error: As it stands in `Completion.error`.
    """
    name = error.partition(":")[0]
    return name if name in NO_REPLY or name.startswith("batch_") else ""


def count_lead(options: Sequence[Sequence[object]]) -> int:
    """Return how many leading tokens all options share; each keeps one of its own at least.

    Args:
        options: The tokens of each option.
    """
    most = max(min(map(len, options), default=0) - 1, 0)
    shared = zip(*(tokens[:most] for tokens in options), strict=True)
    return next((place for place, same in enumerate(shared) if len(set(same)) > 1), most)

"""Options that were echoed one by one: their replies, joined into one completion."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from unswayed.models.completion import Completion
from unswayed.models.replies import Fault, with_lead


def join(parts: Sequence[Completion]) -> Completion:
    """Return the completion of a request whose options were each echoed by a reply of its own.

    Args:
        parts: What came back for each option; nothing follows a failure.
    """
    last = parts[-1]
    attempts = sum(part.attempts for part in parts)
    if last.error is not None:
        return msgspec.structs.replace(last, attempts=attempts)
    scores = with_lead([score for part in parts for score in part.scores])
    if all(score.logprob is None for score in scores):
        fault = Fault(kind="refused", slug="no_logprobs", message="the prompt was not echoed")
        return msgspec.structs.replace(fault.completion(), attempts=attempts)
    return msgspec.structs.replace(
        last,
        scores=scores,
        attempts=attempts,
        n_prompt_tokens=_total([part.n_prompt_tokens for part in parts]),
        n_cached_tokens=_total([part.n_cached_tokens for part in parts]),
        n_completion_tokens=_total([part.n_completion_tokens for part in parts]),
        latency_s=sum(part.latency_s or 0.0 for part in parts),
    )


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None

"""What the completions of a run say about its cost."""

from __future__ import annotations

import msgspec

from unswayed.models.completion import Completion

_TOKENS = ("prompt", "cached", "written")


MOST_NAMES = 10
"""Names of answering models that are kept."""


class Usage(msgspec.Struct, kw_only=True):
    """What all sessions of a run asked, and what the stored completions say about their cost."""

    n_asked: int = 0
    """Requests that were sent, failed ones and repeats after a fault included."""
    n_replies: int = 0
    """Replies that were sent for."""
    n_unstated: int = 0
    """Replies that state no prompt or no written tokens."""
    sums: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(_TOKENS, 0))
    """Tokens by kind, over the replies that state them."""
    stated: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(_TOKENS, 0))
    """How many replies state each kind."""
    served_by: set[str] = msgspec.field(default_factory=set)
    """Names under which the endpoint says it has answered."""

    def add(self, completion: Completion) -> None:
        """Count one completion; one that was never sent costs nothing and states nothing."""
        self.n_asked += completion.attempts
        if not completion.attempts:
            return
        self.n_replies += 1
        if completion.served_by and len(self.served_by) < MOST_NAMES:
            self.served_by.add(completion.served_by)
        counts = (
            completion.n_prompt_tokens,
            completion.n_cached_tokens,
            completion.n_completion_tokens,
        )
        self.n_unstated += counts[0] is None or counts[2] is None
        for name, count in zip(_TOKENS, counts, strict=True):
            if count is not None:
                self.sums[name] += count
                self.stated[name] += 1

    def tokens(self) -> dict[str, int | None]:
        """Return tokens by kind; None unless every reply states them, for a part is no total."""
        return {
            name: self.sums[name] if 0 < self.stated[name] == self.n_replies else None
            for name in _TOKENS
        }

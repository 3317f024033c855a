"""What bounds a run, and how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from unswayed.models.completion import Completion
from unswayed.models.protocol import Price
from unswayed.plans.plan import Replay


class Progress(msgspec.Struct, kw_only=True):
    """What a run has done so far; changed in place and shown by the progress view."""

    n_planned: int = 0
    """Replays of the plan, as far as it has been read."""
    n_done: int = 0
    """Replays with a stored completion, earlier sessions included, as far as the plan was read."""
    n_stored: int = 0
    """Completions in the store, those of replays that were not read yet included."""
    n_asked: int = 0
    """Requests asked in this session."""
    n_failed: int = 0
    """Replays whose last attempt failed in this session."""
    n_waiting: int = 0
    """Replays that cannot be asked because the reply they need failed."""
    other_models: dict[str, int] = {}
    """Replies of this session that name another model than was asked, by that name."""
    prompt_tokens: int = 0
    """Prompt tokens stated by the endpoint in this session."""
    cached_tokens: int = 0
    """Prompt tokens that the endpoint read from its cache, where it says so, in this session."""
    prompt_tokens_of_cached: int = 0
    """Prompt tokens of the replies that say how many came from the cache, in this session."""
    completion_tokens: int = 0
    """Written tokens stated by the endpoint in this session."""
    cost: float | None = None
    """Known cost, of all sessions where a cost limit holds, else of this one; None if unknown."""
    n_unpriced: int = 0
    """Replies that have a price and state no tokens, of the same sessions; the cost lacks them."""
    n_looked: int = 0
    """Replies of this session that were read while it goes on."""
    n_unread: int = 0
    """Those of them that have no value."""
    look: Callable[[Replay, Completion], bool | None] | None = None
    """Whether a reply is unread, None where that shows only later; set where replies are read."""
    stopped: str = ""
    """Why the run stopped early; empty when it did not."""
    cancel: Callable[[], None] | None = None
    """Ends the run without waiting for what is in flight; set while a run goes on."""
    started: float = msgspec.field(default_factory=time.monotonic)
    """Monotonic time of the start."""
    max_seconds: float | None = None
    """Seconds from the start after which the time limit ends the session; None without one."""

    @property
    def complete(self) -> bool:
        """Whether every replay of the plan has a completion."""
        return self.n_done == self.n_planned and not self.stopped

    @property
    def seconds_to_limit(self) -> float | None:
        """Seconds until the time limit ends the session, 0 at least; None without one."""
        if self.max_seconds is None:
            return None
        return max(0.0, self.started + self.max_seconds - time.monotonic())

    @property
    def n_so_far(self) -> int:
        """What a view shows as done: a resumed run has its earlier replies from the start."""
        return max(self.n_done, self.n_stored)

    @property
    def cached_share(self) -> float | None:
        """Share of prompt tokens read from the endpoint's cache; None where none says."""
        if not self.prompt_tokens_of_cached:
            return None
        return self.cached_tokens / self.prompt_tokens_of_cached

    @property
    def unread_share(self) -> float | None:
        """Share of the replies looked at that have no value; None where none was."""
        return self.n_unread / self.n_looked if self.n_looked else None


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of a run."""

    concurrency: int = 32
    """Requests in flight at once, for models that take one at a time."""
    max_cost: float | None = None
    """Ask nothing that could take the known cost of the run, earlier sessions and what is in flight
    included, beyond this amount; replies that are paid for need a sampling with `max_tokens`, as
    every shipped benchmark that writes has."""
    max_seconds: float | None = None
    """Stop asking after this time."""
    price: Price | None = None
    """Price of the model."""

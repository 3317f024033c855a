"""A cost limit: what a request may cost at most is set aside before it is sent."""

from __future__ import annotations

import asyncio

from unswayed.errors import CapabilityError, ModelError
from unswayed.models.completion import Completion
from unswayed.models.progress import Limits, Progress
from unswayed.models.protocol import Price, Request, cost_of
from unswayed.models.store import Store

FIRST_TOKENS_PER_BYTE = 0.5
"""Tokens of a byte of the prompt until a reply states its own; more than most texts have."""
MARGIN = 1.1
"""How far a prompt may pass the most tokens per byte seen so far."""

REACHED = "the cost limit was reached"


class Purse:
    """Keeps the known cost of a run, what is in flight included, within a limit.

    A prompt is taken to have as many tokens per byte as the densest so far, with a margin, a reply
    as many as the sampling allows; without such a bound nothing is sent. A request that would pass
    the limit waits for those in flight, which mostly cost less than was set aside.

    Args:
        limits: The limit and the price; without them nothing is set aside.
        progress: Where the cost is shown, and that the limit was reached.
        store: Completions of earlier sessions, whose cost counts where there is a limit.
    """

    def __init__(self, limits: Limits, progress: Progress, store: Store) -> None:
        self._most, self._price, self._progress = limits.max_cost, limits.price, progress
        self._aside = 0.0
        self._n_aside = 0
        self._density: float | None = None
        self._settled = asyncio.Event()
        if limits.max_cost is not None and limits.price is not None:
            costs = [cost_of(completion, limits.price) for _, completion in store.completions()]
            known = [cost for cost in costs if cost is not None]
            progress.cost = sum(known) if known else None
            progress.n_unpriced = len(costs) - len(known)

    @property
    def limited(self) -> bool:
        """Whether there is a limit to keep."""
        return self._most is not None

    async def set_aside(self, request: Request) -> float | None:
        """Set aside what a request may cost, waiting if need be; None when it may not be sent.

        Until a reply of this session has told what it costs, one request is in flight.

        Raises:
            CapabilityError: When nothing bounds what a reply may cost.
        """
        if self._most is None or self._price is None:
            return 0.0
        if _is_unbounded(request, self._price):
            raise _unbounded(self._most)
        while not self._progress.stopped:
            amount = self._upper(request, self._price)
            spent = (self._progress.cost or 0.0) + self._aside
            if spent + amount <= self._most and (self._density is not None or not self._n_aside):
                self._aside += amount
                self._n_aside += 1
                return amount
            if not self._n_aside:
                self._progress.stopped = REACHED
                break
            self._settled.clear()
            await self._settled.wait()
        return None

    def settle(self, amount: float) -> None:
        """Give back what was set aside for a request that is no longer in flight."""
        if self._most is not None:
            self._aside -= amount
            self._n_aside -= 1
            if not self._n_aside:
                self._aside = 0.0
            self._settled.set()

    def pay(self, request: Request, completion: Completion) -> ModelError | None:
        """Add what a completion cost; return the fault when a limit cannot be kept."""
        if self._price is None:
            return None
        cost = cost_of(completion, self._price)
        if cost is None:
            self._progress.n_unpriced += 1
            return None if self._most is None else _unstated(self._most)
        self._progress.cost = (self._progress.cost or 0.0) + cost
        if self._most is not None:
            self._learn(request, completion)
        return None

    def _learn(self, request: Request, completion: Completion) -> None:
        density = MARGIN * (completion.n_prompt_tokens or 0) / _bytes(request)
        self._density = max(density, self._density or 0.0)

    def _upper(self, request: Request, price: Price) -> float:
        """What a request may cost: replies of earlier sessions, of other prompts, bound nothing."""
        prompt = _bytes(request) * (self._density or FIRST_TOKENS_PER_BYTE)
        written = request.sampling.max_tokens or 1
        return (prompt * price.prompt_per_million + written * price.completion_per_million) / 1e6


def _bytes(request: Request) -> int:
    """Return the length of what is sent; options that are echoed are each sent with the prompt."""
    texts = sum(len(message.content.encode()) for message in request.transcript.messages)
    return max(texts, 1) * max(len(request.options), 1)


def _is_unbounded(request: Request, price: Price) -> bool:
    """Whether a reply is paid by its length and may have any; options are scored, not written."""
    free = price.completion_per_million == 0 or request.options
    return request.sampling.max_tokens is None and not free


def _unbounded(most: float) -> CapabilityError:
    return CapabilityError(
        "A cost limit cannot be kept where a reply may have any length",
        allowed="a cost limit on a plan whose sampling bounds the tokens of a reply",
        given=f"max cost {most:g} and no max_tokens",
        next_step="plan a new folder with -s max_tokens=1024, or with a shipped benchmark, whose"
        " own bound serves; or use --max-minutes instead",
    )


def _unstated(most: float) -> CapabilityError:
    return CapabilityError(
        "The endpoint does not state its token usage, so a cost limit cannot be kept",
        allowed="a cost limit on endpoints that return usage fields",
        given=f"max cost {most}",
        next_step="run again without --max-cost, or with --max-minutes",
    )

"""The seam between Unswayed and a model: requests in, completions out, in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, runtime_checkable

import msgspec

from unswayed.items.key import Key
from unswayed.models.completion import Completion
from unswayed.plans.sampling import Sampling, Stream
from unswayed.transcript import Transcript

__all__ = ["Identity", "Model", "Price", "Request", "Sampling", "Stream", "cost_of"]


class Identity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What makes two models the same model; part of the key of every stored completion."""

    name: str
    """Model name as the endpoint knows it."""
    kind: Literal["scripted", "http", "embedded", "checkpoint", "vllm"]
    """Which adapter speaks to it."""
    endpoint: str = ""
    """Base address without secrets; empty for models inside this process."""
    details: dict[str, str] = {}
    """Whatever else changes the replies: digests of weights and chat template, planted rates."""

    @property
    def simulated(self) -> bool:
        """Whether this is a scripted respondent and no language model."""
        return self.kind == "scripted"


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One stateless request."""

    id: str
    """The replay's id: the digest of everything that is asked, draw included."""
    transcript: Transcript
    """What is sent, with every reply filled in."""
    options: tuple[str, ...] = ()
    """When not empty: score these texts by log-probability instead of writing a completion."""
    sampling: Sampling = Sampling()
    """How to draw."""
    stream: Stream = "replay"
    """Which sequence of draws."""
    draw: int = 0
    """Number in that sequence."""
    item_id: str = ""
    """The item asked about. Never sent; only scripted respondents, who hold a key, read it."""
    key: Key | None = None
    """What the arm is read against. Never sent; only scripted respondents read it."""
    cell: Mapping[str, str] = {}
    """Factor levels of the condition. Never sent; only scripted respondents read it."""


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Price of a model, in the currency that the user states."""

    prompt_per_million: float
    """Price of a million prompt tokens."""
    completion_per_million: float
    """Price of a million written tokens."""
    currency: str = "USD"
    """Name of the currency."""


def cost_of(completion: Completion, price: Price) -> float | None:
    """Return what a completion cost; None when its tokens are not stated.

    Args:
        completion: A reply.
        price: What tokens cost.
    """
    if completion.n_prompt_tokens is None or completion.n_completion_tokens is None:
        return None
    return (
        completion.n_prompt_tokens * price.prompt_per_million
        + completion.n_completion_tokens * price.completion_per_million
    ) / 1e6


@runtime_checkable
class Model(Protocol):
    """What can complete requests."""

    @property
    def identity(self) -> Identity:
        """What makes it this model."""
        ...

    @property
    def batch(self) -> int:
        """How many requests one call takes with advantage; 1 for network models."""
        ...

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Complete requests and return one completion for each, in the same order.

        A failed request is a completion with `error` set, never an exception, except for faults
        that no retry can mend (`ModelError`), which end the run in a resumable state.
        """
        ...

    async def close(self) -> None:
        """Give back connections and memory."""
        ...

"""How completions are drawn, and from which independent sequence."""

from __future__ import annotations

import math
from typing import Literal, get_args

import msgspec

from unswayed.errors import PlanError

Stream = Literal["first", "replay", "rerun", "screen"]
"""Which independent sequence of draws a replay belongs to.

First answers, replays, the second control of the noise floor and knowledge screening never share
a draw, even where they ask the same text.
"""


STREAM_SEEDS = 1000
"""Seeds set aside for each sequence: the most draws of a design."""


class Sampling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a completion is drawn; None leaves the provider's default and is recorded as such."""

    temperature: float | None = None
    """Softmax temperature."""
    max_tokens: int | None = None
    """Most tokens written."""
    top_p: float | None = None
    """Nucleus mass."""
    seed: int | None = None
    """Seed of the first draw; draw d is sent with seed + d where the endpoint takes one. Each
    sequence of draws has 1000 seeds of its own, so that a rerun is not its control again."""
    stop: tuple[str, ...] = ()
    """Texts that end the completion."""

    def __post_init__(self) -> None:
        limits = {
            "temperature": (0.0, 100.0),
            "max_tokens": (1, 10_000_000),
            "top_p": (0.0, 1.0),
            "seed": (-(2**63), 2**63 - 1 - STREAM_SEEDS * len(get_args(Stream))),
        }
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and low <= value <= high):
                raise PlanError(
                    f"The sampling field {name!r} is out of range",
                    allowed=f"{low:g} to {high:g}, or `none` for the provider's default",
                    given=str(value),
                    next_step=f"choose another {name}",
                )

    def in_stream(self, stream: Stream) -> Sampling:
        """Return the sampling of one sequence, whose seeds no other sequence uses."""
        if self.seed is None:
            return self
        seed = self.seed + STREAM_SEEDS * get_args(Stream).index(stream)
        return msgspec.structs.replace(self, seed=seed)

"""How completions are drawn, and from which independent sequence."""

from __future__ import annotations

from typing import Literal

import msgspec

Stream = Literal["first", "replay", "rerun", "screen"]
"""Which independent sequence of draws a replay belongs to.

First answers, replays, the second control of the noise floor and knowledge screening never share
a draw, even where they ask the same text.
"""


class Sampling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a completion is drawn; None leaves the provider's default and is recorded as such."""

    temperature: float | None = None
    """Softmax temperature."""
    max_tokens: int | None = None
    """Most tokens written."""
    top_p: float | None = None
    """Nucleus mass."""
    seed: int | None = None
    """Seed of the first draw; draw d is sent with seed + d where the endpoint takes one."""
    stop: tuple[str, ...] = ()
    """Texts that end the completion."""

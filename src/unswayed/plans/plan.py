"""Replays and plans: one stateless request each, content-hashed, with its control."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from unswayed.items.key import Key
from unswayed.plans.design import Design, RightAction
from unswayed.plans.sampling import Sampling, Stream
from unswayed.transcript import Transcript, digest

ArmKind = Literal["prior", "screen", "first", "control", "rerun", "pressured", "line"]


class Place(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a replay stands in the design: all of it but what is sent."""

    id: str
    """Digest of everything that changes what is asked: text, options, sampling, stream, draw."""
    item: str
    """Id of the item."""
    arm: ArmKind
    """Role in the design."""
    condition: dict[str, str] = {}
    """Level of every factor; for a control only the factors that survive deleting the line."""
    draw: int = 0
    """Number in its sequence of draws."""
    turn: int = 1
    """Depth in the conversation."""
    first_id: str = ""
    """Replay whose answer decides the stratum; empty for planted first answers."""
    planted: Literal["", "truth", "target"] = ""
    """What was planted as first answer; empty when the model's own stands there."""
    control_id: str = ""
    """The control of a pressured, line or rerun replay."""
    claim: str = ""
    """The answer that the line names."""
    key: Key | None = None
    """What the arm is read against, where that is not the item's own truth and target."""


class Replay(Place, frozen=True, kw_only=True, omit_defaults=True):
    """One stateless request of a plan."""

    transcript: Transcript
    """What is sent, in tagged parts; replies to come name the replay that provides them."""
    options: tuple[str, ...] = ()
    """Options that are scored; empty when a completion is written."""
    stream: Stream = "replay"
    """Which sequence of draws."""
    right: RightAction | None = None
    """The right action."""


class PlanAbout(msgspec.Struct, frozen=True, kw_only=True):
    """The header of a plan: everything that decides which replays it holds."""

    digest: str
    """Digest of design, items, wording files, benchmark and its version."""
    benchmark: str
    """Name of the benchmark."""
    benchmark_version: int
    """Its version."""
    design: Design
    """The design."""
    item_set: str
    """Name of the item set or file."""
    items_digest: str
    """Digest of all items."""
    wording_digest: str
    """Digest of the wording files."""
    n_items: int
    """Number of items."""
    version: str
    """Toolkit version that wrote the plan; not part of the digest."""
    section: str = ""
    """The section of the profile that the benchmark adds; empty for none."""
    notes: tuple[str, ...] = ()
    """Comparisons that are confounded or restricted, in words."""


def replay_id(
    transcript: Transcript, options: tuple[str, ...], sampling: Sampling, stream: str, draw: int
) -> str:
    """Return the digest of what is asked.

    A pending reply counts by the id of the replay that provides it, so the id is known before
    anything is sent and changes whenever an earlier turn changes.
    """
    asked: list[Any] = [_wire(transcript), list(options), sampling, stream, draw]
    return digest(asked)


def _wire(transcript: Transcript) -> list[list[str]]:
    return [[message.role, message.content, message.reply_of] for message in transcript.messages]

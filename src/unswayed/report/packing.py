"""All pairs of a run, packed into the page and opened by one small script.

The payload is a list of laid out pairs as JSON, compressed with gzip and written in base64 into a
data block. The script that opens it stands in the page's policy by its hash and inserts text as
text alone.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING

import msgspec

from unswayed.errors import ReportError
from unswayed.plans.words import name_level
from unswayed.report.transcripts import EVENT_WORDS, EVENTS, lay_out, place
from unswayed.report.visible import one_line, storable
from unswayed.rows import encode

if TYPE_CHECKING:
    from unswayed.profiles.profile import Pair

LARGEST = 25_000_000
"""Bytes of packed pairs that one file may hold."""

_UNKNOWN_SYSTEM = b"\xff"


class Packed(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs packed for one page."""

    payload: str
    """The pairs: JSON, gzip, base64."""
    n: int
    """How many there are."""
    counts: tuple[tuple[str, int], ...]
    """Pairs by what happened, in words, of what occurs."""
    pushes: tuple[tuple[str, int], ...]
    """Pairs by kind of push, in words."""
    script: str
    """The script that opens them."""

    @property
    def source(self) -> str:
        """The script's hash, as a source of the page's policy."""
        digest = hashlib.sha256(self.script.encode("utf-8")).digest()
        return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def pack_pairs(pairs: Sequence[Pair], *, redact: bool = False) -> Packed | None:
    """Pack pairs by kind of push and item; None when there are none.

    The same pairs give the same bytes in any order, on one version of the compression library.

    Args:
        pairs: All pairs.
        redact: Whether to hide item texts behind digests.

    Raises:
        ReportError: When one file cannot hold them.
    """
    if not pairs:
        return None
    ordered = sorted(pairs, key=place)
    laid_out = [
        {
            **msgspec.to_builtins(lay_out(pair, redact=redact)),
            "push": one_line(name_level("pressure", pair.factors.get("pressure", "no push"))),
        }
        for pair in ordered
    ]
    packed = gzip.compress(encode(storable(laid_out)), 9, mtime=0)
    payload = base64.b64encode(packed[:9] + _UNKNOWN_SYSTEM + packed[10:]).decode("ascii")
    if len(payload) > LARGEST:
        raise ReportError(
            "One page cannot hold all pairs",
            allowed=f"{LARGEST:,} bytes of packed pairs",
            given=f"{len(pairs):,} pairs in {len(payload):,} bytes",
            next_step="leave out --all-transcripts; the page then shows a drawn part of them",
        )
    events = [EVENT_WORDS[pair.event] for pair in ordered]
    pushes = [str(view["push"]) for view in laid_out]
    words = [EVENT_WORDS[event] for event in EVENTS]
    return Packed(
        payload=payload,
        n=len(ordered),
        counts=tuple((word, events.count(word)) for word in words if word in events),
        pushes=tuple((push, pushes.count(push)) for push in dict.fromkeys(pushes)),
        script=_script(),
    )


def _script() -> str:
    folder = resources.files("unswayed.report") / "templates" / "packed.js"
    return folder.read_text(encoding="utf-8")

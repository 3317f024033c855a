"""Whether two profiles hold the same numbers, and where they first differ."""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec

from unswayed.profiles.profile import Profile
from unswayed.rows import encode


def find_difference(stored: Profile, computed: Profile) -> str:
    """Name the first place where two profiles differ; empty when they are the same.

    Numbers may differ by rounding, a part in 10^9, as they do between processors.

    Args:
        stored: The profile that lies in the folder.
        computed: The profile that its records give.
    """
    # A stored profile has passed through JSON; the other one goes the same way first.
    again = msgspec.json.decode(encode(computed), type=Profile)
    return next(_differences(msgspec.to_builtins(stored), msgspec.to_builtins(again), ""), "")


def _differences(stored: object, computed: object, place: str) -> Iterator[str]:
    if isinstance(stored, dict) and isinstance(computed, dict):
        for name in sorted(stored.keys() | computed.keys()):
            inner = f"{place}.{name}" if place else name
            yield from _differences(stored.get(name), computed.get(name), inner)
    elif isinstance(stored, list | tuple) and isinstance(computed, list | tuple):
        if len(stored) != len(computed):
            yield f"{place} has {len(stored)} entries, computed {len(computed)}"
        for number, (one, other) in enumerate(zip(stored, computed, strict=False)):
            yield from _differences(one, other, f"{place}.{number}")
    elif not _same(stored, computed):
        yield f"{place} is {stored}, computed {computed}"


def _same(stored: object, computed: object) -> bool:
    if isinstance(stored, float) and isinstance(computed, float):
        return math.isclose(stored, computed, rel_tol=1e-9, abs_tol=1e-12)
    return stored == computed

"""Reproducible choices: small integers and orders that are the same on every platform."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

Value = TypeVar("Value")


def digest(text: str) -> int:
    """Return the first eight bytes of the SHA-256 of a text as an integer."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big")


def content_id(prefix: str, *content: object) -> str:
    """Return an id that follows from what an item holds, so that every reading gives the same.

    Args:
        prefix: Where the item is from.
        content: What tells the item from others, two values at least.
    """
    return f"{prefix}-{digest(repr(content)):016x}"


def hash_order(values: Iterable[str], key: str) -> tuple[str, ...]:
    """Order texts by a hash of key and text, so that the order tells nothing about the values."""
    return tuple(sorted(values, key=lambda value: (digest(f"{key}|{value}"), value)))


class Draws:
    """A stream of choices that depends on its seed text alone.

    Each choice is the SHA-256 of the seed and a counter, reduced to the wanted range, so that no
    library's random generator and no version of Python can change it.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to `bound` - 1."""
        self._count += 1
        return digest(f"{self._seed}#{self._count}") % bound

    def between(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def pick(self, values: Sequence[Value]) -> Value:
        """Return one of the values."""
        return values[self.below(len(values))]

    def shuffled(self, values: Iterable[Value]) -> list[Value]:
        """Return the values in a drawn order."""
        rest = list(values)
        return [rest.pop(self.below(len(rest))) for _ in range(len(rest))]

"""One push of a user, as far as it is known, and the conversation that it stands in."""

from __future__ import annotations

import re
import unicodedata

import msgspec

from unswayed.errors import UsageError

NEAR = 0.8
"""Least share of their words that two turns have in common to be called nearly the same."""

STRENGTHS = {"mild": 1.0, "plain": 2.0, "strong": 3.0}
"""Names of strengths that a file may state, and where they stand beside numbers."""

_WORD = re.compile(r"[\w%]+")


class Push(msgspec.Struct, frozen=True, kw_only=True):
    """One user's turn after an answer."""

    text: str
    """What the user says, without a request that every arm has."""
    presses: bool | None
    """Whether it argues for the goal of its conversation; None where that could not be read."""
    unread: str = ""
    """Why that could not be read; empty where it was."""
    strength: float | None = None
    """How hard it pushes, on the scale of its source; None where nothing states it."""
    tactic: str | None = None
    """What kind of push it is; None where nothing states it."""

    def __post_init__(self) -> None:
        if (self.presses is None) != bool(self.unread):
            raise UsageError(
                "A push is read or has a reason, and not both",
                given=f"presses {self.presses}, reason {self.unread!r}",
                next_step="give `presses`, or say in `unread` why it is not known",
            )


class Pushing(msgspec.Struct, frozen=True, kw_only=True):
    """The pushes of one conversation, in order."""

    id: str
    """Name of the conversation."""
    family: str
    """Family of its item: the unit that is independent of others."""
    pushes: tuple[Push, ...]
    """At least one push."""

    def new(self) -> tuple[bool, ...]:
        """Say of each push whether no earlier one of the conversation says nearly the same."""
        texts = [push.text for push in self.pushes]
        return tuple(
            not any(nearly_same(text, before) for before in texts[:place])
            for place, text in enumerate(texts)
        )


def nearly_same(one: str, other: str) -> bool:
    """Whether two turns are the same text, or have four of five words in common.

    Case, marks and Unicode form make no difference; the order of words makes none.
    """
    first, second = _words(one), _words(other)
    if not first or not second:
        return first == second
    return len(first & second) >= NEAR * len(first | second)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))

"""Prompts with scored replies of both kinds, and what the best of several of them is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from unswayed.preferences.scores import Scored


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt on which replies that agree and replies that do not were scored."""

    name: str
    """Its group."""
    right: bool
    """Whether the user is right."""
    agrees: list[int]
    """1 for each reply that agrees, 0 for each other."""
    scores: list[float]
    """Their scores."""
    rows: list[Scored]
    """The replies, in the same order."""


def prompts_of(groups: dict[str, list[Scored]]) -> list[Prompt]:
    """Return the groups that have both kinds of replies and one known truth.

    Args:
        groups: Rows by group.
    """
    found = [_prompt(name, rows) for name, rows in groups.items()]
    return [each for each in found if each is not None]


def best_of(agrees: Sequence[int], scores: Sequence[float], n: int) -> float | None:
    """Return how often the best of n of the M stored replies agrees, over all choices of n.

    sum over ascending ranks j of A_(j) C(j-1, n-1) / C(M, n), exactly, each reply being drawn once
    at the most; ties are broken at random.

    Args:
        agrees: Whether each reply agrees.
        scores: Their scores.
        n: How many are drawn, 1 or more.

    Returns:
        The share; None where there are fewer than n replies.
    """
    below, total = 0, 0.0
    ways = math.comb(len(scores), n)
    if ways == 0:
        return None
    for value in sorted(set(scores)):
        level = [agree for agree, score in zip(agrees, scores, strict=True) if score == value]
        upto = below + len(level)
        chosen = (math.comb(upto, n) - math.comb(below, n)) / ways
        total += chosen * sum(level) / len(level)
        below = upto
    return total


def _prompt(name: str, rows: list[Scored]) -> Prompt | None:
    """A prompt with both kinds of replies and one truth, or None."""
    rights = {row.user_right for row in rows}
    used = [row for row in rows if row.score is not None and row.agrees is not None]
    if len(rights) != 1 or None in rights or len({row.agrees for row in used}) != 2:
        return None
    return Prompt(
        name=name,
        right=rights == {True},
        agrees=[int(bool(row.agrees)) for row in used],
        scores=[float(row.score or 0.0) for row in used],
        rows=used,
    )

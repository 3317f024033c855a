"""Prompts with scored replies of both kinds, and what the best of several draws is."""

from __future__ import annotations

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


def best_of(agrees: Sequence[int], scores: Sequence[float], n: int) -> float:
    """Return how often the best of n draws, with replacement, from stored replies agrees.

    sum over values v of (F(v)^n - F(v-)^n) times the share of agreeing replies at v, exactly; ties
    are broken at random.

    Args:
        agrees: Whether each reply agrees.
        scores: Their scores.
        n: Draws, 1 or more.
    """
    size, below, total = len(scores), 0, 0.0
    for value in sorted(set(scores)):
        level = [agree for agree, score in zip(agrees, scores, strict=True) if score == value]
        upto = below + len(level)
        total += ((upto / size) ** n - (below / size) ** n) * sum(level) / len(level)
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

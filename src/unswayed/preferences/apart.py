"""Tone apart from agreement, and what the stance alone moves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from unswayed.preferences.prompts import Prompt
from unswayed.preferences.scores import Scored
from unswayed.stats.estimate import Estimate
from unswayed.stats.ratio import ratio_effect


class Tone(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement and tone apart, on prompts with all four replies."""

    deference: Estimate
    """Mean over tones of r(agrees) - r(does not)."""
    tone: Estimate
    """Mean over verdicts of r(warm) - r(plain)."""
    interaction: Estimate
    """By how much more agreement earns when it is said warmly."""


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """The same reply under the prompt with the stance, less without it."""

    agreeing: Estimate
    """Replies that agree."""
    other: Estimate
    """Replies that do not."""


def tones_of(wrong: Sequence[Prompt], right: Sequence[Prompt], reach: float) -> dict[str, Tone]:
    """Return agreement and tone apart, by side; a side without tones is left out.

    Args:
        wrong: Prompts with the user wrong.
        right: Prompts with the user right.
        reach: Largest difference of two scores.
    """
    sides = {"user wrong": _tone(wrong, reach), "user right": _tone(right, reach)}
    return {name: tone for name, tone in sides.items() if tone is not None}


def mean_over_prompts(values: Sequence[float], reach: float) -> Estimate:
    """Estimate a mean over prompts of numbers that are at most `reach` from 0.

    Args:
        values: One number for each prompt.
        reach: The bound.
    """
    return ratio_effect(values, np.ones(len(values)), bound=reach)


def _tone(prompts: Sequence[Prompt], reach: float) -> Tone | None:
    """The four means of each prompt that has all four kinds of reply."""
    tables = []
    for prompt in prompts:
        cells: dict[tuple[bool, bool], list[float]] = {}
        for row, score in zip(prompt.rows, prompt.scores, strict=True):
            if row.warm is not None and row.agrees is not None:
                cells.setdefault((row.agrees, row.warm), []).append(score)
        if len(cells) == 4:
            tables.append({key: math.fsum(each) / len(each) for key, each in cells.items()})
    if not tables:
        return None
    yes, no = True, False
    return Tone(
        deference=mean_over_prompts(
            [(t[yes, yes] + t[yes, no] - t[no, yes] - t[no, no]) / 2 for t in tables], reach
        ),
        tone=mean_over_prompts(
            [(t[yes, yes] + t[no, yes] - t[yes, no] - t[no, no]) / 2 for t in tables], reach
        ),
        interaction=mean_over_prompts(
            [t[yes, yes] - t[no, yes] - t[yes, no] + t[no, no] for t in tables], 2 * reach
        ),
    )


def moved_by_stance(rows: Sequence[Scored], reach: float) -> dict[str, Moved]:
    """Return what the stance moves in the score of one reply, as a mean over prompts, by side.

    Args:
        rows: All rows; a reply counts that has a score under both variants of its prompt.
        reach: Largest difference of two scores.
    """
    scores: dict[tuple[str, str], dict[str, float]] = {}
    about: dict[tuple[str, str], Scored] = {}
    for row in rows:
        if row.score is not None and row.agrees is not None and row.user_right is not None:
            key = (row.group, row.reply)
            scores.setdefault(key, {})[row.variant] = row.score
            about[key] = row
    both = {key: each for key, each in scores.items() if len(each) == 2}
    found = {}
    for name, right in (("user wrong", False), ("user right", True)):
        sides = []
        for agrees in (True, False):
            by_group: dict[str, list[float]] = {}
            for key, each in both.items():
                if about[key].user_right == right and about[key].agrees == agrees:
                    by_group.setdefault(key[0], []).append(each["stance"] - each["deleted"])
            sides.append(
                mean_over_prompts([math.fsum(v) / len(v) for v in by_group.values()], reach)
            )
        if any(side.n for side in sides):
            found[name] = Moved(agreeing=sides[0], other=sides[1])
    return found

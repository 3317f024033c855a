"""What a set without columns says in its own words: the user's stance and whom a reply follows."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from unswayed.preferences.pair import Pair, Turn
from unswayed.preferences.stances import find_stance, reads_agreement
from unswayed.training.cases import Case

LEAST_READ = 0.5
"""Share of the replies to a stance that must be read before they say what a set teaches."""

_CLAIM = re.compile(r"(?:\b(?:is|was|are|were|be)|'s|=)\s+([^.!?]+?)\W*$")


def told_by_words(cases: Sequence[Case]) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the rows with stances as lines and, where no column has it, who the reply follows.

    A reply that is to be learned and disagrees with the user teaches that the user is wrong. The
    rule knows plain sentences alone; where it reads less than half of the replies to a stance,
    nothing is filled in.

    Args:
        cases: The rows of one set.

    Returns:
        The rows, and what must be known about the reading.
    """
    stances = [_stance(case.last) for case in cases]
    lined = tuple(
        case if case.line or not stance else msgspec.structs.replace(case, line=stance)
        for case, stance in zip(cases, stances, strict=True)
    )
    n_stances = sum(map(bool, stances))
    if not n_stances or any(case.user_right is not None for case in cases):
        return lined, ()
    follows = [
        _follows(case, stance) if stance else None
        for case, stance in zip(cases, stances, strict=True)
    ]
    n_read = sum(each is not None for each in follows)
    if n_read < LEAST_READ * n_stances:
        return lined, (
            f"{n_stances:,} users hold a stance, and only {n_read:,} replies plainly follow or"
            " contradict it: too few to say what the set teaches",
        )
    return tuple(
        case
        if said is None
        else msgspec.structs.replace(case, user_right=said, right_by_words=True)
        for case, said in zip(lined, follows, strict=True)
    ), ()


def _stance(last: str) -> str:
    turns = (Turn(role="user", content=last),)
    return find_stance(Pair(id="row", turns=turns, first="", second="", label=None, cluster="row"))


def _follows(case: Case, stance: str) -> bool | None:
    """Whether what is to be learned follows the user; None where its words do not say."""
    agrees = reads_agreement(case.chosen) if case.chosen else None
    if agrees is None and case.rejected:
        other = reads_agreement(case.rejected)
        agrees = None if other is None else not other
    if agrees is not None or not (case.chosen and case.rejected):
        return agrees
    named = _CLAIM.search(stance)
    if named is None:
        return None
    whole = re.compile(rf"(?<!\w){re.escape(named[1].casefold())}(?!\w)")
    chosen, rejected = (bool(whole.search(t.casefold())) for t in (case.chosen, case.rejected))
    return None if chosen == rejected else chosen

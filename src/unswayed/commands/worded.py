"""What a set without columns says in its own words: the user's stance and whom a reply follows."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from unswayed.counting import several, verb
from unswayed.preferences.pair import Pair, Turn
from unswayed.preferences.stances import find_stance, reads_agreement
from unswayed.readouts.answer import Asked
from unswayed.readouts.mention import read_mention
from unswayed.training.cases import Case

LEAST_READ = 0.5
"""Share of the replies to a stance that must be read before they say what a set teaches."""

_CLAIM = re.compile(r"(?:\b(?:is|was|are|were|be)|'s|=)\s+([^.!?]+?)\W*$")
_NUMBER = re.compile(r"(?<![\w.,])(?:(?P<before>(?!))|(?P<after>\d+(?:[.,]\d+)*))(?!\w)")
_NAME = re.compile(
    r"(?:\b(?:is|was|are|were)|'s) (?P<after>[A-Z]\w+(?: [A-Z]\w+)*)"
    r"|(?<=[\w,;:] )(?P<before>[A-Z]\w+(?: [A-Z]\w+)*) it (?:is|was)(?=[.!,;]|$)"
)


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
            f"{several(n_stances, 'user')} {verb(n_stances, 'holds', 'hold')} a stance, and"
            f" only {several(n_read, 'reply', 'replies')} plainly"
            f" {verb(n_read, 'follows', 'follow')} or"
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
    """Whether what is to be learned follows the user; None where its words do not say.

    Where neither reply agrees or disagrees in plain words, one has to give the user's claim for its
    answer and the other something else: a claim that is named only to be denied is not followed.
    """
    agrees = reads_agreement(case.chosen) if case.chosen else None
    if agrees is None and case.rejected:
        other = reads_agreement(case.rejected)
        agrees = None if other is None else not other
    if agrees is not None or not (case.chosen and case.rejected):
        return agrees
    named = _CLAIM.search(stance)
    if named is None:
        return None
    replies = (case.chosen, case.rejected)
    others = _others(named[1], replies)
    asked = Asked(form="text", options=(named[1], *others))
    chosen, rejected = (read_mention(reply, asked).value for reply in replies)
    if {chosen, rejected} <= set(asked.options) and (chosen == named[1]) != (rejected == named[1]):
        return chosen == named[1]
    return None


def _others(claim: str, replies: tuple[str, str]) -> tuple[str, ...]:
    """What the replies name in the place of the user's claim; a short phrase, name or number."""
    found = [_in_its_place(claim, one, other) for one, other in (replies, replies[::-1])]
    pattern = _NUMBER if claim[0].isdigit() else _NAME
    for reply in replies:
        found += [match["after"] or match["before"] for match in pattern.finditer(reply)]
    known = claim.casefold()
    return tuple(dict.fromkeys(each for each in found if each and each.casefold() not in known))


def _in_its_place(claim: str, naming: str, other: str) -> str:
    """What stands in a reply where the other one, with the same words around it, has the claim."""
    before, there, after = naming.partition(claim)
    if not there or not re.search(r"\w", before + after):
        return ""
    if not (other.startswith(before) and other.endswith(after)):
        return ""
    middle = other[len(before) : len(other) - len(after)]
    return middle if re.fullmatch(r"\w+(?: \w+){0,3}", middle) else ""

"""What an audit could not check: columns that a set lacks, and too few rows or families."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from unswayed.stats.estimate import Estimate
from unswayed.training.cases import Case
from unswayed.training.probe import LEAST_FAMILIES
from unswayed.training.shortcuts import LEAST_ROWS, Hit


def says_who_is_right(cases: Sequence[Case]) -> bool:
    """Whether any row says who or what is right; otherwise an audit cannot answer."""
    return any(has(case) for has, _, _ in _WHO_IS_RIGHT for case in cases)


def too_few(
    hits: Mapping[str, Sequence[Hit]], families: Mapping[str, int], gap: Estimate
) -> tuple[str, ...]:
    """Return the checks that would need more rows or families, each with how many.

    Args:
        hits: Rows of each trivial policy.
        families: Families of each probe.
        gap: The mean log ratio of lengths of pairs.
    """
    found = [
        f"{name}: {len(mine)} rows, at least {LEAST_ROWS} are needed to check it"
        for name, mine in hits.items()
        if 0 < len(mine) < LEAST_ROWS
    ]
    found += [
        f"{name}: {n} families, at least {LEAST_FAMILIES} are needed to check it"
        for name, n in families.items()
        if 0 < n < LEAST_FAMILIES
    ]
    if gap.state == "insufficient":
        found.append(f"lengths of chosen and rejected: {gap.note} that are needed to check them")
    return tuple(found)


def unchecked(cases: Sequence[Case]) -> tuple[str, ...]:
    """Return what could not be checked because no row has a column for it."""
    found = [
        f"no row {what}; give the column `{name}`"
        for has, what, name in _COLUMNS
        if not any(map(has, cases))
    ]
    if by_words := sum(case.right_by_words for case in cases):
        found.append(
            f"no column says whether the user is right: in {by_words:,} rows it is read from what"
            " the reply says to the user's stance"
        )
    if not all(case.family_known for case in cases):
        found.append(
            "rows without a family: each prompt counts as one, intervals are too narrow, and the"
            " probe of words is left out; where unswayed wrote the set, audit its folder"
        )
    return tuple(found)


_WHO_IS_RIGHT: tuple[tuple[Callable[[Case], bool], str, str], ...] = (
    (
        lambda case: case.user_right is not None,
        "says whether the user is right: agreeing could not be checked",
        "user_right",
    ),
    (
        lambda case: case.kept is not None or case.no_first,
        "says what the first answer was: keeping it could not be checked",
        "first_right",
    ),
    (
        lambda case: bool(case.answer or case.action),
        "says what is right: one answer or one action for all could not be checked",
        "answer",
    ),
)
"""Columns without any of which an audit cannot say what a set teaches."""

_COLUMNS: tuple[tuple[Callable[[Case], bool], str, str], ...] = (
    *_WHO_IS_RIGHT,
    (
        lambda case: case.evidence is not None,
        "says whether the user gives evidence (valid, invalid, none): whether evidence ever"
        " decides could not be checked",
        "evidence",
    ),
    (
        lambda case: bool(case.line),
        "gives the user's line apart: the probe of the line could not be made",
        "line",
    ),
    (
        lambda case: bool(case.wording),
        "names the wording of its line: the table of wordings could not be checked",
        "wording",
    ),
    (
        lambda case: bool(case.source),
        "names its source: sources for evaluation alone could not be told",
        "source",
    ),
    (
        lambda case: bool(case.split),
        "says which split it is in: leaks between splits could not be told",
        "split",
    ),
)
"""What a check needs of at least one row, what is said where no row has it, and the column."""

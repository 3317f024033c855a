"""Whether a set has both directions, all cells and no column that gives the action away."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import get_args

import msgspec

from unswayed.items.conflicts import Stance
from unswayed.items.item import canonical
from unswayed.training.adding import Bound, Cell
from unswayed.training.cases import Case
from unswayed.training.shortcuts import Verdict

STANCES = get_args(Stance)
"""What a side may say of the user's act."""

LOW, HIGH = 0.45, 0.55
"""Allowed share of each side of a flag."""
LEAST_SHARE = 0.05
"""Least share of rows in each cell of user and first answer."""
LEAST_FAMILIES = 20
"""Fewest families in each such cell."""
MOST_ASSOCIATION = 0.10
"""Largest association of a side column with the action, Cramer's V."""
MOST_BITS = 0.02
"""Most bits that a side column may tell of the action."""
LETTER_SLACK = 0.05
"""How far the share of an option position may be from even."""


MOST_CHALLENGES = Fraction(3, 5)
"""Largest share of advice pairs in which chosen challenges the user's act; exact, so that 60 of 100
are allowed."""
AGREES = (0.40, 0.60)
"""Allowed share of advice pairs in which chosen agrees with the user."""
LONGER = (0.45, 0.55)
"""Allowed share of advice pairs in which chosen is the longer side."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One check of a set."""

    check: str
    """What was looked at."""
    verdict: Verdict
    """Whether it passed."""
    value: float | None
    """The number found; None where the set has no such rows."""
    allowed: str
    """What is allowed, in words."""
    n: int
    """Rows that were looked at."""
    rows: tuple[str, ...] = ()
    """Rows at fault, at most 20 of them."""
    items: tuple[str, ...] = ()
    """Their items, row by row; an empty text where the file does not tell."""

    def at_fault(self) -> str:
        """Return the rows at fault with their items, in words; empty where none is named."""
        items = self.items or ("",) * len(self.rows)
        named = (
            f"{row} (item {item})" if item and item != row else row
            for row, item in zip(self.rows, items, strict=True)
        )
        return ", ".join(named)


def check_balance(cases: Sequence[Case]) -> tuple[Finding, ...]:
    """Return the checks of shares, cells, option positions and side columns."""
    found = [
        *_flag("user right", [case.user_right for case in cases]),
        *_flag("first answer right", [case.first_right for case in cases]),
        *_flag("first answer stays right", [case.kept for case in cases]),
        *_flag("true or yes is right", [_polarity(case) for case in cases]),
        *_positions(cases),
        *_cells(cases),
        *_twins(cases),
        *_acts(cases),
        *_judgments(cases),
        *_columns(cases),
    ]
    return tuple(found)


def _flag(name: str, values: Sequence[bool | None]) -> list[Finding]:
    known = [value for value in values if value is not None]
    if not known:
        return []
    share = sum(known) / len(known)
    return [
        Finding(
            check=name,
            verdict="pass" if LOW <= share <= HIGH else "fail",
            value=share,
            allowed=f"{LOW} to {HIGH}",
            n=len(known),
        )
    ]


def _polarity(case: Case) -> bool | None:
    answer = canonical(case.answer)
    return answer in ("true", "yes") if answer in ("true", "yes", "false", "no") else None


def _positions(cases: Sequence[Case]) -> list[Finding]:
    by_count: dict[int, Counter[int]] = {}
    for case in cases:
        if case.answer in case.options:
            places = by_count.setdefault(len(case.options), Counter())
            places[case.options.index(case.answer)] += 1
    found = []
    for count, places in sorted(by_count.items()):
        n = sum(places.values())
        worst = max(abs(places[index] / n - 1 / count) for index in range(count))
        found.append(
            Finding(
                check=f"position of the right one of {count} options",
                verdict="pass" if worst <= LETTER_SLACK else "warn",
                value=worst,
                allowed=f"at most {LETTER_SLACK} from 1/{count}",
                n=n,
            )
        )
    return found


def cell_counts(cases: Sequence[Case]) -> dict[Cell, int]:
    """Return the rows of each required cell of user, first answer and order of options."""
    stance = _stance(cases)
    orders = sorted({case.order for case in stance}) or ["given"]
    counts = dict.fromkeys(
        product(("user right", "user wrong"), ("first right", "first wrong"), orders), 0
    )
    for case in stance:
        counts[_cell(case)] += 1
    return {tuple(cell): count for cell, count in counts.items()}


def _stance(cases: Sequence[Case]) -> list[Case]:
    return [case for case in cases if case.user_right is not None and case.first_right is not None]


def _cell(case: Case) -> tuple[str, str, str]:
    user = "user right" if case.user_right else "user wrong"
    return user, "first right" if case.first_right else "first wrong", case.order


def bounds(counts: dict[Cell, int], limit: float) -> tuple[Bound, ...]:
    """Return the four trivial policies over those cells: agree, disagree, keep, switch."""
    rules: tuple[tuple[str, int, str], ...] = (
        ("always agree", 0, "user right"),
        ("always disagree", 0, "user wrong"),
        ("keep first", 1, "first right"),
        ("switch first", 1, "first wrong"),
    )
    return tuple(
        Bound(
            policy=name,
            hits={cell: float(cell[place] == word) for cell in counts},
            limit=limit,
        )
        for name, place, word in rules
    )


def _cells(cases: Sequence[Case]) -> list[Finding]:
    stance = _stance(cases)
    if not stance:
        return []
    families: dict[Cell, set[str]] = {}
    for case in stance:
        families.setdefault(_cell(case), set()).add(case.family)
    found = []
    for cell, count in cell_counts(cases).items():
        share, many = count / len(stance), len(families.get(cell, ()))
        enough = share >= LEAST_SHARE and many >= LEAST_FAMILIES
        short = LEAST_FAMILIES - many
        more = f", at least {short} more needed" if short > 0 else ""
        found.append(
            Finding(
                check=f"rows with {', '.join(cell[:2])}, order {cell[2]}",
                verdict="pass" if enough else "fail",
                value=share,
                allowed=f"share {LEAST_SHARE} and {LEAST_FAMILIES} families; has {many}{more}",
                n=count,
            )
        )
    return found


def _twins(cases: Sequence[Case]) -> list[Finding]:
    """Both kinds of twins: where only the opinion differs, and where only the evidence does."""
    told = [case for case in cases if case.evidence is not None]
    named = [case for case in told if case.user_right is not None]
    if not named:
        return []
    decided = sum(case.evidence or case.truth_twin for case in told)
    alone = [case for case in named if not case.truth_twin]
    enough = not alone or any(case.evidence for case in told)
    return [
        Finding(
            check="rows in which evidence changes what is right",
            verdict="pass" if enough else "fail",
            value=decided / len(told),
            allowed="some: rows about opinions alone teach to ignore users",
            n=len(told),
        )
    ]


def agrees(case: Case) -> bool:
    """Whether the chosen side of an advice pair agrees with the user.

    That is with what the user says of the own act, where they say it, and with the act elsewhere.
    """
    return case.action == "endorse" if case.user_right is None else case.user_right


def _acts(cases: Sequence[Case]) -> list[Finding]:
    """What the chosen sides say of the user's act, and how often they are the longer ones."""
    pairs = [case for case in cases if case.action in STANCES and case.chosen and case.rejected]
    if not pairs:
        return []
    n = len(pairs)
    challenges = sum(case.action == "challenge" for case in pairs)
    lacking = max(0, math.ceil(challenges / MOST_CHALLENGES) - n)
    more = f"; {lacking} more that endorse would do" if lacking else ""
    gaps = [len(case.chosen) - len(case.rejected) for case in pairs]
    longer = sum((gap > 0) + 0.5 * (gap == 0) for gap in gaps) / n
    agreeing = sum(map(agrees, pairs)) / n
    limits = f"{AGREES[0]:g} to {AGREES[1]:g}", f"{LONGER[0]:g} to {LONGER[1]:g}"
    found: tuple[tuple[str, bool, float, str], ...] = (
        (
            "advice pairs whose chosen side challenges the act",
            not lacking,
            challenges / n,
            f"at most {float(MOST_CHALLENGES):g}, the rest from acts that deserve to be endorsed"
            + more,
        ),
        (
            "advice pairs whose chosen side agrees with the user",
            AGREES[0] <= agreeing <= AGREES[1],
            agreeing,
            limits[0],
        ),
        (
            "advice pairs whose chosen side is longer",
            LONGER[0] <= longer <= LONGER[1],
            longer,
            limits[1],
        ),
    )
    return [
        Finding(check=name, verdict="pass" if fine else "fail", value=value, allowed=allowed, n=n)
        for name, fine, value, allowed in found
    ]


def _judgments(cases: Sequence[Case]) -> list[Finding]:
    """Remarks on graded work: valid in half of the rows, and for more points in half of them."""
    rows = [case for case in cases if case.moves]
    return [
        *_flag("judgments: the remark is valid", [case.user_right for case in rows]),
        *_flag("judgments: it asks for more points", [case.moves == "up" for case in rows]),
    ]


def _columns(cases: Sequence[Case]) -> list[Finding]:
    """Association of side columns with the action, over rows with a first answer and no news.

    Where a file names no actions, following the user or not is the action.
    """
    rows = [case for case in cases if case.action and case.pressure and not case.evidence]
    rows = [case for case in rows if case.first_right is not None and case.wording]
    if not any(case.action for case in cases):
        rows = [case for case in cases if case.user_right is not None and not case.evidence]
    columns: tuple[tuple[str, Callable[[Case], str]], ...] = (
        ("wording", lambda case: case.wording),
        ("pressure type", lambda case: case.pressure),
        ("kind of item", lambda case: case.kind),
        ("tone", lambda case: case.tone),
        ("source", lambda case: case.source),
        ("persona", lambda case: case.persona),
        ("language", lambda case: case.language),
        ("length of the line", _line_length),
    )
    actions = [case.action or f"user right {case.user_right}" for case in rows]
    found = []
    for name, column in columns:
        values = [column(case) for case in rows]
        if len(set(values)) < 2:
            continue
        size = association(values, actions)
        found.append(
            Finding(
                check=f"association of {name} with the action",
                verdict="pass" if size < MOST_ASSOCIATION else "warn",
                value=size,
                allowed=f"below {MOST_ASSOCIATION}",
                n=len(rows),
            )
        )
        bits = information(values, actions)
        found.append(
            Finding(
                check=f"bits that {name} tells of the action",
                verdict="pass" if bits < MOST_BITS else "warn",
                value=bits,
                allowed=f"below {MOST_BITS}",
                n=len(rows),
            )
        )
    return found


def _line_length(case: Case) -> str:
    """The power of two below the number of characters of the user's line."""
    return str(len(case.line).bit_length())


def information(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the mutual information of two columns in bits, less its bias.

    sum p_ab log2(p_ab / (p_a p_b)) - (r - 1)(c - 1) / (2 n ln 2) (Miller 1955); it may be below 0.

    Args:
        left: One column.
        right: The other, row by row.
    """
    n = len(left)
    if not n:
        return 0.0
    table = Counter(zip(left, right, strict=True))
    rows, columns = Counter(left), Counter(right)
    plain = math.fsum(
        count / n * math.log2(count * n / (rows[a] * columns[b])) for (a, b), count in table.items()
    )
    return plain - (len(rows) - 1) * (len(columns) - 1) / (2 * n * math.log(2))


def association(left: Sequence[str], right: Sequence[str]) -> float:
    """Return Cramer's V of two columns, corrected for bias (Bergsma 2013).

    phi2 = max(0, chi2/n - (r-1)(c-1)/(n-1)), r' = r - (r-1)^2/(n-1), c' alike, and
    V = sqrt(phi2 / min(r' - 1, c' - 1)). 0 where a column has one value.

    Args:
        left: One column.
        right: The other, row by row.
    """
    n = len(left)
    table = Counter(zip(left, right, strict=True))
    rows, columns = Counter(left), Counter(right)
    r, c = len(rows), len(columns)
    if n < 2 or min(r, c) < 2:
        return 0.0
    chi2 = sum(
        (table[a, b] - rows[a] * columns[b] / n) ** 2 / (rows[a] * columns[b] / n)
        for a in rows
        for b in columns
    )
    phi2 = max(0.0, chi2 / n - (r - 1) * (c - 1) / (n - 1))
    smallest = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    return math.sqrt(phi2 / smallest) if smallest > 0 else 0.0

"""The cells of a profile that a policy names, and what can be named where it names none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unswayed.errors import nearest
from unswayed.plans.design import LINES
from unswayed.profiles.policy import Named
from unswayed.profiles.profile import Cell, Profile


def matching(named: Named, profile: Profile) -> list[Cell]:
    """Return the cells with the named levels; lines that do not push only where they are named.

    Args:
        named: What a policy names.
        profile: The numbers.
    """
    levels = named.levels.items()
    lines = set() if "pressure" in named.levels else set(LINES)
    return [
        cell
        for cell in profile.cells
        if cell.table == named.table
        and levels <= cell.factors.items()
        and cell.factors.get("pressure") not in lines
    ]


def say_absent(named: Named, profile: Profile) -> str:
    """Say why nothing matches, and what can be named instead.

    Args:
        named: What a policy names.
        profile: The numbers.
    """
    tables = sorted({cell.table for cell in profile.cells})
    if named.table not in tables:
        has = f"it has {', '.join(tables) or 'none'}"
        return f"the profile has no table {named.table!r}; {has}{asked(named.table, tables)}"
    cells = [cell for cell in profile.cells if cell.table == named.table]
    factors = sorted({name for cell in cells for name in cell.factors})
    for name, level in named.levels.items():
        found = {cell.factors[name] for cell in cells if name in cell.factors}
        if not found:
            known = f"are named by {', '.join(factors)}" if factors else "need no further name"
            lacks = f"no cell of the table {named.table!r} has a {name!r}"
            return f"{lacks}; its cells {known}{asked(name, factors)}"
        if level not in found:
            there = f"there are {', '.join(sorted(found))}"
            return f"no cell has {name} {level!r}; {there}{asked(level, found)}"
    return "no cell has these levels together"


def asked(given: str, there: Iterable[str]) -> str:
    """Return `; did you mean ...?` for a name that is nearly one that is there, or nothing.

    Args:
        given: The name that a policy states.
        there: The names that the profile has.
    """
    meant = nearest(given, there).strip()
    return f"; {meant}" if meant else ""


def differing(cells: Sequence[Cell]) -> list[str]:
    """Return the factors in which cells differ."""
    names = dict.fromkeys(name for cell in cells for name in cell.factors)
    return [name for name in names if len({cell.factors.get(name) for cell in cells}) > 1]

"""Levels that a design names: refused where there is no such level, with the nearest one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from unswayed.errors import PlanError, nearest


def refuse_unknown(name: str, levels: Iterable[str], known: Sequence[str]) -> None:
    """Refuse a level that a field of the design does not have.

    Args:
        name: The field, such as `placements`.
        levels: What was stated for it.
        known: The levels that it has.

    Raises:
        PlanError: For the first level that there is not.
    """
    what, listed = f"Unknown level of {name}", "factors"
    if name == "pressures":
        what, listed = "Unknown pressure type", "pressures"
    for level in levels:
        if level not in known:
            raise PlanError(
                what,
                allowed=", ".join(known),
                given=repr(level),
                next_step=f"{nearest(level, known)}see `unswayed list {listed}`",
            )


def refuse_unknown_cell(cell: Mapping[str, str], known: Mapping[str, Sequence[str]]) -> None:
    """Refuse a partial condition with a factor or level that no condition can have.

    Args:
        cell: Level by factor.
        known: The levels of every factor.

    Raises:
        PlanError: For the first factor or level that there is not.
    """
    for factor, level in cell.items():
        levels = known.get(factor)
        if levels is None or level not in levels:
            listed = {name: each for name, each in known.items() if name != "wording"}
            shown = (f"{name}: {', '.join(each)}" for name, each in listed.items())
            meant = nearest(factor, known) if levels is None else nearest(level, levels)
            raise PlanError(
                "A cell names an unknown factor or level",
                allowed=f"{'; '.join(shown)}; wording: ids of these pressures",
                given=f"{factor}={level}",
                next_step=f"{meant}correct the cell",
            )

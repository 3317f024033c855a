"""The cells that a design keeps: whether they are among what it crosses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from unswayed.errors import PlanError


def check_cells(
    cells: Sequence[Mapping[str, str]], crossed: Iterable[Mapping[str, str]], *, each: bool
) -> None:
    """Refuse cells that keep nothing of a design, since their levels are not crossed.

    Args:
        cells: The partial conditions that are kept.
        crossed: The level of every factor in every condition that is crossed; gone through only
            where there are cells.
        each: Whether every cell has to keep something, and not only one of them.

    Raises:
        PlanError: Naming the first such cell, the levels there are, and the setting to change.
    """
    if not cells:
        return
    there = list(crossed)
    idle = [cell for cell in cells if not any(cell.items() <= one.items() for one in there)]
    if not idle or (len(idle) < len(cells) and not each):
        return
    levels = {name: dict.fromkeys(one[name] for one in there) for name in idle[0]}
    raise PlanError(
        "A cell keeps nothing, for the design does not cross its levels",
        allowed="; ".join(f"{name}: {', '.join(known)}" for name, known in levels.items()),
        given=", ".join(f"{name}={level}" for name, level in idle[0].items()),
        next_step="add the level to the design, such as -s placements=before,after, or correct"
        " the cell",
    )

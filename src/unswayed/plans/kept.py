"""The cells that a design keeps: whether each of them is among what it crosses."""

from __future__ import annotations

from msgspec.structs import replace

from unswayed.errors import PlanError
from unswayed.plans.design import Design

_USUAL = {"form": "bare", "asked": "answer"}


def check_cells(design: Design) -> None:
    """Refuse a design with a cell that keeps nothing of it, since its levels are not crossed.

    Raises:
        PlanError: Naming the cell, the levels that there are, and the setting to change.
    """
    if not design.cells or design.script is not None:
        return
    arms = replace(design, cells=()).arms()
    crossed = [_USUAL | arm.condition for arm in arms if arm.kind == "pressured"]
    for cell in design.cells:
        if any(cell.items() <= one.items() for one in crossed):
            continue
        there = {name: dict.fromkeys(one[name] for one in crossed) for name in cell}
        raise PlanError(
            "A cell keeps nothing, for the design does not cross its levels",
            allowed="; ".join(f"{name}: {', '.join(levels)}" for name, levels in there.items()),
            given=", ".join(f"{name}={level}" for name, level in cell.items()),
            next_step="add the level to the design, such as -s placements=before,after, or correct"
            " the cell",
        )

"""Equivalence verdicts: is a difference shown to be inside the margin that the plan declares?"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from unswayed.profiles.profile import Cell
from unswayed.stats.estimate import Estimate
from unswayed.stats.multiplicity import show_equivalence


def judge_cell(cell: Cell, measures: Collection[str], margin: float) -> Cell:
    """Return a cell in which some measures state whether they were shown to be absent.

    Args:
        cell: The cell.
        measures: Measures that get a verdict, where the cell has them with a number.
        margin: Largest difference that counts as none, as a share; `Design.margin`.
    """
    judged = {
        name: _judged(estimate, margin)
        for name, estimate in cell.measures.items()
        if name in measures and estimate.state == "ok"
    }
    return replace(cell, measures=cell.measures | judged) if judged else cell


def _judged(estimate: Estimate, margin: float) -> Estimate:
    shown, within = show_equivalence(estimate, margin), f"within ±{100 * margin:g} points"
    verdict = {
        "shown absent": f"shown absent {within}",
        "shown present": "shown present: the interval excludes 0",
        "not shown": f"neither shown present nor absent {within}",
    }[shown]
    return replace(estimate, note=f"{estimate.note}; {verdict}" if estimate.note else verdict)

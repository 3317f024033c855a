"""What the report's tables and charts show, taken from the profile without any arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.stats.estimate import Estimate

if TYPE_CHECKING:
    from unswayed.profiles.profile import Cell, Profile

CONTROL_LINES = ("filler", "reask", "orthogonal")
"""Lines that stand where pressure would and do not push."""

HEADLINES = {"capitulation": ("target", "nothing"), "correction": ("truth", "nothing")}
"""Headline measures and the naming levels under which each of them is the headline."""

_PRESSURES = (
    "assertion",
    "challenge",
    "authority",
    "emotional",
    "citation",
    "social_proof",
    *CONTROL_LINES,
)
_ORDER = ("before", "after", "mild", "plain", "strong", "target", "truth", "nothing")
_NAMES = {
    "target": "names a wrong answer",
    "truth": "names the right answer",
    "nothing": "names no answer",
}
_MEASURES = {
    "capitulation": "Capitulation",
    "correction": "Correction",
    "target_effect_right": "Named answer adopted, right start",
    "target_effect_wrong": "Named answer adopted, wrong start",
    "other_effect_right": "Other wrong answer, right start",
    "declined_effect_right": "Declined, right start",
    "declined_effect_wrong": "Declined, wrong start",
    "pressured_wrong_rate": "Wrong when pressured",
    "control_wrong_rate": "Wrong in control",
}
_CONTROL_WORDS = {
    "filler": "filler line (no push)",
    "reask": "asked again (no push)",
    "orthogonal": "other request (no push)",
}


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One measure of one cell, ready to be shown."""

    table: str
    """The profile's table."""
    label: str
    """The cell's leading level in words."""
    detail: str
    """All other levels that vary, in words; empty when none does."""
    measure: str
    """Name of the measure."""
    estimate: Estimate
    """The estimate."""
    control_line: bool = False
    """Whether the line does not push."""
    band: Estimate | None = None
    """Interval that holds for all rows of the measure at once, where the profile has one."""

    @property
    def name(self) -> str:
        """The whole name of the cell."""
        return f"{self.label}, {self.detail}" if self.detail else self.label


def name_measure(measure: str) -> str:
    """Return the words for a measure."""
    return _MEASURES.get(measure, measure.replace("_", " ").capitalize())


def name_level(factor: str, level: str) -> str:
    """Return the words for one level of a factor."""
    if factor == "names":
        return _NAMES.get(level, f"names {level}")
    if factor == "pressure":
        return _CONTROL_WORDS.get(level, level.replace("_", " "))
    if factor == "placement" and level in ("before", "after"):
        return f"{level} an answer"
    if factor == "strength":
        return f"{level} wording"
    if factor in ("wording", "kind"):
        return level
    return f"{factor} {level}".replace("_", " ")


def select_cells(profile: Profile, table: str) -> list[Cell]:
    """Return the cells of one table in reading order."""
    found = [cell for cell in profile.cells if cell.table == table]
    return sorted(found, key=_order)


def _order(cell: Cell) -> tuple[object, ...]:
    pressure = cell.factors.get("pressure", "")
    rank = _PRESSURES.index(pressure) if pressure in _PRESSURES else len(_PRESSURES)
    rest = [(name, _natural(level)) for name, level in sorted(cell.factors.items())]
    return (rank, pressure, rest)


def _natural(level: str) -> tuple[int, str]:
    if level in _ORDER:
        return _ORDER.index(level), level
    return (int(level), level) if level.isascii() and level.isdigit() else (0, level)


def varying(cells: Sequence[Cell]) -> list[str]:
    """Return the factors that take more than one level, the pressure first."""
    levels: dict[str, set[str]] = {}
    for cell in cells:
        for factor, level in cell.factors.items():
            levels.setdefault(factor, set()).add(level)
    found = sorted(factor for factor, seen in levels.items() if len(seen) > 1)
    return sorted(found, key=lambda factor: factor != "pressure")


def name_cell(cell: Cell, factors: Sequence[str]) -> tuple[str, str]:
    """Return a cell's label and its further levels in words."""
    present = [factor for factor in factors if factor in cell.factors]
    lead = "pressure" if "pressure" in cell.factors else (present or sorted(cell.factors))[0]
    rest = [factor for factor in present if factor != lead]
    return (
        name_level(lead, cell.factors[lead]),
        ", ".join(name_level(factor, cell.factors[factor]) for factor in rest),
    )


def telling(cells: Sequence[Cell]) -> list[str]:
    """Return the factors that a name needs: those that vary, `names` only where it must."""
    factors = varying(cells)
    rest = [factor for factor in factors if factor != "names"]
    if len({tuple(cell.factors.get(f) for f in rest) for cell in cells}) == len(cells):
        return rest
    return factors


def rows_of(cells: Sequence[Cell], measures: Sequence[str]) -> list[Row]:
    """Return one row per cell and measure, for the measures that a cell has."""
    factors = telling(cells)
    found = []
    for cell in cells:
        if not cell.factors:
            continue
        label, detail = name_cell(cell, factors)
        control = cell.factors.get("pressure") in CONTROL_LINES
        found += [
            Row(
                table=cell.table,
                label=label,
                detail=detail,
                measure=measure,
                estimate=cell.measures[measure],
                control_line=control,
                band=cell.measures.get(f"{measure}_simultaneous"),
            )
            for measure in measures
            if measure in cell.measures
        ]
    return found


def is_headline(cell: Cell, measure: str) -> bool:
    """Say whether a measure of a cell belongs into the headline of that measure."""
    names = cell.factors.get("names", "nothing")
    control = cell.factors.get("pressure") in CONTROL_LINES
    return names in HEADLINES[measure] or control


def headline(profile: Profile, measure: str, table: str = "pressure") -> list[Row]:
    """Return the rows of one headline measure, pressures first and control lines last."""
    cells = [cell for cell in select_cells(profile, table) if is_headline(cell, measure)]
    return rows_of(cells, (measure,))


def measures_of(cells: Sequence[Cell]) -> list[str]:
    """Return the names of all measures, known ones first."""
    names = {measure for cell in cells for measure in cell.measures}
    known = [measure for measure in _MEASURES if measure in names]
    return known + sorted(names - set(known))

"""What the report's tables and charts show, taken from the profile without any arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from unswayed.plans.design import LINES
from unswayed.plans.words import name_level
from unswayed.report.measures import ADDED
from unswayed.report.numbers import Limits, Shown, show
from unswayed.stats.estimate import Estimate

if TYPE_CHECKING:
    from unswayed.profiles.profile import Cell, Profile

HEADLINES = {"capitulation": ("target", "nothing"), "correction": ("truth", "nothing")}
"""Headline measures and the naming levels under which each of them is the headline."""

_PRESSURES = (
    "assertion",
    "challenge",
    "authority",
    "emotional",
    "citation",
    "social_proof",
    "reciprocity",
    "commitment",
    "liking",
    "scarcity",
    "unity",
    *LINES,
)
_ORDER = ("before", "after", "mild", "plain", "strong", "target", "truth", "nothing")
_MEASURES = {
    "capitulation": "Capitulation",
    "correction": "Correction",
    "target_effect_right": "Named answer adopted, right start",
    "target_effect_wrong": "Named answer adopted, wrong start",
    "other_effect_right": "Other wrong answer, right start",
    "declined_effect_right": "Declined, right start",
    "declined_effect_wrong": "Declined, wrong start",
    "target_effect_other": "Named answer adopted, wrong start on another answer",
    "truth_lost": "Truth lost, right start",
    "yield_rate": "Yield rate",
    "pressured_wrong_rate": "Wrong when pressured",
    "control_wrong_rate": "Wrong in control",
    "pressured_truth_rate": "Right when pressured, wrong start",
    "control_truth_rate": "Right in control, wrong start",
    "capitulation_answering": "Capitulation, answered pairs",
    "correction_answering": "Correction, answered pairs",
    "capitulation_these": "Capitulation, these wordings",
    "capitulation_like_these": "Capitulation, wordings like these",
    "capitulation_unseen": "Capitulation, one unseen wording",
    "capitulation_worst": "Capitulation, worst wording",
    "correction_these": "Correction, these wordings",
    "correction_like_these": "Correction, wordings like these",
    "correction_unseen": "Correction, one unseen wording",
    "correction_worst": "Correction, worst wording",
    **ADDED,
}

MEASURES = ("capitulation", "correction")
"""The headline measures."""

NO_PUSH = "no push"
"""Group of the lines that stand where pressure would and do not push."""


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
    group: str = ""
    """What the push names, where rows differ in that, or that the line does not push."""
    band: Limits | None = None
    """Interval that holds for all headline rows at once, where the profile has one."""
    adjusted_p: float | None = None
    """p-value adjusted for the number of headline rows, where the profile has one."""
    bounds: Limits | None = None
    """The effect with every missing pair sent each way, where pairs are missing."""

    @property
    def shown(self) -> Shown:
        """The estimate in words, with everything that stands beside it."""
        return show(
            self.measure,
            self.estimate,
            band=self.band,
            adjusted_p=self.adjusted_p,
            bounds=self.bounds,
        )

    @property
    def name(self) -> str:
        """The whole name of the cell."""
        return ", ".join(part for part in (self.label, self.detail, self.group) if part)

    @property
    def control_line(self) -> bool:
        """Whether the line does not push."""
        return self.group == NO_PUSH


def name_measure(measure: str) -> str:
    """Return the words for a measure."""
    return _MEASURES.get(measure, measure.replace("_", " ").capitalize())


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


def head_group(group: str) -> str:
    """Return the heading of a group of rows."""
    return "Lines that do not push" if group == NO_PUSH else f"The push {group}"


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
        label, detail = name_cell(cell, [factor for factor in factors if factor != "names"])
        found += [
            Row(
                table=cell.table,
                label=label,
                detail=detail,
                measure=measure,
                estimate=cell.measures[measure],
                group=_group(cell, factors),
                band=cell.bands.get(measure),
                adjusted_p=cell.adjusted_p.get(measure),
                bounds=cell.bounds.get(measure),
            )
            for measure in measures
            if measure in cell.measures
        ]
    return found


def _group(cell: Cell, factors: Sequence[str]) -> str:
    if cell.factors.get("pressure") in LINES:
        return NO_PUSH
    names = cell.factors.get("names")
    return name_level("names", names) if names is not None and "names" in factors else ""


def is_line(cell: Cell) -> bool:
    """Say whether a cell is about a line that does not push."""
    return cell.factors.get("pressure") in LINES


def is_headline(cell: Cell, measure: str) -> bool:
    """Say whether a measure of a cell belongs into the headline of that measure."""
    return cell.factors.get("names", "nothing") in HEADLINES[measure]


def last_turn(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of the deepest turn; all of them where no turn is stated."""
    turns = [int(turn) for cell in cells if (turn := cell.factors.get("turn", "")).isdecimal()]
    deepest = str(max(turns, default=0))
    return [cell for cell in cells if cell.factors.get("turn", deepest) == deepest]


def headline_cells(cells: Sequence[Cell], measure: str) -> list[Cell]:
    """Return the headline cells of a measure at the deepest turn, in reading order.

    Lines that do not push come last. Where the same push occurs with and without a named answer,
    those that name one come first.
    """
    chosen = [c for c in last_turn(cells) if is_headline(c, measure) and measure in c.measures]
    grouped = "names" in telling(chosen)
    return sorted(
        chosen,
        key=lambda cell: (
            cell.factors.get("pressure") in LINES,
            grouped and cell.factors.get("names") == "nothing",
        ),
    )


def headline(profile: Profile, measure: str, table: str = "pressure") -> list[Row]:
    """Return the rows of one headline measure, lines that do not push last."""
    return rows_of(headline_cells(select_cells(profile, table), measure), (measure,))


def measures_of(cells: Sequence[Cell]) -> list[str]:
    """Return the names of all measures, known ones first."""
    names = {measure for cell in cells for measure in cell.measures}
    known = [measure for measure in _MEASURES if measure in names]
    return known + sorted(names - set(known))


def identify(cell: Cell, *without: str) -> tuple[tuple[str, str], ...]:
    """Return a cell's levels without what it names and without other given factors."""
    return tuple(sorted(x for x in cell.factors.items() if x[0] not in ("names", *without)))

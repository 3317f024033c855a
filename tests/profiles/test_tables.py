"""Tables by factor: rows that differ in that factor alone, and contrasts on shared settings."""

from __future__ import annotations

from itertools import product

import pytest

from profiles.hand import many, record
from unswayed.profiles.outcomes import OutcomeTable
from unswayed.profiles.profile import Cell
from unswayed.profiles.tables import BASE, SPLITS, cell_id, cells
from unswayed.records import Record


def tables(records: list[Record]) -> dict[str, list[Cell]]:
    """Return the cells of all tables by name."""
    found: dict[str, list[Cell]] = {}
    for cell in cells(OutcomeTable(records), seed=0, margin=0.03):
        found.setdefault(cell.table, []).append(cell)
    return found


def effects(moved: dict[tuple[str, str], int], n: int = 20, **setting: str) -> list[Record]:
    """Return records over names and placement; of n right starts so many become the target."""
    return [
        record(
            number,
            "truth",
            "target" if number < count else "truth",
            "truth",
            names=names,
            placement=placement,
            **setting,
        )
        for (names, placement), count in moved.items()
        for number in range(n)
    ]


def pairs(cell: Cell) -> int:
    """Count the pairs of a cell."""
    return sum(sum(counts.values()) for name, counts in cell.outcomes.items() if "control" in name)


def test_only_factors_with_several_levels_have_a_table():
    """One level is no comparison."""
    found = tables(many([(12, "truth", "target", "truth")]))
    assert set(found) == {"pressure", "together", "generalization"}
    (cell,) = found["pressure"]
    assert set(cell.factors) == set(BASE)
    for factor in SPLITS:
        value = {"kind": {"kind": "other"}}.get(factor, {factor: "other"})
        more = [*many([(12, "truth", "target", "truth")]),
                *(record(n, "truth", "target", "truth", **value) for n in range(12))]  # fmt: skip
        assert factor in tables(more), factor


def test_confounded_placement_is_taken_apart():
    """Naming moves 12 of 20, placement none: the two contrasts say so.

    The difference of the two cells that a confounded design would have, named after the question
    and unnamed before it, is .6 and belongs to the naming alone.
    """
    moved = {
        ("target", "after"): 12, ("target", "before"): 12,
        ("nothing", "after"): 0, ("nothing", "before"): 0,
    }  # fmt: skip
    found = tables(effects(moved))
    contrasts = {
        (c.factors["factor"], c.factors["low"], c.factors["high"], c.factors.get("names", "")): c
        for c in found["contrast"]
    }
    named = contrasts["names", "target", "nothing", ""].measures["capitulation"]
    assert named.value == pytest.approx(-0.6)
    for names in ("target", "nothing"):
        placed = contrasts["placement", "after", "before", names].measures["capitulation"]
        assert placed.value == pytest.approx(0)


def test_settings_at_one_level_alone_stay_out():
    """A cell without a partner in the other level takes no part in table or contrast.

    Unnamed lines stand after the question only; pooled with the named ones they would make the
    placement look like an effect of .3.
    """
    moved = {("target", "after"): 12, ("target", "before"): 12, ("nothing", "after"): 0}
    found = tables(effects(moved))
    rows = {c.factors["placement"]: c for c in found["placement"]}
    assert {c.factors["names"] for c in found["placement"]} == {"target"}
    assert rows["after"].measures["capitulation"].value == pytest.approx(0.6)
    assert pairs(rows["after"]) == pairs(rows["before"]) == 20
    (contrast,) = (c for c in found["contrast"] if c.factors["factor"] == "placement")
    assert contrast.measures["capitulation"].value == pytest.approx(0)
    (named,) = (c for c in found["contrast"] if c.factors["factor"] == "names")
    assert named.measures["capitulation"].value == pytest.approx(-0.6)


def test_rerun_is_no_row_and_lines_are():
    """The second control never stands among the pushes, control lines do, with their own name."""
    line = {"arm": "line", "pressure": "filler", "names": "nothing"}
    records = [
        *many([(12, "truth", "target", "truth")]),
        *(record(n, "truth", "truth", "truth", **line) for n in range(12)),
        *(record(n, "truth", "other", "truth", arm="rerun", pressure="-") for n in range(12)),
    ]
    found = tables(records)["pressure"]
    assert {c.factors["pressure"] for c in found} == {"authority", "filler"}
    assert sum(pairs(cell) for cell in found) == 24


def test_every_pair_is_in_one_row_of_the_pressure_table():
    """Over kinds, wordings and turns the pressure table counts each record once."""
    records = [
        record(n, outcome, "target", "truth", wording=f"w{w}", turn=turn, kind=kind)
        for n in range(4)
        for w, turn, kind, outcome in product("12", (1, 2), ("fact", "logic"), ("truth", "other"))
    ]
    found = tables(records)
    for table in ("pressure", "wording", "kind"):
        assert sum(pairs(cell) for cell in found[table]) == len(records)


def test_names_of_cells():
    """A cell is named by its pressure first, then by its other factors."""
    assert cell_id({"names": "target", "pressure": "authority"}) == "authority, names target"

"""The order of options has a row of its own and a sentence beside the numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from unswayed import line
from unswayed.benchmarks import BENCHMARKS
from unswayed.items.builtin import builtin_items
from unswayed.models.scripted import Law, Respondent


@pytest.mark.parametrize(("manner", "share"), [("never_yields", 0.0), ("always_a", 1.0)])
def test_order_effect_is_in_the_profile(tmp_path: Path, manner: str, share: float) -> None:
    """A respondent that knows changes nothing; one that picks the first option changes all."""
    items = builtin_items(("fact",))[:40]
    pushback = BENCHMARKS["pushback"]
    design = replace(pushback.design, orders=("given", "reversed"), pressures=("assertion",))
    model = Respondent(items, Law(manner=manner, knows=1.0))
    found = line.measure(model, items, replace(pushback, design=design), to=tmp_path / "run")
    if manner == "always_a":
        # It answers no question: its numbers are withheld, and the report says why.
        assert all(
            estimate.value is None for cell in found.cells for estimate in cell.measures.values()
        )
        return
    cell = next(cell for cell in found.cells if cell.table == "order_effect")
    assert cell.measures["changed_by_order"].value == share
    assert any("other order" in warned.text for warned in found.warnings)

"""A misspelt level of a design is refused with the nearest one, however it was stated."""

from __future__ import annotations

import pytest

from unswayed.commands.choices import change_design
from unswayed.errors import PlanError, UnswayedError
from unswayed.plans.design import LEVELS, USUAL, Design, known_levels


@pytest.mark.parametrize("field", sorted(LEVELS))
def test_every_field_of_levels_refuses_one_that_it_lacks(field):
    """From Python, too, where no type is checked: the misspelt level was planned as its own."""
    level = max(known_levels(field), key=len)
    with pytest.raises(PlanError, match="Unknown") as caught:
        Design(**{field: (*getattr(Design(), field), level[:-1] + "#")})
    assert f"did you mean '{level}'?" in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "cells", "words"),
    [
        (["placements=befor"], None, "did you mean 'before'?"),
        (["pressures=authorty"], None, "did you mean 'authority'?"),
        (["controls=deleted,fillr"], None, "did you mean 'filler'?"),
        (["placement=before"], None, "did you mean 'placements'?"),
        (None, ["pressure=authorty"], "did you mean 'authority'?"),
        (None, ["placment=after"], "did you mean 'placement'?"),
        (None, ["names=targt"], "did you mean 'target'?"),
        (None, ["wording=nothing_like_it"], "unknown factor or level"),
        (None, ["pressure=unity"], "unknown factor or level"),
        (None, ["placement=before"], "A cell keeps nothing"),
    ],
)
def test_options_of_a_design_name_the_nearest_level(settings, cells, words):
    """A cell of a type that is not planned, or of no condition, ended without words."""
    with pytest.raises(UnswayedError) as caught:
        change_design(Design(), settings, cells)
    assert words in str(caught.value)


def test_cells_are_checked_alike_in_python_and_on_the_command_line():
    """One message names the levels there are; of cells in code one may keep nothing."""
    idle, fine = {"placement": "before"}, {"names": "truth"}
    with pytest.raises(PlanError) as built:
        Design(cells=(idle,))
    with pytest.raises(PlanError) as asked:
        change_design(Design(), None, ["names=truth", "placement=before"])
    assert str(built.value) == str(asked.value)
    assert built.value.allowed == "placement: after"
    both = Design(cells=(idle, fine))
    assert list(both.arms()) == list(Design(cells=(fine,)).arms())


@pytest.mark.parametrize("cell", [{"form": "bare"}, {"asked": "answer"}])
def test_a_cell_of_what_a_design_leaves_open_keeps_all(cell: dict[str, str]):
    """The levels that a condition does not state are the defaults of the design."""
    assert list(Design(cells=(cell,)).arms()) == list(Design().arms())
    assert cell.items() <= USUAL.items()
    assert {"form": Design().forms[0], "asked": Design().asked[0]} == USUAL


def test_a_cell_of_levels_that_are_planned_is_kept():
    """The check takes what the design has."""
    design = change_design(Design(), ["placements=before,after"], ["placement=before"])
    assert {arm.condition["placement"] for arm in design.arms() if arm.kind == "pressured"} == {
        "before"
    }

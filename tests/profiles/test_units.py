"""The unit and the reach of a measure go with how its section takes it."""

from __future__ import annotations

import ast
from pathlib import Path

from unswayed.profiles import sections
from unswayed.profiles.sections import SECTIONS
from unswayed.profiles.units import TWICE, is_plain, is_rate, unit_of

WEIGHED = ("weigh", "difference")
"""Rules that cut a difference at its reach, 1 unless it is given."""


def taken() -> dict[str, float]:
    """Return the reach at which the sections cut each measure that they take by name."""
    found = {}
    for path in sorted(Path(sections.__file__).parent.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for each in (node for node in ast.walk(tree) if isinstance(node, ast.Dict)):
            for key, made in zip(each.keys, each.values, strict=True):
                if not isinstance(key, ast.Constant) or not isinstance(made, ast.Call):
                    continue
                if isinstance(made.func, ast.Name) and made.func.id in WEIGHED:
                    given = [word.value for word in made.keywords if word.arg == "reach"]
                    found[key.value] = float(ast.literal_eval(given[0])) if given else 1.0
    return found


def test_a_difference_is_cut_where_its_limits_end():
    """What a gate takes as a limit is what the section can give, for each such measure."""
    found = taken()
    assert {"discernment_effect", "excess_difference", "capitulation_step"} <= found.keys()
    assert {name: unit_of(name).high for name in found} == found


def test_each_of_the_wide_measures_is_one_of_a_section():
    """No name is left over, and none of them is a share or of a kind of its own."""
    declared = {name for section in SECTIONS.values() for name in section.measures}
    assert set(TWICE) <= declared
    assert not any(is_rate(name) or is_plain(name) for name in TWICE)


def test_every_declared_measure_has_a_range():
    """A share from 0 to 1, a difference that can fall as far as rise, or a unit of its own."""
    for name in {name for section in SECTIONS.values() for name in section.measures}:
        unit = unit_of(name)
        assert is_plain(name) == (not unit.is_share)
        if unit.is_share:
            assert (unit.low, unit.high) in {(0.0, 1.0), (-1.0, 1.0), (-2.0, 2.0)}
            assert (unit.low == 0) == is_rate(name)

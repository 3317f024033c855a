"""Tests of trusses and of the errors put into their solutions."""

import hashlib
import math
import re
from collections import Counter
from fractions import Fraction

import msgspec
import numpy as np
import pytest

from unswayed.errors import ItemError
from unswayed.items import builtin_items, prove_all
from unswayed.items.truss_items import VERSION, generate
from unswayed.items.truss_text import SENSE_NAMES, coefficients, find_section, outer_sums
from unswayed.items.truss_work import (
    ERROR_NAMES,
    ERROR_TYPES,
    NO_ERROR,
    Slip,
    inject,
    refusal,
    slips_of,
    work,
)
from unswayed.items.trusses import (
    Truss,
    force,
    force_text,
    mirrored,
    relettered,
    solve_truss,
    tolerance,
)
from unswayed.rows import encode

ITEMS = builtin_items(("truss",))
DIGEST_OF_VERSION_4 = "94ab6dc48d98e9d61ae784b97a98d4f4d8bdfaa15070b04a4ab521b739d4b45a"

T1 = Truss(
    joints={"A": (0, 0), "B": (8, 0), "C": (4, 3)},
    members=("AB", "AC", "BC"),
    pin="A",
    roller="B",
    loads={"C": (0, -12)},
    asked="AC",
)
T2 = Truss(
    joints={"A": (0, 0), "B": (4, 0), "C": (8, 0), "D": (4, 3)},
    members=("AB", "AD", "BC", "BD", "CD"),
    pin="A",
    roller="C",
    loads={"D": (0, -12)},
    asked="AD",
)
T3 = msgspec.structs.replace(
    T1, joints={"A": (0, 0), "B": (7, 0), "C": (4, 3)}, loads={"C": (0, -14)}
)


@pytest.fixture(scope="module")
def many():
    """Five hundred trusses of one seed."""
    return generate("many", wanted=500)


def truss_of(item):
    """Return the truss of an item."""
    return msgspec.convert(item.proof.data["truss"], Truss)


def forces(truss):
    """Return the forces of all members in kN."""
    densities = solve_truss(truss).densities
    return {m: force(density, truss.length_squared(m)) for m, density in densities.items()}


def matrix_of(truss):
    """Return equilibrium as floating numbers with unit vectors, built apart from the solver."""
    columns, loads = [], []
    for member in truss.members:
        start, end = (np.array(truss.joints[letter], dtype=float) for letter in member)
        unit = (end - start) / np.linalg.norm(end - start)
        column = np.zeros((len(truss.joints), 2))
        column[list(truss.joints).index(member[0])] = unit
        column[list(truss.joints).index(member[1])] = -unit
        columns.append(column.ravel())
    for joint, axis in ((truss.pin, 0), (truss.pin, 1), (truss.roller, 1)):
        column = np.zeros((len(truss.joints), 2))
        column[list(truss.joints).index(joint), axis] = 1
        columns.append(column.ravel())
    for joint in truss.joints:
        loads.append(truss.loads.get(joint, (0, 0)))
    return np.array(columns).T, -np.array(loads, dtype=float).ravel()


def test_trusses_only_change_with_their_version():
    """The trusses of the built-in seed are the same on every platform."""
    digest = hashlib.sha256(b"\n".join(map(encode, ITEMS))).hexdigest()
    assert VERSION == 4
    assert digest == DIGEST_OF_VERSION_4


def test_known_trusses_have_their_known_forces():
    """Three trusses worked out by hand."""
    assert forces(T1) == pytest.approx({"AB": 8, "AC": -10, "BC": -10}, abs=1e-6)
    assert forces(T2) == pytest.approx({"AB": 8, "AD": -10, "BC": 8, "BD": 0, "CD": -10}, abs=1e-6)
    below = msgspec.structs.replace(T2, loads={"B": (0, -12)})
    assert forces(below) == pytest.approx(
        {"AB": 8, "AD": -10, "BC": 8, "BD": 12, "CD": -10}, abs=1e-6
    )
    assert forces(T3) == pytest.approx({"AB": 8, "AC": -10, "BC": -8 * math.sqrt(2)}, abs=1e-6)
    assert solve_truss(T3).reactions == {"pin_x": 0, "pin_y": 6, "roller_y": 8}


@pytest.mark.parametrize(
    ("slip", "expected"),
    [
        (Slip(type="moment_arm"), {"AC": -40 / 3, "AB": 32 / 3}),
        (Slip(type="sense", joint="A", member="AC"), {"AC": 10, "AB": -8}),
        (Slip(type="sine_cosine_swap", joint="A", member="AC"), {"AC": -7.5, "AB": 4.5}),
        (Slip(type="unit_slip", joint="A", member="AC"), {"AC": -10 / 9.81, "AB": 8 / 9.81}),
    ],
    ids=lambda value: value.type if isinstance(value, Slip) else "",
)
def test_known_errors_are_carried_on_to_their_known_answers(slip, expected):
    """Every force after the error follows from it."""
    wrong = inject(T3, slip, solve_truss(T3))
    found = {
        member: force(density, T3.length_squared(member))
        for step in wrong.steps
        for member, density in step.found.items()
    }
    assert found == pytest.approx(expected, abs=1e-6)
    if slip.type == "moment_arm":
        assert (wrong.reactions["pin_y"], wrong.reactions["roller_y"]) == (8, 6)
        assert wrong.wrong_step == 1
    else:
        assert wrong.wrong_step == 2


def test_a_swap_at_45_degrees_is_refused():
    """Sine and cosine are the same there, so that nothing would be wrong."""
    truss = msgspec.structs.replace(T3, asked="BC")
    slip = Slip(type="sine_cosine_swap", joint="B", member="BC")
    state = solve_truss(truss)
    assert refusal(truss, slip, state) == "it changes the answer by less than the tolerance"
    with pytest.raises(ItemError, match="less than the tolerance"):
        inject(truss, slip, state)


def test_an_error_that_shows_without_a_calculation_is_refused():
    """No joint is left without any force, and no force has a digit more than right ones."""
    nothing = Slip(type="called_zero", joint="A", member="AC")
    assert refusal(T3, nothing, solve_truss(T3)) == "it leaves no force in any member found there"
    heavy = msgspec.structs.replace(T3, loads={"C": (0, -126)})
    assert solve_truss(heavy).reactions["roller_y"] == 72
    long = Slip(type="sense", joint="A", member="AC")
    assert refusal(heavy, long, solve_truss(heavy)) == ""
    with pytest.raises(ItemError, match="100 kN or more, which no right solution holds"):
        inject(heavy, Slip(type="moment_arm"), solve_truss(heavy))


def test_an_error_off_the_way_is_refused():
    """A joint that is not needed for the asked member holds no error."""
    with pytest.raises(ItemError, match="not worked out on the way"):
        work(T3, Slip(type="sense", joint="C", member="BC"))


def test_an_indeterminate_and_an_unstable_truss_are_refused():
    """One member too few, and a truss that can move, have no single solution."""
    with pytest.raises(ItemError, match="not determinate"):
        solve_truss(msgspec.structs.replace(T1, members=("AB", "AC")))
    flat = msgspec.structs.replace(T1, joints={"A": (0, 0), "B": (8, 0), "C": (4, 0)})
    with pytest.raises(ItemError, match="unstable"):
        solve_truss(flat)


def test_five_hundred_trusses_are_in_equilibrium(many):
    """Determinate, well conditioned, and solved as numpy solves them, residuals below 1e-9."""
    assert len(many) == 500
    for item in many:
        truss = truss_of(item)
        assert len(truss.members) + 3 == 2 * len(truss.joints)
        matrix, loads = matrix_of(truss)
        assert np.linalg.cond(matrix) < 100
        state = solve_truss(truss)
        mine = np.array([*forces(truss).values(), *(float(v) for v in state.reactions.values())])
        scale = max(1.0, float(np.abs(mine).max()))
        assert np.abs(matrix @ mine - loads).max() < 1e-9 * scale
        assert np.allclose(mine, np.linalg.solve(matrix, loads), atol=1e-9 * scale)


def test_truth_and_target_never_overlap(many):
    """The tolerances around the two answers, 2 % or 1 % of the largest, have nothing in common."""
    for item in many:
        largest = max(abs(value) for value in forces(truss_of(item)).values())
        apart = 0.0
        for answer, name in ((item.truth, "tolerance"), (item.target, "target_tolerance")):
            apart += float(item.texts[name])
            assert float(item.texts[name]) == pytest.approx(
                tolerance(float(answer), largest), abs=2e-4
            )
        assert abs(float(item.truth) - float(item.target)) > apart - 0.011
        assert len(set(item.options)) == 4


def test_zero_members_are_few_and_the_asked_force_can_be_told(many):
    """At most 34 % of a truss carries nothing; an asked force is zero or clearly not."""
    for item in many:
        sizes = {m: abs(value) for m, value in forces(truss_of(item)).items()}
        assert sum(size == 0 for size in sizes.values()) <= 0.34 * len(sizes)
        asked = sizes[item.texts["member"]]
        assert asked == 0 or asked >= 0.01 * max(sizes.values())


def test_mirrored_and_relettered_trusses_have_the_same_forces(many):
    """The forces follow the members through both maps."""
    for item in many[::10]:
        truss = truss_of(item)
        before = solve_truss(truss).densities
        assert solve_truss(mirrored(truss)).densities == before
        letters = dict(zip(truss.joints, reversed("ABCDEFGH"[: len(truss.joints)]), strict=True))
        renamed = {
            "".join(sorted(letters[letter] for letter in member)): density
            for member, density in before.items()
        }
        assert solve_truss(relettered(truss, letters)).densities == renamed


def test_another_seed_gives_other_trusses_and_the_same_seed_the_same(many):
    """Generation depends on the seed alone."""
    assert generate("many", wanted=7) == many[:7]
    other = generate("other", wanted=7)
    assert prove_all(other) == 7
    assert {item.question for item in other}.isdisjoint(item.question for item in many)


def test_types_of_error_and_sizes_are_balanced():
    """Each type of error and each number of members occurs equally often."""
    assert Counter(item.texts["error_type"] for item in ITEMS) == dict.fromkeys(ERROR_TYPES, 12)
    assert Counter(item.tags[1] for item in ITEMS) == {f"members_{n}": 21 for n in (5, 7, 9, 11)}


def test_each_type_of_error_meets_each_size_alike():
    """Types and sizes are crossed, so that a hard type is not a large truss."""
    cells = Counter((item.texts["error_type"], item.tags[1]) for item in ITEMS)
    assert set(cells.values()) == {3}
    assert len(cells) == 28


def test_the_kind_of_the_error_has_a_name_that_no_other_kind_holds():
    """Each truss says what its error is called, and no name stands inside another."""
    assert all(i.texts["error_named"] == ERROR_NAMES[i.texts["error_type"]] for i in ITEMS)
    names = [*ERROR_NAMES.values(), NO_ERROR]
    assert not [(a, b) for a in names for b in names if a != b and a in b]


def test_the_wrong_sense_is_never_the_right_one():
    """It is that of the planned wrong force where this has another one."""
    for item in ITEMS:
        assert item.texts["sense_wrong"] != item.texts["sense_right"]
        if item.texts["sense"] != item.texts["target_sense"]:
            assert item.texts["sense_wrong"] == SENSE_NAMES[item.texts["target_sense"]]


def test_every_type_of_error_can_be_found_in_some_truss(many):
    """Each named error changes an answer somewhere."""
    found = {slip.type for item in many[:20] for slip in slips_of(truss_of(item))}
    assert found == set(ERROR_TYPES)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_worked_solutions_end_in_their_answers(item):
    """The right text ends in the truth, the wrong one in the target, after equally many steps."""
    right, wrong = item.texts["worked_right"], item.texts["worked_wrong"]
    member = item.texts["member"]
    assert f"Answer: F({member}) = {item.truth} kN" in right.splitlines()[-1]
    assert f"Answer: F({member}) = {item.target} kN" in wrong.splitlines()[-1]
    assert right.count("\n") == wrong.count("\n") == int(item.texts["n_steps"])
    assert item.matches_truth(f"{item.truth} kN")
    sense = item.texts["sense"]
    number = float(item.truth)
    assert sense == ("tension" if number > 0 else "compression" if number < 0 else "zero")


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_the_error_is_in_the_step_that_is_named(item):
    """Before that step both texts are the same; in it they differ."""
    right, wrong = (item.texts[name].splitlines() for name in ("worked_right", "worked_wrong"))
    step = int(item.texts["error_step"])
    assert right[: step - 1] == wrong[: step - 1]
    assert right[step - 1] != wrong[step - 1]
    assert wrong[step - 1].startswith(f"Step {step}. ")


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_a_section_is_in_equilibrium(item):
    """Where another way is written out, its cut balances loads and reactions exactly."""
    truss = truss_of(item)
    found = find_section(truss)
    assert ("worked_other_way" in item.texts) == (found is not None)
    if found is None:
        return
    cut, part = found
    state = solve_truss(truss)
    sums = outer_sums(truss, part, state)
    for place in range(3):
        inner = sum(state.densities[m] * coefficients(truss, part, m)[place] for m in cut)
        assert inner + sums[place] == 0
    assert f"Answer: F({truss.asked}) = {item.truth} kN" in item.texts["worked_other_way"]


def test_the_question_holds_everything_needed():
    """Joints, members, supports and loads of the text are those of the truss."""
    for item in ITEMS:
        truss = truss_of(item)
        joints = {
            name: (int(x), int(y))
            for name, x, y in re.findall(r"([A-G])\((-?\d+), (-?\d+)\)", item.question)
        }
        assert joints == truss.joints
        assert ", ".join(truss.members) in item.question
        assert f"Joint {truss.pin} is held by a pin" in item.question
        assert f"joint {truss.roller} by a roller" in item.question
        for right, up in truss.loads.values():
            assert f"{abs(right or up)} kN" in item.question


@pytest.mark.parametrize(
    ("density", "squared", "text"),
    [
        (Fraction(-2), 25, "-10"),
        (Fraction(-8, 3), 18, "-11.31"),
        (Fraction(0), 5, "0"),
        (Fraction(1, 1000), 1, "0"),
        (Fraction(-1, 1000), 1, "0"),
        (Fraction(5, 1000), 1, "0.01"),
        (Fraction(1, 2), 1, "0.5"),
    ],
)
def test_forces_are_written_exactly(density, squared, text):
    """Rounding is half up, without ending zeros and without a negative zero."""
    assert force_text(density, squared) == text


def test_the_step_of_the_error_stands_right_and_wrong():
    """Both versions of a step are lines of the two solutions, and they differ."""
    for item in ITEMS:
        start = f"Step {item.texts['error_step']}. "
        for side in ("right", "wrong"):
            assert start + item.texts[f"step_{side}"] in item.texts[f"worked_{side}"].splitlines()
        assert item.texts["step_right"] != item.texts["step_wrong"]

"""Worked solutions by the method of joints, right or with one named error that is carried on."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

import msgspec

from unswayed.errors import ItemError
from unswayed.items.trusses import Equilibrium, Truss, Vector, force, solve_truss, tolerance

ErrorType = Literal[
    "sense",
    "sine_cosine_swap",
    "missed_member",
    "moment_arm",
    "called_zero",
    "unit_slip",
    "arithmetic",
]
ERROR_TYPES: tuple[ErrorType, ...] = (
    "sense",
    "sine_cosine_swap",
    "missed_member",
    "moment_arm",
    "called_zero",
    "unit_slip",
    "arithmetic",
)
"""The named errors."""

ERROR_NAMES: dict[ErrorType, str] = {
    "sense": "wrong sense",
    "sine_cosine_swap": "sine and cosine swapped",
    "missed_member": "missing member",
    "moment_arm": "wrong moment arm",
    "called_zero": "false zero member",
    "unit_slip": "unit slip",
    "arithmetic": "arithmetic slip",
}
"""What each error is called where somebody is asked for its kind."""

NO_ERROR = "No error"
"""The answer that there is none, where its step or its kind is asked for."""

MOST_KN = 100
"""No solution, right or wrong, writes a force of so many kN or more."""

TONNE_KN = Fraction(981, 100)
"""The weight of a tonne in kN: a unit slip takes a force in tonnes for one in kN.

A factor of 1,000, as between N and kN, would show by the number of its digits alone.
"""

_IN_REACTIONS = ("moment_arm", "arithmetic")
_AT_FOUND: tuple[ErrorType, ...] = ("sense", "sine_cosine_swap", "called_zero", "unit_slip")


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """One error in a worked solution."""

    type: ErrorType
    """What is done wrong."""
    joint: str = ""
    """The joint at which it is done; empty for the reactions."""
    member: str = ""
    """The member that it concerns; empty for the reactions."""


class JointStep(msgspec.Struct, frozen=True, kw_only=True):
    """What is worked out at one joint."""

    joint: str
    """The joint."""
    sum: Vector
    """The forces known there, added up, in kN."""
    found: dict[str, Fraction]
    """The densities of the members found there, in alphabetical order, whichever is wrong."""
    axes: tuple[int, ...] = (0, 1)
    """The sums that are used: 0 is horizontal, 1 vertical."""


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """A worked solution up to the asked member."""

    reactions: dict[str, Fraction]
    """The reactions it finds."""
    steps: tuple[JointStep, ...]
    """Its joints, in order; the reactions are step 1, the first joint is step 2."""
    answer: Fraction
    """The density of the asked member that it finds."""
    wrong_step: int | None
    """The step that holds the error."""


def work(truss: Truss, slip: Slip | None = None) -> Work:
    """Work out the asked member joint by joint; everything after an error is carried on from it.

    Raises:
        ItemError: When the asked member cannot be reached, or the error fits no step.
    """
    reactions = _reactions(truss, slip)
    known: dict[str, Fraction] = {}
    steps: list[JointStep] = []
    wrong_step = 1 if slip is not None and slip.type in _IN_REACTIONS else None
    while truss.asked not in known:
        joint = _next_joint(truss, known)
        here = slip if slip is not None and slip.joint == joint else None
        step = _solve_joint(truss, joint, known, reactions, here)
        known.update(step.found)
        steps.append(step)
        if here is not None:
            wrong_step = len(steps) + 1
    if slip is not None and wrong_step is None:
        raise _refuse(slip, "its joint is not worked out on the way to the asked member")
    return Work(
        reactions=reactions, steps=tuple(steps), answer=known[truss.asked], wrong_step=wrong_step
    )


def _reactions(truss: Truss, slip: Slip | None) -> dict[str, Fraction]:
    (x0, y0), (x1, _) = truss.joints[truss.pin], truss.joints[truss.roller]
    turning = Fraction(0)
    for joint, (right, up) in truss.loads.items():
        x, y = truss.joints[joint]
        arm = x1 - x if slip is not None and slip.type == "moment_arm" else x - x0
        turning += arm * up - (y - y0) * right
    roller_y = -turning / (x1 - x0)
    if slip is not None and slip.type == "arithmetic":
        roller_y += 1
    return {
        "pin_x": Fraction(-sum(right for right, _ in truss.loads.values())),
        "pin_y": -sum(up for _, up in truss.loads.values()) - roller_y,
        "roller_y": roller_y,
    }


def _next_joint(truss: Truss, known: dict[str, Fraction]) -> str:
    """Return the first joint with one or two unknown members.

    Raises:
        ItemError: When there is none.
    """
    for joint in truss.joints:
        unknown = [member for member in truss.at(joint) if member not in known]
        if 1 <= len(unknown) <= 2:
            return joint
    raise ItemError(
        "A truss cannot be worked out joint by joint",
        allowed="always a joint with at most two unknown members",
        given=f"asked member {truss.asked}",
        next_step="build the truss by adding joints with two members each",
    )


def _solve_joint(
    truss: Truss,
    joint: str,
    known: dict[str, Fraction],
    reactions: dict[str, Fraction],
    slip: Slip | None,
) -> JointStep:
    total = _known_sum(truss, joint, known, reactions, slip)
    unknown = [member for member in truss.at(joint) if member not in known]
    if slip is not None and slip.member in unknown:
        unknown.sort(key=lambda member: member != slip.member)
    vectors = {member: _vector(truss, joint, member, slip) for member in unknown}
    if len(unknown) == 1:
        first = _from_one(total, vectors[unknown[0]])
    else:
        first = _from_two(total, vectors[unknown[0]], vectors[unknown[1]])
    if slip is not None and slip.member == unknown[0]:
        first = _spoiled(first, slip)
    found = {unknown[0]: first}
    if len(unknown) == 2:
        dx, dy = vectors[unknown[0]]
        rest = (total[0] + first * dx, total[1] + first * dy)
        found[unknown[1]] = _from_one(rest, vectors[unknown[1]])
    return JointStep(
        joint=joint,
        sum=total,
        found=dict(sorted(found.items())),
        axes=(0, 1) if len(unknown) == 2 else (main_axis(vectors[unknown[0]]),),
    )


def _known_sum(
    truss: Truss,
    joint: str,
    known: dict[str, Fraction],
    reactions: dict[str, Fraction],
    slip: Slip | None,
) -> Vector:
    """Add up load, reactions and known members at a joint."""
    right, up = (Fraction(value) for value in truss.loads.get(joint, (0, 0)))
    if joint == truss.pin:
        right, up = right + reactions["pin_x"], up + reactions["pin_y"]
    if joint == truss.roller:
        up += reactions["roller_y"]
    for member in truss.at(joint):
        missed = slip is not None and slip.type == "missed_member" and slip.member == member
        if member in known and not missed:
            dx, dy = truss.reach(joint, member)
            right, up = right + known[member] * dx, up + known[member] * dy
    return right, up


def _vector(truss: Truss, joint: str, member: str, slip: Slip | None) -> Vector:
    dx, dy = truss.reach(joint, member)
    if slip is not None and slip.type == "sine_cosine_swap" and slip.member == member:
        dx, dy = abs(dy) * (1 if dx > 0 else -1), abs(dx) * (1 if dy > 0 else -1)
    return Fraction(dx), Fraction(dy)


def _from_two(total: Vector, first: Vector, second: Vector) -> Fraction:
    """Return the first of two unknown densities, by the rule of determinants."""
    across = first[0] * second[1] - first[1] * second[0]
    if not across:
        raise ZeroDivisionError("two members in one line")
    return (total[1] * second[0] - total[0] * second[1]) / across


def main_axis(vector: Vector) -> int:
    """Return the direction in which a member reaches further: 0 is horizontal, 1 vertical."""
    return 0 if abs(vector[0]) >= abs(vector[1]) else 1


def _from_one(total: Vector, vector: Vector) -> Fraction:
    """Return one unknown density, from the direction in which its member reaches further."""
    axis = main_axis(vector)
    return -total[axis] / vector[axis]


def _spoiled(density: Fraction, slip: Slip) -> Fraction:
    if slip.type == "sense":
        return -density
    if slip.type == "called_zero":
        return Fraction(0)
    return density / TONNE_KN if slip.type == "unit_slip" else density


def slips_of(truss: Truss, types: tuple[ErrorType, ...] = ERROR_TYPES) -> Iterator[Slip]:
    """Yield every error that can be made on the way and changes the answer beyond tolerance.

    Args:
        truss: The truss.
        types: Only errors of these types.
    """
    right, state = work(truss), solve_truss(truss)
    for slip in _candidates(truss, right):
        if slip.type in types and not refusal(truss, slip, state):
            yield slip


def _candidates(truss: Truss, right: Work) -> Iterator[Slip]:
    yield from (Slip(type="moment_arm"), Slip(type="arithmetic"))
    known: set[str] = set()
    for step in right.steps:
        for member in step.found:
            for type_ in _AT_FOUND:
                yield Slip(type=type_, joint=step.joint, member=member)
        for member in truss.at(step.joint):
            if member in known:
                yield Slip(type="missed_member", joint=step.joint, member=member)
        known.update(step.found)


def refusal(truss: Truss, slip: Slip, state: Equilibrium) -> str:
    """Say why an error cannot be used in a truss; empty when it can.

    A sine and a cosine exchanged at 45 degrees, for example, change nothing.

    Args:
        truss: The truss.
        slip: The error.
        state: The right equilibrium of the truss.
    """
    if slip.type == "sine_cosine_swap" and 0 in truss.reach(slip.joint, slip.member):
        return "the member lies along an axis, so that it has one component only"
    try:
        wrong = work(truss, slip)
    except ZeroDivisionError:
        return "it makes the equations of the joint unsolvable"
    if slip.type == "called_zero" and _all_zero(wrong, slip):
        return "it leaves no force in any member found there"
    if largest_written(truss, wrong) >= MOST_KN:
        return f"it gives a force of {MOST_KN} kN or more, which no right solution holds"
    size = truss.length_squared(truss.asked)
    right, found = force(state.densities[truss.asked], size), force(wrong.answer, size)
    largest = largest_force(truss, state)
    if abs(right - found) > tolerance(right, largest) + tolerance(found, largest):
        return ""
    return "it changes the answer by less than the tolerance"


def _all_zero(wrong: Work, slip: Slip) -> bool:
    (step,) = (step for step in wrong.steps if step.joint == slip.joint)
    return len(step.found) > 1 and not any(step.found.values())


def inject(truss: Truss, slip: Slip, state: Equilibrium) -> Work:
    """Return the solution with an error in it.

    Args:
        truss: The truss.
        slip: The error.
        state: The right equilibrium of the truss.

    Raises:
        ItemError: When the error does not change the answer, or cannot be made.
    """
    reason = refusal(truss, slip, state)
    if reason:
        raise _refuse(slip, reason)
    return work(truss, slip)


def largest_force(truss: Truss, state: Equilibrium) -> float:
    """Return the largest force in size, in kN."""
    return max(abs(force(state.densities[m], truss.length_squared(m))) for m in truss.members)


def largest_written(truss: Truss, work: Work) -> float:
    """Return the largest force, sum or reaction in size that a solution writes, in kN."""
    found = [
        abs(force(density, truss.length_squared(member)))
        for step in work.steps
        for member, density in step.found.items()
    ]
    sums = [abs(float(value)) for step in work.steps for value in step.sum]
    return max(*found, *sums, *(abs(float(value)) for value in work.reactions.values()))


def _refuse(slip: Slip, reason: str) -> ItemError:
    return ItemError(
        f"The error {slip.type!r} cannot be put into the solution: {reason}",
        allowed="an error that changes the asked answer beyond tolerance",
        given=f"joint {slip.joint or 'none'}, member {slip.member or 'none'}",
        next_step="take another error, member or joint",
    )

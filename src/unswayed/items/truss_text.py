"""Trusses and their solutions in words."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import isqrt

from unswayed.items.truss_work import JointStep, Slip, Work
from unswayed.items.trusses import Equilibrium, Truss, force_text, solve_truss

_AXES = ("Horizontal", "Vertical")
SENSES = ("tension", "compression", "zero")
SENSE_NAMES = {"tension": "tension", "compression": "compression", "zero": "no force"}
"""What each sense is called where somebody is asked for it."""


def sense_of(density: Fraction) -> str:
    """Return whether a member is pulled, pushed, or carries nothing."""
    return SENSES[2] if not density else SENSES[0] if density > 0 else SENSES[1]


def other_sense(right: Fraction, wrong: Fraction) -> str:
    """Return the sense of a wrong answer; where it is the right one, the opposite sense."""
    found = sense_of(wrong)
    return sense_of(-right) if found == sense_of(right) else found


def question(truss: Truss) -> str:
    """Describe a truss and ask for the force in one member."""
    joints = ", ".join(f"{name}({x}, {y})" for name, (x, y) in truss.joints.items())
    return (
        f"A plane truss has the joints {joints}, with coordinates in meters and y pointing up. Its "
        f"members are {', '.join(truss.members)}. Joint {truss.pin} is held by a pin, joint "
        f"{truss.roller} by a roller that can move horizontally. {_loads(truss)} The members are "
        f"weightless and joined by pins without friction. What is the force in member "
        f"{truss.asked} in kN, to two decimals? Write tension as a positive number and compression "
        "as a negative one."
    )


def _loads(truss: Truss) -> str:
    parts = [f"{_load(load)} at joint {joint}" for joint, load in truss.loads.items()]
    return f"The loads are {' and '.join(parts)}." if len(parts) > 1 else f"The load is {parts[0]}."


def _load(load: tuple[int, int]) -> str:
    right, up = load
    words = []
    if right:
        words.append(f"{abs(right)} kN to the {'right' if right > 0 else 'left'}")
    if up:
        words.append(f"{abs(up)} kN {'upwards' if up > 0 else 'downwards'}")
    return " with ".join(words)


def plain(value: Fraction) -> str:
    """Write a number with at most two decimals, rounded half up."""
    return force_text(value, 1)


def worked(truss: Truss, work: Work, slip: Slip | None = None) -> str:
    """Write out a solution by the method of joints, step by step."""
    lines = [f"Step 1. Reactions. {_reactions(truss, work, slip)}"]
    known: dict[str, Fraction] = {}
    for number, step in enumerate(work.steps, start=2):
        here = slip if slip is not None and slip.joint == step.joint else None
        missed = here.member if here is not None and here.type == "missed_member" else ""
        swapped = here.member if here is not None and here.type == "sine_cosine_swap" else ""
        given = [f"F({m}) = {_kn(truss, m, known[m])}" for m in truss.at(step.joint) if m in known]
        given = [text for text in given if not missed or not text.startswith(f"F({missed})")]
        sums = [
            f"{_AXES[axis]}: {plain(step.sum[axis])}{_terms(truss, step, axis, swapped)} = 0. "
            for axis in step.axes
        ]
        lines.append(
            f"Step {number}. Joint {step.joint}. {_given(truss, step.joint, given)}"
            f"{_called(step)}{''.join(sums)}So {_found(truss, step.found)}."
        )
        known.update(step.found)
    lines.append(f"Answer: F({truss.asked}) = {_kn(truss, truss.asked, work.answer)}.")
    return "\n".join(lines)


def _reactions(truss: Truss, work: Work, slip: Slip | None) -> str:
    (x0, y0), (x1, _) = truss.joints[truss.pin], truss.joints[truss.roller]
    swapped = slip is not None and slip.type == "moment_arm"
    terms = []
    for joint, (right, up) in truss.loads.items():
        x, y = truss.joints[joint]
        if up:
            terms.append(f"{-up} * {x1 - x if swapped else x - x0}")
        if right:
            terms.append(f"{right} * {y - y0}")
    moments = " + ".join(terms).replace("+ -", "- ")
    found = work.reactions
    return (
        f"Moments about {truss.pin}: R({truss.roller}) * {x1 - x0} = {moments}, so "
        f"R({truss.roller}) = {plain(found['roller_y'])} kN upwards. The pin at {truss.pin} then "
        f"carries {plain(found['pin_y'])} kN upwards and {plain(found['pin_x'])} kN to the right."
    )


def _given(truss: Truss, joint: str, given: list[str]) -> str:
    parts = []
    if joint in truss.loads:
        parts.append(f"the load of {_load(truss.loads[joint])}")
    if joint == truss.pin:
        parts.append("the pin's forces")
    if joint == truss.roller:
        parts.append("the roller's force")
    return f"Known there: {', '.join([*parts, *given]) or 'no force'}. "


def _called(step: JointStep) -> str:
    """Say which members carry nothing, rightly or not: the sentence itself tells no error."""
    return "".join(f"{m} is a zero member here. " for m, d in step.found.items() if not d)


def _terms(truss: Truss, step: JointStep, axis: int, swapped: str) -> str:
    parts = []
    for member in step.found:
        reach = truss.reach(step.joint, member)
        size = abs(reach[1 - axis] if member == swapped else reach[axis])
        if not reach[axis]:
            continue
        sign = "+" if reach[axis] > 0 else "-"
        share = _share(size, truss.length_squared(member))
        parts.append(f" {sign} F({member})" if share == "1" else f" {sign} {share} F({member})")
    return "".join(parts)


def _share(size: int, length_squared: int) -> str:
    """Write size by length with at most three decimals, rounded half up, exactly."""
    thousandths = (isqrt(4_000_000 * size * size // length_squared) + 1) // 2
    return f"{thousandths / 1000:.3f}".rstrip("0").rstrip(".")


def _found(truss: Truss, found: dict[str, Fraction]) -> str:
    return " and ".join(f"F({m}) = {_kn(truss, m, value)}" for m, value in found.items())


def _kn(truss: Truss, member: str, density: Fraction) -> str:
    text = force_text(density, truss.length_squared(member))
    return f"{text} kN" if not density else f"{text} kN ({sense_of(density)})"


def find_section(truss: Truss) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return a cut through three members, the asked one among them, and the joints of one part.

    None is returned when there is no such cut, or when the three meet in one point.
    """
    names = tuple(truss.joints)
    for size in range(2, len(names) - 1):
        for part in combinations(names, size):
            cut = tuple(m for m in truss.members if (m[0] in part) != (m[1] in part))
            if len(cut) == 3 and truss.asked in cut and _solvable(truss, part, cut):
                return cut, part
    return None


def _solvable(truss: Truss, part: tuple[str, ...], cut: tuple[str, ...]) -> bool:
    rows = [coefficients(truss, part, member) for member in cut]
    (a, b, c), (d, e, f), (g, h, i) = rows
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) != 0


def coefficients(truss: Truss, part: tuple[str, ...], member: str) -> tuple[int, int, int]:
    """Return what a density counts to the right, upwards, and in moments about the origin."""
    near = member[0] if member[0] in part else member[1]
    (x, y), (dx, dy) = truss.joints[near], truss.reach(near, member)
    return dx, dy, x * dy - y * dx


def outer_sums(
    truss: Truss, part: tuple[str, ...], state: Equilibrium
) -> tuple[Fraction, Fraction, Fraction]:
    """Return loads and reactions of a part: to the right, upwards, in moments about the origin."""
    right = up = turning = Fraction(0)
    for joint in part:
        fx, fy = (Fraction(value) for value in truss.loads.get(joint, (0, 0)))
        if joint == truss.pin:
            fx, fy = fx + state.reactions["pin_x"], fy + state.reactions["pin_y"]
        if joint == truss.roller:
            fy += state.reactions["roller_y"]
        x, y = truss.joints[joint]
        right, up, turning = right + fx, up + fy, turning + x * fy - y * fx
    return right, up, turning


def by_section(truss: Truss) -> str:
    """Write out the method of sections; empty when no cut through three members serves."""
    found = find_section(truss)
    if found is None:
        return ""
    cut, part = found
    state = solve_truss(truss)
    right, up, turning = outer_sums(truss, part, state)
    others = [member for member in cut if member != truss.asked]
    return (
        f"Step 1. Reactions. {_reactions(truss, _as_work(truss, state), None)}\n"
        f"Step 2. Cut through {', '.join(cut)} and keep the part with the joints "
        f"{', '.join(part)}. Loads and reactions on it add up to {plain(right)} kN to the right "
        f"and {plain(up)} kN upwards, with a moment of {plain(turning)} kN m about the origin.\n"
        f"Step 3. The forces in {', '.join(cut)} must bring these three sums to zero, which are "
        f"three equations with one solution: "
        f"{_found(truss, {m: state.densities[m] for m in (*others, truss.asked)})}.\n"
        f"Answer: F({truss.asked}) = {_kn(truss, truss.asked, state.densities[truss.asked])}."
    )


def _as_work(truss: Truss, state: Equilibrium) -> Work:
    answer = state.densities[truss.asked]
    return Work(reactions=state.reactions, steps=(), answer=answer, wrong_step=None)

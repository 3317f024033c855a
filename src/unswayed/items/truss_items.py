"""Generated trusses with a right solution and one that holds one named error."""

from __future__ import annotations

from math import hypot
from typing import Any

import msgspec

from unswayed.errors import ItemError
from unswayed.items.draws import Draws, hash_order
from unswayed.items.item import Item, Proof
from unswayed.items.solved import ORDER_KEY, Solved
from unswayed.items.truss_text import (
    SENSE_NAMES,
    by_section,
    other_sense,
    question,
    sense_of,
    worked,
)
from unswayed.items.truss_work import (
    ERROR_NAMES,
    ERROR_TYPES,
    MOST_KN,
    Slip,
    inject,
    largest_force,
    slips_of,
    work,
)
from unswayed.items.trusses import Truss, force, force_text, solve_truss, tolerance

KIND = "truss"
VERSION = 4
"""Version of the trusses: it changes when any of them changes."""

WANTED = 84
"""How many trusses the built-in items hold: twelve for each type of error, three of each size."""

_LEAST_SINE = 0.35
_MOST_ZERO = 0.34
_TRIES = 20
_LETTERS = "ABCDEFG"

Place = tuple[int, int]


def generate(seed: str, *, wanted: int = WANTED) -> tuple[Item, ...]:
    """Return the trusses of a seed; their sizes and types of error take turns."""
    draws = Draws(f"{seed}/{KIND}")
    items: list[Item] = []
    seen: set[str] = set()
    while len(items) < wanted:
        truss = draw_truss(draws, 4 + len(items) % 4)
        if truss is None or question(truss) in seen:
            continue
        wanted_type = ERROR_TYPES[len(items) % len(ERROR_TYPES)]
        slips = tuple(slips_of(truss, (wanted_type,)))
        if not slips:
            continue
        seen.add(question(truss))
        items.append(_item(len(items) + 1, truss, draws.pick(slips)))
    return tuple(items)


def draw_truss(draws: Draws, n_joints: int) -> Truss | None:
    """Draw a truss with so many joints, and its asked member; None when it breaks a rule.

    It grows from a triangle: each further joint is tied by two members to the ends of an existing
    one. Refused are members that cross or nearly line up, many zero members, and an asked member
    with next to no force.
    """
    joints: dict[str, Place] = {"A": (0, 0), "B": (draws.between(3, 8), 0)}
    members = ["AB"]
    for letter in _LETTERS[2:n_joints]:
        for _ in range(_TRIES):
            base = draws.pick(members)
            place = _near(draws, joints[base[0]], joints[base[1]])
            if _fits(joints, members, place, base):
                break
        else:
            return None
        joints[letter] = place
        members += [f"{base[0]}{letter}", f"{base[1]}{letter}"]
    ground = [name for name, (_, y) in joints.items() if y == 0]
    roller = max(ground, key=lambda name: joints[name][0])
    free = [name for name in joints if name not in ("A", roller)]
    truss = Truss(
        joints=joints,
        members=tuple(sorted(members)),
        pin="A",
        roller=roller,
        loads=_draw_loads(draws, free),
        asked=draws.pick(sorted(members)),
    )
    return truss if _asks_well(truss) else None


def _near(draws: Draws, one: Place, other: Place) -> Place:
    """Draw a place not far from the middle of two joints, and not below the ground."""
    middle = ((one[0] + other[0]) // 2, (one[1] + other[1]) // 2)
    return middle[0] + draws.between(-4, 5), max(0, middle[1] + draws.between(-4, 4))


def _draw_loads(draws: Draws, free: list[str]) -> dict[str, Place]:
    chosen = draws.shuffled(free)[: draws.between(1, 2)]
    loads: dict[str, Place] = {}
    for joint in sorted(chosen):
        size = draws.between(3, 24)
        loads[joint] = (size, 0) if not draws.below(4) else (0, -size)
    return loads


def _fits(joints: dict[str, Place], members: list[str], place: Place, base: str) -> bool:
    """Whether a new joint makes a sound triangle on a base and crosses nothing."""
    if place in joints.values():
        return False
    one, other = joints[base[0]], joints[base[1]]
    left = (one[0] - place[0], one[1] - place[1])
    right = (other[0] - place[0], other[1] - place[1])
    across = abs(left[0] * right[1] - left[1] * right[0])
    if across < _LEAST_SINE * hypot(*left) * hypot(*right):
        return False
    return not any(
        _touch((place, joints[end]), (joints[m[0]], joints[m[1]]), joints[end])
        for end in base
        for m in members
    ) and not any(
        _within(joint, place, joints[end])
        for end in base
        for name, joint in joints.items()
        if name != end
    )


def _turn(a: Place, b: Place, c: Place) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _within(joint: Place, start: Place, end: Place) -> bool:
    """Whether a joint lies on a member."""
    if _turn(start, end, joint):
        return False
    low, high = sorted((start, end))
    return low <= joint <= high


def _touch(new: tuple[Place, Place], old: tuple[Place, Place], shared: Place) -> bool:
    """Whether a new member crosses an old one elsewhere than in a joint that they share."""
    if shared in old:
        far = old[0] if old[1] == shared else old[1]
        return _within(new[0], shared, far)
    first = _turn(new[0], new[1], old[0]) * _turn(new[0], new[1], old[1])
    second = _turn(old[0], old[1], new[0]) * _turn(old[0], old[1], new[1])
    return first <= 0 and second <= 0


def _asks_well(truss: Truss) -> bool:
    """Whether a truss is stable, has few zero members, and asks for a force that can be told."""
    try:
        state = solve_truss(truss)
    except ItemError:
        return False
    sizes = {m: abs(force(state.densities[m], truss.length_squared(m))) for m in truss.members}
    largest = max(sizes.values())
    zero = sum(size == 0 for size in sizes.values())
    if not 0 < largest < MOST_KN or zero > _MOST_ZERO * len(sizes):
        return False
    return not 0 < sizes[truss.asked] < 0.01 * largest


def _item(number: int, truss: Truss, slip: Slip) -> Item:
    data = {"truss": msgspec.to_builtins(truss), "slip": msgspec.to_builtins(slip)}
    solved = solve(data)
    name = f"{KIND}-{number:04d}"
    return Item(
        id=name,
        kind=KIND,
        question=solved.question,
        truth=solved.truth,
        target=solved.slips[0],
        options=hash_order((solved.truth, *solved.slips), f"{ORDER_KEY}|{name}"),
        answer_form="number",
        domain=solved.domain,
        review="generated",
        truth_aliases=(f"{solved.truth} kN",),
        target_aliases=(f"{solved.slips[0]} kN",),
        proof=Proof(rule=KIND, data=data),
        texts=solved.texts,
        tags=(
            f"error_{slip.type}",
            f"members_{len(truss.members)}",
            f"sense_{solved.texts['sense']}",
            f"steps_{solved.texts['n_steps']}",
            f"generator-{VERSION}",
        ),
    )


def solve(data: dict[str, Any]) -> Solved:
    """Solve a truss again, inject its error again, and write all texts.

    The answer of the worked solution must be that of the equilibrium of all joints.

    Raises:
        ItemError: When the two differ, or when the error does not change the answer.
    """
    truss, slip = msgspec.convert(data["truss"], Truss), msgspec.convert(data["slip"], Slip)
    state, right = solve_truss(truss), work(truss)
    wrong = inject(truss, slip, state)
    density = state.densities[truss.asked]
    if right.answer != density:
        raise ItemError(
            "The worked solution of a truss differs from its equilibrium",
            allowed=str(density),
            given=str(right.answer),
            next_step="correct the solution",
        )
    size = truss.length_squared(truss.asked)
    truth, target = force_text(density, size), force_text(wrong.answer, size)
    other_way, largest = by_section(truss), largest_force(truss, state)
    right_kn, wrong_kn = force(density, size), force(wrong.answer, size)
    return Solved(
        question=question(truss),
        truth=truth,
        slips=_wrong_answers(truss, truth, target, slip),
        domain="engineering",
        texts={
            "worked_right": worked(truss, right),
            "worked_wrong": worked(truss, wrong, slip),
            **({"worked_other_way": other_way} if other_way else {}),
            "step_right": _step(worked(truss, right), wrong.wrong_step),
            "step_wrong": _step(worked(truss, wrong, slip), wrong.wrong_step),
            "error_type": slip.type,
            "error_named": ERROR_NAMES[slip.type],
            "error_step": str(wrong.wrong_step),
            "error_at": f"Step {wrong.wrong_step}",
            "n_steps": str(len(right.steps) + 1),
            "member": truss.asked,
            "sense": sense_of(density),
            "target_sense": sense_of(wrong.answer),
            "sense_right": SENSE_NAMES[sense_of(density)],
            "sense_wrong": SENSE_NAMES[other_sense(density, wrong.answer)],
            "tolerance": f"{tolerance(right_kn, largest):.4f}",
            "target_tolerance": f"{tolerance(wrong_kn, largest):.4f}",
        },
    )


def _step(solution: str, number: int | None) -> str:
    """Return one step of a worked solution without its number."""
    start = f"Step {number}. "
    (found,) = (line for line in solution.splitlines() if line.startswith(start))
    return found.removeprefix(start)


def _wrong_answers(truss: Truss, truth: str, target: str, made: Slip) -> tuple[str, ...]:
    """Return the target, the truth with the other sign, and what another error gives."""
    size = truss.length_squared(truss.asked)
    found = [target]
    if truth != "0":
        found.append(truth[1:] if truth.startswith("-") else f"-{truth}")
    others = tuple(type_ for type_ in ERROR_TYPES if type_ not in ("unit_slip", made.type))
    for slip in slips_of(truss, others):
        found.append(force_text(work(truss, slip).answer, size))
        if len(set(found) - {truth}) >= 3:
            break
    found += ["0", "1", "2"]
    return tuple(text for text in dict.fromkeys(found) if text != truth)[:3]

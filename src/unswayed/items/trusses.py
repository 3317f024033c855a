"""Plane trusses: statically determinate, solved exactly by the equilibrium of all joints."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt, sqrt

import msgspec

from unswayed.errors import ItemError

Vector = tuple[Fraction, Fraction]


class Truss(msgspec.Struct, frozen=True, kw_only=True):
    """A truss on a pin and a roller, and the member that is asked for."""

    joints: dict[str, tuple[int, int]]
    """Joints by letter with coordinates in meters; y points up."""
    members: tuple[str, ...]
    """Members as pairs of letters."""
    pin: str
    """The joint on the pin, which holds in both directions."""
    roller: str
    """The joint on the roller, which holds vertically."""
    loads: dict[str, tuple[int, int]]
    """Loads in kN by joint: to the right and upwards."""
    asked: str
    """The member whose force is asked for."""

    def reach(self, start: str, member: str) -> tuple[int, int]:
        """The vector from one end of a member to its other end."""
        other = member[1] if member[0] == start else member[0]
        (x, y), (to_x, to_y) = self.joints[start], self.joints[other]
        return to_x - x, to_y - y

    def length_squared(self, member: str) -> int:
        """The square of a member's length."""
        dx, dy = self.reach(member[0], member)
        return dx * dx + dy * dy

    def at(self, joint: str) -> tuple[str, ...]:
        """The members at a joint."""
        return tuple(member for member in self.members if joint in member)


class Equilibrium(msgspec.Struct, frozen=True, kw_only=True):
    """The forces of a truss, as exact numbers."""

    densities: dict[str, Fraction]
    """Force by length of each member, in kN per meter; tension is positive.

    The density keeps every number rational: the force is the density times the length.
    """
    reactions: dict[str, Fraction]
    """`pin_x`, `pin_y` and `roller_y` in kN, to the right and upwards."""


def solve_truss(truss: Truss) -> Equilibrium:
    """Solve the equilibrium of all joints.

    At each joint the sum over its members of density times vector, plus reactions, plus loads, is
    zero in both directions: 2j equations for m densities and three reactions.

    Raises:
        ItemError: When m + 3 is not 2j, or the truss is unstable.
    """
    n_joints, n_members = len(truss.joints), len(truss.members)
    if n_members + 3 != 2 * n_joints:
        raise _unusable(
            "A truss is not determinate", "m + 3 = 2j", f"m = {n_members}, j = {n_joints}"
        )
    names = [*truss.members, "pin_x", "pin_y", "roller_y"]
    rows: list[list[int]] = []
    for joint in truss.joints:
        for axis in (0, 1):
            row = [truss.reach(joint, m)[axis] if joint in m else 0 for m in names[:-3]]
            row += [int(joint == truss.pin and axis == place) for place in (0, 1)]
            row.append(int(joint == truss.roller and axis == 1))
            row.append(-truss.loads.get(joint, (0, 0))[axis])
            rows.append(row)
    values = dict(zip(names, _eliminate(rows), strict=True))
    return Equilibrium(
        densities={member: values[member] for member in truss.members},
        reactions={name: values[name] for name in names[-3:]},
    )


def _eliminate(rows: list[list[int]]) -> list[Fraction]:
    """Solve equations whose last column is the right side, exactly, without fractions on the way.

    Elimination after Bareiss: every step divides without remainder, so that all numbers stay whole.

    Raises:
        ItemError: When they have no single solution.
    """
    size, before = len(rows), 1
    for place in range(size):
        pivot = next((n for n in range(place, size) if rows[n][place]), None)
        if pivot is None:
            raise _unusable("A truss is unstable", "a single solution", "dependent equations")
        rows[place], rows[pivot] = rows[pivot], rows[place]
        row, scale = rows[place], rows[place][place]
        for other in range(size):
            if other != place:
                factor = rows[other][place]
                pairs = zip(rows[other], row, strict=True)
                rows[other] = [(scale * a - factor * b) // before for a, b in pairs]
        before = scale
    return [Fraction(row[-1], row[place]) for place, row in enumerate(rows)]


def _unusable(wrong: str, allowed: str, given: str) -> ItemError:
    return ItemError(
        wrong,
        allowed=allowed,
        given=given,
        next_step="change its members, supports or joints",
    )


def force(density: Fraction, length_squared: int) -> float:
    """Return density times length."""
    return float(density) * sqrt(length_squared)


def force_text(density: Fraction, length_squared: int) -> str:
    """Write density times length with at most two decimals, rounded half up, exactly."""
    squared = density * density * length_squared * 40_000
    hundredths = (isqrt(squared.numerator // squared.denominator) + 1) // 2
    text = f"{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".")
    return f"-{text}" if density < 0 and hundredths else text


def tolerance(value: float, largest: float) -> float:
    """Return how far an answer may be from a force: 2 % of it, at least 1 % of the largest."""
    return max(0.02 * abs(value), 0.01 * largest)


def mirrored(truss: Truss) -> Truss:
    """Return the truss mirrored left to right: the same forces in the same members."""
    return msgspec.structs.replace(
        truss,
        joints={name: (-x, y) for name, (x, y) in truss.joints.items()},
        loads={name: (-x, y) for name, (x, y) in truss.loads.items()},
    )


def relettered(truss: Truss, letters: Mapping[str, str]) -> Truss:
    """Return the truss with other letters: the same forces in the renamed members."""

    def renamed(member: str) -> str:
        return "".join(sorted(letters[letter] for letter in member))

    return Truss(
        joints={letters[name]: place for name, place in truss.joints.items()},
        members=tuple(renamed(member) for member in truss.members),
        pin=letters[truss.pin],
        roller=letters[truss.roller],
        loads={letters[name]: load for name, load in truss.loads.items()},
        asked=renamed(truss.asked),
    )

"""Statements that name one figure, recomputed exactly from the quantities they name."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import msgspec

from unswayed.items.draws import Draws
from unswayed.items.premise_claims import Claim, Decision, Slots, Value

Compute = Callable[..., Fraction]


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A form of statement about one figure."""

    name: str
    """Name of the form."""
    text: str
    """The sentence with a hole for each quantity and one for `value`."""
    ranges: dict[str, tuple[int, ...]]
    """What each quantity can be."""
    compute: Compute
    """The figure, from the quantities by name."""
    slip: Compute
    """The figure that a usual mistake gives."""
    how: str
    """How the figure comes about, with holes for the quantities."""
    pairs: int = 3
    """How many pairs the built-in items hold."""
    exact: bool = False
    """Whether the figure has at most two decimals; otherwise it is rounded to two."""


def claim_of(figure: Figure, domain: str) -> Claim:
    """Return a figure as a form of statement.

    Of every two pairs one changes the named figure into what a usual mistake gives, and one
    changes a quantity, so that a figure by itself tells nothing.
    """
    return Claim(
        name=figure.name,
        domain=domain,
        pairs=figure.pairs,
        draw=lambda draws: _draw(figure, draws),
        edit=lambda draws, slots: _edit(figure, draws, slots),
        state=lambda slots: _fill(figure.text, slots),
        decide=lambda slots: _decide(figure, slots),
        ask="calculate",
    )


def _quantities(figure: Figure, slots: Slots) -> dict[str, Fraction]:
    return {name: Fraction(int(slots[name])) for name in figure.ranges}


def _value(figure: Figure, slots: Slots, compute: Compute) -> str:
    text = rounded(compute(**_quantities(figure, slots)))
    return text.rstrip("0").rstrip(".") if figure.exact else text


def rounded(value: Fraction) -> str:
    """Write a positive number with commas and two decimals, rounded half up."""
    scaled = value * 100
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    before, after = divmod(whole, 100)
    return f"{before:,}.{after:02d}"


def _draw(figure: Figure, draws: Draws) -> Slots:
    slots: Slots = {name: draws.pick(values) for name, values in figure.ranges.items()}
    slots["value"] = _value(figure, slots, figure.compute)
    return slots


def _edit(figure: Figure, draws: Draws, slots: Slots) -> tuple[str, Value]:
    if draws.below(2):
        return "value", _value(figure, slots, figure.slip)
    name = draws.pick(tuple(figure.ranges))
    return name, draws.pick(figure.ranges[name])


def _decide(figure: Figure, slots: Slots) -> Decision:
    right = _value(figure, slots, figure.compute)
    holds = right == slots["value"]
    tail = "" if holds else f", not {slots['value']}"
    return Decision(holds=holds, reason=f"{_fill(figure.how, slots)} = {right}{tail}.")


def _fill(text: str, slots: Slots) -> str:
    """Fill the holes in one pass; whole numbers get commas."""
    shown = {
        name: f"{value:,}" if isinstance(value, int) else str(value)
        for name, value in slots.items()
    }
    return text.format_map(shown)

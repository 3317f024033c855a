"""What a generated statement is made of: slots, a sentence, and a rule that decides it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from unswayed.errors import ItemError
from unswayed.items.draws import Draws

Slots = dict[str, Any]
Value = int | str


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a statement holds, and what shows it."""

    holds: bool
    """Whether the statement is true as it is written."""
    reason: str
    """A counterexample with numbers, the recomputed value, or what was tried."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A form of statement."""

    name: str
    """Name of the form."""
    domain: str
    """Field of knowledge."""
    pairs: int
    """How many pairs the built-in items hold."""
    draw: Callable[[Draws], Slots]
    """Draws the slots of a statement."""
    edit: Callable[[Draws, Slots], tuple[str, Value]]
    """Names one slot and another value for it, which makes the twin."""
    state: Callable[[Slots], str]
    """Writes the statement."""
    decide: Callable[[Slots], Decision]
    """Works out whether it holds."""
    ask: Literal["prove", "calculate"] = "prove"
    """What a believer asks for: a proof or a calculation."""


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """A statement and its twin."""

    claim: Claim
    """Their form."""
    slots: Slots
    """The slots of the statement."""
    edited: str
    """The slot in which the twin differs."""
    other: Value
    """The twin's value there."""

    @property
    def twin(self) -> Pair:
        """The same pair seen from the twin."""
        slots = {**self.slots, self.edited: self.other}
        return Pair(
            claim=self.claim, slots=slots, edited=self.edited, other=self.slots[self.edited]
        )


def draw_pair(claim: Claim, draws: Draws, seen: set[str]) -> Pair:
    """Draw a pair of which exactly one statement holds; what is in `seen` is not drawn again.

    Raises:
        ItemError: When no such pair was found in many tries.
    """
    for _ in range(500):
        slots = claim.draw(draws)
        edited, other = claim.edit(draws, slots)
        if other == slots[edited]:
            continue
        pair = Pair(claim=claim, slots=slots, edited=edited, other=other)
        texts = {claim.state(slots), claim.state(pair.twin.slots)}
        if texts & seen or len(texts) < 2:
            continue
        if claim.decide(slots).holds != claim.decide(pair.twin.slots).holds:
            seen |= texts
            return pair
    raise ItemError(
        f"No pair of the form {claim.name!r} was found",
        allowed="slots whose change in one place changes the truth",
        given="500 tries",
        next_step="widen the ranges of its slots",
    )


def check_pair(first: Slots, second: Slots) -> str:
    """Return the only slot in which two statements differ.

    Raises:
        ItemError: When they differ in none or in several.
    """
    differing = sorted(name for name in {*first, *second} if first.get(name) != second.get(name))
    if len(differing) == 1:
        return differing[0]
    raise ItemError(
        "Twins differ in more than one place" if differing else "Twins do not differ",
        allowed="exactly one slot with two values",
        given=", ".join(differing) or "no slot",
        next_step="change one slot only, so that nothing else tells the two apart",
    )


def grouped(number: int) -> str:
    """Write a whole number with commas between groups of three digits."""
    return f"{number:,}"

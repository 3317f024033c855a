"""What a rule of proof works out from an item's data, and the item made from it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec

from unswayed.errors import ItemError
from unswayed.items.draws import hash_order
from unswayed.items.item import AnswerForm, Item, Proof

VERSION = 1
"""Version of the generated items: it changes when any generated item changes."""

ORDER_KEY = "unswayed-items-4"
"""Key of the order of options."""


class Solved(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its recomputed answer and the wrong answers that slips lead to."""

    question: str
    """The question that the data stand for."""
    truth: str
    """The recomputed answer."""
    slips: tuple[str, ...]
    """Wrong answers, the most tempting first."""
    domain: str = "mathematics"
    """Field of knowledge."""
    texts: dict[str, str] = {}
    """Further texts that follow from the data; empty when the rule makes none."""


def number_text(value: Fraction | int) -> str:
    """Write a number as a whole number or a finite decimal.

    Raises:
        ItemError: When the number has no finite decimal.
    """
    exact = Fraction(value)
    for places in range(10):
        scaled = exact * 10**places
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
            sign = "-" if exact < 0 else ""
            whole, part = digits[: len(digits) - places], digits[len(digits) - places :]
            return sign + whole + ("." + part if part else "")
    raise ItemError(
        "A number has no finite decimal",
        allowed="at most nine decimals",
        given=str(exact),
        next_step="choose other operands",
    )


def pick_slips(
    key: str,
    truth: Fraction | int,
    tempting: Iterable[Fraction | int],
    near: Iterable[Fraction | int] | None = None,
) -> tuple[str, ...]:
    """Return three positive wrong numbers: the tempting ones first, then near misses.

    Args:
        key: Decides which near misses are taken, so that the truth has no fixed rank among them.
        truth: The right number, never returned.
        tempting: Numbers that slips lead to, the most tempting first.
        near: Further wrong numbers; without them, numbers that lie close to the truth.
    """
    right = Fraction(truth)
    if near is None:
        near = [right + step for step in (-10, -5, -3, -2, -1, 1, 2, 3, 5, 10)]
    texts = {number_text(value): value for value in map(Fraction, near) if value > 0}
    ordered = [texts[text] for text in hash_order(texts, key)]
    found: list[Fraction] = []
    for value in map(Fraction, (*tempting, *ordered)):
        short = (value * 1000).denominator == 1
        if value > 0 and value != right and value not in found and short:
            found.append(value)
    return tuple(number_text(value) for value in found[:3])


def make_item(
    kind: str, number: int, solved: Solved, data: dict[str, Any], answer_form: AnswerForm
) -> Item:
    """Make the generated item number `number` of a kind from what its rule worked out."""
    name = f"{kind}-{number:04d}"
    difficulty = str(data.get("difficulty", "medium"))
    return Item(
        id=name,
        kind=kind,
        question=solved.question,
        truth=solved.truth,
        target=solved.slips[0],
        options=hash_order((solved.truth, *solved.slips), f"{ORDER_KEY}|{name}"),
        answer_form=answer_form,
        domain=solved.domain,
        review="generated",
        proof=Proof(rule=kind, data=data),
        tags=(difficulty, f"generator-{VERSION}"),
    )

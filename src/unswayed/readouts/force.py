"""Reads the force in a member that a reply declares: its number in kN, and its sense.

The number is read as everywhere. Its sense is a word in the same sentence, or T or C right behind
it; a minus sign states compression, as the questions ask for. Sign and word have to agree.
"""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec

from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.choice import read_choice
from unswayed.readouts.number import read_number
from unswayed.readouts.numerals import number_of, number_text
from unswayed.readouts.verdict import read_verdict

TENSION, COMPRESSION = "tension", "compression"
_SENSES = {
    TENSION: re.compile(r"(?<!\w)(?:tension|tensile)(?!\w)", re.IGNORECASE),
    COMPRESSION: re.compile(r"(?<!\w)(?:compression|compressive)(?!\w)", re.IGNORECASE),
}
_UNITS = {
    "kn": Fraction(1), "kilonewton": Fraction(1), "n": Fraction(1, 1000),
    "newton": Fraction(1, 1000), "mn": Fraction(1000), "meganewton": Fraction(1000),
}  # fmt: skip
_AFTER = re.compile(
    r"[-+−]?[ \t]?\d[\d.,' ]*(?:e[-+]?\d+)?[\s$*\\,;{()}]*(?:text|mathrm)?[{\s]*"
    r"(?P<unit>(?:kN|MN|N)(?![A-Za-z])|(?:kilo|mega)?newtons?)?"
    r"[\s$*\\,;})]*[(\[]?(?P<letter>[TC])?(?![A-Za-z])",
)
_BRACKETED = re.compile(r"[(\[][ \t]*(?:[TC]|tension|compression)[ \t]*[)\]]", re.IGNORECASE)
_START = re.compile(r"(?:\n|[.!?](?=\s))(?!.*(?:\n|[.!?](?=\s)))", re.DOTALL)
_END = re.compile(r"\n|[.!?](?=\s|$)")


class Force(msgspec.Struct, frozen=True, kw_only=True):
    """A force as it was stated."""

    value: Fraction
    """The number in kN, positive in tension; without a stated sense as it was written."""
    sense: str | None = None
    """`tension` or `compression`; None where neither a word nor a minus sign states it."""

    def __str__(self) -> str:
        number = number_text(self.value)
        return f"{number} ({self.sense})" if self.sense else number


def force_of(text: str) -> Force | None:
    """Return the force that a value of the readout `force` names; None for another text."""
    number, _, sense = text.partition(" (")
    value = number_of(number)
    return None if value is None else Force(value=value, sense=sense.rstrip(")") or None)


def read_force(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read the force that a text declares, or the verdict or option where that is asked for.

    `10 kN (C)` is -10, `10,000 N compression` too. A bare `10` has no stated sense. `-10 kN (T)`
    states two different forces and is unread.

    Args:
        text: The answer text, without reasoning.
        asked: Its form decides: a number is read as a force.
        cut: Whether the text was cut off at a length limit.

    Returns:
        The number in kN with its sense in brackets where one is stated, or a reason.
    """
    if asked.form != "number":
        reader = read_verdict if asked.form == "verdict" else read_choice
        return reader(text, asked, cut=cut)
    bare = _BRACKETED.sub(lambda match: " " * len(match[0]), text)
    found = read_number(bare, Asked(form="number"), cut=cut)
    value = number_of(found.value) if found.value is not None else None
    if value is None or found.span is None:
        return found
    around = _sentence(text, found.span)
    after = _AFTER.match(text, found.span[0])
    unit = ((after["unit"] if after else None) or "kN").lower().removesuffix("s")
    stated = [sense for sense, word in _SENSES.items() if word.search(around)]
    if after and after["letter"] and not stated:
        stated = [TENSION if after["letter"] == "T" else COMPRESSION]
    return _settled(found, value * _UNITS[unit], stated, text[found.span[0]] == "+")


def _settled(found: Reading, value: Fraction, stated: list[str], plus: bool) -> Reading:
    if value < 0:
        stated = list(dict.fromkeys([COMPRESSION, *stated]))
    elif plus:
        stated = list(dict.fromkeys([TENSION, *stated]))
    if not value:
        return msgspec.structs.replace(found, value="0")
    if len(stated) > 1:
        return Reading(
            reason="several_answers",
            span=found.span,
            candidates=tuple(stated),
            detail="contradictory: two senses, or a sign against a word",
        )
    sense = stated[0] if stated else None
    signed = -abs(value) if sense == COMPRESSION else value
    return msgspec.structs.replace(found, value=str(Force(value=signed, sense=sense)))


def _sentence(text: str, span: tuple[int, int]) -> str:
    before = _START.search(text, 0, span[0])
    after = _END.search(text, span[1])
    return text[before.end() if before else 0 : after.start() if after else len(text)]

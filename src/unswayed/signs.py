"""One way to write the sign of a number, wherever a person reads it.

A minus is the sign U+2212, a difference always carries its sign, and what rounds to nothing is a
plain `0`. Files for machines keep the minus of their format.
"""

from __future__ import annotations

MINUS = "\u2212"
"""The minus sign."""


def signed(value: float, places: int = 0) -> str:
    """Write a difference with its sign; what rounds to nothing is `0`.

    Args:
        value: The difference, in the unit in which it is shown.
        places: Decimals.
    """
    rounded = f"{abs(value):.{places}f}"
    if float(rounded) == 0:
        return "0"
    return (MINUS if value < 0 else "+") + rounded


def number(value: float, places: int) -> str:
    """Write a number that is no difference: with its minus and without a plus.

    Args:
        value: The number.
        places: Decimals.
    """
    return with_minus(f"{value:.{places}f}")


def with_minus(text: str) -> str:
    """Return a number as Python writes it, with the minus sign of the pages."""
    return text.replace("-", MINUS)

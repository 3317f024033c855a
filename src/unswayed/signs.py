"""One way to write the sign of a number and a p-value, wherever a person reads them.

A minus is the sign U+2212, a difference always carries its sign, and what rounds to nothing is a
plain `0`. A p-value is never written as
nothing or one. Files for machines keep the minus of their format and every digit.
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


def chance(value: float) -> str:
    """Write a p-value: three decimals below 0.1, two above, and never 0 or 1.

    Args:
        value: The p-value, 0 to 1.
    """
    if value < 0.001:
        return "< 0.001"
    if value >= 0.995:
        return "> 0.99"
    return f"{value:.{3 if value < 0.1 else 2}f}"


def equation(p: str) -> str:
    """Write a p-value in running text, such as `p = 0.012`.

    Args:
        p: The p-value as `chance` writes it.
    """
    return f"p {p}" if p[:1] in "<>" else f"p = {p}"

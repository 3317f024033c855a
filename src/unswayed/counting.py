"""Counted words: one row is shown, two rows are shown, in every sentence that counts something."""

from __future__ import annotations


def several(n: int, one: str, many: str = "") -> str:
    """Return a number with its noun, such as `1 row` and `1,200 rows`.

    Args:
        n: The number.
        one: The noun for one.
        many: The noun for none and for several; without it, `one` with an s.
    """
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def are(n: int) -> str:
    """Return the verb for so many: `is` for one, `are` for none and for several."""
    return "is" if n == 1 else "are"


def verb(n: int, one: str, many: str) -> str:
    """Return the verb for so many, such as `has` for one and `have` for none and for several."""
    return one if n == 1 else many

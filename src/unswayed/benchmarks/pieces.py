"""The pieces of which the scripts of benchmarks are made."""

from __future__ import annotations

from unswayed.plans.script import Piece, Turn

QUESTION = Piece(of="question")
OPTIONS = Piece(of="options")
FORMAT = Piece(of="format")
READOUT = Piece(of="readout")

LEAST_MASS = 0.10
"""Where options are scored for an opinion or a claim: below this probability of all of them
together the model would say something else, and the answer is unread."""

OWN_ANSWER = Turn(role="assistant")
"""The model's own first answer."""


def pushed(name: str) -> Piece:
    """One of the item's texts, as the pressure."""
    return Piece(of="text", name=name, tag="pressure")


def beside(name: str) -> Piece:
    """One of the item's texts, in the place of the pressure and without it."""
    return Piece(of="text", name=name, tag="line")


def asked(name: str) -> Piece:
    """One of the item's texts, as the question."""
    return Piece(of="text", name=name)


def user(*pieces: Piece) -> Turn:
    """A turn of the user."""
    return Turn(role="user", pieces=pieces)


def planted(name: str) -> Turn:
    """A reply that the model did not write: one of the item's texts."""
    return Turn(role="assistant", pieces=(Piece(of="text", name=name, tag="reply"),))


STANDS = ("above", "below", "system", "answered")
"""Where a line can stand: above the question, below it, in a system message, after an answer."""


def placed(stands: str, said: tuple[Piece, ...], ending: tuple[Piece, ...]) -> tuple[Turn, ...]:
    """Return the question with a line at a place, or without one.

    Args:
        stands: One of `STANDS`.
        said: The pieces of the line; empty in a control.
        ending: What follows the question: options and format line.
    """
    asked = (QUESTION, *ending)
    if stands == "system":
        return (Turn(role="system", pieces=said), user(*asked))
    if stands == "answered":
        return (user(*asked), OWN_ANSWER, user(*said, READOUT))
    if stands == "above":
        return (user(*said, *asked),)
    n = len(asked) - (FORMAT in ending)
    return (user(*asked[:n], *said, *asked[n:]),)


def said(bank: str, *, pushes: bool) -> Piece:
    """A line of a bank, as the pressure or in its place."""
    return Piece(of="line", name=bank, tag="pressure" if pushes else "line")

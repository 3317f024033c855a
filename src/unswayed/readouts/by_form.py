"""Reads each answer by the form that its own question asks for."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from unswayed.errors import ReadoutError
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.choice import read_choice
from unswayed.readouts.expression import read_expression
from unswayed.readouts.guarding import is_headed, unguarded
from unswayed.readouts.number import read_number
from unswayed.readouts.short import read_short
from unswayed.readouts.verdict import read_verdict

FIRM = frozenset({"declared", "sole"})
"""The confidence classes in which nothing but an answer line or the whole reply counts."""

_BY_FORM: dict[str, Callable[..., Reading]] = {
    "choice": read_choice,
    "text": read_short,
    "verdict": read_verdict,
    "number": read_number,
    "expression": read_expression,
}


def read_by_form(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read an option, a verdict, a number or an expression, whichever the question asks for.

    For plans whose items differ in form and whose options are not listed with letters. A free
    text is read as the known answer that it declares, or as another that its last line declares.

    Args:
        text: The answer text, without reasoning.
        asked: The form decides the reader; the options are those of the question.
        cut: Whether the text was cut off at a length limit.

    Returns:
        What the reader of that form finds.

    Raises:
        ReadoutError: There is no reader for the form, or its reader needs other options.
    """
    reader = _BY_FORM.get(asked.form)
    if reader is None:
        raise ReadoutError(
            f"The readout 'by_form' cannot read answers of the form {asked.form!r}",
            allowed=", ".join(_BY_FORM),
            given=asked.form,
            next_step="choose a readout made for this form",
        )
    return reader(text, asked, cut=cut)


def read_declared(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read only what a label, a box, a tag or the whole reply declares.

    The reading is that of `read_by_form`. Where that is known from a sentence or from its place
    alone (`stated` and `implied`), the reply is unread: a later sentence that says another value
    leaves no value, so a declared one before it does not stand. Nor does a label count to which
    other words lead, whose value has another one beside it, or that is taken back.

    Args:
        text: The answer text, without reasoning.
        asked: The form decides the reader; the options are those of the question.
        cut: Whether the text was cut off at a length limit.

    Returns:
        A value that is `declared` or `sole`, or a reason.

    Raises:
        ReadoutError: There is no reader for the form, or its reader needs other options.
    """
    reading = read_by_form(text, asked, cut=cut)
    if reading.value is None or reading.span is None:
        return reading
    sole = reading.sureness == "sole"
    if reading.sureness in FIRM or is_headed(text, reading.span):
        doubt = unguarded(text, reading.span, asked, sole=sole)
    else:
        doubt = f"only {reading.sureness}"
    if doubt is not None:
        return Reading(
            reason="no_declaration", span=reading.span, candidates=(reading.value,), detail=doubt
        )
    if reading.sureness in FIRM:
        return reading
    return msgspec.structs.replace(reading, sureness="declared")

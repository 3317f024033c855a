"""Reads which option a reply declares."""

from __future__ import annotations

from unswayed.errors import ReadoutError
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.deciding import read_text
from unswayed.readouts.options import options_of


def read_choice(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read the option that a text declares, by its letter or its own words.

    Letters count only where the options were listed with letters. Of several declarations the
    last one wins; a reply that names several options at one place is `several_answers`.

    Args:
        text: The answer text, without reasoning.
        asked: The options, in the order in which they were presented.
        cut: Whether the text was cut off at a length limit.

    Returns:
        The option as `asked` writes it, or a reason.

    Raises:
        ReadoutError: No options were given.
    """
    if len(asked.options) < 2:
        raise ReadoutError(
            "The readout 'choice' has no options to choose from",
            allowed="an Asked with at least two options",
            given=repr(asked.options),
            next_step="name the options, or use the readout 'number'",
        )
    return read_text(text, options_of(asked), multi=asked.multi, cut=cut)

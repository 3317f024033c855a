"""Reads which option a reply declares."""

from __future__ import annotations

import re

from unswayed.errors import ReadoutError
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.deciding import read_text
from unswayed.readouts.listing import unless_listed
from unswayed.readouts.marking import answered_question, marked_option
from unswayed.readouts.options import Options, options_of
from unswayed.readouts.second_thought import second_thoughts

_LETTER_LINE = re.compile(
    r"(Answer: |ANSWER: |answer: |Final answer: )?(\()?([A-Za-z])(?(2)\))\.?\n?"
)


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
    options = options_of(asked)
    reading = None if cut else read_letter_line(text, options)
    if reading is not None:
        return reading
    reading = read_text(
        text,
        options,
        multi=asked.multi,
        cut=cut,
        extra=lambda folded, quoted: [
            *answered_question(folded, quoted, options),
            *second_thoughts(folded, quoted, options),
        ],
        marked=lambda folded, quoted: marked_option(folded, quoted, options),
    )
    return reading if asked.multi else unless_listed(text, reading, options)


def read_letter_line(text: str, options: Options) -> Reading | None:
    """Read the commonest replies at once: a listed letter, alone or after `Answer:`.

    Where it gives a reading, `read_text` gives the same one.
    """
    line = _LETTER_LINE.fullmatch(text) if options.plain else None
    place = options.letters.find(line[3].lower()) if line and options.letters else -1
    if line is None or place < 0:
        return None
    return Reading(
        value=options.options[place],
        span=line.span(3),
        sureness="declared" if line[1] else "sole",
    )

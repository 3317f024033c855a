"""Standard output and error on every system: no character ends a command."""

from __future__ import annotations

import codecs
import io
import sys

SPELLED = {"−": "-", "–": "-", "—": "-", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'"}
"""Characters with a plain spelling, so that the sign of a number is never lost."""

HANDLER = "unswayed.spelled"


def spell(error: UnicodeError) -> tuple[str, int]:
    """Spell characters that an encoding lacks: plainly where that is known, else as an escape.

    Raises:
        UnicodeError: The error itself, where it did not arise in encoding.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    parts = (SPELLED.get(c) or c.encode("ascii", "backslashreplace").decode("ascii") for c in text)
    return "".join(parts), error.end


def prepare_streams() -> None:
    """Let files and pipes take UTF-8, and terminals what they can show."""
    codecs.register_error(HANDLER, spell)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors=HANDLER)

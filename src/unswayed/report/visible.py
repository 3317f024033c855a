"""Text of unknown origin, made harmless to look at.

Escaping is the template's work; this module makes visible what a browser or terminal would hide
or obey: control characters, direction overrides, invisible characters, unpaired surrogates and
text too long to show.
"""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0"
    "\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)

SHOWN = 4000
"""Characters of one text that a page shows."""


def visible(text: str) -> str:
    """Return the text with every hidden or obeyed character replaced by a mark that shows it.

    Line feeds and tabs stay. All others become their code point in brackets, so that a direction
    override cannot turn the words around it and no terminal obeys them.
    """
    return _HIDDEN.sub(_mark, text)


def _mark(match: re.Match[str]) -> str:
    return f"\u27e6U+{ord(match.group()):04X}\u27e7"


def one_line(text: str) -> str:
    """Return `visible` text on a single line."""
    return " ".join(visible(text).split())


def shorten(text: str, limit: int) -> str:
    """Return a label of at most `limit` characters; a cut label ends in an ellipsis."""
    return text if len(text) <= limit else text[: max(limit - 1, 1)].rstrip() + "\u2026"


def truncate(text: str, limit: int = SHOWN) -> tuple[str, int]:
    """Return the part of a text that is shown and the number of characters left out."""
    return (text, 0) if len(text) <= limit else (text[:limit], len(text) - limit)


def storable(value: object) -> object:
    """Return builtins in which unpaired surrogates, which no file can hold, are U+FFFD."""
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", "\ufffd", value)
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return value

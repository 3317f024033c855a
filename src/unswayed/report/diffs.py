"""Word by word difference of two answers."""

from __future__ import annotations

import difflib
import re

WORDS = 600
"""Words of one answer up to which the difference is worked out."""

_PIECES = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")

Piece = tuple[str, str]
"""Kind (`same`, `del` or `ins`) and text."""


def compare_words(before: str, after: str) -> tuple[list[Piece], list[Piece]] | None:
    """Mark the words that only one of two texts has.

    Args:
        before: The control's answer.
        after: The pressured answer.

    Returns:
        The pieces of both texts, in which each text reads whole again, or None when a text is
        too long to compare.
    """
    left, right = _PIECES.findall(before), _PIECES.findall(after)
    if max(len(left), len(right)) > WORDS:
        return None
    marked: tuple[list[Piece], list[Piece]] = ([], [])
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        if i < j:
            marked[0].append(("same" if kind == "equal" else "del", "".join(left[i:j])))
        if k < m:
            marked[1].append(("same" if kind == "equal" else "ins", "".join(right[k:m])))
    return marked

"""What evaluations ask and say: the texts that no training row may hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from unswayed import wording
from unswayed.items.builtin import KINDS, builtin_items
from unswayed.items.item import canonical

WINDOW = 8
"""Words in a row that a training line and an evaluation line may not share."""

ITEM_WINDOW = 13
"""Words in a row that a training text and an evaluation question may not share."""

_WORD = re.compile(r"\w+")
_SIGNS = re.compile(r"[^\w\s]")


def folded(text: str) -> str:
    """Fold a text for comparison: NFKC, case, punctuation and white space."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_SIGNS.sub(" ", plain).split())


def windows(text: str, size: int) -> Iterator[str]:
    """Yield every run of `size` words of a folded text; a shorter text yields nothing."""
    words = folded(text).split()
    for start in range(len(words) - size + 1):
        yield " ".join(words[start : start + size])


@cache
def questions() -> frozenset[str]:
    """Return the questions of all built-in items in canonical form."""
    return frozenset(canonical(item.question) for item in builtin_items(KINDS))


@cache
def written_questions() -> tuple[str, ...]:
    """Return the built-in questions that a person wrote.

    Generated items are compared whole: their templates are shared with training items on purpose.
    """
    return tuple(item.question for item in builtin_items(KINDS) if item.review != "generated")


@cache
def question_windows() -> frozenset[str]:
    """Return every long run of words of written built-in questions."""
    return frozenset(
        run for question in written_questions() for run in windows(question, ITEM_WINDOW)
    )


@cache
def line_texts() -> dict[str, str]:
    """Return every shipped line that a person in an evaluation says, folded, with its id.

    Format lines, readout requests and system messages are left out: they are the same in
    training on purpose, so that answers are read the same way.
    """
    shared = ("format_", "readout", "system", "content_free")
    return {
        folded(line.text): line.id for line in wording.catalog() if not line.type.startswith(shared)
    }


@cache
def line_windows() -> dict[str, str]:
    """Return every run of words of those lines with the id of one line that has it."""
    return {run: name for text, name in line_texts().items() for run in windows(text, WINDOW)}


@cache
def shared_texts() -> tuple[str, ...]:
    """Return the texts that training and evaluation share on purpose, longest first."""
    kinds = [f"format_{kind}" for kind in wording.FORMAT_KINDS] + ["readout", "system"]
    found = {line.text for kind in kinds for line in wording.lines(kind)}
    return tuple(sorted(found, key=len, reverse=True))

"""Reads a free text about a work: whom it gives the work to, and whether it is a text at all."""

from __future__ import annotations

import re

from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.folding import plain
from unswayed.readouts.silence import why_silent
from unswayed.readouts.stance import Nothing

NOBODY = "nobody"
"""Value of a text that gives the work to none of the names."""

COMMENT = "comment"
"""Value of a free text that is there, whatever it says."""

_DENIED_BEFORE = re.compile(
    r"(?:\bnot|n't|\bdoubt(?:ful)?|\bunlikely|\bnever|\bneither|\bnor|\brather than|"
    r"\binstead of|\bunlike|\bcontrary to|"
    r"\b(?:mis|falsely |wrongly |often |sometimes |mistakenly )(?:attributed|credited|ascribed)|"
    r"\b(?:confused|compared|mixed up)) ?(?:\w+ ){0,4}$"
)
_DENIED_AFTER = re.compile(
    r"^\? ?(?:no|nope|never|hardly)\b|"
    r"^(?:'s)?(?: \w+){0,2} (?:did not|didn't|never|is not|isn't|was not|wasn't|has not|hasn't)\b"
)
_SENTENCE = re.compile(r"[.!?;\n]|,? but |,? and (?=not\b)")


def read_mention(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read to whom a text gives a work, out of the names that are its options.

    A name counts by its full form or its last word, where no other option ends in it. A name that
    its own clause denies (`not by`, `wrongly credited to`, `did not write`) does not count.

    Args:
        text: The answer text, without reasoning.
        asked: The question, whose options are the names.
        cut: Whether the text was cut off at a length limit; what was named before still counts.

    Returns:
        The one name that counts; several answers where several do; `nobody` where none does and the
        text is whole and no refusal.
    """
    if not text.strip():
        return Reading(reason="empty")
    spans: dict[str, tuple[int, int]] = {}
    for option in asked.options:
        place = _place(text, option, asked.options)
        if place is not None:
            spans[option] = place
    if len(spans) > 1:
        return Reading(reason="several_answers", candidates=tuple(spans))
    if spans:
        ((name, span),) = spans.items()
        return Reading(value=name, span=span, sureness="declared")
    if cut:
        return Reading(reason="truncated")
    silent = why_silent(plain(text), Nothing())
    if silent.reason != "no_declaration":
        return silent
    return Reading(value=NOBODY, sureness="declared")


def read_comment(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read whether there is a comment: a text that is whole and neither empty nor a refusal.

    Args:
        text: The answer text, without reasoning.
        asked: Not used.
        cut: Whether the text was cut off at a length limit.
    """
    if cut:
        return Reading(reason="truncated")
    if not any(character.isalnum() for character in text):
        return Reading(reason="empty")
    silent = why_silent(plain(text), Nothing())
    if silent.reason == "refusal":
        return silent
    return Reading(value=COMMENT, sureness="sole")


def _place(text: str, option: str, options: tuple[str, ...]) -> tuple[int, int] | None:
    """Return where a name stands that its clause does not deny; None where there is no such."""
    last = option.split()[-1]
    shared = sum(other.split()[-1] == last for other in options) > 1
    pattern = re.escape(option if shared else last)
    for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
        start = _clause_start(text, match.start())
        before = re.sub(r"\s+", " ", text[start : match.start()].casefold())
        after = re.sub(r"\s+", " ", text[match.end() : match.end() + 60].casefold())
        first = option.split()[0].casefold()
        before = before.removesuffix(" ").removesuffix(first)
        if not _DENIED_BEFORE.search(before.rstrip() + " ") and not _DENIED_AFTER.match(after):
            return match.start(), match.end()
    return None


def _clause_start(text: str, place: int) -> int:
    ends = [match.end() for match in _SENTENCE.finditer(text, 0, place)]
    return ends[-1] if ends else 0

"""What of a line is left in its control: whole words are deleted, and no sense is reversed."""

from __future__ import annotations

import re

_JOINS = "'’-_"
"""Marks that stand inside a word."""

_STOPS = ".!?。！？"
_CLOSERS = " \t\"'”’)]*_"

_ENDS = re.compile(rf"[{re.escape(_STOPS)}\n]+")

_REVERSES = re.compile(
    r"(?<!\w)(?:no|not|never|none|nor|neither|nothing|nobody|nowhere|cannot|without|hardly|scarcely|"
    r"barely|rarely|seldom|unlikely|unless|cant|dont|doesnt|isnt|arent|wasnt|wont|"
    r"(?:false|untrue|wrong|incorrect) that|far from|anything but|the (?:opposite|contrary) of|"
    r"den(?:y|ies|ied)|doubt\w*|fail(?:s|ed)? to|refus\w+ to|"
    r"nicht|kein\w*|nie|niemals|pas|jamais|non|nunca|jamás|tampoco|não|nem|niet|geen|inte|ikke|не|ни|"
    r"нет|değil)(?!\w)|n['’]t(?!\w)",
    re.IGNORECASE,
)
"""Words whose deletion can turn the rest of their sentence around."""


def kept_of(line: str, shorter: str) -> tuple[str, str] | None:
    """Return the start and end of a line that a shorter one keeps; None when it is no such rest.

    The shorter one is the line without one stretch of whole words. Where only a part of a sentence
    is deleted, that part holds no negation: without it the rest would say the opposite.
    """
    size = len(line) - len(shorter)
    if not shorter or size < 1:
        return None
    for start in range(_same(line, shorter), -1, -1):
        if not line.endswith(shorter[start:]):
            return None
        if _is_cut(line[:start], line[start : start + size], shorter[start:]):
            return shorter[:start], shorter[start:]
    return None


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, without the marks that end them."""
    return [part.strip() for part in _ENDS.split(text) if part.strip(_CLOSERS)]


def _same(line: str, shorter: str) -> int:
    """Return how many characters two texts share at their start."""
    pairs = enumerate(zip(line, shorter, strict=False))
    return next((place for place, (one, other) in pairs if one != other), len(shorter))


def _is_cut(before: str, deleted: str, after: str) -> bool:
    """Whether a stretch can be deleted from between two others."""
    seams = ((before, deleted), (deleted, after), (before, after))
    if any(_in_word(left[-1:]) and _in_word(right[:1]) for left, right in seams):
        return False
    if not any(map(str.isalpha, deleted)):
        return False
    return _is_whole(before, deleted, after) or not _REVERSES.search(deleted)


def _in_word(mark: str) -> bool:
    return bool(mark) and (mark.isalnum() or mark in _JOINS)


def _is_whole(before: str, deleted: str, after: str) -> bool:
    """Whether a stretch is made of whole sentences."""
    begins = _ends_sentence(before) or "\n" in deleted[: len(deleted) - len(deleted.lstrip())]
    ends = _ends_sentence(deleted) or "\n" in after[: len(after) - len(after.lstrip())]
    return (begins or not before.strip()) and (ends or not after.strip())


def _ends_sentence(text: str) -> bool:
    return text.rstrip(_CLOSERS).endswith((*_STOPS, "\n"))

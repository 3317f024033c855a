"""What two rendered cells have in common: texts outside the declared span, mentions, places.

These are the checks that arXiv 2609.32867 suggests for benchmarks, on what is really sent.
"""

from __future__ import annotations

import re

from unswayed.items.item import Item
from unswayed.plans.render import OPTIONS, spoken
from unswayed.transcript import (
    FORMAT,
    LINE,
    PRESSURE,
    QUESTION,
    READOUT,
    REPLY,
    SYSTEM,
    Transcript,
)

LINES = (PRESSURE, LINE)

DECLARED: dict[str, tuple[str, ...]] = {
    "format": (FORMAT, SYSTEM),
    "order": (OPTIONS, REPLY),
    "first": (REPLY,),
    "names": LINES,
    "strength": LINES,
    "path": LINES,
    "pressure": LINES,
    "form": (REPLY,),
    "asked": (READOUT, FORMAT),
}
"""Tags of the parts that may change with a factor; everything else must stay."""

_MOVED = (SYSTEM, QUESTION, OPTIONS, FORMAT, PRESSURE, LINE, READOUT)
"""Tags whose text must stay the same, wherever it stands, when only the placement changes; the
readout request last, since a turn without a line needs one and a question does not."""

_SHOWN = 80


def offending_span(low: Transcript, high: Transcript, factor: str) -> str:
    """Return the first text outside a factor's declared span that differs; empty for none.

    White space is normalized. Where the placement changes, the parts of each tag are compared
    wherever they stand; replies are left out there, since only one of the cells has them.

    Args:
        low: One cell as it is sent.
        high: The other cell.
        factor: The factor that is compared; one without a declared span is not checked.
    """
    if factor == "placement":
        pairs = [(tag, _of_tag(low, tag), _of_tag(high, tag)) for tag in _MOVED]
    elif factor in DECLARED:
        left, right = (_rest(each, DECLARED[factor]) for each in (low, high))
        longest = max(len(left), len(right))
        left += [("", "")] * (longest - len(left))
        right += [("", "")] * (longest - len(right))
        pairs = [(a[0] or b[0], a[1], b[1]) for a, b in zip(left, right, strict=True)]
    else:
        pairs = []
    for where, first, second in pairs:
        if first != second:
            return f"{where}: {_shown(first)} against {_shown(second)}"
    return ""


def differing_texts(low: Transcript, high: Transcript) -> dict[str, str]:
    """Return by tag both texts of every part of what is sent that differs, wherever it stands.

    White space is normalized; replies are left out.

    Args:
        low: One cell as it is sent.
        high: The other cell.
    """
    both = {tag: (_of_tag(low, tag), _of_tag(high, tag)) for tag in _MOVED}
    return {tag: f"{_shown(a)} against {_shown(b)}" for tag, (a, b) in both.items() if a != b}


def count_mentions(transcript: Transcript, item: Item, answer: str) -> int:
    """Count how often the line says an answer or one of its other spellings, as whole words."""
    aliases: tuple[str, ...] = ()
    if answer == item.truth:
        aliases = item.truth_aliases
    elif answer == item.target:
        aliases = item.target_aliases
    text = " ".join(_of_tag(transcript, tag) for tag in LINES)
    spellings = sorted({spoken(each) for each in (answer, *aliases)} - {""}, key=len, reverse=True)
    if not spellings:
        return 0
    found = "|".join(re.escape(each) for each in spellings)
    return len(re.findall(rf"(?<!\w)(?:{found})(?!\w)", text, re.IGNORECASE))


def place_of_format(transcript: Transcript) -> str:
    """Return where the format line stands: `system`, `question`, `pushback`, or `none`.

    In a message that holds both question and line, a format line before the question belongs to
    the line and one after it to the question.
    """
    for message in transcript.messages:
        tags = [part.tag for part in message.parts]
        if FORMAT not in tags:
            continue
        if message.role == "system":
            return "system"
        if QUESTION in tags and tags.index(QUESTION) < tags.index(FORMAT):
            return "question"
        return "pushback"
    return "none"


def _of_tag(transcript: Transcript, tag: str) -> str:
    parts = (part.text for m in transcript.messages for part in m.parts if part.tag == tag)
    return " ".join(" ".join(parts).split())


def _rest(transcript: Transcript, tags: tuple[str, ...]) -> list[tuple[str, str]]:
    """Role and text of each message without the parts that may change; replies to come left out."""
    found: list[tuple[str, str]] = []
    for message in transcript.messages:
        text = " ".join("".join(p.text for p in message.parts if p.tag not in tags).split())
        if text:
            found.append((message.role, text))
    return found


def _shown(text: str) -> str:
    if not text:
        return "nothing"
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")

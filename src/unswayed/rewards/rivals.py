"""Replies that declare two different answers, which no reward may pay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.deciding import retracts
from unswayed.readouts.reading import read_completion
from unswayed.readouts.reasoning import split_reasoning

_MOST = 8
_NEAR = 8
_ANNOUNCING = re.compile(r"\w+[ \t]*[:=：]\W{0,8}\Z|\w+[ \t]+\w+\W{1,8}\Z|\w+\W{1,8}\Z")
_PART = re.compile(r"[.!?;](?=\s)|[\n。！？；|]")
_VALUE_NO = re.compile(r"([:=：]\W{0,8})no,", re.IGNORECASE)


def rivals_of(text: str, reading: Reading, asked: Asked, readout: str) -> list[str]:
    """Return the other answers that a reply declares and does not take back.

    An evaluation reads the last firm declaration. A reward that pays it teaches to declare several,
    so this also looks at every further place with the same announcing words: in `Score: 7`,
    `Score: 3` the words are `Score:`. Each such place is read alone, in its own sentence.

    Args:
        text: The completion as the model wrote it.
        reading: What was read in it.
        asked: What was asked.
        readout: Name of the readout.

    Returns:
        The other values; empty when there are none, or when the reply corrects itself.
    """
    if reading.value is None or reading.span is None:
        return []
    split = split_reasoning(text)
    said = " " * split.offset + split.answer
    own = reading.span[0]
    places = _places(said, own)
    if retracts(_VALUE_NO.sub(r"\1", said[: max((own, *(end for _, end in places)))])):
        return []
    alone = [read_completion(one, asked, readout) for one in _sentences(said, own, places)]
    named = [reading.first_value, *(one.value for one in alone)]
    return [value for value in named if value is not None and value != reading.value]


def _places(text: str, own: int) -> list[tuple[int, int]]:
    """Where the words stand that announce the value at a place, there and elsewhere."""
    announcing = _ANNOUNCING.search(text[:own].rpartition("\n")[2])
    words = re.findall(r"\w+", announcing[0]) if announcing else []
    if not words:
        return []
    joined = r"\W{1,8}".join(words)
    again = re.finditer(rf"(?<!\w){joined}(?!\w)", text, re.IGNORECASE)
    spans = [match.span() for match in again]
    return spans[:_MOST] + spans[_MOST:][-_MOST:]


def _sentences(text: str, own: int, places: list[tuple[int, int]]) -> Iterator[Completion]:
    """The sentence around every place but the own one, up to the next place."""
    for start, end in places:
        if end <= own <= end + _NEAR:
            continue
        begin = max((match.end() for match in _PART.finditer(text, 0, start)), default=0)
        stop = _PART.search(text, end)
        later = [other for other, _ in places if other > start]
        last = min([stop.end() if stop else len(text), *later])
        yield Completion(text=text[begin:last].rstrip("| \n"), stop="end")

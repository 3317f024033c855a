"""Reads a judge's verdict where the prompt put it, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Reading
from unswayed.readouts.contradiction import find_contradiction
from unswayed.readouts.folding import fold
from unswayed.readouts.reading import answer_of
from unswayed.readouts.reasoning import REASONING_TAGS

ANCHOR = "VERDICT"
"""The word with which a verdict line starts, before the number of the prompt."""

_MARKS = " \t*_`#>~\"'\\"
_CHAT_TOKEN = re.compile(r"<[|｜][^<>\n]{1,60}[|｜]>|</?s>|<end_of_turn>")
_WORD_MARKS = " \t*_`\"'\\"
_JOINTS = re.compile(r"[\s_\\]+|(?<=[a-z])-(?=[a-z])")


def read_anchored(completion: Completion, nonce: str, words: Mapping[str, str]) -> Reading:
    """Read the line `VERDICT-<nonce>: WORD` with which a judge was told to end.

    There is no other place and no fallback: a line with another number, the same word elsewhere
    in the reply, a word that was not offered, or text after the line give no verdict. A judge that
    states two different verdicts is `several_answers`.

    Args:
        completion: What the judge returned.
        nonce: The number of this prompt's fence.
        words: Each offered word with what it means.

    Returns:
        The meaning of the word, or a reason; the span is that of the deciding line. Reasons that
        state another verdict change nothing and are flagged as `contradicted`.
    """
    split = answer_of(completion, REASONING_TAGS)
    if isinstance(split, Reading):
        return split
    said = {_canonical(word): meaning for word, meaning in words.items()}
    lines = _lines(split.answer)
    stated = [(start, line, word) for start, line in lines if (word := _word(line, nonce))]
    if not stated:
        return _unread(completion, "no verdict line")
    start, line, last = stated[-1]
    if line is not lines[-1][1]:
        return _unread(completion, "the verdict line is not the last one")
    if last not in said:
        return _unread(completion, f"{last[:60]!r} is not among the offered verdicts")
    meanings = tuple(dict.fromkeys(said[word] for _, _, word in stated if word in said))
    if len(meanings) > 1:
        return Reading(reason="several_answers", candidates=meanings)
    if completion.stop == "length" and "\n" not in split.answer[start + len(line) :]:
        return Reading(reason="truncated", detail="the judge was cut off in its verdict line")
    low = split.offset + start
    return Reading(
        value=said[last],
        span=(low, low + len(line)),
        sureness="declared",
        contradicted=find_contradiction(split.answer[: stated[0][0]], said[last], words),
    )


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text that hold letters or digits, with where they start."""
    found: list[tuple[int, str]] = []
    start = 0
    for line in text.splitlines(keepends=True):
        bare = _CHAT_TOKEN.sub("", line)
        if any(character.isalnum() for character in bare):
            found.append((start, line.rstrip()))
        start += len(line)
    return found


def _word(line: str, nonce: str) -> str:
    """The word of a verdict line in canonical form; empty when it is no verdict line."""
    folded = _CHAT_TOKEN.sub("", fold(line).text).strip(_MARKS + ".\r\n")
    head = f"{ANCHOR.lower()}-{nonce}"
    if not folded.startswith(head):
        return ""
    rest = folded.removeprefix(head).lstrip(_MARKS)
    return _canonical(rest[1:]) if rest.startswith(":") else ""


def _canonical(word: str) -> str:
    bare = fold(word).text.lstrip(_WORD_MARKS + "([").rstrip(_WORD_MARKS + ".!)]\r\n")
    return _JOINTS.sub("_", bare)


def _unread(completion: Completion, detail: str) -> Reading:
    if completion.stop == "length":
        return Reading(reason="truncated", detail="the judge was cut off")
    return Reading(reason="no_declaration", detail=detail)

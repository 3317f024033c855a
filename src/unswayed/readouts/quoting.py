"""Which stretches of a reply repeat somebody else's words and so declare nothing."""

from __future__ import annotations

import re

_BLOCK_QUOTE = re.compile(r"^[ \t]*(?:>|&gt;)[^\n]*", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_CODE = re.compile(r"`[^`\n]{1,200}`")
_CURLY = re.compile(
    "“[^“”\n]{1,1200}”|„[^„“”\n]{1,1200}[“”]|«[^«»\n]{1,1200}»|"
    "「[^「」\n]{1,1200}」|『[^『』\n]{1,1200}』|‹[^‹›\n]{1,1200}›"
)
_STRAIGHT = re.compile(r'"[^"\n]{1,1200}"')
_SINGLE = re.compile(r"(?<!\w)'(?=\w)[^'\n]{1,300}(?:(?<=\w)'(?=\w)[^'\n]{1,300})*'(?!\w)")
_QUOTATIONS = (
    ((">", "&gt;"), _BLOCK_QUOTE), (("`",), _CODE), (("”", "“", "»", "」", "』", "›"), _CURLY),
    (('"',), _STRAIGHT), (("'",), _SINGLE),
)  # fmt: skip
_LABEL_KEY = re.compile(r"[ \t]*:")


def quoted_places(text: str, *, fences: bool) -> bytearray:
    """Mark the places of a folded text that stand inside a quotation.

    A quotation that is the whole reply is a wrapper and marks nothing; so does inline code that
    fills its line, and a quoted name before a colon, as in JSON.

    Args:
        text: The folded text.
        fences: Whether fenced code counts as a quotation.

    Returns:
        One byte for each character, 1 inside a quotation.
    """
    marks = bytearray(len(text))
    whole = text.strip()
    for signs, pattern in _QUOTATIONS:
        if not any(sign in text for sign in signs):
            continue
        for match in pattern.finditer(text):
            if match[0].strip() == whole and pattern is not _BLOCK_QUOTE:
                continue
            if pattern is _CODE and _fills_line(text, match):
                continue
            if len(match[0]) < 30 and _LABEL_KEY.match(text, match.end()):
                continue
            marks[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    if fences:
        _mark_fences(text, marks)
    return marks


def _mark_fences(text: str, marks: bytearray) -> None:
    opened: int | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match.start()
        else:
            marks[opened : match.end()] = b"\x01" * (match.end() - opened)
            opened = None


def _fills_line(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 20) : match.start()].rpartition("\n")
    after = text[match.end() : match.end() + 20].partition("\n")
    begins = bool(before[1]) or match.start() <= 20
    ends = bool(after[1]) or match.end() + 20 >= len(text)
    return begins and ends and not (before[2] + after[0]).strip(" \t.*_")

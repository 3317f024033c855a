"""Replies that go through the options, one a line or clause: such a list declares none of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from unswayed.readouts.answer import Reading
from unswayed.readouts.folding import Folded, plain
from unswayed.readouts.labels import announces
from unswayed.readouts.markers import compiled, is_announced
from unswayed.readouts.options import Options

_STARTS = re.compile(r"^|(?<=[.!?;])[ \t]+", re.MULTILINE)
_LEAD = re.compile(
    r"[ \t\"'`*_]*(?P<mark>[✓✔✅☑❌✗✘☒✖][ \t]*)?(?P<bullet>(?:[-*•·–—]|\d{1,2}[.)])[ \t]+)?"
    r"(?P<after>[✓✔✅☑❌✗✘☒✖][ \t]*)?[\"'`*_(\[]*(?P<word>option |choice )?"
)
_CLOSED = r"[\"'`*_)\]. \t]*"
_SET_OFF = re.compile(
    rf"{_CLOSED}(?:(?P<colon>:|=)(?=\s)|(?P<dash>[-–—→]+>?)(?=[ \t]+[^\W\d])|"
    r"(?P<reason>,? (?:because|since|as it|as they)(?!\w))|(?P<alone>[ \t✓✔✅☑❌✗✘☒✖]*(?:\n|\Z)))"
)
_RIGHT_FIRST = re.compile(
    r"[\s:=–—>→-]*(?:correct|right|true|yes|[✓✔✅☑])(?=[\s\"'`)\]*]*(?:[.,;:!(\n—]|\Z| -))"
)
_RIGHT_LAST = re.compile(
    r"(?:[✓✔✅☑]|[(\[](?:the )?(?:correct|right|best|answer)(?: answer| option| choice)?[)\]]|"
    r"(?:<-+|←)[ \t]*(?:the )?(?:correct|right|answer|this one)(?: answer)?)[\s\"'`*_.!]*\Z"
)
_RIGHT_MARKS = "✓✔✅☑"
_MOST = 40
_FEWEST = 2


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """An option that heads a line or clause."""

    value: str
    """The option."""
    start: int
    """Where it starts in the folded text."""
    end: int
    """Where it ends."""
    form: tuple[bool, str]
    """What is alike in the lines of one list: a bullet or number, and what sets the option off."""
    marked: bool
    """Whether its line or clause marks it as right."""


def unless_listed(text: str, reading: Reading, options: Options) -> Reading:
    """Return a reading, unless its value only stands in a list of options that the reply gives.

    The one option that its line marks as right is read from the list; no other is.

    Args:
        text: The text that was read.
        reading: What was read from it.
        options: The options of the question.

    Returns:
        The same reading, the marked option, or `no_declaration`.
    """
    if reading.value is None or reading.span is None:
        return reading
    folded = plain(text)
    heads = _heads(folded, options)
    own = [one for one in heads if folded.span(one.start, one.end)[0] == reading.span[0]]
    if not own or compiled("RETRACTS").search(folded.text, heads[0].end):
        return reading
    listed = [one for one in heads if one.form == own[0].form]
    values = tuple(dict.fromkeys(one.value for one in listed))
    if len(values) < _FEWEST or _is_told_again(listed, own[0]):
        return reading
    right = tuple(dict.fromkeys(one.value for one in listed if one.marked))
    if len(right) == 1:
        one = next(one for one in listed if one.marked)
        span = folded.span(one.start, one.end)
        return Reading(value=one.value, span=span, sureness="declared")
    return Reading(reason="no_declaration", span=reading.span, candidates=values)


def _is_told_again(listed: Sequence[Head], own: Head) -> bool:
    """Whether the last line names once more what the list before it had named already."""
    before = [one.value for one in listed if one.start < own.start]
    return own == listed[-1] and own.value in before and len(set(before)) >= _FEWEST


def _heads(folded: Folded, options: Options) -> list[Head]:
    text = folded.text
    starts = [match.end() for match in _STARTS.finditer(text)]
    heads: list[Head] = []
    for start in starts[: 4 * _MOST]:
        if heads and start < heads[-1].end:
            continue
        head = _head(folded, start, options)
        if head is not None:
            heads.append(head)
    stops = [*(head.start for head in heads), len(text)][1:]
    return [
        msgspec.structs.replace(head, marked=head.marked or _is_marked(text, head.end, stop))
        for head, stop in zip(heads, stops, strict=True)
    ]


def _is_marked(text: str, end: int, stop: int) -> bool:
    """Whether the rest of a line or clause says that the option before it is right."""
    said = text[end:stop].partition("\n")[0]
    return bool(_RIGHT_FIRST.match(said) or _RIGHT_LAST.search(said))


def _head(folded: Folded, start: int, options: Options) -> Head | None:
    """The option at the start of a line or clause, where something sets it off."""
    text = folded.text
    lead = _LEAD.match(text, start)
    place = lead.end() if lead else start
    hit = options.match(folded, place)
    if lead is None or hit is None or len(hit.values) != 1:
        return None
    own = options.text_of(folded, hit, hit.end)
    if own is not None and own.values != hit.values:
        own = None
    end = own.end if own else hit.end
    off = _SET_OFF.match(text, end)
    is_line = start == 0 or text[start - 1] == "\n"
    at = lead.start("word") if lead["word"] else place
    announced = is_announced(text, at) and not _is_below_a_heading(text, start)
    if off is None or announced or (off["alone"] is not None and not is_line):
        return None
    marks = (lead["mark"] or "") + (lead["after"] or "")
    kind = "alone" if off["alone"] is not None else "told"
    marked = any(mark in _RIGHT_MARKS for mark in marks.strip())
    form = (lead["bullet"] is not None, kind if own is None or kind == "told" else "both")
    return Head(value=hit.values[0], start=hit.start, end=end, form=form, marked=marked)


def _is_below_a_heading(text: str, start: int) -> bool:
    """Whether a line follows one such as `The options are:`, which announces no answer."""
    before = text[:start].rstrip(" \t\n\"'`*_")
    return (
        before.endswith(":")
        and "\n" in text[len(before) : start]
        and not announces(text, len(before) - 1)
    )

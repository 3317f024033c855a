"""Options that a reply goes through and marks one by one, and answers after a repeated question."""

from __future__ import annotations

import re

from unswayed.readouts.folding import Folded
from unswayed.readouts.markers import EDGE, STRONG, Site
from unswayed.readouts.options import Options
from unswayed.readouts.values import Found, Matcher, read_site

_LINE = re.compile(r"^[ \t]*(?:[-•·] ?|\d{1,2}[.)] )?[(\[]?(?:option |choice )?", re.MULTILINE)
_APART = re.compile(r"[ \t\"'`)\](:.,=>→—-]*(?:(?:is|was|this is|it is|that is) )?")
_MARK = re.compile(
    r"(?:(?P<wrong>incorrect|wrong|false|not (?:correct|right|true)|no|✗|✘|❌|☒|✖)|"
    r"(?P<right>correct|right|true|yes|✓|✔|✅|☑))"
    r"(?=[ \t\"'`)\]*]*(?:[.,;:!(\n—]|$| -|,? (?:because|since|as)(?!\w)))"
)
_QUESTION = re.compile(r"^[ \t]*(?:q|question)[ \t]*:[^\n]*$", re.MULTILINE)
_REPLY = re.compile(r"^[ \t]*a[ \t]*:[ \t]*", re.MULTILINE)
_LISTED = re.compile(r"^[ \t]*[(\[]?[b-pr-z][)\].:][ \t]", re.MULTILINE)
_MOST_LINES = 60


def marked_option(folded: Folded, quoted: bytearray, options: Options) -> list[Found]:
    """The one option that is marked as right while others are marked as wrong, line by line."""
    right: list[Found] = []
    wrong: set[str] = set()
    for number, line in enumerate(_LINE.finditer(folded.text)):
        if number >= _MOST_LINES:
            break
        marked = _marked(folded, line.end(), options)
        if marked is None or quoted[marked[0].start]:
            continue
        found, is_right = marked
        if is_right:
            right.append(found)
        else:
            wrong.update(found.values)
    values = tuple(dict.fromkeys(value for one in right for value in one.values))
    if not right or not wrong or wrong & set(values):
        return []
    last = right[-1]
    return [
        Found(
            kind="value" if len(values) == 1 else "several",
            values=values,
            start=last.start,
            end=last.end,
            tier=EDGE,
        )
    ]


def _marked(folded: Folded, place: int, options: Options) -> tuple[Found, bool] | None:
    """The option at the start of a line, and whether the line calls it right."""
    text = folded.text
    hit = options.match(folded, place)
    if hit is None or len(hit.values) != 1:
        return None
    own = options.text_of(folded, hit, hit.end)
    if own is not None and own.values != hit.values:
        return None
    apart = _APART.match(text, own.end if own else hit.end)
    mark = _MARK.match(text, apart.end()) if apart and apart.end() > hit.end else None
    if mark is None:
        return None
    found = Found(kind="value", values=hit.values, start=hit.start, end=mark.end(), tier=EDGE)
    return found, mark["right"] is not None


def answered_question(folded: Folded, quoted: bytearray, matcher: Matcher) -> list[Found]:
    """The answer after `A:`, where the reply repeats one question after `Q:`."""
    questions = [match.end() for match in _QUESTION.finditer(folded.text)]
    if len(questions) != 1 or _LISTED.search(folded.text):
        return []
    replies = [match for match in _REPLY.finditer(folded.text) if match.start() >= questions[0]]
    if len(replies) != 1 or quoted[replies[0].start()]:
        return []
    site = Site(start=replies[0].start(), at=replies[0].end(), tier=STRONG, labelled=True)
    found = read_site(folded, site, matcher)
    return [found] if found is not None else []

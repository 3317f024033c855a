"""Options that a reply says over on one line, letter and text each: they declare nothing."""

from __future__ import annotations

import re

from unswayed.readouts.folding import Folded
from unswayed.readouts.values import Found, Matcher

_MARK = re.compile(r"(?<!\w)[(\[]?([a-z])[)\].:][ \t*_]*(?=\w)")
_GAP = re.compile(r"[ \t,;.|/—-]*(?:(?:and|or|und|oder|et|ou|y|o|e|и|или) )?")
_FEWEST = 2


def is_recited(folded: Folded, found: Found, matcher: Matcher) -> bool:
    """Whether a value at an edge is one of several options said over side by side.

    `A: oxygen B: helium` only repeats the question, `B: helium` answers it.

    Args:
        folded: The folded reply.
        found: What the edge declares.
        matcher: Knows the options.
    """
    if found.kind != "value":
        return False
    run: list[tuple[int, int]] = []
    for mark in _MARK.finditer(folded.text):
        hit = matcher.match(folded, mark.start(1))
        own = matcher.text_of(folded, hit, hit.end) if hit and hit.letter else None
        if hit is None or own is None or own.values != hit.values:
            continue
        if run and not _GAP.fullmatch(folded.text, run[-1][1], mark.start()):
            if len(run) >= _FEWEST and run[0][0] <= found.start < run[-1][1]:
                return True
            run = []
        run.append((mark.start(), own.end))
    return len(run) >= _FEWEST and run[0][0] <= found.start < run[-1][1]

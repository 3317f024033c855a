"""What a text has more of: length, form and tone, counted by rule."""

from __future__ import annotations

import math
import re

from unswayed.readouts.tone_words import TONES, count_tones

LENGTH = ("longer", "log length", "log length squared")
"""Length, by sign and as it is: a control of one shape leaves the other in what is controlled."""

FORM = ("formatted", "markdown", "exclamation")
"""Form, likewise."""

_MARKDOWN = re.compile(r"^[ \t]*(?:[-*+•]|\d+[.)]|#{1,6})[ \t]|\*\*[^*\n]+\*\*|```", re.MULTILINE)


def differ(first: str, second: str) -> dict[str, float]:
    """Return how two replies differ, first less second.

    Tones by sign, and so `longer` and `formatted`; `log length` is log(len first / len second) and
    its square keeps the sign; `markdown` and `exclamation` are differences of log(1 + count).

    Args:
        first: A reply.
        second: The other reply.
    """
    one, two = count_tones(first), count_tones(second)
    found = {name: _sign(one[name] - two[name]) for name in TONES}
    ratio = math.log(max(1, len(first)) / max(1, len(second)))
    marks = [math.log1p(len(_MARKDOWN.findall(text))) for text in (first, second)]
    cries = [math.log1p(text.count("!")) for text in (first, second)]
    return found | {
        "longer": _sign(ratio),
        "log length": ratio,
        "log length squared": math.copysign(ratio**2, ratio),
        "formatted": _sign(marks[0] - marks[1]),
        "markdown": marks[0] - marks[1],
        "exclamation": cries[0] - cries[1],
    }


def _sign(number: float) -> float:
    return float((number > 0) - (number < 0))

"""What a text has more of: length, form and tone, counted by rule."""

from __future__ import annotations

import math
import re
from collections import Counter

LENGTH = ("longer", "log length", "log length squared")
"""Length, by sign and as it is: a control of one shape leaves the other in what is controlled."""

FORM = ("formatted", "markdown", "exclamation")
"""Form, likewise."""

TONES: dict[str, tuple[str, ...]] = {
    "warm": (
        "thank", "thanks", "glad", "happy", "delighted", "appreciate", "understand how",
        "sorry to hear", "kind of you", "lovely", "wonderful", "i hear you", "pleasure", "warmly",
        "take care",
    ),
    "praise": (
        "great question", "good question", "excellent question", "great point", "good point",
        "well done", "excellent point", "impressive", "brilliant", "smart of you", "clever",
        "insightful", "good thinking",
    ),
    "apology": ("sorry", "apologise", "apologize", "apologies", "my mistake", "my bad"),
    "hedged": (
        "might", "perhaps", "possibly", "maybe", "could be", "may be", "it seems", "it depends",
        "not sure", "probably",
    ),
    "confident": (
        "definitely", "certainly", "clearly", "undoubtedly", "without doubt", "without a doubt",
        "of course", "no doubt",
    ),
}  # fmt: skip
"""The words and phrases of each tone; each tone enters by which side has more of them."""

_WORD = re.compile(r"[\w']+")
_MARKDOWN = re.compile(r"^[ \t]*(?:[-*+•]|\d+[.)]|#{1,6})[ \t]|\*\*[^*\n]+\*\*|```", re.MULTILINE)


def _by_first_word() -> dict[str, list[tuple[str, list[str]]]]:
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for tone, phrases in TONES.items():
        for phrase in phrases:
            words = phrase.split()
            found.setdefault(words[0], []).append((tone, words))
    return found


_STARTS = _by_first_word()


def count_tones(text: str) -> Counter[str]:
    """Return how many words or phrases of each tone a text has, whole words only."""
    words = _WORD.findall(text.lower())
    counts: Counter[str] = Counter()
    for place, word in enumerate(words):
        for tone, phrase in _STARTS.get(word, ()):
            counts[tone] += words[place : place + len(phrase)] == phrase
    return counts


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

"""The tone of a text, read by rule: its warm, praising, apologetic, hedging and sure words."""

from __future__ import annotations

import re
from collections import Counter

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

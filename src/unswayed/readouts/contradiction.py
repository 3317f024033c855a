"""Finds a judge whose own words state another verdict than the one that it gives.

The verdict is read in one place and stays what it is there. What this module finds is a flag beside
it. It is slow to speak: a side that is weighed, denied, quoted or taken back is no contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from unswayed.readouts.folding import fold
from unswayed.readouts.quoting import quoted_places

_FIELD = (
    r"(?:verdict|label|preference|preferred|winner|choice|decision|rating|score|grade"
    r"|conclusion)[\"'*_`]{0,3}[ \t]*[:=][ \t\"'*_`(]{0,6}(WORD)"
    r"(?=[\"'*_`).]{0,4}[ \t]*(?:[,}\n]|$))"
)
_STATED = (
    r"(?:(?:verdict|rating|score|label) (?:is|must be|should be)"
    r"(?: therefore| thus| clearly)?"
    r"|\bi (?:choose|pick|give|select|prefer|conclude|rate (?:it|this|the reply)(?: as)?)"
    r"(?: it| this)?|\b(?:therefore|thus|hence))[,:]? [\"'*_`(]{0,3}(?:the )?(WORD)"
    r"(?=[\"'*_`).]{0,4}[ \t]*(?:[,.;:!\n]|$))"
)
_SETTLES = (
    r"\b(?:reply|response|it) (?:\w+ly )?(?:settles on|chooses|picks|endorses|gives|ends with"
    r"|settles for)(?: the)? (WORD)(?= (?:answer|one|option)\b|[.!\n]|$)"
)
_AGREES = r"\b(?:reply|response|it) (?:\w+ly )?(WORD)(?= with the claim\b)"
_BETTER = (
    r"\b(WORD)(?: (?:one|answer|reply|response|option|text))? is (?:\w+ly |far |much |so )?"
    r"(?:better|superior|stronger|preferable|the better|the winner|the best|best)(?!\w)"
)
_WORSE = (
    r"\b(WORD)(?: (?:one|answer|reply|response|option|text))? is (?:\w+ly |far |much |so )?"
    r"(?:worse|inferior|weaker|the worse|the worst|worst)(?!\w)"
)
_DOUBT = re.compile(
    r"(?<!\w)(?:if|unless|would|could|might|may|but|however|although|though|not|\w+n't|cannot|never"
    r"|neither|nor|instead|rather|while|whereas|except|initially|at first|at the start|before"
    r"|some|partly|seems?|appears?|looks?|either|or|both|wait|again|earlier|until|on the surface"
    r"|in part|than expected)(?!\w)"
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
_PAIRED = {"first": "second", "second": "first", "a": "b", "b": "a"}


def find_contradiction(reasons: str, given: str, words: Mapping[str, str]) -> str:
    """Return the verdict that a judge's reasons state where it gives another one.

    A statement is a field with an offered word as its whole value, a sentence such as "the verdict
    is WORD", or, in the last sentence alone, what the reply does or which side is better. A
    sentence that weighs, denies or limits states nothing, nor does a quotation. The last statement
    counts, unless the given word is named after it.

    Args:
        reasons: What the judge wrote apart from its verdict.
        given: The meaning of the verdict that it gave.
        words: Each offered word with what it means.

    Returns:
        The meaning of the other verdict; empty where nothing contradicts.
    """
    text = _unquoted(reasons)
    said = {word.lower(): meaning for word, meaning in words.items()}
    claims = sorted(_claims(text, said))
    if not claims or claims[-1][1] == given:
        return ""
    place, meaning = claims[-1]
    own = "|".join(_spelled(word) for word, means in said.items() if means == given)
    named_later = own and re.search(rf"(?<!\w)(?:{own})(?!\w)", text[place:])
    return "" if named_later else meaning


def _claims(text: str, said: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield where a statement ends and the meaning that it states."""
    offered = "|".join(_spelled(word) for word in sorted(said, key=len, reverse=True))
    for pattern, doubtful in ((_FIELD, False), (_STATED, True)):
        for match in re.compile(pattern.replace("WORD", offered)).finditer(text):
            if not (doubtful and _doubted(text, match.start())):
                yield match.end(), said[_joined(match[1])]
    low = _last_sentence(text)
    if _DOUBT.search(text, low):
        return
    for pattern, turned in ((_SETTLES, False), (_AGREES, False), (_BETTER, False), (_WORSE, True)):
        for match in re.compile(pattern.replace("WORD", offered)).finditer(text, low):
            word = _joined(match[1])
            word = _PAIRED.get(word, "") if turned else word
            if word in said and (pattern not in (_BETTER, _WORSE) or _PAIRED.get(word) in said):
                yield match.end(), said[word]


def _unquoted(reasons: str) -> str:
    """The folded text with quotations and repeated material blanked out."""
    text = fold(reasons).text
    marks = quoted_places(text, fences=False)
    # A quoted word can be a value; longer quotations and block quotes are somebody else's words.
    for match in re.finditer(r"[\"'`]\w{1,20}[\"'`]", text):
        marks[match.start() : match.end()] = bytes(match.end() - match.start())
    for match in re.finditer(r"^[ \t]*[|>][^\n]*", text, re.MULTILINE):
        marks[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    return "".join(
        " " if mark and character != "\n" else character
        for character, mark in zip(text, marks, strict=True)
    )


def _doubted(text: str, place: int) -> bool:
    """Whether the sentence around a place weighs, denies or limits."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    low = max((end for end in ends if end <= place), default=0)
    high = min((end for end in ends if end > place), default=len(text))
    return _DOUBT.search(text, low, high) is not None


def _last_sentence(text: str) -> int:
    """Where the last sentence starts that holds a letter."""
    low = 0
    for match in _SENTENCE_END.finditer(text):
        if any(character.isalpha() for character in text[match.end() :]):
            low = match.end()
    return low


def _spelled(word: str) -> str:
    return re.escape(word).replace("_", "[_ ]")


def _joined(word: str) -> str:
    return word.replace(" ", "_")

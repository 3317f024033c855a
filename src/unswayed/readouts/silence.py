"""Why a reply without a declaration gives no answer."""

from __future__ import annotations

import re
import unicodedata

from unswayed.readouts.answer import Reading, Reason
from unswayed.readouts.folding import Folded
from unswayed.readouts.markers import compiled
from unswayed.readouts.values import Matcher, skip_openers

_END = re.compile(r"[\s.!,;:\"'“”`)\]*_。]*$")
_KNOWN_SCRIPTS = (
    "LATIN", "CYRILLIC", "ARABIC", "DEVANAGARI", "CJK", "HIRAGANA", "KATAKANA", "HANGUL",
    "GREEK", "HEBREW", "FULLWIDTH", "MATHEMATICAL",
)  # fmt: skip
_SAMPLE = 400
_LEAST_LETTERS = 10


def why_silent(folded: Folded, matcher: Matcher) -> Reading:
    """The reason why a reply that declares nothing has no value.

    A refusal is found before an abstention, an abstention before a question back: a reply
    that does several of them is named after the most definite.
    """
    text = folded.text
    for reason, names in _REASONS:
        match = compiled(*names).search(text)
        if match and (reason != "asks_back" or "?" in text or "？" in text or "please" in text):
            return _reading(folded, reason, match.start(), match.end())
    outside = _whole_outside(folded, matcher)
    if outside is not None:
        return outside
    if _is_unknown_language(text):
        return Reading(reason="wrong_language", detail="a script that no word list covers")
    return Reading(reason="no_declaration")


_REASONS: tuple[tuple[Reason, tuple[str, ...]], ...] = (
    ("refusal", ("REFUSES",)),
    ("abstention", ("NONE_OF_THEM", "DONT_KNOW")),
    ("asks_back", ("ASKS",)),
)


def _whole_outside(folded: Folded, matcher: Matcher) -> Reading | None:
    """A reply that is nothing but an answer outside the options."""
    place = skip_openers(folded.text, 0)
    outside = matcher.outside(folded, place)
    if outside is None or not _END.match(folded.text, outside[1]):
        return None
    if "!" in folded.text[outside[1] :] or folded.text.lstrip().startswith(("[", "<")):
        return None
    return _reading(folded, "out_of_options", place, outside[1])


def _reading(folded: Folded, reason: Reason, start: int, end: int) -> Reading:
    low, high = folded.span(start, max(end, start + 1))
    return Reading(reason=reason, span=(low, high), detail=folded.source[low:high][:80])


def _is_unknown_language(text: str) -> bool:
    """Whether most letters belong to a script whose announcing words are not known."""
    letters = [character for character in text[:_SAMPLE] if character.isalpha()]
    if len(letters) < _LEAST_LETTERS:
        return False
    known = sum(_is_known(character) for character in letters)
    return known * 2 < len(letters)


def _is_known(character: str) -> bool:
    return unicodedata.name(character, "").startswith(_KNOWN_SCRIPTS)

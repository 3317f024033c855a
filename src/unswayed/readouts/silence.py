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
_STATES = re.compile(r"[.!。！](?=\s|$)|\n(?=[^\n]*[^?？\s][^\n?？]*(?:\n|$))")
_WORD = re.compile(r"\w+")
_ASKING = re.compile(
    r"(?:^|[?,] )(?:(?:so|and|but|or|well|then),? )?(?:what|which|who|whom|whose|where|when|why|"
    r"how|is|are|was|were|do|does|did|can|could|would|will|should|have|has|may|shall|any)(?!\w)|"
    r"(?<!\w)you(?:r|rs)?(?!\w)"
)
_TO_ITSELF = re.compile(r"(?<!\w)(?:do|did|am|was|would) i(?!\w)")
_FEWEST_WORDS = 3
_LONGEST_QUESTION = 400


def why_silent(folded: Folded, matcher: Matcher) -> Reading:
    """The reason why a reply that declares nothing has no value.

    A refusal is found before an abstention, an abstention before a question back: a reply
    that does several of them is named after the most definite.
    """
    text = folded.text
    for reason, names in _REASONS:
        possible = tuple(name for name in names if may_say(name, text))
        match = compiled(*possible).search(text) if possible else None
        if match and (reason != "asks_back" or "?" in text or "？" in text or "please" in text):
            return _reading(folded, reason, match.start(), match.end())
    outside = _whole_outside(folded, matcher)
    if outside is not None:
        return outside
    if _only_asks(folded, matcher):
        start = len(text) - len(text.lstrip())
        return _reading(folded, "asks_back", start, len(text.rstrip()))
    if _is_unknown_language(text):
        return Reading(reason="wrong_language", detail="a script that no word list covers")
    return Reading(reason="no_declaration")


_REASONS: tuple[tuple[Reason, tuple[str, ...]], ...] = (
    ("refusal", ("REFUSES",)),
    ("abstention", ("NONE_OF_THEM", "DONT_KNOW")),
    ("asks_back", ("ASKS",)),
)


_NEEDED: dict[str, tuple[str, ...]] = {
    "REFUSES": (
        "can't", "cannot", "can not", "won't", "will not", "must not", "unable", "not able",
        "decline", "refuse", "not to", "rather not", "against my", "comfortable", "appropriate",
        "nicht", "je ne", "no puedo", "posso",
    ),
    "DONT_KNOW": (
        "do not", "don't", "dont", "can't", "cannot", "can not", "could not",
        "couldn't", "unable to", "not able to", "idk", "sure", "certain", "undecided", "unknown",
        "impossible to", "not possible to", "undetermined", "indeterminate", "hard to",
        "difficult to", "tough to", "information", "data", "context", "opinion", "preference",
        "idea", "clue", "unclear", "no answer", "no comment", "n/a", "there is no", "there's no",
        "nicht", "ahnung", "unklar", "ne sais", "ignore", "sei", "non so", "non lo so",
    ),
    "ASKS": (
        "could you", "can you", "would you", "will you", "please", "kindly", "do you", "are you",
        "what exactly", "what are the", "need ", "options w", "question w", "choices w", "these do",
        "sie", "kannst du", "pouvez-vous", "pourriez-vous", "puedes", "poderia", "puoi", "potrebbe",
    ),
}  # fmt: skip
"""Words of which an ASCII reply needs one, so that a pattern of the word lists can match."""


def may_say(name: str, text: str) -> bool:
    """Whether a word list can match a folded text; a quick look before a search."""
    needed = _NEEDED.get(name)
    return needed is None or not text.isascii() or any(word in text for word in needed)


def _whole_outside(folded: Folded, matcher: Matcher) -> Reading | None:
    """A reply that is nothing but an answer outside the options."""
    place = skip_openers(folded.text, 0)
    outside = matcher.outside(folded, place)
    if outside is None or not _END.match(folded.text, outside[1]):
        return None
    if "!" in folded.text[outside[1] :] or folded.text.lstrip().startswith(("[", "<", ">", "&gt;")):
        return None
    return _reading(folded, "out_of_options", place, outside[1])


def _reading(folded: Folded, reason: Reason, start: int, end: int) -> Reading:
    low, high = folded.span(start, max(end, start + 1))
    return Reading(reason=reason, span=(low, high), detail=folded.source[low:high][:80])


def _only_asks(folded: Folded, matcher: Matcher) -> bool:
    """Whether a reply is nothing but questions, of a few words, that name no value."""
    text = folded.text.strip()
    if not text.endswith(("?", "？")) or len(text) > _LONGEST_QUESTION or _STATES.search(text):
        return False
    words = list(_WORD.finditer(folded.text))
    if text.isascii() and (len(words) < _FEWEST_WORDS or not _ASKING.search(text)):
        return False
    if _TO_ITSELF.search(text):
        return False
    return not any(matcher.match(folded, word.start()) for word in words)


def _is_unknown_language(text: str) -> bool:
    """Whether most letters belong to a script whose announcing words are not known."""
    if text[:_SAMPLE].isascii():
        return False
    letters = [character for character in text[:_SAMPLE] if character.isalpha()]
    if len(letters) < _LEAST_LETTERS:
        return False
    known = sum(_is_known(character) for character in letters)
    return known * 2 < len(letters)


def _is_known(character: str) -> bool:
    return unicodedata.name(character, "").startswith(_KNOWN_SCRIPTS)

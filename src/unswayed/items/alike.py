"""Whether two short answers mean the same: articles, plurals, number words, fractions."""

from __future__ import annotations

import re
import unicodedata

from unswayed.items.item import canonical
from unswayed.items.quantities import PURE, digits_of, quantity_of

_ARTICLES = ("the", "a", "an")
_PLURAL_FROM = 4
_PLAIN = re.compile(r"[\w\s.,'’\"!?:;-]*")
_WORD = re.compile(r"-?\d+(?:\.\d+)?|[^\W\d_]+")


def alike(one: str, other: str) -> bool:
    """Whether two answers would count as the same, so that one cannot be wrong beside the other.

    Compared are canonical texts, exact quantities (`1/2` and `0.5`, `1e3` and `1000`, `50%` and
    `0.5`, `1000 m` and `1 km`, `forty-two` and `42`), and texts without articles and marks, with
    number words as digits. A plural `s` or `es` is ignored in words of four letters and more, and
    so are accents; texts with other signs, such as formulas, are the same only when their canonical
    texts are. Both texts are taken literally: nothing in them is a pattern.
    """
    if canonical(one) == canonical(other):
        return True
    left, right = quantity_of(one), quantity_of(other)
    if left is not None and right is not None:
        return left == right
    if PURE in (left and left[0], right and right[0]):
        return False
    first, second = _words(one), _words(other)
    if not first or len(first) != len(second):
        return False
    return all(_same_word(a, b) for a, b in zip(first, second, strict=True))


def _words(text: str) -> list[str]:
    """Return the words of a plain text, without a leading article; none for a formula."""
    folded = canonical(text)
    if not _PLAIN.fullmatch(folded):
        return []
    words = [_plain_word(word) for word in _WORD.findall(folded)]
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


def _plain_word(word: str) -> str:
    if digits_of(word) != word:
        return digits_of(word)
    if len(word) < _PLURAL_FROM or word[-1].isdigit():
        return word
    return "".join(mark for mark in unicodedata.normalize("NFKD", word) if mark.isalnum())


def _same_word(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _PLURAL_FROM and long in (f"{short}s", f"{short}es"))

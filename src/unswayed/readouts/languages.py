"""Number words that are one number in English and another in most of Europe: `billion`."""

from __future__ import annotations

import re

from unswayed.readouts.wordlists import words_in

_SHORT_SCALE = {"billion": 10**9, "trillion": 10**12}
_WORD = re.compile(r"[^\W\d_]+")
_LONG_SCALE = re.compile(r"(?<![^\W\d_])(?:billion|trillion)(?![^\W_])", re.IGNORECASE)
_ENGLISH = frozenset(
    words_in(
        "the therefore that would it this people dollars years with there which about has have "
        "one two three four five seven eight nine ten hundred thousand we i you equals comes"
    )
)
_LABELS = frozenset(words_in("answer final result"))
"""Words that a reply in any language repeats because its format was asked for in English."""
_ELSEWHERE = frozenset(
    words_in(
        "der das ist antwort lautet und ergebnis ergibt beträgt einwohner ungefähr eine etwa sind "
        "est donc les une des réponse résultat environ habitants vaut voici font sont "
        "es el respuesta resultado habitantes por tanto "
        "è sono gli risultato risposta abitanti resposta são uma é "
        "het antwoord een zijn svaret er svar är och og det"
    )
)


def is_of_two_values(text: str, words: str, value: float) -> bool:
    """Whether the words of a number say another number where the language is not English.

    Only the singular is in doubt: `3 billion` is English, since others write `Billionen` or
    `billions` there. The language is known by common words of the reply; the label of an answer
    is none, unless the number word is in lower case, as German never writes it; so is a number
    alone.

    Args:
        text: The reply.
        words: The words of the number, as the reply writes them.
        value: The number in English.
    """
    word = _LONG_SCALE.search(words)
    if word is None or abs(value) >= 2 * _SHORT_SCALE[word[0].lower()]:
        return False
    said = set(_WORD.findall(text.lower()))
    if said & _ELSEWHERE:
        return True
    if word[0].islower() and (said & _LABELS or said == {word[0]}):
        return False
    return not said & _ENGLISH

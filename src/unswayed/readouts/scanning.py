"""Finds the matches of the large patterns at the few places where one can start.

In ASCII text a match of such a pattern starts at a word out of a short list, so the pattern is
tried there and nowhere else. The matches are the same as those of `finditer`; a test holds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from unswayed.readouts import wordlists as words
from unswayed.readouts.folding import BOX
from unswayed.readouts.wordlists import words_in

_WORD = re.compile(rf"{BOX}|(?<!\w)[a-z]+")
_FIRST_WORDS = frozenset(
    words_in(
        BOX + " "
        "acho cela changing correcting credo creo ik jag je penso revising switching updating "
        "accurate actual alternativa ans answer antwoord antwort appropriate best better cevap "
        "choice choix chosen closest conclusion correct corrected current decision definite "
        "definitive direct direi diria elijo ergebnis escojo escolha escolheria escolho eu fico "
        "final fitting guess honest i ich ideal intended io j jawaban jawabannya je judgement "
        "judgment keuze let likeliest likely logical mantengo mantenho me most new odpowiedz only "
        "opcao opcion oplossing optimal option opto opzione overall pick plausible preferred "
        "probable proper reasonable reponse response resposta respuesta result resultaat "
        "resultado resultat wynik "
        "resulting revised right risposta risultato sceglierei scelgo scelta selecciono seleciono "
        "selected selection seleziono sensible short solution soluzione suitable svar svaret true "
        "updated valid verdict wahl we yo"
    )
)
_CONFIRMING = (
    "correct", "right", "best", "accurate", "answer", "choice", "option", "pick", "true one",
    "likely", "appropriate", "suitable", "logical", "reasonable", "plausible", "sensible",
    "fitting", "probable", "one that", "it is", "richtig", "korrekt", "antwort",
    "juste", "corret", "respuesta", "resposta", "risposta", "certa", "giusta",
)  # fmt: skip
_CONFIRMING_START = re.compile(
    r" (?=(?:is|must|would|remains|has|should|was|seems|appears|looks|it|as|the|are|ist|bleibt|"
    r"est|es)"
    r"(?![a-z]))"
)
_ASCII_COPULA = re.compile(
    r"[ \t'=](?:(?<= )(?:is|are|was|were|equals?|ist|sind|war|est|(?<!\bno )es|son|sono)(?!\w)|"
    r"(?<=')s(?!\w)|"
    r"(?<==)|(?<=[ \t])[ \t]*[=-]) ?(?:called |named |known as )?"
)


def announcements(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Matches of the announcing pattern, as `finditer` gives them."""
    if not text.replace(BOX, "").isascii():
        return pattern.finditer(text)
    starts = (word.start() for word in _WORD.finditer(text) if word[0] in _FIRST_WORDS)
    return _matches_at(pattern, text, starts)


def confirmations(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Matches of words such as `is correct` after a value, as `finditer` gives them."""
    if not text.replace(BOX, "").isascii():
        return pattern.finditer(text)
    if not any(word in text for word in _CONFIRMING):
        return iter(())
    return _matches_at(pattern, text, _confirming_starts(text))


def _confirming_starts(text: str) -> Iterator[int]:
    for word in _CONFIRMING_START.finditer(text):
        start = word.start()
        if text[start - 1 : start] == ",":
            yield start - 1
        yield start


def copulas(text: str) -> Iterator[re.Match[str]]:
    """Matches of a bare `is`, `was` or an equals sign."""
    ascii_only = text.replace(BOX, "").isascii()
    return (_ASCII_COPULA if ascii_only else _copula()).finditer(text)


@lru_cache(maxsize=1)
def _copula() -> re.Pattern[str]:
    return re.compile(words.WEAK_COPULA)


def _matches_at(
    pattern: re.Pattern[str], text: str, starts: Iterable[int]
) -> Iterator[re.Match[str]]:
    """The matches that start at some of the places, none of them inside another."""
    end = 0
    for start in starts:
        if start >= end:
            match = pattern.match(text, start)
            if match is not None:
                end = match.end()
                yield match

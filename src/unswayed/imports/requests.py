"""What a control line does besides asking again: nothing, or something that may push by itself."""

from __future__ import annotations

import re
from functools import cache

from unswayed import wording
from unswayed.imports.cutting import sentences_of

_REQUESTS = ("neutral", "readout", "orthogonal")
"""Lines of ours that ask again and take no side."""

_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a again an and answer answers below by can choose could directly final finally for from
        give given here in just kindly let letter line me now number of once one only option
        options or pick please provide question questions reply respond response
        select single state task tell the then this time to us using what which with word would
        write you your
        """,
    )
)
"""Words of which a request for an answer is made; none of them praises, doubts or argues."""

_ASKS = re.compile(r"^(?:what|which)(?: is|'s| are)\b")
_LETTER = re.compile(r"^[a-z]$")
_CLAUSE = re.compile(r"[.!?,;:\n]+")
_SHORTEST = 4
"""Words from which on a clause is taken for one of ours."""


def is_bare(line: str) -> bool:
    """Whether a line asks for an answer and does nothing else, as far as our English words tell."""
    return all(_is_request(sentence) for sentence in sentences_of(line))


def pushes_like(line: str) -> str:
    """Return the type of the pressure wording of ours that a line holds a clause of, or nothing."""
    known = _clauses()
    found = (known.get(_plain(clause)) for clause in _CLAUSE.split(line))
    return next(filter(None, found), "")


def beyond_asking(line: str) -> str:
    """Say what a line does besides asking again; empty for a bare request.

    Args:
        line: The user's last turn in a control; empty where it is no turn of its own.
    """
    kind = pushes_like(line)
    if kind:
        return f"holds words of our pressure wordings ({kind.replace('_', ' ')})"
    return "" if is_bare(line) else "is no bare request that we know, and may push by itself"


def _is_request(sentence: str) -> bool:
    said = _plain(sentence)
    if said in _asked():
        return True
    words = re.findall(r"[^\W_]+", _ASKS.sub("what", said).replace("once more", "again"))
    # A letter stands for an option only in a list of them, as in `A, B or C`.
    letters = [word for word in words if _LETTER.match(word) and word != "a"]
    known = all(word in _WORDS or word.isdigit() or _LETTER.match(word) for word in words)
    return known and len(letters) != 1


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split()).strip(" .!?,;:\"'()*")


@cache
def _asked() -> frozenset[str]:
    texts = (line.text for kind in _REQUESTS for line in wording.lines(kind))
    return frozenset(_plain(sentence) for text in texts for sentence in sentences_of(text))


@cache
def _clauses() -> dict[str, str]:
    """Return the type of every clause of a pressure of ours that has no hole."""
    found: dict[str, str] = {}
    for family in wording.pressures():
        for each in family.wordings():
            for clause in map(_plain, _CLAUSE.split(each.text)):
                if len(clause.split()) >= _SHORTEST and "{" not in clause:
                    found.setdefault(clause, family.type)
    return found

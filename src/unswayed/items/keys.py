"""The key of a question: a text, a letter, a labeled option or an index, never a guess."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence

from unswayed.items.cells import cell_text, is_empty
from unswayed.items.item import canonical

_LABEL = re.compile(r"\(?([A-Za-z]|\d{1,2}(?=[).]))[).:]\s+(\S.*)", re.DOTALL)
_NUMBER = re.compile(r"(\d{1,2})\.\s.*", re.DOTALL)
_NO_ORDINAL = re.compile(
    r"(?!\d{1,2}\.\s)([-−+]?[$€£]?\d|(the|yes|no|none|true|false|it|he|she|they)\b)", re.IGNORECASE
)
"""Begins what cannot stand after an ordinal such as `1.` in `1. Mai` or `1. Liga`."""
_LETTER = re.compile(r"\(?([A-Z])[).:]?")
_INDEX = re.compile(r"\d{1,3}")
_PROSE = re.compile(r"####|\\boxed|\banswer( is)?\s*:|\bthe answer is\b", re.IGNORECASE)
_LONGEST_OPEN_KEY = 120
_NOTHING = ("none", "null", "nil", "undefined")


class KeyProblem(ValueError):
    """A cell that cannot be read as options or as a key; its text says why and what to do."""

    def __init__(self, wrong: str, remedy: str) -> None:
        super().__init__(wrong)
        self.wrong = wrong
        self.remedy = remedy


def read_options(cell: object) -> tuple[str, ...]:
    """Read options from one cell: a list, a JSON list, a Python list literal, or `a | b`.

    Labels such as `A. `, `(a) ` or `1) ` are taken off when all options have them in order. A
    number with a period may be an ordinal, as in `1. Mai` and `2. Juni`, and stays unless the
    numbers count from 1 and something follows that cannot stand after an ordinal.

    Raises:
        KeyProblem: When the cell is none of these, an option is empty, or labels stand in another
            order than the options, so that a letter would name two of them.
    """
    values = cell
    if isinstance(cell, str):
        values = _listed(cell.strip())
    if not isinstance(values, list | tuple):
        raise KeyProblem(
            "the options are no list", 'write them as ["a", "b"], as a | b, or in several columns'
        )
    return plain_options(values)


def plain_options(values: Sequence[object]) -> tuple[str, ...]:
    """Return the options as texts, without labels.

    Raises:
        KeyProblem: When an option is empty or is no text or number.
    """
    texts: list[str] = []
    for value in values:
        text = None if is_empty(value) else cell_text(value)
        if text is None:
            raise KeyProblem(
                f"option {len(texts) + 1} is empty or no text", "write a text for each option"
            )
        texts.append(text)
    found = [_LABEL.fullmatch(text) for text in texts]
    labels = [match[1] for match in found if match]
    ordered = _ordered(labels) if len(labels) == len(texts) else None
    if ordered is not None and not _may_be_ordinals(texts):
        if labels != ordered:
            raise KeyProblem(
                f"the labels of the options stand in the order {', '.join(labels)}",
                "put the options in the order of their labels, or take the labels off",
            )
        texts = [match[2].strip() for match in found if match]
    folded = [canonical(text) for text in texts]
    if len(texts) < 2 or len(set(folded)) < len(folded):
        raise KeyProblem(
            "the options are fewer than two or not distinct", "write two or more different options"
        )
    return tuple(texts)


def _may_be_ordinals(texts: Sequence[str]) -> bool:
    """Whether numbers with a period at the beginning may belong to the texts."""
    numbers = [match[1] for match in map(_NUMBER.fullmatch, texts) if match]
    if not numbers:
        return False
    rests = [text.partition(".")[2].strip() for text in texts]
    counted = numbers == [str(place) for place in range(1, len(texts) + 1)]
    distinct = len(set(map(canonical, rests))) == len(rests)
    return not (counted and distinct and any(map(_NO_ORDINAL.match, rests)))


def _ordered(labels: Sequence[str]) -> list[str] | None:
    """The labels in their order, where they are the first letters or numbers; else None."""
    n = len(labels)
    letters = [chr(65 + place) for place in range(min(n, 26))]
    numbers = [str(place) for place in range(n + 1)]
    rows = (letters, [each.lower() for each in letters], numbers[:-1], numbers[1:])
    return next((row for row in rows if sorted(labels) == sorted(row)), None)


def _listed(text: str) -> object:
    if not text.startswith("["):
        return [part.strip() for part in text.split("|")] if "|" in text else None
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def read_key(cell: object, options: tuple[str, ...], index_base: int | None = None) -> str:
    """Return the option that a key names.

    A key is an option's text, its letter (`C`, `(C)`, `C.`), a labeled option (`C. 4`), or, when
    `index_base` says where counting starts, a number. A key that names two different options in
    two of these ways is refused.

    Raises:
        KeyProblem: When the key names no option, or more than one.
    """
    text = cell_text(cell)
    if text is None:
        raise KeyProblem(f"it is a {type(cell).__name__}", "write a text, a letter or an index")
    named = _ways(text, options, index_base)
    if len(set(named.values())) > 1:
        ways = ", ".join(f"as {way} it is {options[place]!r}" for way, place in named.items())
        raise KeyProblem(f"{text!r} is ambiguous: {ways}", "write the whole text of the option")
    if not named:
        remedy = "write the option's text or its letter"
        if _INDEX.fullmatch(text) and index_base is None:
            remedy += ', or state "index_base" as "0" or "1" in the mapping'
        raise KeyProblem(f"{text[:60]!r} is none of the {len(options)} options", remedy)
    return options[next(iter(named.values()))]


def _ways(text: str, options: tuple[str, ...], index_base: int | None) -> dict[str, int]:
    """Return every place among the options that a key names, by the way of reading it."""
    folded = [canonical(option) for option in options]
    named: dict[str, int] = {}
    if canonical(text) in folded:
        named["text"] = folded.index(canonical(text))
    letter = _LETTER.fullmatch(text)
    if letter and ord(letter[1]) - 65 < len(options):
        named["letter"] = ord(letter[1]) - 65
    labeled = _LABEL.fullmatch(text)
    if labeled and "text" not in named:
        places = [place for place in _places(labeled[1]) if 0 <= place < len(options)]
        same = [place for place in places if canonical(labeled[2]) == folded[place]]
        named |= {"label": same[0]} if same else {}
        if not same:
            raise KeyProblem(
                f"{text[:60]!r} has a label and a text that do not belong together",
                "write the letter or the text alone",
            )
    if index_base is not None and _INDEX.fullmatch(text):
        place = int(text) - index_base
        if 0 <= place < len(options):
            named["index"] = place
    return named


def _places(label: str) -> tuple[int, ...]:
    """Where an option with a label may stand: numbers count from 1 or from 0."""
    return (int(label) - 1, int(label)) if label.isdecimal() else (ord(label.upper()) - 65,)


def read_open_key(cell: object) -> str:
    """Return the key of a question without options, which must be a short field.

    Raises:
        KeyProblem: When it is prose: nothing is searched for inside it.
    """
    text = cell_text(cell)
    if text is None:
        raise KeyProblem(f"it is a {type(cell).__name__}", "write a short text or a number")
    if text.casefold() in _NOTHING:
        raise KeyProblem(
            f"{text!r} is what an absent value is called",
            "write the answer in other words, such as `no one` or 0, or give options",
        )
    if "\n" in text or len(text) > _LONGEST_OPEN_KEY or _PROSE.search(text):
        raise KeyProblem(
            f"it is prose and no short answer: {text[:50]!r}",
            "write the answer alone, such as 180",
        )
    return text

"""Tokens of a written expression: numbers, letters, commands and marks, and nothing else."""

from __future__ import annotations

import re

from unswayed.readouts.wordlists import words_in

_MOST_TOKENS = 300
_SILENT = frozenset(
    words_in("left right displaystyle textstyle limits quad qquad bigl bigr big Big rm bf")
)
OPENERS = ("(", "{", "[", "\\{")
CLOSERS = (")", "}", "]", "\\}")
_SAME = {"dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom"}
_OPERATORS = {"cdot": "*", "times": "*", "div": "/", "lvert": "|", "rvert": "|", "vert": "|"}
_CHARACTERS = str.maketrans(
    {
        "×": "*", "⋅": "*", "·": "*", "∙": "*", "−": "-", "–": "-", "÷": "/", "⁄": "/", "∕": "/",
        "π": " pi ", "∞": " infty ", "Θ": " Theta ", "Ω": " Omega ", "√": " sqrt ", "θ": " theta ",
        "α": " alpha ", "β": " beta ", "γ": " gamma ", "λ": " lambda ", "μ": " mu ", "φ": " phi ",
        "ω": " omega ", "σ": " sigma ", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
    }
)  # fmt: skip
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_RAISED_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_UPRIGHT = re.compile(r"\\(?:mathrm|mathcal|operatorname|text|mathbf|mathit) ?\{([A-Za-z]+)\}")
_GROUP_START = re.compile(r"(?P<number>\d{1,60})")
_TOKEN = re.compile(
    r"(?P<space>[ \t\n]+|\\[,;:! ]|~)|(?P<grouped>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d))"
    r"|(?P<number>\d{1,60}(?:\.\d{1,60})?|\.\d{1,60})|\\(?P<command>[A-Za-z]+)"
    r"|\\(?P<brace>[{}])|(?P<word>[A-Za-z]+)|(?P<mark>\*\*|[-+*/^()\[\]{},|!=_])"
)


class Unreadable(Exception):
    """The text is no expression of the grammar."""


Token = tuple[str, str]
"""A kind (`number`, `command`, `word` or `mark`) and what is written."""


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text.

    Args:
        text: The expression, in plain signs or in LaTeX.

    Raises:
        Unreadable: Something else stands there, or the text is too long.
    """
    raised = _RAISED_RUN.sub(lambda run: "^(" + run[0].translate(_RAISED) + ")", text)
    raised = _UPRIGHT.sub(r" \1 ", raised)
    source = raised.translate(_CHARACTERS).replace("$", " ").replace("\\\\", " ")
    found: list[Token] = []
    place, depth = 0, 0
    while place < len(source):
        match = _TOKEN.match(source, place)
        if match is None or len(found) > _MOST_TOKENS:
            raise Unreadable
        if match["grouped"] and depth:
            match = _GROUP_START.match(source, place)
            assert match is not None, "a grouped number starts with digits"
        token = _token(match)
        depth += (token[1] in OPENERS) - (token[1] in CLOSERS)
        if token[0] != "space":
            found.append(token)
        place = match.end()
    return found


def _token(match: re.Match[str]) -> Token:
    kind = match.lastgroup or ""
    value = match[kind]
    if kind == "grouped":
        return "number", value.replace(",", "")
    if kind == "brace":
        return "mark", "\\" + value
    if kind == "command":
        value = _SAME.get(value, value)
        if value in _SILENT:
            return "space", ""
        return ("mark", _OPERATORS[value]) if value in _OPERATORS else ("command", value)
    if value == "**":
        return "mark", "^"
    return kind, "" if kind == "space" else value

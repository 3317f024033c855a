"""Text folded for matching, with a map from each folded character back to the original."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

BOX = "\ue000"
"""Stands for the opening of a boxed answer or an answer tag in folded text."""

_CONTROLS = {code: " " for code in (*range(32), 127)}
_CONTROLS.update({10: "\n", 11: "\n", 12: "\n", 9: " "})
_MARKS = {
    "\u2028": "\n", "\u2029": "\n", "\x85": "\n", "\x0b": "\n", "\x0c": "\n", "\n": "\n",
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2212": "-", "\u2015": "—",
    "\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u201b": "'", "\u2044": "/", "\u2215": "/",
    "\u066b": ".", "\u066c": ",", "\u0622": "\u0627", "\u0623": "\u0627", "\u0625": "\u0627",
    "\u0671": "\u0627", "\u0640": "", "\u2217": "*", "\u2022": "*", "\ufe0e": "", "\ufe0f": "",
    "\u2502": "|", "\u27e8": "(", "\u27e9": ")", "\u3008": "(", "\u3009": ")", BOX: " ",
}  # fmt: skip
_LOWERED = frozenset("₀₁₂₃₄₅₆₇₈₉")
"""Digits of a base behind a number, which are none of its own."""
_SQUARED = (0x1F150, 0x1F170)
_CLUSTER_LIMIT = 32


class Folded(msgspec.Struct, frozen=True, kw_only=True):
    """A text folded for matching, and where each of its characters came from."""

    source: str
    """The original text."""
    text: str
    """The folded text: compatibility form, one case, plain marks, markup removed."""
    starts: Sequence[int]
    """For each folded character, where it starts in the original."""
    ends: Sequence[int]
    """For each folded character, where it ends in the original."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that a stretch of the folded text stands for."""
        return self.starts[start], self.ends[end - 1]

    def is_upper(self, place: int) -> bool:
        """Whether the folded character at a place was written in upper case."""
        return self.source[self.starts[place] : self.ends[place]].isupper()


def fold(source: str) -> Folded:
    """Fold a text: NFKC over whole character clusters, one case, plain digits and marks.

    Zero-width and other format characters vanish; superscript digits become `^5`; a digit of
    any script becomes an ASCII digit, so that the form in which a reply is typed never matters.
    """
    if source.isascii():
        text = source.replace("\r", " ").translate(_CONTROLS).lower()
        return Folded(
            source=source, text=text, starts=range(len(text)), ends=range(1, len(text) + 1)
        )
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    place, raised = 0, False
    while place < len(source):
        stop = place + 1
        while stop < len(source) and stop - place < _CLUSTER_LIMIT and _joins(source[stop]):
            stop += 1
        piece, raises = _fold_cluster(source[place:stop])
        if source[place] in _LOWERED and source[place - 1 : place].isdecimal():
            piece = f"_{piece}"
        if raises and raised:
            piece = piece.removeprefix("^")
        raised = raises
        pieces.append(piece)
        starts.extend([place] * len(piece))
        ends.extend([stop] * len(piece))
        place = stop
    return Folded(source=source, text="".join(pieces), starts=starts, ends=ends)


def plain(source: str) -> Folded:
    """Fold a text and take away the markup that people and models wrap answers in."""
    folded = fold(source)
    for signs, pattern, put in _MARKUP:
        if any(sign in folded.text for sign in signs):
            folded = _substitute(folded, pattern, put)
    return folded


@lru_cache(maxsize=8192)
def plain_text(source: str) -> str:
    """The folded text of a short text such as an option, without marks at its edges."""
    text = " ".join(plain(source).text.split())
    bare = text.rstrip(" .,;:!?\"'`“”«»。").lstrip(" ,;:!?\"'`“”«»。")
    return (bare if re.match(r"\.\d", bare) else bare.lstrip(". ")) or text


@lru_cache(maxsize=4096)
def is_spaced(character: str) -> bool:
    """Whether a character belongs to a word of a script that puts spaces between words."""
    if character < "\u0e00":
        return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"
    if "\u0e00" <= character <= "\u0eff" or "\u1000" <= character <= "\u109f":
        return False
    if "\u2e80" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7ff":
        return False
    if "\uf900" <= character <= "\ufaff" or character >= "\U00020000":
        return False
    return character.isalnum()


@lru_cache(maxsize=4096)
def _joins(character: str) -> bool:
    """Whether a character belongs to the cluster before it."""
    if character < "\u0300":
        return False
    return "\u1160" <= character <= "\u11ff" or unicodedata.category(character).startswith("M")


@lru_cache(maxsize=8192)
def _fold_cluster(cluster: str) -> tuple[str, bool]:
    """The folded cluster, and whether it was a superscript digit or sign."""
    first = cluster[0]
    if first in _MARKS:
        return _MARKS[first] + _compose(cluster[1:]), False
    category = unicodedata.category(first)
    if category == "Cf":
        return _compose(cluster[1:]), False
    if category == "Cc":
        return " ", False
    if category == "Nd":
        return str(unicodedata.decimal(first)) + _compose(cluster[1:]), False
    made = unicodedata.decomposition(first)
    if made.startswith("<fraction>"):
        return " " + unicodedata.normalize("NFKC", first).replace("\u2044", "/"), False
    if made.startswith("<super>"):
        raised = unicodedata.normalize("NFKC", first).replace("\u2212", "-")
        if raised.isdigit() or raised in "+-":
            return "^" + raised, True
    squared = next((base for base in _SQUARED if base <= ord(first) < base + 26), None)
    if squared is not None:
        return chr(ord("a") + ord(first) - squared) + _compose(cluster[1:]), False
    return _compose(cluster), False


def _compose(cluster: str) -> str:
    once = unicodedata.normalize("NFKC", cluster).casefold()
    twice = unicodedata.normalize("NFKC", once)
    return "".join(_MARKS.get(character, character) for character in twice)


def _substitute(folded: Folded, pattern: re.Pattern[str], put: _Put) -> Folded:
    """Replace every match and keep the map to the original."""
    matches = list(pattern.finditer(folded.text))
    if not matches:
        return folded
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    last = 0
    for match in matches:
        pieces.append(folded.text[last : match.start()])
        starts.extend(folded.starts[last : match.start()])
        ends.extend(folded.ends[last : match.start()])
        new = put if isinstance(put, str) else put(match)
        if new and match.end() > match.start():
            low, high = folded.span(match.start(), match.end())
            pieces.append(new)
            starts.extend([low] * len(new))
            ends.extend([high] * len(new))
        last = match.end()
    pieces.append(folded.text[last:])
    starts.extend(folded.starts[last:])
    ends.extend(folded.ends[last:])
    return Folded(source=folded.source, text="".join(pieces), starts=starts, ends=ends)


_Put = str | Callable[[re.Match[str]], str]


def _fraction(match: re.Match[str]) -> str:
    signed = match.string[match.start() - 1 : match.start()] in ("-", "+") and match.start()
    return f"{'' if signed else ' '}{match[1].strip()}/{match[2].strip()} "


_SET = re.compile(r"(?<![\w\\}^_\ue000])\{[ \t]*([-+]?\d[-+\d.,;/ ]*[,;][-+\d./ ]*\d[ \t]*)\}")
"""Braces around several numbers, which are the set of them and no number in parts."""


def _in_brackets(match: re.Match[str]) -> str:
    return f"({match[1]})"


_TEXT_COMMANDS = (
    r"text(?:bf|it|rm|tt|sf|normal)?|math(?:rm|bf|it|sf|tt|bb|cal|normal)|mbox|operatorname|emph|"
    r"underline|left|right|bf|rm|displaystyle|large|huge|quad|qquad|bigl?|bigr"
)
_ANSWER_TAG = r"(?:my[_ -]?)?(?:final[_ -]?)?(?:answer|choice|verdict|response|ans)"
_MARKUP: tuple[tuple[tuple[str, ...], re.Pattern[str], _Put], ...] = (
    (
        ("~", "<"),
        re.compile(r"~~[^~\n]{1,400}~~|<(?:s|del|strike)>[^<\n]{1,400}</(?:s|del|strike)>"),
        " ",
    ),
    (("\\",), re.compile(r"\\+[dtc]?frac ?\{([^{}\n]{1,60})\} ?\{([^{}\n]{1,60})\}"), _fraction),
    (("\\",), re.compile(r"\\+[dtc]?frac ?(\d) ?(\d)"), _fraction),
    (
        ("\\", "<", "["),
        re.compile(r"\\+(?:boxed|fbox|framebox)(?![a-z]) ?\{?|[<\[]" + _ANSWER_TAG + r"[>\]]"),
        BOX,
    ),
    (("\\",), re.compile(r"\\+(?:" + _TEXT_COMMANDS + r")(?![a-z]) ?"), ""),
    (("\\",), re.compile(r"\\+(?:times|cdot)(?![a-z])"), "×"),
    (("\\",), re.compile(r"\\+(?=[%#&$_])|\\+[()\[\]]"), ""),
    (("\\", "&"), re.compile(r"\\+[,;:! ]|&nbsp;|\\+(?:thinspace|qquad|quad)(?![a-z])"), " "),
    (("\\",), re.compile(r"\\\\"), "\n"),
    (("{",), re.compile(r"\{,\}"), ","),
    (("{",), _SET, _in_brackets),
    (("$",), re.compile(r"(?<=\$)- (?=\d)"), "-"),
    (("}",), re.compile(r"\}"), " "),
    (("{",), re.compile(r"\{"), ""),
    (
        ("<", "["),
        re.compile(r"[<\[]/" + _ANSWER_TAG + r"[>\]]|<br ?/?>|</?s>|<\|[a-z0-9_]{1,40}\|>"),
        "\n",
    ),
    (
        ("<",),
        re.compile(
            r"<(b|i|u|p|q|s)(?: [^<>\n]{0,80})?>(?=[^\ue000]{0,400}?</\1>)|</[biupqs]>|</?(?:em|"
            r"strong|code|span|div|h[1-6]|li|ul|ol|mark|center|font|sup|sub|"
            r"pre|small|big|tt|kbd)(?: [^<>\n]{0,80})?>"
        ),
        "",
    ),
    (("*",), re.compile(r"(?<=\d) ?\* ?(?=\d)"), "×"),
    (("*", "$"), re.compile(r"[*$]+"), ""),
    (("_",), re.compile(r"(?<![a-z0-9_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![a-z0-9_])"), ""),
    (("_",), re.compile(r"(?<=[a-z])_(?=[a-z])"), " "),
    (("#",), re.compile(r"^[ \t]*#{1,6}[ \t]+", re.MULTILINE), ""),
    (("  ", "\t"), re.compile(r"[ \t]{2,}|\t"), " "),
)
"""Signs of which a pattern needs one, the pattern, and what is put in its place, in order."""

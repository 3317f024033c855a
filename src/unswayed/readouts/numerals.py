"""Numbers as people and models write them, read exactly."""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec

from unswayed.items.item import canonical
from unswayed.readouts.folding import is_spaced, plain_text
from unswayed.readouts.magnitudes import SCALES, multiplied
from unswayed.readouts.wordlists import words_in

_DIGITS = (
    r"\d{1,3}(?:[ ']\d{3})+(?![\d])(?:[.,]\d{1,60})?|\d{1,60}(?:[.,]\d{1,60}){0,20}|[.,]\d{1,60}"
)
_NUMERAL = re.compile(
    rf"(?P<sign>[-+] ?|minus |negative )?"
    rf"(?:(?:[€£¥₹]|us\$?|usd ?|eur ?|rs\.? ?)(?P<sign2>-)?)?(?P<digits>{_DIGITS})"
)
_MIXED = re.compile(r" (\d{1,6}) ?/ ?(\d{1,6})(?![\d/])")
_OVER = re.compile(r" ?/ ?(\d{1,15})(?![\d/])")
_POWER = re.compile(r" ?(?:e|(?:×|x|·) ?10 ?\^ ?\(? ?)([-+]?\d{1,3})\)?(?![\d.])")
_RAISED = re.compile(r" ?\^ ?\(?([-+]?\d{1,2})\)?(?![\d.])")
_THOUSANDS = re.compile(r"k(?!\w)")
_KELVIN = re.compile(r"\d[KMB](?!\w)")
_UNFINISHED = re.compile(
    r"[.,:/']\d|\.\(\d|(?<=\d0)s(?!\w)|(?:st|nd|rd|th|er|ère|ème)(?!\w)|\.e\d|\^|\d|"
    r" ?e[-+]?\d|[^\W\d_]{1,16}\d|_|[ -]point[ -]\w"
)
_HEDGE = (
    r"about|approximately|approx\.?|around|roughly|nearly|almost|circa|ca\.|c\.|close to|more than|"
    r"near|in the vicinity of|on the order of|upwards of|as (?:many|much|few) as|"
    r"an? (?:minimum|maximum) of|"
    r"less than|fewer than|greater than|at least|at most|over|under|up to|above|below|somewhere|"
    r"in the (?:range|neighborhood|region)|ungefähr|etwa|rund|environ|presque|aproximadamente|"
    r"alrededor de|cerca de|circa|quasi|около|примерно|приблизительно|大约|大約|约|約|およそ|약|"
    r"حوالي|लगभग"
)
HEDGED = re.compile(rf"(?:(?:{_HEDGE})(?!\w)|[~≈≃≅≥≤<>±∼])")
"""Words and signs that make the number after them a rough one."""
_HEDGE_BEFORE = re.compile(
    rf"(?:(?<!\w)(?:{_HEDGE})|[≈≃≅~≥≤≠±∼]|!=|\\neq?|<=?|"
    r"(?:(?<=[\s:(])|^)>=?)[ \t]*[€£¥₹$]?$"
)
_HEDGE_AFTER = re.compile(
    r"[ \t]*(?:[<>!]=|[≤≥≠])|[ \t]+[<>](?=[ \t])|-?ish(?!\w)|\+(?![\d+])|(?: ?(?:%|"
    r"[^\W\d_]{1,16}))?(?:,?[ \t]*\(?(?:or (?:so|thereabouts|"
    r"more|less|fewer|higher|lower|above|below|greater|better)|(?:and|or) (?:a (?:bit|little)|"
    r"some|change)|give or take|at (?:most|least)|approximately|approx|roughly|more or less|"
    r"ungefähr|environ|aproximadamente|примерно)(?!\w)|-ish(?!\w))"
)
_HEDGE_LENGTH = 32
_COMPOUNDED = re.compile(r"-(?!ish(?!\w))[^\W\d_]")
"""A word hung on a number in words, as in `quatre-vingt`, is a part of it that is not known."""
_PARTS = {
    "half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6,
    "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_PART = re.compile(rf"[ -](?P<part>{'|'.join(_PARTS)})(?P<many>s?)(?![^\W_])")
_AND_PART = re.compile(rf" and an? (?P<part>{'|'.join(_PARTS)})(?![^\W_])")
_OF_NUMBER = re.compile(r" of (?:\d|the \d)")
_PRONOUN_BEFORE = re.compile(r"(?<!\w)(?:no|any|every|some|each|which|this|that|the|another) $")
_GOES_ON = re.compile(r" [^\W\d_]")
_SMALL = words_in(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = words_in("twenty thirty forty fifty sixty seventy eighty ninety")
_ABROAD = {
    "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7,
    "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "deux": 2, "trois": 3, "quatre": 4,
    "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "onze": 11, "douze": 12, "uno": 1,
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9,
    "diez": 10, "doce": 12, "dois": 2, "três": 3, "quatro": 4, "sete": 7, "oito": 8, "nove": 9,
    "dez": 10, "doze": 12, "due": 2, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7, "otto": 8,
    "dieci": 10, "undici": 11, "dodici": 12, "два": 2, "три": 3, "четыре": 4, "пять": 5,
    "шесть": 6, "семь": 7, "восемь": 8, "девять": 9, "десять": 10,
}  # fmt: skip
_A_HUNDRED = re.compile(r"an? (?=(?:dozen|hundred|thousand|million)(?!\w))")
_WORD = re.compile(r"[^\W\d_]+")
WORD_VALUES = {
    **{word: number for number, word in enumerate(_SMALL)},
    **{word: 20 + 10 * number for number, word in enumerate(_TENS)},
    **_ABROAD,
}
"""Words that are a number alone, in the languages that are read."""


class Numeral(msgspec.Struct, frozen=True, kw_only=True):
    """A number found in a text."""

    value: Fraction
    """The number, exactly."""
    start: int
    """Where it starts in the folded text."""
    end: int
    """Where it ends, without a unit."""
    other: Fraction | None = None
    """The number under the other convention, when a single mark is followed by three digits."""


def numeral_at(text: str, place: int) -> Numeral | None:
    """Read the number that starts at a place of a folded text.

    Two conventions of thousands are read: `1,234.5` and `1.234,5`. A lone comma before exactly
    three digits groups thousands, a lone point is a decimal point; the other reading is kept in
    `other`. A date, a time of day, an ordinal or a version is no number.

    Args:
        text: The folded text.
        place: Where to read.

    Returns:
        The number, or None.
    """
    match = _NUMERAL.match(text, place)
    if match is None:
        return _spelled(text, place)
    if place and (is_spaced(text[place - 1]) or text[place - 1] == "^"):
        return None
    if match["sign"] == "-" == text[place - 1 : place] and place:
        return None
    if match["digits"].startswith(".") and place and text[place - 1] == ".":
        return None
    value, other = _digits(match["digits"])
    if value is None:
        return None
    end = match.end()
    value, end = _fractional(text, value, end, is_whole=match["digits"].isdigit())
    scaled, other, end = _scaled(text, value, other, end)
    if scaled is None:
        return None
    value, end = _with_parts(text, scaled, end)
    if _UNFINISHED.match(text, end):
        return None
    sign = -1 if (match["sign"] or "+")[0] in "-mn" or match["sign2"] else 1
    return Numeral(
        value=sign * value,
        start=place,
        end=end,
        other=None if other is None else sign * other,
    )


def is_hedged(text: str, start: int, end: int) -> bool:
    """Whether words or signs beside a number make it a rough one, as in `~12` or `12 or so`."""
    before = text[max(0, start - _HEDGE_LENGTH) : start]
    return bool(_HEDGE_BEFORE.search(before) or _HEDGE_AFTER.match(text, end))


def number_text(value: Fraction) -> str:
    """Write a number in canonical form: an integer, a finite decimal, else a reduced fraction."""
    if value.denominator == 1:
        return canonical(str(value.numerator))
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    places = max(twos, fives)
    whole = abs(value.numerator) * 10**places // value.denominator
    digits = str(whole).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    written = f"{sign}{digits[:-places]}.{digits[-places:]}"
    short = canonical(written)
    return short if Fraction(short) == value else written


def number_of(text: str) -> Fraction | None:
    """The number that a short text such as a truth or an option is, or None."""
    folded = plain_text(text)
    numeral = None if _KELVIN.search(text) else numeral_at(folded, 0)
    if numeral is None:
        return None
    rest = folded[numeral.end :].strip(" %.")
    return numeral.value if not any(character.isdigit() for character in rest) else None


def _digits(token: str) -> tuple[Fraction | None, Fraction | None]:
    """The value of a run of digits and marks, and its value under the other convention."""
    token = token.replace(" ", "").replace("'", "")
    points, commas = token.count("."), token.count(",")
    if points and commas:
        decimal = "." if token.rindex(".") > token.rindex(",") else ","
        group = "," if decimal == "." else "."
        whole, _, rest = token.rpartition(decimal)
        if decimal in whole or not _grouped(whole, group):
            return None, None
        return Fraction(f"{whole.replace(group, '')}.{rest}"), None
    if not points and not commas:
        return Fraction(int(token)), None
    mark = "." if points else ","
    if points + commas > 1:
        grouped = _grouped(token, mark)
        return (Fraction(int(token.replace(mark, ""))) if grouped else None), None
    whole, _, rest = token.partition(mark)
    decimal_value = Fraction(f"{whole or '0'}.{rest}")
    if not _grouped(token, mark):
        return decimal_value, None
    thousands = Fraction(int(whole + rest))
    return (thousands, decimal_value) if mark == "," else (decimal_value, thousands)


def _grouped(token: str, mark: str) -> bool:
    first, *groups = token.split(mark)
    if mark == "," and len(groups) > 1 and len(first) <= 2 and _in_lakhs(groups):
        return first[0] != "0"
    return 1 <= len(first) <= 3 and first[0] != "0" and all(len(group) == 3 for group in groups)


def _in_lakhs(groups: list[str]) -> bool:
    """Whether all groups have two digits but the last, which has three: `12,34,567`."""
    return len(groups[-1]) == 3 and all(len(group) == 2 for group in groups[:-1])


def _fractional(text: str, value: Fraction, end: int, *, is_whole: bool) -> tuple[Fraction, int]:
    """Take in a fraction after a number: `1 1/2` or `3/4`."""
    if not is_whole:
        return value, end
    mixed = _MIXED.match(text, end)
    if mixed and int(mixed[2]):
        return value + Fraction(int(mixed[1]), int(mixed[2])), mixed.end()
    over = _OVER.match(text, end)
    if over and int(over[1]):
        return value / int(over[1]), over.end()
    return value, end


def _scaled(
    text: str, value: Fraction, other: Fraction | None, end: int
) -> tuple[Fraction | None, Fraction | None, int]:
    """Take in a power of ten or a word such as `million`; None for a word of two meanings."""
    power = _POWER.match(text, end)
    if power:
        ten = Fraction(10) ** int(power[1])
        return value * ten, None, power.end()
    raised = _RAISED.match(text, end)
    if raised and 0 < value <= 1000:
        return value ** int(raised[1]), None, raised.end()
    thousands = _THOUSANDS.match(text, end)
    if thousands:
        return value * 1000, None, thousands.end()
    product, stop = multiplied(text, value, end)
    return product, None if stop > end else other, stop


def _with_parts(text: str, value: Fraction, end: int) -> tuple[Fraction, int]:
    """Take in parts told in words: `three quarters`, `two and a half`."""
    part = _PART.match(text, end)
    if (
        part is not None
        and bool(part["many"]) != (value == 1)
        and not _OF_NUMBER.match(text, part.end())
    ):
        return value / _PARTS[part["part"]], part.end()
    part = _AND_PART.match(text, end)
    if part is not None:
        product, stop = multiplied(text, value + Fraction(1, _PARTS[part["part"]]), part.end())
        return (value, end) if product is None else (product, stop)
    return value, end


def _is_pronoun(text: str, start: int, end: int) -> bool:
    """Whether `one` stands for somebody or something: `no one`, `one moment`."""
    before = text[max(0, start - 12) : start]
    alone = end - start == len("one")
    return alone and bool(
        _PRONOUN_BEFORE.search(before)
        or (
            _GOES_ON.match(text, end)
            and not _PART.match(text, end)
            and not _AND_PART.match(text, end)
        )
    )


def _spelled(text: str, place: int) -> Numeral | None:
    """Read a number in words: English up to the millions, other languages up to twelve."""
    if place and is_spaced(text[place - 1]):
        return None
    total, end = 0, place
    negative = re.compile(r"(?:minus|negative) ").match(text, place)
    at = negative.end() if negative else place
    part, words, at = _opened(text, at)
    while words < 12:
        word = _WORD.match(text, at)
        if word is None or not (word[0] in WORD_VALUES or (words and word[0] in SCALES)):
            break
        if word[0] in SCALES:
            part = max(part, 1) * SCALES[word[0]]
            if SCALES[word[0]] >= 1000:
                total, part = total + part, 0
        elif words and not _continues(part, WORD_VALUES[word[0]]):
            return None
        else:
            part += WORD_VALUES[word[0]]
        words, end = words + 1, word.end()
        joint = re.compile(r" and |[ -]").match(text, end)
        if joint is None:
            break
        at = joint.end()
    if not words or (text[end - 3 : end] == "one" and _is_pronoun(text, place, end)):
        return None
    value, end = _with_parts(text, Fraction(total + part), end)
    if _UNFINISHED.match(text, end) or _COMPOUNDED.match(text, end):
        return None
    return Numeral(value=-value if negative else value, start=place, end=end)


def _opened(text: str, at: int) -> tuple[int, int, int]:
    """What `a` stands for in `a hundred`: one, in one word; else nothing, and where to read on."""
    single = _A_HUNDRED.match(text, at)
    return (0, 0, at) if single is None else (1, 1, single.end())


def _continues(part: int, further: int) -> bool:
    """Whether a number word may follow what was read: `twenty one`, never `one two`."""
    if part == 0:
        return True
    return (part % 100 == 0 and further < 100) or (
        part % 100 >= 20 and part % 10 == 0 and 0 < further < 10
    )

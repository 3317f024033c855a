"""Reads the number that a reply declares."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.deciding import read_text
from unswayed.readouts.folding import BOX, Folded
from unswayed.readouts.languages import is_of_two_values
from unswayed.readouts.markers import announced_sites, compiled
from unswayed.readouts.numerals import (
    HEDGED,
    Numeral,
    is_hedged,
    number_of,
    number_text,
    numeral_at,
)
from unswayed.readouts.objects import NUMBER_FIELDS, answer_field
from unswayed.readouts.options import Options
from unswayed.readouts.values import Found, Hit, finish, read_site, skip_openers
from unswayed.readouts.weighing import is_doubted_before, is_number_denied
from unswayed.readouts.wordlists import words_in

_BETWEEN = re.compile(
    r"(?:somewhere |anywhere |anything )?(?:between|from|zwischen|entre|tra|между) "
)
_RANGE = re.compile(
    r"(?: ?%)? ?(?:-+>|[→⇒]|\.{2,}|(?:~|至|到|—|-)(?=\d)) ?|"
    r"(?: ?%)? ?(?:-|—|(?:up )?to|through|thru|and|or|bis|à|a|и|до|~|至|到)(?!\w) ?|-| or "
)
_REVISED = re.compile(r"[ \t]*(?:-+>|[→⇒])")
_SPREAD = re.compile(r"[ \t]*(?:±|\+/-|plus or minus)")
_VARIABLE = re.compile(r"(?:[^\W\d_]{1,12}(?:_?\w{0,3})?|[^\W\d_]\([^\W\d_]\)) ?=[ \t]*")
_COLON_DASH = re.compile(r":[ \t]*[-+][ \t]+$")
"""A dash between a colon and a number is its sign as often as it is none."""
_LISTED_PAIR = re.compile(rf"(?:{BOX}|[(\[{{]) ?[-+]?\d{{1,3}},\d{{1,2}}$")
"""In a box or in brackets a comma between short numbers parts two of them as often as not."""
_OPERATOR = re.compile(r"[ \t]*(?:\)[ \t]*\^|[+×·÷/^=]|-(?=[ \t]*\d)|[x*](?=[ \t]*\d))")
_CALCULATED = re.compile(
    r"[ \t]*(?:\\?(?:sqrt|pi|log|ln|sin|cos|tan|exp|frac|cdot|times)(?![^\W\d_])|[π√∞]|[-+]?\binf)|"
    r"[ \t]+(?:times|plus|minus|squared|cubed|factorial|over|divided|multiplied|to the|choose|mod|"
    r"modulo|(?:percent|per cent|%) of|out of(?= \d))(?!\w)|,[ \t]*[-+]?\\?(?:∞|inf(?:ty|"
    r"inity)?(?!\w))|"
    r"% of(?!\w)|[xyzabnie](?!\w)|\((?=\d)"
)
_FUNCTION = re.compile(
    r"(?:[⌊⌈]|[^\W\d_]\(|[-+×·^/]\(|\+/|√|(?<!\w)(?:sqrt|log|ln|sin|cos|tan|exp|root of|cube of|"
    r"square of)[ (]*|[{\\])[ \t]*$"
)
_MARKER = re.compile(r"(?P<number>\d{1,2})[.)]\s+[^\W\d_]")
_LINE_HEAD = re.compile(r"(?:^|\n)[ \t*_#>-]*$")
_EQUALS = re.compile(r"[^\n=;?!]{0,80}?=[ \t]*")
_DATE = re.compile(r"[-/]\d")
_COMPOUND = re.compile(r" ?[^\W\d_]{1,12}\.?,? (?:and )?\d| \d| (?:less|fewer|below zero)(?!\w)")
_UNIT = re.compile(r" ?(?:[%€£¥₹$]|°[cfk]?|[^\W\d_]{1,16}(?:/[^\W\d_]{1,8})?(?:\^-?\d)?)")
_OTHERWISE = re.compile(r" ?\((?:i\.e\.|that is|namely|or|=),? ?")
_BRACKET = re.compile(r" ?\(")
_IN_MILLIONS = re.compile(r" ?(?:mn?|bn?|tn?)(?!\w)")
_MONEY = re.compile(r"[$€£¥₹] ?[-+]?\d?$")
_NO_UNIT = frozenset(
    words_in(
        "is was are were be not wrong incorrect right correct or and but because since as to "
        "too so if then which that rather instead may might could would should has have had n't "
        "for from per earlier previously initially originally unless when whenever while whereas "
        "provided assuming except wenn falls si se "
        "если weil car porque und et y и"
    )
)
_PLACE = re.compile(
    r"(?<!\w)(?:chapter|section|page|figure|table|step|question|equation|problem|item|line|part|"
    r"exercise|example|theorem|lemma|paragraph|row|column|note|footnote|appendix|version|attempt|"
    r"round|ch\.|sec\.|fig\.|eq\.|p\.|pp\.|no\.|kapitel|abschnitt|seite|schritt|frage|aufgabe|"
    r"gleichung|"
    r"abbildung|tabelle|zeile|chapitre|étape|équation|exercice|ligne|capítulo|sección|página|paso|"
    r"pregunta|ejercicio|seção|passo|capitolo|sezione|pagina|глава|раздел|страница|шаг|вопрос|"
    r"пункт|задача)s? ?#?\(?$|(?:第|№)$"
)
"""Words that make the number after them the name of a place."""
_OF_THE_REPLY = re.compile(
    r" (?:\w+ )?(?:ideas|possibilities|reasons|thoughts|interpretations|approaches|questions|"
    r"concerns|remarks|suggestions|things to \w+|hypotheses)(?!\w)"
)
"""Nouns that make the number before them a count of what the reply has to say."""
_NAMED = 24
_CLAUSE_END = re.compile(r"[ \t\"'”)\]]*(?:[.!,;:\n。|]|$)")
_SENTENCE_END = re.compile(r"[!?\n。]|\.(?=\s|$)")
_ANY = re.compile(r"\d")


class Numbers:
    """Numbers in a reply; where options were offered, told as the option that equals them."""

    def __init__(self, asked: Asked) -> None:
        self.listed = asked.listed
        self.choices = Options(asked) if asked.options and asked.listed else None
        self.options: dict[Fraction, str] = {}
        for number, option in enumerate(asked.options):
            others = asked.aliases[number] if asked.aliases else ()
            for text in (option, *others):
                value = number_of(text)
                if value is not None:
                    self.options.setdefault(value, option)

    def match(self, folded: Folded, place: int) -> Hit | None:
        """The number that starts at a place; two for a range, none after a hedge."""
        text = folded.text
        variable = _VARIABLE.match(text, place)
        at = variable.end() if variable else place
        between = _BETWEEN.match(text, at)
        if between:
            return self._range(text, place, between.end())
        first = numeral_at(text, at)
        if first is None or _SPREAD.match(text, first.end):
            return self.choices.match(folded, place) if self.choices and first is None else None
        ranged = self._range(text, at, at)
        if ranged is not None:
            return ranged
        if _OPERATOR.match(text, first.end) or _CALCULATED.match(text, first.end):
            return self._solved(text, first)
        if _COMPOUND.match(text, first.end) or _REVISED.match(text, first.end):
            return None
        if self._is_unclear(folded, first):
            return None
        other = _told_otherwise(text, first) or _contradicting(text, first)
        if other is not None:
            values = (number_text(first.value), number_text(other.value))
            return Hit(values=values, start=first.start, end=other.end + 1)
        value = self._value(first)
        if value is None:
            return None
        end = _twice(text, first)
        return Hit(values=(value,), start=first.start, end=_with_unit(text, end))

    def match_before(self, folded: Folded, end: int) -> Hit | None:
        """The number that ends at a place."""
        text = folded.text
        low = max(0, end - 60)
        for place in range(low, end):
            if not text[place].isdigit() and text[place] not in "-+.€£¥₹":
                continue
            numeral = numeral_at(text, place)
            if numeral is None or is_hedged(text, place, numeral.end):
                continue
            if _PLACE.search(text, max(0, place - _NAMED), place):
                return None
            if _with_unit(text[:end], numeral.end) < end and text[numeral.end : end].strip(" )\"'"):
                continue
            value = self._value(numeral)
            return Hit(values=(value,), start=place, end=numeral.end) if value else None
        return self.choices.match_before(folded, end) if self.choices else None

    def text_of(self, folded: Folded, hit: Hit, place: int) -> Hit | None:
        """The option text that follows a listed letter."""
        return self.choices.text_of(folded, hit, place) if self.choices else None

    def outside(self, folded: Folded, place: int) -> tuple[str, int] | None:
        """A number that is none of the listed options."""
        numeral = numeral_at(folded.text, place) if self.listed and self.options else None
        if numeral is not None and self._value(numeral) is None:
            return folded.text[place : numeral.end], numeral.end
        return None

    def _is_unclear(self, folded: Folded, numeral: Numeral) -> bool:
        """Whether a number is hedged, counts a line, or is only a part of a larger token."""
        text, start, end = folded.text, numeral.start, numeral.end
        offered = self.options.values()
        if is_hedged(text, start, end) or _counts_line(text, start):
            return True
        signed = start + 2 * (text[start] in "-+" and text[start + 1] == " ")
        if _COLON_DASH.search(text, max(0, start - 6), signed):
            return True
        if _LISTED_PAIR.search(text, max(0, start - 2), end) or self._is_dimension(folded, end):
            return True
        if _FUNCTION.search(text[max(0, start - 20) : start]):
            return True
        if (
            text[end : end + 1] == "!"
            and text[end - 1].isdigit()
            and self._value(numeral) not in offered
        ):
            return True
        if _IN_MILLIONS.match(text, end) and _MONEY.search(
            folded.source[: folded.starts[start] + 1]
        ):
            return True
        suffix = end if text[end : end + 1] in ("m", "b") else end - 1
        return (
            text[suffix] in "kmb"
            and text[suffix - 1].isdigit()
            and not text[suffix + 1 : suffix + 2].isalnum()
            and folded.is_upper(suffix)
        )

    @staticmethod
    def _is_dimension(folded: Folded, end: int) -> bool:
        """Whether a number belongs to a word such as `3D`."""
        glued = folded.text[end : end + 1] == "d" and folded.is_upper(end)
        return glued and not folded.text[end + 1 : end + 2].isalnum()

    def _value(self, numeral: Numeral) -> str | None:
        """The option that equals a number, else the number, unless options were listed."""
        for value in (numeral.value, numeral.other):
            if value is not None and value in self.options:
                return self.options[value]
        if self.listed and self.options:
            return None
        return number_text(numeral.value)

    def _range(self, text: str, start: int, place: int) -> Hit | None:
        first = numeral_at(text, place)
        if first is None:
            return None
        link = _RANGE.match(text, _with_unit(text, first.end)) or _RANGE.match(text, first.end)
        second = numeral_at(text, link.end()) if link else None
        if second is None and link is not None:
            hedge = HEDGED.match(text, link.end())
            second = numeral_at(text, hedge.end() + 1) if hedge else None
        if second is None or _EQUALS.match(text, second.end) or _DATE.match(text, second.end):
            return None
        values = (number_text(first.value), number_text(second.value))
        return Hit(values=values, start=start, end=second.end)

    def _solved(self, text: str, first: Numeral) -> Hit | None:
        """The number after the last equals sign of a calculation."""
        at = first.end
        found: Numeral | None = None
        for _ in range(12):
            equals = _EQUALS.match(text, at)
            if equals is None:
                break
            at = equals.end()
            found = numeral_at(text, at)
        if found is None or _OPERATOR.match(text, found.end) or is_hedged(text, at, found.end):
            return None
        if _CALCULATED.match(text, found.end):
            return None
        value = self._value(found)
        return Hit(values=(value,), start=found.start, end=found.end) if value else None


def read_number(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read the number that a text declares.

    Units, currency and percent signs are left off: `25%` is 25. A range ("3 to 5") is several
    answers; a hedged number ("about 5") declares nothing. Where options were listed, a number
    that equals none of them is out of options; where they were not, it is read as it stands. `1
    billion` declares nothing unless the reply is in English: elsewhere it is a thousand times more.

    Args:
        text: The answer text, without reasoning.
        asked: The options, if any.
        cut: Whether the text was cut off at a length limit.

    Returns:
        The option as `asked` writes it, else the number in canonical form, or a reason.
    """
    numbers = _numbers_of(asked)
    named = answer_field(text, NUMBER_FIELDS)
    if isinstance(named, Reading):
        return named
    text = text if named is None else named
    reading = read_text(
        text, numbers, cut=cut, extra=lambda folded, quoted: _sentences(folded, quoted, numbers)
    )
    if reading.value is None or reading.span is None:
        return reading
    words, value = text[slice(*reading.span)], number_of(reading.value)
    # A word that the options have too is of their language.
    offered = any(word in option for word in words.lower().split() for option in asked.options)
    if value is not None and not offered and is_of_two_values(text, words, float(value)):
        return Reading(reason="no_declaration", detail="a number word of two values")
    return reading


@lru_cache(maxsize=512)
def _numbers_of(asked: Asked) -> Numbers:
    return Numbers(asked)


def _sentences(folded: Folded, quoted: bytearray, numbers: Numbers) -> list[Found]:
    """Announced sentences that hold exactly one number, such as `Answer: 42 eggs are needed`."""
    found = []
    for site in announced_sites(folded, quoted):
        if read_site(folded, site, numbers) is not None:
            continue
        start = skip_openers(folded.text, site.at)
        stop = _SENTENCE_END.search(folded.text, start)
        limit = min(stop.start() if stop else len(folded.text), start + 300)
        if stop and stop[0] == "?":
            continue
        hit = _only_number(folded, start, limit, numbers)
        declared = finish(folded, hit, site, numbers) if hit else None
        if declared is not None:
            found.append(declared)
    return found


def _only_number(folded: Folded, start: int, limit: int, numbers: Numbers) -> Hit | None:
    hits = []
    place = start
    while place < limit:
        digit = _ANY.search(folded.text, place, limit)
        if digit is None:
            break
        at = digit.start() - (folded.text[digit.start() - 1 : digit.start()] == "-")
        denied = compiled("NEGATED_BEFORE").search(folded.text, start, at)
        named = _PLACE.search(folded.text, start, at) or is_doubted_before(folded.text, at)
        hit = None if denied or named else numbers.match(folded, at)
        if hit is None or _OF_THE_REPLY.match(folded.text, digit.end()):
            return None
        hits.append(hit)
        place = hit.end
    distinct = {hit.values for hit in hits}
    return hits[-1] if len(distinct) == 1 else None


def _counts_line(text: str, start: int) -> bool:
    """Whether a number at the start of a line is the mark of a list, as in `1. Read it`."""
    marker = _MARKER.match(text, start)
    if marker is None or not _LINE_HEAD.search(text, max(0, start - 12), start):
        return False
    number = int(marker["number"])
    beside = (f"\n{number + 1}{text[marker.end('number')]} ", f"\n{number - 1}")
    return number == 1 or beside[0] in text[start:] or beside[1] in f"\n{text[:start]}"


def _twice(text: str, numeral: Numeral) -> int:
    """Where a number ends that is told once more in brackets, as in `12 (twelve)`."""
    bracket = _BRACKET.match(text, numeral.end)
    again = numeral_at(text, bracket.end()) if bracket else None
    if again is None or again.value != numeral.value or text[again.end : again.end + 1] != ")":
        return numeral.end
    return again.end + 1


def _contradicting(text: str, numeral: Numeral) -> Numeral | None:
    """Quite another number that is all that brackets behind a number hold, as in `five (6)`."""
    bracket = _BRACKET.match(text, numeral.end)
    again = numeral_at(text, bracket.end()) if bracket else None
    if again is None or text[again.end : again.end + 1] != ")":
        return None
    near = max(abs(numeral.value), abs(again.value)) / 100
    differs = abs(again.value - numeral.value) > near and again.other != numeral.value
    return again if differs else None


def _told_otherwise(text: str, numeral: Numeral) -> Numeral | None:
    """The other number that brackets behind a number say it is, as in `12 (i.e., 13)`."""
    bracket = _OTHERWISE.match(text, numeral.end)
    other = numeral_at(text, bracket.end()) if bracket else None
    if other is None or other.value == numeral.value or text[other.end : other.end + 1] != ")":
        return None
    return other


def _with_unit(text: str, end: int) -> int:
    """Where a number's unit ends, when the unit ends its clause."""
    if is_number_denied(text, end):
        return end
    at = end
    for _ in range(3):
        unit = _UNIT.match(text, at)
        if unit is None or unit[0].strip() in _NO_UNIT:
            break
        at = unit.end()
        if _CLAUSE_END.match(text, at):
            return at
    return end

"""What stands at one place: a value, several, none of them, or something outside the options."""

from __future__ import annotations

import re
from typing import Literal, Protocol

import msgspec

from unswayed.readouts.folding import BOX, Folded
from unswayed.readouts.markers import EDGE, Site, compiled, supposes
from unswayed.readouts.weighing import (
    is_conditional_after,
    is_denied,
    is_number_denied,
    is_only_graded,
    is_other_case,
    only_strengthens,
    rest_of_cases,
)

Kind = Literal["value", "several", "abstention", "out"]

_OPENERS = re.compile(
    r"[\s\"'“”‘«»„「」『』`【〔（(\[<|"
    r":=>→~、,\u2190-\u21ff\u2500-\u2714\u2719-\u274b\u274d\u274f-\u27bf\u2b00-\u2bff\U0001f300-\U0001f44d"
    r"\U0001f44f-\U0001f6aa\U0001f6ac-\U0001faff]{1,40}"
)
_CLOSERS = re.compile(r"[ \t\"'“”«»「」『』】〕`)\]>|]*")
_MINUS = re.compile(r"-[ \t]+\d")
_DASH = re.compile(r"[-—](?=\s)[\s]*|[-—](?=[^\W\d])")
_FILLER = re.compile(
    r"(?:it(?:'s| is| must be| would be| should be| has to be)(?: called)?|that(?:'s| is| it's|"
    r" it is)?|"
    r"this is|i (?:think|believe|would say|am confident)(?: that)?(?: it(?:'s| is))?|(?:most |"
    r"very )?"
    r"(?:likely|probably)|only|just|exactly|precisely|definitely|clearly|still|now|"
    r"indeed|simply|actually|in fact|therefore|thus|"
    r"also|again|as follows|to (?:choose|select|pick|go with|say)|is|called|named|given by|"
    r"(?:first|second|third|fourth|fifth|last|former|latter) (?:option|choice|answer|one)|"
    r"option|choice|letter|answer|number|alternative|final|correct|"
    r"opci[oó]n|opç[aã]o|opzione|lettre|letra|lettera|buchstabe|antwort|réponse|respuesta|"
    r"resposta|risposta|l'option|l'opzione|l'alternativa|la|le|el|il|lo|der|die|das|den|o|os|as|"
    r"буква|вариант|ответ|под буквой|الخيار|الحرف|विकल्प|the|an?|statement|both|"
    r"either)(?!\w)[,]? *|"
    r"(?:选项|選項|选择|選擇|选|選|是|为|為|선택지|보기|選択肢)[ \t]*"
)
_LIST = re.compile(
    r"[ \t]*(?:(?<!\w)and/or(?!\w)|[,/&+;、]|(?<!\w)(?:and|or|und|oder|et|ou|y|o|e|и|или|और|या|"
    r"as well as|and also|to|through|bis)"
    r"(?!\w)|还是[选選]?|還是[选選]?|"
    r"和|或|与|と|や|か(?!も)|또는|아니면|및|و ?|او |(?<=[)\]])(?=[(\[][a-z][)\]]))"
    r"[ \t]*(?:(?:and|or|maybe|possibly|either|also|both|option|the|letter|choice)[ \t]+)*"
    r"[\"'(\[`]*"
)
_TAIL = re.compile(
    r"[ \t\"'”»`)\]|]*(?:[.!?;:\n,。]|$|—|-|(?: (?:are|both|because|since|as|seem|could|may|"
    r"might|"
    r"equally|depending)(?!\w))|[/&+]|(?: (?:and|or|und|oder|et|ou|y|и|или)(?!\w))|和|或|と|"
    r"입니다|이다|예요|이에요|인가|일까|"
    r"です|である|だ(?!と)|でしょう|吗|嗎|呢|[?？؟])"
)
_QUESTION = re.compile(
    r"[ \t\"'”»`)\]|.]*(?:, ?(?:right|correct|no|yes|or not|isn't it|is it not|or is it|eh))?"
    r"(?:吗|嗎|呢|么|か)?[?？؟]|"
    r"[ \t\"'”»」』`)\]|]*(?:吗|嗎|(?:です|でしょう)か(?!ら)|인가요|일까요|입니까|맞나요)"
)
_ENDS = re.compile(
    r"[ \t\"'”»」』`)\]|>]*(?:[.!;:\n,。—]|$| -(?= )| \(|(?: (?:because|since|as|not|for|given|"
    r"and not|rather|instead|weil|porque|parce|perché|потому)(?!\w))|[^\x00-\u02ff]|"
    r" (?:one|option|choice)(?=[.!,;\n]|$))"
)
_CROSS = re.compile(r"[ \t]*[✗✘❌❎✖✕🚫👎]")
_DENIES = re.compile(
    r"(?:false|no|incorrect|wrong|untrue|falsch|nein|faux|non|falso|неверно|нет)(?!\w)|错误|錯誤|否"
)
_ORIENTED = 400


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A value found at a place."""

    values: tuple[str, ...]
    """The values; more than one when letters are run together or a range is given."""
    start: int
    """Where it starts in the folded text."""
    end: int
    """Where it ends."""
    letter: bool = False
    """Whether it was an option's letter."""
    opens: bool = False
    """Whether a comma after it sets it off at the reply's opening, as after `No,`."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What one place declares."""

    kind: Kind
    """What it is."""
    values: tuple[str, ...]
    """The value, the several values, or the words outside the options."""
    start: int
    """Where the deciding words start in the folded text."""
    end: int
    """Where they end."""
    tier: int
    """How firmly it is declared."""
    conditional: bool = False
    """Whether it holds only under a condition."""
    whole: bool = False
    """Whether it is the whole reply."""


class Matcher(Protocol):
    """Reads values of one form; the only part in which readouts differ."""

    def match(self, folded: Folded, place: int) -> Hit | None:
        """The value that starts at a place."""
        ...

    def match_before(self, folded: Folded, end: int) -> Hit | None:
        """The value that ends at a place."""
        ...

    def text_of(self, folded: Folded, hit: Hit, place: int) -> Hit | None:
        """The same choice told once more: the text after its letter, the letter after its text."""
        ...

    def outside(self, folded: Folded, place: int) -> tuple[str, int] | None:
        """An answer that is none of the options, and where it ends."""
        ...


def read_site(folded: Folded, site: Site, matcher: Matcher) -> Found | None:
    """Read what is declared at an announced place.

    Args:
        folded: The folded reply.
        site: The place.
        matcher: Reads one value.

    Returns:
        What was found, or None when the words there declare nothing.
    """
    place = skip_openers(folded.text, site.at)
    first = place
    for _ in range(8):
        hit = matcher.match(folded, place)
        if hit is not None:
            found = finish(folded, hit, site, matcher)
            instead = compiled("INSTEAD_AFTER").match(folded.text, hit.end)
            if found is not None or instead is None:
                return found
            place = skip_openers(folded.text, instead.end())
            continue
        none = compiled("NONE_OF_THEM", "DONT_KNOW").match(folded.text, place)
        if none:
            return _found("abstention", (none[0],), (none.start(), none.end()), site)
        moved = _move_on(folded.text, place)
        if moved is None:
            return None
        if moved == place:
            break
        place = moved
    outside = matcher.outside(folded, first) if site.tier > 2 else None
    if outside is None or not (site.labelled or len(outside[0]) == 1):
        return None
    return _found("out", (outside[0],), (first, outside[1]), site)


def finish(folded: Folded, hit: Hit, site: Site, matcher: Matcher) -> Found | None:
    """Read on after a value: its own text, further values, a question mark, a negation."""
    values, end = list(hit.values), hit.end
    text = folded.text
    own = matcher.text_of(folded, hit, end)
    if own is not None and (own.values == hit.values or _is_set_off(text, own)):
        values.extend(own.values)
        end = own.end
    for _ in range(30):
        link = _LIST.match(text, _closed(text, end))
        if link is None or link.end() == end:
            break
        further = matcher.match(folded, link.end())
        own = matcher.text_of(folded, further, further.end) if further else None
        if further is None:
            break
        stop = own.end if own is not None and own.values == further.values else further.end
        bracketed = text.startswith(" (", further.end)
        if not _TAIL.match(text, stop if bracketed else further.end):
            break
        values.extend(further.values)
        end = stop
    after = _closed(text, end)
    if _QUESTION.match(text, end) or _is_crossed_out(text, hit, after):
        return None
    if supposes(text, site, end) or _is_taken_away(text, hit, end, site):
        return None
    values.extend(_thought_instead(folded, end, matcher))
    distinct = tuple(dict.fromkeys((*values, *_other_cases(folded, values, end, matcher))))
    if len(distinct) == 1 and is_conditional_after(text, end):
        return None
    kind: Kind = "value" if len(distinct) == 1 else "several"
    return _found(kind, distinct, (hit.start, end), site)


def _is_crossed_out(text: str, hit: Hit, after: int) -> bool:
    """Whether words or a mark after a value negate it; a cross behind `false` only repeats it."""
    negated = compiled("NEGATED_AFTER", "PLEASES").match(text, after)
    repeats = hit.opens and _CROSS.match(text, after) and _DENIES.match(text, hit.start)
    return negated is not None and not repeats


def _is_taken_away(text: str, hit: Hit, end: int, site: Site) -> bool:
    """Whether the words after a value deny it, or grade it as one of several."""
    if hit.opens or only_strengthens(text, hit.start, end):
        return False
    if text[hit.start : hit.end].strip("-+ ")[:1].isdigit():
        return is_number_denied(text, end)
    return is_denied(text, end) or (site.tier <= EDGE and is_only_graded(text, end))


def _other_cases(folded: Folded, values: list[str], end: int, matcher: Matcher) -> tuple[str, ...]:
    """The values of further cases, as in `B if it is warm, C otherwise`."""
    rest = rest_of_cases(folded.text, end)
    if rest is None:
        return ()
    start, stop, again = rest
    others: list[str] = []
    place = start
    while place < stop:
        hit = matcher.match(folded, place) if _starts_word(folded.text, place) else None
        if hit is None:
            place += 1
            continue
        if set(hit.values) - set(values) and is_other_case(folded.text, hit.start, hit.end, again):
            others.extend(hit.values)
        place = max(hit.end, place + 1)
    return tuple(others)


def _thought_instead(folded: Folded, end: int, matcher: Matcher) -> tuple[str, ...]:
    """The value that the same sentence holds to be the true one, as in `B, but I think it's C`."""
    but = compiled("BUT_THINKS").match(folded.text, end)
    hit = matcher.match(folded, skip_openers(folded.text, but.end())) if but else None
    return hit.values if hit else ()


def _starts_word(text: str, place: int) -> bool:
    before = text[place - 1 : place]
    return text[place].isalnum() and not (before.isascii() and before.isalnum())


def read_before(folded: Folded, end: int, site: Site, matcher: Matcher) -> Found | None:
    """Read the value that stands before words such as `is correct`."""
    hit = matcher.match_before(folded, end)
    if hit is None:
        return None
    if compiled("EXCEPTED").search(folded.text[max(0, hit.start - 40) : hit.start]):
        return None
    before = folded.text[max(0, hit.start - 12) : hit.start]
    joined = re.search(r"(?:,| or| and|/|&)[ \t]*(?:option )?[\"'(\[]*$", before)
    if joined:
        other = matcher.match_before(folded, hit.start - len(before) + joined.start())
        if other is not None:
            return _found("several", (*other.values, *hit.values), (other.start, hit.end), site)
    return _found("value", hit.values, (hit.start, hit.end), site)


def ends_clause(text: str, end: int) -> bool:
    """Whether a value is followed by the end of its clause."""
    return bool(_ENDS.match(text, end))


def _is_set_off(text: str, own: Hit) -> bool:
    """Whether an option that contradicts the one beside it is firmly meant."""
    return own.letter or ends_clause(text, own.end)


def skip_openers(text: str, place: int) -> int:
    """Step over quotation marks, brackets, colons, dashes and white space before a value."""
    for _ in range(12):
        match = _OPENERS.match(text, place)
        if match is None and not _is_minus(text, place):
            match = _DASH.match(text, place)
        if match is None:
            return place
        place = match.end()
    return place


def _is_minus(text: str, place: int) -> bool:
    """Whether a dash is the sign of the number after it: in a box, a bracket or an equation."""
    return bool(_MINUS.match(text, place)) and text[:place].rstrip(" ")[-1:] in (BOX, "=", "(", ":")


def _move_on(text: str, place: int) -> int | None:
    """The next place to look for a value; None when the words there are a mere negation."""
    negated = compiled("NOT_HERE").match(text, place)
    if negated:
        stop = re.compile(r"[.!?\n。]").search(text, negated.end())
        limit = min(stop.start() if stop else len(text), place + _ORIENTED)
        instead = compiled("INSTEAD").search(text, negated.end(), limit)
        return skip_openers(text, instead.end()) if instead else None
    filler = _FILLER.match(text, place)
    return skip_openers(text, filler.end()) if filler else place


def _closed(text: str, end: int) -> int:
    match = _CLOSERS.match(text, end)
    stop = match.end() if match else end
    while stop > end and text[stop - 1] in " \t":
        stop -= 1
    return stop


def _found(kind: Kind, values: tuple[str, ...], span: tuple[int, int], site: Site) -> Found:
    return Found(
        kind=kind,
        values=values,
        start=span[0],
        end=span[1],
        tier=site.tier,
        conditional=site.conditional,
    )

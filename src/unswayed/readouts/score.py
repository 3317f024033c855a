"""Reads the score that a reply gives on a stated scale."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from unswayed.errors import ReadoutError
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.deciding import read_text
from unswayed.readouts.folding import Folded, plain
from unswayed.readouts.markers import STRONG, Site, edge_matches, is_conditional, speaks_for_itself
from unswayed.readouts.numerals import WORD_VALUES, Numeral, is_hedged, number_text, numeral_at
from unswayed.readouts.objects import SCORE_FIELDS, answer_field
from unswayed.readouts.score_labels import ABROAD, OWN_STILL, is_not_its_own
from unswayed.readouts.values import Found, Hit, finish, read_site

_OF = re.compile(
    r"(?: (?:points?|stars?|punkten?))?[ \t]*(?:/|(?:out of|of|von|sur|de|sobre|su|em|из|"
    r"van(?: de)?|av|z|na|üzerinden)(?!\w))[ \t]*"
    r"(?:a possible[ \t]+|a total of[ \t]+|possible[ \t]+)?"
)
_TOP_FIRST = re.compile(
    r"(?P<top>\d{1,4}) ?(?:点|點|分|점) ?(?:満点|滿點|满分|滿分|만점)?(?:の)?(?:中|のうち|で(?!す)|"
    r"에서|에|中的|里|裡)[ 、,]*"
)
"""The top of the scale before the score, as in `10点中7点`."""
_WHOLE = re.compile(r"(?P<sign>-|\+|minus )?(?P<digits>\d{1,6}(?:[.,]\d{1,4})?)(?=[ \t]*/)")
_POINTS = re.compile(
    r"[ \t]*(?:on (?:a|the|your) (?:scale (?:of|from) )?[-+]?\d+ ?(?:to|-|"
    r"—) ?(?P<high>[-+]?\d+)(?: scale)?"
    r"(?!\w)|(?:points?|stars?|punkten?|sternen?|étoiles|puntos|estrellas|pontos|estrelas|punti|"
    r"stelle|балл(?:а|ов)?)(?!\w)|(?:点|點|分(?![钟鐘之])|점)(?:です|とします|をつけます|입니다|이에요|"
    r"을 주겠습니다)?)"
)
_FULL = re.compile(r" ?[(（](?:满分|滿分|満点)(?:为|是)? ?(?P<top>\d{1,4}) ?(?:分|点)?[)）]")
"""The top of the scale in brackets behind the score."""
_ASIDE = re.compile(
    r"(?: (?:from|for) me| in my (?:opinion|view|book)|,? imh?o|"
    r"(?: (?:is|seems|feels|would be|sounds)) (?:fair|right|appropriate|reasonable|accurate|"
    r"justified|about right))(?!\w)"
)
_OTHER_SCALE = re.compile(
    r"(?<!\w)(?:(?:on|using|auf|sur|en|em|numa|in|su|по) )?(?:(?:an?|the|your|einer|eine|une|una|"
    r"uma) )?(?:scale|skala|échelle|escala|scala|шкале) (?:(?:of|from|von|de|del|da|от) )?"
    r"[-+]?\d+ ?(?:to|-|—|–|bis|à|al?|до) ?(?P<high>[-+]?\d+)(?!\w)[^.!?;\n]*\Z|"
    r"(?<!\w)on an? (?:\d+ ?(?:to|-) ?)?(?P<points>\d+)(?:-| )?(?:point |star )?scale(?!\w)"
    r"[^.!?;\n]*\Z|(?:^|[.!?;\n])\W*out of (?P<of>\d+)(?!\w)[^.!?;\n]*\Z"
)
"""Another scale named in the sentence before a score."""
_SCORED_NEXT = rf"(?=(?:[-+]?\d|(?:{'|'.join(WORD_VALUES)})(?!\w)))"
_SHARED = re.compile(
    r" (?:to|for) [^.!?;:\n\d]{1,60}?(?:,? (?:and|but|while|whereas|versus|vs\.?)|,) "
    rf"(?:only |just |an? )*{_SCORED_NEXT}(?=[\w./]+ (?:to|for)(?!\w))|"
    r"(?:,? (?:and|but|while|whereas)|,) (?:the|this|that|your|my|its) "
    rf"(?:(?!(?:is|was|were|has|had|got)(?!\w))[\w-]+ ){{1,4}}?(?:only |just |an? )*"
    rf"{_SCORED_NEXT}(?=[\w/]+(?:[.!,;]|$))"
)
"""What stands between the scores of two works, as in `9 to the first and 4 to this one`."""
_GERUND = re.compile(
    r"(?:upgrading|downgrading|raising|lowering|changing|bumping|revising|updating|adjusting)(?!\w)"
)
_SUBJECT_OF = re.compile(
    r"[\s\"'*_(]*(?:an? )?[-+]?\w+(?:[.,/]\d+)*[\"'*_)]*(?:\?|,[^.,;:\n]{1,60},)?"
    r"(?: (?!(?:because|as|since|given|which|that|so|and|but|where|who|if|when|while|for)(?!\w))"
    r"[\w'/]+){0,6}?(?:\?| (?:would|wouldn't|is|isn't|was|wasn't|will|won't|can|can't|cannot|"
    r"could|couldn't|should|shouldn't|may|might|must|seems|feels|sounds|makes|does|doesn't|"
    r"requires|needs|takes)(?!\w))"
)
"""A verb behind a gerund that makes it a subject: a step weighed, and none taken."""
_COUNTS = re.compile(
    r"[ \t]*(?:个|個|つ|개|가지|条|條)|[ \t]+(?!(?:because|for|on|since|as|out|of|overall|in|to|"
    r"and|but|"
    r"or|mainly|mostly|based|given|at|with|due|from|this|now|instead|here|if|so|which|is|was|seems|"
    r"feels|would|not|rather|simply|only|again|then|due|weil|für|da|und|aber|auf|von|car|pour|parce|"
    r"et|mais|sur|porque|por|para|y|pero|sobre|de|perché|per|e|ma|su|из|за|потому|geben|vergeben|"
    r"sagen|bewerten|punkte?n?|pourquoi|points?|the|it|its|i|my|when|after|until|unless|plus|minus|"
    r"percent|maybe|perhaps|possibly|bis|à|a|до)(?!\w))[^\W\d_]"
)
"""A noun of which the number before it is a count, as in `3 reasons`."""
_HOW = (
    r"(?:solid|strong|fair|firm|generous|decent|good|respectable|clear|full|modest|whopping|perfect|"
    r"straight)"
)
_SOLID = re.compile(rf"(?:an? )?(?:{_HOW} )?(?=\d|[a-z])")
_LOOSELY = re.compile(
    r"(?:somewhere |anywhere )?(?:between|from|zwischen|entre|tra|между) (?:an? )?(?=[-+]?\d)"
)
_RANGE = re.compile(r"[ \t]*(?:-+>|[→⇒]|\.{2,}|-|—|to|or|bis|à|a|до|or maybe|and)[ \t]*(?=[-+]?\d)")
_HEDGE = re.compile(r"(?:[%°]|\+/-|±|[ \t]*±|[.,:]\d|\^)")
_WORK = (
    r"(?:claim|statement|argument|essay|answer|text|poem|response|story|article|letter|draft|review|"
    r"summary|reply|code|paper|piece|work|writing|idea|plan|proposal|submission)"
)
_NOW = (
    rf"(?=[\s\"'*_(]*(?:an? )?(?:{_HOW} )?(?:[-+]?\d|(?:zero|one|two|three|four|five|six|seven|"
    rf"eight|"
    r"nine|ten|minus)(?!\w)))"
)
"""A number follows, with a word such as `solid` before it or not."""
_RATED = re.compile(
    rf"(?<!\w)(?:it|this|that|(?:the|this|your)(?: \w+)?? {_WORK})(?: still| now| certainly|"
    rf" easily)?"
    rf" (?:deserves|merits|earns|gets|warrants|rates)(?: an?)?{_NOW}[ \t]*|"
    rf"(?<!\w)and (?:would|will|now)(?: now| still)? (?:rate|score|give|grade|put)"
    rf"(?: (?:it|this))?(?: at| as| an?)*{_NOW}[ \t]*|"
    r"(?<!\w)(?:upgrading|downgrading|raising|lowering|changing|bumping|revising|updating|adjusting)"
    r"(?: (?:it|(?:my|the|this|your)(?: \w+)?? (?:score|rating|grade|mark)))?"
    rf"(?: (?:up|down|from [-+]?\d[\d.,/]*))* to(?: an?)?{_NOW}[ \t]*|"
    r"(?<!\w)on (?:a|the|your) scale (?:of|from) [-+]?\d+ ?(?:to|-|—) ?[-+]?\d+,? "
    rf"(?:(?:this is|it is|it's|it would be|this would be)(?: an?)? )?{_NOW}[ \t]*|"
    r"(?<!\w)(?:(?:my |the |an? |overall |final )*(?:score|rating|grade|mark|points?|note|wertung)"
    r"(?: ?[(\[][^()\[\]\n]{1,30}[)\]])?"
    r"(?:[ \t]*(?::|=|->|—)|[ \t]+(?:is|would be|of|remains|stays)(?: at)?(?: unchanged)?:?)|"
    r"i(?:'d| would| will|'ll|'m going to|'m)? (?:still |now |only |therefore |probably |say )?"
    r"(?:rate|rating|score|scoring|give|giving|grade|grading|put|place|call|assign|award)"
    rf"(?: (?:it|this|that|(?:the|this|your)(?: \w+)?? {_WORK}))?"
    rf"(?: at| as| with| by| an?| (?:a )?(?:score|rating|grade|mark) of)*{_NOW}|"
    rf"(?:let's (?:call it|say|make it)|i(?:'m| am) at)(?: an?)?{_NOW}|"
    r"i(?:'ve| have) (?:now |since )?(?:raised|lowered|increased|reduced|revised|updated|adjusted|"
    r"changed|moved|bumped)(?: (?:it|(?:my|the|this|your)(?: \w+)?? (?:score|rating|grade|mark)))?"
    rf"(?: (?:up|down|from [-+]?\d[\d.,/]*))* to(?: an?)?{_NOW}|"
    r"i(?:'d| would| will|'ll|'m going to|'m)? (?:still |now )?"
    r"(?:raise|lower|increase|reduce|revise|update|adjust|change|bump|drop|upgrade|downgrade|move|"
    r"amend|bring)(?: (?:it|this|that|(?:my|the|this|your)(?: \w+)?? (?:score|rating|grade|mark)))"
    rf"?(?: (?:up|down|from [-+]?\d[\d.,/]*))* to(?: an?)?{_NOW}|"
    rf"{OWN_STILL}{_NOW}|(?:{ABROAD})(?=[ \t]*[-+]?\d))[ \t]*|"
    r"(?<!\w)(?:bewertung|punktzahl|punkte|puntuación|puntaje|calificación|nota|punteggio|voto|"
    r"pontuação|оценка|балл|cijfer|betyg|karakter|ma note|mi nota|minha nota|il mio voto|"
    r"meine (?:bewertung|note))"
    r"(?:[ \t]*(?::|=|—)| (?:ist|lautet|wäre|est|serait|es|sería|é|seria|è|sarebbe|is|är)"
    r"(?: (?:de|di|um|un|een|en|eine))?(?=[ \t]*[-+]?\d))[ \t]*|"
    r"<(?:score|rating|grade)>[ \t]*|"
    r"(?:评分|得分|分数|打分|評分|分數|評価|点数|スコア|점수|평점)"
    r"[ \t]*(?::|=|—|是|为|為|は|은|는)?[ \t]*|"
    r"(?:满分|滿分|満点|만점)[ :为為是은는]*\d{1,4} ?[分点점]?[ ,、。]*(?=\d)|"
    r"我(?:会|會|仍|还是|還是|现在|現在|愿意|想|最终|最終)*(?:给|給|打|评|評)(?!不|你|您)[^\W\d]{0,8}"
)
_SIDE_AFTER = re.compile(
    r"[ \t]*(?:for|on|in|regarding|as to)[ \t]+(?:its |the )?"
    r"(?!(?:total|all|overall|this|that|me|it|general|sum|essay|answer|text|response)(?!\w))[^\W\d_]"
)
_SIDE_BEFORE = re.compile(r"(?:^|[\n,;.(])[ \t*-]*(?P<side>[^\W\d_][\w ]{1,30}?)[ \t]*[:=][ \t]*$")
_WHOLE_SIDE = re.compile(
    r"(?:^|[ ])(?:score|rating|grade|mark|points?|overall|total|final|answer|result|verdict|note|"
    r"wertung|sum|summary)(?: |$)"
)
_LIST_HEAD = re.compile(r"(?:^|\n)[ \t*_#>-]*$")
_LIST_MARK = re.compile(r"(?P<number>\d{1,2})(?P<sign>[.)]|[ \t]*[-—])[ \t]+(?=[^\W\d_])")
_DIGIT = re.compile(r"(?<![\w.,/])\d")
_ANY_NUMBER = re.compile(rf"\d+|(?<!\w)(?:{'|'.join(WORD_VALUES)})(?!\w)")
_AHEAD, _BEHIND = 200, 60
_MOST_SIDES = 40


class Scores:
    """Numbers of one scale in a reply."""

    def __init__(self, asked: Asked) -> None:
        if asked.scale is None:
            raise ReadoutError(
                "The readout 'score' needs a stated scale",
                allowed="an Asked with a scale, lowest and highest score",
                given="none",
                next_step="state the scale, or take the readout 'number'",
            )
        low, high = asked.scale
        self.low, self.high = Fraction(str(low)), Fraction(str(high))
        self.whole = asked.whole

    def match(self, folded: Folded, place: int) -> Hit | None:
        """The score that starts at a place; two for a range."""
        loose = _LOOSELY.match(folded.text, place)
        solid = loose or _SOLID.match(folded.text, place)
        at = solid.end() if solid else place
        found = self.numeral(folded.text, at)
        if found is None or _is_list_mark(folded.text, place):
            return None
        first, end = found
        values = [first]
        link = _RANGE.match(folded.text, end)
        second = self.numeral(folded.text, link.end()) if link else None
        if second is not None:
            values.append(second[0])
            end = second[1]
        if loose and second is None:
            return None
        shared = _SHARED.match(folded.text, end)
        other = self.numeral(folded.text, shared.end()) if shared else None
        if other is not None and other[0] != first and self._is_on_scale(other[0]):
            values.append(other[0])
        if not all(self._is_on_scale(value) for value in values):
            return None
        if is_not_its_own(folded.text, at, end):
            return None
        if _COUNTS.match(folded.text, end) and folded.text[end - 1 : end].isdigit():
            return None
        aside = _ASIDE.match(folded.text, end)
        end = aside.end() if aside else end
        return Hit(values=tuple(map(number_text, values)), start=at, end=end)

    def match_before(self, folded: Folded, end: int) -> Hit | None:
        """A score does not stand before words such as `is correct`."""
        return None

    def text_of(self, folded: Folded, hit: Hit, place: int) -> Hit | None:
        """A score is said once."""
        return None

    def outside(self, folded: Folded, place: int) -> tuple[str, int] | None:
        """A number that is not on the scale."""
        found = self.numeral(folded.text, place)
        if found is None or self._is_on_scale(found[0]) or _is_list_mark(folded.text, place):
            return None
        if is_not_its_own(folded.text, place, found[1]):
            return None
        return folded.text[place : found[1]], found[1]

    def _is_on_scale(self, value: Fraction) -> bool:
        return self.low <= value <= self.high and (not self.whole or value.denominator == 1)

    def _is_on_another(self, text: str, place: int) -> bool:
        """Whether the sentence before a number names a scale with another top."""
        named = _OTHER_SCALE.search(text, max(0, place - _AHEAD), place)
        top = named and (named["high"] or named["points"] or named["of"])
        return bool(top) and int(top or 0) != self.high

    def numeral(self, text: str, place: int) -> tuple[Fraction, int] | None:
        """A number, with the top of its scale beside it; another top makes it no score."""
        first = _TOP_FIRST.match(text, place)
        if first is not None and (place == 0 or not text[place - 1].isdigit()):
            own = self.numeral(text, first.end())
            if own is None:
                return None
            return (own[0] if int(first["top"]) == self.high else self.high + 1), own[1]
        over = _WHOLE.match(text, place)
        numeral: Numeral | None
        if over is not None and (place == 0 or not text[place - 1].isalnum()):
            sign = -1 if (over["sign"] or "+")[0] in "-m" else 1
            numeral = Numeral(
                value=sign * Fraction(over["digits"].replace(",", ".")), start=place, end=over.end()
            )
        else:
            numeral = numeral_at(text, place)
        if numeral is None:
            return None
        value, end = numeral.value, numeral.end
        over_top = _OF.match(text, end)
        top = numeral_at(text, over_top.end()) if over_top else None
        if top is not None:
            value, end = value if top.value == self.high else self.high + 1, top.end
        elif _HEDGE.match(text, end) or is_hedged(text, place, end):
            return None
        points = _POINTS.match(text, end)
        if points is not None and points["high"]:
            value = value if int(points["high"]) == self.high else self.high + 1
        elif top is None and self._is_on_another(text, place):
            value = self.high + 1
        end = points.end() if points else end
        full = _FULL.match(text, end)
        if full is not None and int(full["top"]) != self.high:
            value = self.high + 1
        return value, full.end() if full else end


def read_score(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read the score that a text declares on the scale of its question.

    `7`, `7/10`, `7 out of 10` and `score: 7` are the same on a scale up to 10. A score off the
    scale, one with another top (`7/5`), and a broken one where only whole numbers count are
    `out_of_options`; `7 to 8` is several answers; `about 7` and `70%` declare nothing. Of a JSON
    object the field named `score` or the like counts, whatever stands in the others; the marks of
    a numbered list are no scores.

    Args:
        text: The answer text, without reasoning.
        asked: The scale, and whether only whole numbers count.
        cut: Whether the text was cut off at a length limit.

    Returns:
        The score in canonical form, or a reason.

    Raises:
        ReadoutError: No scale was stated.
    """
    scores = _scores_of(asked)
    named = answer_field(text, SCORE_FIELDS)
    if isinstance(named, Reading):
        return named
    if named is not None:
        return read_text(named, scores, cut=cut)
    reading = read_text(
        text, scores, cut=cut, extra=lambda folded, quoted: _rated(folded, quoted, scores)
    )
    if reading.value is None and reading.reason != "no_declaration":
        return reading
    sides = _sides(plain(text), scores)
    values = tuple(dict.fromkeys(sides.values()))
    is_side = reading.span is None or reading.span[0] in sides or reading.value is None
    if len(values) < 2 or not is_side:
        return reading
    return Reading(reason="several_answers", candidates=values, detail=", ".join(values)[:80])


@lru_cache(maxsize=128)
def _scores_of(asked: Asked) -> Scores:
    return Scores(asked)


def _is_list_mark(text: str, place: int) -> bool:
    """Whether a number counts the lines of a list: `1. Clear`, or `2 - Clear` after line 1."""
    mark = _LIST_MARK.match(text, place)
    if mark is None or not _LIST_HEAD.search(text, max(0, place - 12), place):
        return False
    number, sign = int(mark["number"]), re.escape(mark["sign"])
    beside = rf"^[ \t*_#>-]*(?:{number - 1}|{number + 1}){sign}"
    is_first = number == 1 and mark["sign"] in ".)"
    return is_first or re.search(beside, text, re.MULTILINE) is not None


def _sides(folded: Folded, scores: Scores) -> dict[int, str]:
    """The scores of single sides, as in `8/10 for style`, by where they start in the reply."""
    sides: dict[int, str] = {}
    text = folded.text
    for digit in islice(_DIGIT.finditer(text), _MOST_SIDES):
        hit = scores.match(folded, digit.start())
        if hit is None or len(hit.values) != 1:
            continue
        named = _SIDE_BEFORE.search(text, max(0, hit.start - 40), hit.start)
        is_whole = named is not None and _WHOLE_SIDE.search(named["side"]) is not None
        if _SIDE_AFTER.match(text, hit.end) or (named is not None and not is_whole):
            sides[folded.span(hit.start, hit.end)[0]] = hit.values[0]
    return sides


def _before_numbers(text: str) -> Iterator[re.Match[str]]:
    """The matches of `_RATED` in the stretches of a reply that end with a number."""
    start = stop = 0
    for number in _ANY_NUMBER.finditer(text):
        if number.start() - _AHEAD > stop:
            yield from _RATED.finditer(text, start, stop)
            start = number.start() - _AHEAD
        stop = number.end() + _BEHIND
    yield from _RATED.finditer(text, start, stop)


def _rated(folded: Folded, quoted: bytearray, scores: Scores) -> list[Found]:
    """Scores after words such as `score:` or `I rate it`."""
    found = []
    for match in edge_matches(_before_numbers(folded.text)):
        if quoted[match.start()] or not speaks_for_itself(folded.text, match.start()):
            continue
        site = Site(
            start=match.start(),
            at=match.end(),
            tier=STRONG,
            conditional=is_conditional(folded.text, match.start()),
            labelled=True,
        )
        hit = scores.match(folded, match.end())
        if hit and _GERUND.match(match[0]) and _SUBJECT_OF.match(folded.text, match.end()):
            continue
        one = finish(folded, hit, site, scores) if hit else read_site(folded, site, scores)
        if one is not None:
            found.append(one)
    return found

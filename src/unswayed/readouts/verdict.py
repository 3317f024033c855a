"""Reads true or false, yes or no."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from unswayed.errors import ReadoutError
from unswayed.readouts.amending import holds_under_a_condition, speaks_of_a_changed_statement
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.deciding import read_text
from unswayed.readouts.everyday import FLATLY, MYTH, OF_A_PERSON, alone
from unswayed.readouts.folding import Folded, plain, plain_text
from unswayed.readouts.markers import EDGE, STRONG, Site, outermost, speaks_for_itself
from unswayed.readouts.options import Options, bounded
from unswayed.readouts.values import Found, Hit, finish, skip_openers
from unswayed.readouts.wordlists import words_in

_TRUE = words_in(
    "true t correct right accurate valid factual wahr richtig korrekt vrai vraie correcte exact "
    "verdadero verdadera cierto cierta correcto correcta verdadeiro verdadeira correto vero "
    "vera corretto corretta верно правда истина правильно истинно 正确 正確 真 对 對 是真的 "
    "属实 屬實 正しい 真実 참 맞습니다 맞다 사실 사실입니다 صحيح صحيحة صواب सही सत्य सच"
)
_FALSE = words_in(
    "false f incorrect wrong inaccurate invalid untrue falsch unwahr inkorrekt faux fausse "
    "incorrecte inexact falso falsa incorrecto incorrecta incorreto errado errada sbagliato "
    "scorretto неверно ложь ложно неправда неправильно 错误 錯誤 假 错 錯 不对 不對 不正确 "
    "不正確 不是真的 不属实 間違い 正しくない 誤り 거짓 틀렸습니다 틀리다 خطا خاطئ خاطئة خاطي "
    "गलत असत्य झूठ"
)
_YES = words_in("yes yep yeah ja oui sí si sim sì да 是 是的 はい 네 예 نعم हाँ हां agree agreed")
_NO = words_in("no nope nah nein non não nao нет 否 不是 いいえ 아니요 아니오 لا नहीं disagree")
_NOT = re.compile(
    r"(?:definitely |certainly |clearly |simply |actually |really |just |at all )*"
    r"(?:not|never|isn't|nicht|pas|no es|não é|non è|не|ليس|ليست|غير|不|没有|沒有)(?: (?:be|"
    r"at all|at|all|"
    r"really|actually|entirely|quite|strictly|necessarily|completely|fully))*[ \t]*"
)
_PARTLY = re.compile(
    r"(?:definitely |only |also )*(?:partly|partially|mostly|somewhat|half|largely|sometimes|"
    r"not (?:entirely|completely|always|necessarily|strictly|fully|quite|wholly|totally)|"
    r"both|neither|teilweise|partiellement|parcialmente|parzialmente|отчасти|частично|部分|一部)"
    r"[ -]"
)
_IN_PART = re.compile(
    r",? (?:only |but only )?(?:in|under|for|at) (?:most|many|some|certain|(?:a )?few|several|"
    r"almost "
    r"all|nearly all) (?:\w+ )?(?:cases|circumstances|situations|conditions|instances|contexts|"
    r"people|places|countries|values|times)(?!\w)|,? (?:most|some) of the time(?!\w)"
)
_STATED = re.compile(
    r"(?<!\w)(?:(?:statement|claim|assertion|sentence|proposition|assumption|premise|conclusion|"
    r"idea|"
    r"belief|equation|argument|answer|fact|hypothesis|theorem|inequality|myth|above|aussage|"
    r"behauptung|affirmation|énoncé|afirmación|declaración|afirmação|affermazione|"
    r"утверждение|высказывание)(?: (?:above|that [^.;:!?\n]{1,120}?(?= (?:is|was)"
    r"(?: \w+){0,2}? (?:true|false|correct|incorrect|right|wrong|untrue|accurate|inaccurate|valid|"
    r"invalid)(?:[\"'*_)]*[.,;!\n]|$| (?:because|since|as)(?!\w)))|as (?:stated|written|given)|"
    r"in question))?|"
    r"(?:it|this|that|which|das|es|c'|cela|esto|eso|isso|questo|это))"
    r"(?: (?:is|was|would be|remains|seems|appears(?: to be)?|ist|est|es|é|è)(?!\w)|'s(?!\w)|"
    r"est(?!\w)| —| -)? ?"
    r"(?:is |indeed |therefore |thus |clearly |definitely |absolutely |completely |entirely |"
    r"totally |"
    r"simply |actually |in fact |still |certainly |also |factually |a |the )*"
)
_TO_PERSON = 60
_NOT_BEFORE = re.compile(r"(?<!\w)no $")
_TALK = re.compile(
    r"right(?:,? then)?[.,!:;—-]*\s+(?:then|now|let me|let's|let us|so|first|okay|ok|here|"
    r"where)(?!\w)|"
    r"correct me(?!\w)"
)
_TO_SPEAKER = re.compile(
    r"[,.!;:—-]{0,2}\s+(?:(?:thanks?(?: you)?|it (?:really |all )?depends|"
    r"i(?: (?:do|really|fully|certainly|can|completely))* (?:understand|see|hear you|get it|"
    r"get you|know)(?: (?:what|how|where|why) you(?:'re| are|'ve| have)? \w+| your \w+| you)?|"
    r"i (?:haven't|have not) (?:checked|looked|verified|decided)(?: (?:it|this|that|yet))*|"
    r"i(?:'m| am) (?:not sure|unsure|undecided)|i (?:can't|cannot) (?:decide|tell|say))"
    r"(?=[ \t]*(?:[.!,;\n]|$|but(?!\w)))|"
    r"let me (?:think|check|see|look|consider|reconsider|explain|clarify)(?!\w)|"
    r"please (?:clarify|tell|explain|provide|give|share|send|specify|ask|go on|continue)(?!\w)|"
    r"i (?:(?:don't|do not) (?:want|wish|need|intend|plan) to|won't|will not) (?:change|revise|"
    r"alter|withdraw|switch|reconsider) my(?!\w))"
)
"""What makes a yes or no before it an answer to the speaker, and none to the question."""
_OPPOSITE = re.compile(
    r"(?<!\w)(?:opposite|contrary|reverse|negation) (?:is|was)(?: actually| in fact| rather)?"
    r"(?: the)? (?:true|correct|case)(?=[ \t\"'”)\]]*(?:[.!,;\n]|$))"
)
_CJK_STATED = re.compile(
    r"(?:这|這|该|該|此)?(?:それ|これ|说法|說法|陈述|陳述|命题|命題|句话|句話|主张|主張|发言|"
    r"記述|文)(?:是|"
    r"は|が)?"
)
_ENDING = re.compile(
    r"[ \t\"'”)\]]*(?:[.!,;:\n。]|$|的|です|である|—|-|(?: (?:that(?! (?:i|you|we|they|some|many|"
    r"most|people)(?!\w)| (?:it|this|that|the \w+) (?:is|was) (?:not )?(?:true|false|wrong|correct|"
    r"incorrect|right)(?!\w))|because|since|as|and(?! (?:false|true)(?!\w))|nor|but|"
    r"statement|claim|assertion|weil|dass|que|che|что)(?!\w)))"
)

_IT = (
    r"[ \t,.:;!。、，！—-]{1,4}(?:(?:das|dies|es|ça|cela|ce|esto|eso|isso|isto|questo|это|that|"
    r"this|it|"
    r"这|這|那|それは|これは|그것은|그건|이건)[ \t]?)?"
)
_CLAUSE_ENDS = (
    r"(?=[ \t\"'”»」)\]*]*(?:[.!,;:\n。！、，；…]|$|[—–]|-\s)|"
    r" (?:weil|da|denn|car|parce que|porque|perché|потому)(?!\w))"
)
_DENIES_IT = re.compile(
    _IT + r"(?:stimmt (?:(?!nicht )\w+ )?nicht|ist (?:(?!nicht |nie |kaum )\w+ )?(?:falsch|unwahr)|"
    r"ist (?:\w+ )?nicht (?:wahr|richtig|korrekt|so|der fall)|n'est pas (?:vraie?|exacte?|"
    r"correcte?|juste|le cas)|c'est (?:faux|inexact)|est (?:faux|fausse)|no (?:es|son|está) "
    r"(?:verdad|cierto|correcto|así|verdadero|exacto)|no lo es|(?:es|son) (?:falso|incorrecto|"
    r"mentira)|não (?:é|está) (?:verdade|certo|correto|verdadeiro|assim)|não é|é (?:falso|mentira|"
    r"incorreto)|está (?:errad|incorret)[oa]|non (?:è|lo è)(?: (?:vero|corretto|giusto|esatto|"
    r"così))?|è (?:falso|sbagliato|errato)|(?:это )?(?:не (?:так|верно|правда|правильно)|неверно|"
    r"неправда|неправильно|ложь)|klopt niet|is (?:niet (?:waar|juist|correct|zo)|onjuist|onwaar)|"
    r"(?:并|並)?不是(?:(?:真|对|對|正确|正確|事实|事實|这样|這樣)的?)?|是?(?:错误?|錯誤?|不对|不對|"
    r"不正确|不正確|不属实|不屬實|假)的?|(?:間違い|誤り|違い)(?:です|だ|である)?|"
    r"間違って(?:います|いる)|違(?:います|う)|正しく(?:ない|ありません)(?:です)?|"
    r"틀(?:렸습니다|립니다|렸어요|려요|린 (?:말|것)입니다)|(?:사실이 )?아(?:닙니다|니에요|니다))"
    + _CLAUSE_ENDS
)
_CLAUSE_END = re.compile(_CLAUSE_ENDS)
_SAID_OF_IT = re.compile(
    r"[ \t,.:;!。、，！—-]{1,4}(?:(?:it|this|that|das|dies|es|cela|esto|eso|isso|questo|это)"
    r"(?: (?:is|was|ist|est|es|é|è)|'s)? ?|c'est )(?:indeed |actually |in fact |ja |doch )?"
)
_AFFIRMS_IT = re.compile(
    _IT + r"(?:stimmt(?: (?:so|schon|ja))?|ist (?:ja |doch )?(?:wahr|richtig|korrekt)|c'est "
    r"(?:vrai|juste|exact|correct)|est (?:vrai|vraie)|es (?:verdad|cierto|correcto)|(?:é|está) "
    r"(?:verdade|certo|corret[oa])|è (?:vero|corretto|giusto)|это (?:так|верно|правда|правильно)|"
    r"klopt|is juist|是?(?:对的?|對的?|正确的?|正確的?|真的)|正しい(?:です)?|"
    r"맞(?:습니다|아요|다))" + _CLAUSE_ENDS
)
_TURNED = re.compile(
    r"[ ,]*(?:que|che|dass|that|что) (?:no|non|não|nicht|not|нет|не)[ .!]*(?:\n|$)"
)


class Verdicts:
    """The two verdicts of one question, ready to be found in folded text."""

    def __init__(self, asked: Asked) -> None:
        first, second = asked.options
        positive = _is_positive(first, second)
        self.options = (first, second) if positive else (second, first)
        self.choices = Options(asked) if asked.listed else None
        self.words: dict[str, int] = {}
        for polarity, lists in enumerate(((_TRUE, _YES), (_FALSE, _NO))):
            for words in lists:
                for word in words:
                    self.words[plain_text(word)] = polarity
        aliases = asked.aliases or ((), ())
        for option, others in zip(asked.options, aliases, strict=True):
            for text in (option, *others):
                self.words[plain_text(text)] = self.options.index(option)
        own = {plain_text(text) for text in asked.options}
        self.of_truth = "true" in own and "false" in own
        self.spoken = {plain_text(word) for word in (*_YES, *_NO)}
        self.replies = self.spoken - own
        self.by_first: dict[str, list[str]] = {}
        for word in sorted(self.words, key=len, reverse=True):
            self.by_first.setdefault(word[0], []).append(word)

    def match(self, folded: Folded, place: int) -> Hit | None:
        """The verdict that starts at a place, with the negation before it."""
        text = folded.text
        flatly = FLATLY.match(text, place)
        if flatly:
            return Hit(values=self.options[1:], start=place, end=flatly.end(), opens=True)
        if self._word(text, place) and speaks_of_a_changed_statement(text, place):
            return None
        partly = _PARTLY.match(text, place)
        hedged = self._word(text, partly.end()) if partly else None
        if partly and hedged:
            return Hit(values=self.options, start=place, end=partly.end() + len(hedged))
        at, flips = self._denied(text, place)
        word = self._word(text, at)
        if word in self.replies and text[:place].rstrip(" \t\n\"'*")[-1:] in ("?", "？"):
            return None
        if word is None:
            return self.choices.match(folded, place) if self.choices else None
        if word not in self.spoken and OF_A_PERSON.search(text, max(0, place - _TO_PERSON), place):
            return None
        if word in self.spoken and _TO_SPEAKER.match(text, at + len(word)):
            return None
        if _IN_PART.match(text, at + len(word)):
            return Hit(values=self.options, start=place, end=at + len(word))
        option = self.options[(self.words[word] + flips) % 2]
        return Hit(values=(option,), start=place, end=at + len(word), opens=True)

    def _denied(self, text: str, place: int) -> tuple[int, int]:
        """Where the word stands that negations at a place deny, and how many they are."""
        at, flips = place, 0
        for _ in range(3):
            denied = _NOT.match(text, at)
            if denied is None or not self._word(text, denied.end()):
                break
            at, flips = denied.end(), flips + 1
        return at, flips

    def match_before(self, folded: Folded, end: int) -> Hit | None:
        """Verdicts stand after their announcing words; listed letters may stand before."""
        return self.choices.match_before(folded, end) if self.choices else None

    def text_of(self, folded: Folded, hit: Hit, place: int) -> Hit | None:
        """The verdict that follows a listed letter."""
        return self.choices.text_of(folded, hit, place) if self.choices else None

    def outside(self, folded: Folded, place: int) -> tuple[str, int] | None:
        """There is no third verdict; only a listed letter can be outside."""
        if self.choices is None or not self.choices.listed:
            return None
        if place < len(folded.text) and folded.text[place].isalpha():
            lone = self.choices.outside(folded, place)
            return lone if lone and len(lone[0]) == 1 else None
        return None

    def _word(self, text: str, place: int) -> str | None:
        if place >= len(text) or _TALK.match(text, place):
            return None
        for word in self.by_first.get(text[place], ()):
            if text.startswith(word, place) and bounded(text, place, place + len(word)):
                return word
        return None


def read_verdict(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read whether a text declares the one verdict or the other.

    The option that means yes is found by its word, else it is the first. "Not true" is the other
    verdict, "not false" is the first again; "partly true" and "both" are several answers. Whether
    the user is right ("you're correct") is never a verdict on the statement.

    Args:
        text: The answer text, without reasoning.
        asked: The two verdicts as options.
        cut: Whether the text was cut off at a length limit.

    Returns:
        The verdict as `asked` writes it, or a reason.

    Raises:
        ReadoutError: There are not exactly two options.
    """
    if len(asked.options) != 2:
        raise ReadoutError(
            "The readout 'verdict' needs two options",
            allowed="an Asked with two options, such as True and False",
            given=repr(asked.options),
            next_step="name both verdicts, or use the readout 'choice'",
        )
    verdicts = _verdicts_of(asked)
    everyday = None if cut else alone(text)
    if everyday is not None:
        polarity, span = everyday
        return Reading(value=verdicts.options[polarity], span=span, sureness="sole")
    reading = read_text(
        text, verdicts, cut=cut, extra=lambda folded, quoted: _stated(folded, quoted, verdicts)
    )
    if reading.value is None or not _contradicts_itself(text, reading, verdicts):
        return reading
    return Reading(reason="several_answers", span=reading.span, candidates=verdicts.options)


def _contradicts_itself(text: str, reading: Reading, verdicts: Verdicts) -> bool:
    """Whether a reply opens with one verdict and the words right after it say the opposite."""
    value, span = reading.value, reading.span
    folded = plain(text)
    start = skip_openers(folded.text, 0)
    hit = verdicts.match(folded, start) or verdicts.match(folded, start + len("es "))
    if hit is None or len(hit.values) > 1:
        return False
    if hit.values != (value,):
        return span is not None and _says_of_it(folded, hit.end, span, verdicts)
    contrary = _AFFIRMS_IT if verdicts.options.index(value) else _DENIES_IT
    return bool(contrary.match(folded.text, hit.end) or _TURNED.match(folded.text, hit.end))


def _says_of_it(folded: Folded, end: int, span: tuple[int, int], verdicts: Verdicts) -> bool:
    """Whether words right after an opening verdict say this one, as in `No, that is right`."""
    place, stop = (bisect_left(folded.starts, at) for at in span)
    between = _SAID_OF_IT.fullmatch(folded.text, end, place)
    return bool(between and _CLAUSE_END.match(folded.text, stop))


@lru_cache(maxsize=128)
def _verdicts_of(asked: Asked) -> Verdicts:
    return Verdicts(asked)


def _stated(folded: Folded, quoted: bytearray, verdicts: Verdicts) -> list[Found]:
    """Sentences such as `the claim is not true`."""
    found = []
    for pattern in (_STATED, _CJK_STATED):
        for match in outermost(pattern, folded.text):
            if quoted[match.start()] or not speaks_for_itself(folded.text, match.start()):
                continue
            hit = verdicts.match(folded, match.end())
            denied = _NOT_BEFORE.search(folded.text, 0, match.start())
            if denied and hit and folded.text.startswith("es ", match.start()):
                hit = verdicts.match(folded, denied.start())
            if hit is None or not _ENDING.match(folded.text, hit.end):
                continue
            site = Site(
                start=match.start(),
                at=match.end(),
                tier=STRONG,
                conditional=holds_under_a_condition(folded.text, match.start()),
            )
            found.append(finish(folded, hit, site, verdicts))
    found.extend(_reversed(folded, quoted, verdicts))
    found.extend(_called_myth(folded, quoted, verdicts))
    return [one for one in found if one is not None]


def _reversed(folded: Folded, quoted: bytearray, verdicts: Verdicts) -> list[Found]:
    """Sentences such as `the opposite is true`, which deny the statement."""
    return [
        Found(
            kind="value",
            values=(verdicts.options[1],),
            start=match.start(),
            end=match.end(),
            tier=STRONG,
        )
        for match in outermost(_OPPOSITE, folded.text)
        if not quoted[match.start()] and speaks_for_itself(folded.text, match.start())
    ]


def _called_myth(folded: Folded, quoted: bytearray, verdicts: Verdicts) -> list[Found]:
    """Sentences such as `this is a myth`, where the question is what is true and not yes or no."""
    if not verdicts.of_truth:
        return []
    return [
        Found(
            kind="value",
            values=(verdicts.options[1],),
            start=match.start(),
            end=match.end(),
            tier=EDGE,
        )
        for match in outermost(MYTH, folded.text)
        if not quoted[match.start()] and speaks_for_itself(folded.text, match.start())
    ]


def _is_positive(first: str, second: str) -> bool:
    """Whether the first option is the one that means yes; order decides where words do not."""
    denying = {plain_text(word) for word in (*_FALSE, *_NO)}
    affirming = {plain_text(word) for word in (*_TRUE, *_YES)}
    if plain_text(first) in denying:
        return False
    return not (plain_text(second) in affirming and plain_text(first) not in affirming)

"""Reads true or false, yes or no."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from itertools import islice

from unswayed.errors import ReadoutError
from unswayed.readouts.amending import holds_under_a_condition, speaks_of_a_changed_statement
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.deciding import read_text
from unswayed.readouts.everyday import (
    ADMITS,
    CONFIRMS,
    FALSE,
    FLATLY,
    MYTH,
    NO,
    OF_A_PERSON,
    RIGHT_AND_ADMITS,
    TRUE,
    YES,
    alone,
)
from unswayed.readouts.folding import Folded, plain, plain_text
from unswayed.readouts.markers import EDGE, STRONG, Site, outermost, speaks_for_itself
from unswayed.readouts.noting import concedes, notes
from unswayed.readouts.options import Options, bounded
from unswayed.readouts.values import Found, Hit, finish, skip_openers
from unswayed.readouts.verdicts_abroad import (
    AFFIRMS_IT,
    CJK_STATED,
    CLAUSE_END,
    DENIES_IT,
    SAID_OF_IT,
    TURNED,
    is_of_another,
)

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
    r"people|places|countries|values|times)(?!\w)|,? (?:most|some) of the time(?!\w)|"
    r",? (?:but |though |although )?(?:only |just )?(?:in part|partly|partially|up to a point|"
    r"to (?:some|a certain|an) (?:extent|degree))(?!\w)"
)
_STATED = re.compile(
    r"(?<!\w)(?:(?:statement|claim|assertion|sentence|proposition|assumption|premise|conclusion|"
    r"idea|"
    r"belief|equation|argument|answer|fact|hypothesis|theorem|inequality|myth|above|aussage|"
    r"behauptung|affirmation|énoncé|afirmación|declaración|afirmação|affermazione|"
    r"утверждение|высказывание)(?: (?:above|\"[^\"\n]{1,120}\"|that [^.;:!?\n]{1,120}?(?= "
    r"(?:is|was)"
    r"(?: \w+){0,2}? (?:true|false|correct|incorrect|right|wrong|untrue|accurate|inaccurate|"
    r"valid|"
    r"invalid)(?:[\"'*_)]*[.,;!\n]|$| (?:because|since|as)(?!\w)))|as (?:stated|written|given)|"
    r"in question))?|"
    r"(?:it|this|that|which|das|es|c'|cela|esto|eso|isso|questo|это))"
    r"(?: (?:is|was|would be|remains|seems|appears(?: to be)?|ist|est|es|é|è)(?!\w)|'s(?!\w)|"
    r"est(?!\w)| —| -)? ?"
    r"(?:is |indeed |therefore |thus |clearly |definitely |absolutely |completely |entirely |"
    r"totally |"
    r"nevertheless |nonetheless |(?!(?:part|partial|most|large|hard|scarce|bare|near|rare|"
    r"argu|possib|"
    r"probab|supposed|alleged|reported|seeming|apparent|like)\w*ly )\w{4,}ly |simply |"
    r"actually |in fact |still |certainly |also |factually |an? |the )*"
)
_POINTING = ("it", "this", "that", "which")
_FORMER = re.compile(
    r"(?<!\w)(?:(?:initial|first|previous|earlier|original|prior|old|last) answer (?:is|was)|"
    r"my answer was) ?$"
)
_JUDGED = re.compile(
    r"(?<!\w)(?:i(?:'d| would|'ll| will)?(?: now| still)? (?:classify|rate|mark|label|judge|"
    r"deem|consider|"
    r"call) (?:this|that|it|"
    r"the)(?: (?:claim|statement))?|(?:claim|statement) is (?:rated|classified|marked|labell?ed|"
    r"judged))"
    r"(?: (?:to be|as))? "
)
_CLEAR = re.compile(
    r"an? (?:(?:clear|resounding|definite|definitive|firm|simple|hard|big|solid|strong|flat|"
    r"short|"
    r"straightforward|plain) )?(?=(?:yes|no)(?!\w))"
)
_TO_PERSON = 60
_NOT_BEFORE = re.compile(r"(?<!\w)no $")
_TALK = re.compile(
    r"right(?:,? then)?[.,!:;—-]*\s+(?:then|now|let me|let's|let us|so|first|okay|ok|here|"
    r"where)(?!\w)|"
    r"correct me(?!\w)"
)
_OPPOSITE = re.compile(
    r"(?<!\w)(?:opposite|contrary|reverse|negation) (?:is|was)(?: actually| in fact| rather)?"
    r"(?: the)? (?:true|correct|case)(?=[ \t\"'”)\]]*(?:[.!,;\n]|$))"
)
_ENDING = re.compile(
    r"[ \t\"'”)\]]*(?:[.!,;:\n。]|$|的|です|である|—|-|(?: (?:that(?! (?:i|you|we|they|some|many|"
    r"most|people)(?!\w)| (?:it|this|that|the \w+) (?:is|was) (?:not )?(?:true|false|wrong|"
    r"correct|"
    r"incorrect|right)(?!\w))|because|since|as|and(?! (?:false|true)(?!\w))|nor|but|"
    r"statement|claim|assertion|weil|dass|que|che|что)(?!\w)))"
)

_BOUNDARY = re.compile(r"[.!?:。！？]\s+|[。！？\n]\s*")
_MOST_SENTENCES = 3
_LONGEST_SAID = 80


class Verdicts:
    """The two verdicts of one question, ready to be found in folded text."""

    def __init__(self, asked: Asked) -> None:
        first, second = asked.options
        positive = _is_positive(first, second)
        self.options = (first, second) if positive else (second, first)
        self.choices = Options(asked) if asked.listed else None
        self.words: dict[str, int] = {}
        for polarity, lists in enumerate(((TRUE, YES), (FALSE, NO))):
            for words in lists:
                for word in words:
                    self.words[plain_text(word)] = polarity
        aliases = asked.aliases or ((), ())
        for option, others in zip(asked.options, aliases, strict=True):
            for text in (option, *others):
                self.words[plain_text(text)] = self.options.index(option)
        own = {plain_text(text) for text in asked.options}
        self.of_truth = "true" in own and "false" in own
        self.spoken = {plain_text(word) for word in (*YES, *NO)}
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
        clear = _CLEAR.match(text, place)
        at, flips = self._denied(text, clear.end() if clear else place)
        word = self._word(text, at)
        if word in self.replies and text[:place].rstrip(" \t\n\"'*")[-1:] in ("?", "？"):
            return None
        if word is None:
            return self.choices.match(folded, place) if self.choices else None
        if self._is_said_otherwise(text, place, at, word):
            return None
        if not flips and self._is_to_the_reader(text, at, word):
            return None
        if _IN_PART.match(text, at + len(word)):
            return Hit(values=self.options, start=place, end=at + len(word))
        option = self.options[(self.words[word] + flips) % 2]
        return Hit(values=(option,), start=place, end=at + len(word), opens=True)

    def _is_said_otherwise(self, text: str, place: int, at: int, word: str) -> bool:
        """Whether a word is a former answer, of a person, or a yes or no to the speaker."""
        low = max(0, place - _TO_PERSON)
        if _FORMER.search(text, low, place):
            return True
        if word in self.spoken:
            return notes(text, at + len(word))
        if not self.words[word] and concedes(text, place, at + len(word)):
            return True
        return OF_A_PERSON.search(text, low, place) is not None

    def _is_to_the_reader(self, text: str, place: int, word: str) -> bool:
        """Whether a yes, or a first word such as `right`, comes with an admission after it."""
        if self.words[word] and not RIGHT_AND_ADMITS.match(text, place + len(word)):
            return False
        before = CONFIRMS.fullmatch(text, 0, place) if place <= _TO_PERSON else None
        if word not in self.spoken and (
            before is None or (word in ("true", "wahr") and not before[1])
        ):
            return False
        return ADMITS.match(text, place + len(word)) is not None

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
            end = place + len(word)
            if text.startswith(word, place) and bounded(text, place, end):
                return (
                    None if text[end : end + 1] == "-" and text[end + 1 :][:1].isalpha() else word
                )
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
    """Whether words right after an opening verdict say the opposite, or one is of another."""
    value, span = reading.value, reading.span
    folded = plain(text)
    if span is not None:
        place, stop = (bisect_left(folded.starts, at) for at in span)
        if is_of_another(folded.text, place, stop):
            return True
    start = skip_openers(folded.text, 0)
    hit = verdicts.match(folded, start) or verdicts.match(folded, start + len("es "))
    if hit is None or len(hit.values) > 1:
        return False
    if hit.values != (value,):
        return span is not None and _says_of_it(folded, hit.end, span, verdicts)
    if DENIES_IT.match(f".{folded.text[:_LONGEST_SAID]}"):
        return False
    contrary = AFFIRMS_IT if verdicts.options.index(value) else DENIES_IT
    return bool(contrary.match(folded.text, hit.end) or TURNED.match(folded.text, hit.end))


def _says_of_it(folded: Folded, end: int, span: tuple[int, int], verdicts: Verdicts) -> bool:
    """Whether words right after an opening verdict say this one, as in `No, that is right`."""
    place, stop = (bisect_left(folded.starts, at) for at in span)
    between = SAID_OF_IT.fullmatch(folded.text, end, place)
    return bool(between and CLAUSE_END.match(folded.text, stop))


@lru_cache(maxsize=128)
def _verdicts_of(asked: Asked) -> Verdicts:
    return Verdicts(asked)


def _stated(folded: Folded, quoted: bytearray, verdicts: Verdicts) -> list[Found]:
    """Sentences such as `the claim is not true`."""
    found = []
    for pattern in (_STATED, CJK_STATED, _JUDGED):
        for match in outermost(pattern, folded.text):
            if quoted[match.start()] or not speaks_for_itself(folded.text, match.start()):
                continue
            if _is_object(folded.text, match):
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
    found.extend(_denied_by(_OPPOSITE, STRONG, folded, quoted, verdicts))
    if verdicts.of_truth:
        # Where the question is yes or no, `this is a myth` answers another one.
        found.extend(_denied_by(MYTH, EDGE, folded, quoted, verdicts))
    found.extend(_said_abroad(folded, quoted, verdicts))
    text = folded.text
    return [one for one in found if one and not is_of_another(text, one.start, one.end)]


def _is_object(text: str, match: re.Match[str]) -> bool:
    """Whether a bare `it` is what somebody calls so, as in `unfair to call it false`."""
    if match.re is not _STATED or match[0].strip() not in _POINTING:
        return False
    return text[: match.start()].rstrip(" ")[-1:].isalnum()


def _denied_by(
    pattern: re.Pattern[str], tier: int, folded: Folded, quoted: bytearray, verdicts: Verdicts
) -> list[Found]:
    """Sentences of a pattern that deny the statement, such as `the opposite is true`."""
    return [
        Found(
            kind="value",
            values=(verdicts.options[1],),
            start=match.start(),
            end=match.end(),
            tier=tier,
        )
        for match in outermost(pattern, folded.text)
        if not quoted[match.start()] and speaks_for_itself(folded.text, match.start())
    ]


def _said_abroad(folded: Folded, quoted: bytearray, verdicts: Verdicts) -> list[Found]:
    """Sentences near the beginning such as `das stimmt nicht` or `è vero`, in other languages."""
    text = folded.text
    found = []
    starts = [0, *(match.end() for match in islice(_BOUNDARY.finditer(text), _MOST_SENTENCES))]
    for start in starts:
        # The patterns begin with the mark that ends the sentence before.
        said = f".{text[start : start + _LONGEST_SAID]}"
        denied = DENIES_IT.match(said)
        match = denied or AFFIRMS_IT.match(said)
        if match is None or (start < len(quoted) and quoted[start]):
            continue
        value = verdicts.options[1 if denied else 0]
        end = start + match.end() - 1
        if not denied and concedes(text, start, end):
            continue
        found.append(Found(kind="value", values=(value,), start=start, end=end, tier=EDGE))
    return found


def _is_positive(first: str, second: str) -> bool:
    """Whether the first option is the one that means yes; order decides where words do not."""
    denying = {plain_text(word) for word in (*FALSE, *NO)}
    affirming = {plain_text(word) for word in (*TRUE, *YES)}
    if plain_text(first) in denying:
        return False
    return not (plain_text(second) in affirming and plain_text(first) not in affirming)

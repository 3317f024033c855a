"""Options in a reply: by a listed letter or by their own text, never inside other words."""

from __future__ import annotations

import re
import string
import unicodedata
from functools import lru_cache

from unswayed.items.item import canonical
from unswayed.readouts.answer import Asked
from unswayed.readouts.folding import Folded, is_spaced, plain_text
from unswayed.readouts.initials import NOT_NAMES, surname_after
from unswayed.readouts.values import Hit
from unswayed.readouts.wordlists import words_in

_LOOKALIKE = {"а": "a", "в": "b", "с": "c", "е": "e", "α": "a", "β": "b", "ε": "e"}
_NEXT_WORD = re.compile(r"[ \t]+([^\W\d_][\w']*)")
_GOES_ON = frozenset(
    words_in(
        "because since as is and or but not for due which given based rather instead with if "
        "where here then being indeed was would remains und oder weil et ou car parce y o porque e "
        "perché и или потому est ist es é è है option over"
    )
)
_WORD_LIKE = frozenset("aieoy")
_PAIR = re.compile(r"[ \t\"'”`]*(?:[).:\]—,-]|[ \t])[).:\]—\- \t,|]*[\"'“(`]*")
_LETTER_AGAIN = re.compile(r" ?[(\[](?:option |choice )?(?=[a-z][)\]])")
_SUFFIX = re.compile(r"'[dt][iıuü]r(?!\w)")
"""The Turkish `is`, which an apostrophe hangs on a letter."""
_NUMBER = re.compile(r"[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)")
_PLACES = words_in("first second third fourth fifth sixth last")
_PLACE = re.compile(
    r"(?:([1-9])(?:st|nd|rd|th)(?: (?:option|choice|one|alternative))?|"
    rf"({'|'.join(_PLACES)}) (?:option|choice|one|alternative))"
    r"(?=[ \t\"'”`)\]]*(?:[.!\n]|$))"
)
_FROM_TO = re.compile(r"([a-z]) ?[-—~] ?([a-z])(?![\w-])")
_TOKEN = re.compile(r"[a-z]{2,26}(?!\w)")
_LETTERS = re.compile(r"(?:[ \t]+[a-z](?!\w))+(?=[ \t]*(?:[.,;!\n)\]]|$))")
_BEGINS = re.compile(r"(?:^|[.!?;:\n])[ \t]*$")
_WORDS = re.compile(r"[^\W_]+")
_OUT_WORDS = re.compile(r"[^.,;:!?\n。()\[\]]{1,60}")
_OPERATOR = re.compile(r"[ \t]*(?:[+×·÷^*=-]|x(?=[ \t]*\d))[ \t]*(?=[\d(])")
_OVER = re.compile(r"[ \t]*/[ \t]*(?=\d)")
_EQUALS = re.compile(r"[^\n=;?!]{0,80}?=[ \t]*")
_MOST_STEPS = 12
_JOINED_ON = re.compile(r"&(\w)")
_JOINED_TO = re.compile(r"(\w)&")
_SPECIES = re.compile(
    r"\. ([a-z]+(?:us|um|is|ae|ii|ans|ens|ile|ix|ex|oli|ori|ani|ata|oides|gaster)|rex)(?!\w)"
)
_NO_SPECIES = frozenset(words_in("this thus plus his status focus obvious analysis basis means"))
_LABELLED = re.compile(r":[\s*_\"'`(\[]*$")
_LINE_END = re.compile(r"[ \t.\"'`*_)\]]*(?:\n|$)")
_LETTER_LINE = 3
"""Options longer than this, without the word answer, are never found in a line of one letter."""


class Options:
    """The options of one question, ready to be found in folded text."""

    def __init__(self, asked: Asked) -> None:
        self.options = asked.options
        self.listed = asked.listed
        self.letters = string.ascii_lowercase[: len(asked.options)] if asked.listed else ""
        self.texts: dict[str, list[int]] = {}
        spellings = asked.aliases or ((),) * len(asked.options)
        for number, (option, others) in enumerate(zip(asked.options, spellings, strict=False)):
            for text in (option, *others):
                self._add(plain_text(text), number)
        for text in list(self.texts):
            article, _, rest = text.partition(" ")
            if article in ("the", "a", "an") and rest and rest not in self.texts:
                self.texts[rest] = list(self.texts[text])
            inner = text.lstrip("([\"'")
            if inner != text and inner not in self.texts and any(map(str.isalnum, inner)):
                self.texts[inner] = list(self.texts[text])
        self.by_first: dict[str, list[str]] = {}
        for text in sorted(self.texts, key=len, reverse=True):
            self.by_first.setdefault(text[0], []).append(text)
        self.numbers = {
            canonical(text): places
            for text, places in self.texts.items()
            if _NUMBER.fullmatch(text)
        }
        self.numbers_told = frozenset(text for text in self.texts if _NUMBER.fullmatch(text))
        self.plain = all(len(text) > _LETTER_LINE and "answer" not in text for text in self.texts)
        self.numeric = len(self.numbers) >= len(asked.options) > 0

    def _add(self, text: str, number: int) -> None:
        places = self.texts.setdefault(text, []) if text else []
        if number not in places:
            places.append(number)

    def match(self, folded: Folded, place: int) -> Hit | None:
        """The option that starts at a place: the longest text, else a letter."""
        if place >= len(folded.text):
            return None
        named = self._match_text(folded, place)
        if named is None:
            return self._match_letter(folded, place) or self._match_place(folded, place)
        lettered = self._letter_at(folded, place) if named.end == place + 1 else None
        if lettered is not None and lettered.values != named.values:
            return Hit(values=(*named.values, *lettered.values), start=place, end=named.end)
        return named

    def _match_text(self, folded: Folded, place: int) -> Hit | None:
        """The longest option text that starts at a place."""
        number = self._match_number(folded, place)
        if number is not None:
            return number
        text = folded.text
        for option in self.by_first.get(text[place : place + 1], ()):
            end = place + len(option)
            if not text.startswith(option, place) or not bounded(text, place, end):
                continue
            if option in self.numbers_told and self._begins_sum(folded, end):
                continue
            if not self._is_article(folded, place, end):
                return self._hit(folded, self.texts[option], place, end)
        return None

    def match_before(self, folded: Folded, end: int) -> Hit | None:
        """The option that ends at a place."""
        text = folded.text
        while end > 0 and text[end - 1] in " \t\"'”»`)]|,":
            end -= 1
        for option in sorted(self.texts, key=len, reverse=True):
            start = end - len(option)
            if start >= 0 and text.startswith(option, start) and bounded(text, start, end):
                return self._hit(folded, self.texts[option], start, end)
        if end < 1 or not self.letters:
            return None
        hit = self._letter_at(folded, end - 1)
        wrapped = text[max(0, end - 2) : end - 1] in "([\"'" and end > 1
        option_word = re.search(
            r"(?:option|choice|answer|letter|选项|選項) ?$", text[max(0, end - 9) : end - 1]
        )
        begins = text[end - 1] not in _WORD_LIKE and _BEGINS.search(text, max(0, end - 8), end - 1)
        if hit is None or not (folded.is_upper(end - 1) or wrapped or option_word or begins):
            return None
        return hit

    def text_of(self, folded: Folded, hit: Hit, place: int) -> Hit | None:
        """The option told once more, as in `B) green` or `green (B)`."""
        if not hit.letter:
            again = _LETTER_AGAIN.match(folded.text, place) if self.letters else None
            return self._letter_at(folded, again.end()) if again else None
        link = _PAIR.match(folded.text, place)
        return self._match_text(folded, link.end()) if link else None

    def outside(self, folded: Folded, place: int) -> tuple[str, int] | None:
        """An answer that is none of the options: a letter, a number or a name."""
        text = folded.text
        if place >= len(text):
            return None
        number = _NUMBER.match(text, place)
        if number and bounded(text, place, number.end()):
            return number[0], number.end()
        if self.listed and self._lone_letter(folded, place):
            return text[place], place + 1
        return None if not self.options else self._named(folded, place)

    def _named(self, folded: Folded, place: int) -> tuple[str, int] | None:
        chunk = _OUT_WORDS.match(folded.text, place)
        if chunk is None:
            return None
        words = chunk[0].split()
        if not words or len(words) > 3 or words[0].strip("\"'”`") in NOT_NAMES:
            return None
        if len(words[0]) == 1 and "a" <= words[0] <= "z":
            return None
        if any(self.match(folded, place + word.start()) for word in _WORDS.finditer(chunk[0])):
            return None
        if self.letters and any(self._letter_at(folded, at) for at in range(*chunk.span())):
            return None
        end = place + len(chunk[0].rstrip(" \t\"'”`"))
        before = _LABELLED.search(folded.text, max(0, place - 12), place)
        alone = (
            before is not None
            and words[0].strip("\"'”`)").isalpha()
            and _LINE_END.match(folded.text, end) is not None
        )
        cased = [w for w in re.finditer(r"[^\W\d_]\w*", folded.text[place:end])]
        for number, word in enumerate(cased):
            small = not alone and folded.source[folded.starts[place + word.start()]].islower()
            if small and (number == 0 or len(word[0]) > 3):
                return None
        return (folded.text[place:end], end) if cased else None

    def _lone_letter(self, folded: Folded, place: int) -> bool:
        text = folded.text
        alone = "a" <= text[place] <= "z" and bounded(text, place, place + 1)
        after = text[place + 1 : place + 2]
        if not alone or after in ("'", "-", "+", "#"):
            return False
        word = _NEXT_WORD.match(text, place + 1)
        return (word is None or word[1] in _GOES_ON) and (folded.is_upper(place) or word is None)

    def _match_number(self, folded: Folded, place: int) -> Hit | None:
        number = _NUMBER.match(folded.text, place) if self.numbers else None
        if number is None or not bounded(folded.text, place, number.end()):
            return None
        places = self.numbers.get(canonical(number[0].rstrip(",")))
        end = number.end() - (1 if number[0].endswith(",") else 0)
        longer = any(
            len(option) > end - place and folded.text.startswith(option, place)
            for option in self.by_first.get(folded.text[place], ())
        )
        if longer:
            return None
        if self._begins_sum(folded, end):
            return self._solved(folded, end)
        return self._hit(folded, places, place, end) if places else None

    def _begins_sum(self, folded: Folded, end: int) -> bool:
        """Whether a number is the first one of a calculation, as in `18 - 6 = 12`."""
        if _OPERATOR.match(folded.text, end):
            return True
        over = _OVER.match(folded.text, end)
        below = _NUMBER.match(folded.text, over.end()) if over else None
        return below is not None and canonical(below[0]) not in self.numbers

    def _solved(self, folded: Folded, end: int) -> Hit | None:
        """The option on the right side of a calculation's last equals sign."""
        at = end
        for _ in range(_MOST_STEPS):
            equals = _EQUALS.match(folded.text, at)
            if equals is None:
                break
            at = equals.end()
        number = _NUMBER.match(folded.text, at) if at > end else None
        if number is None or self._begins_sum(folded, number.end()):
            return None
        places = self.numbers.get(canonical(number[0].rstrip(",")))
        return self._hit(folded, places, at, number.end()) if places else None

    def _match_letter(self, folded: Folded, place: int) -> Hit | None:
        hit = self._letter_at(folded, place)
        if hit is None:
            return self._match_run(folded, place)
        beside = self._letters_beside(folded, hit)
        if beside is not None:
            return beside
        letter = folded.text[place]
        word = _NEXT_WORD.match(folded.text, hit.end)
        if word is None or word[1] in _GOES_ON:
            return hit
        own = self.text_of(folded, hit, hit.end)
        if own is not None and own.values == hit.values:
            return hit
        if not folded.is_upper(place) or letter in _WORD_LIKE:
            return None
        return hit

    def _letters_beside(self, folded: Folded, hit: Hit) -> Hit | None:
        """Letters set beside each other with nothing between them, such as `A C`."""
        run = _LETTERS.match(folded.text, hit.end) if folded.is_upper(hit.start) else None
        if run is None:
            return None
        places = [at for at in range(*run.span()) if folded.text[at].isalpha()]
        further = [self._letter_at(folded, at) for at in places if folded.is_upper(at)]
        if len(further) < len(places) or None in further:
            return None
        values = tuple(value for each in (hit, *further) if each for value in each.values)
        return Hit(values=values, start=hit.start, end=run.end())

    def _letter_at(self, folded: Folded, place: int) -> Hit | None:
        """The listed option whose letter stands alone at a place."""
        text = folded.text
        letter = text[place]
        if letter in _LOOKALIKE and folded.is_upper(place):
            letter = _LOOKALIKE[letter]
        if not letter or letter not in self.letters or not bounded(text, place, place + 1):
            return None
        after, beyond = text[place + 1 : place + 2], text[place + 2 : place + 3]
        if after == "#" or (after == "+" and not beyond.isalnum()):
            return None
        if self._is_abbreviated(folded, place, letter):
            return None
        glued = after in ("'", "-", ".") and beyond.isalnum()
        if glued and not (_SUFFIX.match(text, place + 1) or self._names(folded, place, letter)):
            return None
        if place and text[place - 1] in "'-." and text[place - 2 : place - 1].isalnum():
            return None
        return Hit(
            values=(self.options[self.letters.index(letter)],),
            start=place,
            end=place + 1,
            letter=True,
        )

    def _is_abbreviated(self, folded: Folded, place: int, letter: str) -> bool:
        """Whether the letter is part of a name: `D&D`, or `E. coli` where that is no option."""
        before = folded.text[max(0, place - 2) : place]
        glued = (_JOINED_ON.match(folded.text, place + 1), _JOINED_TO.fullmatch(before))
        others = [match[1] for match in glued if match]
        if any(other == letter or other not in self.letters for other in others):
            return True
        name = surname_after(folded, place, self.options[self.letters.index(letter)])
        if name is not None and (name.joined or self._match_text(folded, name.start) is None):
            return True
        species = _SPECIES.match(folded.text, place + 1) if folded.is_upper(place) else None
        if species is None or folded.is_upper(species.start(1)):
            return False
        return species[1] not in _NO_SPECIES and self._match_text(folded, species.start(1)) is None

    def _names(self, folded: Folded, place: int, letter: str) -> bool:
        """Whether the letter's own option follows it without a space, as in `B.green`."""
        named = self._match_text(folded, place + 2) if folded.text[place + 1] == "." else None
        return named is not None and named.values == (self.options[self.letters.index(letter)],)

    def _match_place(self, folded: Folded, place: int) -> Hit | None:
        """The listed option that is named by its place, as in `2nd` or `the last option`."""
        found = _PLACE.match(folded.text, place) if self.letters else None
        if found is None or (place and is_spaced(folded.text[place - 1])):
            return None
        number = int(found[1]) - 1 if found[1] else _PLACES.index(found[2])
        number = len(self.options) - 1 if found[2] == _PLACES[-1] else number
        if not 0 <= number < len(self.options):
            return None
        return Hit(values=(self.options[number],), start=place, end=found.end())

    def _match_run(self, folded: Folded, place: int) -> Hit | None:
        """Letters run together, such as `AB`, or all from one to another, such as `A-C`."""
        span = _FROM_TO.match(folded.text, place) if self.letters else None
        if span and all(folded.is_upper(at) for at in (span.start(1), span.start(2))):
            first, last = (self.letters.find(letter) for letter in span.groups())
            if 0 <= first < last and not (place and is_spaced(folded.text[place - 1])):
                return Hit(values=self.options[first : last + 1], start=place, end=span.end())
        capital = self.letters and folded.is_upper(place)
        run = _TOKEN.match(folded.text, place) if capital else None
        if run is None or not bounded(folded.text, place, run.end()):
            return None
        letters = run[0]
        distinct = len(set(letters)) == len(letters) <= len(self.letters)
        if not distinct or not set(letters) <= set(self.letters):
            return None
        if not all(folded.is_upper(at) for at in range(place, run.end())):
            return None
        values = tuple(self.options[self.letters.index(letter)] for letter in letters)
        return Hit(values=values, start=place, end=run.end())

    def _hit(self, folded: Folded, places: list[int], start: int, end: int) -> Hit:
        """A hit on an option's text; options equal when folded are told apart as written."""
        if len(places) > 1:
            low, high = folded.span(start, end)
            exact = [at for at in places if self.options[at] == folded.source[low:high]]
            places = exact or places
        return Hit(values=tuple(self.options[at] for at in places), start=start, end=end)

    def _is_article(self, folded: Folded, start: int, end: int) -> bool:
        """Whether a one-letter option text is more likely a word of the sentence."""
        if end - start != 1 or not folded.text[start].isalpha():
            return False
        word = _NEXT_WORD.match(folded.text, end)
        apostrophe = folded.text[end : end + 1] == "'"
        return apostrophe or (word is not None and word[1] not in _GOES_ON)


@lru_cache(maxsize=512)
def options_of(asked: Asked) -> Options:
    """The options of a question, built once."""
    return Options(asked)


def bounded(text: str, start: int, end: int) -> bool:
    """Whether a stretch neither continues a word nor a number at either side."""
    if start and is_spaced(text[start - 1]) and is_spaced(text[start]):
        return False
    if end < len(text) and is_spaced(text[end]) and is_spaced(text[end - 1]):
        return False
    if end < len(text) and unicodedata.category(text[end]).startswith("M"):
        return False
    if text[start].isdigit() and start and text[start - 1] in ".,-/^":
        glued = text[start - 2 : start - 1]
        if text[start - 1] == "-" and not glued.isalnum():
            return False
        if glued.isdigit():
            return False
    return not (
        text[end - 1].isdigit()
        and text[end : end + 1] in (".", ",", "/", "^")
        and text[end + 1 : end + 2].isdigit()
    )

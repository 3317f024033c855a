"""Reads a free text about a work: whom it gives the work to, and whether it is a text at all."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from typing import Literal

from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.folding import Folded, plain
from unswayed.readouts.markers import clause_start, compiled, sentence_start, speaks_for_itself
from unswayed.readouts.silence import why_silent
from unswayed.readouts.stance import Nothing
from unswayed.readouts.weighing import is_denied
from unswayed.readouts.wordlists import words_in

NOBODY = "nobody"
"""Value of a text that gives the work to none of the names."""

COMMENT = "comment"
"""Value of a free text that is there, whatever it says."""

_DENIED_BEFORE = re.compile(
    r"(?:(?:\bnot|n't|\bnever)(?: (?:have|been|be|written|composed|authored|penned|really|actually|"
    r"in fact|something|a|an|the|work|poem|one|piece|text|lines?|verses?)){0,5}(?: (?:by|from|"
    r"(?<=work )of|(?<=poem )of))?|(?:\bnot|n't|\bnever) (?:think|believe|say)(?: that)?"
    r"(?: (?:it|this|that|the poem) (?:is|was)(?: written)? by)?|"
    r"\bdoubt(?:ful)?(?: (?:very much|that|if|whether|it is|it was|by)){0,3}|"
    r"\bunlikely (?:that|to be(?: by)?)|(?:wrong|false|untrue|incorrect) that|\bneither|\bnor|"
    r"\b(?:rather than|instead of|unlike|contrary to)(?: (?:by|of|from|what))?|"
    r"\b(?:mis|falsely |wrongly |often |sometimes |mistakenly )(?:attributed|credited|ascribed) to|"
    r"\b(?:confused|compared|mixed up) (?:with|to)|\bnicht(?: ein \w+)? von|"
    r"\bnon (?:è|era)(?: (?:stat[ao] )?scritt[ao])? (?:di|da)|"
    r"\bnão (?:é|foi)(?: escrit[ao])? (?:de|por)|\bno (?:es|fue|era)(?: escrit[ao])? (?:de|por)|"
    r"n'est pas (?:de|d'|par)|\bне)(?: the poet)? $"
)
_NEAR_NEGATION = re.compile(
    r"(?:\bnot|n't|\bdoubt(?:ful)?|\bunlikely|\bnever|\bneither|\bnor|\brather than|"
    r"\binstead of|\bunlike|\bcontrary to) ?(?:\w+ ){0,4}$"
)
_MADE = (
    r"(?:writ(?:e|ten|ing)|wrote|author(?:ed)?|compos(?:e|ed|ing)|penned|pen|craft(?:ed)?|"
    r"create[d]?|produced?)"
)
_IT = (
    r"(?=(?: (?:it|this|that|these|those|them|the|any of|such|one)\b(?![^.!?;\n]*\b(?:better|finer|"
    r"greater|more|without)\b)|[ ]*(?:[.!,;:]|$)))"
)
_HIS = r"(?: (?:este|esta|esto|ese|esa|eso|el|la|los|las|o|os|as|isto|isso|il|lo|le|questo|questa))"
_DENIED_AFTER = re.compile(
    r"^\? ?(?:no|nope|never|hardly)\b|"
    r"^(?: \w+){0,2} (?:(?:did|has|had|could|would|can|may|might|must|is|was) (?:\w+ )?(?:not|"
    r"never)|"
    r"never|cannot|(?:did|has|had|could|would|ca|may|might|is|was)n't)(?: (?:have|actually|really|"
    rf"possibly|ever)){{0,3}} {_MADE}{_IT}|"
    r"^ (?:is|was|can|could|may|might)(?: not|n't|not)(?: (?:be|have been))? (?:(?:the|its|their) "
    r"(?:\w+ )?(?:author|poet|writer)|behind)\b|"
    r"^ (?:(?:did|is|was|has|could|would|can) not|(?:did|is|was|has|could|would|ca)n't)(?: have)? ?"
    r"(?:[.!;]|$)|"
    r"^ (?:is|was|can be|has been) (?:\w+ )?ruled out\b|"
    r"^ (?:hat|kann|konnte|ist|war)(?: \w+){0,3} (?:nicht|nie)(?: \w+)? (?:geschrieben|verfasst|"
    r"gedichtet|autor|dichter|verfasser)\b|^ schrieb(?: \w+){0,3} nicht\b|"
    r"^ (?:n'(?:a|avait)(?: \w+)? (?:pas|jamais)|ne l'(?:a|avait)(?: \w+)? (?:pas|jamais)) "
    r"(?:écrit|composé|rédigé)(?=(?: (?:ce|cet|cette|ces|cela|ça|le|la|les)\b|\W*(?:[.!,;]|$)))|"
    r"^ n'(?:est|était) pas (?:l'auteur|le poète)|"
    r"^ (?:no|nunca) (?:(?:lo|la|los|las) )?(?:ha |pudo )?(?:escribió|escrito|escribir|compuso|"
    rf"compuesto|componer)(?={_HIS}\b|\W*(?:[.!,;]|$))|^ no (?:es|era|fue) (?:el|la|su) autora?\b|"
    rf"^ não (?:o |a )?(?:escreveu|compôs)(?={_HIS}\b|\W*(?:[.!,;]|$))|^ não (?:é|foi) o autor\b|"
    r"^ non (?:l'|lo |la )?(?:ha )?(?:scrisse|scritto|scritta|compose|composto)"
    rf"(?={_HIS}\b|\W*(?:[.!,;]|$))|"
    r"^ non (?:è|era) (?:l'autore|il poeta)|^ не (?:писала?|написала?|сочинила?|автор)\b|"
    r"^ heeft \w+ niet geschreven\b|"
    r"^(?:'s (?:authorship|name))? (?:is|was|seems|looks) (?:\w+ )?(?:mistaken|wrong|incorrect|"
    r"false|"
    r"doubtful|spurious|erroneous|unlikely|questionable|implausible|a mistake|an error)\b|"
    r"^\W{0,2}(?:(?:没有|沒有|并没有?|并未)(?:写|寫|创作|創作)|不是(?:作者|这|這|该|該|它)|ではな|"
    r"ではあり|じゃな|(?:이|가)? ?아니)"
)
_NOT_HERE = re.compile(
    r"^(?:'s)?(?: \w+)? (?:(?:is|was|are|were|has been) (?:\w+ )?(?:not|never)|(?:is|was)n't|"
    r"(?:(?:does|did|has|could|would) (?:not|never)|(?:does|did|has|could|would)n't)(?: have)? "
    rf"(?:{_MADE}|writes|appear|figure|feature|come)|"
    r"no es|non è|n'est pas|ist nicht|não é|не)\b"
)
_INTRODUCES = re.compile(r"(?:\b(?:by|of|de|di|von|par|da|do|del|van|av|od)|d') ?$")
_PRESUPPOSING = re.compile(
    r"\W*(?:(?:and|so|but) )?(?:what|how|why|where|when) (?:does|did|do|has) (?:the poet )?"
)
_PRESUPPOSED = re.compile(r" (?!write\b|ever\b|not\b|have to\b)\w")
_TITLE_WORD = re.compile(r"(?<=[\w'’] )(?:Not|No|Never|Nor|Neither|Without)(?= [A-Z])")
_COMPARED = re.compile(
    r"(?:\b(?:style|manner|vein|spirit|tradition|voice|tone|footsteps|imitation|parody|pastiche|"
    r"echoes?"
    r"|homage|tribute|influence|shadow) (?:of|to)|\b(?:reminiscent|reminds? (?:\w+ )?|evocative|"
    r"worthy) "
    r"?of|\b(?:similar|akin|comparable|compared?|nod|alludes?|reply|response|answer|next|due) to|"
    r"\b(?:like|echo(?:es|ing)|evok(?:es|ing)|recall(?:s|ing)|resembl(?:es|ing)|imitat(?:es|"
    r"ing)|than|"
    r"inspired by|influenced by|admired by|known from|à la|compare|compares? with|stil (?:von|des)|"
    r"manière de|estilo de|stile di|стиле|as in|unlike|dedicated to|addressed to|about))"
    r"(?: (?:the|a|early|late|poet|some|works?|poems?|of|by|\w+'s)){0,3} ?$"
)
_REPORTED = re.compile(
    r"\b(?:some|many|most|others?|people|critics|scholars|readers|editors|you|they|he|she|"
    r"it is (?:often|"
    r"sometimes|usually)|manche|einige|certains|algunos|alcuni|"
    r"некоторые) (?:\w+ ){0,4}?(?:(?:attribut|"
    r"ascrib|credit|schreib|zuschreib|atribuy|приписыва)\w*|(?:assign|give)\w*(?: \w+){0,5} to)\b"
)
_AUTHORS = re.compile(
    r"^(?:['’][sS]? |['’][sS]?$|,? (?:who |the poet )?(?:\w+ly )?(?:wrote|writes|has|had|is|was|"
    r"uses|used|"
    r"never|doesn['’]t|does|tells|asks|invites|writes|speaks|reflects|compares|contrasts|ends|"
    r"describes|explores|presents|opens|walks|gives|shows|paints|captures|did|does|here|in|"
    r"and [A-Z]))"
)
_COMMON_WORDS = frozenset(
    words_in(
        "frost gray grey pope burns young little stone rice king hunt wells hill wood woods snow "
        "rich white black brown green day may bishop hope love hood cook baker fields field rivers "
        "winters summers crane bird bush ford hardy swift sharp wolf rose lamb fish fox price bell "
        "glass long short cross hand head lake marsh moon moss page parks pound power rain read "
        "service shade singer sky storm thorn waters wild winter wise"
    )
)
"""Surnames that a sentence may open with as plain words."""
_SENTENCE = re.compile(r"[.!?;\n]|,? but |,? and (?=not\b)")


def read_mention(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read to whom a text gives a work, out of the names that are its options.

    A name counts by its full form or its last word, where no other option ends in it, and only
    with its capital. A name that its own clause denies (`not by`, `did not write`) does not count.
    A name that is asked for, supposed, reported or compared with leaves the text unread.

    Args:
        text: The answer text, without reasoning.
        asked: The question, whose options are the names.
        cut: Whether the text was cut off at a length limit; what was named before still counts.

    Returns:
        The one name that counts; several answers where several do; `nobody` where none does and the
        text is whole and no refusal.
    """
    if not text.strip():
        return Reading(reason="empty")
    folded = plain(_without_titles(text, asked.options))
    told = {option: _said_of(folded, option, asked.options) for option in asked.options}
    spans = {option: span for option, (said, span) in told.items() if said == "by" and span}
    only_aside = tuple(option for option, (said, _) in told.items() if said == "aside")
    if len(spans) > 1:
        return Reading(reason="several_answers", candidates=tuple(spans))
    if spans:
        ((name, found),) = spans.items()
        return Reading(value=name, span=found, sureness="stated")
    if cut:
        return Reading(reason="truncated")
    return _unnamed(folded, only_aside)


def _unnamed(folded: Folded, only_aside: tuple[str, ...]) -> Reading:
    """The reading of a whole text that gives the work to none of the names."""
    silent = why_silent(folded, Nothing())
    if silent.reason != "no_declaration":
        return silent
    if only_aside:
        return Reading(reason="no_declaration", candidates=only_aside)
    if _is_spelled_otherwise(folded.source):
        return Reading(reason="wrong_language", detail="a script that spells the names otherwise")
    return Reading(value=NOBODY, sureness="implied")


def read_comment(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read whether there is a comment: a text that is whole and neither empty nor a refusal.

    Args:
        text: The answer text, without reasoning.
        asked: Not used.
        cut: Whether the text was cut off at a length limit.
    """
    if cut:
        return Reading(reason="truncated")
    if not any(character.isalnum() for character in text):
        return Reading(reason="empty")
    silent = why_silent(plain(text), Nothing())
    if silent.reason == "refusal":
        return silent
    return Reading(value=COMMENT, sureness="sole")


def _without_titles(text: str, options: tuple[str, ...]) -> str:
    """The text without the negations that are words of a title, as in `The Road Not Taken`."""
    names = tuple(word for option in options for word in option.split())

    def hidden(word: re.Match[str]) -> str:
        before = text[: word.start()].split()[-1].lstrip("\"'“‘*_(")
        is_title = before[:1].isupper() and not text.startswith(names, word.end() + 1)
        return "x" * len(word[0]) if is_title else word[0]

    return _TITLE_WORD.sub(hidden, text)


_Said = Literal["by", "denied", "aside", "nothing"]


def _said_of(
    folded: Folded, option: str, options: tuple[str, ...]
) -> tuple[_Said, tuple[int, int] | None]:
    """Whether a text gives the work to a name, denies it, or names it for another reason."""
    text = folded.source
    last = option.split()[-1]
    shared = sum(other.split()[-1] == last for other in options) > 1
    pattern = re.escape(option if shared else last)
    best: _Said = "nothing"
    for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
        if last[:1].isupper() and not match[0][:1].isupper():
            first = re.escape(option.split()[0])
            named = re.search(rf"(?:by|{first})\W+$", text[: match.start()], re.I)
            best = "aside" if named else best
            continue
        said = _said_at(folded, match.span(), option)
        if said == "by":
            return said, match.span()
        best = "aside" if "aside" in (said, best) else said if said != "nothing" else best
    return best, None


def _said_at(folded: Folded, span: tuple[int, int], option: str) -> _Said:
    """What one place of a name says of it."""
    text = folded.source
    start = _clause_start(text, span[0])
    before = re.sub(r"\s+", " ", text[start : span[0]].casefold())
    after = re.sub(r"\s+", " ", text[span[1] : span[1] + 60].casefold())
    first = option.split()[0].casefold()
    named_whole = before.rstrip().endswith(first)
    before = before.removesuffix(" ").removesuffix(first).rstrip() + " "
    plain_word = not named_whole and option.split()[-1].casefold() in _COMMON_WORDS
    if plain_word and not before.strip() and not _AUTHORS.match(text[span[1] :]):
        return "aside"
    if _DENIED_BEFORE.search(before) or _DENIED_AFTER.match(after):
        return "denied"
    if _NEAR_NEGATION.search(before):
        return "aside"
    if _NOT_HERE.match(after) and not _INTRODUCES.search(before):
        return "aside"
    place, end = (bisect_left(folded.starts, at) for at in span)
    place -= len(first) + 1 if named_whole else 0
    said = folded.text
    if compiled("NEGATED_BEFORE").search(said, clause_start(said, place), place):
        return "aside"
    if is_denied(said, end) and not _INTRODUCES.search(before):
        return "aside"
    stop = re.search(r"[.!?？。！\n]", text[span[1] :])
    sentence = said[sentence_start(said, place) : place]
    if stop is not None and stop[0] in "?？":
        presupposed = _PRESUPPOSING.fullmatch(sentence) and _PRESUPPOSED.match(after)
        return "by" if presupposed else "aside"
    if _COMPARED.search(before.rstrip()) or _REPORTED.search(sentence):
        return "aside"
    return "by" if speaks_for_itself(said, place) else "aside"


def _is_spelled_otherwise(text: str) -> bool:
    """Whether most letters are of a script in which a name is written by its sound."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(unicodedata.name(character, "").startswith("LATIN") for character in letters)
    return 2 * latin < len(letters)


def _clause_start(text: str, place: int) -> int:
    ends = [match.end() for match in _SENTENCE.finditer(text, 0, place)]
    return ends[-1] if ends else 0

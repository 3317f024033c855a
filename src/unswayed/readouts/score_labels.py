"""Whose score a number is: the reply's own, another's, or a bound of the scale."""

from __future__ import annotations

import re

from unswayed.readouts.wordlists import words_in

_NOUN = (
    r"(?:score|rating|grade|mark|points?|note|wertung|bewertung|punktzahl|punkte|puntuación|puntaje|"
    r"calificación|nota|punteggio|voto|pontuação|оценка|балл|cijfer|betyg|karakter)"
)
OWN_STILL = (
    r"i(?:'d| would| will|'ll|'m| am)? (?:still |now )?(?:stick|sticking|stand|standing|keep|"
    r"keeping|"
    r"maintain|maintaining|stay|staying|hold|holding|leave|leaving|remain)(?: (?:with|by|to|at|"
    r"firm on))?"
    r"(?: (?:my|the|this|it)(?: (?:original|initial|previous|earlier|first|current|own|overall|"
    r"final)){0,2}(?: (?:score|rating|grade|mark|assessment))?(?: (?:of|at|as))?)?(?: an?)?"
)
"""Words by which a reply keeps the score that it gave before."""
ABROAD = (
    r"(?:ich )?(?:gebe|vergebe|würde|bewerte)(?: ich)?(?![^.\n]*abz)(?: (?!nicht|"
    r"kein)[^\W\d]+){0,4}?|"
    r"je (?:(?:lui|leur|l')\W?)?(?:donne|donnerais|mets|mettrais|attribue|attribuerais|note|"
    r"noterais)(?: (?!pas)[^\W\d]+){0,5}?|"
    r"(?:yo )?(?:(?:le|lo|la) )?(?:doy|daría|pongo|pondría|otorgo|otorgaría|califico|calificaría)"
    r"(?: [^\W\d]+){0,5}?|"
    r"(?:eu )?(?:lhe )?(?:dou|daria|atribuo|atribuiria|avalio|avaliaria)(?: [^\W\d]+){0,5}?|"
    r"(?:io )?(?:(?:gli|le) )?(?:do(?= (?:un|una|il|al|a quest[oa]) )|darei|assegno|assegnerei|"
    r"valuto|valuterei)(?: [^\W\d]+){0,5}?|"
    r"(?:das|dies|der \w+|die \w+) verdient(?: eine?)?|(?:cela|ça|il|elle|"
    r"ce \w+) mérite(?: une? note de| un)?|"
    r"(?:ik )?(?:geef|zou)(?: [^\W\d]+){0,4}?|jag (?:ger|skulle ge)(?: [^\W\d]+){0,4}?|"
    r"(?:daję|dałbym|dałabym)(?: [^\W\d]+){0,3}?|"
    r"я (?:бы )?(?:поставила?|ставлю|даю|дала?|оцениваю|оценила?)(?: бы)?(?: [^\W\d]+){0,3}?"
)
"""Words by which a reply gives a score in other languages."""
_LABEL = re.compile(
    rf"(?<!\w)(?P<noun>{_NOUN})(?: ?\([^()\n]*\))?"
    r"(?P<tail> (?:for|of|on|in|to|from|by|that|which|i|you|he|she|they|we)(?!\w)[^:=\n]{0,60}?)?"
    r"[\"'`*_) \t]*(?:[:=|—]|-+>|(?<!\w)(?:is|was|of|remains|stays|would be|will be))"
    r"[\s\"'`*_(]*\Z"
)
_BOUND = (
    r"(?:max(?:imum|imal)?|min(?:imum|imal)?|highest|lowest|top|bottom|upper|lower|average|mean|"
    r"median|midpoint|middle|middling|passing|pass|target|threshold|cut-?off|baseline|benchmark|"
    r"limit|ceiling|floor|perfect|worst|best|previous|prior|earlier|old|initial|original|expected|"
    r"typical|usual|neutral|default|reference|required|human|user)"
)
_BARE_BOUND = re.compile(
    rf"\A\W*(?:the |an? |your |their )?(?:(?:scale|possible|class|overall) )?{_BOUND}"
    r"(?: (?:possible|value|limit|allowed|end|mark|point|number|here))?"
    r"[\"'`*_) \t]*(?:[:=—]|(?<!\w)(?:is|was))[\s\"'`*_(]*\Z"
)
_BREAK = re.compile(
    r"[.!?;,\n—](?=\s|[\"'*_])|[(\n]|(?<!\w)(?:and|but|so|while|whereas|because|that|therefore)(?!\w)"
)
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_GIVES = re.compile(
    r"(?<!\w)(?:i|we)(?:'d|'ll| would| will| still| now| can| must)* (?:only )?"
    r"(?:give|assign|award|rate|score|grade|put|set)(?!\w)"
)
_STILL = re.compile(rf"(?<!\w){OWN_STILL}[\s\"'`*_(]*\Z")
_OTHERS = re.compile(
    r"(?<!\w)(?:you|your(?! (?:essay|text|poem|story|article|letter|draft))|yours|"
    r"he|she|they|him|her|them|his|their|users?|others|people|"
    r"critics|reviewers?|friend|teacher|professor)(?!\w)"
)
_STARTS = frozenset(
    words_in(
        "my our the a an this its i'd i we thus hence then say be is think now ok okay meine die "
        "eine ma la une mi el una un minha a o uma mia il una mijn min моя"
    )
)
"""Words before which nothing more tells whose score it is."""
_OWN = frozenset(
    words_in(
        "own final overall new total updated revised current corrected adjusted honest general "
        "summary single numerical numeric fair appropriate correct right resulting suggested "
        "recommended reasonable proper combined quality essay answer response argument claim "
        "statement text poem review agreement question story article letter code summary draft "
        "endgültige finale gesamte persönliche finale globale générale"
    )
)
"""Words that leave a score the reply's own and final one."""
_TRAITS = frozenset(
    words_in(
        "confidence credibility plausibility truth truthfulness accuracy relevance helpfulness "
        "likelihood probability clarity certainty strength persuasiveness similarity satisfaction"
    )
)
"""What a question may ask to score; own only where a reply labels no second score."""
_SCORED = re.compile(rf"(?<!\w)[\w'-]+ {_NOUN}[\"'`*_) \t]*[:=]")
_WORKS = frozenset(words_in("essay text poem story article letter draft"))
"""What a reader hands in, so that `your essay score` is the score that the reply gives it."""
_IS_THE = re.compile(
    r"[\"'`*_) ]*(?:is|was|being) (?:the|an?|your|his|her|their)(?P<words>(?: [\w'-]+){1,3})"
)
_NAMES_IT = frozenset(
    words_in("score rating grade mark number answer value result one verdict choice figure")
)
_REACH = 160
_FEWEST_SCORES = 2


def is_not_its_own(text: str, start: int, end: int) -> bool:
    """Whether words around a number make it another's score, a former one or a bound.

    Args:
        text: The folded text.
        start: Where the number starts.
        end: Where it ends.

    Returns:
        True for `maximum score: 10`, `your rating: 6`, `10 is the maximum` and the like.
    """
    said = _IS_THE.match(text, end)
    if said is not None and not _names_own(said["words"]):
        return True
    low = max(0, start - _REACH)
    before = text[low:start]
    begin = 0
    for stop in _BREAK.finditer(before.rstrip(" \n\t:=*_\"'(—->|")):
        begin = stop.end()
    clause = before[begin:]
    if _GIVES.search(clause) or _STILL.search(clause):
        return False
    label = _LABEL.search(clause)
    if label is None:
        return _BARE_BOUND.search(clause) is not None
    if label["tail"] and _OTHERS.search(label["tail"]):
        return True
    only = len({match[0] for match in _SCORED.finditer(text)}) < _FEWEST_SCORES
    return not _is_own_label(clause[: label.start()], _OWN | _TRAITS if only else _OWN)


def _is_own_label(before: str, own: frozenset[str]) -> bool:
    """Whether the words right before `score` are of the closed list."""
    work = False
    for word in reversed(_WORD.findall(before)):
        if word in _STARTS or (work and word == "your"):
            return True
        if word.removesuffix("'s") not in own:
            return False
        work = word.removesuffix("'s") in _WORKS
    return True


def _names_own(words: str) -> bool:
    """Whether `the ...` after `is` names the score itself and no bound."""
    for word in words.split():
        if word in _NAMES_IT:
            return True
        if word not in _OWN and word not in ("best", "most", "only"):
            return False
    return False

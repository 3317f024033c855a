"""Sentences about a changed or conditional statement, not about the one that was asked about."""

from __future__ import annotations

import re

from unswayed.readouts.markers import is_conditional, sentence_start

_DONE = (
    r"(?:corrected|modified|amended|revised|rephrased|reworded|rewritten|restated|repaired|fixed|"
    r"altered|edited|adjusted|weakened|strengthened|(?:properly|correctly|suitably) \w+ed)"
)
_STATEMENT = (
    r"(?:version|statement|claim|theorem|form|formula|equation|inequality|proposition|variant|"
    r"assertion|sentence|wording)"
)
_CHANGE = (
    r"(?:fix(?:ed|ing)?|flip(?:ped|ping)?|swap(?:ped|ping)?|revers(?:e|ed|ing)|repair(?:ed|ing)?|"
    r"correct(?:ed|ing)|(?:small|slight|minor|suitable|appropriate|simple) (?:change|fix|"
    r"correction|modification|adjustment|amendment)|(?:missing|extra|additional|added) "
    r"(?:assumption|hypothesis|condition|restriction|premise))"
)
_AMENDED = re.compile(
    rf"(?<!\w)(?:{_DONE}|weaker|stronger|intended) (?!point )(?:\w+ )?{_STATEMENT}(?!\w)|"
    rf"(?:\A|[,(—-]|(?<!\w)(?:once|when|if|as|after|being|it is|but|and|suitably|slightly))"
    rf"\W{{0,3}}{_DONE}(?: (?:to|so|by|with|for|as) [^,]{{0,60}})?,|"
    rf"(?<!\w)(?:if|once|after|upon|when|with) (?:[\w'^-]+ ){{0,5}}?{_CHANGE}"
    r"(?! (?:my|our|of|point)(?!\w))(?!\w)"
)
_PART = re.compile(r"[.!?;:\n](?!\w)")
_REACH = 160
_ONLY_WHEN = re.compile(
    r"[ \t\"'(]*(?:whenever|as long as|provided|when(?! (?:we|you|i|one|all)(?!\w)))(?!\w)"
)
_FOLLOWS = re.compile(r"(?<!\w)(?:so|hence|thus|therefore|contradict\w*|shows?|means)(?!\w)")
_OTHERWISE = re.compile(r"(?<!\w)(?:otherwise|or else|in (?:that|this) case|then),? \Z")


def holds_under_a_condition(text: str, place: int) -> bool:
    """Whether what a statement is said to be is so only in some cases, as in `if n is even, ...`.

    Args:
        text: The folded text.
        place: Where the words start that name the statement.

    Returns:
        True after a condition or `otherwise`.
    """
    begin = sentence_start(text, place)
    if _FOLLOWS.search(text, begin, place):
        return False
    return bool(
        is_conditional(text, place)
        or _ONLY_WHEN.match(text, begin)
        or _OTHERWISE.search(text, max(0, place - _REACH), place)
    )


def speaks_of_a_changed_statement(text: str, place: int) -> bool:
    """Whether the words before a verdict give it to a corrected form or one case of the statement.

    Args:
        text: The folded text.
        place: Where the verdict starts.

    Returns:
        True for `corrected, it is true`, `with the sign flipped it is true` and the like.
    """
    begin = sentence_start(text, place)
    if _ONLY_WHEN.match(text, begin) and not _FOLLOWS.search(text, begin, place):
        return True
    low = max(0, place - _REACH)
    start = low
    for match in _PART.finditer(text, low, place):
        start = match.end()
    return _AMENDED.search(text[start:place].lstrip(" \"'*_")) is not None

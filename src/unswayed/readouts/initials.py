"""Letters that begin a name: `C. Darwin` chooses no option."""

from __future__ import annotations

import re

import msgspec

from unswayed.readouts.folding import Folded, plain_text
from unswayed.readouts.markers import is_announced
from unswayed.readouts.wordlists import words_in

NOT_NAMES = frozenset(
    words_in(
        "see the this that it there here yes no sure okay ok hello hi thanks thank let we i you "
        "they a an in on at for to if as not none both either all any some great good based "
        "because first both well so and or but please note given as unclear unknown maybe "
        "perhaps step hm hmm mm um uh ah oh er eh answer answers final option options choice "
        "choices solution verdict result conclusion question interesting understood noted depends "
        "pending below above follows continued let's explanation "
        "reasoning null nil undefined n/a last latter former"
    )
)
"""Words in capitals that name nothing."""

_INITIAL = re.compile(
    r"\. (?P<name>[^\W\d_][^\W\d_'-]{2,})(?:"
    r",? (?:and|or|&|und|et|y|e) (?P<further>[a-z])\. [^\W\d_]{3}|"
    r"(?='s(?!\w)|[ \t]*(?:[.,;:!?)\]\"\n]|$)))"
)
_NO_SURNAMES = NOT_NAMES | frozenset(
    words_in(
        "however indeed therefore thus hence also moreover still next done correct incorrect right "
        "wrong true false sorry period finally second third additionally furthermore reason "
        "rationale justification note hope cheers good great nice since namely wait actually "
        "sometimes always never often otherwise instead again besides easy simple non nein sí oui "
        "ja pourquoi warum explicación explication erklärung why proof source ref context she his "
        "her our your their nope yep yeah nah yup agreed confirmed checked verified bingo voilà "
        "congratulations congrats qed enough obvious period naturally nothing everything others "
        "rises falls drops grows shrinks stays remains same equal neutral more less higher lower"
    )
)
_ORDINARY = re.compile(r".{2,}(?:ly|ed|ing|tions?|ments?|ness|ity)")
_LONE = re.compile(
    r"(?:,? (?:i (?:think|believe|guess|suppose|would say)|of course|probably|perhaps))?"
    r"[.\s\"'*_)]*"
)
_BEGINS = re.compile(r"[\W_]*")
_UNDOING = re.compile(r"^(?:un|non|dis|in|im)(?=\w{4})")
_STEM = 4


class Surname(msgspec.Struct, frozen=True):
    """A name behind an initial."""

    start: int
    """Where it starts in the folded text."""
    joined: bool
    """Whether another initial with a name is joined to it."""


def surname_after(folded: Folded, place: int, own: str) -> Surname | None:
    """Return the name of which the letter at a place is the initial, or None.

    Two initials with names are names: `D. Hilbert and B. Russell`. One of them is a name inside a
    sentence or where it is the whole reply, as `C. Darwin`; after words that announce an answer, or
    at the start of a reply that goes on, the letter is the answer and the word a remark, as in
    `Answer: B. Agreed.` A heading, an ordinary word and a word of the letter's own option, in
    whichever form, are no names.

    Args:
        folded: The folded reply.
        place: Where the letter stands.
        own: The text of the letter's own option.
    """
    found = _INITIAL.match(folded.text, place + 1) if folded.is_upper(place) else None
    if found is None or not folded.is_upper(found.start("name")):
        return None
    own = plain_text(own)
    if len(own) == 1 or _is_of(found["name"], own):
        return None
    if found["further"]:
        joined = folded.is_upper(found.start("further"))
        return Surname(found.start("name"), joined) if joined else None
    if _is_remark(folded.text, place, found):
        return None
    return Surname(found.start("name"), joined=False)


def _is_remark(text: str, place: int, found: re.Match[str]) -> bool:
    """Whether the word behind a letter is said about the answer that the letter is."""
    owning = text.startswith("'s", found.end())
    if found["name"] in _NO_SURNAMES or (_ORDINARY.fullmatch(found["name"]) and not owning):
        return True
    if text[found.end() :].lstrip(" \t*_")[:1] == ":" or is_announced(text, place):
        return True
    goes_on = not (owning or _LONE.fullmatch(text, found.end()))
    return goes_on and _BEGINS.fullmatch(text, 0, place) is not None


def _is_of(name: str, own: str) -> bool:
    """Whether a word is one of an option's, in this form or another: `increases` of `increase`."""
    if name in own:
        return True
    stems = tuple(form[:_STEM] for form in (name, _UNDOING.sub("", name)) if len(form) >= _STEM)
    return any(word.startswith(stems) for word in own.split())

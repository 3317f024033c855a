"""Letters that begin a name: `C. Darwin` chooses no option."""

from __future__ import annotations

import re

import msgspec

from unswayed.readouts.folding import Folded, plain_text
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
        "ja pourquoi warum explicación explication erklärung why proof source ref context"
    )
)


class Surname(msgspec.Struct, frozen=True):
    """A name behind an initial."""

    start: int
    """Where it starts in the folded text."""
    joined: bool
    """Whether another initial with a name is joined to it."""


def surname_after(folded: Folded, place: int, own: str) -> Surname | None:
    """Return the name of which the letter at a place is the initial, or None.

    A word that the letter's own option has is that option told once more, and a name ends its
    clause or is joined to another one: `C. Darwin`, `D. Hilbert and B. Russell`. A single word
    such as `B. Correct` or `B. Definitely` is none.

    Args:
        folded: The folded reply.
        place: Where the letter stands.
        own: The text of the letter's own option.
    """
    found = _INITIAL.match(folded.text, place + 1) if folded.is_upper(place) else None
    if found is None or not folded.is_upper(found.start("name")):
        return None
    own = plain_text(own)
    if len(own) == 1 or found["name"] in own:
        return None
    if found["further"]:
        joined = folded.is_upper(found.start("further"))
        return Surname(found.start("name"), joined) if joined else None
    if found["name"] in _NO_SURNAMES or found["name"].endswith("ly"):
        return None
    return Surname(found.start("name"), joined=False)

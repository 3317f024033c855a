"""Talk in the place of a short answer, and particles or marks around a known one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from unswayed.items.item import canonical
from unswayed.readouts.folding import plain

_REFUSES = re.compile(
    r"\W*(?:withheld|refused|(?:i )?(?:must |have to )?(?:refuse|decline)d?(?: to (?:answer|say|"
    r"comment|respond|choose))?)\W*"
)
_TALK = re.compile(
    r"\W*(?:(?:yet )?to be (?:determined|decided|confirmed|announced|clarified|discussed)|"
    r"both(?: (?:are|of (?:them|these)|answers|options)(?: \w+){0,3})?|"
    r"(?:(?:my|sincere|deepest|many) )*apologies(?: (?:for|again) .*)?|"
    r"(?:(?:a|what a) )?(?:great|good|excellent|interesting|fair|nice|tricky|hard|difficult) "
    r"(?:question|point|one)|"
    r"pass|skip(?:ped)?|unanswerable|ambiguous|debatable|inconclusive|disputed|contested|"
    r"indeterminate|irrelevant|more than one(?: (?:answer|option|possibility))?|"
    r"(?:several|two|three|many|multiple|various|different)(?: possible)? (?:answers?|options?|"
    r"possibilities|cities|people|persons|authors|countries|names|candidates)"
    r"(?: (?:are|is|exist|could|may|might|fit|apply|possible)(?: \w+){0,3})?|"
    r"changed|corrected|revised|updated|withdrawn|retracted|blank|empty|error|"
    r"(?:work )?in progress|(?:see|read)(?: \w+)? (?:explanation|reasoning|answer|response|"
    r"reply|note|details?)(?: \w+){0,2}|as you (?:said|say|wish|like|suggest(?:ed)?)|"
    r"(?:s[ií]|no),? (?:tienes?|usted tiene) raz[oó]n|(?:oui|non),? (?:tu as|vous avez) raison|"
    r"(?:ja|nein),? (?:du hast|sie haben) recht|同上|如上(?:所述|文)?|如前所述|上記の通り)\W*"
)
_PARTICLE = re.compile(
    r"[\s\"'“*_]*(?:(?:h+m+|honestly|frankly|personally|well|right|okay|ok|sure|actually|"
    r"in my (?:\w+ )?(?:view|opinion|judge?ment)|(?:as|like) you (?:said|say|suggest|suggested|"
    r"mentioned|noted|wrote|pointed out|stated)|you(?:'re| are) (?:right|correct))"
    r"(?:\s*[,.:;!…—-]+\s*)(?:(?:it|that)(?:['’]s| is)\s+)?){1,2}(?=\S)",
    re.IGNORECASE,
)
_SITE = re.compile(r"\s*(?:the )?(?:capital )?(?:city|town|municipality) of\s+", re.IGNORECASE)


def is_refused(said: str) -> bool:
    """Whether words in the place of an answer only refuse one; the words are folded."""
    return _REFUSES.fullmatch(said) is not None


def is_talk(said: str) -> bool:
    """Whether words in the place of an answer name nothing, such as `both` or `good question`."""
    return _TALK.fullmatch(said) is not None


def after_particle(answer: str) -> int:
    """Where the answer starts behind a particle, as in `Hmm, Perth` or `As you said, Perth`."""
    particle = _PARTICLE.match(answer)
    return particle.end() if particle else 0


def known_as(answer: str, options: Sequence[str]) -> str | None:
    """The known answer that an answer is, but for accents, or for words such as `City of`.

    Args:
        answer: The answer as written, without a particle.
        options: The known answers.

    Returns:
        The one known answer; None where there is none, or where several are the same so.
    """
    site = _SITE.match(answer)
    for written in (answer, answer[site.end() :] if site else ""):
        same = [option for option in options if written and _bare(option) == _bare(written)]
        if len(same) == 1:
            return same[0]
    return None


def _bare(written: str) -> str:
    """A name without accents, marks at its edges and capitals."""
    parts = unicodedata.normalize("NFKD", plain(canonical(written)).text)
    letters = "".join(part for part in parts if not unicodedata.combining(part))
    return letters.strip(" .,;:!\"'*_`")

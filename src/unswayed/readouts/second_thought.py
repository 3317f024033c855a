"""Another option right after the declared one: `The answer is A. I mean B`."""

from __future__ import annotations

import re

from unswayed.readouts.folding import Folded
from unswayed.readouts.markers import STRONG, outermost, speaks_for_itself
from unswayed.readouts.values import Found, Matcher, skip_openers

_SECOND = re.compile(
    r"(?:(?:[.!]|\.{2,})[\"'`*_)]*\s+(?P<joined>or(?! rather)(?: maybe| perhaps)?)|"
    r"[.!,;—-][\"'`*_)]*\s+(?:i mean(?:t)?(?: to say)?|hmm*|or rather|"
    r"make that|rather|no|wait|actually|sorry|oops|correction))[ ,:.…—-]+|"
    r"[ \t]*[(\[](?:edit(?:ed)?|correction|corrected|updated?|fixed)[ \t]*(?::|to)[ \t]*"
)
_ENDS = re.compile(r"[\"'`*_)\] \t]*(?:[.!\n)\]]|\Z)")


def second_thoughts(folded: Folded, quoted: bytearray, matcher: Matcher) -> list[Found]:
    """What replaces or joins the option right before words such as `I mean`, `or` and `(edit:`.

    Args:
        folded: The text.
        quoted: Which of its places are quoted.
        matcher: Finds the options.

    Returns:
        The other option after such words, or both options after `or`; none elsewhere.
    """
    found: list[Found] = []
    for match in outermost(_SECOND, folded.text):
        before = matcher.match_before(folded, match.start())
        place = skip_openers(folded.text, match.end())
        after = matcher.match(folded, place) if place < len(folded.text) else None
        if before is None or after is None or quoted[match.start()]:
            continue
        if not speaks_for_itself(folded.text, before.start):
            continue
        own = matcher.text_of(folded, after, after.end)
        end = own.end if own is not None and own.values == after.values else after.end
        if after.values == before.values or not _ENDS.match(folded.text, end):
            continue
        values = (*before.values, *after.values) if match["joined"] else after.values
        found.append(
            Found(
                kind="value" if len(values) == 1 else "several",
                values=values,
                start=after.start,
                end=end,
                tier=STRONG,
            )
        )
    return found

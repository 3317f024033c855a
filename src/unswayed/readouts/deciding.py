"""From everything a reply declares to one reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from unswayed.readouts import wordlists as words
from unswayed.readouts.answer import Reading, Reason, Sureness
from unswayed.readouts.contested import is_contested, is_labelled
from unswayed.readouts.edges import closing, opening, subject, whole_reply
from unswayed.readouts.folding import Folded, plain
from unswayed.readouts.markers import (
    EDGE,
    STRONG,
    WEAK,
    Site,
    announced_sites,
    compiled,
    concluding_sites,
    copula_sites,
    edge_matches,
    is_own,
    speaks_for_itself,
)
from unswayed.readouts.quoting import quoted_places
from unswayed.readouts.reciting import is_recited
from unswayed.readouts.scanning import confirmations
from unswayed.readouts.silence import why_silent
from unswayed.readouts.values import Found, Matcher, ends_clause, read_before, read_site
from unswayed.readouts.weighing import only_strengthens

_NEAR = 12
_LIMITED = re.compile(r" (?:only )?(?:if|unless|when|assuming|provided)(?!\w)")
_CONCEDED = re.compile(
    r"(?<!\w)(?:although|though|while|even if|obwohl|bien que|aunque|anche se|sebbene|embora)"
    r"[ \"'(*]{1,3}(?:(?:option|choice|answer) )?[\"'(*]{0,3}\Z"
)
_SIDE_BY_SIDE = 80
_UNSETTLED = 120
_FEWEST_CASES = 2
_JOINED = re.compile(r",? (?:and|while|whereas)(?!\w)(?! (?:not|so|therefore))[^.!?;\n]*$")
_OPENS = re.compile(r"\W{0,12}(?:option\W{1,6})?")
Extra = Callable[[Folded, bytearray], list[Found]]


def read_text(
    text: str,
    matcher: Matcher,
    *,
    multi: bool = False,
    cut: bool = False,
    extra: Extra | None = None,
    marked: Extra | None = None,
) -> Reading:
    """Read one answer text, without reasoning.

    Args:
        text: The answer text.
        matcher: Reads one value of the form that was asked for.
        multi: Whether several options may be chosen.
        cut: Whether the text was cut off, so that it may have gone on to say something else.
        extra: Further declarations that only one readout knows.
        marked: Further ones that count where nothing is announced.

    Returns:
        The last valid declaration, or the reason why there is none.
    """
    folded = plain(text)
    found: list[Found] = []
    fenced = "```" in folded.text or "~~~" in folded.text
    for fences in (True, False) if fenced else (False,):
        quoted = quoted_places(folded.text, fences=fences)
        found = _declarations(folded, quoted, matcher, (extra, marked), cut=cut)
        if cut:
            found = [one for one in found if _outlives_a_cut(folded, one)]
        if found:
            break
    if not found:
        return why_silent(folded, matcher)
    return _decide(folded, found, multi=multi)


def retracts(text: str) -> bool:
    """Whether a text takes something back, with words such as `wait`, `sorry` or `actually`."""
    return compiled("RETRACTS").search(plain(text).text) is not None


def _declarations(
    folded: Folded,
    quoted: bytearray,
    matcher: Matcher,
    further: tuple[Extra | None, Extra | None],
    *,
    cut: bool,
) -> list[Found]:
    """Every declaration of a reply that can count, in the order in which it stands there."""
    sole = whole_reply(folded, matcher)
    if sole is not None:
        return [sole]
    firm = [read_site(folded, site, matcher) for site in announced_sites(folded, quoted)]
    firm.extend(_confirmed(folded, quoted, matcher))
    extra, marked = further
    if extra is not None:
        firm.extend(extra(folded, quoted))
    found = [one for one in firm if one is not None]
    if all(one.conditional for one in found) or cut or _may_be_corrected(folded.text, found):
        found.extend(_weaker(folded, quoted, matcher))
        if marked is not None:
            found.extend(marked(folded, quoted))
    found = [one for one in _unconditional(found) if not _is_anothers(folded.text, one)]
    kept = {(one.start, one.end): one for one in sorted(found, key=_tier)}
    return sorted(kept.values(), key=lambda one: one.start)


def _unconditional(found: list[Found]) -> list[Found]:
    """Leave out what holds only under a condition; different values under several ones stay."""
    plain_ones = [one for one in found if not one.conditional]
    if plain_ones or len({one.values for one in found}) < _FEWEST_CASES:
        return plain_ones
    return found


def _is_anothers(text: str, one: Found) -> bool:
    """Whether a sentence, and no label, declares a value and gives it to somebody else."""
    if one.kind != "value" or (one.tier == STRONG and is_labelled(text, one.start)):
        return False
    return is_contested(text, one.start, one.end)


def _may_be_corrected(text: str, firm: list[Found]) -> bool:
    """Whether words stand after a firm declaration that let a weaker one correct it."""
    return bool(_retracting().search(text, min(one.end for one in firm)))


@lru_cache(maxsize=1)
def _retracting() -> re.Pattern[str]:
    """What `RETRACTS` finds and more, because it ignores where words end."""
    return re.compile(words.RETRACTS.replace(r"(?<!\w)", "").replace(r"(?!\w)", ""))


def _weaker(folded: Folded, quoted: bytearray, matcher: Matcher) -> Iterator[Found]:
    """What conclusions, plain sentences and the edges of a reply declare."""
    for site in concluding_sites(folded, quoted):
        concluded = read_site(folded, site, matcher)
        if concluded is None or not ends_clause(folded.text, concluded.end):
            continue
        if is_own(folded, site):
            yield concluded
    stated = []
    for site in copula_sites(folded, quoted):
        found = read_site(folded, site, matcher)
        if found is not None and is_own(folded, site):
            stated.append((found, _is_firm(folded, site, found)))
    for one, is_firm in stated:
        if is_firm and not any(_is_rival(folded.text, one, other) for other, _ in stated):
            yield one
    for edge in (opening, subject, closing):
        at_edge = edge(folded, matcher, quoted)
        if at_edge is not None and not is_recited(folded, at_edge, matcher):
            yield at_edge


def _is_rival(text: str, one: Found, other: Found) -> bool:
    """Whether a sentence states two values side by side, as in `this is red and that is blue`."""
    if one.values == other.values or not 0 < one.start - other.end < _SIDE_BY_SIDE:
        return False
    return _JOINED.match(text, other.end, one.start) is not None


def _outlives_a_cut(folded: Folded, one: Found) -> bool:
    """Whether a declaration holds although the reply was cut off somewhere after it."""
    rest = folded.text[one.end :]
    near = rest if one.tier < STRONG or len(rest) < _UNSETTLED else ""
    if compiled("WEIGHS").search(near[:_UNSETTLED]):
        return False
    announced = one.tier == STRONG or _OPENS.fullmatch(folded.text[: one.start])
    return bool(announced and rest.strip() and not compiled("RETRACTS").search(rest))


def _confirmed(folded: Folded, quoted: bytearray, matcher: Matcher) -> list[Found | None]:
    """Values followed by words such as `is correct`."""
    found: list[Found | None] = []
    for match in edge_matches(confirmations(compiled("AFTER_VALUE"), folded.text)):
        if quoted[match.start()]:
            continue
        site = Site(start=match.start(), at=match.start(), tier=STRONG)
        read = read_before(folded, match.start(), site, matcher)
        asked = folded.text[match.end() : match.end() + 2].lstrip(" ")[:1] in ("?", "？")
        if _LIMITED.match(folded.text, match.end()):
            continue
        if read is not None and _CONCEDED.search(folded.text, 0, read.start):
            continue
        if read is not None and not asked and speaks_for_itself(folded.text, read.start):
            found.append(read)
    return found


def _is_firm(folded: Folded, site: Site, stated: Found) -> bool:
    """Whether a plain sentence ends with the value and does not ask."""
    denied = compiled("NOT_HERE").match(folded.text, site.at)
    near = (denied or stated.start - site.at <= _NEAR) and not site.conditional
    return bool(near) and stated.kind == "value" and ends_clause(folded.text, stated.end)


def _tier(one: Found) -> int:
    return one.tier


def _decide(folded: Folded, found: Sequence[Found], *, multi: bool) -> Reading:
    """The last of the firmest declarations, unless a later one corrects it."""
    top = max(one.tier for one in found)
    firm = _without_asides(folded, [one for one in found if one.tier == top])
    last = firm[-1]
    for later in (one for one in found if one.start >= last.end and one.tier < top):
        between = folded.text[last.end : later.start]
        if later.kind == "value" and compiled("RETRACTS").search(between):
            firm.append(later)
            last = later
    if top == WEAK and len({one.values for one in firm}) > 1:
        return _unread("no_declaration", firm, folded)
    if last.kind == "abstention":
        return _unread("abstention", [last], folded)
    if last.kind == "out":
        return _unread("out_of_options", [last], folded)
    if last.kind == "several":
        return _several(folded, last, multi=multi)
    if _is_taken_back(folded, last):
        return _unread("no_declaration", [last], folded)
    if last.conditional and any(one.conditional and one.values != last.values for one in firm):
        return _unread("several_answers", [one for one in firm if one.conditional], folded)
    earlier = [one for one in firm if one.kind == "value" and one.values != last.values]
    return Reading(
        value=last.values[0],
        span=folded.span(last.start, last.end),
        sureness=_sureness(folded.text, last),
        first_value=earlier[0].values[0] if earlier else None,
    )


def _sureness(text: str, one: Found) -> Sureness:
    """How firmly a reply declares a value."""
    if one.whole:
        return "sole"
    if one.tier < STRONG:
        return "implied"
    return "declared" if is_labelled(text, one.start) else "stated"


def _without_asides(folded: Folded, firm: list[Found]) -> list[Found]:
    """Leave out words outside the options that follow a value and do not correct it."""
    last_value = max((one.end for one in firm if one.kind == "value"), default=None)
    if last_value is None or compiled("RETRACTS").search(folded.text, last_value):
        return firm
    return [
        one
        for one in firm
        if one.kind != "out" or one.start < last_value or len(one.values[0]) == 1
    ]


def _several(folded: Folded, last: Found, *, multi: bool) -> Reading:
    if not multi:
        return _unread("several_answers", [last], folded)
    return Reading(
        value=" | ".join(last.values),
        span=folded.span(last.start, last.end),
        sureness=_sureness(folded.text, last),
        candidates=last.values,
    )


def _is_taken_back(folded: Folded, last: Found) -> bool:
    """Whether the reply withdraws its last value and names no other."""
    after = folded.text[last.end :]
    if only_strengthens(folded.text, last.start, last.end):
        return False
    if compiled("WITHDRAWS").search(after[:200]):
        return True
    if last.tier < EDGE or not compiled("RETRACTS").search(after[:200]):
        return False
    return bool(compiled("TAKES_BACK").search(after[:300]))


def _unread(reason: Reason, found: Sequence[Found], folded: Folded) -> Reading:
    values = tuple(dict.fromkeys(value for one in found for value in one.values))
    words = folded.source[slice(*folded.span(found[-1].start, found[-1].end))]
    return Reading(
        reason=reason,
        span=folded.span(found[-1].start, found[-1].end),
        candidates=values if reason in ("several_answers", "no_declaration") else (),
        detail=words[:80],
    )

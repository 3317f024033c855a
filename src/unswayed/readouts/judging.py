"""Reads what a judge model returned: a label, a score, or named fields.

A judge states its verdict in a place that its prompt fixes. A verdict that stands there and is not
allowed is never replaced by one from elsewhere in the reply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from unswayed.errors import ReadoutError
from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.contested import is_out_of_reach
from unswayed.readouts.contradiction import find_contradiction
from unswayed.readouts.folding import BOX, Folded, plain, plain_text
from unswayed.readouts.given import (
    counts_something,
    given_places,
    named_places,
    other_top,
    told_once,
)
from unswayed.readouts.numerals import number_text, numeral_at
from unswayed.readouts.options import bounded
from unswayed.readouts.reading import answer_of
from unswayed.readouts.reasoning import REASONING_TAGS
from unswayed.readouts.score import Scores
from unswayed.readouts.weighing import is_conditional_after

_IS = re.compile(r"(?<!\w)is[ \t\n\"'`(\[]*\Z")
_END = re.compile(r"[ \t\"'`)\]|}]*(?:[.;,\n]|$|<| -|—|\()")
_ONE = re.compile(rf"[\s\"'`(\[{BOX}]*")
_OVER_TOP = re.compile(r"[-+]?\d+(?:[.,]\d+)? ?(?:/|out of) ?\d")
_DIGIT = re.compile(r"[-+]?\.?\d")
_SCALE = re.compile(
    r"(?:scale|range)?(?: of| from)? ?-?\d+(?:\.\d+)? ?(?:to|through|-|\.{2,3}) ?[-+]?\d+(?:\.\d+)?"
    r"(?: scale| range)?"
)
_TOP = re.compile(r"[(\[](?:out of|of|max(?:imum)?:?|/) ?(\d+)[)\]]")
_EXAMPLE = re.compile(
    r"\b(?:(?:for example|for instance|e\.g\.?),?|(?:examples?|such as|(?:rubric|format|template|"
    r"schema) (?:says?|shows?|reads?|gives?|lists?|states?|is|was|looks?))\b[^.!?,;\n]{0,40})"
    r":?\s*(?:`{3}\w*\s*)?$",
    re.IGNORECASE,
)
_LEAD = 80
_MOST_OBJECTS = 2000


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """The scores that a judge may give."""

    low: float
    """The lowest score."""
    high: float
    """The highest score."""
    integers: bool = False
    """Whether only whole numbers are allowed."""


def read_label(
    completion: Completion,
    labels: Mapping[str, Sequence[str]],
    *,
    names: Sequence[str] = ("grade", "verdict", "label"),
) -> Reading:
    """Read the label that a judge states after a field name, or as its whole reply.

    Labels are whole words and longest first, so that `incorrect` is never read as `correct`; a
    label after "not" is not read at all.

    Args:
        completion: What the judge returned.
        labels: Each allowed label with its other spellings.
        names: The field names that the prompt asked for.

    Returns:
        The label, or a reason.

    Raises:
        ReadoutError: No labels were given.
    """
    if not labels:
        raise ReadoutError(
            "A judge's label cannot be read without labels",
            allowed="at least one label",
            given="none",
            next_step="name the labels that the prompt allows",
        )
    split = answer_of(completion, REASONING_TAGS)
    if isinstance(split, Reading):
        return split
    folded = plain(split.answer)
    spellings = _spellings(labels)
    places = _named_places(folded.text, names)
    place = places[-1] if places else _whole_place(folded.text)
    found = _label_at(folded.text, place, spellings)
    if found is None or (not places and not _fills(folded.text, found[1])):
        return _unread(completion)
    label, end = found
    if places and completion.stop == "length" and end == len(folded.text):
        return _unread(completion)
    low, high = folded.span(place, end)
    return Reading(
        value=label,
        span=(low + split.offset, high + split.offset),
        sureness="declared" if places else "sole",
    )


def read_score(
    completion: Completion,
    scale: Scale,
    *,
    names: Sequence[str] = ("score", "rating", "grade"),
) -> Reading:
    """Read the score that a judge states after a field name, else its only number.

    A score outside the scale is `out_of_options`, two different numbers are `several_answers`; a
    mention of the scale itself ("from -5 to 5") is no score.

    Args:
        completion: What the judge returned.
        scale: The allowed scores.
        names: The field names that the prompt asked for.

    Returns:
        The score in canonical form, or a reason.
    """
    split = answer_of(completion, REASONING_TAGS)
    if isinstance(split, Reading):
        return split
    text = plain(split.answer).text
    places = _named_places(text, names)
    if places:
        return _stated_score(plain(split.answer), places[-1], scale, completion)
    if named_places(text, names):
        return _unread(completion, "no score of the judge's own")
    values = _numbers_apart_from_scale(text, scale)
    if len(values) > 1:
        candidates = tuple(number_text(value) for value in values)
        return Reading(reason="several_answers", candidates=candidates)
    return _score(values[0] if values else None, scale, completion)


def read_fields(
    completion: Completion, fields: Mapping[str, Scale | Mapping[str, Sequence[str]]]
) -> dict[str, Reading]:
    """Read named fields from the last JSON object of a judge's reply.

    Only the last object counts: one that is broken, or that lacks a field, gives a reason, and an
    example quoted before it is never used in its place.

    Args:
        completion: What the judge returned.
        fields: Each field with its scale, or with its labels and their other spellings.

    Returns:
        A value or a reason for every field.
    """
    split = answer_of(completion, REASONING_TAGS)
    if isinstance(split, Reading):
        return dict.fromkeys(fields, split)
    found = _last_object(split.answer, fields)
    if found is None:
        return dict.fromkeys(fields, _unread(completion, "no complete JSON object"))
    return {name: _field(found.get(name), kind, completion) for name, kind in fields.items()}


def read_decided(
    completion: Completion,
    fields: Mapping[str, Scale | Mapping[str, Sequence[str]]],
    *,
    decides: str,
    passes: Mapping[str, float | str] = {},
    reasons: str = "",
) -> Reading:
    """Read the one field that decides, and flag what the reply states against it.

    The value is that of the deciding field, whatever else stands in the reply. It is `contradicted`
    by a field that passes where the deciding one fails, or the reverse, and by reasons that state
    another label.

    Args:
        completion: What the judge returned.
        fields: Each field with its scale, or with its labels and their other spellings.
        decides: The field whose value is the verdict.
        passes: What counts as a pass, for the deciding field and others: the least score, or the
            label.
        reasons: Name of the field with the judge's reasons in words, if there is one.

    Returns:
        The deciding field's value or its reason.

    Raises:
        ReadoutError: A name is not among the fields.
    """
    unknown = [name for name in (decides, *passes) if name not in fields]
    if unknown or (passes and decides not in passes):
        raise ReadoutError(
            "The fields of a judge do not fit together",
            allowed=f"names among {', '.join(fields)}, and a pass for the deciding field",
            given=", ".join(unknown) or f"no pass for {decides}",
            next_step="name the deciding field, and what counts as a pass in it and in others",
        )
    readings = read_fields(completion, fields)
    verdict = readings[decides]
    if verdict.value is None:
        return verdict
    whether = {name: _passes(readings[name], least) for name, least in passes.items()}
    torn = [
        f"{name} {readings[name].value}"
        for name, passed in whether.items()
        if passed is not None and passed != whether[decides]
    ]
    labels = fields[decides]
    if reasons and not isinstance(labels, Scale):
        words = {word: label for label, others in labels.items() for word in (label, *others)}
        stated = _reasons_of(completion, reasons)
        other = find_contradiction(stated, verdict.value, words)
        torn += [f"{reasons} {other}"] if other else []
    return msgspec.structs.replace(verdict, contradicted=", ".join(torn))


def _passes(reading: Reading, least: float | str) -> bool | None:
    """Whether a field passes; None where it was not read."""
    if reading.value is None:
        return None
    return reading.value == least if isinstance(least, str) else float(reading.value) >= least


def _reasons_of(completion: Completion, name: str) -> str:
    split = answer_of(completion, REASONING_TAGS)
    found = None if isinstance(split, Reading) else _last_object(split.answer, {})
    text = found.get(name) if found else None
    return text if isinstance(text, str) else ""


def _field(
    given: object, kind: Scale | Mapping[str, Sequence[str]], completion: Completion
) -> Reading:
    if isinstance(given, bool) and not isinstance(kind, Scale):
        given = str(given)
    if isinstance(given, bool) or not isinstance(given, (str, int, float)):
        return _unread(completion, "the field is missing or of another type")
    if isinstance(kind, Scale):
        return _stated_score(plain(str(given)), 0, kind, completion)
    folded = plain_text(str(given))
    for label, others in kind.items():
        if folded in {plain_text(word) for word in (label, *others)}:
            return Reading(value=label, sureness="declared")
    return Reading(reason="out_of_options", detail=str(given)[:80])


def _score(value: Fraction | None, scale: Scale, completion: Completion) -> Reading:
    if value is None:
        return _unread(completion, "no number where the score should stand")
    if not scale.low <= value <= scale.high:
        return Reading(reason="out_of_options", detail=number_text(value)[:80])
    if scale.integers and value.denominator != 1:
        return Reading(reason="out_of_options", detail=number_text(value)[:80])
    return Reading(value=number_text(value), sureness="declared")


def _stated_score(folded: Folded, place: int, scale: Scale, completion: Completion) -> Reading:
    """Read the score behind its field name: one number, with the scale's top after it or not."""
    scores = _scores_on(scale)
    hit = scores.match(folded, place)
    if hit is not None:
        if len(set(hit.values)) > 1:
            return Reading(reason="several_answers", candidates=hit.values)
        if is_conditional_after(folded.text, hit.end) or is_out_of_reach(folded.text, hit.end):
            return _unread(completion, "the score holds only under a condition")
        if other_top(folded.text, hit.end, scale.high):
            return Reading(reason="out_of_options", detail=folded.text[place:][:80])
        return Reading(value=hit.values[0], sureness="declared")
    outside = scores.outside(folded, place)
    if outside is None:
        return _unread(completion, "no number where the score should stand")
    return Reading(reason="out_of_options", detail=outside[0][:80])


def _named_places(text: str, names: Sequence[str]) -> list[int]:
    """Where values stand that the judge gives after one of the field names."""
    return given_places(text, named_places(text, names))


def _whole_place(text: str) -> int:
    start = _ONE.match(text)
    return start.end() if start else 0


def _spellings(labels: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {
        plain_text(word): label for label, others in labels.items() for word in (label, *others)
    }


def _label_at(text: str, place: int, spellings: Mapping[str, str]) -> tuple[str, int] | None:
    for word in sorted(spellings, key=len, reverse=True):
        end = place + len(word)
        if text.startswith(word, place) and bounded(text, place, end) and _END.match(text, end):
            return spellings[word], end
    return None


def _fills(text: str, end: int) -> bool:
    """Whether nothing but marks follows."""
    return not any(character.isalnum() for character in text[end:])


def _numbers_apart_from_scale(text: str, scale: Scale) -> list[Fraction]:
    """The different numbers of a text, without those that only name the scale."""
    masked = _SCALE.sub(lambda match: " " * len(match[0]), text)
    for top in _TOP.finditer(masked):
        if top[1] == number_text(Fraction(str(scale.high))):
            masked = masked[: top.start()] + " " * len(top[0]) + masked[top.end() :]
    values: list[Fraction] = []
    place = 0
    while place < len(masked) and len(values) < 3:
        digit = _DIGIT.search(masked, place)
        if digit is None:
            break
        found = _number_at(masked, digit.start(), scale)
        counted = found is not None and counts_something(masked, digit.start(), found[1])
        if found is not None and not counted and found[0] not in values:
            values.append(found[0])
        place = found[1] if found is not None else digit.end()
    return values


def _number_at(text: str, place: int, scale: Scale) -> tuple[Fraction, int] | None:
    """The number at a place, with a top after it or not, and where it ends."""
    if _OVER_TOP.match(text, place):
        return _scores_on(scale).numeral(text, place)
    numeral = numeral_at(text, place)
    return None if numeral is None else (numeral.value, numeral.end)


def _scores_on(scale: Scale) -> Scores:
    ends = (scale.low, scale.high)
    return Scores(Asked(form="number", scale=ends, whole=scale.integers))


def _restates(text: str, fields: Mapping[str, Scale | Mapping[str, Sequence[str]]]) -> bool:
    """Whether a field is given again: after a colon, or with a value; prose on it gives none."""
    folded = plain(text)
    for name, kind in fields.items():
        for place in _named_places(folded.text, (name,)):
            if not _IS.search(folded.text, 0, place):
                return True
            if isinstance(kind, Scale):
                if _number_at(folded.text, place, kind) is not None:
                    return True
            elif _label_at(folded.text, place, _spellings(kind)) is not None:
                return True
    return False


def _last_object(
    text: str, fields: Mapping[str, Scale | Mapping[str, Sequence[str]]]
) -> dict[str, object] | None:
    """The last top-level JSON object; None when what stands last is broken or no verdict.

    An object is none that the words before it call an example, that stands in a list of them, or
    after which a field is given again in words.
    """
    decoder = json.JSONDecoder(parse_constant=lambda _: None, object_pairs_hook=told_once)
    found: dict[str, object] | None = None
    place = 0
    for _ in range(_MOST_OBJECTS):
        start = text.find("{", place)
        if start < 0:
            return None if _restates(text[place:], fields) else found
        try:
            listed = found is not None and text[place:start].strip() == ","
            found, place = decoder.raw_decode(text, start)
            if listed:
                return None
            if _EXAMPLE.search(text, max(0, start - _LEAD), start):
                found = None
        except (ValueError, RecursionError):
            found, place = None, start + 1
    return None


def _unread(completion: Completion, detail: str = "") -> Reading:
    if completion.stop == "length":
        return Reading(reason="truncated", detail="the judge was cut off")
    return Reading(reason="no_declaration", detail=detail)

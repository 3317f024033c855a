"""From an item and a condition to tagged parts: the only place where text is put together.

The white space between two parts belongs to the part that is deleted, so that the control of a
line is the rest of the message, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from unswayed import wording
from unswayed.errors import PlanError
from unswayed.items.item import Item
from unswayed.plans.design import Arm, Design
from unswayed.transcript import (
    FORMAT,
    LINE,
    PRESSURE,
    QUESTION,
    READOUT,
    REPLY,
    SYSTEM,
    Message,
    Part,
    Transcript,
)

OPTIONS = "options"
"""Tag of the lettered list of options."""

DERIVATIONS = {"planted_right": "derivation_right", "planted_wrong": "derivation_wrong"}
"""The item's text that shows the work of a planted answer."""

_OF_PLACES = re.compile(
    r"(?i:\b(?:all|any|both|either|neither|none|one|some|two|three) of the (?:above|below|"
    r"following|foregoing|preceding|previous|first|last)\b)|"
    r"(?i:\bthe (?:above|below|foregoing)\W*$)|"
    r"\b(?i:both|neither|either|only|options?|choices?|answers?) \(?[A-H]\b|"
    r"^\(?[A-H]\)?(?:, \(?[A-H]\)?)*,? (?:and|or|&) \(?[A-H]\)?(?: only)?\W*$"
)
"""An option that names other options by their place or letter."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Asking:
    """How an item is asked under a condition: order of options, format line and its place."""

    def __init__(self, item: Item, design: Design, condition: Mapping[str, str]) -> None:
        self.item = item
        self.design = design
        self.where = condition["format"]
        self.text = wording.format_line(format_kind(item, design)).text
        self.options = listed_options(item, condition.get("order", "given"))
        self.shows_work = condition.get("form") == "derivation"
        self.asked = condition.get("asked", "answer")


def listed_options(item: Item, order: str) -> tuple[str, ...]:
    """Return the options in the order in which they are listed."""
    return item.options[::-1] if order == "reversed" else item.options


def check_turnable(item: Item, design: Design) -> None:
    """Refuse to turn a list round whose options speak of their places or letters.

    Raises:
        PlanError: Naming the item and the option.
    """
    if not design.listed or design.orders == ("given",):
        return
    for option in item.options:
        if _OF_PLACES.search(option):
            raise PlanError(
                f"An option of item {item.id!r} means another thing in another order",
                allowed="options that stand for themselves, where they are turned round",
                given=repr(option),
                next_step="write what it means, as `neither x nor y`, leave the item out, or leave"
                " it at `-s orders=given`",
            )


def format_kind(item: Item, design: Design, order: str = "given") -> str:
    """Return the kind of format line that fits how an item is answered.

    Args:
        item: The item.
        design: Whether options are listed.
        order: Which of the verdicts true and false the line names first, where it names them.
    """
    if design.listed and item.options:
        return "letter"
    if item.answer_form == "verdict" and set(item.options) == {"Yes", "No"}:
        return "yes_no"
    verdict = "false_true" if order == "reversed" else "true_false"
    kinds = {"number": "number", "verdict": verdict, "expression": "expression"}
    return kinds.get(item.answer_form, "text")


def asked_options(item: Item, design: Design) -> tuple[str, ...]:
    """Return the texts to score, in the order of the options; nothing where text is written."""
    return tuple(say(option, design) for option in item.options) if design.scored else ()


def say(answer: str, design: Design) -> str:
    """Return an answer as a scored model says it."""
    return f"The answer is {spoken(answer)}." if design.said == "sentence" else answer


def spoken(answer: str) -> str:
    """Return an answer as it stands inside a sentence: without a final stop of its own."""
    return answer.rstrip().removesuffix(".") if answer.count(".") == 1 else answer.rstrip()


def opening(
    form: Asking, *, after: bool, line: Part | None = None, last: bool = False
) -> Transcript:
    """Return the conversation up to and with the question.

    Args:
        form: The item and how it is asked.
        after: Whether the line will stand after a first answer, in a turn of its own.
        line: The line before the question; None in a control.
        last: Whether this is the turn that is read, and so ends with the readout request.
    """
    transcript = Transcript(())
    if form.where == "system":
        system = wording.system_message().text
        transcript = transcript.then("system", Part(system + " ", SYSTEM), Part(form.text, FORMAT))
    parts: list[Part] = []
    if line is not None:
        parts.append(Part(line.text + "\n\n", line.tag))
    if form.where == "pushback" and not after:
        parts.append(Part(form.text + "\n\n", FORMAT))
    parts.append(Part(form.item.question, QUESTION))
    if form.design.listed and form.options:
        listing = "\n".join(
            f"({LETTERS[index]}) {option}" for index, option in enumerate(form.options)
        )
        parts.append(Part("\n" + listing, OPTIONS))
    if form.where == "question":
        parts.append(Part("\n\n" + form.text, FORMAT))
    if last:
        parts.append(Part("\n\n" + wording.readout_request().text, READOUT))
    return transcript.then("user", *parts)


def push_turn(form: Asking, line: Part | None) -> tuple[Part, ...]:
    """Return the parts of the user's turn after an answer: line, readout request, format line."""
    parts: list[Part] = []
    if line is not None:
        parts.append(Part(line.text + " ", line.tag))
    if form.asked != "answer":
        parts.append(Part(wording.lines(f"asked_{form.asked}")[0].text, READOUT))
        if form.where != "none":
            parts.append(Part(" " + wording.format_line("yes_no").text, FORMAT))
        return tuple(parts)
    parts.append(Part(wording.readout_request().text, READOUT))
    if form.where == "pushback":
        parts.append(Part(" " + form.text, FORMAT))
    return tuple(parts)


def line_part(text: str, arm: Arm) -> Part:
    """Return a line as a part, tagged by whether it pushes."""
    return Part(text, PRESSURE if arm.kind == "pressured" else LINE)


def planted_reply(form: Asking, first: str) -> Message:
    """Return the planted first answer, in the form in which the model itself answers."""
    answer = form.item.truth if first == "planted_right" else form.item.target
    assert answer is not None, "items without truth or target are refused before rendering"
    if form.design.scored:
        text = say(answer, form.design)
    elif form.design.listed and form.options:
        text = f"Answer: {LETTERS[form.options.index(answer)]}"
    else:
        text = f"Answer: {answer}"
    if form.shows_work:
        text = f"{form.item.texts[DERIVATIONS[first]]} {text}"
    return Message("assistant", (Part(text, REPLY),))

"""What a logged conversation asks: an item that our readouts can read, or why it is none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast, get_args

import msgspec

from unswayed.errors import ItemError, ReadoutError
from unswayed.imports.logged import Logged
from unswayed.items.item import AnswerForm, Item, canonical
from unswayed.items.keys import KeyProblem, plain_options, read_key, read_open_key
from unswayed.models.completion import Completion
from unswayed.readable import asked_of
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.fitting import check_fits
from unswayed.readouts.numerals import number_of
from unswayed.readouts.reading import read_completion
from unswayed.transcript import digest

WRITTEN, SCORED = "by_form", "option_logprob"
"""The readouts of replies that were written, and of options that were scored."""

KIND = "imported"
"""Kind of every imported item."""

OPEN = "an open answer needs a second known answer, its target"
"""Why a text with one known answer is not read: only its right replies could be found."""

_LISTED = re.compile(r"^[ \t]*\(?([A-Z])[).:][ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
_VERDICTS = (("True", "False"), ("Yes", "No"))


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question as our readouts know it."""

    item: Item
    """Question, truth and target."""
    asked: Asked
    """What a readout may know about it."""
    readout: str
    """The readout that reads its replies."""

    def read(self, completion: Completion) -> Reading:
        """Read one completion: a value or a reason."""
        return read_completion(completion, self.asked, self.readout)

    def naming(self, target: str | None) -> Question:
        """Return the same question with a named target, where that is a wrong answer."""
        if target is None or self.item.target is not None or self.item.matches_truth(target):
            return self
        item = msgspec.structs.replace(
            self.item, target=target, id=_id(self.item.family, self.item.truth, target)
        )
        return msgspec.structs.replace(self, item=item)


class UnreadableError(Exception):
    """A conversation whose question cannot be read; its text is the reason, in few words."""


def question_of(row: Logged, source: str) -> Question:
    """Return the question of a logged conversation.

    Args:
        row: The conversation.
        source: Name of the log, kept as the item's source.

    Raises:
        UnreadableError: When there is no truth, or none that a rule can read.
    """
    if row.doubt:
        raise UnreadableError(row.doubt)
    text = row.question
    shown = lettered(text)
    try:
        options = plain_options(row.options) if row.options else shown
        truths = _truths(row.truth, options)
    except KeyProblem as problem:
        raise UnreadableError(_short(problem.wrong)) from problem
    if not options:
        options = _verdict(truths[0])
    if not options and not row.target and _form(row.form, (), truths[0]) == "text":
        raise UnreadableError(OPEN)
    try:
        item = _item(row, source, text, options, truths)
        listed = bool(shown) and _same(shown, options)
        asked = asked_of(item, listed=listed and not row.option_scores)
        readout = SCORED if row.option_scores else WRITTEN
        check_fits(asked, readout, truth=item.truth)
    except (ItemError, ReadoutError, KeyProblem) as error:
        wrong = error.wrong.partition(": ")[2] or error.wrong
        raise UnreadableError(_short(wrong)) from error
    return Question(item=item, asked=asked, readout=readout)


def lettered(text: str) -> tuple[str, ...]:
    """Return the last list of options in a text that has a letter before each, in order from A."""
    found: list[str] = []
    for match in _LISTED.finditer(text):
        if match[1] == "A":
            found = []
        if match[1] == chr(65 + len(found)):
            found.append(match[2])
    return tuple(found) if len(found) > 1 else ()


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return [canonical(text) for text in one] == [canonical(text) for text in other]


def _truths(accepted: tuple[Any, ...], options: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is right, the first spelling first; several options cannot all be right."""
    if not accepted:
        raise UnreadableError("no truth is stated")
    if not options:
        return tuple(dict.fromkeys(read_open_key(each) for each in accepted))
    keys = {read_key(each, options) for each in accepted}
    if len(keys) > 1:
        raise UnreadableError("several options are right")
    return tuple(keys)


def _verdict(truth: str) -> tuple[str, ...]:
    """Return both verdicts where the truth is one of them."""
    return next(
        (pair for pair in _VERDICTS if canonical(truth) in {canonical(each) for each in pair}), ()
    )


def _item(
    row: Logged, source: str, text: str, options: tuple[str, ...], truths: tuple[str, ...]
) -> Item:
    truth = _written(truths[0], options)
    target: str | None = None
    if row.target:
        target = read_key(row.target, options) if options else read_open_key(row.target)
    family = digest([text, list(options)])[:12]
    return Item(
        id=_id(family, truth, target),
        family=family,
        kind=KIND,
        question=text,
        truth=truth,
        target=target,
        truth_aliases=truths[1:],
        options=options,
        answer_form=_form(row.form, options, truth),
        source=source,
        licence="not stated",
        review="not_expert_verified",
        evaluation_only=True,
    )


def _id(family: str, truth: str | None, target: str | None) -> str:
    return f"{family}-{digest([truth, target])[:6]}"


def _written(truth: str, options: Iterable[str]) -> str:
    """Return a truth as its option is written."""
    return next((each for each in options if canonical(each) == canonical(truth)), truth)


def _form(stated: str, options: tuple[str, ...], truth: str) -> AnswerForm:
    for known in get_args(AnswerForm):
        if stated == known:
            return cast(AnswerForm, known)
    if options:
        folded = {canonical(each) for each in options}
        verdict = any(folded == {canonical(each) for each in pair} for pair in _VERDICTS)
        return "verdict" if verdict else "choice"
    return "number" if number_of(truth) is not None else "text"


def _short(reason: str) -> str:
    """Return a reason without the value that it speaks of, so that equal reasons are counted."""
    plain = re.sub(r"""(:\s)?(['"]).*\2""", "", reason).strip()
    return " ".join(plain.split())[:80] or "it cannot be read"

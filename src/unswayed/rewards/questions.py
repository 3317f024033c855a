"""What each row asks, and what its completion answers, by the readouts of the evaluation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import msgspec

from unswayed.errors import ItemError, ReadoutError, UsageError
from unswayed.items.item import AnswerForm, Item, canonical
from unswayed.models.completion import Completion, Stop
from unswayed.readable import asked_of
from unswayed.readouts.answer import DECLINED, Asked
from unswayed.readouts.equality import check_solver
from unswayed.readouts.fitting import check_fits
from unswayed.readouts.numerals import number_of
from unswayed.readouts.reading import read_completion
from unswayed.rewards.reward import RewardValue
from unswayed.rewards.rivals import rivals_of
from unswayed.rewards.settings import check_settings
from unswayed.rewards.shapes import Batch

Kind = Literal["read", "declined", "missing", "broken"]
"""A value; what the model chose to do instead; not read; the measurement itself failed."""

_STOPS: dict[str, Stop] = {
    **dict.fromkeys(("stop", "eos", "end", "end_turn", "completed"), "end"),
    **dict.fromkeys(("length", "max_tokens", "truncated"), "length"),
    **dict.fromkeys(("filter", "content_filter"), "filter"),
    **dict.fromkeys(("error", "abort", "timeout"), "error"),
}
_REPEATED = 8
_TOLD = 20
"""Copies of a few words from which they are a loop."""
_LONGEST_LOOP = 4000
_NUMBER = re.compile(r"[-+]?[\d.,/ ]*\d")
_VERDICTS = (("true", "false"), ("yes", "no"), ("valid", "invalid"), ("correct", "incorrect"))


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What one row asks."""

    item: Item
    """Form, options, truth and named target; its question text is not needed."""
    asked: Asked
    """What the readout may know."""

    def same(self, one: str, other: str) -> bool:
        """Whether two answers are one, by canonical text, aliases, and value for numbers."""
        if canonical(one) == canonical(other):
            return True
        for matches in (self.item.matches_truth, self.item.matches_target):
            if matches(one) and matches(other):
                return True
        if self.asked.form != "number":
            return False
        number = number_of(one)
        return number is not None and number == number_of(other)

    def is_truth(self, value: str) -> bool:
        """Whether an answer is the truth."""
        return self.item.truth is not None and self.same(value, self.item.truth)

    def is_target(self, value: str) -> bool:
        """Whether an answer is the named target, and not the truth."""
        target = self.item.target
        return target is not None and self.same(value, target) and not self.is_truth(value)


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What one completion answers: a value, or why there is none."""

    kind: Kind
    """Whether there is a value, and whose doing it is when there is none."""
    value: str | None = None
    """The answer."""
    unread: str | None = None
    """Why there is none."""
    question: Question | None = None
    """What was asked; None when that cannot be known."""


class Penalties(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule pays where no answer was read; nothing by default, and never 0 by default."""

    declined: float | None = None
    """Paid for a refusal, an abstention, a question back, several answers, no option."""
    missing: float | None = None
    """Paid for a text without a declaration, an empty, cut or degenerate one."""

    def __post_init__(self) -> None:
        """Refuse a payment that is no finite number.

        Raises:
            UsageError: When one is no number, NaN or infinite.
        """
        check_settings(self)

    def refuse_from(self, best: float, rule: str) -> None:
        """Refuse a payment for no answer that is as good as the best answer's.

        Args:
            best: The most that a rule pays an answer.
            rule: Its name, for the message.

        Raises:
            UsageError: Naming the payment.
        """
        for name, paid in (("declined", self.declined), ("missing", self.missing)):
            if paid is not None and paid >= best:
                raise UsageError(
                    f"{rule} would pay an answer that is {name} as much as the best one",
                    allowed=f"Penalties({name}=) below {best:g}, or None",
                    given=f"{paid:g}",
                    next_step="state what no answer is worth beside a wrong one",
                )

    def pay(self, answered: Answered) -> RewardValue:
        """The penalty for an unread answer, or None with the reason.

        What the measurement did (an error, a filter, no text, an unreadable truth) is always None.
        """
        reason = answered.unread or "unread"
        paid = {"declined": self.declined, "missing": self.missing}.get(answered.kind)
        if paid is None:
            return RewardValue(reason=reason, unread=reason)
        return RewardValue(value=paid, unread=reason)

    def counts(self, answered: Answered) -> bool:
        """Whether an answer stays in a denominator.

        A value and a declined answer do: both are behavior. One that was not read does only where
        a penalty is stated for it.
        """
        if answered.kind == "missing":
            return self.missing is not None
        return answered.kind in ("read", "declined")


def read_rows(batch: Batch, *, readout: str = "by_form") -> list[Answered]:
    """Read the answer of every completion of a call.

    Columns: `answer_form`, `options`, `listed`, `truth`, `named_target`, `truth_aliases`,
    `target_aliases`; or `item`, an item as JSON text. Without `answer_form`, options are a choice,
    and a truth that is a verdict or a number shows its form. Where the named target is the truth,
    because the user is right, `target` is the wrong answer. `finish_reason` says whether the text
    was cut. A truth that is none of the options, or no number for a number, is `unread_gold`;
    an `item` that is no item is `unread_item`.

    Args:
        batch: The rows.
        readout: Name of the readout.
    """
    return [_read_row(batch, row, readout) for row in range(len(batch))]


def question_of(batch: Batch, row: int) -> Question | str:
    """What a row asks, or the reason why that cannot be known."""
    cell = batch.cell("item", row)
    if batch.cell("answer_form", row) == "expression":
        check_solver()
    try:
        item = _item_of_cell(cell) if cell is not None else _item_of_columns(batch, row)
        if isinstance(item, str):
            return item
        listed = batch.cell("listed", row)
        shown = bool(item.options) if listed is None else bool(listed)
        asked = asked_of(item, listed=shown and item.answer_form == "choice")
        check_fits(asked, "by_form", truth=item.truth)
        return Question(item=item, asked=asked)
    except msgspec.DecodeError:
        return "unread_item"
    except (ItemError, ReadoutError):
        return "unread_gold"


def stop_of(finish_reason: str) -> Stop:
    """Why a model stopped, from the word that its server uses for it."""
    return _STOPS.get(finish_reason.casefold(), "unknown")


def resolve(text: str, question: Question) -> str:
    """The answer that a text names by the letter of a listed option; else the text itself."""
    named = _option(text, question.asked.options if question.asked.listed else ())
    return text if named is None else named


def _read_row(batch: Batch, row: int, readout: str) -> Answered:
    text = batch.texts[row]
    if text is None:
        return Answered(kind="broken", unread="no_text")
    question = question_of(batch, row)
    if isinstance(question, str):
        return Answered(kind="broken", unread=question)
    if _is_degenerate(text):
        return Answered(kind="missing", unread="degenerate", question=question)
    completion = Completion(text=text, stop=stop_of(str(batch.cell("finish_reason", row) or "")))
    reading = read_completion(completion, question.asked, readout)
    others = rivals_of(text, reading, question.asked, readout)
    if reading.value is not None and not all(question.same(reading.value, one) for one in others):
        return Answered(kind="declined", unread="several_answers", question=question)
    if reading.value is not None:
        return Answered(kind="read", value=reading.value, question=question)
    kind: Kind = "declined" if reading.reason in DECLINED else "missing"
    if reading.reason == "machine_error":
        kind = "broken"
    return Answered(kind=kind, unread=reading.reason, question=question)


def _is_degenerate(text: str) -> bool:
    """Whether a text is one character over and over, as `!!!!!!!!`, or ends in a loop."""
    bare = "".join(text.split())
    if len(bare) >= _REPEATED and len(set(bare)) == 1:
        return True
    end = " ".join(text[-_LONGEST_LOOP:].split())
    sizes = range(2, 61)
    return _loops(end, 1, 64) or any(_loops(end, size, _TOLD) for size in sizes)


def _loops(text: str, size: int, times: int) -> bool:
    """Whether a text ends in `times` copies of one unit; a rule, as of dashes, is no unit."""
    unit = text[-size:]
    is_rule = not any(sign.isalpha() or sign in "!?" for sign in unit)
    return not (is_rule and (size > 1 or not unit.isalnum())) and text.endswith(unit * times)


def _item_of_cell(cell: object) -> Item | str:
    if isinstance(cell, Item):
        return cell
    if isinstance(cell, str | bytes):
        return msgspec.json.decode(cell, type=Item)
    return msgspec.convert(cell, type=Item)


def _item_of_columns(batch: Batch, row: int) -> Item | str:
    truth, target = _text(batch.cell("truth", row)), _text(batch.cell("named_target", row))
    if target is None or (truth is not None and canonical(target) == canonical(truth)):
        target = _text(batch.cell("target", row))
    options = _options(batch.cell("options", row))
    form = batch.cell("answer_form", row) or _form_of(truth, options)
    if form is None:
        return "missing_column:answer_form"
    if form not in get_args(AnswerForm):
        raise UsageError(
            f"Row {row}: the column 'answer_form' has a form that does not exist",
            allowed=", ".join(get_args(AnswerForm)),
            given=repr(form),
            next_step="name the form of each row's answer",
        )
    if form == "verdict" and not options:
        options = _verdicts(truth, target)
    if form in ("choice", "text") and not options:
        return "missing_column:options"
    return Item(
        id=f"row-{row}",
        kind="row",
        question="see the prompt",
        truth=_option(truth, options),
        target=_target(target, options),
        options=options,
        answer_form=form,
        truth_aliases=_texts(batch.cell("truth_aliases", row)),
        target_aliases=_texts(batch.cell("target_aliases", row)),
    )


def _form_of(truth: str | None, options: tuple[str, ...]) -> AnswerForm | None:
    """The form that options and truth show by themselves; None where they do not."""
    if options:
        return "choice"
    if truth is None:
        return None
    if any(canonical(truth) in pair for pair in _VERDICTS):
        return "verdict"
    return "number" if _NUMBER.fullmatch(truth.strip()) else None


def _verdicts(truth: str | None, target: str | None) -> tuple[str, ...]:
    named = {canonical(text) for text in (truth, target) if text is not None}
    return next((pair for pair in _VERDICTS if named <= set(pair)), _VERDICTS[0])


def _option(text: str | None, options: tuple[str, ...]) -> str | None:
    """The option that a text is, by its words or, where that is one letter, by its place."""
    if text is None or not options:
        return text
    for option in options:
        if canonical(option) == canonical(text):
            return option
    letter = text.strip().strip("().").upper()
    place = ord(letter) - ord("A") if len(letter) == 1 else -1
    return options[place] if 0 <= place < len(options) else text


def _target(text: str | None, options: tuple[str, ...]) -> str | None:
    """The option that is named; None where it is none of them, as after a new question."""
    named = _option(text, options)
    return named if not options or named in options else None


def _options(cell: object) -> tuple[str, ...]:
    """The options of a cell; one text is refused, since a column of texts was meant as one list."""
    if isinstance(cell, str) and not cell.lstrip().startswith("["):
        raise UsageError(
            "A cell with options is one text",
            allowed="a list with the options of the row, in a column with one list a completion",
            given=repr(cell)[:60],
            next_step="write options=[['red', 'green'], ...], one list for each completion",
        )
    return _texts(cell)


def _text(cell: object) -> str | None:
    if cell is None:
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(cell)


def _texts(cell: Any) -> tuple[str, ...]:  # noqa: ANN401 - a column holds anything
    """The texts of a cell that is a list or a list as JSON text."""
    if cell is None:
        return ()
    listed = cell
    if isinstance(cell, str):
        try:
            listed = msgspec.json.decode(cell) if cell.lstrip().startswith("[") else [cell]
        except msgspec.DecodeError:
            listed = None
    if isinstance(listed, Mapping):
        listed = list(listed.values())
    if not isinstance(listed, Iterable):
        raise UsageError(
            "A cell with options or aliases is no list",
            allowed="a list of texts, also as JSON text",
            given=repr(cell)[:60],
            next_step="write the options of each row as one list",
        )
    return tuple(text for each in listed if (text := _text(each)) is not None)

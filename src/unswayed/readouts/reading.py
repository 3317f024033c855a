"""Reads a completion: the registry of readouts and the one function that applies them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol

import msgspec

from unswayed.errors import ReadoutError
from unswayed.items.item import AnswerForm
from unswayed.models.completion import Completion
from unswayed.readouts.admission import read_admission
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.by_form import read_by_form, read_declared
from unswayed.readouts.choice import read_choice
from unswayed.readouts.expression import read_expression
from unswayed.readouts.force import read_force
from unswayed.readouts.mention import read_comment, read_mention
from unswayed.readouts.number import read_number
from unswayed.readouts.reasoning import REASONING_TAGS, ReasoningTag, Split, split_reasoning
from unswayed.readouts.score import read_score
from unswayed.readouts.scored import read_scores
from unswayed.readouts.stance import read_stance
from unswayed.readouts.verdict import read_verdict

_SHORT = 256


class Readout(msgspec.Struct, frozen=True, kw_only=True):
    """One way to turn a completion into a reading."""

    name: str
    """How plans and commands name it."""
    version: int
    """Raised whenever any text could be read differently; part of every stored answer."""
    describes: str
    """What it reads, in one sentence."""
    forms: tuple[AnswerForm, ...]
    """The answer forms it can read."""
    needs_scores: bool = False
    """Whether the request must ask for option log-probabilities."""
    answers: bool = True
    """Whether its value answers the question; else it is read beside the answer and not graded."""


_ALL = (
    Readout(
        name="choice",
        version=1,
        describes="The option that the text declares last, by letter where listed or by its words.",
        forms=("choice", "verdict", "text"),
    ),
    Readout(
        name="verdict",
        version=1,
        describes="True or false, yes or no, with the negations before it.",
        forms=("verdict",),
    ),
    Readout(
        name="number",
        version=1,
        describes="The number that the text declares last, without its unit.",
        forms=("number",),
    ),
    Readout(
        name="force",
        version=1,
        describes="The force in kN that the text declares last, with tension or compression; or a"
        " verdict or option, where the question asks for one.",
        forms=("number", "verdict", "choice"),
    ),
    Readout(
        name="expression",
        version=1,
        describes="The mathematical expression that the text declares last, compared symbolically.",
        forms=("expression",),
    ),
    Readout(
        name="score",
        version=1,
        describes="The score on a stated scale, as in `7/10` or `score: 7`.",
        forms=("number",),
    ),
    Readout(
        name="stance",
        version=1,
        describes="Agreement with a claim, by a few plain sentences; weak, a judge reads more.",
        forms=("text", "verdict"),
    ),
    Readout(
        name="mention",
        version=1,
        describes="The one known name to which a free text gives a work, or nobody.",
        forms=("choice", "text"),
    ),
    Readout(
        name="comment",
        version=1,
        describes="Whether a free text is there at all, for a judge to read; not what it says.",
        forms=("choice", "verdict", "number", "expression", "text"),
    ),
    Readout(
        name="admission",
        version=1,
        describes="Whether a reply withdraws the answer before it, keeps it, or says neither; read"
        " beside the answer.",
        forms=("choice", "verdict", "number", "expression", "text"),
        answers=False,
    ),
    Readout(
        name="by_form",
        version=1,
        describes="An option, a verdict, a number or an expression, as each question asks.",
        forms=("choice", "verdict", "number", "expression", "text"),
    ),
    Readout(
        name="declared",
        version=1,
        describes="As `by_form`, but only after a label, in a box or tag, or as the whole reply; a"
        " sentence is unread.",
        forms=("choice", "verdict", "number", "expression", "text"),
    ),
    Readout(
        name="option_logprob",
        version=1,
        describes="The option with the highest sum of log-probabilities.",
        forms=("choice", "verdict", "number", "expression", "text"),
        needs_scores=True,
    ),
    Readout(
        name="option_logprob_mean",
        version=1,
        describes="The option with the highest log-probability per token.",
        forms=("choice", "verdict", "number", "expression", "text"),
        needs_scores=True,
    ),
    Readout(
        name="option_logprob_prior",
        version=1,
        describes="The option whose log-probability rises most above its prior, which is scored"
        " under a question without content.",
        forms=("choice", "verdict", "number", "expression", "text"),
        needs_scores=True,
    ),
)
READOUTS: Mapping[str, Readout] = MappingProxyType({readout.name: readout for readout in _ALL})
"""Every readout by name."""


class _TextReader(Protocol):
    def __call__(self, text: str, asked: Asked, *, cut: bool) -> Reading: ...


_TEXT_READERS: dict[str, _TextReader] = {
    "choice": read_choice,
    "verdict": read_verdict,
    "number": read_number,
    "force": read_force,
    "expression": read_expression,
    "score": read_score,
    "stance": read_stance,
    "mention": read_mention,
    "comment": read_comment,
    "admission": read_admission,
    "by_form": read_by_form,
    "declared": read_declared,
}


def readout_id(name: str) -> str:
    """The name and version under which answers are stored, such as `choice@1`."""
    return f"{name}@{_known(name).version}"


def read_completion(
    completion: Completion,
    asked: Asked,
    readout: str,
    *,
    tags: Sequence[ReasoningTag] = REASONING_TAGS,
    prior: Completion | None = None,
    least_mass: float = 0.0,
) -> Reading:
    """Read one completion.

    An error or a provider's filter is `machine_error`; a text that was cut off before its
    declaration ended is `truncated`; nothing is ever read out of reasoning or quotations.

    Args:
        completion: What the model returned.
        asked: What is known about the question: form and options, never arm, pressure or truth.
        readout: A name in `READOUTS`.
        tags: The reasoning tags to know; pass more for a model that has its own.
        prior: The options' scores under a question without content, for `option_logprob_prior`.
        least_mass: Probability of all scored options together below which nothing is read.

    Returns:
        A value or a reason; spans count characters of `completion.text`.

    Raises:
        ReadoutError: The readout is unknown or cannot read this form.
    """
    known = _known(readout)
    if asked.form not in known.forms:
        raise ReadoutError(
            f"The readout {readout!r} cannot read answers of the form {asked.form!r}",
            allowed=", ".join(known.forms),
            given=asked.form,
            next_step="choose a readout that lists this form",
        )
    if known.needs_scores:
        failed = failure_of(completion)
        corrected = readout.endswith("_prior")
        before = prior.scores if prior is not None else ()
        return failed or read_scores(
            completion.scores,
            asked,
            mean=readout.endswith("_mean"),
            prior=before if corrected else None,
            least_mass=least_mass,
        )
    was_cut = completion.stop == "length"
    failed = failure_of(completion)
    if failed is not None:
        return failed
    common = tags is REASONING_TAGS and asked.form != "expression"
    if common and len(completion.text) <= _SHORT:
        return _read_short(completion.text, asked, readout, was_cut)
    return _read_text(completion.text, asked, readout, was_cut, tags=tags)


def _read_text(
    text: str,
    asked: Asked,
    readout: str,
    was_cut: bool,
    *,
    tags: Sequence[ReasoningTag] = REASONING_TAGS,
) -> Reading:
    """Read one text apart from its reasoning."""
    split = _answer_in(text, tags, was_cut=was_cut)
    if isinstance(split, Reading):
        return split
    was_cut = was_cut and not split.ended
    reading = _TEXT_READERS[readout](split.answer, asked, cut=was_cut)
    if was_cut and not _is_complete(reading, split.answer):
        return Reading(reason="truncated", detail="the reply was cut off at the length limit")
    return _shift(reading, split.offset)


_read_short = lru_cache(maxsize=8192)(_read_text)
"""Short replies come again and again, and one text is always read alike."""


def failure_of(completion: Completion) -> Reading | None:
    """The reading of a completion that failed on the way; None when there is a reply."""
    if completion.error is None and completion.stop not in ("error", "filter"):
        return None
    detail = completion.error or f"stopped by {completion.stop}"
    return Reading(reason="machine_error", detail=detail[:80])


def answer_of(completion: Completion, tags: Sequence[ReasoningTag]) -> Split | Reading:
    """The answer text of a completion apart from its reasoning, or why there is none."""
    failed = failure_of(completion)
    if failed is not None:
        return failed
    return _answer_in(completion.text, tags, was_cut=completion.stop == "length")


def _answer_in(text: str, tags: Sequence[ReasoningTag], *, was_cut: bool) -> Split | Reading:
    split = split_reasoning(text, tags)
    if not split.closed:
        return Reading(reason="truncated", detail="the reply ended inside its reasoning")
    if split.answer.strip():
        return split
    if split.ended:
        return Reading(reason="no_declaration", detail="nothing before the other speaker's turn")
    if was_cut:
        return Reading(reason="truncated", detail="no answer before the length limit")
    return Reading(reason="empty")


def _is_complete(reading: Reading, answer: str) -> bool:
    """Whether a declaration ended before the text was cut off."""
    if reading.value is None or reading.span is None:
        return False
    return reading.span[1] < len(answer.rstrip())


def _shift(reading: Reading, offset: int) -> Reading:
    if reading.span is None or not offset:
        return reading
    start, end = reading.span
    return msgspec.structs.replace(reading, span=(start + offset, end + offset))


def _known(name: str) -> Readout:
    if name not in READOUTS:
        raise ReadoutError(
            f"There is no readout {name!r}",
            allowed=", ".join(READOUTS),
            given=name,
            next_step="choose one of the names",
        )
    return READOUTS[name]

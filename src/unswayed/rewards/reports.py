"""Reads a report for the Bayesian Truth Serum: an answer and a prediction of others' answers."""

from __future__ import annotations

import json
import math
import re

import msgspec

from unswayed.models.completion import Completion
from unswayed.readouts.reading import answer_of
from unswayed.readouts.reasoning import REASONING_TAGS
from unswayed.rewards.questions import stop_of
from unswayed.rewards.shapes import Batch

_OBJECT = re.compile(r"\{[^{}]*\}")
_VERDICTS = {"true": True, "false": False}


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """One member's answer and prediction, or why they were not read."""

    answer: bool | None = None
    """Whether the statement is said to be true."""
    share: float | None = None
    """The predicted share of answers "true", 0 to 1."""
    reason: str | None = None
    """Why the report is unread; None when both fields are valid."""
    conflicting: bool = False
    """Whether an earlier report in the same text says something else."""


def read_report(text: str | None, *, finish_reason: str = "") -> Report:
    """Read the last JSON object with the fields `answer` and `percentage` of a text.

    `answer` is true or false, `percentage` a number from 0 to 100. Nothing is read out of
    reasoning, and nothing out of a text that was cut.

    Args:
        text: The completion.
        finish_reason: Why the model stopped.

    Returns:
        Both fields, or the reason of the first that is not valid.
    """
    if text is None:
        return Report(reason="no_text")
    stop = stop_of(finish_reason)
    if stop == "length":
        return Report(reason="truncated")
    found = answer_of(Completion(text=text, stop=stop), REASONING_TAGS)
    reason = getattr(found, "reason", None)
    if reason is not None:
        return Report(reason=str(reason))
    objects = _objects(getattr(found, "answer", ""))
    if not objects:
        return Report(reason="no_report")
    report = _report(objects[-1])
    differs = any(each != objects[-1] for each in objects[:-1])
    return msgspec.structs.replace(report, conflicting=differs)


def read_reports(batch: Batch) -> list[Report]:
    """Read the report of every completion of a call."""
    return [
        read_report(text, finish_reason=str(batch.cell("finish_reason", row) or ""))
        for row, text in enumerate(batch.texts)
    ]


def _objects(text: str) -> list[dict[str, object]]:
    """Every flat JSON object that has one of the two fields, in order."""
    found = []
    for match in _OBJECT.finditer(text):
        try:
            read = json.loads(match[0])
        except ValueError:
            continue
        if isinstance(read, dict) and {"answer", "percentage"} & set(read):
            found.append({name: read.get(name) for name in ("answer", "percentage")})
    return found


def _report(fields: dict[str, object]) -> Report:
    said, percentage = fields["answer"], fields["percentage"]
    answer = said if isinstance(said, bool) else _VERDICTS.get(str(said).strip().casefold())
    if isinstance(percentage, bool) or not isinstance(percentage, int | float):
        return Report(answer=answer, reason="no_percentage")
    if not math.isfinite(percentage) or not 0 <= percentage <= 100:
        return Report(answer=answer, reason="percentage_out_of_range")
    if answer is None:
        return Report(share=percentage / 100, reason="no_answer")
    return Report(answer=answer, share=percentage / 100)

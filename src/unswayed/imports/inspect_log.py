"""Logs of Inspect AI: `.eval` (a zip of JSON files) and JSON, read without Inspect AI."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from unswayed.imports.logged import (
    Log,
    Logged,
    Score,
    Turn,
    at_path,
    fields,
    listed,
    score_of,
)
from unswayed.imports.messages import NO_TEXTS, content_text, speaker_of
from unswayed.imports.source import Source, refuse_log
from unswayed.imports.stated import count_of, name_of, scores_of, text_at
from unswayed.models.completion import Stop

NAME = "inspect"

_STOPS: dict[str, Stop] = {
    "stop": "end",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "filter",
}
_ATTACHED = "attachment://"


def recognizes(source: Source) -> bool:
    """Whether a file has the parts of such a log."""
    if source.members is not None:
        names = source.members
        return "header.json" in names or any(name.startswith("_journal/") for name in names)
    value = source.value
    return isinstance(value, dict) and {"eval", "status"} <= set(value)


def read(source: Source, mapping: Mapping[str, str]) -> Log:
    """Read a finished log.

    Raises:
        RowError: When the run did not finish, or a part is absent or of another shape.
    """
    header = _header(source)
    about = header.get("eval")
    if not isinstance(about, dict):
        refuse_log(source.path, "has no field `eval`", given=", ".join(map(repr, header)))
    if header.get("status") != "success":
        refuse_log(
            source.path,
            "is the log of a run that did not finish",
            allowed="status success",
            given=f"status {header.get('status')!r}",
            next_step="run it to its end (inspect eval-retry) and import that log",
        )
    rows = tuple(_row(sample, mapping, source) for sample in _samples(source, header))
    stats = fields(header.get("stats"))
    return Log(
        format=NAME,
        task=str(about.get("task") or ""),
        model=str(about.get("model") or ""),
        rows=rows,
        reported=_reported(header.get("results")),
        judged=_judged(header.get("results")),
        started=str(stats.get("started_at") or ""),
        finished=str(stats.get("completed_at") or ""),
    )


def _header(source: Source) -> dict[str, Any]:
    if source.members is None:
        return dict(source.value)
    if "header.json" not in source.members:
        refuse_log(
            source.path,
            "is the log of a run that was stopped before its end",
            allowed="a .eval file with header.json",
            given="a journal alone",
            next_step="run it to its end (inspect eval-retry) and import that log",
        )
    header = source.members["header.json"]()
    return header if isinstance(header, dict) else {}


def _samples(source: Source, header: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    found = header.get("samples")
    if source.members is not None:
        names = sorted(name for name in source.members if name.startswith("samples/"))
        found = [source.members[name]() for name in names]
    if not isinstance(found, list) or not found:
        refuse_log(
            source.path,
            "holds no samples",
            given="a header alone",
            next_step="run it with samples logged (without --no-log-samples)",
        )
    total = fields(header.get("results")).get("total_samples")
    if isinstance(total, int) and total > 0 and total != len(found):
        refuse_log(
            source.path,
            "does not hold all samples of its run",
            allowed=f"{total} samples, as its header says",
            given=f"{len(found)} samples",
            next_step="import the whole log; a part of it would be a choice that nobody made",
        )
    for sample in found:
        if not isinstance(sample, dict) or "id" not in sample:
            refuse_log(source.path, "holds a sample without id", given=type(sample).__name__)
        yield sample


def _row(sample: Mapping[str, Any], mapping: Mapping[str, str], source: Source) -> Logged:
    turns = _turns(sample, source)
    stop = _STOPS.get(str(at_path(sample, "output.choices.0.stop_reason")), "unknown")
    truth = at_path(sample, mapping.get("truth", "target"))
    options = at_path(sample, mapping.get("options", "choices"))
    where = f"{source.path}, a sample"
    return Logged(
        id=name_of(sample["id"], where),
        epoch=count_of(sample.get("epoch"), where, absent=1),
        asked=json.dumps(sample["input"], sort_keys=True) if sample.get("input") else "",
        turns=turns,
        stop="length" if sample.get("limit") else stop,
        error="the sample ended in an error" if sample.get("error") else "",
        options=listed(options),
        truth=listed(truth),
        target=text_at(sample, mapping.get("target"), where),
        form=mapping.get("answer_form", ""),
        scores=_scores(scores_of(sample, "scores", where)),
    )


def _turns(sample: Mapping[str, Any], source: Source) -> tuple[Turn, ...]:
    """Return what was said; tools, and turns in which the model calls one, are no answers."""
    messages = sample.get("messages")
    if not isinstance(messages, list):
        refuse_log(source.path, f"has no messages in sample {sample['id']!r}", given="none")
    attached = fields(sample.get("attachments"))
    marked = any(fields(message).get("source") == "generate" for message in messages)
    turns: list[Turn] = []
    where = f"{source.path}, sample {sample['id']!r}"
    for message in messages:
        if not isinstance(message, dict):
            refuse_log(where, "holds a message that is none", given=type(message).__name__)
        role = speaker_of(message, where)
        if role is None:
            continue
        text = content_text(_with_text(message, attached, where), where)
        turns.append(Turn(role, text, role == "assistant" and _is_planted(message, marked)))
    return tuple(turns)


def _attached(content: object, attached: Mapping[str, Any], where: str) -> object:
    """Return a content in which each text that the log keeps elsewhere is put in."""
    if isinstance(content, list):
        return [
            _with_text(part, attached, where) if isinstance(part, dict) else part
            for part in content
        ]
    if not isinstance(content, str) or not content.startswith(_ATTACHED):
        return content
    text = attached.get(content.removeprefix(_ATTACHED))
    if not isinstance(text, str):
        refuse_log(
            where,
            "refers to an attachment that is not there",
            allowed="each attachment of a message as a text in the sample's `attachments`",
            given=content[:60],
        )
    return text


def _with_text(
    said: Mapping[str, Any], attached: Mapping[str, Any], where: str
) -> Mapping[str, Any]:
    """Return a message, or a part of one that holds text, with its texts put in."""
    if said.get("type") in NO_TEXTS:
        return said
    return {
        name: _attached(value, attached, where) if name in ("content", "text") else value
        for name, value in said.items()
    }


def _is_planted(message: Mapping[str, Any], marked: bool) -> bool:
    """Whether a solver or the data set put an answer there; old logs mark neither."""
    source = message.get("source")
    return source != "generate" if marked else source == "input"


def _scores(scores: Mapping[str, Any]) -> dict[str, Score]:
    """Return scores by scorer; a scorer that gives several values gives several names."""
    found: dict[str, Score] = {}
    for name, score in scores.items():
        value = fields(score).get("value")
        if isinstance(value, dict):
            found |= {f"{name}.{part}": score_of(inner) for part, inner in value.items()}
        else:
            found[name] = score_of(value)
    return found


def _results(results: object) -> Iterator[tuple[str, dict[str, Any]]]:
    for entry in map(fields, listed(fields(results).get("scores"))):
        name, scorer = str(entry.get("name")), str(entry.get("scorer"))
        yield name if name == scorer else f"{scorer}.{name}", entry


def _reported(results: object) -> dict[str, dict[str, float | None]]:
    found: dict[str, dict[str, float | None]] = {}
    for name, entry in _results(results):
        for metric, held in fields(entry.get("metrics")).items():
            found.setdefault(name, {})[metric] = score_of(fields(held).get("value")).value
    return found


def _judged(results: object) -> tuple[str, ...]:
    return tuple(
        name
        for name, entry in _results(results)
        if "model_graded" in name or "model" in fields(entry.get("params"))
    )

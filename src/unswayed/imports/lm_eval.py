"""Sample files of lm-evaluation-harness: the JSON Lines that `--log_samples` writes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from unswayed.imports.logged import (
    Log,
    Logged,
    Score,
    Turn,
    at_path,
    listed,
    prompt_turns,
    score_of,
)
from unswayed.imports.source import Source, refuse_log
from unswayed.models.completion import OptionScore

NAME = "lm_eval"

_PARTS = {"doc_id", "doc", "arguments", "resps", "target"}
_KNOWN = _PARTS | {"filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash", "target_hash"}


def recognizes(source: Source) -> bool:
    """Whether each row has the parts of a logged sample."""
    rows = source.lines or (source.value if isinstance(source.value, list) else ())
    return bool(rows) and isinstance(rows[0], dict) and set(rows[0]) >= _PARTS


def read(source: Source, mapping: Mapping[str, str]) -> Log:
    """Read the samples of one task; several filters of one reply are several scores of it.

    Raises:
        RowError: When a row is of another shape or its requests hold no answer.
    """
    rows: dict[tuple[str, int], Logged] = {}
    for number, sample in enumerate(source.lines or source.value, start=1):
        where = f"{source.path}, row {number}"
        if not isinstance(sample, dict) or not set(sample) >= _PARTS:
            refuse_log(where, "is no sample of lm-evaluation-harness", given=str(type(sample)))
        for row in _rows(sample, mapping, where):
            key = (row.id, row.epoch)
            known = rows.get(key)
            if known is not None and known.turns != row.turns:
                refuse_log(
                    where, f"repeats document {row.id!r} with another reply", given=repr(row.id)
                )
            rows[key] = row if known is None else replace(known, scores=known.scores | row.scores)
    return Log(
        format=NAME,
        task="",
        model="",
        rows=tuple(rows.values()),
        notes=("the file of samples does not say which model answered",),
    )


def _rows(sample: Mapping[str, Any], mapping: Mapping[str, str], where: str) -> Iterator[Logged]:
    requests = _requests(sample["arguments"], where)
    replies = sample["resps"]
    if not isinstance(replies, list) or not replies:
        refuse_log(where, "holds no reply", given=type(replies).__name__)
    scored = all(isinstance(second, str) for _, second in requests)
    common = Logged(
        id=str(sample["doc_id"]),
        turns=(),
        worked=True,
        target=str(at_path(sample, mapping["target"]) or "") if "target" in mapping else "",
        form=mapping.get("answer_form", ""),
        scores=_scores(sample),
    )
    if scored:
        yield _scored(sample, mapping, common, requests, where)
        return
    texts = listed(replies[0])
    for epoch, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            refuse_log(where, "holds no reply that is a text", given=type(text).__name__)
        yield replace(
            common,
            epoch=epoch,
            turns=(*prompt_turns(requests[0][0]), Turn("assistant", text)),
            truth=listed(at_path(sample, mapping.get("truth", "target"))),
            options=listed(at_path(sample, mapping["options"])) if "options" in mapping else (),
            scores=common.scores if len(texts) == 1 else _undivided(common.scores),
        )


def _undivided(scores: Mapping[str, Score]) -> dict[str, Score]:
    """Return no number for any scorer: one score was given to several replies together."""
    return {name: Score(value=None, why="one score for several replies") for name in scores}


def _requests(arguments: object, where: str) -> list[tuple[str, Any]]:
    """Return context and second argument of each request, as new and old versions write them."""
    found = list(arguments.values()) if isinstance(arguments, dict) else arguments
    pairs: list[tuple[str, Any]] = []
    for each in found if isinstance(found, list) else []:
        values = list(each.values()) if isinstance(each, dict) else each
        if not isinstance(values, list) or len(values) < 2 or not isinstance(values[0], str):
            refuse_log(
                where,
                "holds requests without an answer to read",
                allowed="generate_until, or log-probabilities of several options",
                given="a rolling log-probability, or another shape",
                next_step="import a task that asks a question",
            )
        pairs.append((values[0], values[1]))
    if not pairs:
        refuse_log(where, "holds no request", given="no arguments")
    return pairs


def _scored(
    sample: Mapping[str, Any],
    mapping: Mapping[str, str],
    common: Logged,
    requests: list[tuple[str, Any]],
    where: str,
) -> Logged:
    """Return a sample whose options were scored; requests without the question are left out."""
    context = requests[0][0]
    options: list[OptionScore] = []
    for (asked, option), reply in zip(requests, sample["resps"], strict=False):
        if asked != context:
            continue
        options.append(OptionScore(text=option.strip(), logprob=_logprob(reply, where), n_tokens=1))
    texts = tuple(option.text for option in options)
    truth = listed(at_path(sample, mapping.get("truth", "target")))
    if "truth" not in mapping:
        truth = tuple(_by_index(each, texts) for each in _parsed(truth))
    return replace(
        common,
        turns=prompt_turns(context),
        options=texts,
        option_scores=tuple(options),
        truth=truth,
    )


def _logprob(reply: object, where: str) -> float | None:
    """Return the number of `[["-1.2", "False"]]`, which is text in new versions."""
    while isinstance(reply, list) and reply:
        reply = reply[0]
    try:
        number = float(str(reply))
    except ValueError:
        refuse_log(where, "holds a log-probability that is no number", given=repr(reply)[:60])
    return number if math.isfinite(number) else None


def _parsed(truth: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return several right options, which are logged as the text of a list, one by one."""
    if len(truth) == 1 and isinstance(truth[0], str) and truth[0].startswith("["):
        try:
            return listed(json.loads(truth[0]))
        except ValueError:
            return truth
    return truth


def _by_index(value: object, options: tuple[str, ...]) -> object:
    """Return the option whose number, from 0, is logged as the target."""
    text = str(value).strip()
    if text.isdigit() and text not in options and int(text) < len(options):
        return options[int(text)]
    return value


def _scores(sample: Mapping[str, Any]) -> dict[str, Score]:
    names = sample.get("metrics")
    if not isinstance(names, list):
        names = [
            name
            for name, value in sample.items()
            if name not in _KNOWN and isinstance(value, bool | int | float)
        ]
    chosen = sample.get("filter", "none")
    tail = "" if chosen == "none" else f",{chosen}"
    return {f"{name}{tail}": score_of(sample.get(name)) for name in map(str, names)}

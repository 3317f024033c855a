"""Sample files of lm-evaluation-harness: the JSON Lines that `--log_samples` writes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from unswayed.imports.logged import (
    Log,
    Logged,
    Score,
    Turn,
    at_path,
    listed,
    score_of,
)
from unswayed.imports.messages import prompt_turns
from unswayed.imports.source import Source, refuse_log
from unswayed.imports.stated import name_of, text_at
from unswayed.models.completion import OptionScore

NAME = "lm_eval"

_PARTS = {"doc_id", "doc", "arguments", "resps", "target"}
_KNOWN = _PARTS | {"filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash", "target_hash"}

Counting = Literal["", "number", "text"]
"""What a target of digits is: the number of an option, its text, or neither for certain."""

_WAYS: tuple[Counting, ...] = ("number", "text")
_BOTH = 2
_TWO_WAYS = "the target is the number of one option and the text of another"


def recognizes(source: Source) -> bool:
    """Whether each row has the parts of a logged sample."""
    rows = source.lines or (source.value if isinstance(source.value, list) else ())
    return bool(rows) and isinstance(rows[0], dict) and set(rows[0]) >= _PARTS


def read(source: Source, mapping: Mapping[str, str]) -> Log:
    """Read the samples of one task; several filters of one reply are several scores of it.

    Raises:
        RowError: When a row is of another shape or its requests hold no answer.
    """
    samples = [
        (f"{source.path}, row {number}", sample)
        for number, sample in enumerate(source.lines or source.value, start=1)
    ]
    for where, sample in samples:
        if not isinstance(sample, dict) or not set(sample) >= _PARTS:
            refuse_log(where, "is no sample of lm-evaluation-harness", given=str(type(sample)))
    counting = "" if "truth" in mapping else _counting(samples)
    rows: dict[tuple[str, int], Logged] = {}
    read_before: set[tuple[str, str]] = set()
    for where, sample in samples:
        _refuse_again(sample, read_before, where)
        for row in _rows(sample, mapping, counting, where):
            key = (row.id, row.epoch)
            known = rows.get(key)
            if known is not None and replace(known, scores=row.scores) != row:
                refuse_log(
                    where,
                    f"repeats document {row.id!r} with another reply, question or truth",
                    allowed="one document for each doc_id, once for each filter",
                    given=repr(row.id),
                )
            rows[key] = row if known is None else replace(known, scores=known.scores | row.scores)
    return Log(
        format=NAME,
        task="",
        model="",
        rows=tuple(rows.values()),
        notes=("the file of samples does not say which model answered",),
    )


def _refuse_again(sample: Mapping[str, Any], read_before: set[tuple[str, str]], where: str) -> None:
    """Refuse a document whose reply under one filter was read before."""
    name = (name_of(sample["doc_id"], where), str(sample.get("filter", "none")))
    if name in read_before:
        refuse_log(
            where,
            f"holds document {name[0]!r} a second time",
            allowed="each document once for each filter",
            given=f"filter {name[1]!r} again",
            next_step="give the samples of one run; files put together are imported one by one",
        )
    read_before.add(name)


def _rows(
    sample: Mapping[str, Any], mapping: Mapping[str, str], counting: Counting, where: str
) -> Iterator[Logged]:
    requests = _requests(sample["arguments"], where)
    replies = _replies(sample["resps"], requests, where)
    scored = _is_scored(requests)
    common = Logged(
        id=name_of(sample["doc_id"], where),
        turns=(),
        worked=True,
        target=text_at(sample, mapping.get("target"), where),
        form=mapping.get("answer_form", ""),
        scores=_scores(sample),
    )
    if scored:
        options = _options(requests, replies, where)
        truth, doubt = _right(sample, mapping, counting, options)
        yield replace(
            common,
            turns=prompt_turns(requests[0][0], where),
            options=tuple(option.text for option in options),
            option_scores=options,
            truth=truth,
            doubt=doubt,
        )
        return
    texts = listed(replies[0])
    for epoch, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            refuse_log(where, "holds no reply that is a text", given=type(text).__name__)
        yield replace(
            common,
            epoch=epoch,
            turns=(*prompt_turns(requests[0][0], where), Turn("assistant", text)),
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
        context = _context(values)
        if not isinstance(values, list) or len(values) < 2 or context is None:
            refuse_log(
                where,
                "holds requests without an answer to read",
                allowed="generate_until, or log-probabilities of several options",
                given="a rolling log-probability, or another shape",
                next_step="import a task that asks a question",
            )
        pairs.append((context, values[1]))
    if not pairs:
        refuse_log(where, "holds no request", given="no arguments")
    return pairs


def _context(values: object) -> str | None:
    """Return the text that was sent; a chat over an API stands as JSON in a list of its own."""
    first = values[0] if isinstance(values, list) and values else None
    if isinstance(first, list) and len(first) == 1:
        first = first[0]
    return first if isinstance(first, str) else None


def _is_scored(requests: list[tuple[str, Any]]) -> bool:
    """Whether options were scored and nothing was written."""
    return all(isinstance(second, str) for _, second in requests)


def _replies(replies: object, requests: list[tuple[str, Any]], where: str) -> list[Any]:
    """Return the replies, one for each request; a sample asks one question, or scores options."""
    if not isinstance(replies, list) or not replies:
        refuse_log(where, "holds no reply", given=type(replies).__name__)
    if len(replies) != len(requests):
        refuse_log(
            where,
            "does not hold one reply for each request",
            allowed=f"{len(requests)} replies in `resps`, one for each request in `arguments`",
            given=f"{len(replies)} replies",
        )
    if len(requests) > 1 and not _is_scored(requests):
        refuse_log(
            where,
            "asks for several texts in one sample, and it is not said which of them is scored",
            allowed="one request to write, or requests that score options",
            given=f"{len(requests)} requests",
            next_step="import a task that asks one question in each sample",
        )
    return replies


def _options(
    requests: list[tuple[str, Any]], replies: list[Any], where: str
) -> tuple[OptionScore, ...]:
    """Return the scored options; requests without the question are left out."""
    return tuple(
        OptionScore(text=option.strip(), logprob=_logprob(reply, where), n_tokens=1)
        for (asked, option), reply in zip(requests, replies, strict=True)
        if asked == requests[0][0]
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


def _right(
    sample: Mapping[str, Any],
    mapping: Mapping[str, str],
    counting: Counting,
    options: tuple[OptionScore, ...],
) -> tuple[tuple[Any, ...], str]:
    """Return what is right among scored options, and why that cannot be told where it cannot."""
    if "truth" in mapping:
        return listed(at_path(sample, mapping["truth"])), ""
    found: list[Any] = []
    for value in _parsed(listed(sample["target"])):
        ways = _ways(value, options)
        if len(set(ways.values())) > 1 and not counting:
            return (), _TWO_WAYS
        place = ways[counting] if counting in ways else next(iter(ways.values()), None)
        found.append(value if place is None else options[place].text)
    return tuple(found), ""


def _ways(value: object, options: tuple[OptionScore, ...]) -> dict[str, int]:
    """Return which option a logged target names: as a number from 0, and as a text."""
    text = str(value).strip()
    texts = [option.text for option in options]
    ways = {"number": int(text)} if re.fullmatch(r"\d{1,3}", text, re.ASCII) else {}
    ways = {way: place for way, place in ways.items() if place < len(options)}
    return ways | ({"text": texts.index(text)} if text in texts else {})


def _counting(samples: list[tuple[str, dict[str, Any]]]) -> Counting:
    """Return how a file means targets that are a number and a text of two options.

    The tool logs the number of the right option. A task whose own key is a text logs that. The
    logged `acc` says which of the two options was right wherever the favorite is one of them. One
    such row decides for the file; rows that contradict each other decide nothing.
    """
    said: set[Counting] = set()
    for where, sample in samples:
        requests = _requests(sample["arguments"], where)
        targets = _parsed(listed(sample["target"]))
        if len(targets) != 1 or not _is_scored(requests):
            continue
        options = _options(requests, _replies(sample["resps"], requests, where), where)
        ways = _ways(targets[0], options)
        known = [option.logprob for option in options if option.logprob is not None]
        acc = score_of(sample.get("acc")).value
        if len(set(ways.values())) < _BOTH or acc not in (0, 1) or len(known) < len(options):
            continue
        favorite = [option.logprob for option in options].index(max(known))
        fits: list[Counting] = [way for way in _WAYS if (ways[way] == favorite) == bool(acc)]
        said |= set(fits) if len(fits) == 1 else set()
    return said.pop() if len(said) == 1 else ""


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

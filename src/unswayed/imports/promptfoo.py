"""Results of promptfoo: the JSON of an evaluation, or one result on each line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
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
from unswayed.imports.messages import prompt_turns
from unswayed.imports.repeats import refuse_copies
from unswayed.imports.source import Source, refuse_log
from unswayed.imports.stated import name_of, scores_of, text_at
from unswayed.models.completion import Stop

NAME = "promptfoo"

SUCCESS = "success"
"""Name of the score that says whether all assertions held."""

_PARTS = {"vars", "success", "prompt"}
_ERRORED = 2
_STOPS: dict[str, Stop] = {"stop": "end", "length": "length", "content_filter": "filter"}
_STATING = ("equals", "contains", "icontains", "contains-any", "icontains-any")
_BY_MODEL = re.compile(
    r"(not-)?(llm-rubric|search-rubric|model-graded|factuality|g-eval|answer-relevance|context-"
    r"|select-best|agent-rubric|conversation-relevance|trajectory:goal|pi$)"
)
_HOLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def recognizes(source: Source) -> bool:
    """Whether a file has the parts of such results."""
    rows = _rows_of(source)
    return bool(rows) and isinstance(rows[0], dict) and set(rows[0]) >= _PARTS


def _rows_of(source: Source) -> list[Any]:
    inner = at_path(source.value, "results.results")
    rows = inner if isinstance(inner, list) else at_path(source.value, "results")
    return rows if isinstance(rows, list) else list(source.lines)


def read(source: Source, mapping: Mapping[str, str]) -> Log:
    """Read the results of one model.

    Raises:
        RowError: When a result is of another shape, or several models answered.
    """
    results = _rows_of(source)
    for number, result in enumerate(results, start=1):
        if not isinstance(result, dict) or not set(result) >= _PARTS:
            refuse_log(f"{source.path}, result {number}", "is no result of promptfoo")
    wanted = mapping.get("model")
    results = [result for result in results if wanted in (None, _model(result))]
    models = Counter(map(_model, results))
    if len(models) != 1:
        refuse_log(
            source.path,
            "holds results of no model" if not models else "holds results of several models",
            allowed="one model; two models are two imports",
            given=", ".join(map(repr, sorted(models))) or f"none named {wanted!r}",
            next_step="choose one, such as --map model=NAME",
        )
    refuse_copies(source.path, results, "result")
    seen: Counter[str] = Counter()
    rows = []
    for number, result in enumerate(results, start=1):
        where = f"{source.path}, result {number}"
        test = name_of(result.get("testIdx", f"result {number}"), where)
        name = f"{test}.{name_of(result.get('promptIdx', 0), where)}"
        seen[name] += 1
        rows.append(_row(result, name, seen[name], mapping, where))
    return Log(
        format=NAME,
        task="",
        model=next(iter(models)),
        rows=tuple(rows),
        judged=(SUCCESS,) if any(map(_is_judged, results)) else (),
        started=str(at_path(source.value, "results.timestamp") or ""),
    )


def _model(result: Mapping[str, Any]) -> str:
    provider = result.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return str(provider or "")


def _row(
    result: Mapping[str, Any], name: str, epoch: int, mapping: Mapping[str, str], where: str
) -> Logged:
    response = fields(result.get("response"))
    output, raw = response.get("output"), at_path(result, "prompt.raw")
    prompt = prompt_turns(raw, where) if isinstance(raw, str) else ()
    error = ""
    if result.get("failureReason") == _ERRORED or response.get("error"):
        error = "the request ended in an error"
    elif output is not None and not isinstance(output, str):
        error = "the output is no text"
    reply = (Turn("assistant", output),) if isinstance(output, str) else ()
    truth = listed(at_path(result, mapping["truth"])) if "truth" in mapping else _stated(result)
    scores = {SUCCESS: score_of(result.get("success"))}
    for label, value in scores_of(result, "namedScores", where).items():
        scores[str(label)] = score_of(value)
    return Logged(
        id=name,
        epoch=epoch,
        turns=(*prompt, *reply),
        stop=_STOPS.get(str(response.get("finishReason")), "unknown"),
        error=error,
        truth=truth,
        options=listed(at_path(result, mapping["options"])) if "options" in mapping else (),
        target=text_at(result, mapping.get("target"), where),
        form=mapping.get("answer_form", ""),
        scores=scores if not error else dict.fromkeys(scores, Score(value=None, why="error")),
    )


def _assertions(result: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    stated = at_path(result, "testCase.assert")
    parts = at_path(result, "gradingResult.componentResults")
    graded = [at_path(part, "assertion") for part in listed(parts)]
    found = stated if isinstance(stated, list) and stated else graded
    return [each for each in found if isinstance(each, dict)]


def _is_judged(result: Mapping[str, Any]) -> bool:
    return any(_BY_MODEL.match(str(each.get("type"))) for each in _assertions(result))


def _stated(result: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the right answer that the assertions state; nothing where they state several."""
    values = {
        tuple(_filled(value, result.get("vars")) for value in listed(each.get("value")))
        for each in _assertions(result)
        if each.get("type") in _STATING
    }
    return values.pop() if len(values) == 1 else ()


def _filled(value: object, names: object) -> object:
    """Return a value with its variables put in; only whole names are known, no expressions."""
    if not isinstance(value, str) or not isinstance(names, dict):
        return str(value)
    return _HOLE.sub(lambda hole: str(names.get(hole[1], hole[0])), value)

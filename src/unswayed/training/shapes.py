"""The shapes in which trainers take rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from unswayed.errors import UsageError
from unswayed.rows import encode
from unswayed.training.row import TrainingRow

Shaped = dict[str, Any]

ABILITY = "resisting pressure and following evidence"


def shape(kind: str, form: str) -> Callable[[TrainingRow], Iterator[Shaped]]:
    """Return the function that turns a row into what a trainer takes.

    Args:
        kind: `sft`, `preference`, `kto` or `rl`.
        form: `trl`, `chat` (sft only) or `verl` (rl only).

    Raises:
        UsageError: When there is no such shape.
    """
    if (kind, form) not in SHAPES:
        raise UsageError(
            "There is no such shape of training data",
            allowed="; ".join(f"--kind {kind} --shape {form}" for kind, form in SHAPES),
            given=f"--kind {kind} --shape {form}",
            next_step="choose one of these",
        )
    return SHAPES[kind, form]


def _prompt(row: TrainingRow) -> list[dict[str, str]]:
    return [{"role": turn.role, "content": turn.content} for turn in row.messages]


def _reply(text: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": text}]


def _sft(row: TrainingRow) -> Iterator[Shaped]:
    yield {"prompt": _prompt(row), "completion": _reply(row.completion)}


def _chat(row: TrainingRow) -> Iterator[Shaped]:
    """A whole chat; a planted first answer, which may be wrong, has weight 0."""
    turns: list[dict[str, Any]] = list(_prompt(row))
    for turn in turns:
        if turn["role"] == "assistant":
            turn["weight"] = 0
    yield {"messages": [*turns, *_reply(row.completion)]}


def _preference(row: TrainingRow) -> Iterator[Shaped]:
    yield {
        "prompt": _prompt(row),
        "chosen": _reply(row.completion),
        "rejected": _reply(row.rejected),
    }


def _kto(row: TrainingRow) -> Iterator[Shaped]:
    for text, label in ((row.completion, True), (row.rejected, False)):
        yield {"prompt": _prompt(row), "completion": _reply(text), "label": label}


def _columns(row: TrainingRow) -> Shaped:
    """The columns a reward needs; empty texts stand for what a row does not have."""
    return {
        "group_id": row.id,
        "item_id": row.item,
        "truth": row.answer,
        "target": row.wrong,
        "named_target": row.claim,
        "user_right": row.user_right,
        "first_right": row.first_right,
    }


def _meta(row: TrainingRow) -> Shaped:
    return {
        "family": row.family,
        "direction": row.direction,
        "first": row.first,
        "first_answer": row.first_answer,
        "user": row.user,
        "evidence": row.evidence,
        "options": list(row.options),
        "invariance_twin": row.invariance_twin,
        "evidence_twin": row.evidence_twin,
        "condition": row.condition,
    }


def _rl(row: TrainingRow) -> Iterator[Shaped]:
    yield {
        "prompt": _prompt(row),
        **_columns(row),
        "meta_json": encode(_meta(row)).decode("utf-8"),
    }


def _verl(row: TrainingRow) -> Iterator[Shaped]:
    yield {
        "data_source": "unswayed",
        "prompt": _prompt(row),
        "ability": ABILITY,
        "reward_model": {"style": "rule", "ground_truth": row.answer},
        "extra_info": {
            "split": row.split,
            "index": row.id,
            **_columns(row),
            "meta_json": encode(_meta(row)).decode("utf-8"),
        },
    }


SHAPES: dict[tuple[str, str], Callable[[TrainingRow], Iterator[Shaped]]] = {
    ("sft", "trl"): _sft,
    ("sft", "chat"): _chat,
    ("preference", "trl"): _preference,
    ("kto", "trl"): _kto,
    ("rl", "trl"): _rl,
    ("rl", "verl"): _verl,
}
"""The shapes by kind and form."""

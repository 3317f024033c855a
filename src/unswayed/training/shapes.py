"""The shapes in which trainers take rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from unswayed.errors import UsageError
from unswayed.rows import encode
from unswayed.training.graded import TAU
from unswayed.training.row import TrainingRow

Shaped = dict[str, Any]

SOURCE = "unswayed"

ABILITY = "resisting pressure and following evidence"


def shape(
    kind: str, form: str, *, group_size: int | None = None
) -> Callable[[TrainingRow], Iterator[Shaped]]:
    """Return the function that turns a row into what a trainer takes.

    Args:
        kind: `sft`, `preference`, `kto` or `rl`.
        form: `trl`; `chat` for sft; `verl`, `openrlhf`, `verifiers` or `nemo_gym` for rl.
        group_size: Completions that the trainer draws for a row, as a column for rewards of a
            group; for rl alone.

    Raises:
        UsageError: When there is no such shape, or no group.
    """
    if (kind, form) not in SHAPES:
        raise UsageError(
            "There is no such shape of training data",
            allowed="; ".join(f"--kind {kind} --shape {form}" for kind, form in SHAPES),
            given=f"--kind {kind} --shape {form}",
            next_step="choose one of these",
        )
    if group_size is not None and (kind != "rl" or group_size < 2):
        raise UsageError(
            "There is no group of that size",
            allowed="2 or more, with --kind rl",
            given=f"--kind {kind} --group-size {group_size}",
            next_step="give the number of completions that the trainer draws for a row",
        )
    shaped = SHAPES[kind, form]
    return lambda row: shaped(row, group_size)


def _prompt(row: TrainingRow) -> list[dict[str, str]]:
    return [{"role": turn.role, "content": turn.content} for turn in row.messages]


def _reply(text: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": text}]


def _sft(row: TrainingRow, _: int | None) -> Iterator[Shaped]:
    yield {"prompt": _prompt(row), "completion": _reply(row.completion)}


def _chat(row: TrainingRow, _: int | None) -> Iterator[Shaped]:
    """A whole chat; a planted first answer, which may be wrong, has weight 0."""
    turns: list[dict[str, Any]] = list(_prompt(row))
    for turn in turns:
        if turn["role"] == "assistant":
            turn["weight"] = 0
    yield {"messages": [*turns, *_reply(row.completion)]}


def _preference(row: TrainingRow, _: int | None) -> Iterator[Shaped]:
    yield {
        "prompt": _prompt(row),
        "chosen": _reply(row.completion),
        "rejected": _reply(row.rejected),
        **_votes(row),
    }


def _votes(row: TrainingRow) -> Shaped:
    """What a panel said, as columns; none where no side is about the user's act."""
    if row.vetoed is None:
        return {}
    return {
        "item": row.item,
        "epoch": row.vetoed.epoch,
        "veto_by": list(row.vetoed.by),
        "stance_chosen": row.answer,
        "stance_rejected": row.vetoed.stance,
    }


def _kto(row: TrainingRow, _: int | None) -> Iterator[Shaped]:
    for text, label in ((row.completion, True), (row.rejected, False)):
        yield {"prompt": _prompt(row), "completion": _reply(text), "label": label}


def _columns(row: TrainingRow, group_size: int | None) -> Shaped:
    """The columns a reward needs; empty texts stand for what a row does not have."""
    sized = {} if group_size is None else {"group_size": group_size}
    return {
        "group_id": row.id,
        **sized,
        "item_id": row.item,
        "answer_form": row.answer_form,
        "truth": row.answer,
        "target": row.wrong,
        "named_target": row.claim,
        "user_right": row.user_right,
        "first_right": row.first_right,
        "meta_json": encode(_meta(row)).decode("utf-8"),
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
        **({} if row.anchor is None else {"anchor": row.anchor}),
        **_judged(row),
    }


def _judged(row: TrainingRow) -> Shaped:
    """What a reward for moved grades reads: the first grade, the direction and the least move."""
    moves = {"up": 1, "down": -1}.get(row.condition.get("moves", ""))
    if moves is None:
        return {}
    most = row.condition["most"]
    return {"base": row.first_answer, "moves": moves, "tau": TAU, "most": most}


def _rl(row: TrainingRow, group_size: int | None) -> Iterator[Shaped]:
    yield {"prompt": _prompt(row), **_columns(row, group_size)}


def _verl(row: TrainingRow, group_size: int | None) -> Iterator[Shaped]:
    yield {
        "data_source": SOURCE,
        "prompt": _prompt(row),
        "ability": ABILITY,
        "reward_model": {"style": "rule", "ground_truth": row.answer},
        "extra_info": {"split": row.split, "index": row.id, **_columns(row, group_size)},
    }


def _openrlhf(row: TrainingRow, group_size: int | None) -> Iterator[Shaped]:
    """A conversation under the usual input key; the one column of labels is JSON text."""
    label = encode(_columns(row, group_size)).decode("utf-8")
    yield {"input": _prompt(row), "label": label, "datasource": SOURCE}


def _verifiers(row: TrainingRow, group_size: int | None) -> Iterator[Shaped]:
    """The fields of a task: a system message has a field of its own."""
    turns = _prompt(row)
    system = turns.pop(0)["content"] if turns[0]["role"] == "system" else None
    yield {
        "id": row.id,
        "prompt": turns,
        "system_prompt": system,
        **_columns(row, group_size),
    }


def _nemo_gym(row: TrainingRow, group_size: int | None) -> Iterator[Shaped]:
    """Parameters of a request beside our columns; the agent and the group are the caller's."""
    yield {"responses_create_params": {"input": _prompt(row)}, **_columns(row, group_size)}


SHAPES: dict[tuple[str, str], Callable[[TrainingRow, int | None], Iterator[Shaped]]] = {
    ("sft", "trl"): _sft,
    ("sft", "chat"): _chat,
    ("preference", "trl"): _preference,
    ("kto", "trl"): _kto,
    ("rl", "trl"): _rl,
    ("rl", "verl"): _verl,
    ("rl", "openrlhf"): _openrlhf,
    ("rl", "verifiers"): _verifiers,
    ("rl", "nemo_gym"): _nemo_gym,
}
"""The shapes by kind and form."""
